import { DrawnTile, Starter, type Rules } from "../../gen/chickenfoot/v1/game_pb.js";
import { count, setName } from "../words.js";

/** Rules in words: what tells most, and the rest. */
export interface RulesInWords {
  /** As in `double-nine, 4 players, 10 rounds`. */
  readonly short: string;
  /** Everything else. */
  readonly details: string;
}

/** The options that rules consist of. */
interface Options {
  readonly maxPip: number;
  readonly players: number;
  readonly handSize: number;
  readonly openingArms: number;
  readonly isLot: boolean;
  readonly mustPlay: boolean;
  readonly reserve: number;
  readonly doubleBlank: number;
  readonly rounds: number;
}

/** The rules of a match or tournament; the service sets every option. */
export function rulesInWords(rules: Rules): RulesInWords {
  const known = (option: number | undefined): number => option ?? 0;
  return words({
    maxPip: known(rules.maxPip),
    players: known(rules.players),
    handSize: known(rules.handSize),
    openingArms: known(rules.openingArms),
    isLot: rules.starter !== Starter.HOLDER,
    mustPlay: rules.drawnTile !== DrawnTile.MAY_PLAY,
    reserve: known(rules.reserve),
    doubleBlank: known(rules.doubleBlank),
    rounds: known(rules.rounds),
  });
}

/** The rules of a pool of ratings, from their line of text: `max_pip=9;players=4;...`. What it is if it cannot be read. */
export function rulesTextInWords(text: string): RulesInWords {
  const values = new Map(text.split(";").map((part) => part.split("=", 2) as [string, string | undefined]));
  const number = (name: string): number => Number(values.get(name) ?? Number.NaN);
  const options = {
    maxPip: number("max_pip"),
    players: number("players"),
    handSize: number("hand_size"),
    openingArms: number("opening_arms"),
    isLot: values.get("starter") === "lot",
    mustPlay: values.get("drawn_tile") === "must_play",
    reserve: number("reserve"),
    doubleBlank: number("double_blank"),
    rounds: number("rounds"),
  };
  const isRead = Object.values(options).every((value) => typeof value === "boolean" || Number.isInteger(value));
  return isRead ? words(options) : { short: text, details: "" };
}

function words(it: Options): RulesInWords {
  return {
    short: `${setName(it.maxPip)}, ${count(it.players, "player")}, ${count(it.rounds, "round")}`,
    details: [
      `${count(it.handSize, "tile")} each`,
      count(it.openingArms, "opening arm"),
      it.isLot ? "the start by lot" : "the holder of the double starts",
      it.mustPlay ? "a drawn tile that fits is played" : "a drawn tile that fits may be kept",
      it.reserve === 0 ? "all tiles are drawn" : `${count(it.reserve, "tile")} never drawn`,
      `the double blank counts ${String(it.doubleBlank)}`,
    ].join(", "),
  };
}
