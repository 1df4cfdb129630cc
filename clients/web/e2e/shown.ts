import type { Page } from "playwright-core";

/** What a page of a match shows of a moment. */
export interface Shown {
  readonly status: string;
  /** The tiles, slots and all else on the table, as they are drawn. */
  readonly table: string;
  readonly seats: readonly string[];
}

/** What a page of a match shows now. */
export function shown(page: Page): Promise<Shown> {
  return page.evaluate(() => {
    const text = (element: Element | null): string => element?.textContent.replace(/\s+/g, " ").trim() ?? "";
    return {
      status: text(document.querySelector(".status span")),
      table: (document.querySelector(".felt svg.table")?.innerHTML ?? "").replace(/<!--.*?-->/g, ""),
      // The clocks run on.
      seats: [...document.querySelectorAll(".seat")].map((seat) => text(seat.querySelector(".tiles")) + text(seat.querySelector(".points"))),
    };
  });
}

/** Waits until the page follows a match, and shows its event of this number. */
export async function showsLive(page: Page, seq: number): Promise<void> {
  await page.locator(".status .sign.on").waitFor();
  await page.locator(`.moves a[aria-current=step][href$="/${String(seq)}"]`).waitFor({ state: "attached" });
}

/** Waits until the page shows the event of this number, in a match that is over or not followed, and knows the match. */
export async function showsAt(page: Page, seq: number): Promise<void> {
  await page.locator(".heading p").waitFor({ state: "attached" });
  await page.locator(`.moves a[aria-current=step][href$="/${String(seq)}"]`).waitFor({ state: "attached" });
}

/** Has the page believe that it is hidden, or seen again, as it is when the reader looks at another tab. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (hidden ? "hidden" : "visible") });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

/** How much wider than the window the page is, in pixels: 0 unless it scrolls sideways. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));
}
