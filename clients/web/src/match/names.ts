import type { Match } from "../../gen/chickenfoot/v1/match_pb.js";
import { seatName } from "../words.js";
import type { Log } from "./log.js";

/** The names of the seats, from the match or, before it is there, from its first event. */
export function namesOf(match: Match | undefined, log: Log): string[] {
  const first = log.at(1)?.event.what;
  const begun = first?.case === "matchStarted" ? first.value.seats : [];
  const seats = begun.length > 0 ? begun : (match?.seats ?? []);
  return seats.map(({ name }, seat) => seatName(name, seat));
}
