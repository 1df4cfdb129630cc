"""One round of the game, and where its tiles lie: what is legal, and what a move does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .game import Foot, Move, OpenEnd, Tile

DRAW, PASS, KEEP = Move("draw"), Move("pass"), Move("keep")


class IllegalAction(ValueError):  # noqa: N818
    """A move that the rules forbid."""


@dataclass(frozen=True)
class Terms:
    """What a round needs to know of the rules. Wider than `Rules` allows, so that small sets can be searched."""

    players: int
    opening_arms: int
    reserve: int
    may_keep: bool
    double_blank: int
    toes: int = 3


class Table:
    """The arms and toes: which there are, and what each shows. Numbered from 1 in the order in which they were begun."""

    def __init__(self, hub: int, arms: int, toes: int = 3) -> None:
        self.hub = hub
        self.arms_left = arms
        self.foot: Foot | None = None
        self._toes = toes
        self._tips: list[int | None] = []

    @property
    def ends(self) -> tuple[OpenEnd, ...]:
        """The open ends, oldest first."""
        return tuple(OpenEnd(line, tip) for line, tip in enumerate(self._tips, 1) if tip is not None)

    def open_numbers(self) -> set[int]:
        """The numbers that a tile may be laid on now."""
        if self.arms_left:
            return {self.hub}
        if self.foot is not None:
            return {self.foot.number}
        return {tip for tip in self._tips if tip is not None}

    def lines(self, end: int) -> list[int]:
        """The arms and toes that take a tile on a number now, oldest first; one that is still to be begun bears the next free
        number, and nothing else is open then."""
        if self.arms_left or self.foot is not None:
            return [len(self._tips) + 1] if end in self.open_numbers() else []
        return [line for line, tip in enumerate(self._tips, 1) if tip == end]

    def lay(self, tile: Tile, end: int, line: int, *, opens_foot: bool) -> None:
        """Lays a tile on a line that takes it. A double in free play opens a foot, unless it was the last tile of a hand."""
        if self.arms_left:
            self.arms_left -= 1
            self._tips.append(tile.outward(end))
        elif self.foot is not None:
            missing = self.foot.missing - 1
            self.foot = self.foot._replace(missing=missing) if missing else None
            self._tips.append(tile.outward(end))
        elif tile.is_double:
            self._tips[line - 1] = None
            self.foot = Foot(end, self._toes) if opens_foot else None
        else:
            self._tips[line - 1] = tile.outward(end)

    def copy(self) -> Table:
        """The same table, to go on with by itself."""
        other = Table(self.hub, self.arms_left, self._toes)
        other.foot, other._tips = self.foot, list(self._tips)
        return other


class Round:
    """A round in progress, the starting double laid. `hands` are by seat, `boneyard` is drawn from its front."""

    def __init__(self, terms: Terms, hub: int, first: int, hands: Sequence[Sequence[Tile]], boneyard: Sequence[Tile]) -> None:
        self.terms = terms
        self.table = Table(hub, terms.opening_arms, terms.toes)
        self.turn = first
        self.hands = [set(hand) for hand in hands]
        self.boneyard = list(boneyard)
        self.drawn: Tile | None = None
        self.drew_in_vain = False
        self.end: tuple[Literal["out"], int] | tuple[Literal["blocked"], None] | None = None
        empty = [seat for seat, hand in enumerate(self.hands) if not hand]
        if empty:
            # A hand whose last tile was the starting double.
            self.end = ("out", empty[0])

    def can_draw(self) -> bool:
        """Whether more than the reserve is left."""
        return len(self.boneyard) > self.terms.reserve

    def options(self) -> list[Move]:
        """All legal moves of the seat on turn in canonical order; none once the round is over."""
        if self.end is not None:
            return []
        if self.drew_in_vain:
            return [PASS]
        if self.drawn is not None:
            return self._plays([self.drawn]) + ([KEEP] if self.terms.may_keep else [])
        return self._plays(sorted(self.hands[self.turn])) or [DRAW if self.can_draw() else PASS]

    def _plays(self, tiles: Sequence[Tile]) -> list[Move]:
        numbers = self.table.open_numbers()
        return [Move("play", tile, end) for tile in tiles for end in sorted({tile.low, tile.high}) if end in numbers]

    def line_of(self, move: Move) -> int | None:
        """The arm or toe that a legal move is laid on: the one that it names, else the oldest. Raises IllegalAction if the one
        that it names does not take it."""
        if move.end is None:
            return None
        lines = self.table.lines(move.end)
        if move.line is not None and move.line not in lines:
            raise IllegalAction(f"no arm or toe {move.line} shows {move.end}")
        return lines[0] if move.line is None else move.line

    def check(self, move: Move) -> Move:
        """The move as it will be made, its arm or toe included. Raises IllegalAction."""
        if move._replace(line=None) not in self.options():
            raise IllegalAction(f"{move} is not legal")
        return move._replace(line=self.line_of(move))

    def apply(self, move: Move) -> Tile | None:
        """Makes a move that was checked, or is an option. Returns the tile that was drawn, if one was."""
        found = None
        if move.tile is not None and move.end is not None:
            self._lay(move.tile, move.end, self.line_of(move) or 0)
        elif move.kind == "draw":
            found = self._draw()
        else:
            self._pass_on()
        if self.end is None and self.drawn is None:
            self.end_if_blocked()
        return found

    def end_if_blocked(self) -> None:
        """Ends the round if nothing can be drawn and nobody can play."""
        if self.can_draw():
            return
        numbers = self.table.open_numbers()
        if not any(low in numbers or high in numbers for hand in self.hands for low, high in hand):
            self.end = ("blocked", None)

    def score(self, seat: int) -> int:
        """What a seat's hand counts."""
        hand = self.hands[seat]
        return sum(tile.pips for tile in hand) + (self.terms.double_blank if Tile(0, 0) in hand else 0)

    def copy(self) -> Round:
        """The same round, to go on with by itself."""
        other = Round(self.terms, self.table.hub, self.turn, self.hands, self.boneyard)  # type: ignore[arg-type]
        other.table = self.table.copy()
        other.drawn, other.drew_in_vain, other.end = self.drawn, self.drew_in_vain, self.end
        return other

    def _lay(self, tile: Tile, end: int, line: int) -> None:
        hand = self.hands[self.turn]
        hand.remove(tile)
        self.table.lay(tile, end, line, opens_foot=bool(hand))
        if not hand:
            self.drawn = None
            self.end = ("out", self.turn)
        else:
            self._pass_on()

    def _draw(self) -> Tile:
        tile = self.boneyard.pop(0)
        self.hands[self.turn].add(tile)
        numbers = self.table.open_numbers()
        if tile.low in numbers or tile.high in numbers:
            self.drawn = tile
        else:
            self.drew_in_vain = True
        return tile

    def _pass_on(self) -> None:
        self.drawn, self.drew_in_vain = None, False
        self.turn = (self.turn + 1) % self.terms.players
