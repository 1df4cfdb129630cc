import { html, nothing, type TemplateResult } from "lit-html";

import { type Match, MatchState } from "../../gen/chickenfoot/v1/match_pb.js";
import { paths } from "../routes.js";
import { count, list, millis, setName, shortId } from "../words.js";
import { badge } from "./badge.js";
import { controls } from "./controls.js";
import { draw } from "./draw.js";
import { chosen, handsAt } from "./hands.js";
import { helpDialog } from "./help.js";
import type { Entry, Round } from "./log.js";
import type { MatchPage } from "./page.js";
import { clocks, seats } from "./seats.js";
import { roundOf, status } from "./status.js";
import { countUpTo } from "./steps.js";
import { tableAt } from "./table.js";
import { thinkingGraph, thinkingTable, thoughtsOf } from "./thinking.js";
import { totalsGraph, totalsOf, totalsTable } from "./totals.js";

/** The page of a match. */
export function view(page: MatchPage): TemplateResult {
  const { source } = page.parts;
  if (source.refused !== "") {
    return html`<h1>No such match</h1><p>The server says: ${source.refused}. <a href=${paths.home()}>To the matches</a></p>`;
  }
  return html`<div class="match ${page.isSmall ? "small" : ""}">
    ${page.isSmall ? html`<h1 class="unseen">${page.title}</h1>` : heading(page)}
    <div class="board">${notice(page)}${board(page)}</div>
    ${page.isSmall ? nothing : html`<div class="side">${seatCards(page)}${handsChoice(page)}${moves(page)}</div>${page.isComing ? nothing : figures(page)}`}
    <div class="unseen" aria-live="polite">${page.announcer.text}</div>
    ${page.isSmall ? nothing : helpDialog()}
  </div>`;
}

function heading(page: MatchPage): TemplateResult {
  const { match } = page.parts.source;
  const round = page.parts.log.roundAt(page.seq)?.number ?? 0;
  const parts = [setName(match?.rules?.maxPip ?? 9), count(page.names.length, "seat"), roundOf(round, match)];
  return html`<div class="heading">
    <h1>Match ${shortId(match?.id ?? page.parts.id ?? "")}</h1>
    ${match ? html`<p class="soft" title=${clocks(match)}>${parts.filter((part) => part !== "").join(", ")}${match.rated ? ", rated" : ""}${tournament(page, match)}</p>` : nothing}
  </div>`;
}

function tournament(page: MatchPage, match: Match): unknown {
  return match.tournamentId === "" || page.parts.id === undefined
    ? nothing
    : html`, in <a href=${paths.tournament(match.tournamentId)}>a tournament</a>`;
}

/** What keeps the reader from seeing what is newest. */
function notice(page: MatchPage): unknown {
  const { log, source } = page.parts;
  if (source.link === "lost") {
    const behind = log.behind > 0 ? `, ${String(log.behind)} behind` : "";
    return html`<p class="notice lost" role="status">Connection lost${behind}. Trying again …</p>`;
  }
  return nothing;
}

function board(page: MatchPage): TemplateResult {
  const { log, source } = page.parts;
  const { seq, isComing } = page;
  const table = tableAt(log, seq);
  page.stage.show(table, !log.isOver && table.round === log.rounds.at(-1)?.number);
  const { gestures } = page.stage;
  const said = isComing ? "Loading …" : seq === 0 ? waiting(source.match) : status(log, seq, page.names);
  return html`
    <div class="felt">
      <svg class="table ${page.stage.isZoomed ? "zoomed" : ""}" role="img" aria-label=${page.isSmall ? "The table" : "The table. What lies on it stands under “The table as text”."}
        @pointerdown=${gestures.down} @pointermove=${gestures.drag} @pointerup=${gestures.up} @pointercancel=${gestures.up} @wheel=${gestures.wheel}
      >${draw(table)}</svg>
      ${page.stage.isZoomed ? html`<button type="button" class="whole" @click=${() => { page.act("whole"); }}>Whole table</button>` : nothing}
    </div>
    <p class="status">${sign(page)} <span>${said}</span></p>
    ${controls({ log, cursor: page.cursor, speed: page.player.pace, hasTimes: source.tellsAll === true, isOver: source.link === "over" || log.isOver, said, deeds: page, isSmall: page.isSmall, more: more(page) })}
    ${page.isSmall && page.parts.id !== undefined ? html`<p class="row"><a href=${page.parts.address.href(page.cursor.seq)} target="_blank" rel="noopener">Open the match</a></p>` : nothing}`;
}

/** Whether this is live, in a word. */
function sign(page: MatchPage): unknown {
  const { log, source } = page.parts;
  if (page.cursor.isLive) {
    const isThere = source.link === "open" && log.head > 0 && !source.isLoading;
    return isThere ? html`<b class="sign on">LIVE</b>` : nothing;
  }
  if (log.head === 0) {
    return nothing;
  }
  const at = countUpTo(log, page.cursor.seq);
  return html`<b class="sign">${log.isOver && page.cursor.seq === log.head ? "FINAL" : `${String(at)} / ${String(log.stops.length)}`}</b>`;
}

/** What an unbegun match waits for. */
function waiting(match: Match | undefined): string {
  switch (match?.state) {
    case MatchState.OPEN:
      return `Waiting for ${list(match.seats.flatMap(({ name, spec }, seat) => (name === "" ? [spec?.who.case === "agent" ? spec.who.value : `somebody on seat ${String(seat)}`] : [])))}`;
    case MatchState.ABORTED:
      return "The match was aborted before it began";
    case MatchState.RUNNING:
      return match.spectatorDelay > 0 ? "The first moves are shown later: this match is watched with a delay" : "The match begins";
    default:
      return "Loading …";
  }
}

/** Share, record, help. */
function more(page: MatchPage): unknown {
  const { id, source } = page.parts;
  return html`
    ${id === undefined ? nothing : html`<button type="button" @click=${() => { page.act("share"); }}>Share</button>`}
    ${id !== undefined && source.tellsAll ? html`<a class="button" href=${paths.record(id)} download="chickenfoot-${id}.json">Record</a>` : nothing}
    <button type="button" aria-haspopup="dialog" @click=${() => { page.act("help"); }}>Keys</button>
    ${page.share.render()}`;
}

function seatCards(page: MatchPage): TemplateResult {
  const { log, source, id } = page.parts;
  const { seq } = page;
  const entry = log.at(seq);
  const what = entry?.event.what;
  const isShown = source.tellsAll && page.hands !== "public";
  return seats({
    match: source.match,
    names: page.names,
    scene: entry?.scene,
    isNewest: seq === log.head,
    out: new Set(log.entries.slice(0, seq).flatMap(({ event: { what: it } }) => (it.case === "seatForfeited" ? [it.value.seat] : []))),
    spent: spent(page, entry),
    hands: isShown ? chosen(handsAt(log, seq, page.names.length), page.hands) : [],
    places: what?.case === "matchEnded" ? what.value.places : [],
    link: (name) => (id === undefined || !isAgent(name) ? undefined : paths.agent(name)),
  });
}

/** The time that each seat has thought, if it is known: until everything is told, only up to now. */
function spent(page: MatchPage, entry: Entry | undefined): readonly number[] | undefined {
  const { log, source } = page.parts;
  if (source.tellsAll) {
    return entry?.spent ?? [];
  }
  if (page.seq !== log.head) {
    return undefined;
  }
  const out = source.match?.seats.map(({ ledger }) => millis(ledger?.think)) ?? [];
  const isWatched = page.cursor.isLive && source.link === "open";
  return log.isOver ? out : page.clocks.run(out, isWatched ? entry?.scene.onTurn : undefined);
}

/** Whether it may be an agent's name: those of the house and free seats are none. */
function isAgent(name: string): boolean {
  return /^[0-9A-Za-z][0-9A-Za-z._-]*$/.test(name);
}

function handsChoice(page: MatchPage): unknown {
  const { log, source } = page.parts;
  if (!log.isOver) {
    return nothing;
  }
  if (!source.tellsAll) {
    return html`<p class="soft">The hands are not shown yet${source.tellsAll === false ? ": other matches have the same deal" : ""}.</p>`;
  }
  const one = (choice: typeof page.hands, text: unknown): TemplateResult => html`<label><input type="radio" name="hands" .checked=${page.hands === choice} @change=${() => {
    page.setHands(choice);
  }} /> <span class="name">${text}</span></label>`;
  return html`<fieldset class="hands"><legend>Hands</legend>${one("public", "hidden")}${one("all", "all")}${page.names.map((name, seat) => one(seat, html`${badge(seat)} ${name}`))}</fieldset>`;
}

function moves(page: MatchPage): TemplateResult {
  return html`<section class="list"><h2>Moves</h2>${page.isComing ? nothing : page.list.render(page.seq, page.names)}</section>`;
}

function figures(page: MatchPage): TemplateResult {
  const { log, source, address } = page.parts;
  const { names } = page;
  const { seq } = page;
  const rounds = totalsOf(log);
  const round = log.roundAt(seq);
  return html`<div class="figures">
    <section class="panel"><h2>Points</h2>
      ${totalsGraph(rounds, source.match?.rules?.rounds ?? log.rounds.length, round?.number ?? 0, names, (to) => { page.goTo(to); })}
      ${rounds.length > 0 ? html`<details><summary>As a table</summary>${totalsTable(rounds, names, (to) => address.href(to))}</details>` : nothing}
    </section>
    <section class="panel"><h2>Time to think${round ? `, round ${String(round.number)}` : ""}</h2>${thinking(page, round)}</section>
    <section class="panel">${page.outline.render(seq)}</section>
  </div>`;
}

/** How long the decisions of a round took. */
function thinking(page: MatchPage, round: Round | undefined): unknown {
  const { log, source, address } = page.parts;
  const { names } = page;
  if (!source.tellsAll) {
    return html`<p class="soft">The times of the decisions are ${log.isOver ? "not shown yet" : "shown once the match is over"}.</p>`;
  }
  if (!round) {
    return nothing;
  }
  const thoughts = thoughtsOf(log, round);
  return html`${thinkingGraph(thoughts, round, page.seq, names, (to) => { page.goTo(to); })}
    ${thoughts.length > 0 ? html`<details><summary>As a table</summary>${thinkingTable(log, thoughts, names, (to) => address.href(to))}</details>` : nothing}`;
}
