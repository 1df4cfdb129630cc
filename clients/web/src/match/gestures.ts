/** What fingers, a mouse or a wheel want of the picture; points are on the screen. */
export interface Wishes {
  /** Zoom by a factor about a point. Says whether anything changed. */
  zoom(factor: number, x: number, y: number): boolean;
  /** Move by a distance. */
  move(x: number, y: number): void;
  /** Show everything again. */
  reset(): void;
  /** Whether dragging moves the picture: when it is all in view, a finger scrolls the page. */
  isZoomed(): boolean;
}

/** Two taps within so many milliseconds are one double tap. */
const DOUBLE = 300;

/** A finger that moves no further than that, in pixels, taps. */
const SLOP = 8;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Turns the pointer's events on an element into wishes. */
export class Gestures {
  private readonly pointers = new Map<number, Point>();
  private tapped = -Infinity;
  private travelled = 0;

  constructor(private readonly wishes: Wishes) {}

  readonly down = (event: PointerEvent): void => {
    if (event.button !== 0) {
      return;
    }
    if (this.pointers.size === 0) {
      this.travelled = 0;
    }
    this.pointers.set(event.pointerId, pointOf(event));
    if (event.currentTarget instanceof Element) {
      event.currentTarget.setPointerCapture(event.pointerId);
    }
  };

  readonly drag = (event: PointerEvent): void => {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      return;
    }
    const now = pointOf(event);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    this.travelled += distance(before, now);
    if (other) {
      this.pinch(before, now, other);
    } else if (this.wishes.isZoomed()) {
      this.wishes.move(now.x - before.x, now.y - before.y);
    }
  };

  readonly up = (event: PointerEvent): void => {
    const wasAlone = this.pointers.size === 1;
    if (!this.pointers.delete(event.pointerId) || event.type !== "pointerup" || !wasAlone) {
      return;
    }
    if (this.travelled > SLOP) {
      this.tapped = -Infinity;
    } else if (event.timeStamp - this.tapped < DOUBLE) {
      this.tapped = -Infinity;
      this.wishes.reset();
    } else {
      this.tapped = event.timeStamp;
    }
  };

  /** The page scrolls where the wheel cannot zoom any further, and comes back to its top before the wheel zooms. */
  readonly wheel = {
    handleEvent: (event: WheelEvent): void => {
      if (!event.ctrlKey && !this.wishes.isZoomed() && window.scrollY > 0) {
        return;
      }
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const factor = Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002));
      if (this.wishes.zoom(factor, event.clientX, event.clientY)) {
        event.preventDefault();
      }
    },
    passive: false,
  };

  private pinch(before: Point, now: Point, other: Point): void {
    const [middleBefore, middle] = [middleOf(before, other), middleOf(now, other)];
    const factor = distance(now, other) / Math.max(1, distance(before, other));
    this.wishes.zoom(factor, middle.x, middle.y);
    this.wishes.move(middle.x - middleBefore.x, middle.y - middleBefore.y);
  }
}

function pointOf(event: PointerEvent): Point {
  return { x: event.clientX, y: event.clientY };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function middleOf(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}
