"""A bot in a few lines: python highest.py NAME

It lays the tile with the most pips. CHICKENFOOT_SERVER names the service, CHICKENFOOT_TOKEN says whose the name is;
without a token the name is registered.
"""

import logging
import sys

import chickenfoot


def choose(turn: chickenfoot.Turn) -> chickenfoot.Move:
    return max(turn.options, key=lambda option: option.pips + (option.kind == "play"))


if len(sys.argv) != 2:
    sys.exit("usage: highest.py NAME")
logging.basicConfig(level=logging.INFO)
chickenfoot.run(choose, name=sys.argv[1])
