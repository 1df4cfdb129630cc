import type { Api } from "./api.js";
import { openMatch } from "./match/open.js";
import type { Page } from "./page.js";
import { AgentPage } from "./pages/agent.js";
import { AgentsPage } from "./pages/agents.js";
import { HomePage } from "./pages/home.js";
import { MissingPage } from "./pages/missing.js";
import { TournamentPage } from "./pages/tournament.js";
import type { Route } from "./routes.js";

/** Makes the page for an address. */
export function openPage(api: Api, route: Route | undefined): Page {
  switch (route?.page) {
    case "match":
      return openMatch(api, route.id, route.seq);
    case "home":
      return new HomePage(api);
    case "tournament":
      return new TournamentPage(api, route.id);
    case "agents":
      return new AgentsPage(api);
    case "agent":
      return new AgentPage(api, route.name);
    case undefined:
      return new MissingPage();
  }
}
