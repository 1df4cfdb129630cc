import { html, nothing, render } from "lit-html";

import type { Page } from "./page.js";
import { isEmbedded } from "./router.js";
import { paths } from "./routes.js";
import { nextTheme, setTheme, theme } from "./theme.js";

/** Shows a page between the header and the end of the window. */
export function show(page: Page, isNew: boolean): void {
  document.title = page.title === "" ? "Chicken Foot" : `${page.title} · Chicken Foot`;
  render(frame(page), document.body);
  if (isNew && hasMoved) {
    // Readers of the screen are told that there is another page, as after loading one.
    window.scrollTo(0, 0);
    document.getElementById("main")?.focus({ preventScroll: true });
  }
  hasMoved = true;
}

/** Whether a page was shown before: the first one gets the focus from the browser. */
let hasMoved = false;

/** Whether the document is a file with a match in it, and leads nowhere else. */
const isFile = document.getElementById("replay") !== null;

/** What was shown last, for the theme's button. */
let shown: Page | undefined;

function frame(page: Page): unknown {
  shown = page;
  const embedded = isEmbedded();
  return html`
    ${embedded ? nothing : html`<a class="skip" href="#main" @click=${skip}>Skip to the content</a>${isFile ? fileHeader() : header()}`}
    <main id="main" tabindex="-1" class=${page.wide === true ? "wide" : ""}>${page.render()}</main>`;
}

/** Goes to the content without a change of the address, which may tell a position. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function fileHeader(): unknown {
  return html`<header><p class="brand">Chicken Foot</p>${themeButton()}</header>`;
}

function header(): unknown {
  return html`<header>
    <nav aria-label="Site">
      <a class="brand" href=${paths.home()}>Chicken Foot</a>
      ${link(paths.home(), "Matches", location.pathname === "/" || location.pathname.startsWith("/m/"))}
      ${link("/#tournaments", "Tournaments", location.pathname.startsWith("/t/"))}
      ${link(paths.agents(), "Agents", location.pathname.startsWith("/agents"))}
    </nav>
    ${themeButton()}
  </header>`;
}

function link(path: string, text: string, isHere: boolean): unknown {
  return html`<a href=${path} aria-current=${isHere ? "true" : nothing}>${text}</a>`;
}

function themeButton(): unknown {
  const now = theme();
  const names = { system: "Auto", light: "Light", dark: "Dark" } as const;
  const change = (): void => {
    setTheme(nextTheme(now));
    if (shown) {
      show(shown, false);
    }
  };
  return html`<button class="theme" type="button" @click=${change} aria-label="Colours: ${names[now]}. Change.">${names[now]}</button>`;
}
