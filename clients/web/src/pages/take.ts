import type { Api } from "../api.js";
import { MatchState, type Match } from "../../gen/chickenfoot/v1/match_pb.js";
import { date } from "../words.js";

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

/** The newest matches that are over, played to their end or aborted, as many as wanted, and whether there are more. */
export async function takeOver(
  wanted: number,
  matches: Pick<Api["matches"], "listMatches">,
  of: { readonly tournamentId?: string },
  signal: AbortSignal,
): Promise<{ entries: Match[]; isMore: boolean }> {
  const lists = await Promise.all([MatchState.FINISHED, MatchState.ABORTED].map((state) =>
    take(wanted, async (pageSize, pageToken) => {
      const page = await matches.listMatches({ ...of, state, pageSize, pageToken }, { signal });
      return { entries: page.matches, next: page.nextPageToken };
    })));
  const made = ({ createTime }: Match): number => date(createTime)?.getTime() ?? 0;
  const all = lists.flatMap(({ entries }) => entries).sort((one, other) => made(other) - made(one));
  return { entries: all.slice(0, wanted), isMore: all.length > wanted || lists.some(({ isMore }) => isMore) };
}
