/** Least time between two announcements, in milliseconds: a reader of the screen has to come to its end. */
const GAP = 4_000;

/** Tells readers of the screen what is new: not each move of many, but how many there were, and the last one. */
export class Announcer {
  text = "";
  private told = -1;
  private due: (() => string) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `changed` is called when there is another text. */
  constructor(private readonly changed: () => void) {}

  /** There are so many moves, and this is the last one; `last` is asked when it is told. */
  moves(count: number, last: () => string): void {
    if (this.told < 0) {
      // What was there at first is on the page.
      this.told = count;
    }
    if (count !== this.told) {
      this.say(() => {
        const fresh = count - this.told;
        this.told = count;
        return fresh > 1 ? `${String(fresh)} moves. ${last()}` : last();
      });
    }
  }

  /** Tells a text as soon as may be; another one before that takes its place. */
  say(text: () => string): void {
    this.due = text;
    // A little later, so that of several steps only the last is told.
    this.timer ??= setTimeout(this.tell, 300);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private readonly tell = (): void => {
    this.timer = undefined;
    if (this.due) {
      this.text = this.due();
      this.due = undefined;
      this.timer = setTimeout(this.tell, GAP);
      this.changed();
    }
  };
}
