import { html, type TemplateResult } from "lit-html";

/** The signs on the buttons, as paths in a square of 24: not every font has them. */
const PATHS = {
  first: "M5 5H8V19H5ZM19 5V19L9 12Z",
  previousRound: "M11 5L12.500 6.500L7 12L12.500 17.500L11 19L4 12ZM18 5L19.500 6.500L14 12L19.500 17.500L18 19L11 12Z",
  previous: "M15 5L16.500 6.500L11 12L16.500 17.500L15 19L8 12Z",
  play: "M7 4V20L19 12Z",
  pause: "M6 4H10V20H6ZM14 4H18V20H14Z",
  next: "M9 5L7.500 6.500L13 12L7.500 17.500L9 19L16 12Z",
  nextRound: "M13 5L11.500 6.500L17 12L11.500 17.500L13 19L20 12ZM6 5L4.500 6.500L10 12L4.500 17.500L6 19L13 12Z",
  last: "M16 5H19V19H16ZM5 5V19L15 12Z",
} as const;

/** The sign of a button; its name has to stand beside it. */
export function icon(name: keyof typeof PATHS): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}
