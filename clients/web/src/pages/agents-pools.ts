import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import type { LeaderboardEntry, RatingPool } from "../../gen/chickenfoot/v1/agent_pb.js";
import { count } from "../words.js";
import { bar, ends, scaleOf, type Estimate } from "./interval.js";
import { agentLink, plain, scroller, type Content } from "./parts.js";
import { rulesTextInWords } from "./rules.js";

/** What a newcomer's mean is: bars are read against it. */
const NEWCOMER = 25;

/** Where an agent lies with 95 % certainty. */
export function estimate(entry: LeaderboardEntry): Estimate {
  const { mean, deviation } = entry;
  return { estimate: mean, low: mean - 1.96 * deviation, high: mean + 1.96 * deviation };
}

/** The choice of a pool, in words; nothing where there is but one. */
export function poolChoice(pools: readonly RatingPool[], chosen: string, choose: (rulesText: string) => void): Content {
  if (pools.length < 2) {
    return nothing;
  }
  const ordered = pools.toSorted((one, other) => Number(other.matches - one.matches));
  const changed = (event: Event): void => {
    choose((event.target as HTMLSelectElement).value);
  };
  return html`<p><label class="pool">Rules <select @change=${changed}>
    ${repeat(ordered, (pool) => pool.rulesText, (pool) => html`<option value=${pool.rulesText} ?selected=${pool.rulesText === chosen}>${optionWords(pool, pools)}</option>`)}
  </select></label></p>`;
}

/** The agents of a pool by rank. */
export function leaderboard(entries: readonly LeaderboardEntry[]): TemplateResult {
  const scale = scaleOf(entries.map(estimate), NEWCOMER);
  const row = (entry: LeaderboardEntry): TemplateResult => html`<tr>
    <td class="number">${entry.rank}</td>
    <th scope="row">${agentLink(entry.agent)}</th>
    <td class="number"><strong>${plain(entry.rating, 1)}</strong></td>
    <td class="number">${plain(entry.mean, 1)} <span class="soft">± ${plain(1.96 * entry.deviation, 1)}</span></td>
    <td class="bar">${bar(estimate(entry), scale, NEWCOMER)}</td>
    <td class="number">${entry.matches}</td>
  </tr>`;
  return scroller("Leaderboard", html`<table class="standings">
    <caption class="unseen">Agents by rank</caption>
    <thead><tr>
      <th scope="col" class="number">#</th><th scope="col">Agent</th><th scope="col" class="number">Rating</th>
      <th scope="col" class="number">Mean<br><small>95 % interval</small></th>
      <th class="bar">${ends(scale, NEWCOMER, (value) => plain(value, Number.isInteger(value) ? 0 : 1))}<span class="unseen">Mean as a bar</span></th>
      <th scope="col" class="number">Matches</th>
    </tr></thead>
    <tbody>${repeat(entries, (entry) => entry.agent, row)}</tbody>
  </table>`);
}

/** A pool in words: with its details where its short words do not tell it from another. */
function optionWords(pool: RatingPool, pools: readonly RatingPool[]): string {
  const { short, details } = rulesTextInWords(pool.rulesText);
  const isAlone = pools.every((other) => other === pool || rulesTextInWords(other.rulesText).short !== short);
  const words = isAlone ? short : `${short}; ${details}`;
  return `${words} (${count(Number(pool.matches), "match", "matches")})`;
}
