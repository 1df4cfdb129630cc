import { Agents } from "./agents.js";
import { connect, type Connection, type ConnectOptions } from "./connection.js";
import { Matches } from "./matches.js";
import { Tournaments } from "./tournaments.js";

/**
 * All calls of the service on one connection, which is opened by the first of them and again after it was lost.
 *
 * ```ts
 * const client = new Client({ token });
 * const match = await client.matches.create({ seats: [agentSeat("my-bot"), houseSeat("greedy")] });
 * client.close();
 * ```
 */
export class Client {
  readonly agents: Agents;
  readonly matches: Matches;
  readonly tournaments: Tournaments;
  readonly #connection: Connection;

  /** @throws {OptionsError} if the address or token is none. Nothing is sent yet. */
  constructor(options: ConnectOptions = {}) {
    this.#connection = connect(options);
    const { transport } = this.#connection;
    this.agents = new Agents(transport);
    this.matches = new Matches(transport);
    this.tournaments = new Tournaments(transport);
  }

  /** Closes the connection and ends its streams. */
  close(): void {
    this.#connection.close();
  }
}
