import { html, nothing, type TemplateResult } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { repeat } from "lit-html/directives/repeat.js";

import type { Address } from "./address.js";
import { badge } from "./badge.js";
import type { Log, Round } from "./log.js";
import { type Line, lines, type Part } from "./moves.js";

/** The list of moves by rounds. Only rounds that are unfolded are drawn. */
export class MoveList {
  /** Rounds that the reader has unfolded, or folded. */
  private readonly chosen = new Map<number, boolean>();

  constructor(
    private readonly log: Log,
    private readonly address: Address,
    private readonly changed: () => void,
  ) {}

  render(seq: number, names: readonly string[]): TemplateResult {
    const current = this.log.roundAt(seq);
    const rounds = [...this.log.rounds].reverse();
    return html`<div class="moves" tabindex="0" role="region" aria-label="Moves by round">
      ${rounds.length === 0 ? html`<p class="soft">There are no moves yet.</p>` : nothing}
      ${repeat(
        rounds,
        (round) => round.number,
        (round) => this.round(round, round === current, seq, names),
      )}
    </div>`;
  }

  private round(round: Round, isCurrent: boolean, seq: number, names: readonly string[]): TemplateResult {
    const isOpen = this.chosen.get(round.number) ?? isCurrent;
    const toggle = (event: Event): void => {
      const { open } = event.currentTarget as HTMLDetailsElement;
      if (open !== isOpen) {
        this.chosen.set(round.number, open);
        this.changed();
      }
    };
    const double = round.tiles[0]?.tile.inner;
    return html`<details .open=${isOpen} @toggle=${toggle}>
      <summary>Round ${round.number}${double === undefined ? nothing : html` <span class="soft">from ${double}-${double}</span>`}</summary>
      ${isOpen ? guard([round.last, this.log.version, isCurrent ? seq : 0, names], () => this.lines(round, isCurrent ? seq : 0, names)) : nothing}
    </details>`;
  }

  private lines(round: Round, seq: number, names: readonly string[]): TemplateResult {
    return html`<ol>${lines(this.log, round, names).map((line) => html`<li>${this.line(line, seq, names)}</li>`)}</ol>`;
  }

  private line(line: Line, seq: number, names: readonly string[]): unknown {
    switch (line.kind) {
      case "move":
        return html`${badge(line.seat)} ${this.link(line.seq, `${names[line.seat] ?? ""} ${line.text}`, seq)}`;
      case "note":
        return html`<span class="note">${this.link(line.seq, line.text, seq)}</span>`;
      case "forced":
        return html`<span class="forced">${line.parts.map((part, at) => this.part(part, line.parts[at - 1], seq, names))}</span>`;
    }
  }

  /** A draw or pass; the name stands there once if a seat draws and passes. */
  private part(part: Part, before: Part | undefined, seq: number, names: readonly string[]): TemplateResult {
    const isSame = before?.seat === part.seat;
    const between = before ? (isSame ? ", " : "; ") : "";
    return html`${between}${isSame ? nothing : badge(part.seat)}${this.link(part.seq, isSame ? part.text : `${names[part.seat] ?? ""} ${part.text}`, seq)}`;
  }

  private link(to: number, text: string, seq: number): TemplateResult {
    return html`<a class="name" href=${this.address.href(to)} aria-current=${to === seq ? "step" : nothing}>${text}</a>`;
  }
}

/** Scrolls the list so that the current move is in view, and nothing but the list. */
export function showCurrent(root: ParentNode): void {
  const list = root.querySelector(".moves");
  const link = list?.querySelector("[aria-current=step]");
  if (!list || !link) {
    return;
  }
  const [frame, place] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
  if (place.top < frame.top || place.bottom > frame.bottom) {
    list.scrollTop += place.top - frame.top - frame.height / 2;
  }
}
