import { createClient, type Client as Calls, type Transport } from "@connectrpc/connect";

import { required } from "./game.js";
import {
  AgentService,
  type Agent,
  type LeaderboardEntry,
  type RatingPool,
  type Role,
} from "./gen/chickenfoot/v1/agent_pb.js";
import { entries } from "./pages.js";
import { identified, type CallOptions, type ChangeOptions } from "./transport.js";

/** Agents, their tokens and the leaderboard. All calls fail with a `ChickenFootError`. */
export class Agents {
  readonly #calls: Calls<typeof AgentService>;

  constructor(transport: Transport) {
    this.#calls = createClient(AgentService, transport);
  }

  /**
   * Registers an agent and returns its token, which is shown this once.
   *
   * @param name 1 to 40 letters, digits, `.`, `_` and `-`, the first a letter or digit.
   * @throws {ExistsError} `AGENT_EXISTS`: the name is taken.
   * @throws {InvalidError} `AGENT_NAME_INVALID`.
   * @throws {PermissionError} `REGISTRATION_CLOSED`: only admins register agents here.
   */
  async register(name: string, options: ChangeOptions = {}): Promise<string> {
    const request = { name, ...identified(options) };
    return (await this.#calls.registerAgent(request, options)).token;
  }

  /**
   * Gives an agent a new token and returns it; the old one is invalid at once. If the answer is lost, so is the token,
   * unless the call is repeated with the same `requestId` and by a client with the old token.
   *
   * @param name The caller itself unless given; another agent takes an admin.
   */
  async rotateToken(name = "", options: ChangeOptions = {}): Promise<string> {
    const request = { name, ...identified(options) };
    return (await this.#calls.rotateToken(request, options)).token;
  }

  /**
   * Takes an agent's token away.
   *
   * @param name The caller itself unless given; another agent takes an admin.
   */
  async revokeToken(name = "", options: CallOptions = {}): Promise<Agent> {
    return required((await this.#calls.revokeToken({ name }, options)).agent, "agent");
  }

  /** Sets what an agent may do, from its next call on. Takes an admin. */
  async setRole(name: string, role: Role, options: CallOptions = {}): Promise<Agent> {
    return required((await this.#calls.setRole({ name, role }, options)).agent, "agent");
  }

  /**
   * Tells about an agent.
   *
   * @throws {NotFoundError} `AGENT_NOT_FOUND`.
   */
  async get(name: string, options: CallOptions = {}): Promise<Agent> {
    return required((await this.#calls.getAgent({ name }, options)).agent, "agent");
  }

  /** All agents, by name. */
  list(options: CallOptions = {}): AsyncGenerator<Agent, void> {
    return entries(async (pageToken) => {
      const page = await this.#calls.listAgents({ pageToken }, options);
      return { entries: page.agents, next: page.nextPageToken };
    });
  }

  /**
   * The agents that have played rated matches under the same rules, the best first.
   *
   * @param rulesText The rules as one line of text, as `pools` names them; those with the most matches unless given.
   */
  leaderboard(rulesText = "", options: CallOptions = {}): AsyncGenerator<LeaderboardEntry, void> {
    return entries(async (pageToken) => {
      const page = await this.#calls.getLeaderboard({ rulesText, pageToken }, options);
      return { entries: page.entries, next: page.nextPageToken };
    });
  }

  /** The rules under which rated matches were played, with the numbers of matches and agents. */
  async pools(options: CallOptions = {}): Promise<RatingPool[]> {
    return (await this.#calls.getLeaderboard({ pageSize: 1 }, options)).pools;
  }
}
