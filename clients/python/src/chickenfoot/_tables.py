"""The seats that an agent plays, and what its bots have to do at each. They outlive a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from . import v1
from .game import GameEnd, GameInfo, Turn

B = TypeVar("B")

Place = tuple[str, int]
"""A match and a seat of it."""


@dataclass(frozen=True)
class Work(Generic[B]):
    """Something that a bot has to do. The bot is None until it has started."""

    kind: Literal["start", "choose", "end"]
    place: Place
    bot: B | None
    game: GameInfo
    turn: Turn | None = None
    end: GameEnd | None = None


@dataclass
class Table(Generic[B]):
    """One seat of one match. Its bot does one thing at a time."""

    place: Place
    game: GameInfo
    bot: B | None = None
    started: bool = False
    work: Work[B] | None = None
    """What the bot does now."""
    asked: Turn | None = None
    """The decision that is thought about, or waits until the bot is free."""
    answer: v1.Choice | None = None
    """The last answer: sent again when its decision comes again."""
    end: GameEnd | None = None

    def next_work(self) -> Work[B] | None:
        """What the bot does next, if it is free and there is anything."""
        if self.work is not None:
            return None
        if not self.started:
            self.started = True
            self.work = Work("start", self.place, None, self.game)
        elif self.end is not None:
            self.work = Work("end", self.place, self.bot, self.game, end=self.end)
        elif self.asked is not None:
            self.work = Work("choose", self.place, self.bot, self.game, turn=self.asked)
        return self.work


class Tables(Generic[B]):
    """All seats that an agent plays."""

    def __init__(self) -> None:
        self._tables: dict[Place, Table[B]] = {}

    def __contains__(self, place: Place) -> bool:
        return place in self._tables

    def get(self, place: Place) -> Table[B] | None:
        """A seat, if it is played."""
        return self._tables.get(place)

    def open(self, place: Place, game: GameInfo) -> Table[B]:
        """Another seat."""
        table: Table[B] = Table(place, game)
        self._tables[place] = table
        return table

    def close(self, place: Place) -> None:
        """The bot of a seat was told of the end."""
        del self._tables[place]

    def of_match(self, match_id: str) -> list[Table[B]]:
        """The seats of a match."""
        return [table for table in self._tables.values() if table.place[0] == match_id and table.end is None]

    def going_on(self) -> list[str]:
        """The matches that are not over as far as is known, in the order of their ids."""
        return sorted({table.place[0] for table in self._tables.values() if table.end is None})

    def untold(self) -> bool:
        """Whether a bot has still to be told of the end of its match."""
        return any(table.end is not None for table in self._tables.values())
