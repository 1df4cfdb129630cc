import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit-html";

import { millis, span } from "../words.js";
import { badge, marker, seatClass } from "./badge.js";
import { type Log, type Round, seatOf } from "./log.js";
import { logShare } from "./scale.js";
import { tell } from "./tell.js";
import { placeIn } from "./totals.js";

/** A decision and the time that it took. */
export interface Thought {
  readonly seq: number;
  readonly seat: number;
  readonly milliseconds: number;
}

/** The decisions of a round that took time. */
export function thoughtsOf(log: Log, round: Round): Thought[] {
  const out: Thought[] = [];
  for (let seq = round.first; seq <= round.last; seq += 1) {
    const entry = log.at(seq);
    const seat = entry && seatOf(entry.event);
    if (entry?.scene.think && seat !== undefined) {
      out.push({ seq, seat, milliseconds: millis(entry.scene.think) });
    }
  }
  return out;
}

const WIDTH = 400;
const LEFT = 24;
const ROW = 34;

/** Times below are shown as none, in milliseconds. */
const LEAST = 0.1;

const FOOT = 20;

/** A bar for each decision of a round, in a row for each seat; a click goes to the decision. */
export function thinkingGraph(
  thoughts: readonly Thought[],
  round: Round,
  current: number,
  names: readonly string[],
  goTo: (seq: number) => void,
): TemplateResult {
  if (thoughts.length === 0) {
    return html`<p class="soft">Nobody has decided anything in this round yet.</p>`;
  }
  const most = Math.max(...thoughts.map(({ milliseconds }) => milliseconds));
  if (most < LEAST) {
    return html`<p class="soft">All decisions of this round took less than ${span(LEAST)}.</p>`;
  }
  const height = names.length * ROW + FOOT;
  const step = (WIDTH - LEFT) / Math.max(1, round.last - round.first + 1);
  const x = (seq: number): number => LEFT + (seq - round.first) * step;
  const click = (event: MouseEvent): void => {
    const at = placeIn(event);
    const far = ({ seq }: Thought): number => Math.abs(x(seq) + step / 2 - at);
    goTo(thoughts.reduce((best, one) => (far(best) <= far(one) ? best : one)).seq);
  };
  return html`<svg class="graph seeks" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Time for each decision of the round. The table below has the numbers." @click=${click}>
    ${names.map((_, seat) => row(seat))}
    ${current >= round.first && current <= round.last ? svg`<path class="here" d="M${x(current) + step / 2} 0V${height - FOOT}" />` : nothing}
    ${thoughts.map((thought) => bar(thought, x(thought.seq), Math.max(1.5, step - 1), logShare(thought.milliseconds, most)))}
    <text class="axis" x=${LEFT} y=${height - 5}>A full bar is ${span(most)}. The scale is logarithmic.</text>
  </svg>`;
}

/** The same as a table; its decisions are links. */
export function thinkingTable(log: Log, thoughts: readonly Thought[], names: readonly string[], href: (seq: number) => string): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Time for each decision">
    <table>
      <thead><tr><th scope="col">Decision</th><th scope="col" class="number">Time</th></tr></thead>
      <tbody>${thoughts.map(({ seq, seat, milliseconds }) => {
        const event = log.at(seq)?.event;
        return html`<tr>
          <th scope="row">${badge(seat)} <a href=${href(seq)}>${event ? tell(event, names) : seq}</a></th>
          <td class="number">${span(milliseconds)}</td>
        </tr>`;
      })}</tbody>
    </table>
  </div>`;
}

function row(seat: number): SVGTemplateResult {
  const floor = (seat + 1) * ROW;
  return svg`<path class="grid" d="M${LEFT} ${floor}H${WIDTH}" />${marker(seat, 10, floor - ROW / 2 + 2)}`;
}

function bar({ seat }: Thought, x: number, width: number, share: number): SVGTemplateResult {
  const height = Math.max(1, share * (ROW - 6));
  return svg`<rect class="bar ${seatClass(seat)}" x=${x.toFixed(1)} y=${((seat + 1) * ROW - height).toFixed(1)} width=${width.toFixed(1)} height=${height.toFixed(1)} />`;
}
