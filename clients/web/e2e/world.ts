import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";

import { finished, house, playOut, seatOf, seed, type RulesInit, type Spec } from "./held.js";
import type { TournamentConfigSchema } from "./gen/chickenfoot/v1/tournament_pb.js";
import { agent, type Service } from "./service.js";

/** What a server has after a while: agents, rated ones too, matches that are over, tournaments of some formats. */
export interface World {
  readonly ann: Service;
  /** A match of four players of the house that is over, and its number of events. */
  readonly match: string;
  readonly events: number;
  /** A round robin that is over. */
  readonly roundRobin: string;
  /** An A/B test that is decided. */
  readonly abTest: string;
  /** A tournament that nobody has started. */
  readonly open: string;
}

/** A name that has to be shown as it is. */
export const TITLE = 'Zürich <b>Cup</b> & "日本" ♞';

/** A name as long as a name may be. */
export const LONG = "an-agent-whose-name-is-as-long-as-it-may";

/** Fills a server. */
export async function world(address: string): Promise<World> {
  const ann = await agent(address, "ann");
  const ben = await agent(address, "ben");
  const long = await agent(address, LONG);
  const match = await houseMatch(ann, ["greedy", "dead-foot", "lowest", "random"], {}, 7);
  const events = await finished(ann, match);
  await rated([["ann", ann], ["ben", ben]]);
  await rated([["ben", ben], [LONG, long], ["ann", ann]]);
  const roundRobin = await tournament(ann, TITLE, { case: "roundRobin", value: { cycles: 2 } }, ["greedy", "dead-foot", "lowest", "random"]);
  const abTest = await tournament(
    ann,
    "Is greedy better than random?",
    { case: "abTest", value: { candidate: "greedy", base: "random", maxBlocks: 60 } },
    ["greedy", "random", "lowest"],
    3,
  );
  for (const id of [roundRobin, abTest]) {
    await ended(ann, id);
  }
  const open = await created(ann, "Nobody has started this", { case: "swiss", value: { rounds: 3 } }, ["greedy", "lowest"], 2);
  return { ann, match, events, roundRobin, abTest, open };
}

/** Makes a match of players of the house, which begins at once. */
export async function houseMatch(service: Service, strategies: string[], rules: RulesInit, of: number): Promise<string> {
  const { match } = await service.matches.createMatch({ config: { seats: strategies.map(house), rules, seed: seed(of) } });
  return match?.id ?? "";
}

type Format = NonNullable<MessageInitShape<typeof TournamentConfigSchema>["format"]>;

/** Makes a tournament of players of the house, and starts it. */
export async function tournament(
  service: Service,
  name: string,
  format: Format,
  strategies: string[],
  tableSize = 4,
  concurrency = 4,
): Promise<string> {
  const tournamentId = await created(service, name, format, strategies, tableSize, concurrency);
  await service.tournaments.startTournament({ tournamentId });
  return tournamentId;
}

/** Makes a tournament of players of the house, which nobody has started yet. */
export async function created(
  service: Service,
  name: string,
  format: Format,
  strategies: string[],
  tableSize: number,
  concurrency = 4,
): Promise<string> {
  const entrants = strategies.map((strategy) => ({ name: strategy.replace(":", "-"), who: { case: "house" as const, value: strategy } }));
  const rules = { rounds: 2, players: tableSize };
  const config = { name, format, entrants, rules, tableSize, concurrency, seed: seed(1) };
  const { tournament } = await service.tournaments.createTournament({ config });
  return tournament?.id ?? "";
}

/** Waits until a tournament is over. */
export async function ended(service: Service, tournamentId: string): Promise<void> {
  const answers = service.tournaments.watchTournament({ tournamentId })[Symbol.asyncIterator]();
  while ((await answers.next()).done !== true);
}

/** A rated match of these agents. */
async function rated(agents: readonly (readonly [string, Service])[]): Promise<void> {
  const seats: Spec[] = agents.map(([name]) => seatOf(name));
  const [first] = agents;
  if (!first) return;
  const { match } = await first[1].matches.createMatch({
    config: { seats, rated: true, rules: { rounds: 2 }, grace: durationFromMs(60_000) },
  });
  const id = match?.id ?? "";
  for (const [, service] of agents) {
    await service.matches.joinMatch({ matchId: id });
  }
  await Promise.all(agents.map(([, service]) => playOut(service, id)));
}
