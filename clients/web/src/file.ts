import { html, type TemplateResult } from "lit-html";

import { openReplay } from "./match/open.js";
import { decode } from "./match/replay.js";
import type { Page } from "./page.js";

/** Shows the match that stands in the document itself: it is a file, and there is no server. */
export async function showFile(text: string, show: (page: Page, isNew: boolean) => void): Promise<void> {
  let page: Page;
  try {
    page = openReplay(await decode(text));
  } catch (fault) {
    page = new BrokenPage(fault instanceof Error ? fault.message : String(fault));
  }
  page.start(() => {
    show(page, false);
  });
  show(page, true);
}

/** What is shown of a file that cannot be read. */
class BrokenPage implements Page {
  readonly title = "Not readable";

  constructor(private readonly why: string) {}

  render(): TemplateResult {
    return html`<h1>This file cannot be read</h1><p>${this.why}</p>`;
  }

  start(): void {
    // There is nothing to load.
  }

  stop(): void {
    // As above.
  }
}
