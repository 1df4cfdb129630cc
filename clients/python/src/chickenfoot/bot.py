"""What a bot is: a function, an object with `choose`, or a class of such objects."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, runtime_checkable

from ._machine import Thought
from ._tables import Work
from .game import GameInfo, Move, Turn

log = logging.getLogger("chickenfoot")

Answer = Move | int
"""One of the options, or its position among them."""

Choose = Callable[[Turn], Answer]
"""The whole of a simple bot."""

AsyncChoose = Callable[[Turn], Awaitable[Answer]]
"""The same for asyncio, where it may wait for something."""


@runtime_checkable
class Bot(Protocol):
    """A player. It may also have `start(game)`, called when a match begins or goes on after a restart of the bot, and
    `end(game, end)`, called when a match is over. With `chickenfoot.aio` all three may be coroutines.

    A class or a factory makes one value for each seat of each match. Methods of one value are called one at a time, apart from
    the connection, so they may take their time.
    """

    def choose(self, turn: Turn) -> Any:
        """The move to make: one of `turn.options`, or its position. Anything else is not sent; the first option is played."""


Make = Callable[[GameInfo], Any]
"""Gives the bot for a seat of a match."""


class _Function:
    """A bot that is a function."""

    def __init__(self, choose: Callable[[Turn], Any]) -> None:
        self.choose = choose


def maker(bot: Any, *, may_wait: bool) -> Make:
    """What gives the bot for each seat: a class makes one for each, a function or an object plays them all. `may_wait` says
    whether coroutines have a loop to wait in. Raises TypeError for what is no bot."""
    if not may_wait and inspect.iscoroutinefunction(getattr(bot, "choose", bot)):
        raise TypeError("choose is a coroutine function: play it with chickenfoot.aio")
    if isinstance(bot, type):
        return lambda _game: bot()
    if isinstance(bot, Bot):
        return lambda _game: bot
    if callable(bot):
        function = _Function(bot)
        return lambda _game: function
    raise TypeError(f"{bot!r} is no bot: neither a function of a turn, nor an object or class with a method choose")


class Performance:
    """A bot does its work. What it answers, or that it fails, becomes a Thought; a failure never goes further."""

    def __init__(self, make: Make, work: Work[Any]) -> None:
        self._make = make
        self._work = work
        self._bot = work.bot

    def prepare(self) -> None:
        """Makes the bot, if the match begins."""
        if self._work.kind == "start":
            self._bot = self._make(self._work.game)

    @property
    def is_async(self) -> bool:
        """Whether the work is a coroutine function's, which is to be called where it will be awaited."""
        method = getattr(self._bot, self._work.kind, None)
        return inspect.iscoroutinefunction(method)

    def call(self) -> Any:
        """Does the work, or begins it where it is a coroutine function's."""
        work = self._work
        method = getattr(self._bot, work.kind, None)
        if method is None:
            return None
        if work.kind == "choose":
            return method(work.turn)
        return method(work.game, work.end) if work.kind == "end" else method(work.game)

    def done(self, outcome: Any) -> Thought[Any]:
        """The work is done, with this outcome."""
        turn = self._work.turn
        if turn is None:
            return Thought(self._work, self._bot, None)
        answer = _option(turn, outcome)
        if answer is None:
            log.warning("match %s: %r is not an option; the first one is played", turn.match_id, outcome)
        return Thought(self._work, self._bot, answer or turn.options[0])

    def failed(self, error: BaseException) -> Thought[Any]:
        """The bot raised something."""
        turn, match_id = self._work.turn, self._work.place[0]
        if turn is None:
            log.error("match %s: the bot failed in %s", match_id, self._work.kind, exc_info=error)
            return Thought(self._work, self._bot, None)
        log.error("match %s: the bot failed; the first option is played", match_id, exc_info=error)
        return Thought(self._work, self._bot, turn.options[0])


def _option(turn: Turn, outcome: Any) -> Move | None:
    if isinstance(outcome, int) and not isinstance(outcome, bool):
        return turn.options[outcome] if 0 <= outcome < len(turn.options) else None
    return outcome if isinstance(outcome, Move) and outcome in turn.options else None
