import { html, type TemplateResult } from "lit-html";

import type { Page } from "../page.js";
import { paths } from "../routes.js";

/** What is shown at an address that names nothing. */
export class MissingPage implements Page {
  readonly title = "Not found";

  render(): TemplateResult {
    return html`<h1>Not found</h1><p>There is no page at this address. <a href=${paths.home()}>To the matches</a></p>`;
  }

  start(): void {
    // There is nothing to load.
  }

  stop(): void {
    // As above.
  }
}
