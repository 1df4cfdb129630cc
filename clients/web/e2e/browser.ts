import assert from "node:assert/strict";

import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";

import type { Ending } from "./server.js";

const PROGRAM = process.env["CHICKENFOOT_CHROMIUM"] ?? "/usr/bin/chromium";

/** What a page did that it must not do, as lines of text. */
export class Complaints {
  readonly all: string[] = [];
  /** Origins that may be asked beside the page's own. */
  readonly others = new Set<string>();
  #lost = false;

  /** From here on the server is away: what cannot be loaded is no fault of the page's. */
  expectLoss(): void {
    this.#lost = true;
  }

  /** The server is back: from here on everything counts again. */
  endLoss(): void {
    this.#lost = false;
  }

  /** Listens to everything that goes wrong on a page; the origin is the only one it may ask. */
  listen(page: Page, origin: string): void {
    page.on("console", (message) => {
      if (!["error", "warning"].includes(message.type())) return;
      const text = message.text();
      if (this.#lost && /net::ERR_|Failed to load resource/.test(text)) return;
      this.all.push(`console ${message.type()}: ${text} (${message.location().url})`);
    });
    page.on("pageerror", (error) => this.all.push(`page error: ${String(error)}`));
    page.on("requestfailed", (request) => {
      const why = request.failure()?.errorText ?? "";
      // The page itself ends its stream and its calls when it is hidden or left.
      if (why === "net::ERR_ABORTED" || this.#lost) return;
      this.all.push(`request failed: ${request.url()}: ${why}`);
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (!["data:", "blob:", "file:"].includes(url.protocol) && url.origin !== origin && !this.others.has(url.origin)) {
        this.all.push(`request to another origin: ${request.url()}`);
      }
    });
    page.on("response", (response) => {
      if (response.status() >= 400) this.all.push(`status ${String(response.status())}: ${response.url()}`);
    });
    page.on("crash", () => this.all.push("the page crashed"));
  }
}

/** The sizes that tests look at. */
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1600, height: 1000 } };

/** One browser for all tests of a file. */
export class Chromium {
  private constructor(private readonly browser: Browser) {}

  static async start(ending: Ending): Promise<Chromium> {
    const browser = await chromium.launch({
      executablePath: PROGRAM,
      timeout: 120_000,
      // Without them it looks up its maker's hosts at every start.
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
    ending.after(() => browser.close());
    return new Chromium(browser);
  }

  /**
   * A browser window of its own, closed when the test is over, which fails if any of its pages complained: an error on
   * the console, also for what the policy forbids, an exception, a failed request, or one to another origin.
   */
  async window(test: Ending, origin: string, options: BrowserContextOptions = DESKTOP): Promise<Window> {
    const context = await this.browser.newContext({ colorScheme: "light", baseURL: origin, ...options });
    context.setDefaultTimeout(120_000);
    const complaints = new Complaints();
    context.on("page", (page) => {
      complaints.listen(page, origin);
    });
    test.after(async () => {
      await context.close();
      assert.deepEqual(complaints.all, []);
    });
    return new Window(context, complaints);
  }
}

/** A browser window. */
export class Window {
  constructor(
    readonly context: BrowserContext,
    readonly complaints: Complaints,
  ) {}

  /** A new tab at an address. */
  async open(path: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(path);
    return page;
  }
}
