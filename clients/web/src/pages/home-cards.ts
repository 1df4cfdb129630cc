import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import type { Match, Seat } from "../../gen/chickenfoot/v1/match_pb.js";
import { paths } from "../routes.js";
import { setName } from "../words.js";
import { matchLink, sitter } from "./parts.js";

/** Running matches as cards: a small picture of the table, and who stands how. */
export function cards(matches: readonly Match[]): TemplateResult {
  return html`<ul class="cards">${repeat(matches, (match) => match.id, card)}</ul>`;
}

function card(match: Match): TemplateResult {
  const ranked = match.seats.map((seat, index) => ({ seat, index }));
  ranked.sort((one, other) => one.seat.total - other.seat.total || one.index - other.index);
  return html`<li class="card panel">
    <a class="picture" href=${paths.match(match.id)} tabindex="-1" aria-hidden="true">${picture(match)}</a>
    <h3>${matchLink(match.id)}</h3>
    <p class="soft">${progressWords(match)}</p>
    <ol class="standing">${ranked.map(({ seat }) => standing(seat, leads(seat, match)))}</ol>
  </li>`;
}

/** The table after its latest event. An address of a moment never changes its content, so that it is loaded once. */
function picture(match: Match): TemplateResult {
  const source = match.headSeq > 0n ? paths.picture(match.id, Number(match.headSeq)) : nothing;
  return html`<img src=${source} alt="" width="280" height="200">`;
}

function standing(seat: Seat, isFirst: boolean): TemplateResult {
  return html`<li><span>${sitter(seat)}${isFirst ? html` <strong class="leads">leads</strong>` : nothing}</span>
    <span class="points">${seat.total}</span></li>`;
}

/** Whether a seat has the fewest points, and another one has more. */
function leads(seat: Seat, match: Match): boolean {
  const totals = match.seats.map(({ total }) => total);
  const least = Math.min(...totals);
  return seat.total === least && totals.some((total) => total > least);
}

function progressWords(match: Match): string {
  const set = setName(match.rules?.maxPip ?? 9);
  const rounds = String(match.rules?.rounds ?? 0);
  return match.round === 0 ? `${set}, about to begin` : `${set}, round ${String(match.round)} of ${rounds}`;
}
