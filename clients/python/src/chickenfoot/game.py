"""The words of the game: tiles, moves, and what a seat may know. Plain values that nothing changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from .rules import Rules


class Tile(NamedTuple):
    """A tile. The blank, 0, is a number like any other. Tiles compare by the lower number, then the higher."""

    low: int
    high: int

    @property
    def pips(self) -> int:
        """The sum of both numbers."""
        return self.low + self.high

    @property
    def is_double(self) -> bool:
        """Whether both numbers are the same."""
        return self.low == self.high

    def outward(self, end: int) -> int:
        """The number that faces outward when the side `end` is joined to the table."""
        return self.high if end == self.low else self.low

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"


class Move(NamedTuple):
    """What a seat does in its turn. `tile` and `end` are there for a play alone, `line` only once it is made."""

    kind: Literal["play", "draw", "pass", "keep"]
    tile: Tile | None = None
    end: int | None = None
    line: int | None = None
    """The arm or toe that the tile is laid on, from 1. It matters for drawing the table alone."""

    @property
    def pips(self) -> int:
        """The pips of the tile that is laid; 0 if none is."""
        return self.tile.pips if self.tile is not None else 0

    def __str__(self) -> str:
        return f"{self.tile} on {self.end}" if self.kind == "play" else self.kind


class OpenEnd(NamedTuple):
    """The tip of an arm or toe."""

    line: int
    """The arm or toe, from 1 in the order in which they were begun."""
    number: int
    """The outward number."""


class Foot(NamedTuple):
    """A chicken foot that lacks toes."""

    number: int
    """The double's number: every toe must bear it."""
    missing: int
    """Toes still missing, 1 to 3."""


class SeatView(NamedTuple):
    """What is public of a seat."""

    tiles: int
    """Tiles in its hand."""
    total: int
    """Its score in the rounds that are over."""
    lacks: tuple[int, ...]
    """Numbers that it has publicly shown not to have on any tile of its hand, ascending."""


class Step(NamedTuple):
    """A turn, or part of one, as everybody saw it. `tile`, `end` and `line` are there for a play alone."""

    seat: int
    act: Literal["start", "play", "draw", "pass"]
    tile: Tile | None = None
    end: int | None = None
    line: int | None = None


@dataclass(frozen=True)
class View:
    """What one seat may know in its turn, and nothing else. Enough to decide without any memory."""

    rules: Rules
    """The rules of the match."""
    round: int
    """The round, from 1."""
    seat: int
    """Whose view it is, from 0; this seat is on turn."""
    starting_double: int
    """The number of the starting double."""
    hand: tuple[Tile, ...]
    """The seat's hand in ascending order, a drawn tile included."""
    drawn: Tile | None
    """The tile just drawn, while the seat decides what to do with it."""
    ends: tuple[OpenEnd, ...]
    """The open ends, oldest first. Places for missing toes and arms are not among them."""
    foot: Foot | None
    """The unfinished chicken foot, if there is one: only its toes may be laid."""
    arms_left: int
    """Arms that the starting double still takes; while above 0, tiles can be laid on it only."""
    boneyard: int
    """Tiles in the boneyard, the reserve included."""
    seats: tuple[SeatView, ...]
    """What is public of each seat, from seat 0."""
    history: tuple[Step, ...]
    """What happened in this round, oldest first."""


@dataclass(frozen=True)
class Turn:
    """A decision to make."""

    match_id: str
    """The match: 32 hexadecimal digits."""
    number: int
    """The number of the decision in its match: rising, with holes."""
    seat: int
    """The seat that is asked, from 0."""
    view: View
    """Everything that the seat may know."""
    options: tuple[Move, ...]
    """All legal moves in canonical order, at least one."""
    time_left: float
    """Seconds left for the answer when the decision was sent, the bank included."""
    received: float = field(compare=False, default=0.0)
    """When the decision came, by `time.monotonic()`. A bot that many matches ask at once is called later."""


@dataclass(frozen=True)
class GameInfo:
    """The match that a bot sits in."""

    match_id: str
    """The match: 32 hexadecimal digits."""
    rules: Rules
    """The rules."""
    seat: int
    """The bot's seat, from 0."""
    names: tuple[str, ...]
    """Who sits where, from seat 0."""
    commitment: bytes | None
    """What fixes the deals. None in a match of a tournament, where other matches have the same deals."""


@dataclass(frozen=True)
class GameEnd:
    """How a match ended."""

    finished: bool
    """Whether it was played to its end; else it was aborted, and the rest is of no account."""
    totals: tuple[int, ...]
    """Each seat's score, from seat 0. The lowest wins."""
    places: tuple[int, ...]
    """Each seat's place, from 1."""
    digest: bytes
    """The digest of all that happened."""
