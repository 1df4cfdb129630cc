import { html, nothing, type TemplateResult } from "lit-html";

import type { Api } from "../api.js";
import { MatchState, type Match } from "../../gen/chickenfoot/v1/match_pb.js";
import {
  EntrantState,
  TournamentState,
  type AbStanding,
  type Standing,
  type Tournament,
  type TournamentEntrant,
} from "../../gen/chickenfoot/v1/tournament_pb.js";
import type { Page } from "../page.js";
import { Poll } from "../poll.js";
import { count } from "../words.js";
import { agentLink, connection, loading, more, named, refused, visible, when, type Content } from "./parts.js";
import { rulesInWords } from "./rules.js";
import { takeOver } from "./take.js";
import { abTest } from "./tournament-ab.js";
import { entrantOf, played, running } from "./tournament-matches.js";
import { standings } from "./tournament-standings.js";
import { formatWords, isOver, progress, stateWord } from "./tournament-words.js";

/** How often everything is loaded again, in milliseconds. */
const EVERY = 3_000;
/** Running matches that are shown. */
const RUNNING = 16;
/** How many more standings or matches a press of the button shows, and the most that are. */
const STANDINGS = { first: 100, step: 200, most: 1000 };
const MATCHES = { first: 24, step: 96, most: 2000 };
/** Entrants whose kind is known, so that agents are links. */
const ENTRANTS = 1000;

/** What the page shows. */
interface Shown {
  readonly tournament: Tournament;
  readonly rows: readonly Standing[];
  readonly ab: AbStanding | undefined;
  readonly running: readonly Match[];
  readonly played: readonly Match[];
  readonly morePlayed: boolean;
}

/** A tournament: how it stands, and all its matches. */
export class TournamentPage implements Page {
  private readonly poll: Poll<Shown>;
  private entrants = new Map<number, TournamentEntrant>();
  private rows = STANDINGS.first;
  private matches = MATCHES.first;
  /** The most matches that were seen running at once: so many rows stay, whether they are filled or not. */
  private runningRows = 0;

  constructor(
    private readonly api: Api,
    private readonly id: string,
  ) {
    // Of one that is over nothing changes any more.
    this.poll = new Poll((signal) => this.load(signal), ({ tournament }) => (isOver(tournament.state) ? undefined : EVERY));
  }

  get title(): string {
    return visible(this.poll.value?.tournament.config?.name ?? "Tournament");
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
      return refused("No such tournament", this.poll.refused);
    }
    return html`<div class="tournament">
      ${value ? this.head(value.tournament) : html`<h1>Tournament</h1>`}
      ${connection(lost)}
      ${value ? this.sections(value) : loading(lost)}
    </div>`;
  }

  private head(it: Tournament): TemplateResult {
    const rules = it.config?.rules && rulesInWords(it.config.rules);
    return html`<h1 class="name">${visible(it.config?.name ?? "")}</h1>
      <p><strong class="state">${stateWord(it.state)}</strong>
        <span class="soft">· ${formatWords(it.config)}, ${count(it.entrants, "entrant")}${rules ? `; ${rules.short}` : ""}.
          Made by ${named(it.creator)}, ${when(it.createTime)}${it.endTime ? html`, ended ${when(it.endTime)}` : nothing}.</span></p>
      ${it.message === "" ? nothing : html`<p class="notice">${visible(it.message)}</p>`}
      ${rules ? html`<details class="rules"><summary>All rules</summary><p class="soft">${rules.details}</p></details>` : nothing}
      <p class="progress">${progress(it)} ${figures(it)}</p>`;
  }

  private sections(it: Shown): TemplateResult {
    const { tournament } = it;
    const who = entrantOf(this.entrants.values());
    const isMoreRows = it.rows.length === this.rows && this.rows < STANDINGS.most;
    const isMorePlayed = it.morePlayed && this.matches < MATCHES.most;
    return html`
      ${it.ab ? abTest(it.ab, tournament.config) : nothing}
      <section aria-labelledby="standings"><h2 id="standings">Standings</h2>
        ${it.rows.length > 0 ? standings(tournament, it.rows, this.entrants) : this.field(tournament)}
        ${more(isMoreRows, "standings", () => { this.show("rows", STANDINGS); })}
      </section>
      ${this.now(it)}
      <section aria-labelledby="played"><h2 id="played">Matches that are over</h2>
        ${it.played.length > 0 ? played(it.played, who) : html`<p class="soft">None yet.</p>`}
        ${more(isMorePlayed, "matches", () => { this.show("matches", MATCHES); })}
        ${it.morePlayed && !isMorePlayed ? html`<p class="soft">The latest ${count(MATCHES.most, "match", "matches")};
          <code>chickenfoot tournament export</code> has all.</p>` : nothing}
      </section>`;
  }

  /** What is being played now. */
  private now(it: Shown): Content {
    this.runningRows = Math.max(this.runningRows, it.running.length);
    if (isOver(it.tournament.state) || it.tournament.state === TournamentState.OPEN) {
      return nothing;
    }
    return html`<section aria-labelledby="running"><h2 id="running">Being played</h2>
      ${running(it.running, Math.max(1, this.runningRows), entrantOf(this.entrants.values()))}
    </section>`;
  }

  /** Who takes part, while there is no result yet. */
  private field(it: Tournament): TemplateResult {
    const entrants = [...this.entrants.values()];
    const start = it.state === TournamentState.OPEN ? "Nothing has been played: entry is open." : "No block is over yet.";
    return html`<p class="soft">${start}</p>
      ${entrants.length > 0 ? html`<ul class="lines">${entrants.map(entrantLine)}</ul>` : nothing}`;
  }

  private show(what: "rows" | "matches", bounds: { readonly step: number; readonly most: number }): void {
    this[what] = Math.min(bounds.most, this[what] + bounds.step);
    this.poll.again();
  }

  private async load(signal: AbortSignal): Promise<Shown> {
    const { matches } = this.api;
    const tournamentId = this.id;
    const [standing, now, over] = await Promise.all([
      this.standing(signal),
      matches.listMatches({ tournamentId, state: MatchState.RUNNING, pageSize: RUNNING }, { signal }),
      takeOver(this.matches, matches, { tournamentId }, signal),
    ]);
    const { state, entrants: size } = standing.tournament;
    // While entry is open, somebody may come for somebody who went.
    if (state === TournamentState.OPEN || (size !== this.entrants.size && this.entrants.size < ENTRANTS)) {
      const { entrants } = await this.api.tournaments.listEntrants({ tournamentId, pageSize: ENTRANTS }, { signal });
      this.entrants = new Map(entrants.map((one) => [one.number, one]));
    }
    return { ...standing, running: now.matches, played: over.entries, morePlayed: over.isMore };
  }

  /** The standings, as the first answer of a watch: it has the best only, however many there are. */
  private async standing(signal: AbortSignal): Promise<Pick<Shown, "tournament" | "rows" | "ab">> {
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    try {
      const request = { tournamentId: this.id, standings: this.rows };
      for await (const { tournament, standings: rows, ab } of this.api.tournaments.watchTournament(request, { signal: either })) {
        if (tournament) {
          return { tournament, rows, ab };
        }
      }
    } finally {
      stop.abort();
    }
    throw new Error("the server ended the answer before it began");
  }
}

function figures(it: Tournament): Content {
  const at = it.progress;
  if (!at || it.state === TournamentState.OPEN) {
    return nothing;
  }
  const words = [
    `${count(at.finishedMatches, "match", "matches")} over`,
    at.runningMatches > 0 ? `${String(at.runningMatches)} running` : "",
    at.waitingMatches > 0 ? `${String(at.waitingMatches)} waiting` : "",
    stageWord(it, at.stage),
    count(at.faults, "fault"),
  ];
  return html`<span class="soft">${words.filter((word) => word !== "").join(", ")}</span>`;
}

/** Which round or stage is played, in a format where that means something to people. */
function stageWord(it: Tournament, stage: number): string {
  const format = it.config?.format.case;
  const word = format === "swiss" ? "round" : format === "elimination" ? "stage" : "";
  return word !== "" && stage > 0 && !isOver(it.state) ? `${word} ${String(stage)}` : "";
}

function entrantLine(it: TournamentEntrant): TemplateResult {
  const name = it.house === "" ? agentLink(it.name) : html`${named(it.name)} <span class="tag">house</span>`;
  return html`<li>${name} <span class="soft">${entrantWord(it.state)}</span></li>`;
}

function entrantWord(state: EntrantState): string {
  switch (state) {
    case EntrantState.INVITED:
      return "invited";
    case EntrantState.CHECKING:
      return "plays its entry check";
    case EntrantState.REJECTED:
      return "did not pass its entry check";
    case EntrantState.WITHDRAWN:
      return "withdrawn";
    case EntrantState.ENTERED:
    case EntrantState.UNSPECIFIED:
      return "";
  }
}
