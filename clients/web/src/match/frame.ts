/** A part of the table: left, top, width and height, in hundredths of a half tile. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How far the picture is zoomed in, and where its middle lies in the box, from 0 to 1. */
export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** Everything is seen. */
export const WHOLE: Zoom = { scale: 1, x: 0.5, y: 0.5 };

const MARGIN = 40;
const STEP = 400;
const LEAST = 800;
const MOST_ZOOM = 8;

interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What a finished round needs: its bounds, which are in thousandths of a half tile, and a margin. */
export function exact(bounds: Bounds): Box {
  const [x, width] = side(bounds.left / 10, bounds.right / 10);
  const [y, height] = side(bounds.top / 10, bounds.bottom / 10);
  return { x, y, width, height };
}

/** Where a side begins, and how long it is: a few tiles are not shown as large as the window. */
function side(from: number, to: number): [number, number] {
  const length = Math.max(LEAST, to - from + 2 * MARGIN);
  return [(from + to - length) / 2, length];
}

/** What a round that goes on is shown in: it grows by four half tiles at a time, and never shrinks below `before`. */
export function grown(bounds: Bounds, before: Box | undefined): Box {
  const need = exact(bounds);
  const out = (edge: number, side: -1 | 1): number => side * Math.ceil((side * edge) / STEP) * STEP;
  const left = Math.min(out(need.x, -1), before?.x ?? -STEP);
  const top = Math.min(out(need.y, -1), before?.y ?? -STEP);
  const right = Math.max(out(need.x + need.width, 1), before ? before.x + before.width : STEP);
  const bottom = Math.max(out(need.y + need.height, 1), before ? before.y + before.height : STEP);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** A box on the way from one to another; `part` goes from 0 to 1, and the way begins and ends slowly. */
export function between(from: Box, to: Box, part: number): Box {
  const eased = part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) * (1 - part);
  const mix = (a: number, b: number): number => a + (b - a) * eased;
  return { x: mix(from.x, to.x), y: mix(from.y, to.y), width: mix(from.width, to.width), height: mix(from.height, to.height) };
}

/** The part of a box that is seen. */
export function seen(box: Box, zoom: Zoom): Box {
  const [width, height] = [box.width / zoom.scale, box.height / zoom.scale];
  return { x: box.x + zoom.x * box.width - width / 2, y: box.y + zoom.y * box.height - height / 2, width, height };
}

/** Zooms by a factor so that a point of the box, from 0 to 1 both ways, stays where it is on the screen. */
export function zoomed(zoom: Zoom, factor: number, x: number, y: number): Zoom {
  const scale = Math.min(MOST_ZOOM, Math.max(1, zoom.scale * factor));
  const ratio = zoom.scale / scale;
  return within({ scale, x: x + (zoom.x - x) * ratio, y: y + (zoom.y - y) * ratio });
}

/** Moves the picture, by parts of the box. */
export function moved(zoom: Zoom, x: number, y: number): Zoom {
  return within({ scale: zoom.scale, x: zoom.x - x, y: zoom.y - y });
}

/** The box as an attribute. */
export function attribute(box: Box): string {
  return [box.x, box.y, box.width, box.height].map((edge) => edge.toFixed(1)).join(" ");
}

/** Whether two boxes are the same. */
export function isSame(one: Box, other: Box): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}

/** Keeps what is seen within the box. */
function within({ scale, x, y }: Zoom): Zoom {
  const half = 0.5 / scale;
  const kept = (middle: number): number => Math.min(1 - half, Math.max(half, middle));
  return { scale, x: kept(x), y: kept(y) };
}
