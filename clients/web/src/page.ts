import type { TemplateResult } from "lit-html";

import type { Route } from "./routes.js";

/** What stands between the header and the end of the page. One is shown at a time. */
export interface Page {
  /** For the window's title; read after every rendering. */
  readonly title: string;
  /** Everything that the page shows now. Pure: the state is kept in the page. */
  render(): TemplateResult;
  /** Begins to load; `update` is called whenever there is something new to render. */
  start(update: () => void): void;
  /** Ends everything that was begun: the page is never shown again. */
  stop(): void;
  /**
   * Whether this page shows that address itself: another move of the match that it shows already. It is called on a
   * link or a step in the history; if it says no, another page is made.
   */
  moveTo?(route: Route): boolean;
  /** Whether the page wants the whole width of a wide window. */
  readonly wide?: boolean;
}
