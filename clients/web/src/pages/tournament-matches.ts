import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import type { Match } from "../../gen/chickenfoot/v1/match_pb.js";
import type { TournamentEntrant } from "../../gen/chickenfoot/v1/tournament_pb.js";
import { matchLink, named, scroller, sitter, visible, type Content } from "./parts.js";
import { RESULT_HEAD, resultRow, type Who } from "./results.js";

/**
 * Who sits on a seat, by the name in the tournament. A player of the house sits down under its strategy. Where one entrant alone has that strategy, its name is shown; where
 * several do, only the blocks tell which of them it was.
 */
export function entrantOf(entrants: Iterable<TournamentEntrant>): Who {
  const byStrategy = new Map<string, string | undefined>();
  for (const { house, name } of entrants) {
    if (house !== "") {
      byStrategy.set(house, byStrategy.has(house) ? undefined : name);
    }
  }
  return (seat) => {
    const strategy = seat.spec?.who.case === "house" ? seat.spec.who.value : undefined;
    const name = strategy === undefined ? undefined : byStrategy.get(strategy);
    return name === undefined ? sitter(seat) : named(name);
  };
}

/** Matches that are being played, in so many rows at least: what stands below stays where it is. */
export function running(matches: readonly Match[], rows: number, who: Who): TemplateResult {
  const free = Array.from({ length: Math.max(0, rows - matches.length) });
  return html`<ul class="lines running">
    ${repeat(matches, (match) => match.id, (match) => html`<li>${matchLink(match.id)}: ${players(match, who)}</li>`)}
    ${free.map(() => html`<li aria-hidden="true">&nbsp;</li>`)}
  </ul>`;
}

function players(match: Match, who: Who): Content {
  return html`${match.seats.map((seat, index) => html`${index > 0 ? ", " : nothing}${who(seat)}`)}`;
}

/** Matches that are over, the newest first, those with one deal together. */
export function played(matches: readonly Match[], who: Who): TemplateResult {
  return scroller("Matches that are over", html`<table class="results">
    <caption class="unseen">Matches that are over, by their deal, the newest first</caption>
    ${RESULT_HEAD}
    ${repeat(byDeal(matches), ([deal]) => deal, ([deal, those]) => html`<tbody>
      <tr class="deal"><th colspan="4" scope="rowgroup">${dealHead(deal)}</th></tr>
      ${repeat(those, (match) => match.id, (match) => resultRow(match, who))}
    </tbody>`)}
  </table>`);
}

/** The matches of each deal; those of unfinished blocks, whose deal is not told yet, have the empty one. */
function byDeal(matches: readonly Match[]): [string, Match[]][] {
  const deals = new Map<string, Match[]>();
  for (const match of matches) {
    const those = deals.get(match.dealId) ?? [];
    those.push(match);
    deals.set(match.dealId, those);
  }
  return [...deals];
}

/** A deal is bound to the tournament's id or `fixed`, the number of its block, and how often that was begun again. */
function dealHead(deal: string): Content {
  if (deal === "") {
    return "A block that is not over: its deal is still played";
  }
  const [, number, attempt] = /\.(\d+)\.(\d+)$/.exec(deal) ?? [];
  if (number === undefined) {
    return html`Deal ${named(deal)}`;
  }
  const again = attempt === "0" ? "" : ", begun again";
  return html`<span title="Deal ${visible(deal)}">Block ${Number(number)}${again}</span>`;
}
