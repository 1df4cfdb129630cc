"""Bots that tests play with."""

from __future__ import annotations

import chickenfoot


def highest(turn: chickenfoot.Turn) -> chickenfoot.Move:
    """Lays the tile with the most pips, the first of equals."""
    return max(turn.options, key=lambda option: option.pips + (option.kind == "play"))
