import type { Api } from "./api.js";
import { openMatch } from "./match/open.js";
import type { Page } from "./page.js";
import { MissingPage } from "./pages/missing.js";
import type { Route } from "./routes.js";

/** Makes the page for an address. */
export function openPage(api: Api, route: Route | undefined): Page {
  switch (route?.page) {
    case "match":
      return openMatch(api, route.id, route.seq);
    case "home":
    case "tournament":
    case "agents":
    case "agent":
    case undefined:
      return new MissingPage();
  }
}
