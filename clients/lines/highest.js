#!/usr/bin/env node
// Lays the tile with the most pips. Run it by: chickenfoot agent exec NAME -- node highest.js
"use strict";

const readline = require("node:readline");

// 1 and the pips of the tile for a play, as in "play 4-9 9"; 0 for anything else.
function pips(option) {
  const [what, tile] = option.split(" ");
  if (what !== "play") return 0;
  const [low, high] = tile.split("-").map(Number);
  return 1 + low + high;
}

const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });

lines.on("line", (line) => {
  const said = JSON.parse(line);
  if (said.type === "decision") {
    const counts = said.options.map(pips);
    // The first of equals, in the order of the list.
    const option = counts.indexOf(Math.max(...counts));
    process.stdout.write(JSON.stringify({ match: said.match, decision: said.decision, option }) + "\n");
  } else if (said.type === "refused" || said.type === "error") {
    console.error(line);
  } else if (said.type === "stop") {
    lines.close();
  }
});
