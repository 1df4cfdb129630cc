import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import type { Api } from "../api.js";
import { isFinal } from "../faults.js";
import { MatchState, type Match } from "../../gen/chickenfoot/v1/match_pb.js";
import type { Tournament } from "../../gen/chickenfoot/v1/tournament_pb.js";
import type { Page } from "../page.js";
import { Poll } from "../poll.js";
import { paths } from "../routes.js";
import { count } from "../words.js";
import { cards } from "./home-cards.js";
import { connection, loading, matchLink, more, named, refused, sitter, visible, when, type Content } from "./parts.js";
import { results } from "./results.js";
import { takeOver } from "./take.js";
import { formatWords, progress, stateWord } from "./tournament-words.js";

/** How often the lists are loaded again, in milliseconds. */
const EVERY = 3_000;
/** Running and waiting matches that are shown; each running one takes a call of its own. */
const RUNNING = 12;
const WAITING = 6;
/** How many more results and tournaments a press of the button shows, and the most that are. */
const STEP = 10;
const MOST = 200;

/** What the page shows. */
interface Lists {
  readonly running: readonly Match[];
  readonly moreRunning: boolean;
  readonly waiting: readonly Match[];
  readonly finished: readonly Match[];
  readonly moreFinished: boolean;
  readonly tournaments: readonly Tournament[];
  readonly moreTournaments: boolean;
}

/** What is going on: running matches, latest results, tournaments. */
export class HomePage implements Page {
  readonly title = "";
  private readonly poll: Poll<Lists>;
  private results = STEP;
  private tournaments = STEP;

  constructor(private readonly api: Api) {
    this.poll = new Poll((signal) => this.load(signal), EVERY);
  }

  start(update: () => void): void {
    let hasCome = false;
    this.poll.start(() => {
      update();
      if (this.poll.value && !hasCome) {
        // The place that the address names is there only now.
        hasCome = true;
        document.getElementById(location.hash.slice(1))?.scrollIntoView();
      }
    });
  }

  stop(): void {
    this.poll.stop();
  }

  render(): TemplateResult {
    const lists = this.poll.value;
    if (this.poll.refused !== undefined) {
      return refused("Matches", this.poll.refused);
    }
    return html`<div class="home">
      <h1>Matches</h1>
      ${connection(this.poll.lost)}
      ${lists ? this.sections(lists) : loading(this.poll.lost)}
    </div>`;
  }

  private sections(lists: Lists): TemplateResult {
    return html`
      <section aria-labelledby="running"><h2 id="running">Running now</h2>
        ${lists.running.length > 0 ? cards(lists.running) : NOTHING_RUNS}
        ${lists.moreRunning ? html`<p class="soft">The ${count(RUNNING, "match", "matches")} that began last; more are running.</p>` : nothing}
      </section>
      ${waiting(lists.waiting)}
      <section aria-labelledby="results"><h2 id="results">Latest results</h2>
        ${lists.finished.length > 0 ? results("Latest results", lists.finished) : html`<p class="soft">No match has ended yet.</p>`}
        ${more(lists.moreFinished && this.results < MOST, "results", () => {
          this.results += STEP;
          this.poll.again();
        })}
      </section>
      <section aria-labelledby="tournaments"><h2 id="tournaments">Tournaments</h2>
        ${lists.tournaments.length > 0 ? tournaments(lists.tournaments) : NO_TOURNAMENT}
        ${more(lists.moreTournaments && this.tournaments < MOST, "tournaments", () => {
          this.tournaments += STEP;
          this.poll.again();
        })}
      </section>`;
  }

  private async load(signal: AbortSignal): Promise<Lists> {
    const { matches } = this.api;
    const [running, open, finished, all] = await Promise.all([
      matches.listMatches({ state: MatchState.RUNNING, pageSize: RUNNING }, { signal }),
      matches.listMatches({ state: MatchState.OPEN, pageSize: WAITING }, { signal }),
      takeOver(this.results, matches, {}, signal),
      this.api.tournaments.listTournaments({ pageSize: this.tournaments }, { signal }),
    ]);
    return {
      running: await Promise.all(running.matches.map((match) => this.current(match, signal))),
      moreRunning: running.nextPageToken !== "",
      waiting: open.matches,
      finished: finished.entries,
      moreFinished: finished.isMore,
      tournaments: all.tournaments,
      moreTournaments: all.nextPageToken !== "",
    };
  }

  /** A running match with its round and points, which lists leave out. */
  private async current(match: Match, signal: AbortSignal): Promise<Match> {
    try {
      const answer = await this.api.matches.getMatch({ matchId: match.id }, { signal });
      return answer.match ?? match;
    } catch (fault) {
      if (isFinal(fault)) {
        return match;
      }
      throw fault;
    }
  }
}

const NOTHING_RUNS = html`<p>No match is being played. Players of the house start one:</p>
<pre tabindex="0"><code>export CHICKENFOOT_TOKEN=$(chickenfoot agent register ann)
chickenfoot match create --seats greedy,dead-foot,lowest,random</code></pre>
<p class="soft">With <code>agent:ann</code> for one of the seats, a program of yours plays in it.</p>`;

const NO_TOURNAMENT = html`<p>There is no tournament yet. A file starts one:</p>
<pre tabindex="0"><code>chickenfoot tournament run clients/cli/examples/round-robin.toml</code></pre>`;

/** Matches that wait for somebody to sit down. */
function waiting(matches: readonly Match[]): Content {
  if (matches.length === 0) {
    return nothing;
  }
  const seats = (match: Match): unknown => match.seats.map((seat, index) => html`${index > 0 ? ", " : nothing}${sitter(seat)}`);
  return html`<section aria-labelledby="waiting"><h2 id="waiting">Waiting for players</h2>
    <ul class="lines">${repeat(matches, (match) => match.id, (match) => html`<li>${matchLink(match.id)}: ${seats(match)}</li>`)}</ul>
  </section>`;
}

function tournaments(all: readonly Tournament[]): TemplateResult {
  return html`<ul class="tournaments">${repeat(all, (one) => one.id, (one) => html`<li class="panel">
    <h3><a class="name" href=${paths.tournament(one.id)}><bdi>${visible(one.config?.name ?? "")}</bdi></a></h3>
    <p><strong class="state">${stateWord(one.state)}</strong>
      <span class="soft">· ${formatWords(one.config)}, ${count(one.entrants, "entrant")}, by ${named(one.creator)}, ${when(one.createTime)}</span></p>
    <p>${progress(one)}</p>
  </li>`)}</ul>`;
}
