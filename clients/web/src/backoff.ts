/** How long to wait before the next try, in milliseconds: longer after every failure, and never the same for all pages. */
export function backoff(failures: number, random: () => number = Math.random): number {
  const most = Math.min(30_000, 500 * 2 ** Math.min(failures, 10));
  return most / 2 + (random() * most) / 2;
}
