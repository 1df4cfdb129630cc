"""The calls of the service, for plain code. `chickenfoot.aio` has the same for asyncio."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

import grpc

from . import _calls, v1
from ._calls import Call, Pages
from ._connect import ConnectOptions, target
from ._status import error_of, serialised
from ._watching import SceneWatching, TournamentWatching, Watching

P = ParamSpec("P")
T = TypeVar("T")

TIMEOUT = 30.0
"""Seconds that a unary call may take, unless the client was told otherwise."""


def _plain(build: Callable[P, Call[T]]) -> Callable[Concatenate[Client, P], T]:
    """A method that makes the call that is described."""

    @functools.wraps(build)
    def method(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.call(build(*args, **kwargs))

    return method


def _paged(build: Callable[P, Pages[T]]) -> Callable[Concatenate[Client, P], Iterator[T]]:
    """A method that goes through all pages of the list that is described, and asks for one when it is needed."""

    @functools.wraps(build)
    def method(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        pages, token = build(*args, **kwargs), ""
        while True:
            entries, token = self.call(pages.page(token))
            yield from entries
            if not token:
                return

    return method


class Client:
    """The calls of the service. Connects when it is first used; may be used by many threads.

    `server` is like `http://127.0.0.1:7440`; without it CHICKENFOOT_SERVER says. `token` is the caller's, if it has one.
    `timeout` is the time in seconds that a call may take. Raises the classes of `chickenfoot.errors`.
    """

    def __init__(
        self,
        server: str | None = None,
        token: str | None = None,
        *,
        options: ConnectOptions | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        self._options = options or ConnectOptions(token=token)
        self._timeout = timeout
        to = target(server, self._options)
        if to.credentials is None:
            self._channel = grpc.insecure_channel(to.name, to.options)
        else:
            self._channel = grpc.secure_channel(to.name, to.credentials, to.options)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection; calls that still wait fail."""
        self._channel.close()

    def call(self, call: Call[T]) -> T:
        """Makes a call that is described; the methods below do so by themselves."""
        make = self._channel.unary_unary(call.path, request_serializer=serialised, response_deserializer=call.answer.FromString)
        try:
            answer = make(call.request, timeout=self._timeout, metadata=self._options.metadata)
        except grpc.RpcError as failed:
            raise error_of(failed) from None
        return call.take(answer)

    # The contract's own words stand beside each description in `_calls`.
    register = _plain(_calls.register)
    agent = _plain(_calls.agent)
    agents = _paged(_calls.agents)
    rotate_token = _plain(_calls.rotate_token)
    revoke_token = _plain(_calls.revoke_token)
    set_role = _plain(_calls.set_role)
    leaderboard = _paged(_calls.leaderboard)
    rating_pools = _plain(_calls.rating_pools)
    create_match = _plain(_calls.create_match)
    create_match_from = _plain(_calls.create_match_from)
    get_match = _plain(_calls.get_match)
    matches = _paged(_calls.matches)
    join_match = _plain(_calls.join_match)
    leave_match = _plain(_calls.leave_match)
    abort_match = _plain(_calls.abort_match)
    play = _plain(_calls.play)
    record = _plain(_calls.record)
    create_tournament = _plain(_calls.create_tournament)
    tournament = _plain(_calls.tournament)
    tournaments = _paged(_calls.tournaments)
    entrants = _paged(_calls.entrants)
    join_tournament = _plain(_calls.join_tournament)
    withdraw_from_tournament = _plain(_calls.withdraw_from_tournament)
    start_tournament = _plain(_calls.start_tournament)
    pause_tournament = _plain(_calls.pause_tournament)
    resume_tournament = _plain(_calls.resume_tournament)
    cancel_tournament = _plain(_calls.cancel_tournament)
    standings = _plain(_calls.standings)
    blocks = _paged(_calls.blocks)

    def watch(self, match_id: str, after_seq: int = 0) -> Iterator[v1.Event]:
        """The events of a match after the one with that number, live after the stored ones, to the match's end.

        A connection that breaks is made anew, and the events go on where they were.
        """
        for seen in self.watch_seat(match_id, after_seq):
            if isinstance(seen, v1.Event):
                yield seen

    def watch_seat(self, match_id: str, after_seq: int = 0) -> Iterator[v1.Event | v1.Decision]:
        """As `watch`, with the decisions of the caller's own seats, for a client without a session: it answers with `play`."""
        yield from self._follow("WatchMatch", Watching(match_id, after_seq))

    def watch_scenes(self, match_id: str, after_seq: int = 0, *, outlines: bool = False) -> Iterator[tuple[v1.Event, v1.Scene]]:
        """As `watch`, each event with its scene: what everybody may know after it and what came to the table, to draw it.

        After a connection that broke, a scene with `clears` tells all that lies. With `outlines` scenes have the table as text.
        """
        yield from self._follow("WatchMatch", SceneWatching(match_id, after_seq, outlines=outlines))

    def watch_tournament(self, tournament_id: str, standings: int = 0) -> Iterator[v1.WatchTournamentResponse]:
        """The tournament as it stands, at once and after every change, to its end, with so many of its best entrants.

        A connection that breaks is made anew.
        """
        yield from self._follow("WatchTournament", TournamentWatching(tournament_id, standings))

    def export_tournament(self, tournament_id: str, form: v1.ExportFormat.ValueType = v1.EXPORT_FORMAT_JSON) -> bytes:
        """A report of the tournament as it stands, as the bytes of a file."""
        request = v1.ExportTournamentRequest(tournament_id=tournament_id, format=form)
        try:
            return b"".join(answer.part for answer in self._stream("ExportTournament", request))
        except grpc.RpcError as failed:
            raise error_of(failed) from None

    def _follow(self, method: str, watching: Watching | SceneWatching | TournamentWatching) -> Iterator[Any]:
        """What comes on a watch, over as many streams as it takes."""
        while True:
            stream = self._stream(method, watching.request())
            try:
                for message in stream:
                    seen = watching.receive(message)
                    if seen is not None:
                        yield seen
                # In order a stream ends only when there is nothing more to come.
                return
            except grpc.RpcError as failed:
                pause = watching.lost(error_of(failed))
            finally:
                stream.cancel()
            time.sleep(pause)

    def _stream(self, method: str, request: Any) -> Any:
        service = _calls.MATCH if method == "WatchMatch" else _calls.TOURNAMENT
        make = self._channel.unary_stream(
            f"/{service}/{method}",
            request_serializer=serialised,
            response_deserializer=getattr(v1, f"{method}Response").FromString,
        )
        return make(request, metadata=self._options.metadata)

    def session_call(self, up: Iterator[v1.SessionRequest]) -> Any:
        """Opens the bare stream of a session; `Session` and `Runner` know what to do with it."""
        make = self._channel.stream_stream(
            f"/{_calls.AGENT}/Session",
            request_serializer=serialised,
            response_deserializer=v1.SessionResponse.FromString,
        )
        return make(up, metadata=self._options.metadata)
