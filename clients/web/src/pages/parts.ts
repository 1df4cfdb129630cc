import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { html, nothing, type TemplateResult } from "lit-html";

import type { Seat, SeatLedger } from "../../gen/chickenfoot/v1/match_pb.js";
import { OutReason } from "../../gen/chickenfoot/v1/match_pb.js";
import { paths } from "../routes.js";
import { ago, count, date, list, shortId } from "../words.js";

/** Any template, or a text, or nothing. */
export type Content = TemplateResult | typeof nothing | string;

/** A line that says whether what is shown may be old; readers of the screen are told when it appears. */
export function connection(lost: boolean): TemplateResult {
  const text = html`<span class="notice">Connection lost: what is shown may be old. Trying again.</span>`;
  return html`<p class="connection" role="status">${lost ? text : nothing}</p>`;
}

/** A page that has nothing to show, and why. */
export function refused(heading: string, reason: string): TemplateResult {
  return html`<h1>${heading}</h1>
    <p>The server says: ${reason}.</p>
    <p><a href=${paths.home()}>To the matches</a> or <a href=${paths.agents()}>to the agents</a>.</p>`;
}

/** What stands on a page until the first answer. */
export function loading(lost: boolean): TemplateResult {
  return lost ? html`${nothing}` : html`<p class="soft">Loading…</p>`;
}

/** A table that scrolls in a box of its own where the window is too narrow, by the keyboard too. */
export function scroller(label: string, table: TemplateResult): TemplateResult {
  return html`<div class="scroll" role="group" aria-label=${label} tabindex="0">${table}</div>`;
}

/** A button that shows more of a list; nothing if there is no more. */
export function more(isMore: boolean, what: string, act: () => void): Content {
  return isMore ? html`<button type="button" class="more" @click=${act}>Show more ${what}</button>` : nothing;
}

/** A name that somebody chose, as text and nothing else. */
export function named(text: string): TemplateResult {
  return html`<bdi class="name">${visible(text)}</bdi>`;
}

/** Who sits on a seat: an agent by its name, with a link to it, or a player of the house. */
export function sitter(seat: Seat): TemplateResult {
  const { name } = seat;
  if (name === "") {
    return seat.spec?.who.case === "agent"
      ? html`<span class="soft">waits for</span> ${agentLink(seat.spec.who.value)}`
      : html`<span class="soft">free</span>`;
  }
  return name.startsWith("house:")
    ? html`${named(name.slice("house:".length))} <span class="tag">house</span>`
    : agentLink(name);
}

/** An agent's name, with a link to its page. */
export function agentLink(name: string): TemplateResult {
  return html`<a class="name" href=${paths.agent(name)}><bdi>${visible(name)}</bdi></a>`;
}

/** A match by the first digits of its id. */
export function matchLink(id: string): TemplateResult {
  return html`<a href=${paths.match(id)}>Match <span class="id">${shortId(id)}</span></a>`;
}

/** When something happened; the exact time when pointed at. */
export function when(timestamp: Timestamp | undefined): Content {
  const then = date(timestamp);
  return then ? html`<time datetime=${then.toISOString()} title=${then.toLocaleString()}>${ago(then)}</time>` : nothing;
}

/** What a seat did wrong, in words: `2 late, 1 illegal, out by strikes`; `none` if nothing. */
export function faults(ledger: SeatLedger | undefined): string {
  if (!ledger) {
    return "none";
  }
  const words = [
    ledger.late > 0 ? `${String(ledger.late)} late` : "",
    ledger.gone > 0 ? `${String(ledger.gone)} gone` : "",
    ledger.illegal > 0 ? `${String(ledger.illegal)} illegal` : "",
    ledger.strikes > 0 ? count(ledger.strikes, "strike") : "",
    outWords(ledger.out),
  ];
  return list(words.filter((word) => word !== "")) || "none";
}

/** Why a seat was taken out, in words; empty if it was not. */
export function outWords(reason: OutReason): string {
  switch (reason) {
    case OutReason.LEFT:
      return "left";
    case OutReason.STRIKES:
      return "taken out for its strikes";
    case OutReason.STRICT:
      return "taken out for its first fault";
    case OutReason.UNSPECIFIED:
      return "";
  }
}

/** A text in which every character can be seen and stands where it is. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, "\ufffd");
}

/** A number with so many digits after the point, and a real minus. */
export function plain(value: number, digits: number): string {
  const text = value.toFixed(digits);
  const isZero = /^-?[0.]+$/.test(text);
  return isZero ? text.replace("-", "") : text.replace("-", "\u2212");
}

/** A number with its sign, even if that is a plus. */
export function signed(value: number, digits: number): string {
  const text = plain(value, digits);
  return text.startsWith("\u2212") || /^[0.]+$/.test(text) ? text : `+${text}`;
}

/** A share in percent. */
export function percent(share: number, digits = 0): string {
  return `${plain(100 * share, digits)} %`;
}
