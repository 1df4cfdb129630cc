// Lays the tile with the most pips: CHICKENFOOT_SERVER=http://127.0.0.1:7440 node build/examples/highest.js my-bot
import { pips, run, type Move } from "chickenfoot";

const [name] = process.argv.slice(2);
if (name === undefined) throw new Error("usage: highest NAME");

const worth = (move: Move) => (move.kind === "play" ? 1 + pips(move.tile) : 0);

await run({
  name,
  // Of the options with the most pips the first.
  choose: (turn) => turn.options.reduce((best, move) => (worth(move) > worth(best) ? move : best)),
});
