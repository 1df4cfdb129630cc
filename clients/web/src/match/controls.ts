import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";

import type { Cursor } from "./cursor.js";
import { icon } from "./icons.js";
import type { Action } from "./keys.js";
import type { Log } from "./log.js";
import { type Speed, SPEEDS } from "./pace.js";
import { countUpTo, startOf } from "./steps.js";

/** What the controls can do. */
export interface Deeds {
  act(action: Action): void;
  goTo(seq: number): void;
  /** The slider is taken hold of or left, and moved: what it moves between is one step of the browser's history. */
  grab(): void;
  slide(seq: number): void;
  setSpeed(speed: Speed): void;
}

/** What is shown of the controls. */
export interface ControlsView {
  readonly log: Log;
  readonly cursor: Cursor;
  readonly speed: Speed;
  /** Whether it is known how long the players thought. */
  readonly hasTimes: boolean;
  /** Whether nothing more will come. */
  readonly isOver: boolean;
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
  const { cursor, deeds } = view;
  const isPlaying = cursor.mode === "play";
  const button = (action: Action & keyof typeof LABELS): TemplateResult => step(deeds, action, action, LABELS[action], false);
  const small = [button("previous"), step(deeds, "play", isPlaying ? "pause" : "play", isPlaying ? "Pause" : "Play", cursor.isLive), button("next")];
  const steps = view.isSmall ? small : [button("first"), button("previousRound"), ...small, button("nextRound"), button("last")];
  return html`<div class="controls" role="group" aria-label="Position">
    ${slider(view)}
    <div class="bars">
      <div class="row steps">${steps}${liveButton(view)}</div>
      ${view.isSmall ? nothing : html`<div class="row">${roundSelect(view)}${speedSelect(view)}${view.more}</div>`}
    </div>
  </div>`;
}

/** What the buttons are called. */
const LABELS = {
  first: "First move",
  previousRound: "Previous round",
  previous: "Previous move",
  next: "Next move",
  nextRound: "Next round",
  last: "Last move",
} as const;

function step(deeds: Deeds, action: Action, sign: Parameters<typeof icon>[0], label: string, isIdle: boolean): TemplateResult {
  return html`<button type="button" class="step" aria-label=${label} title=${label} aria-disabled=${isIdle ? "true" : nothing} @click=${() => {
    deeds.act(action);
  }}>${icon(sign)}</button>`;
}

function slider({ log, cursor, deeds, said }: ControlsView): TemplateResult {
  const at = countUpTo(log, cursor.seq);
  const move = (event: Event): void => {
    const seq = log.stops[Number((event.currentTarget as HTMLInputElement).value) - 1];
    if (seq !== undefined) {
      deeds.slide(seq);
    }
  };
  const grab = (): void => {
    deeds.grab();
  };
  return html`<input type="range" class="slider" aria-label="Move" min="1" .max=${String(Math.max(1, log.stops.length))} step="1"
    .value=${live(String(Math.max(1, at)))} aria-valuetext=${said} @pointerdown=${grab} @blur=${grab} @input=${move} />`;
}

function liveButton({ cursor, deeds, isOver }: ControlsView): unknown {
  if (isOver && cursor.fresh === 0) {
    return nothing;
  }
  const { fresh } = cursor;
  const isFollowing = cursor.mode === "follow";
  return html`<button type="button" class="live" aria-pressed=${String(isFollowing)} @click=${() => {
    deeds.act("live");
  }}>${fresh > 0 ? `${String(fresh)} new ${fresh === 1 ? "move" : "moves"} · ` : ""}${isOver ? "End" : "Live"}</button>`;
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

function speedSelect({ speed, hasTimes, deeds }: ControlsView): TemplateResult {
  const choose = (event: Event): void => {
    const chosen = SPEEDS[(event.currentTarget as HTMLSelectElement).selectedIndex];
    if (chosen !== undefined) {
      deeds.setSpeed(chosen);
    }
  };
  return html`<label>Speed <select @change=${choose}>
    ${SPEEDS.map((one) => html`<option ?disabled=${one === "played" && !hasTimes} .selected=${live(one === speed)}>${one === "played" ? "as played" : `${String(one)}×`}</option>`)}
  </select></label>`;
}
