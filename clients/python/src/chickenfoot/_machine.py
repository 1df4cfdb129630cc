"""What an agent that plays does next, as a function of what happened: connect, answer, come back. No I/O and no clock.

A shell, with threads or with asyncio, carries out the commands of `Machine.commands` and tells `Machine.handle` what happened.
"""

from __future__ import annotations

import itertools
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from . import _wire, v1
from ._backoff import Backoff
from ._connect import entropy
from ._status import error_of_refusal
from ._tables import Table, Tables, Work
from .errors import ConnectionLost, Error, Malformed, OtherAgent, Replaced, Unauthenticated
from .game import Move

log = logging.getLogger("chickenfoot")

_links = itertools.count(1)
"""Numbers of connections: no two are the same, so that late news of one that is gone are known as such."""

B = TypeVar("B")

HELLO = 10.0
"""Seconds that the service may take to say Hello."""

MISSED = 3
"""Heartbeats that may be missed before the connection counts as dead."""

MAX_RESUME = 1000
"""Most matches that the service lets a new session take up."""


def silence_of(hello: v1.Hello) -> float:
    """The seconds without a word after which a connection of this service is dead."""
    return (_wire.seconds(hello.heartbeat_interval) or HELLO) * MISSED


@dataclass
class Stats:
    """What a runner has done."""

    games: int = 0
    """Matches that ended."""
    choices: int = 0
    """Decisions that were answered."""
    refused: int = 0
    """Answers that the service refused."""
    reconnects: int = 0
    """Times that the connection was lost."""


# What the machine asks of its shell.


@dataclass(frozen=True)
class Connect:
    """Open a session over a new connection, with this first message; what it brings belongs to `link`."""

    link: int
    open: v1.SessionRequest


@dataclass(frozen=True)
class Hangup:
    """Close the connection."""


@dataclass(frozen=True)
class Send:
    """Send this on the open session."""

    message: v1.SessionRequest


# What the shell tells the machine.


@dataclass(frozen=True)
class Came:
    """A message came."""

    link: int
    message: v1.SessionResponse


@dataclass(frozen=True)
class Broke:
    """The session ended, in order if there is no error."""

    link: int
    error: Error | None


@dataclass(frozen=True)
class Thought(Generic[B]):
    """A bot has done its work and, if that was to choose, this is its answer."""

    work: Work[B]
    bot: B | None
    answer: Move | None


@dataclass(frozen=True)
class Stop:
    """Somebody wants it to end."""


@dataclass(frozen=True)
class Tick:
    """The deadline has passed."""


Command = Connect | Hangup | Send


@dataclass(frozen=True)
class Wishes:
    """How a runner is to play."""

    agent: str | None = None
    games: int | None = None
    client_name: str = "chickenfoot-python"
    on_accepted: Callable[[str, int, Move], None] | None = None
    accept: Callable[[v1.Match], bool] | None = None
    """Whether to take the seats that a match offers; all are taken unless it is given."""


@dataclass
class _Link:
    """The connection of now."""

    number: int = 0
    up: bool = False
    greeted: bool = False
    silence: float = HELLO


class Machine(Generic[B]):
    """The state of a runner. `deadline` is when it wants a Tick, by the shell's clock; `done` whether all is over."""

    def __init__(self, wishes: Wishes, now: float, backoff: Backoff | None = None) -> None:
        self.stats = Stats()
        self.done = False
        self.failure: Error | None = None
        self.deadline = now
        self._wishes = wishes
        self._tables: Tables[B] = Tables()
        self._commands: deque[Command | Work[B]] = deque()
        self._backoff = backoff or Backoff()
        self._link = _Link()

    def commands(self) -> list[Command | Work[B]]:
        """What to do now; each is told of once."""
        wanted = list(self._commands)
        self._commands.clear()
        return wanted

    def handle(self, happened: Came | Broke | Thought[B] | Stop | Tick, now: float) -> None:
        """Takes in what happened."""
        if isinstance(happened, Stop):
            self._finish(None)
        elif isinstance(happened, Thought):
            self._thought(happened)
        elif isinstance(happened, Came):
            if happened.link == self._link.number and self._link.up:
                self._came(happened.message, now)
        elif isinstance(happened, Broke):
            if happened.link == self._link.number and self._link.up:
                self._lost(happened.error or ConnectionLost("the service ended the stream"), now)
        elif now >= self.deadline and not self.done:
            self._late(now)
        self._stop_if_all_played()

    # The connection

    def _connect(self, now: float) -> None:
        resume = [v1.Resume(match_id=match_id) for match_id in self._tables.going_on()[:MAX_RESUME]]
        hello = v1.Open(client=self._wishes.client_name[:64], resume=resume)
        self._link = _Link(next(_links), up=True)
        self.deadline = now + HELLO
        self._commands.append(Connect(self._link.number, v1.SessionRequest(open=hello)))

    def _late(self, now: float) -> None:
        if not self._link.up:
            self._connect(now)
        elif self._link.greeted:
            self._lost(ConnectionLost(f"silent for {self._link.silence:g} s"), now)
        else:
            self._lost(ConnectionLost("the service did not say Hello in time"), now)

    def _lost(self, error: Error, now: float) -> None:
        if not error.passing:
            self._finish(error)
            return
        pause = self._backoff.after(error)
        log.warning("the session is lost (%s); trying again in %.1f s", error, pause)
        self._pause(pause, now)

    def _pause(self, seconds: float, now: float) -> None:
        self.stats.reconnects += 1
        self._link.up = False
        self._commands.append(Hangup())
        self.deadline = now + seconds

    def _finish(self, failure: Error | None) -> None:
        if self.done:
            return
        self.done, self.failure = True, failure
        if self._link.up:
            self._link.up = False
            self._commands.append(Hangup())

    def _stop_if_all_played(self) -> None:
        wanted = self._wishes.games
        if wanted is not None and self.stats.games >= wanted and not self._tables.untold():
            self._finish(None)

    # What the service says

    def _came(self, message: v1.SessionResponse, now: float) -> None:
        kind = message.WhichOneof("what")
        if not self._link.greeted and kind != "hello":
            self._lost(ConnectionLost("the service did not begin with Hello"), now)
            return
        self.deadline = now + self._link.silence
        try:
            if kind == "hello":
                self._hello(message.hello, now)
            elif kind == "seat_offer":
                self._offered(message.seat_offer)
            elif kind == "game_started":
                self._started(message.game_started)
            elif kind == "decision":
                self._decision(message.decision, now)
            elif kind == "choice_accepted":
                self._accepted(message.choice_accepted)
            elif kind == "refusal":
                self._refused(message.refusal)
            elif kind == "game_ended":
                self._ended(message.game_ended)
            elif kind == "goodbye":
                self._goodbye(message.goodbye, now)
        except Malformed as error:
            self._finish(error)

    def _hello(self, hello: v1.Hello, now: float) -> None:
        if self._wishes.agent not in (None, hello.agent):
            self._finish(OtherAgent(self._wishes.agent or "", hello.agent))
            return
        self._link.greeted, self._link.silence = True, silence_of(hello)
        self.deadline = now + self._link.silence
        self._backoff.reset()

    def _offered(self, offer: v1.SeatOffer) -> None:
        accept = self._wishes.accept is None or self._wishes.accept(offer.match)
        log.info("match %s: seat %s", offer.match.id, "taken" if accept else "declined")
        reply = v1.OfferReply(match_id=offer.match.id, accept=accept, entropy=entropy() if accept else b"")
        self._send(v1.SessionRequest(offer_reply=reply))

    def _started(self, started: v1.GameStarted) -> None:
        for seat in started.seats:
            place = (started.match.id, seat)
            # After a reconnect the bot is still there.
            if place not in self._tables:
                self._work(self._tables.open(place, _wire.game_info(started.match, seat)))

    def _decision(self, decision: v1.Decision, now: float) -> None:
        table = self._tables.get((decision.match_id, decision.seat))
        if table is None:
            log.warning("match %s: a decision for a match that was not announced", decision.match_id)
            return
        if table.answer is not None and table.answer.decision == decision.number:
            # The service does not have it yet: it was lost with the connection, or refused for a time.
            self._send(v1.SessionRequest(choice=table.answer))
        elif table.asked is None or table.asked.number != decision.number:
            table.asked = _wire.turn(decision, now)
            self._work(table)

    def _accepted(self, accepted: v1.ChoiceAccepted) -> None:
        self.stats.choices += 1
        if self._wishes.on_accepted is not None:
            self._wishes.on_accepted(accepted.match_id, accepted.decision, _wire.move(accepted.move))

    def _refused(self, refusal: v1.Refusal) -> None:
        self.stats.refused += 1
        log.warning("match %s: refused: %s", refusal.match_id, error_of_refusal(refusal))

    def _ended(self, ended: v1.GameEnded) -> None:
        tables = self._tables.of_match(ended.match.id)
        self.stats.games += bool(tables)
        for table in tables:
            table.end = _wire.game_end(ended.match)
            self._work(table)

    def _goodbye(self, goodbye: v1.Goodbye, now: float) -> None:
        if goodbye.reason == v1.GOODBYE_REASON_REPLACED:
            self._finish(Replaced("another session of the same agent has taken over"))
        elif goodbye.reason == v1.GOODBYE_REASON_UNAUTHENTICATED:
            self._finish(Unauthenticated(goodbye.message, code=16, reason="TOKEN_INVALID"))
        else:
            log.info("the service says goodbye: %s", goodbye.message)
            self._pause(_wire.seconds(goodbye.retry_after) if goodbye.HasField("retry_after") else 1.0, now)

    # What the bots say

    def _thought(self, thought: Thought[B]) -> None:
        table = self._tables.get(thought.work.place)
        if table is None or table.work is not thought.work:
            return
        table.work, table.bot = None, thought.bot
        if thought.work.kind == "end":
            self._tables.close(thought.work.place)
            return
        turn = thought.work.turn
        if turn is not None and table.asked is not None and table.asked.number == turn.number and table.end is None:
            table.asked = None
            move = thought.answer or turn.options[0]
            table.answer = v1.Choice(match_id=turn.match_id, decision=turn.number, option=turn.options.index(move))
            self._send(v1.SessionRequest(choice=table.answer))
        self._work(table)

    def _work(self, table: Table[B]) -> None:
        work = table.next_work()
        if work is not None:
            self._commands.append(work)

    def _send(self, message: v1.SessionRequest) -> None:
        # Without a session nothing is lost: what is open comes again with the next one, and is answered from memory.
        if self._link.up:
            self._commands.append(Send(message))
