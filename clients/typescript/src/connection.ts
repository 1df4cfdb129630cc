import type { Transport } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";

import { OptionsError } from "./errors.js";
import { bearer, guarded } from "./transport.js";

/** Where a service is unless the caller says otherwise. */
export const DEFAULT_SERVER = "http://127.0.0.1:7440";

/** A connection with open streams is pinged after so much silence, and dead when that is not answered in as much time. */
const PING_MS = 20_000;

/** Largest message that is taken, in bytes: a record of the longest match has some hundred kilobytes. */
const MAX_MESSAGE = 16 * 1024 * 1024;

/** How to reach a service, and as whom. */
export interface ConnectOptions {
  /** Its address; `http://127.0.0.1:7440` unless given. `https://` is TLS. */
  readonly server?: string | undefined;
  /** The caller's token. Without one only calls are possible that need none. */
  readonly token?: string | undefined;
  /** Certificates; only for an `https://` address. */
  readonly tls?: TlsOptions | undefined;
}

/** Certificates and keys, in PEM. */
export interface TlsOptions {
  /** Trust services with a certificate of this authority, and no others. Unless given, those that Node trusts. */
  readonly ca?: string | Uint8Array;
  /** The certificate to show the service, with its `key`. */
  readonly cert?: string | Uint8Array;
  /** The private key of `cert`. */
  readonly key?: string | Uint8Array;
  /** The name to expect in the service's certificate, instead of the one in the address. */
  readonly serverName?: string;
}

/** A connection, opened when it is first used, and again after it was lost. */
export interface Connection {
  readonly transport: Transport;
  /** Closes it and ends its streams. */
  close(): void;
}

/**
 * Prepares a connection; nothing is sent yet.
 *
 * @throws {OptionsError} if the address or token is none, or TLS is asked for at an `http://` address.
 */
export function connect(options: ConnectOptions = {}): Connection {
  const url = address(options.server ?? DEFAULT_SERVER, options.tls !== undefined);
  const token = checked(options.token);
  // The settings of HTTP/2 that tell the service how much may be under way before it was read.
  const settings = { initialWindowSize: 1024 * 1024 };
  const keepAlive = { pingIntervalMs: PING_MS, pingTimeoutMs: PING_MS };
  const sessionManager = new Http2SessionManager(url, keepAlive, { settings, ...certificates(options.tls) });
  const interceptors = token === undefined ? [] : [bearer(token)];
  const inner = createGrpcTransport({ baseUrl: url.origin, sessionManager, interceptors, readMaxBytes: MAX_MESSAGE });
  // With a reason of our own: without one the manager takes itself for closed and not for failed, and a call that waits for
  // the connection at that moment turns in circles for ever (connect-node 2.1.2).
  const close = () => { sessionManager.abort(new Error("the connection was closed")); };
  return { transport: guarded(inner), close };
}

function address(text: string, tls: boolean): URL {
  const full = text.includes("://") ? text : `${tls ? "https" : "http"}://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol) || url.pathname !== "/") {
    throw new OptionsError(`server: "${text}" is not an address such as ${DEFAULT_SERVER}`);
  }
  // Never a plain connection where a safe one was asked for.
  if (tls && url.protocol === "http:") {
    throw new OptionsError(`server: "${text}" does not begin with https://, but there are options for TLS`);
  }
  return url;
}

function checked(token: string | undefined): string | undefined {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new OptionsError("token: it has characters that no token has");
  }
  return token;
}

function certificates(tls: TlsOptions | undefined) {
  if (tls === undefined) return {};
  const { ca, cert, key, serverName } = tls;
  const buffers = Object.entries({ ca, cert, key }).filter(([, pem]) => pem !== undefined);
  const named = serverName === undefined ? {} : { servername: serverName };
  return { ...Object.fromEntries(buffers), ...named };
}
