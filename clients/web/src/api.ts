import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";

import { AgentService } from "../gen/chickenfoot/v1/agent_pb.js";
import { MatchService } from "../gen/chickenfoot/v1/match_pb.js";
import { TournamentService } from "../gen/chickenfoot/v1/tournament_pb.js";

/** The services of the server that the page came from. */
export interface Api {
  readonly agents: Client<typeof AgentService>;
  readonly matches: Client<typeof MatchService>;
  readonly tournaments: Client<typeof TournamentService>;
}

/** Calls the server that the page came from, over gRPC-Web. Nobody is logged in: the page sees what everybody may see. */
export function connect(): Api {
  const transport = createGrpcWebTransport({ baseUrl: location.origin });
  return {
    agents: createClient(AgentService, transport),
    matches: createClient(MatchService, transport),
    tournaments: createClient(TournamentService, transport),
  };
}
