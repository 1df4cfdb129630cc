import { Held, house } from "./held.js";
import { Server, type Ending } from "./server.js";
import { world, type World } from "./world.js";

/** A server with something on every page. */
export interface Site {
  readonly server: Server;
  readonly filled: World;
  /** A match that goes on when the test says so. */
  readonly running: Held;
  /** Every page, each with what is there once it is loaded. */
  readonly pages: readonly (readonly [path: string, ready: string])[];
}

/** Starts a server, and fills it. */
export async function site(ending: Ending): Promise<Site> {
  const server = await Server.start(ending);
  const filled = await world(server.address);
  const running = await Held.start(filled.ann, "ann", [house("greedy"), house("dead-foot"), house("lowest")]);
  await running.play(6);
  const pages = [
    ["/", ".card"],
    [`/t/${filled.roundRobin}`, ".standings tbody tr"],
    [`/t/${filled.abTest}`, ".ratio"],
    [`/t/${filled.open}`, ".lines li"],
    ["/agents", ".standings tbody tr"],
    ["/agents/ann", ".results tbody tr"],
    [`/m/${running.id}`, ".status .sign.on"],
    [`/m/${filled.match}`, ".moves a[aria-current=step]"],
    [`/m/${filled.match}/100`, ".moves a[aria-current=step]"],
    [`/m/${filled.match}?embed=1`, ".status .sign"],
    [`/m/${"0".repeat(32)}`, "h1"],
  ] as const;
  return { server, filled, running, pages };
}
