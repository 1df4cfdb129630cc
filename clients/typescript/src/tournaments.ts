import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type Client as Calls, type Transport } from "@connectrpc/connect";

import { ConnectionError } from "./errors.js";
import { required } from "./game.js";
import {
  type ExportFormat,
  TournamentService,
  TournamentState,
  type GetStandingsResponse,
  type Tournament,
  type TournamentBlock,
  type TournamentConfigSchema,
  type TournamentEntrant,
  type WatchTournamentResponse,
} from "./gen/chickenfoot/v1/tournament_pb.js";
import { entries } from "./pages.js";
import { resuming, type WatchOptions } from "./resuming.js";
import { entropy, identified, whileRead, type CallOptions, type ChangeOptions } from "./transport.js";

/** How a tournament is made: a name, a format, the size of a table, and what else differs from the defaults. */
export type TournamentConfig = MessageInitShape<typeof TournamentConfigSchema>;

/** A call that changes where a tournament stands. */
type Change = (
  request: { tournamentId: string; requestId: string },
  options: CallOptions,
) => Promise<{ tournament?: Tournament | undefined }>;

/** Tournaments. All calls fail with a `ChickenFootError`. */
export class Tournaments {
  readonly #calls: Calls<typeof TournamentService>;

  constructor(transport: Transport) {
    this.#calls = createClient(TournamentService, transport);
  }

  /**
   * Makes a tournament, to which agents may be entered until it starts.
   *
   * @throws {InvalidError} with the wrong fields.
   */
  async create(config: TournamentConfig, options: ChangeOptions = {}): Promise<Tournament> {
    const request = { config, ...identified(options) };
    return required((await this.#calls.createTournament(request, options)).tournament, "tournament");
  }

  /**
   * Where a tournament stands.
   *
   * @throws {NotFoundError} `TOURNAMENT_NOT_FOUND`.
   */
  async get(tournamentId: string, options: CallOptions = {}): Promise<Tournament> {
    return required((await this.#calls.getTournament({ tournamentId }, options)).tournament, "tournament");
  }

  /** Tournaments, the newest first; all of them, or those in one state. */
  list(options: CallOptions & { readonly state?: TournamentState } = {}): AsyncGenerator<Tournament, void> {
    return entries(async (pageToken) => {
      const request = { pageToken, ...(options.state !== undefined && { state: options.state }) };
      const page = await this.#calls.listTournaments(request, options);
      return { entries: page.tournaments, next: page.nextPageToken };
    });
  }

  /** The entrants, in the order of entry. */
  entrants(tournamentId: string, options: CallOptions = {}): AsyncGenerator<TournamentEntrant, void> {
    return entries(async (pageToken) => {
      const page = await this.#calls.listEntrants({ tournamentId, pageToken }, options);
      return { entries: page.entrants, next: page.nextPageToken };
    });
  }

  /**
   * Enters the caller. From then on its seats are offered on its session, as those of any match are.
   *
   * @param options `entropy` is what the entrant adds to its deals: 32 bytes, drawn unless given; none if it is empty.
   * @throws {PreconditionError} `TOURNAMENT_NOT_OPEN`, `TOURNAMENT_FULL`.
   * @throws {PermissionError} `NOT_INVITED`.
   */
  async join(
    tournamentId: string,
    options: ChangeOptions & { readonly entropy?: Uint8Array } = {},
  ): Promise<TournamentEntrant> {
    const request = {
      tournamentId,
      entropy: options.entropy ?? entropy(),
      ...identified(options),
    };
    return required((await this.#calls.joinTournament(request, options)).entrant, "entrant");
  }

  /** Takes an entrant out: the caller unless a name is given; another one takes the creator or an organiser. */
  async withdraw(tournamentId: string, name = "", options: ChangeOptions = {}): Promise<TournamentEntrant> {
    const request = { tournamentId, name, ...identified(options) };
    return required((await this.#calls.withdrawFromTournament(request, options)).entrant, "entrant");
  }

  /**
   * Starts a tournament.
   *
   * @throws {PermissionError} `NOT_CREATOR`.
   * @throws {PreconditionError} `FIELD_UNFIT`: too few entrants.
   */
  start(tournamentId: string, options: ChangeOptions = {}): Promise<Tournament> {
    return this.#change(this.#calls.startTournament, tournamentId, options);
  }

  /** Has no further matches begin until it is resumed. */
  pause(tournamentId: string, options: ChangeOptions = {}): Promise<Tournament> {
    return this.#change(this.#calls.pauseTournament, tournamentId, options);
  }

  /** Goes on after a pause. */
  resume(tournamentId: string, options: ChangeOptions = {}): Promise<Tournament> {
    return this.#change(this.#calls.resumeTournament, tournamentId, options);
  }

  /** Ends a tournament before its time; its finished blocks and their standings stay. */
  cancel(tournamentId: string, options: ChangeOptions = {}): Promise<Tournament> {
    return this.#change(this.#calls.cancelTournament, tournamentId, options);
  }

  async #change(call: Change, tournamentId: string, options: ChangeOptions): Promise<Tournament> {
    return required((await call({ tournamentId, ...identified(options) }, options)).tournament, "tournament");
  }

  /** The standings from the blocks that are over; with `pairings`, also how every two entrants did against each other. */
  standings(
    tournamentId: string,
    options: CallOptions & { readonly pairings?: boolean } = {},
  ): Promise<GetStandingsResponse> {
    return this.#calls.getStandings({ tournamentId, pairings: options.pairings ?? false }, options);
  }

  /** The blocks that are over, with every match, in the order of their numbers. */
  blocks(tournamentId: string, options: CallOptions = {}): AsyncGenerator<TournamentBlock, void> {
    return entries(async (pageToken) => {
      const page = await this.#calls.listBlocks({ tournamentId, pageToken }, options);
      return { entries: page.blocks, next: page.nextPageToken };
    });
  }

  /**
   * How a tournament stands, at once and after every change, to its end; after a lost connection it goes on with how it
   * stands then.
   *
   * @param options `standings` is how many of the best entrants every message has, 0 to 1,000; none unless given.
   */
  watch(
    tournamentId: string,
    options: WatchOptions & { readonly standings?: number } = {},
  ): AsyncGenerator<WatchTournamentResponse, void> {
    const request = { tournamentId, standings: options.standings ?? 0 };
    const calls = this.#calls;
    return resuming(async function* (attempt) {
      for await (const message of calls.watchTournament(request, attempt)) {
        yield message;
        if (isOver(message.tournament)) return;
      }
      throw new ConnectionError("the watch ended before the tournament");
    }, options);
  }

  /** A report of a tournament as it stands, in parts of one file. A report that fails on the way is none. */
  async *export(tournamentId: string, format: ExportFormat, options: CallOptions = {}): AsyncGenerator<Uint8Array, void> {
    const call = (signal: AbortSignal) => this.#calls.exportTournament({ tournamentId, format }, { signal });
    for await (const { part } of whileRead(call, options.signal)) yield part;
  }
}

function isOver(tournament: Tournament | undefined): boolean {
  const state = tournament?.state;
  return state === TournamentState.FINISHED || state === TournamentState.CANCELLED;
}
