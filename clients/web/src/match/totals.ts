import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit-html";

import { badge, dashes, marker, seatClass } from "./badge.js";
import type { Log } from "./log.js";
import { spread, ticks } from "./scale.js";

/** The seats' totals after a round. */
export interface RoundTotals {
  readonly round: number;
  /** The event that ended the round. */
  readonly seq: number;
  readonly scores: readonly number[];
  readonly totals: readonly number[];
}

/** The totals after each round that is over. */
export function totalsOf(log: Log): RoundTotals[] {
  const out: RoundTotals[] = [];
  for (const round of log.rounds) {
    for (let seq = round.last; seq > round.last - 3 && seq >= round.first; seq -= 1) {
      const what = log.at(seq)?.event.what;
      if (what?.case === "roundEnded") {
        out.push({ round: round.number, seq, scores: what.value.scores, totals: what.value.totals });
      }
    }
  }
  return out;
}

const WIDTH = 400;
const HEIGHT = 220;
const LEFT = 34;
const RIGHT = 124;
const TOP = 12;
const BOTTOM = 26;

interface Scene {
  readonly x: (round: number) => number;
  readonly y: (total: number) => number;
}

/** The totals by round, a line for each seat; a click goes to the end of a round. */
export function totalsGraph(
  rounds: readonly RoundTotals[],
  all: number,
  current: number,
  names: readonly string[],
  goTo: (seq: number) => void,
): TemplateResult {
  const last = rounds.at(-1);
  if (!last) {
    return html`<p class="soft">No round is over yet.</p>`;
  }
  const marks = ticks(Math.max(...last.totals));
  const most = marks.at(-1) ?? 1;
  const scene: Scene = {
    x: (round) => LEFT + (round / Math.max(1, all)) * (WIDTH - LEFT - RIGHT),
    y: (total) => HEIGHT - BOTTOM - (total / most) * (HEIGHT - TOP - BOTTOM),
  };
  const click = (event: MouseEvent): void => {
    const nearest = roundNear(event, rounds, scene);
    if (nearest) {
      goTo(nearest.seq);
    }
  };
  return html`<svg class="graph seeks" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Totals by round. The table below has the numbers." @click=${click}>
    ${marks.map((mark) => grid(mark, scene))}
    ${rounds.map(({ round }) => svg`<text class="axis" text-anchor="middle" x=${scene.x(round)} y=${HEIGHT - 8}>${round}</text>`)}
    ${current > 0 ? svg`<path class="here" d="M${scene.x(current)} ${TOP}V${HEIGHT - BOTTOM}" />` : ""}
    ${names.map((_, seat) => line(seat, rounds, scene))}
    ${labels(last, names, scene)}
  </svg>`;
}

/** The same as a table; its rounds are links. */
export function totalsTable(rounds: readonly RoundTotals[], names: readonly string[], href: (seq: number) => string): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Points by round">
    <table>
      <thead><tr><th scope="col">Round</th>${names.map((name, seat) => html`<th scope="col" class="number">${badge(seat)} <span class="name">${name}</span></th>`)}</tr></thead>
      <tbody>${rounds.map(
        ({ round, seq, scores, totals }) => html`<tr>
          <th scope="row"><a href=${href(seq)}>${round}</a></th>
          ${names.map((_, seat) => html`<td class="number">${totals[seat] ?? 0} <span class="soft">+${scores[seat] ?? 0}</span></td>`)}
        </tr>`,
      )}</tbody>
    </table>
  </div>`;
}

function grid(mark: number, { y }: Scene): SVGTemplateResult {
  return svg`<path class="grid" d="M${LEFT} ${y(mark)}H${WIDTH - RIGHT}" />
    <text class="axis" text-anchor="end" x=${LEFT - 6} y=${y(mark) + 4}>${mark}</text>`;
}

function line(seat: number, rounds: readonly RoundTotals[], { x, y }: Scene): SVGTemplateResult {
  const points = rounds.map(({ round, totals }) => [x(round), y(totals[seat] ?? 0)] as const);
  const path = points.map(([left, top]) => `L${left.toFixed(1)} ${top.toFixed(1)}`).join("");
  return svg`<path class="curve ${seatClass(seat)}" stroke-dasharray=${dashes(seat)} d="M${x(0)} ${y(0)}${path}" />
    ${points.map(([left, top]) => marker(seat, left, top))}`;
}

/** The names at the ends of the lines, moved apart where they would lie on one another. */
function labels(last: RoundTotals, names: readonly string[], { x, y }: Scene): SVGTemplateResult[] {
  const places = spread(names.map((_, seat) => y(last.totals[seat] ?? 0)), 14, HEIGHT - BOTTOM);
  return names.map((name, seat) => {
    const left = x(last.round) + 10;
    return svg`<text class="label ${seatClass(seat)}" x=${left} y=${(places[seat] ?? 0) + 4}>${short(name)} ${last.totals[seat] ?? 0}</text>`;
  });
}

function short(name: string): string {
  // By code points, so that none is cut in two.
  const letters = Array.from(name);
  return letters.length > 12 ? `${letters.slice(0, 11).join("")}…` : name;
}

/** The round whose end is nearest to where the graph was clicked. */
function roundNear(event: MouseEvent, rounds: readonly RoundTotals[], { x }: Scene): RoundTotals | undefined {
  const at = placeIn(event);
  const far = ({ round }: RoundTotals): number => Math.abs(x(round) - at);
  return rounds.reduce<RoundTotals | undefined>((best, one) => (best && far(best) <= far(one) ? best : one), undefined);
}

/** Where an event lies in a picture, to the right, in the picture's units. */
export function placeIn(event: MouseEvent): number {
  const matrix = event.currentTarget instanceof SVGSVGElement ? event.currentTarget.getScreenCTM() : null;
  return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()).x : 0;
}
