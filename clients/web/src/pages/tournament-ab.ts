import { html, nothing, svg, type TemplateResult } from "lit-html";

import { AbVerdict, type AbStanding, type TournamentConfig } from "../../gen/chickenfoot/v1/tournament_pb.js";
import { count } from "../words.js";
import { named, signed } from "./parts.js";

/** How an A/B test stands: its log-likelihood ratio between the bounds, and what it says. */
export function abTest(ab: AbStanding, config: TournamentConfig | undefined): TemplateResult {
  const test = config?.format.case === "abTest" ? config.format.value : undefined;
  const { margin } = ab;
  const interval = margin?.low !== undefined && margin.high !== undefined
    ? `, 95 % interval ${signed(margin.low, 1)} to ${signed(margin.high, 1)}`
    : "";
  return html`<section class="panel ab" aria-labelledby="ab"><h2 id="ab">A/B test</h2>
    <p>Is ${named(test?.candidate ?? "the candidate")} better than ${named(test?.base ?? "the base")}?
      <strong class="verdict">${verdict(ab.verdict)}</strong> <span class="soft">after ${count(ab.blocks, "block")}</span></p>
    ${ratio(ab)}
    <p>Log-likelihood ratio <strong>${signed(ab.llr, 2)}</strong>: at or above ${signed(ab.upperBound, 2)} the candidate is better,
      at or below ${signed(ab.lowerBound, 2)} it is not.</p>
    ${margin ? html`<p>Margin ${signed(margin.estimate, 1)} pips a match${interval}.</p>` : nothing}
  </section>`;
}

function verdict(it: AbVerdict): string {
  switch (it) {
    case AbVerdict.BETTER:
      return "Yes, it is better";
    case AbVerdict.NOT_BETTER:
      return "No, it is not better by the effect looked for";
    case AbVerdict.UNDECIDED:
      return "Undecided at the most blocks";
    case AbVerdict.UNSPECIFIED:
      return "Not decided yet";
  }
}

const WIDTH = 400;

/** The way between the bounds, and where the ratio is on it; past a bound it stays at the end. */
function ratio(ab: AbStanding): TemplateResult {
  const x = (value: number): number => {
    const share = (value - ab.lowerBound) / (ab.upperBound - ab.lowerBound);
    return 10 + Math.min(1, Math.max(0, share)) * (WIDTH - 20);
  };
  const at = x(ab.llr);
  const from = x(0);
  return html`<svg class="ratio" viewBox="0 0 ${WIDTH} 44" aria-hidden="true" focusable="false">
    <rect class="way" x="10" y="8" width=${WIDTH - 20} height="8" rx="4"></rect>
    ${svg`<rect class="gone" x=${Math.min(at, from)} y="8" width=${Math.abs(at - from)} height="8"></rect>`}
    <line class="middle" x1=${from} x2=${from} y1="3" y2="21"></line>
    <path class="here" d="M ${at} 12 m -6 0 l 6 -8 l 6 8 l -6 8 z"></path>
    <text x="4" y="38">not better</text>
    <text x=${WIDTH - 4} y="38" text-anchor="end">better</text>
  </svg>`;
}
