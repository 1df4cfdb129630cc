/** A page of a list as the service gives it. */
export interface ListPage<T> {
  readonly entries: readonly T[];
  /** What to ask the next page with; empty if this is the last. */
  readonly next: string;
}

/** Most entries that the service gives at once. */
const MOST_AT_ONCE = 1000;

/** The first entries of a paged list, as many as wanted if there are so many, and whether there are more. */
export async function take<T>(
  wanted: number,
  page: (pageSize: number, pageToken: string) => Promise<ListPage<T>>,
): Promise<{ entries: T[]; isMore: boolean }> {
  const entries: T[] = [];
  let token = "";
  do {
    const { entries: some, next } = await page(Math.min(MOST_AT_ONCE, wanted - entries.length), token);
    entries.push(...some);
    token = next;
  } while (token !== "" && entries.length < wanted);
  return { entries, isMore: token !== "" };
}
