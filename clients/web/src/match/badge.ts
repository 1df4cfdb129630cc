import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit-html";

/** Half the size of a badge. */
const R = 5;

const SHAPES = [
  `M0-${String(R)}A5 5 0 1 1 0 5A5 5 0 1 1 0-5Z`,
  "M-4.500-4.500H4.500V4.500H-4.500Z",
  "M0-5.500L5.500 4.500H-5.500Z",
  "M0-6L6 0L0 6L-6 0Z",
  "M-5.500-4.500H5.500L0 5.500Z",
  "M-2-5.500H2V-2H5.500V2H2V5.500H-2V2H-5.500V-2H-2Z",
  "M-5-5L0-2.500L5-5L2.500 0L5 5L0 2.500L-5 5L-2.500 0Z",
  "M0-6L5.700-1.900L3.500 4.900H-3.500L-5.700-1.900Z",
];

/** How the lines of the seats are dashed. */
const DASHES = ["", "7 3", "2 3", "10 3 2 3", "5 5", "12 4", "2 6", "8 2 2 2 2 2"];

/** The class with the colour of a seat. */
export function seatClass(seat: number): string {
  return `seat-${String(seat % 8)}${seat >= 8 ? " hollow" : ""}`;
}

/** The dashes of a seat's line. */
export function dashes(seat: number): string {
  return DASHES[seat % DASHES.length] ?? "";
}

/** The sign of a seat at a place of a picture: it has a shape and a colour; from the ninth seat on it is hollow. */
export function marker(seat: number, x: number, y: number): SVGTemplateResult {
  return svg`<path class="marker ${seatClass(seat)}" transform="translate(${x} ${y})" d=${SHAPES[seat % SHAPES.length] ?? ""} />`;
}

/** The sign of a seat beside its name. */
export function badge(seat: number): TemplateResult {
  return html`<svg class="badge" viewBox="-7 -7 14 14" width="14" height="14" aria-hidden="true">${marker(seat, 0, 0)}</svg>`;
}
