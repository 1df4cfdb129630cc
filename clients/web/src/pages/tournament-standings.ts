import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import type { Conduct, Interval, Standing, Tournament, TournamentEntrant } from "../../gen/chickenfoot/v1/tournament_pb.js";
import { list } from "../words.js";
import { bar, ends, scaleOf, type Scale } from "./interval.js";
import { agentLink, named, percent, plain, scroller, signed, type Content } from "./parts.js";
import { isOver } from "./tournament-words.js";

/** What the bars of the margins are read against: no better and no worse than the others. */
const EVEN = 0;

/** The entrants by rank, with a bar for each margin and its interval on one scale. */
export function standings(
  tournament: Tournament,
  rows: readonly Standing[],
  entrants: ReadonlyMap<number, TournamentEntrant>,
): TemplateResult {
  const margin = (row: Standing): Interval | undefined => (isOver(tournament.state) ? row.margin : row.liveMargin ?? row.margin);
  const scale = scaleOf(rows.map(margin), EVEN);
  const score = scoreHead(tournament);
  const row = (one: Standing): TemplateResult => html`<tr>
    <td class="number">${one.rank}${one.byLot ? html`<span title="parted from a neighbour by lot">*<span class="unseen"> by lot</span></span>` : nothing}</td>
    <th scope="row">${entrantName(one, entrants)}</th>
    ${score === "" ? nothing : html`<td class="number">${plain(one.score, tournament.config?.format.case === "swiss" ? 2 : 0)}</td>`}
    ${marginCells(margin(one), scale)}
    <td class="number">${figure(one.strength, (value) => plain(value, 0))}</td>
    <td class="number">${figure(one.firstShare, percent)}</td>
    <td class="number">${one.matches === 0 ? "–" : plain(one.meanPlace, 2)}</td>
    <td class="number">${one.matches}</td>
    <td class=${conduct(one.conduct) === "none" ? "soft" : "fault"}>${conduct(one.conduct)}</td>
  </tr>`;
  return scroller("Standings", html`<table class="standings">
    <caption class="unseen">The entrants by rank</caption>
    <thead><tr>
      <th scope="col" class="number">#</th><th scope="col">Entrant</th>
      ${score === "" ? nothing : html`<th scope="col" class="number">${score}</th>`}
      <th scope="col" class="number">Margin<br><small>95 % interval</small></th>
      <th class="bar">${ends(scale, EVEN, (value) => signed(value, Number.isInteger(value) ? 0 : 1))}<span class="unseen">Margin as a bar</span></th>
      <th scope="col" class="number">Strength</th>
      <th scope="col" class="number">First places</th>
      <th scope="col" class="number">Mean place</th>
      <th scope="col" class="number">Matches</th>
      <th scope="col">Faults</th>
    </tr></thead>
    <tbody>${repeat(rows, (one) => one.entrant, row)}</tbody>
  </table>`);
}

function marginCells(margin: Interval | undefined, scale: Scale): TemplateResult {
  return html`<td class="number">${figure(margin, (value) => signed(value, 1))}</td>
    <td class="bar">${bar(margin, scale, EVEN)}</td>`;
}

function figure(one: Interval | undefined, text: (value: number) => string): Content {
  const { low, high } = one ?? {};
  const range = low === undefined || high === undefined ? "\u00a0" : `${text(low)} to ${text(high)}`;
  // Always two lines: a row does not grow when its interval comes.
  return html`${one ? text(one.estimate) : "–"}<br><small class="soft">${range}</small>`;
}

function entrantName(one: Standing, entrants: ReadonlyMap<number, TournamentEntrant>): TemplateResult {
  const entrant = entrants.get(one.entrant);
  if (!entrant) {
    return named(one.name);
  }
  if (entrant.house === "") {
    return agentLink(one.name);
  }
  return html`${named(one.name)} <span class="tag">${entrant.house === one.name ? "house" : named(`house ${entrant.house}`)}</span>`;
}

/** The head of the column for the format's own score; empty if it has none. */
function scoreHead(tournament: Tournament): string {
  const format = tournament.config?.format.case;
  if (format === "swiss") {
    return "Score";
  }
  return format === "elimination" ? "Stage" : "";
}

/** What an entrant did wrong, in words. */
function conduct(it: Conduct | undefined): string {
  const all: [number, string][] = it
    ? [[it.late, "late"], [it.gone, "gone"], [it.illegal, "illegal"], [it.out, "out"], [it.absent, "absent"]]
    : [];
  return list(all.filter(([number]) => number > 0).map(([number, word]) => `${String(number)} ${word}`)) || "none";
}
