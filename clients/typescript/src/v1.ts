// The wire types of the contract, `proto/chickenfoot/v1`, as made by protoc-gen-es. They need neither Node nor a network:
// a page can use them with connect-web.
export * from "./gen/chickenfoot/v1/agent_pb.js";
export * from "./gen/chickenfoot/v1/event_pb.js";
export * from "./gen/chickenfoot/v1/game_pb.js";
export * from "./gen/chickenfoot/v1/match_pb.js";
export * from "./gen/chickenfoot/v1/scene_pb.js";
export * from "./gen/chickenfoot/v1/tournament_pb.js";
