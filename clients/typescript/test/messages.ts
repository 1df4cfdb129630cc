import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "chickenfoot";
import {
  DecisionSchema,
  MatchSchema,
  MatchState,
  SessionResponseSchema,
  type Decision,
  type Match,
  type SessionResponse,
} from "chickenfoot/v1";

const RULES = {
  players: 2,
  maxPip: 9,
  handSize: 7,
  openingArms: 4,
  reserve: 0,
  doubleBlank: 50,
  rounds: 10,
};

/** What comes down on a session. */
type Down = Exclude<SessionResponse["what"], { case: undefined }>;

/** A message as it comes down on a session. */
export function down(what: NonNullable<MessageInitShape<typeof SessionResponseSchema>["what"]>): Down {
  const message = create(SessionResponseSchema, { what });
  if (message.what.case === undefined) throw new Error("a message without content");
  return message.what;
}

/** A decision with two options, the first with blanks only, for seat 0 unless told otherwise. */
export function decision(matchId: string, number: number, seat = 0): Decision {
  const play = (low: number, high: number, end: number) => ({
    kind: { case: "play" as const, value: { tile: { low, high }, end } },
  });
  return create(DecisionSchema, {
    matchId,
    number,
    seat,
    options: [play(0, 0, 0), play(2, 9, 9)],
    view: {
      rules: RULES,
      round: 1,
      seat,
      startingDouble: 9,
      hand: [{ low: 0, high: 0 }, { low: 2, high: 9 }],
      ends: [{ line: 1, number: 0 }],
      foot: { number: 9, missing: 2 },
      seats: [{ tiles: 2, total: 0, lacks: [0] }, { tiles: 3 }],
      history: [
        { seat: 1, act: { case: "start", value: {} } },
        { seat: 0, act: { case: "play", value: { tile: { low: 0, high: 9 }, end: 9, line: 1 } } },
        { seat: 1, act: { case: "pass", value: {} } },
      ],
    },
    timeLeft: durationFromMs(90_000),
    bankLeft: durationFromMs(60_000),
  });
}

/** A match between two agents. */
export function match(id: string, state = MatchState.RUNNING): Match {
  return create(MatchSchema, {
    id,
    state,
    rules: RULES,
    seats: [
      { name: "me", total: 12, place: 1 },
      { name: "you", total: 40, place: 2 },
    ],
    digest: new Uint8Array([1, 2, 3]),
  });
}
