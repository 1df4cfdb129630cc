import type { Event } from "../../gen/chickenfoot/v1/event_pb.js";
import type { Log, Round } from "./log.js";
import { draws, lays, passes, tell } from "./tell.js";

/** A line of the list of moves. */
export type Line =
  | { readonly kind: "move"; readonly seq: number; readonly seat: number; readonly text: string }
  | { readonly kind: "forced"; readonly parts: readonly Part[] }
  | { readonly kind: "note"; readonly seq: number; readonly text: string };

/** A draw or pass within a line of them. */
export interface Part {
  readonly seq: number;
  readonly seat: number;
  readonly text: string;
}

/** The moves of a round. Draws and passes, which nobody chooses, are folded: each run of them is one line. */
export function lines(log: Log, round: Round, names: readonly string[]): Line[] {
  const out: Line[] = [];
  let run: Part[] | undefined;
  for (let seq = round.first; seq <= round.last; seq += 1) {
    const event = log.at(seq)?.event;
    if (!event) {
      continue;
    }
    const part = forced(event, seq);
    if (part && run) {
      run.push(part);
    } else if (part) {
      run = [part];
      out.push({ kind: "forced", parts: run });
    } else {
      const line = chosen(event, seq, names);
      if (line) {
        run = undefined;
        out.push(line);
      }
    }
  }
  return out;
}

function forced({ what }: Event, seq: number): Part | undefined {
  switch (what.case) {
    case "drew":
      return { seq, seat: what.value.seat, text: draws(what.value.tile) };
    case "passed":
      return { seq, seat: what.value.seat, text: passes(what.value.kept) };
    default:
      return undefined;
  }
}

function chosen(event: Event, seq: number, names: readonly string[]): Line | undefined {
  const { what } = event;
  switch (what.case) {
    case "played":
      return { kind: "move", seq, seat: what.value.seat, text: lays(what.value.play) };
    case "startLaid":
      return { kind: "move", seq, seat: what.value.seat, text: "has the starting double" };
    case "roundEnded":
    case "seatForfeited":
    case "matchEnded":
    case "matchAborted":
      return { kind: "note", seq, text: tell(event, names) };
    default:
      return undefined;
  }
}
