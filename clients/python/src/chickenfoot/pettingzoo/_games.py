"""What an environment plays: a match in this process, or one that the service hosts."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Protocol

from .. import _wire, v1
from .._connect import ConnectOptions, entropy
from .._status import error_of_refusal
from ..client import Client
from ..deal import Contributor
from ..errors import Error
from ..game import Move, View
from ..match import Match
from ..rules import Rules
from ..session import Session


class Game(Protocol):
    """A match after the other, each stopped where one of `seats` has to choose."""

    rules: Rules
    seats: tuple[int, ...]
    """The seats that are the environment's."""
    on_turn: int | None
    """The seat that has to choose; None once the match is over."""
    options: list[Move]
    """What it may choose from."""
    totals: tuple[int, ...]
    """Each seat's score in the rounds that are over."""
    aborted: bool
    """Whether the match ended without a result."""

    def begin(self, seed: bytes | None) -> None:
        """Begins another match, with a fixed seed of 32 bytes if there is one."""

    def view(self, seat: int) -> View | None:
        """What the seat may know, now or when it chose last; None before it has seen anything."""

    def play(self, option: Move) -> None:
        """Makes one of the options."""

    def close(self) -> None:
        """Ends what it holds open."""


class LocalGame:
    """Matches by the rules of this package."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.seats = tuple(range(rules.players))
        self.on_turn: int | None = None
        self.options: list[Move] = []
        self.totals = (0,) * rules.players
        self.aborted = False
        self._names = [f"player_{seat}" for seat in self.seats]
        self._match: Match | None = None
        self._seen: dict[int, View] = {}

    def begin(self, seed: bytes | None) -> None:
        self._seen = {}
        seats = [Contributor(name) for name in self._names]
        self._match = Match(self.rules, "fixed", seed or entropy(), seats, automatic=True)
        self._look(self._match)

    def view(self, seat: int) -> View | None:
        if self._match is None or self._match.over or seat == self.on_turn:
            return self._seen.get(seat)
        return self._match.view(seat)

    def play(self, option: Move) -> None:
        if self._match is not None:
            self._match.play(option)
            self._match.take()
            self._look(self._match)

    def close(self) -> None:
        self._match = None

    def _look(self, match: Match) -> None:
        self.on_turn, self.options, self.totals = match.on_turn, match.options(), match.totals
        if self.on_turn is not None:
            self._seen[self.on_turn] = match.view(self.on_turn)


class ServedGame:
    """Matches that the service hosts, over one session."""

    def __init__(self, server: str | None, options: ConnectOptions, seats: Sequence[str], rules: Rules) -> None:
        self.rules = rules
        self.seats = tuple(number for number, seat in enumerate(seats) if seat == "me")
        if not self.seats:
            raise ValueError('seats: none of them is "me"')
        self.on_turn: int | None = None
        self.options: list[Move] = []
        self.totals = (0,) * len(seats)
        self.aborted = False
        self._specs = list(seats)
        self._server, self._connect = server, options
        self._client = Client(server, options=options)
        self._session: Session | None = None
        self._match_id = ""
        self._decision = 0
        self._seen: dict[int, View] = {}

    def begin(self, seed: bytes | None) -> None:
        self._end_last()
        session = self._open()
        seats = [f"agent:{session.hello.agent}" if seat == "me" else seat for seat in self._specs]
        self.totals, self.aborted, self._seen, self._decision = (0,) * len(seats), False, {}, 0
        self._match_id = self._client.create_match(seats, self.rules, seed=seed or b"").id
        self._wait(session)

    def view(self, seat: int) -> View | None:
        return self._seen.get(seat)

    def play(self, option: Move) -> None:
        session = self._open()
        session.choose(self._match_id, self._decision, self.options.index(option))
        self._wait(session)

    def close(self) -> None:
        self._end_last()
        if self._session is not None:
            self._session.close()
            self._session = None
        self._client.close()

    def _open(self) -> Session:
        if self._session is None:
            self._session = Session(Client(self._server, options=self._connect))
        return self._session

    def _end_last(self) -> None:
        """A match that was not played to its end is aborted, so that it does not wait for anybody."""
        if self._match_id and self.on_turn is not None:
            # If it is over by now, or the service is gone, there is nothing to end.
            with contextlib.suppress(Error):
                self._client.abort_match(self._match_id)
        self._match_id, self.on_turn, self.options = "", None, []

    def _wait(self, session: Session) -> None:
        """Takes in what comes until a seat has to choose or the match is over."""
        try:
            while not self._take(session, session.next()):
                pass
        except Error:
            session.close()
            self._session, self.on_turn = None, None
            raise

    def _take(self, session: Session, message: v1.SessionResponse) -> bool:
        kind = message.WhichOneof("what")
        if kind == "seat_offer" and message.seat_offer.match.id == self._match_id:
            session.reply(self._match_id, accept=True, entropy=entropy())
        elif kind == "decision" and message.decision.match_id == self._match_id:
            return self._asked(message.decision)
        elif kind == "refusal" and message.refusal.match_id == self._match_id:
            raise error_of_refusal(message.refusal)
        elif kind == "game_ended" and message.game_ended.match.id == self._match_id:
            ended = message.game_ended.match
            self.on_turn, self.options = None, []
            self.totals = tuple(seat.total for seat in ended.seats)
            self.aborted = ended.state != v1.MATCH_STATE_FINISHED
            return True
        return False

    def _asked(self, decision: v1.Decision) -> bool:
        if decision.number <= self._decision:
            # The one that was answered, once more.
            return False
        turn = _wire.turn(decision)
        self._decision, self.on_turn, self.options = turn.number, turn.seat, list(turn.options)
        self.totals = tuple(seat.total for seat in turn.view.seats)
        self._seen[turn.seat] = turn.view
        return True
