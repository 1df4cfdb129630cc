import { nothing, svg, type SVGTemplateResult } from "lit-html";

import { type Area, type PlacedTile, type Slot, SlotKind, type Stem } from "../../gen/chickenfoot/v1/scene_pb.js";
import type { Table } from "./table.js";

/** The table: slots, then stems, then tiles, in hundredths of a half tile. Numbers always stand upright. */
export function draw(table: Table): SVGTemplateResult {
  const newest = table.tiles.length - 1;
  return svg`
    <g>${table.slots.map(drawSlot)}</g>
    <g>${table.tiles.map((tile) => (tile.stem ? drawStem(tile.stem) : nothing))}</g>
    <g>${table.tiles.map((tile, at) => drawTile(tile, at > 0 && at === newest))}</g>`;
}

/** A tile that lies by itself, as in a hand: 200 wide and 100 high, from its upper left corner. */
export function drawHandTile(low: number, high: number): SVGTemplateResult {
  return svg`<g class="tile" transform="translate(100 50)">${face()}${digit(low, -50, 0)}${digit(high, 50, 0)}</g>`;
}

function drawSlot({ kind, number, area }: Slot): SVGTemplateResult {
  const lacks = kind === SlotKind.ARM || kind === SlotKind.TOE;
  const [x, y] = middle(area);
  return svg`<g class=${lacks ? "slot lack" : "slot"}>
    <rect x="-92" y="-42" width="184" height="84" rx="12" transform=${turned(area)} />
    ${lacks ? svg`<text class=${number > 9 ? "two" : ""} x=${x} y=${y + below(number)}>${number}</text>` : nothing}
  </g>`;
}

function drawStem({ fromX, fromY, toX, toY, connector }: Stem): SVGTemplateResult {
  const [x1, y1, x2, y2] = [fromX, fromY, toX, toY].map(small);
  return svg`<path class=${connector ? "stem connector" : "stem"} d="M${x1} ${y1}L${x2} ${y2}" />`;
}

function drawTile(tile: PlacedTile, isNewest: boolean): SVGTemplateResult {
  const { area } = tile;
  if (!area) {
    return svg``;
  }
  const [inner, outer] = halves(area);
  const more = tile.index === 0 ? " hub" : isNewest ? " new" : "";
  return svg`<g class="tile${more}">
    <g transform=${turned(area)}>${face()}</g>
    ${digit(tile.inner, ...inner)}${digit(tile.outer, ...outer)}
  </g>`;
}

function face(): SVGTemplateResult {
  return svg`<rect x="-100" y="-50" width="200" height="100" rx="13" /><path class="line" d="M0-36V36" />`;
}

function digit(number: number, x: number, y: number): SVGTemplateResult {
  return svg`<text class="n${number}${number > 9 ? " two" : ""}" x=${x} y=${y + below(number)}>${number}</text>`;
}

/** How far below the middle of a half tile a number stands, so that it is in the middle. */
function below(number: number): number {
  return number > 9 ? 23 : 29;
}

function small(units: number): number {
  return Math.round(units / 10);
}

function middle(area: Area | undefined): [number, number] {
  return [small(area?.x ?? 0), small(area?.y ?? 0)];
}

/** Whether the length lies across the heading, as a double's does. */
function isAcross(area: Area): boolean {
  return area.halfWidth > area.halfLength;
}

/** The attribute that moves a tile to its place. It looks the same when it is turned half round. */
function turned(area: Area | undefined): string {
  if (!area) {
    return "";
  }
  const degrees = ((area.heading + (isAcross(area) ? 6 : 0)) * 15) % 180;
  const [x, y] = middle(area);
  return `translate(${String(x)} ${String(y)})${degrees === 0 ? "" : `rotate(${String(degrees)})`}`;
}

/** The middles of the two halves, the inner one first. */
function halves(area: Area): [[number, number], [number, number]] {
  const angle = ((area.heading + (isAcross(area) ? 6 : 0)) * Math.PI) / 12;
  const [x, y] = middle(area);
  const [dx, dy] = [Math.round(50 * Math.cos(angle)), Math.round(50 * Math.sin(angle))];
  return [
    [x - dx, y - dy],
    [x + dx, y + dy],
  ];
}
