import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, test } from "node:test";

import type { Page } from "playwright-core";

import { Chromium, DESKTOP, PHONE } from "./browser.js";
import { site } from "./site.js";

const chromium = await Chromium.start({ after });
const { server, pages } = await site({ after });

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What of axe's answer is read. */
interface Findings {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** What axe finds on a page, a line each. */
async function findings(page: Page): Promise<string[]> {
  // By the debugger, which the page's policy does not bind.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: AXE });
  const expression = "axe.run(document, { resultTypes: ['violations'] }).then((found) => JSON.stringify(found))";
  const { result } = await session.send("Runtime.evaluate", { expression, awaitPromise: true });
  const { violations } = JSON.parse(String(result.value)) as Findings;
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ""}`).join("\n")}`);
}

for (const [size, options] of [["phone", PHONE], ["desktop", DESKTOP]] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`axe finds nothing on any page, ${size}, ${colorScheme}`, async (context) => {
      const window = await chromium.window(context, server.address, { ...options, colorScheme });
      for (const [path, ready] of pages) {
        const page = await window.open(path);
        await page.locator(ready).first().waitFor();
        const folded = page.locator(".figures details:not([open]) > summary");
        while ((await folded.count()) > 0) await folded.first().click();
        assert.deepEqual(await findings(page), [], `${path}, ${size}, ${colorScheme}`);
        await page.close();
      }
    });
  }
}
