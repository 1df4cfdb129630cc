#!/usr/bin/env python3
"""A bot of the line protocol that is broken in the way that its argument names."""

import json
import sys
import time

MODE = sys.argv[1]
answered = 0


def say(said, **answer):
    print(json.dumps({"match": said["match"], "decision": said["decision"], **answer}), flush=True)


#: Tiles of every set, as texts.
TILES = [f"{low}-{high}" for low in range(7) for high in range(low, 7)]


def wrong_tile(said):
    play = next((option for option in said["options"] if option.startswith("play")), None)
    if play is None:
        say(said, option=0)
        return
    foreign = next(tile for tile in TILES if tile not in said["view"]["hand"])
    say(said, move=f"play {foreign} {play.split()[2]}")


def wrong_end(said):
    play = next((option for option in said["options"] if option.startswith("play")), None)
    if play is None:
        say(said, option=0)
        return
    _, tile, end = play.split()
    say(said, move=f"play {tile} {(int(end) + 1) % 7}")


def twice(said):
    say(said, option=0)
    say(said, option=len(said["options"]) - 1)


def own_number(said):
    """Numbers its answers by itself, from 1."""
    say({**said, "decision": answered + 1}, option=0)


def flood(said):
    for number in range(1000):
        say({**said, "decision": said["decision"] + number}, option=0)


def decide(said):
    global answered
    if MODE == "wrong-tile":
        wrong_tile(said)
    elif MODE == "wrong-end":
        wrong_end(said)
    elif MODE == "out-of-range":
        say(said, option=len(said["options"]))
    elif MODE == "twice":
        twice(said)
    elif MODE == "own-numbers":
        own_number(said)
    elif MODE == "floods":
        flood(said)
    elif MODE == "garbage":
        print("thinking about", said["options"], flush=True)
        say(said, option=0)
    elif MODE == "dies-at-blank" and "0-0" in said["view"]["hand"]:
        raise ValueError("no pips at all")
    elif MODE == "exits" and answered == 2:
        sys.exit(3)
    elif MODE != "blocks":
        say(said, option=0)
    answered += 1


if MODE == "never-reads":
    time.sleep(3600)
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "decision":
        decide(said)
if MODE == "stays":
    time.sleep(3600)
