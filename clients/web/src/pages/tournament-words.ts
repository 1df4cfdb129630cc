import { html, nothing, type TemplateResult } from "lit-html";

import {
  AbArrangement,
  TournamentState,
  type Tournament,
  type TournamentConfig,
  type TournamentProgress,
} from "../../gen/chickenfoot/v1/tournament_pb.js";
import { count } from "../words.js";

/** Where a tournament stands, in a word. */
export function stateWord(state: TournamentState): string {
  switch (state) {
    case TournamentState.OPEN:
      return "open for entry";
    case TournamentState.RUNNING:
      return "running";
    case TournamentState.PAUSED:
      return "paused";
    case TournamentState.FINISHED:
      return "finished";
    case TournamentState.CANCELLED:
      return "cancelled";
    case TournamentState.UNSPECIFIED:
      return "in a state that this page does not know";
  }
}

/** Whether nothing more will happen in it. */
export function isOver(state: TournamentState): boolean {
  return state === TournamentState.FINISHED || state === TournamentState.CANCELLED;
}

/** The format of a tournament in words. Names of entrants are in none of them. */
export function formatWords(config: TournamentConfig | undefined): string {
  const format = config?.format;
  switch (format?.case) {
    case "roundRobin":
      return format.value.cycles > 1 ? `round robin, ${count(format.value.cycles, "cycle")}` : "round robin";
    case "gauntlet":
      return "gauntlet";
    case "swiss":
      return `Swiss, ${count(format.value.rounds, "round")}`;
    case "elimination":
      return "elimination";
    case "ladder":
      return "ladder";
    case "abTest":
      return format.value.arrangement === AbArrangement.HALVES ? "A/B test, half against half" : "A/B test";
    case undefined:
      return "a format that this page does not know";
  }
}

/** How far a tournament is: a bar, and the same in words. */
export function progress(tournament: Tournament): TemplateResult {
  const it = tournament.progress;
  const { finishedBlocks, totalBlocks } = it ?? { finishedBlocks: 0, totalBlocks: 0 };
  const words = progressWords(tournament.state, it);
  // A test may be decided early: its bar is full then all the same.
  const most = tournament.state === TournamentState.FINISHED ? finishedBlocks : totalBlocks;
  const isKnown = most > 0 && tournament.state !== TournamentState.OPEN;
  const bar = html`<progress max=${most} .value=${finishedBlocks} aria-label="Blocks that are over"></progress>`;
  return html`<span class="progress">${isKnown ? bar : nothing}<span>${words}</span></span>`;
}

function progressWords(state: TournamentState, it: TournamentProgress | undefined): string {
  if (!it || state === TournamentState.OPEN) {
    return "not started";
  }
  return it.totalBlocks === it.finishedBlocks || isOver(state)
    ? count(it.finishedBlocks, "block")
    : `${it.finishedBlocks.toLocaleString("en-GB")} of ${count(it.totalBlocks, "block")}`;
}
