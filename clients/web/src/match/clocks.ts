/** The seats' clocks while a match goes on: the server tells them now and then, and who is on turn goes on thinking. */
export class Clocks {
  /** The longest times that were shown: a clock does not go back when the server tells it. */
  private shown: readonly number[] = [];
  /** When the last event came, by the clock that only goes forward; unknown for those that were there at first. */
  private heardAt: number | undefined;

  /** An event came; `isLive` unless it was there at first. */
  heard(isLive: boolean): void {
    this.heardAt = isLive ? performance.now() : undefined;
  }

  /** The seats' times, in milliseconds, from those that were told last, and the seat that thinks now. */
  run(told: readonly number[], thinks: number | undefined): readonly number[] {
    const more = this.heardAt === undefined ? 0 : performance.now() - this.heardAt;
    this.shown = told.map((time, seat) => Math.max(time + (seat === thinks ? more : 0), this.shown[seat] ?? 0));
    return this.shown;
  }
}
