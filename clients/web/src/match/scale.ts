/** Round numbers from 0 on, a few of them, the last of which is not below `most`. */
export function ticks(most: number, count = 4): number[] {
  const rough = Math.max(1, most) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((part) => part * power >= rough) ?? 10) * power);
  const out = [0];
  while ((out.at(-1) ?? 0) < most) {
    out.push((out.at(-1) ?? 0) + step);
  }
  return out.length > 1 ? out : [0, step];
}

/** Moves places apart so that between any two there is a gap, each as little as can be, within 0 and `most`. */
export function spread(places: readonly number[], gap: number, most: number): number[] {
  const order = places.map((_, at) => at).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0) || a - b);
  const out = [...places];
  let lowest = 0;
  for (const at of order) {
    out[at] = Math.max(out[at] ?? 0, lowest);
    lowest = (out[at] ?? 0) + gap;
  }
  let highest = most;
  for (const at of order.reverse()) {
    out[at] = Math.min(out[at] ?? 0, highest);
    highest = (out[at] ?? 0) - gap;
  }
  return out;
}

/** The part of a bar that a time takes, 0 to 1, by its order of magnitude: players think for a thousandth of a second or a minute. */
export function logShare(milliseconds: number, most: number): number {
  return most <= 0 ? 0 : Math.log1p(Math.max(0, milliseconds) * 10) / Math.log1p(most * 10);
}
