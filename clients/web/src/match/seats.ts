import { html, nothing, svg, type TemplateResult } from "lit-html";

import { type Match, OutReason } from "../../gen/chickenfoot/v1/match_pb.js";
import type { Scene } from "../../gen/chickenfoot/v1/scene_pb.js";
import { clock, count, millis, ordinal } from "../words.js";
import { badge } from "./badge.js";
import { drawHandTile } from "./draw.js";
import type { Hand } from "./hands.js";

/** What is shown of the seats. */
export interface SeatsView {
  readonly match: Match | undefined;
  readonly names: readonly string[];
  readonly scene: Scene | undefined;
  /** Whether this is how things stand now: what no event tells is known of now only. */
  readonly isNewest: boolean;
  /** The seats that are out by then. */
  readonly out: ReadonlySet<number>;
  /** Milliseconds that each seat has thought, if that is known. */
  readonly spent: readonly number[] | undefined;
  readonly hands: readonly Hand[];
  /** Each seat's final place, from 1, if the end of the match is shown. */
  readonly places: readonly number[];
  /** Where a name leads; nowhere without a server. */
  readonly link: (name: string) => string | undefined;
}

/** The seats, each with everything that is public of it. */
export function seats(view: SeatsView): TemplateResult {
  return html`<ul class="seats" aria-label="Seats">${view.names.map((_, seat) => card(view, seat))}</ul>`;
}

function card(view: SeatsView, seat: number): TemplateResult {
  const { scene, match } = view;
  const isOnTurn = scene?.onTurn === seat;
  const { tiles = 0, total = 0, lacks = [] } = scene?.seats[seat] ?? {};
  return html`<li class="seat panel ${isOnTurn ? "turn" : ""}">
    <div class="who">${badge(seat)} ${name(view, seat)}</div>
    <div class="tiles">${backs(tiles)}<span>${count(tiles, "tile")}</span></div>
    <div class="points"><b>${total}</b> pts</div>
    <div class="marks">${turnMark(view, seat, isOnTurn)}${faults(view, seat)}${view.isNewest ? bank(match, seat) : nothing}${lacking(lacks)}</div>
    <div class="clock" title="Time used so far"><span class="unseen">Time used: </span>${view.spent ? clock(view.spent[seat] ?? 0) : "–"}</div>
    ${hand(view.hands[seat])}
  </li>`;
}

function name({ names, link }: SeatsView, seat: number): TemplateResult {
  const text = names[seat] ?? "";
  const href = link(text);
  return href === undefined ? html`<span class="name">${text}</span>` : html`<a class="name" href=${href}>${text}</a>`;
}

/** Whose turn it is, in words, and at the end who came in at which place. */
function turnMark({ places }: SeatsView, seat: number, isOnTurn: boolean): unknown {
  const place = places[seat];
  if (place !== undefined) {
    return html`<span class="mark">${ordinal(place)}</span>`;
  }
  return isOnTurn ? html`<span class="mark">▶ to move</span>` : nothing;
}

/** The backs of the tiles in a hand; the number stands beside them. */
function backs(tiles: number): TemplateResult {
  const width = Math.max(0, tiles * 8 - 2);
  return html`<svg class="backs" width=${width} height="14" viewBox="0 0 ${width} 14" aria-hidden="true">
    ${Array.from({ length: tiles }, (_, at) => svg`<rect x=${at * 8 + 0.5} y="0.5" width="5" height="13" rx="1.5" />`)}
  </svg>`;
}

function faults({ match, isNewest, out }: SeatsView, seat: number): unknown {
  const { strikes = 0, out: reason = OutReason.UNSPECIFIED } = (isNewest ? match?.seats[seat]?.ledger : undefined) ?? {};
  const words = why(reason);
  return html`${strikes > 0 ? html`<span class="fault">${count(strikes, "strike")}</span>` : nothing}
  ${words !== "" || out.has(seat) ? html`<span class="fault">out${words && `: ${words}`}</span>` : nothing}`;
}

/** What is left of the time beyond the decisions' own, once some of it is used. */
function bank(match: Match | undefined, seat: number): unknown {
  const used = millis(match?.seats[seat]?.ledger?.bankUsed);
  return used > 0 ? html`<span class="soft">bank ${clock(millis(match?.bank) - used)}</span>` : nothing;
}

function why(out: OutReason): string {
  switch (out) {
    case OutReason.LEFT:
      return "it left";
    case OutReason.STRIKES:
      return "too many strikes";
    case OutReason.STRICT:
      return "a mistake in a strict match";
    case OutReason.UNSPECIFIED:
      return "";
  }
}

function lacking(numbers: readonly number[]): unknown {
  return numbers.length === 0
    ? nothing
    : html`<span class="lacks" title="It could not lay these, so it has none of them">has no ${numbers.map((number) => html`<b class="chip n${number}">${number}</b> `)}</span>`;
}

function hand(tiles: Hand): unknown {
  if (!tiles) {
    return nothing;
  }
  return html`<ul class="hand" aria-label="Hand">${tiles.map(
    ({ low = 0, high = 0 }) => html`<li><svg viewBox="-4 -4 208 108" width="44" height="23" role="img" aria-label="${low}-${high}">${drawHandTile(low, high)}</svg></li>`,
  )}</ul>`;
}

/** How long a seat may think, in words, for those who ask. */
export function clocks(match: Match): string {
  const parts = [`${clock(millis(match.decisionTime))} for each decision`];
  if (match.bank) {
    parts.push(`${clock(millis(match.bank))} besides in the whole match`);
  }
  return parts.join(", ");
}
