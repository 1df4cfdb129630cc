import type { Event } from "../../gen/chickenfoot/v1/event_pb.js";
import type { WatchMatchResponse } from "../../gen/chickenfoot/v1/match_pb.js";
import type { PlacedTile, Scene, Slot } from "../../gen/chickenfoot/v1/scene_pb.js";
import { millis } from "../words.js";

/** One thing that happened, and what everybody knows after it. */
export interface Entry {
  readonly seq: number;
  /** Told anew after the match, when everybody may see everything. */
  event: Event;
  readonly scene: Scene;
  /** Milliseconds that each seat has thought up to here; told once everybody may see everything. */
  spent: readonly number[];
}

/** A tile on the table, from an event on. */
export interface Laid {
  readonly since: number;
  readonly tile: PlacedTile;
}

/** A slot on the table, from an event on, up to another. */
export interface Opened {
  readonly since: number;
  until: number;
  readonly slot: Slot;
}

/** What is known of a round. */
export interface Round {
  readonly number: number;
  /** The numbers of its first and last event so far. */
  readonly first: number;
  last: number;
  /** The tiles by their index in the round. */
  readonly tiles: Laid[];
  readonly slots: Opened[];
}

/** Everything that a match's stream has told so far, without holes. */
export class Log {
  /** The entry of the event `seq` stands at `seq - 1`. */
  readonly entries: Entry[] = [];
  readonly rounds: Round[] = [];
  /** The numbers of the events that a reader steps through: not those that only prepare a round. */
  readonly stops: number[] = [];
  /** The number of the last event that the server is known to have. */
  known = 0;

  /** How often events that were here were told anew. */
  version = 0;

  /** An event whose scene has not come yet. */
  private pending: Event | undefined;

  /** The number of the last event that can be shown; 0 for none. */
  get head(): number {
    return this.entries.length;
  }

  /** How many events are known of and not here. */
  get behind(): number {
    return Math.max(0, this.known - this.head);
  }

  /** Whether the match's last event is here. */
  get isOver(): boolean {
    const last = this.entries.at(-1)?.event.what.case;
    return last === "matchEnded" || last === "matchAborted";
  }

  /** The entry of an event. */
  at(seq: number): Entry | undefined {
    return this.entries[seq - 1];
  }

  /** The round that an event belongs to; none for those before the first. */
  roundAt(seq: number): Round | undefined {
    return this.rounds.findLast((round) => round.first <= seq);
  }

  /** Takes the next message of the stream, and says whether there is another entry. A hole is an error. */
  add({ what }: WatchMatchResponse): boolean {
    switch (what.case) {
      case "event":
        this.expect(what.value);
        return false;
      case "scene":
        return this.complete(what.value);
      case "heartbeat":
        this.known = Math.max(this.known, Number(what.value.headSeq));
        return false;
      case undefined:
        return false;
    }
  }

  /** Forgets an event without its scene: the stream ended between them. */
  cut(): void {
    this.pending = undefined;
  }

  /** Takes what is here already and tells more now: the match is over, and everybody may see all of it. */
  retell({ what }: WatchMatchResponse): void {
    if (what.case !== "event" && what.case !== "scene") {
      return;
    }
    const seq = Number(what.value.seq);
    const entry = this.at(seq);
    if (entry && what.case === "event") {
      entry.event = what.value;
      this.version += 1;
    } else if (entry && what.case === "scene") {
      entry.scene.think = what.value.think;
      entry.spent = this.spent(entry.event, entry.scene, seq);
    }
  }

  private expect(event: Event): void {
    const seq = Number(event.seq);
    if (seq > this.head + 1) {
      throw new Error(`event ${String(seq)} came after ${String(this.head)}`);
    }
    this.pending = seq === this.head + 1 ? event : undefined;
    this.known = Math.max(this.known, seq);
  }

  private complete(scene: Scene): boolean {
    const event = this.pending;
    if (event?.seq !== scene.seq) {
      return false;
    }
    this.pending = undefined;
    const seq = Number(event.seq);
    this.entries.push({ seq, event, scene, spent: this.spent(event, scene, seq) });
    if (isStop(event)) {
      this.stops.push(seq);
    }
    this.lay(seq, scene);
    return true;
  }

  private spent(event: Event, scene: Scene, seq: number): readonly number[] {
    const before = this.at(seq - 1)?.spent ?? [];
    const seat = seatOf(event);
    if (!scene.think || seat === undefined) {
      return before;
    }
    const spent = scene.seats.map((_, at) => before[at] ?? 0);
    spent[seat] = (spent[seat] ?? 0) + millis(scene.think);
    return spent;
  }

  /** Puts the tiles and slots of a scene into its round. */
  private lay(seq: number, scene: Scene): void {
    if (scene.round === 0) {
      return;
    }
    let round = this.rounds.at(-1);
    if (round?.number !== scene.round) {
      round = { number: scene.round, first: seq, last: seq, tiles: [], slots: [] };
      this.rounds.push(round);
    }
    round.last = seq;
    for (const tile of scene.laid) {
      // A watch that goes on within a round tells all its tiles again, perhaps by another layout.
      round.tiles[tile.index] = { since: round.tiles[tile.index]?.since ?? seq, tile };
    }
    if (scene.clears) {
      closeAll(round, seq);
    }
    for (const id of scene.closed) {
      close(round, id, seq);
    }
    for (const slot of scene.opened) {
      round.slots.push({ since: seq, until: Infinity, slot });
    }
  }
}

/** The seat that an event is about. */
export function seatOf({ what }: Event): number | undefined {
  switch (what.case) {
    case "startLaid":
    case "played":
    case "drew":
    case "passed":
    case "seatForfeited":
    case "handDealt":
      return what.value.seat;
    case "matchStarted":
    case "roundStarted":
    case "roundEnded":
    case "matchEnded":
    case "matchAborted":
    case undefined:
      return undefined;
  }
}

/** Whether a reader stops at it. */
function isStop({ what }: Event): boolean {
  return what.case !== "roundStarted" && what.case !== "handDealt";
}

function closeAll(round: Round, seq: number): void {
  for (const opened of round.slots) {
    opened.until = Math.min(opened.until, seq);
  }
}

function close(round: Round, id: number, seq: number): void {
  const opened = round.slots.findLast((one) => one.slot.id === id && one.until === Infinity);
  if (opened) {
    opened.until = seq;
  }
}
