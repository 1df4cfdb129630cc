#!/usr/bin/env python3
"""Lays the tile with the most pips. Run it by: chickenfoot agent exec NAME -- python3 highest.py"""

import json
import sys


def pips(option):
    """1 and the pips of the tile for a play, as in "play 4-9 9"; 0 for anything else."""
    words = option.split()
    if words[0] != "play":
        return 0
    low, high = words[1].split("-")
    return 1 + int(low) + int(high)


for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "decision":
        options = said["options"]
        # The first of equals, in the order of the list.
        best = max(range(len(options)), key=lambda at: pips(options[at]))
        answer = {"match": said["match"], "decision": said["decision"], "option": best}
        print(json.dumps(answer), flush=True)
    elif said["type"] in ("refused", "error"):
        print(line, end="", file=sys.stderr)
    elif said["type"] == "stop":
        break
