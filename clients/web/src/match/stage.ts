import { attribute, between, type Box, exact, grown, isSame, moved, seen, WHOLE, type Zoom, zoomed } from "./frame.js";
import { Gestures } from "./gestures.js";
import type { Table } from "./table.js";

/** How long the picture takes to grow, in milliseconds. */
const GROWING = 400;

const EMPTY: Box = { x: -800, y: -800, width: 1600, height: 1600 };

/** Which part of the table is in view: all of it, grown as the round grows, and what the reader zooms to. */
export class Stage {
  readonly gestures: Gestures;

  private element: SVGSVGElement | null = null;
  private round = 0;
  private box: Box = EMPTY;
  private target: Box = EMPTY;
  private grownTo: Box | undefined;
  private zoom: Zoom = WHOLE;
  private frame = 0;

  /** `changed` is called when the picture has become zoomed or whole. */
  constructor(private readonly changed: () => void) {
    this.gestures = new Gestures({
      zoom: (factor, x, y) => this.zoomAt(factor, ...this.partOf(x, y)),
      move: (x, y) => {
        this.move(x, y);
      },
      reset: () => {
        this.reset();
      },
      isZoomed: () => this.isZoomed,
    });
  }

  get isZoomed(): boolean {
    return this.zoom.scale > 1;
  }

  /** Takes the element that shows the table, after every rendering. */
  attach(element: SVGSVGElement | null): void {
    if (this.element !== element) {
      this.element = element;
      this.draw();
    }
  }

  /** Ends what moves by itself. */
  stop(): void {
    cancelAnimationFrame(this.frame);
  }

  /** Shows a table: that of a round that is over as large as it becomes, else as large as it is, and a little more. */
  show(table: Table, isLive: boolean): void {
    const isSameRound = this.round === table.round;
    this.round = table.round;
    if (!isSameRound) {
      this.grownTo = undefined;
      this.setZoom(WHOLE);
    }
    this.turnTo(this.wanted(table, isLive), isSameRound);
  }

  /** Zooms about the middle. */
  zoomBy(factor: number): void {
    this.zoomAt(factor, this.zoom.x, this.zoom.y);
  }

  reset(): void {
    this.setZoom(WHOLE);
    this.draw();
  }

  private wanted(table: Table, isLive: boolean): Box {
    if (!table.bounds || !table.finalBounds) {
      return EMPTY;
    }
    if (!isLive) {
      return exact(table.finalBounds);
    }
    this.grownTo = grown(table.bounds, this.grownTo);
    return this.grownTo;
  }

  private turnTo(target: Box, eased: boolean): void {
    if (isSame(target, this.target)) {
      return;
    }
    this.target = target;
    cancelAnimationFrame(this.frame);
    if (!eased || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.box = target;
      this.draw();
      return;
    }
    const [from, begin] = [this.box, performance.now()];
    const grow = (now: number): void => {
      const part = Math.min(1, Math.max(0, (now - begin) / GROWING));
      this.box = part === 1 ? target : between(from, target, part);
      this.draw();
      if (part < 1) {
        this.frame = requestAnimationFrame(grow);
      }
    };
    this.frame = requestAnimationFrame(grow);
  }

  private draw(): void {
    this.element?.setAttribute("viewBox", attribute(seen(this.box, this.zoom)));
  }

  private zoomAt(factor: number, x: number, y: number): boolean {
    const before = this.zoom;
    this.setZoom(zoomed(before, factor, x, y));
    this.draw();
    return this.zoom.scale !== before.scale;
  }

  private move(x: number, y: number): void {
    const [left, top] = this.partOf(0, 0);
    const [right, bottom] = this.partOf(x, y);
    this.setZoom(moved(this.zoom, right - left, bottom - top));
    this.draw();
  }

  private setZoom(zoom: Zoom): void {
    const wasZoomed = this.isZoomed;
    this.zoom = zoom;
    if (wasZoomed !== this.isZoomed) {
      this.changed();
    }
  }

  /** A point of the screen as part of the box, both ways. */
  private partOf(x: number, y: number): [number, number] {
    const matrix = this.element?.getScreenCTM();
    if (!matrix) {
      return [0.5, 0.5];
    }
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return [(point.x - this.box.x) / this.box.width, (point.y - this.box.y) / this.box.height];
  }
}
