import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { MatchState, type Match, type Seat } from "../../gen/chickenfoot/v1/match_pb.js";
import { ordinal } from "../words.js";
import { faults, matchLink, scroller, sitter, type Content, when } from "./parts.js";

/** How a table of matches shows who sat on a seat. */
export type Who = (seat: Seat) => Content;

/** Matches that are over, one a row: who played, with points and place, the best first. */
export function results(label: string, matches: readonly Match[]): TemplateResult {
  return scroller(label, html`<table class="results">
    <caption class="unseen">${label}</caption>
    ${RESULT_HEAD}
    <tbody>${repeat(matches, (match) => match.id, (match) => resultRow(match, sitter))}</tbody>
  </table>`);
}

/** The head of a table of matches that are over. */
export const RESULT_HEAD = html`<thead><tr>
  <th scope="col">Match</th><th scope="col">Result</th><th scope="col">Faults</th><th scope="col">Ended</th>
</tr></thead>`;

/** The row of a match that is over. */
export function resultRow(match: Match, who: Who): TemplateResult {
  return html`<tr>
    <th scope="row">${matchLink(match.id)}</th>
    <td>${outcome(match, who)}</td>
    <td>${conduct(match, who)}</td>
    <td class="soft">${when(match.endTime)}</td>
  </tr>`;
}

/** The seats by place, each with its points: the order and the words say who won. */
function outcome(match: Match, who: Who): Content {
  if (match.state === MatchState.ABORTED) {
    return html`<span class="soft">Ended without a result</span>`;
  }
  const seats = match.seats.toSorted((one, other) => one.place - other.place);
  return html`<ol class="outcome">${seats.map((seat) => html`<li>
    <span class="place">${ordinal(seat.place)}</span> ${who(seat)} <span class="points">${seat.total}</span></li>`)}</ol>`;
}

/** Who did what wrong. */
function conduct(match: Match, who: Who): Content {
  const wrong = match.seats.filter((seat) => faults(seat.ledger) !== "none");
  if (wrong.length === 0) {
    return html`<span class="soft">none</span>`;
  }
  return html`${wrong.map((seat, index) => html`${index > 0 ? html`<br>` : nothing}
    ${who(seat)}: <span class="fault">${faults(seat.ledger)}</span>`)}`;
}
