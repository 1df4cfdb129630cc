import type { Api } from "./api.js";
import type { Page } from "./page.js";
import { MissingPage } from "./pages/missing.js";
import type { Route } from "./routes.js";

/** Makes the page for an address. */
export function openPage(_api: Api, route: Route | undefined): Page {
  switch (route?.page) {
    case "home":
    case "tournament":
    case "agents":
    case "agent":
    case "match":
    case undefined:
      return new MissingPage();
  }
}
