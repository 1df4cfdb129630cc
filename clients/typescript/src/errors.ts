import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";

import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import type { Reason } from "./reasons.js";

/** Why a call or a session failed. Every error that this package throws by itself is one of these. */
export abstract class ChickenFootError extends Error {
  /** The nearest canonical code; `Code[error.code]` is its name. */
  abstract readonly code: Code;
  /** Whether the same call may succeed later. */
  readonly passing: boolean = false;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** An option of the caller's is wrong: the address is none, the token has characters that no token has. */
export class OptionsError extends ChickenFootError {
  readonly code = Code.InvalidArgument;
}

/** The service could not be reached, did not answer in time, or the connection broke. */
export class ConnectionError extends ChickenFootError {
  readonly code: Code;
  override readonly passing: boolean = true;

  constructor(message: string, code: Code = Code.Unavailable, options?: ErrorOptions) {
    super(`no connection to the service: ${message}`, options);
    this.code = code;
  }
}

/** The service sent something that means nothing. */
export class MalformedError extends ChickenFootError {
  readonly code = Code.Internal;

  /** `field` is what is missing or beyond its bound. */
  constructor(readonly field: string) {
    super(`the service sent something that means nothing: ${field}`);
  }
}

/** Another session of the same agent has taken over. Who comes back by itself replaces that one, and so on for ever. */
export class ReplacedError extends ChickenFootError {
  readonly code = Code.Aborted;

  constructor() {
    super("another session of the same agent has taken over");
  }
}

/** The token is that of another agent than the one it was said to be of. */
export class OtherAgentError extends ChickenFootError {
  readonly code = Code.PermissionDenied;

  constructor(
    readonly wanted: string,
    readonly found: string,
  ) {
    super(`the token is that of agent "${found}", not of "${wanted}"`);
  }
}

/** A field of a request that is wrong. */
export interface Violation {
  /** The field, by its path in the request, as in `config.rules.players`. */
  readonly field: string;
  /** What is wrong with it, for people. */
  readonly description: string;
}

/** What the service says about a refusal. */
export interface Refusal {
  readonly code: Code;
  readonly reason: string;
  readonly message: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly Violation[];
  /** In milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** The service refused the call. Subclasses tell the code, `reason` tells exactly why. */
export class RefusedError extends ChickenFootError {
  readonly code: Code;
  override readonly passing: boolean;
  /** Why, for programs. A later service may give reasons that this version does not list. */
  readonly reason: Reason | (string & {});
  /** What the reason is about, as the guide to the protocol lists it for each reason. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The fields of the request that are wrong. */
  readonly violations: readonly Violation[];
  /** After how many milliseconds the call may be tried again; undefined if waiting does not help. */
  readonly retryAfter: number | undefined;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(`${refusal.message} (${refusal.reason})`, options);
    this.code = refusal.code;
    this.passing = PASSING.has(refusal.code);
    this.reason = refusal.reason;
    this.metadata = refusal.metadata ?? {};
    this.violations = refusal.violations ?? [];
    this.retryAfter = refusal.retryAfter;
  }
}

/** The token is missing or invalid: `TOKEN_MISSING`, `TOKEN_INVALID`. */
export class UnauthenticatedError extends RefusedError {}
/** The caller may not: `ROLE_REQUIRED`, `NOT_CREATOR`, `NOT_SEATED` and the like. */
export class PermissionError extends RefusedError {}
/** There is no such thing: `MATCH_NOT_FOUND`, `AGENT_NOT_FOUND` and the like. */
export class NotFoundError extends RefusedError {}
/** The name is taken: `AGENT_EXISTS`, `ENTRANT_EXISTS`. */
export class ExistsError extends RefusedError {}
/** The request is wrong in itself; `violations` names the fields. */
export class InvalidError extends RefusedError {}
/** The request does not fit how things stand: `MATCH_OVER`, `DECISION_ANSWERED` and the like. */
export class PreconditionError extends RefusedError {}
/** A limit is reached; `retryAfter` tells when to try again: `LIMIT_REACHED`, `TOO_MANY_PENDING`, `STORE_FULL`. */
export class LimitError extends RefusedError {}
/** The service stops or cannot say in time what became of the call: `SHUTTING_DOWN`, `UNAVAILABLE`. */
export class UnavailableError extends RefusedError {}

const PASSING: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.ResourceExhausted,
  Code.Canceled,
  Code.Internal,
]);

const BY_CODE: ReadonlyMap<Code, typeof RefusedError> = new Map([
  [Code.Unauthenticated, UnauthenticatedError],
  [Code.PermissionDenied, PermissionError],
  [Code.NotFound, NotFoundError],
  [Code.AlreadyExists, ExistsError],
  [Code.InvalidArgument, InvalidError],
  [Code.OutOfRange, InvalidError],
  [Code.FailedPrecondition, PreconditionError],
  [Code.ResourceExhausted, LimitError],
  [Code.Unavailable, UnavailableError],
]);

/** The error for a refusal, of the class that belongs to its code. */
export function refused(refusal: Refusal, options?: ErrorOptions): RefusedError {
  const Class = BY_CODE.get(refusal.code) ?? RefusedError;
  return new Class(refusal, options);
}

/** What a failed call means. What came without a reason did not come from the service itself. */
export function errorOf(cause: unknown): Error {
  if (cause instanceof ChickenFootError) return cause;
  const error = ConnectError.from(cause);
  const [info] = error.findDetails(ErrorInfoSchema);
  if (info === undefined) return new ConnectionError(error.message, error.code, { cause });
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return refused(
    {
      code: error.code,
      reason: info.reason,
      message: error.rawMessage,
      metadata: info.metadata,
      violations: error.findDetails(BadRequestSchema).flatMap((request) => request.fieldViolations),
      retryAfter: delay && durationMs(delay),
    },
    { cause },
  );
}

/** Whether an error says that the same call may succeed later. */
export function isPassing(error: unknown): error is ConnectionError | RefusedError {
  return error instanceof ChickenFootError && error.passing;
}

/** How long the service asks to wait before the call is tried again, in milliseconds; 0 if it does not say. */
export function waitOf(error: unknown): number {
  return error instanceof RefusedError ? (error.retryAfter ?? 0) : 0;
}
