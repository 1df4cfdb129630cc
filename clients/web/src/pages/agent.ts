import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import type { Api } from "../api.js";
import type { Agent, LeaderboardEntry } from "../../gen/chickenfoot/v1/agent_pb.js";
import { MatchState, OutReason, type Match, type Seat } from "../../gen/chickenfoot/v1/match_pb.js";
import type { Page } from "../page.js";
import { Poll } from "../poll.js";
import { count, list, ordinal } from "../words.js";
import { presence } from "./agents.js";
import { connection, faults, loading, matchLink, more, plain, refused, scroller, sitter, visible, when, type Content } from "./parts.js";
import { rulesTextInWords } from "./rules.js";
import { take } from "./take.js";

/** How often matches are loaded again, in milliseconds. */
const EVERY = 5_000;
/** For how long ratings hold, in milliseconds: they cost whole leaderboards. */
const RATINGS = 60_000;
/** How many more matches a press of the button shows, and the most that are. */
const MATCHES = { first: 20, step: 80, most: 1000 };
/** Pools that are looked into, those with the most matches, and how far down in each. */
const POOLS = 12;
const RANKS = 1000;

/** Where an agent stands in a pool. */
interface Rating {
  readonly rulesText: string;
  readonly agents: number;
  readonly entry: LeaderboardEntry;
}

/** What the page shows. */
interface Shown {
  readonly agent: Agent;
  readonly ratings: readonly Rating[];
  readonly matches: readonly Match[];
  readonly moreMatches: boolean;
}

/** One agent: its ratings, its last matches, and what it did wrong in them. */
export class AgentPage implements Page {
  private readonly poll: Poll<Shown>;
  private matches = MATCHES.first;
  private rated: { readonly at: number; readonly ratings: readonly Rating[] } | undefined;

  constructor(
    private readonly api: Api,
    private readonly name: string,
  ) {
    this.poll = new Poll((signal) => this.load(signal), EVERY);
  }

  get title(): string {
    return visible(this.name);
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
      return refused("No such agent", this.poll.refused);
    }
    return html`<div class="agent">
      <h1 class="name">${visible(this.name)}</h1>
      ${connection(lost)}
      ${value ? this.sections(value) : loading(lost)}
    </div>`;
  }

  private sections(it: Shown): TemplateResult {
    return html`<p>${presence(it.agent)} <span class="soft">· registered ${when(it.agent.createTime)}</span></p>
      <section aria-labelledby="ratings"><h2 id="ratings">Ratings</h2>
        ${it.ratings.length > 0 ? ratings(it.ratings) : html`<p class="soft">No rated match has ended yet.</p>`}
      </section>
      <section aria-labelledby="matches"><h2 id="matches">Last matches</h2>
        ${it.matches.length > 0 ? this.played(it.matches) : html`<p class="soft">It has not played yet.</p>`}
        ${more(it.moreMatches && this.matches < MATCHES.most, "matches", () => {
          this.matches = Math.min(MATCHES.most, this.matches + MATCHES.step);
          this.poll.again();
        })}
      </section>`;
  }

  private played(matches: readonly Match[]): TemplateResult {
    return html`<p>${summary(matches, this.name)}</p>
      ${scroller("Last matches", html`<table class="results">
        <caption class="unseen">Last matches, the newest first</caption>
        <thead><tr><th scope="col">Match</th><th scope="col">Place</th><th scope="col" class="number">Points</th>
          <th scope="col">Against</th><th scope="col">Faults</th><th scope="col">When</th></tr></thead>
        <tbody>${repeat(matches, (match) => match.id, (match) => row(match, this.name))}</tbody>
      </table>`)}`;
  }

  private async load(signal: AbortSignal): Promise<Shown> {
    const { name, api } = this;
    // Whether there is such an agent is asked first: the rest would be asked in vain.
    const { agent } = await api.agents.getAgent({ name }, { signal });
    if (!agent) {
      throw new Error("the server's answer has no agent");
    }
    const [played, ratings] = await Promise.all([
      take(this.matches, async (pageSize, pageToken) => {
        const page = await api.matches.listMatches({ agent: name, pageSize, pageToken }, { signal });
        return { entries: page.matches, next: page.nextPageToken };
      }),
      this.ratings(signal),
    ]);
    return { agent, ratings, matches: played.entries, moreMatches: played.isMore };
  }

  private async ratings(signal: AbortSignal): Promise<readonly Rating[]> {
    const at = performance.now();
    if (!this.rated || at - this.rated.at > RATINGS) {
      this.rated = { at, ratings: await this.rate(signal) };
    }
    return this.rated.ratings;
  }

  private async rate(signal: AbortSignal): Promise<Rating[]> {
    const { agents } = this.api;
    const { pools } = await agents.getLeaderboard({ pageSize: 1 }, { signal });
    const largest = pools.toSorted((one, other) => Number(other.matches - one.matches)).slice(0, POOLS);
    const found = await Promise.all(largest.map(async (pool): Promise<Rating | undefined> => {
      const { entries } = await agents.getLeaderboard({ rulesText: pool.rulesText, pageSize: RANKS }, { signal });
      const entry = entries.find(({ agent }) => agent === this.name);
      return entry && { rulesText: pool.rulesText, agents: pool.agents, entry };
    }));
    return found.filter((rating) => rating !== undefined);
  }
}

function ratings(all: readonly Rating[]): TemplateResult {
  const one = ({ rulesText, agents, entry }: Rating): TemplateResult => {
    const { short, details } = rulesTextInWords(rulesText);
    return html`<tr>
      <th scope="row">${short}<br><small class="soft">${details}</small></th>
      <td class="number">${ordinal(entry.rank)} <span class="soft">of ${agents}</span></td>
      <td class="number"><strong>${plain(entry.rating, 1)}</strong></td>
      <td class="number">${plain(entry.mean, 1)} <span class="soft">± ${plain(1.96 * entry.deviation, 1)}</span></td>
      <td class="number">${entry.matches}</td>
    </tr>`;
  };
  return scroller("Ratings", html`<table class="ratings">
    <caption class="unseen">Ratings by the rules of the matches</caption>
    <thead><tr><th scope="col">Rules</th><th scope="col" class="number">Rank</th><th scope="col" class="number">Rating</th>
      <th scope="col" class="number">Mean<br><small>95 % interval</small></th><th scope="col" class="number">Matches</th></tr></thead>
    <tbody>${repeat(all, ({ rulesText }) => rulesText, one)}</tbody>
  </table>`);
}

/** The seats that the agent has in a match: mostly one. */
function seatsOf(match: Match, name: string): Seat[] {
  return match.seats.filter((seat) => seat.name === name);
}

function row(match: Match, name: string): TemplateResult {
  const own = seatsOf(match, name);
  const others = match.seats.filter((seat) => seat.name !== name);
  const isFinished = match.state === MatchState.FINISHED;
  const wrong = own.map((seat) => faults(seat.ledger)).filter((words) => words !== "none");
  return html`<tr>
    <th scope="row">${matchLink(match.id)}</th>
    <td>${isFinished ? own.map((seat) => `${ordinal(seat.place)} of ${String(match.seats.length)}`).join(", ") : stateWord(match.state)}</td>
    <td class="number">${isFinished ? own.map((seat) => String(seat.total)).join(", ") : "–"}</td>
    <td class="against">${others.length === 0 ? html`<span class="soft">itself</span>` : others.map((seat, index) => html`${index > 0 ? ", " : nothing}${sitter(seat)}`)}</td>
    <td class=${wrong.length > 0 ? "fault" : "soft"}>${wrong.join("; ") || "none"}</td>
    <td class="soft">${when(match.endTime ?? match.createTime)}</td>
  </tr>`;
}

function stateWord(state: MatchState): string {
  switch (state) {
    case MatchState.OPEN:
      return "waits for players";
    case MatchState.RUNNING:
      return "being played";
    case MatchState.ABORTED:
      return "ended without a result";
    case MatchState.FINISHED:
    case MatchState.UNSPECIFIED:
      return "";
  }
}

/** How the matches that are shown went, all together. */
function summary(matches: readonly Match[], name: string): Content {
  const seats = matches.filter(({ state }) => state === MatchState.FINISHED).flatMap((match) => seatsOf(match, name));
  const firsts = seats.filter((seat) => seat.place === 1).length;
  const sum = (of: (seat: Seat) => number): number => seats.reduce((all, seat) => all + of(seat), 0);
  const wrong: [number, string][] = [
    [sum((seat) => seat.ledger?.late ?? 0), "late"],
    [sum((seat) => seat.ledger?.gone ?? 0), "gone"],
    [sum((seat) => seat.ledger?.illegal ?? 0), "illegal"],
    [sum((seat) => Number((seat.ledger?.out ?? OutReason.UNSPECIFIED) !== OutReason.UNSPECIFIED)), "times out"],
  ];
  const words = list(wrong.filter(([number]) => number > 0).map(([number, word]) => `${String(number)} ${word}`));
  return html`In the ${count(matches.length, "match", "matches")} shown: ${count(firsts, "first place")} of ${seats.length} that ended;
    faults: <span class=${words === "" ? "soft" : "fault"}>${words || "none"}</span>.`;
}
