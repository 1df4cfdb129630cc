import type { TemplateResult } from "lit-html";

import type { Page } from "../page.js";
import { isEmbedded } from "../router.js";
import type { Route } from "../routes.js";
import { shortId } from "../words.js";
import type { Address } from "./address.js";
import { Announcer } from "./announce.js";
import { Clocks } from "./clocks.js";
import { Cursor } from "./cursor.js";
import { openHelp } from "./help.js";
import type { Choice } from "./hands.js";
import { type Action, actionOf, focusOf, isLook, type Look } from "./keys.js";
import { MoveList, showCurrent } from "./list.js";
import type { Log } from "./log.js";
import { namesOf } from "./names.js";
import { Outline } from "./outline.js";
import type { Speed } from "./pace.js";
import { Player } from "./player.js";
import { Share } from "./share.js";
import type { Source } from "./source.js";
import { Stage } from "./stage.js";
import { status } from "./status.js";
import { next, nextRound, previous, previousRound } from "./steps.js";
import { view } from "./view.js";
import { Writer } from "./writer.js";

/** What a page of a match is made of. */
export interface Parts {
  readonly log: Log;
  readonly source: Source;
  readonly address: Address;
  /** The match's id, if it is on the server that the page came from. */
  readonly id: string | undefined;
  /** The event to show at first; none for the newest. */
  readonly seq: number | undefined;
  /** Gets the table as text after an event. */
  readonly outline: (seq: number) => Promise<string>;
}

/** How often the page of a match that is loading is rendered, in milliseconds. */
const LOADING_EVERY = 200;

/** A match, live and afterwards: what is new is followed, or any earlier position is shown. */
export class MatchPage implements Page {
  readonly wide = true;
  readonly isSmall = isEmbedded();
  readonly cursor: Cursor;
  readonly stage: Stage;
  readonly list: MoveList;
  readonly outline: Outline;
  readonly share: Share;
  readonly announcer: Announcer;
  readonly player: Player;
  readonly clocks = new Clocks();
  /** Whose hands are shown. */
  hands: Choice = "public";

  private readonly writer: Writer;
  private update: () => void = () => undefined;
  private frame = 0;
  private later: ReturnType<typeof setTimeout> | undefined;
  private ticking: ReturnType<typeof setInterval> | undefined;
  private head = 0;
  private isSettled = false;
  private scrolledTo = "";
  private isSliding = false;
  private isStopped = false;
  private seatNames: readonly string[] = [];

  constructor(readonly parts: Parts) {
    const changed = (): void => {
      this.schedule();
    };
    this.cursor = new Cursor(parts.log, parts.seq);
    this.writer = new Writer(parts.address, () => ({
      seq: this.cursor.mode === "follow" ? undefined : this.cursor.seq,
      isPlaying: this.cursor.mode === "play",
    }));
    this.stage = new Stage(changed);
    this.list = new MoveList(parts.log, parts.address, changed);
    this.outline = new Outline(parts.outline, changed);
    this.share = new Share(changed);
    this.announcer = new Announcer(changed);
    this.player = new Player(parts.log, this.cursor, () => {
      this.write(false);
      this.schedule();
    });
  }

  get title(): string {
    return `Match ${shortId(this.parts.source.match?.id ?? this.parts.id ?? "")}`;
  }

  /** The names of the seats; the same list until one changes. */
  get names(): readonly string[] {
    const names = namesOf(this.parts.source.match, this.parts.log);
    if (names.join("\n") !== this.seatNames.join("\n") || names.length !== this.seatNames.length) {
      this.seatNames = names;
    }
    return this.seatNames;
  }

  /** Whether the position that is asked for is still on its way. */
  get isComing(): boolean {
    return this.parts.source.isLoading && (this.cursor.mode === "follow" || this.cursor.isAhead);
  }

  /** The number of the event that is shown; 0 while there is none. */
  get seq(): number {
    return this.isComing ? 0 : this.cursor.seq;
  }

  render(): TemplateResult {
    return view(this);
  }

  start(update: () => void): void {
    this.update = update;
    document.addEventListener("keydown", this.pressed);
    this.ticking = setInterval(() => {
      if (this.cursor.isLive && !document.hidden) {
        this.schedule();
      }
    }, 1_000);
    this.parts.source.start(() => {
      this.heard();
    });
    this.heard();
  }

  stop(): void {
    this.isStopped = true;
    document.removeEventListener("keydown", this.pressed);
    clearInterval(this.ticking);
    clearTimeout(this.later);
    cancelAnimationFrame(this.frame);
    for (const part of [this.parts.source, this.player, this.writer, this.stage, this.outline, this.share, this.announcer]) {
      part.stop();
    }
  }

  moveTo(route: Route): boolean {
    if (route.page !== "match" || route.id !== this.parts.id) {
      return false;
    }
    this.show(route.seq);
    return true;
  }

  /** Shows a position that is in the address already. */
  show(seq: number | undefined): void {
    if (seq === undefined) {
      this.cursor.follow();
    } else {
      this.cursor.goTo(seq);
    }
    this.moved();
  }

  /** Goes to a position that the reader chose, unless it is not known yet what there is. */
  goTo(seq: number, jumped = true): void {
    if (!this.parts.source.isLoading) {
      this.cursor.goTo(seq);
      this.write(jumped);
      this.moved();
    }
  }

  grab(): void {
    this.isSliding = false;
  }

  slide(seq: number): void {
    this.goTo(seq, !this.isSliding);
    this.isSliding = true;
  }

  setSpeed(speed: Speed): void {
    this.player.pace = speed;
    this.schedule();
  }

  /** Shows hands, or hides them. */
  setHands(choice: Choice): void {
    this.hands = choice;
    this.schedule();
  }

  act(action: Action): void {
    const { log } = this.parts;
    const { seq } = this.cursor;
    if (isLook(action)) {
      this.look(action);
      return;
    }
    if (this.parts.source.isLoading) {
      return;
    }
    switch (action) {
      case "next":
        this.step(next(log, seq), true);
        break;
      case "previous":
        this.step(previous(log, seq), false);
        break;
      case "nextRound":
        this.jump(nextRound(log, seq), true);
        break;
      case "previousRound":
        this.jump(previousRound(log, seq), false);
        break;
      case "first":
        this.jump(log.stops[0], false);
        break;
      case "last":
      case "live":
        this.jump(undefined, true);
        break;
      case "play":
        this.playOrPause();
    }
  }

  private look(action: Look): void {
    if (this.isSmall && (action === "share" || action === "help")) {
      // There is no room for them.
      return;
    }
    switch (action) {
      case "in":
        this.stage.zoomBy(1.5);
        break;
      case "out":
        this.stage.zoomBy(1 / 1.5);
        break;
      case "whole":
        this.stage.reset();
        break;
      case "share":
        void this.share.share(this.title, this.parts.address.href(this.cursor.seq));
        break;
      case "help":
        openHelp();
    }
  }

  /** To the next or previous move. It changes the address in place: nobody wants to go back through all of them. */
  private step(seq: number | undefined, isOn: boolean): void {
    const wasFollowing = this.cursor.mode === "follow";
    if (seq !== undefined) {
      this.cursor.goTo(seq);
      this.write(wasFollowing);
    } else if (isOn && !wasFollowing && !this.parts.log.isOver) {
      this.cursor.follow();
      this.write(true);
    }
    this.moved();
  }

  /** To another round, to the beginning, or to what is newest. */
  private jump(seq: number | undefined, isOn: boolean): void {
    if (seq !== undefined) {
      this.goTo(seq);
    } else if (isOn) {
      this.cursor.follow();
      this.write(true);
      this.moved();
    }
  }

  private playOrPause(): void {
    if (this.cursor.mode === "play") {
      this.cursor.pause();
    } else if (!this.cursor.isLive) {
      this.cursor.play();
    }
    this.write(false);
    this.moved();
  }

  /** After every move of the reader's. */
  private moved(): void {
    this.player.plan();
    this.announcer.say(() => status(this.parts.log, this.cursor.seq, this.names));
    this.schedule();
  }

  /** After everything that the source tells. */
  private heard(): void {
    const { log, source } = this.parts;
    if (log.head > this.head) {
      this.head = log.head;
      this.clocks.heard(this.isSettled);
    }
    if (!source.isLoading) {
      this.settle();
      if (this.cursor.mode === "follow") {
        const last = log.at(log.stops.at(-1) ?? 0);
        this.announcer.moves(log.stops.length, () => (last ? status(log, last.seq, this.names) : ""));
      }
    }
    this.schedule();
  }

  /** Once everything that was there at first has come. */
  private settle(): void {
    if (!this.isSettled) {
      this.isSettled = true;
      this.cursor.settle();
      this.write(false);
    }
  }

  private write(jumped: boolean): void {
    this.writer.write(jumped);
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    const action = event.defaultPrevented ? undefined : actionOf(event, focusOf(event.target));
    if (action) {
      event.preventDefault();
      this.act(action);
    }
  };

  /** Renders soon; while thousands of events are on their way, not for each picture of the screen. */
  private schedule(): void {
    if (this.isStopped) {
      return;
    }
    if (this.isComing) {
      this.later ??= setTimeout(() => {
        this.later = undefined;
        this.renderSoon();
      }, LOADING_EVERY);
    } else {
      this.renderSoon();
    }
  }

  /** Renders before the next picture of the screen, once for all that happened until then. */
  private renderSoon(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const focused = document.activeElement;
      this.update();
      if (focused?.isConnected === false) {
        // What had the focus is gone; without another place for it the next Tab would begin at the top.
        document.querySelector<HTMLElement>(".step")?.focus({ preventScroll: true });
      }
      this.stage.attach(document.querySelector("svg.table"));
      // The choice of hands takes of the list's height when it comes.
      const place = `${String(this.seq)} ${String(this.parts.source.tellsAll)}`;
      if (this.scrolledTo !== place) {
        this.scrolledTo = place;
        showCurrent(document);
      }
    });
  }
}
