import { html, nothing, svg, type TemplateResult } from "lit-html";

/** An estimate, and between what it lies with 95 % certainty, if that is known. */
export interface Estimate {
  readonly estimate: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/** What a column of bars spans, so that bars under each other can be compared. */
export interface Scale {
  readonly low: number;
  readonly high: number;
}

/** The width of a bar in units of its drawing. */
const WIDTH = 200;
/** What stays free on both sides. */
const FREE = 4;

/**
 * A scale for all of these, with the value that the bars are read against. Its ends are round numbers, so that it rarely
 * changes while the estimates do.
 */
export function scaleOf(estimates: readonly (Estimate | undefined)[], middle: number): Scale {
  const values = estimates.flatMap((one) => (one ? [one.estimate, one.low ?? one.estimate, one.high ?? one.estimate] : []));
  const low = Math.min(middle, ...values);
  const high = Math.max(middle, ...values);
  const step = roundStep((high - low) / 4);
  const [down, up] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  return down === up ? { low: middle - step, high: middle + step } : { low: down, high: up };
}

/** The bar of one estimate: the interval as a bar, the estimate as a dot, and the line that all are read against. */
export function bar(one: Estimate | undefined, scale: Scale, middle: number): TemplateResult {
  const x = (value: number): number => {
    const share = (value - scale.low) / (scale.high - scale.low);
    return FREE + Math.min(1, Math.max(0, share)) * (WIDTH - 2 * FREE);
  };
  const range = one?.low !== undefined && one.high !== undefined
    ? svg`<rect class="range" x=${x(one.low)} y="5" width=${Math.max(1, x(one.high) - x(one.low))} height="6" rx="2"></rect>`
    : nothing;
  return html`<svg class="interval" viewBox="0 0 ${WIDTH} 16" aria-hidden="true" focusable="false">
    <line class="middle" x1=${x(middle)} x2=${x(middle)} y1="0" y2="16"></line>
    ${range}
    ${one ? svg`<circle class="estimate" cx=${x(one.estimate)} cy="8" r="4"></circle>` : nothing}
  </svg>`;
}

/** The ends of a scale and its middle, for the head of a column of bars. */
export function ends(scale: Scale, middle: number, text: (value: number) => string): TemplateResult {
  const share = (middle - scale.low) / (scale.high - scale.low);
  const isApart = share > 0.2 && share < 0.8;
  const at = FREE + share * (WIDTH - 2 * FREE);
  return html`<svg class="interval scale" viewBox="0 0 ${WIDTH} 16" aria-hidden="true" focusable="false">
    <text x="0" y="12">${text(scale.low)}</text>
    ${isApart ? svg`<text x=${at} y="12" text-anchor="middle">${text(middle)}</text>` : nothing}
    <text x=${WIDTH} y="12" text-anchor="end">${text(scale.high)}</text>
  </svg>`;
}

/** A step of 1, 2 or 5 times a power of ten that is not below this. */
function roundStep(least: number): number {
  if (!(least > 0)) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((one) => one * power >= least) ?? 10;
  return factor * power;
}
