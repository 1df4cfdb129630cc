"""Moves as numbers, and what a seat may know as a vector."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..deal import tile_set
from ..game import Move, Tile, View
from ..rules import Rules, set_size

MOST = 65_535.0
"""No figure of an observation is larger: not even the total of a match."""


def actions(rules: Rules) -> int:
    """How many actions there are."""
    return (rules.max_pip + 1) ** 2 + 1


def action_of(move: Move, rules: Rules) -> int:
    """The number of a move."""
    if move.tile is None or move.end is None:
        return actions(rules) - 1
    return move.end * (rules.max_pip + 1) + move.tile.outward(move.end)


def layout(rules: Rules) -> dict[str, slice]:
    """Where each part of an observation stands.

    `hand`, `table`: a 1 for each tile that the seat holds, and that lies on the table, in the order 0-0, 0-1, ... N-N.
    `drawn`: the same for the tile just drawn. `ends`: how many open ends show each number. `foot`: toes that each
    number's foot lacks. `double`: a 1 for the starting double. `lacks`: for each seat from the viewer on, a 1 for each
    number that it has shown not to have. `tiles`, `totals`: of each seat from the viewer on. `rest`: arms left, tiles
    in the boneyard, the round from 1.
    """
    tiles, numbers, players = set_size(rules.max_pip), rules.max_pip + 1, rules.players
    sizes = {
        "hand": tiles,
        "table": tiles,
        "drawn": tiles,
        "ends": numbers,
        "foot": numbers,
        "double": numbers,
        "lacks": players * numbers,
        "tiles": players,
        "totals": players,
        "rest": 3,
    }
    found, at = {}, 0
    for name, size in sizes.items():
        found[name] = slice(at, at + size)
        at += size
    return found


class Coding:
    """The coding for one set of rules."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._parts = layout(rules)
        self._tiles = {tile: number for number, tile in enumerate(tile_set(rules.max_pip))}
        self.size = self._parts["rest"].stop

    def observation(self, view: View | None) -> NDArray[np.float32]:
        """The vector; zeros before there is anything to see."""
        vector = np.zeros(self.size, dtype=np.float32)
        if view is None:
            return vector
        table = [Tile(view.starting_double, view.starting_double)]
        table += [step.tile for step in view.history if step.tile is not None]
        self._mark(vector, "hand", view.hand)
        self._mark(vector, "table", table)
        self._mark(vector, "drawn", [view.drawn] if view.drawn is not None else [])
        for end in view.ends:
            vector[self._parts["ends"].start + end.number] += 1
        if view.foot is not None:
            vector[self._parts["foot"].start + view.foot.number] = view.foot.missing
        vector[self._parts["double"].start + view.starting_double] = 1
        self._seats(vector, view)
        vector[self._parts["rest"]] = view.arms_left, view.boneyard, view.round
        return vector

    def mask(self, options: list[Move]) -> NDArray[np.int8]:
        """A 1 for each action that is legal."""
        mask = np.zeros(actions(self._rules), dtype=np.int8)
        for option in options:
            mask[action_of(option, self._rules)] = 1
        return mask

    def _mark(self, vector: NDArray[np.float32], part: str, tiles: Any) -> None:
        for tile in tiles:
            vector[self._parts[part].start + self._tiles[tile]] = 1

    def _seats(self, vector: NDArray[np.float32], view: View) -> None:
        seats = view.seats[view.seat :] + view.seats[: view.seat]
        numbers = self._rules.max_pip + 1
        for place, seat in enumerate(seats):
            for number in seat.lacks:
                vector[self._parts["lacks"].start + place * numbers + number] = 1
        vector[self._parts["tiles"]] = [seat.tiles for seat in seats]
        vector[self._parts["totals"]] = [seat.total for seat in seats]
