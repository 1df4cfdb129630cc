import { Backoff, sleep } from "./backoff.js";
import type { ConnectOptions } from "./connection.js";
import { isPassing, OtherAgentError, waitOf } from "./errors.js";
import type { Move } from "./game.js";
import { Player, type Log, type MakeBot, type Stats } from "./player.js";
import { Session } from "./session.js";
import { VERSION } from "./version.js";

/** How to play. */
export interface RunnerOptions extends ConnectOptions {
  /** Refuse to play as any other agent: a token says nothing about whose it is. */
  readonly agent?: string | undefined;
  /** Stop after so many matches. */
  readonly games?: number | undefined;
  /** What the service's operator reads as the client's name; at most 64 characters. */
  readonly clientName?: string | undefined;
  /** Is told of every decision that the service has stored: the match, the decision's number, the move. */
  readonly onAccepted?: ((matchId: string, decision: number, move: Move) => void) | undefined;
  /** Where lines for people go; the console unless given. */
  readonly log?: Log | undefined;
}

/** Plays an agent's matches: connects, answers, reconnects, until it is told to stop. */
export class Runner {
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /**
   * Plays until the signal or until the wanted matches are over; both are a good end. `make` gives the bot for each seat of
   * each match; what it throws ends the run.
   *
   * A lost connection is no error; it is tried again for as long as it takes.
   *
   * @throws {UnauthenticatedError} if the token is wrong or was revoked.
   * @throws {ReplacedError} if another session of the agent has taken over.
   * @throws {OtherAgentError} if the token is not that of `agent`.
   * @throws {OptionsError} if the address or token is none.
   */
  async run(make: MakeBot, signal?: AbortSignal): Promise<Stats> {
    const log = this.#options.log ?? console;
    const done = new AbortController();
    const { games, onAccepted } = this.#options;
    const player = new Player(make, { log, games, onAccepted, onDone: () => { done.abort(); } });
    const stop = AbortSignal.any([done.signal, ...(signal ? [signal] : [])]);
    const backoff = new Backoff();
    for (;;) {
      const pause = await this.#session(player, backoff, stop).catch((error: unknown) => {
        if (stop.aborted) return 0;
        if (!isPassing(error)) throw error;
        const ms = backoff.next(waitOf(error));
        log.warn(`the session is lost, trying again in ${String(Math.round(ms))} ms: ${error.message}`);
        return ms;
      });
      if (stop.aborted) return player.stats;
      player.lost();
      if (!(await sleep(pause, stop))) return player.stats;
    }
  }

  /** Plays one session to its end; returns after how many milliseconds another one may be opened. */
  async #session(player: Player, backoff: Backoff, stop: AbortSignal): Promise<number> {
    const { agent, clientName = `chickenfoot-typescript/${VERSION}` } = this.#options;
    const resume = player.known.map((matchId) => ({ matchId }));
    const session = await Session.open(this.#options, { client: clientName, resume }, stop);
    try {
      const found = session.hello.agent;
      if (agent !== undefined && agent !== found) throw new OtherAgentError(agent, found);
      backoff.reset();
      player.begin((what) => { session.send(what); });
      for (;;) {
        const away = player.receive(await session.next());
        if (away !== undefined) return backoff.spread(away);
      }
    } finally {
      session.close();
    }
  }
}
