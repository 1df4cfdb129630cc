import { createClient, type Client } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";

import { AgentService } from "./gen/chickenfoot/v1/agent_pb.js";
import { MatchService } from "./gen/chickenfoot/v1/match_pb.js";
import { TournamentService } from "./gen/chickenfoot/v1/tournament_pb.js";

/** The calls of the service, as an agent or as nobody, over the same gRPC-Web that the page uses. */
export interface Service {
  readonly agents: Client<typeof AgentService>;
  readonly matches: Client<typeof MatchService>;
  readonly tournaments: Client<typeof TournamentService>;
}

/** The calls of the service at an address. */
export function service(address: string, token?: string): Service {
  const transport = createGrpcWebTransport({
    baseUrl: address,
    interceptors: [
      (next) => (request) => {
        if (token !== undefined) request.header.set("authorization", `Bearer ${token}`);
        return next(request);
      },
    ],
  });
  return {
    agents: createClient(AgentService, transport),
    matches: createClient(MatchService, transport),
    tournaments: createClient(TournamentService, transport),
  };
}

/** Registers an agent; gives its calls. */
export async function agent(address: string, name: string): Promise<Service> {
  const { token } = await service(address).agents.registerAgent({ name });
  return service(address, token);
}
