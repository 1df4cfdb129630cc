export { Agents } from "./agents.js";
export type { Bot, Game, GameEnd, Turn } from "./bot.js";
export { Client } from "./client.js";
export { DEFAULT_SERVER, type ConnectOptions, type TlsOptions } from "./connection.js";
export {
  ChickenFootError,
  ConnectionError,
  ExistsError,
  InvalidError,
  isPassing,
  LimitError,
  MalformedError,
  NotFoundError,
  OptionsError,
  OtherAgentError,
  PermissionError,
  PreconditionError,
  RefusedError,
  ReplacedError,
  UnauthenticatedError,
  UnavailableError,
  type Violation,
} from "./errors.js";
export { pips, sameMove, type Move, type Rules, type Step, type Tile, type View } from "./game.js";
export {
  agentSeat,
  houseSeat,
  Matches,
  openSeat,
  type EventScene,
  type MatchConfig,
  type MatchWatchOptions,
  type SceneWatchOptions,
  type Watched,
} from "./matches.js";
export type { Log, MakeBot, Stats } from "./player.js";
export { REASONS, type Reason } from "./reasons.js";
export type { WatchOptions } from "./resuming.js";
export { run, type RunOptions } from "./run.js";
export { Runner, type RunnerOptions } from "./runner.js";
export { Session, type Down, type Up } from "./session.js";
export { Tournaments, type TournamentConfig } from "./tournaments.js";
export { entropy, requestId, type CallOptions, type ChangeOptions } from "./transport.js";
export { VERSION } from "./version.js";
export { durationFromMs, durationMs, timestampDate } from "@bufbuild/protobuf/wkt";
export { Code } from "@connectrpc/connect";
