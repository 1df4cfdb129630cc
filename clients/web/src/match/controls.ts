import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";

import type { Cursor } from "./cursor.js";
import type { Action } from "./keys.js";
import type { Log } from "./log.js";
import { type Speed, SPEEDS } from "./pace.js";
import { countUpTo, startOf } from "./steps.js";

/** What the controls can do. */
export interface Deeds {
  act(action: Action): void;
  goTo(seq: number): void;
  setSpeed(speed: Speed): void;
}

/** What is shown of the controls. */
export interface ControlsView {
  readonly log: Log;
  readonly cursor: Cursor;
  readonly speed: Speed;
  /** What is shown, in words: for who hears the slider. */
  readonly said: string;
  readonly deeds: Deeds;
  /** Whether there is nothing but the table, the status and this. */
  readonly isSmall: boolean;
  /** Other things that stand at the end. */
  readonly more: unknown;
}

/** The slider and the buttons below the table. */
export function controls(view: ControlsView): TemplateResult {
  const { log, cursor, deeds } = view;
  const isPlaying = cursor.mode === "play";
  const button = (action: Action, sign: string, label: string): TemplateResult =>
    html`<button type="button" class="step" aria-label=${label} title=${label} @click=${() => {
      deeds.act(action);
    }}>${sign}</button>`;
  return html`<div class="controls" role="group" aria-label="Position">
    ${slider(view)}
    <div class="row">
      ${view.isSmall ? nothing : html`${button("first", "⏮", "First move")}${button("previousRound", "«", "Previous round")}`}
      ${button("previous", "‹", "Previous move")}
      <button type="button" class="step" aria-label=${isPlaying ? "Pause" : "Play"} title=${isPlaying ? "Pause" : "Play"} @click=${() => {
        deeds.act("play");
      }}>${isPlaying ? "❚❚" : "▶"}</button>
      ${button("next", "›", "Next move")}
      ${view.isSmall ? nothing : html`${button("nextRound", "»", "Next round")}${button("last", "⏭", log.isOver ? "Last move" : "Newest move")}`}
      ${liveButton(log, cursor, deeds)}
    </div>
    ${view.isSmall ? nothing : html`<div class="row">${roundSelect(view)}${speedSelect(view)}${view.more}</div>`}
  </div>`;
}

function slider({ log, cursor, deeds, said }: ControlsView): TemplateResult {
  const at = countUpTo(log, cursor.seq);
  const move = (event: Event): void => {
    const seq = log.stops[Number((event.currentTarget as HTMLInputElement).value) - 1];
    if (seq !== undefined) {
      deeds.goTo(seq);
    }
  };
  return html`<input type="range" class="slider" aria-label="Move" min="1" .max=${String(Math.max(1, log.stops.length))} step="1"
    .value=${live(String(Math.max(1, at)))} aria-valuetext=${said} @input=${move} />`;
}

function liveButton(log: Log, cursor: Cursor, deeds: Deeds): unknown {
  if (log.isOver && cursor.fresh === 0) {
    return nothing;
  }
  const { fresh } = cursor;
  const isFollowing = cursor.mode === "follow";
  return html`<button type="button" class="live" aria-pressed=${String(isFollowing)} @click=${() => {
    deeds.act("live");
  }}>${fresh > 0 ? `${String(fresh)} new ${fresh === 1 ? "move" : "moves"} · ` : ""}${log.isOver ? "End" : "Live"}</button>`;
}

function roundSelect({ log, cursor, deeds }: ControlsView): TemplateResult {
  const current = log.roundAt(cursor.seq)?.number ?? 0;
  const choose = (event: Event): void => {
    const seq = startOf(log, Number((event.currentTarget as HTMLSelectElement).value));
    if (seq !== undefined) {
      deeds.goTo(seq);
    }
  };
  return html`<label>Round <select @change=${choose}>
    ${current === 0 ? html`<option value="0" selected>–</option>` : nothing}
    ${log.rounds.map(({ number }) => html`<option value=${number} .selected=${live(number === current)}>${number}</option>`)}
  </select></label>`;
}

function speedSelect({ speed, deeds }: ControlsView): TemplateResult {
  const choose = (event: Event): void => {
    const chosen = SPEEDS[(event.currentTarget as HTMLSelectElement).selectedIndex];
    if (chosen !== undefined) {
      deeds.setSpeed(chosen);
    }
  };
  return html`<label>Speed <select @change=${choose}>
    ${SPEEDS.map((one) => html`<option .selected=${live(one === speed)}>${one === "played" ? "as played" : `${String(one)}×`}</option>`)}
  </select></label>`;
}
