/** A page of a list. */
export interface Page<T> {
  readonly entries: readonly T[];
  /** Where the next page begins; empty if this is the last. */
  readonly next: string;
}

/** All entries of a list; each page is asked for when the one before it has been read. */
export async function* entries<T>(ask: (pageToken: string) => Promise<Page<T>>): AsyncGenerator<T, void> {
  let pageToken = "";
  do {
    const page = await ask(pageToken);
    yield* page.entries;
    pageToken = page.next;
  } while (pageToken !== "");
}
