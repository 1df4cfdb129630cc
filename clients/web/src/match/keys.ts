/** What a key does on the page of a match. */
export type Action =
  | "next" | "previous" | "nextRound" | "previousRound" | "first" | "last"
  | "play" | "live" | Look;

/** What leaves the position where it is. */
export type Look = (typeof LOOKS)[number];

const LOOKS = ["in", "out", "whole", "share", "help"] as const;

/** Whether an action leaves the position where it is. */
export function isLook(action: Action): action is Look {
  return LOOKS.some((look) => look === action);
}

/** A key as the browser names it, with what was held and where it was pressed. */
export interface Press {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/** What has the focus: a field, or a box that scrolls, takes every key, and a button or link those that press it. */
export type Focus = "field" | "button" | "nothing";

const KEYS: Readonly<Record<string, Action>> = {
  ArrowRight: "next",
  ArrowLeft: "previous",
  ArrowDown: "nextRound",
  ArrowUp: "previousRound",
  PageDown: "nextRound",
  PageUp: "previousRound",
  Home: "first",
  End: "last",
  " ": "play",
  l: "live",
  "+": "in",
  "=": "in",
  "-": "out",
  "0": "whole",
  s: "share",
  "?": "help",
};

/** The keys and what they do, for those who ask. */
export const HELP: readonly (readonly [keys: string, does: string])[] = [
  ["← →", "a move back or on"],
  ["↑ ↓ or Page Up, Page Down", "a round back or on"],
  ["Home, End", "to the first or newest move"],
  ["Space", "play or pause"],
  ["L", "follow live"],
  ["+ − 0", "zoom in, out, all of the table"],
  ["S", "share the address of this move"],
  ["?", "this help"],
];

/** What a key does; nothing while a field has the focus or another key is held. */
export function actionOf(press: Press, focus: Focus): Action | undefined {
  if (press.altKey || press.ctrlKey || press.metaKey || focus === "field") {
    return undefined;
  }
  if (press.key === " " && focus === "button") {
    return undefined;
  }
  // Signs may need the shift key, letters and arrows do not.
  const isSign = press.key.length === 1 && !/[a-z ]/i.test(press.key);
  if (press.shiftKey && !isSign) {
    return undefined;
  }
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  return Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
}

/** What an element is to keys. */
export function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof HTMLElement)) {
    return "nothing";
  }
  // A box that scrolls takes the arrows; a link in one does not.
  if (target.isContentEditable || target.role === "region" || target.closest("input, select, textarea, dialog")) {
    return "field";
  }
  return target.closest("button, a, summary") ? "button" : "nothing";
}
