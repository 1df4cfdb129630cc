import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";

import { gameEndOf, gameOf, turnOf, type Bot, type Game, type GameEnd, type Turn } from "./bot.js";
import { refused, ReplacedError } from "./errors.js";
import { moveFromWire, required, sameMove, type Move } from "./game.js";
import {
  GoodbyeReason,
  type ChoiceAccepted,
  type GameEnded,
  type GameStarted,
  type Goodbye,
  type Refusal,
} from "./gen/chickenfoot/v1/agent_pb.js";
import type { Decision } from "./gen/chickenfoot/v1/match_pb.js";
import type { Down, Up } from "./session.js";
import { entropy } from "./transport.js";

/** Most matches that the service lets a new session take up. */
const MAX_RESUME = 1000;

/** How long to stay away from a service that says goodbye without saying for how long, in milliseconds. */
const AWAY_MS = 1000;

/** Gives the bot for a seat of a match. */
export type MakeBot = (game: Game) => Bot;

/** Where lines for people go. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
}

/** What a runner has done. */
export interface Stats {
  /** Matches that ended. */
  readonly games: number;
  /** Decisions whose answers are stored. */
  readonly choices: number;
  /** Answers that the service refused. */
  readonly refused: number;
  /** Times that the connection was lost. */
  readonly reconnects: number;
}

/** What a player needs besides its bots. */
export interface PlayerOptions {
  readonly log: Log;
  /** Is done after so many matches. */
  readonly games?: number | undefined;
  /** Is called once all wanted matches are over. */
  readonly onDone?: (() => void) | undefined;
  /** Is told of every decision that the service has stored. */
  readonly onAccepted?: ((matchId: string, decision: number, move: Move) => void) | undefined;
}

/** A seat that is played, and what was asked of it. */
interface Table {
  readonly game: Game;
  readonly bot: Bot;
  thinking: boolean;
  /** The last decision that was answered, and the option: sent again when the decision comes again. */
  answer?: { readonly decision: number; readonly option: number };
  /** The decision that is being thought about, or waits for the bot to be free. */
  asked?: { readonly decision: number; readonly turn: Turn } | undefined;
  end?: GameEnd;
}

/**
 * The matches of an agent; they outlive a session. It does no input or output of its own: messages come in by `receive`,
 * answers go out by what `begin` was given.
 */
export class Player {
  readonly #make: MakeBot;
  readonly #options: PlayerOptions;
  readonly #tables = new Map<string, Table>();
  readonly #stats = { games: 0, choices: 0, refused: 0, reconnects: 0 };
  #send: ((what: Up) => void) | undefined;

  constructor(make: MakeBot, options: PlayerOptions) {
    this.#make = make;
    this.#options = options;
  }

  get stats(): Stats {
    return { ...this.#stats };
  }

  /** The matches that are not over as far as is known: the service tells of those that are. */
  get known(): string[] {
    const goingOn = [...this.#tables.values()].filter((table) => table.end === undefined);
    return [...new Set(goingOn.map((table) => table.game.matchId))].slice(0, MAX_RESUME);
  }

  /** A session is open: from now on `send` takes what goes up. */
  begin(send: (what: Up) => void): void {
    this.#send = send;
  }

  /** The session is lost. Bots that think go on; their answers are kept until their decisions come again. */
  lost(): void {
    this.#send = undefined;
    this.#stats.reconnects += 1;
  }

  /**
   * Takes a message of the session. If the service ends the session, and another one may be opened, that is to be in so many
   * milliseconds.
   *
   * @throws {ReplacedError} if another session of the agent has taken over.
   * @throws {UnauthenticatedError} if the token is invalid by now.
   * @throws {MalformedError} if the message means nothing.
   */
  receive(message: Down): number | undefined {
    switch (message.case) {
      case "seatOffer":
        this.#accept(required(message.value.match, "seat_offer.match").id);
        break;
      case "gameStarted":
        this.#started(message.value);
        break;
      case "decision":
        this.#decision(message.value);
        break;
      case "choiceAccepted":
        this.#accepted(message.value);
        break;
      case "refusal":
        this.#refused(message.value);
        break;
      case "gameEnded":
        this.#ended(message.value);
        break;
      case "goodbye":
        return goodbye(message.value);
      case "hello":
      case "gameEvent":
      case "heartbeat":
        break;
    }
    return undefined;
  }

  /** Takes an offered seat and adds entropy to its deals. */
  #accept(matchId: string): void {
    this.#send?.({ case: "offerReply", value: { matchId, accept: true, entropy: entropy() } });
  }

  #started({ match, seats }: GameStarted): void {
    for (const seat of seats) {
      const game = gameOf(match, seat);
      const place = placeOf(game.matchId, seat);
      // After a reconnect the bot is still there.
      if (this.#tables.has(place)) continue;
      const bot = this.#make(game);
      this.#tables.set(place, { game, bot, thinking: false });
      this.#tell(game, () => bot.start?.(game));
    }
  }

  #decision(decision: Decision): void {
    const table = this.#tables.get(placeOf(decision.matchId, decision.seat));
    if (table === undefined) {
      this.#options.log.warn(`match ${decision.matchId}: a decision, but the match was not announced`);
      return;
    }
    // The service does not have the answer yet: it was lost with the connection.
    if (table.answer?.decision === decision.number) {
      this.#answer(table, table.answer);
      return;
    }
    if (table.asked?.decision === decision.number) return;
    table.asked = { decision: decision.number, turn: turnOf(decision, performance.now()) };
    this.#ask(table);
  }

  /** Asks the bot what is asked of it, unless it still thinks about an older decision. */
  #ask(table: Table): void {
    if (table.asked === undefined || table.thinking) return;
    const { decision, turn } = table.asked;
    table.thinking = true;
    void this.#choose(table, turn).then((option) => {
      table.thinking = false;
      this.#thought(table, decision, option);
    });
  }

  /** The option that the bot chooses. Never fails. */
  async #choose({ bot, game }: Table, turn: Turn): Promise<number> {
    try {
      const move = await bot.choose(turn);
      const option = turn.options.findIndex((option) => sameMove(option, move));
      if (option >= 0) return option;
      this.#warn(game, `not an option, so the first one is played: ${JSON.stringify(move)}`);
    } catch (error) {
      this.#warn(game, `the bot threw, so the first option is played: ${String(error)}`);
    }
    return 0;
  }

  #thought(table: Table, decision: number, option: number): void {
    if (table.end !== undefined) {
      this.#finish(table, table.end);
    } else if (table.asked?.decision === decision) {
      table.asked = undefined;
      table.answer = { decision, option };
      this.#answer(table, table.answer);
    } else {
      // The clock was faster; meanwhile something else may be asked.
      this.#ask(table);
    }
  }

  #answer({ game }: Table, { decision, option }: NonNullable<Table["answer"]>): void {
    const choice = { case: "option" as const, value: option };
    this.#send?.({ case: "choice", value: { matchId: game.matchId, decision, choice } });
  }

  #accepted({ matchId, decision, move }: ChoiceAccepted): void {
    this.#stats.choices += 1;
    this.#options.onAccepted?.(matchId, decision, moveFromWire(required(move, "choice_accepted.move")));
  }

  #refused({ matchId, reason, message }: Refusal): void {
    this.#stats.refused += 1;
    this.#options.log.warn(`match ${matchId}: refused: ${message} (${reason})`);
  }

  #ended({ match, seats }: GameEnded): void {
    const over = required(match, "game_ended.match");
    const tables = seats.flatMap((seat) => this.#tables.get(placeOf(over.id, seat)) ?? []);
    if (tables.length > 0) this.#stats.games += 1;
    const end = gameEndOf(over);
    for (const table of tables) {
      table.end = end;
      if (!table.thinking) this.#finish(table, end);
    }
    this.#checkDone();
  }

  #finish(table: Table, end: GameEnd): void {
    const { game, bot } = table;
    this.#tables.delete(placeOf(game.matchId, game.seat));
    this.#tell(game, () => bot.end?.(game, end));
    this.#checkDone();
  }

  /** Done when all wanted matches are over and no bot has still to be told, because it was thinking when that came. */
  #checkDone(): void {
    const { games, onDone } = this.#options;
    const untold = [...this.#tables.values()].some((table) => table.end !== undefined);
    if (games !== undefined && this.#stats.games >= games && !untold) onDone?.();
  }

  #tell(game: Game, told: () => void): void {
    try {
      told();
    } catch (error) {
      this.#warn(game, `the bot threw: ${String(error)}`);
    }
  }

  #warn({ matchId, seat }: Game, text: string): void {
    this.#options.log.warn(`match ${matchId}, seat ${String(seat)}: ${text}`);
  }
}

function placeOf(matchId: string, seat: number): string {
  return `${matchId}/${String(seat)}`;
}

function goodbye({ reason, message, retryAfter }: Goodbye): number {
  if (reason === GoodbyeReason.REPLACED) throw new ReplacedError();
  if (reason === GoodbyeReason.UNAUTHENTICATED) {
    throw refused({ code: Code.Unauthenticated, reason: "TOKEN_INVALID", message });
  }
  return retryAfter ? durationMs(retryAfter) : AWAY_MS;
}
