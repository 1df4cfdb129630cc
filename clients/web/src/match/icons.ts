import { html, type TemplateResult } from "lit-html";

/** The signs on the buttons, as paths in a square of 24: not every font has them. */
const PATHS = {
  first: "M5 5H8V19H5ZM19 5V19L9 12Z",
  previousRound: "M12 5V19L3 12ZM21 5V19L12 12Z",
  previous: "M16 5V19L6 12Z",
  play: "M7 4V20L19 12Z",
  pause: "M6 4H10V20H6ZM14 4H18V20H14Z",
  next: "M8 5V19L18 12Z",
  nextRound: "M3 5V19L12 12ZM12 5V19L21 12Z",
  last: "M16 5H19V19H16ZM5 5V19L15 12Z",
} as const;

/** The sign of a button; its name has to stand beside it. */
export function icon(name: keyof typeof PATHS): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}
