import type { Event } from "../../gen/chickenfoot/v1/event_pb.js";
import type { Match } from "../../gen/chickenfoot/v1/match_pb.js";
import type { Scene } from "../../gen/chickenfoot/v1/scene_pb.js";
import { count } from "../words.js";
import type { Log } from "./log.js";
import { tell } from "./tell.js";

/** How a match stands after an event, in words: what happened, what has to be laid, what is left. */
export function status(log: Log, seq: number, names: readonly string[]): string {
  const entry = log.at(seq);
  if (!entry) {
    return "Nothing has happened yet";
  }
  const told = tell(entry.event, names);
  return isEnd(entry.event) ? told : [told, ...stands(entry.scene, names)].join(" · ");
}

/** Whether nothing is to be laid any more. */
function isEnd({ what }: Event): boolean {
  return what.case === "roundEnded" || what.case === "matchEnded" || what.case === "matchAborted";
}

/** What has to be laid, by whom, and what is left. */
function stands(scene: Scene, names: readonly string[]): string[] {
  const parts = needs(scene);
  const { onTurn, round, boneyard } = scene;
  if (onTurn !== undefined) {
    parts.push(`${names[onTurn] ?? `seat ${String(onTurn)}`} to move`);
  }
  if (round > 0) {
    parts.push(`yard ${String(boneyard)}`);
  }
  return parts;
}

/** `round 3 of 10`; nothing before the first. */
export function roundOf(round: number, match: Match | undefined): string {
  const rounds = match?.rules?.rounds;
  return round === 0 ? "" : `round ${String(round)}${rounds === undefined ? "" : ` of ${String(rounds)}`}`;
}

/** What has to be laid before anything else. */
function needs({ foot, armsLeft, round }: Scene): string[] {
  if (foot) {
    return [`foot on ${String(foot.number)}: ${word(foot.missing)} ${foot.missing === 1 ? "toe" : "toes"} missing`];
  }
  return armsLeft > 0 && round > 0 ? [`${count(armsLeft, "arm")} to begin`] : [];
}

function word(number: number): string {
  return ["no", "one", "two", "three"][number] ?? String(number);
}
