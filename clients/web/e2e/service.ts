import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";

import { create, toBinary } from "@bufbuild/protobuf";
import { createClient, type Client } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";

import { AgentService, SessionRequestSchema } from "./gen/chickenfoot/v1/agent_pb.js";
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

/** Opens an agent's session, which browsers cannot; gives what ends it. It is open when this returns. */
export async function session(address: string, token: string): Promise<() => void> {
  const connection = connectHttp2(address);
  const stream = connection.request({
    ":method": "POST",
    ":path": `/${AgentService.typeName}/Session`,
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${token}`,
  });
  const message = toBinary(SessionRequestSchema, create(SessionRequestSchema, { what: { case: "open", value: {} } }));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  stream.write(Buffer.concat([head, message]));
  // Hello.
  await once(stream, "data");
  return () => {
    connection.destroy();
  };
}
