import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import type { Api } from "../api.js";
import type { Agent, GetLeaderboardResponse } from "../../gen/chickenfoot/v1/agent_pb.js";
import { isFinal } from "../faults.js";
import type { Page } from "../page.js";
import { Poll } from "../poll.js";
import { count } from "../words.js";
import { leaderboard, poolChoice } from "./agents-pools.js";
import { agentLink, connection, loading, more, refused, type Content } from "./parts.js";
import { rulesTextInWords } from "./rules.js";
import { take } from "./take.js";

/** How often the lists are loaded again, in milliseconds. */
const EVERY = 5_000;
/** How many a press of the button shows more, and the most that are shown. */
const RANKS = { first: 50, step: 200, most: 1000 };
const AGENTS = { first: 100, step: 400, most: 5000 };

/** What the page shows. */
interface Lists {
  readonly board: GetLeaderboardResponse;
  readonly agents: readonly Agent[];
  readonly moreAgents: boolean;
}

/** All agents, and the leaderboard of each pool. */
export class AgentsPage implements Page {
  readonly title = "Agents";
  private readonly poll: Poll<Lists>;
  /** The pool that the reader chose; empty for the one with the most matches. */
  private pool = "";
  private ranks = RANKS.first;
  private agents = AGENTS.first;

  constructor(private readonly api: Api) {
    this.poll = new Poll((signal) => this.load(signal), EVERY);
  }

  start(update: () => void): void {
    this.poll.start(update);
  }

  stop(): void {
    this.poll.stop();
  }

  render(): TemplateResult {
    const { value, lost } = this.poll;
    if (this.poll.refused !== undefined) {
      return refused("Agents", this.poll.refused);
    }
    return html`<div class="agents">
      <h1>Agents</h1>
      ${connection(lost)}
      ${value ? html`${this.board(value.board)}${this.all(value)}` : loading(lost)}
    </div>`;
  }

  private board(board: GetLeaderboardResponse): TemplateResult {
    return html`<section aria-labelledby="leaderboard"><h2 id="leaderboard">Leaderboard</h2>
      ${board.entries.length > 0 ? this.ranked(board) : NOTHING_RATED}
    </section>`;
  }

  private ranked(board: GetLeaderboardResponse): TemplateResult {
    const { short, details } = rulesTextInWords(board.rulesText);
    const isMore = board.nextPageToken !== "" && this.ranks < RANKS.most;
    return html`${poolChoice(board.pools, board.rulesText, (rulesText) => {
        this.pool = rulesText;
        this.poll.again();
      })}
      <p class="soft">Rated matches of ${short}${details === "" ? nothing : html`: ${details}`}. The rating is what an agent is almost surely worth.</p>
      ${leaderboard(board.entries)}
      ${more(isMore, "ranks", () => {
        this.ranks = Math.min(RANKS.most, this.ranks + RANKS.step);
        this.poll.again();
      })}`;
  }

  private all({ agents, moreAgents }: Lists): TemplateResult {
    const online = agents.filter((agent) => agent.online).length;
    return html`<section aria-labelledby="all"><h2 id="all">All agents</h2>
      ${agents.length > 0 ? html`<p class="soft">${count(agents.length, "agent")}${moreAgents ? " of more" : ""}, ${String(online)} online</p>
        <ul class="agents">${repeat(agents, (agent) => agent.name, line)}</ul>` : NO_AGENT}
      ${more(moreAgents && this.agents < AGENTS.most, "agents", () => {
        this.agents += AGENTS.step;
        this.poll.again();
      })}
    </section>`;
  }

  private async load(signal: AbortSignal): Promise<Lists> {
    const { agents } = this.api;
    const [board, all] = await Promise.all([
      this.ranking(signal),
      take(this.agents, async (pageSize, pageToken) => {
        const page = await agents.listAgents({ pageSize, pageToken }, { signal });
        return { entries: page.agents, next: page.nextPageToken };
      }),
    ]);
    return { board, agents: all.entries, moreAgents: all.isMore };
  }

  private async ranking(signal: AbortSignal): Promise<GetLeaderboardResponse> {
    const pageSize = this.ranks;
    try {
      return await this.api.agents.getLeaderboard({ rulesText: this.pool, pageSize }, { signal });
    } catch (fault) {
      if (this.pool === "" || !isFinal(fault)) {
        throw fault;
      }
      // The pool that was chosen is gone.
      this.pool = "";
      return this.api.agents.getLeaderboard({ pageSize }, { signal });
    }
  }
}

const NOTHING_RATED = html`<p>Nobody is rated yet. Rated matches are between agents alone:</p>
<pre tabindex="0"><code>chickenfoot match create --rated --seats agent:ann,agent:ben</code></pre>`;

const NO_AGENT = html`<p>No agent is registered yet. One is made by</p>
<pre tabindex="0"><code>chickenfoot agent register ann</code></pre>
<p class="soft">which prints its token.</p>`;

function line(agent: Agent): TemplateResult {
  return html`<li>${agentLink(agent.name)} ${presence(agent)}</li>`;
}

/** Whether an agent is there, by a shape and a word. */
export function presence(agent: Agent): Content {
  if (agent.revoked) {
    return html`<span class="presence soft">revoked</span>`;
  }
  return agent.online
    ? html`<span class="presence online"><span aria-hidden="true">●</span> online</span>`
    : html`<span class="presence soft"><span aria-hidden="true">○</span> offline</span>`;
}
