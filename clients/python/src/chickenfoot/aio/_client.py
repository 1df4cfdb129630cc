"""The calls of the service, for asyncio."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

import grpc

from .. import _calls, v1
from .._calls import Call, Pages
from .._connect import ConnectOptions, target
from .._status import error_of, serialised
from .._watching import SceneWatching, TournamentWatching, Watching
from ..client import TIMEOUT

P = ParamSpec("P")
T = TypeVar("T")


def _awaited(build: Callable[P, Call[T]]) -> Callable[Concatenate[Client, P], Awaitable[T]]:
    """A coroutine method that makes the call that is described."""

    @functools.wraps(build)
    async def method(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.call(build(*args, **kwargs))

    return method


def _paged(build: Callable[P, Pages[T]]) -> Callable[Concatenate[Client, P], AsyncIterator[T]]:
    """A method that goes through all pages of the list that is described, and asks for one when it is needed."""

    @functools.wraps(build)
    async def method(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
        pages, token = build(*args, **kwargs), ""
        while True:
            entries, token = await self.call(pages.page(token))
            for entry in entries:
                yield entry
            if not token:
                return

    return method


class Client:
    """The calls of the service. Connects when it is first used; belongs to the event loop that it is made in.

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
            self._channel = grpc.aio.insecure_channel(to.name, to.options)
        else:
            self._channel = grpc.aio.secure_channel(to.name, to.credentials, to.options)

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connection; calls that still wait fail."""
        await self._channel.close(None)

    async def call(self, call: Call[T]) -> T:
        """Makes a call that is described; the methods below do so by themselves."""
        make: Any = self._channel.unary_unary(
            call.path, request_serializer=serialised, response_deserializer=call.answer.FromString
        )
        try:
            answer = await make(call.request, timeout=self._timeout, metadata=self._options.metadata)
        except grpc.aio.AioRpcError as failed:
            raise error_of(failed) from None
        return call.take(answer)

    register = _awaited(_calls.register)
    agent = _awaited(_calls.agent)
    agents = _paged(_calls.agents)
    rotate_token = _awaited(_calls.rotate_token)
    revoke_token = _awaited(_calls.revoke_token)
    set_role = _awaited(_calls.set_role)
    leaderboard = _paged(_calls.leaderboard)
    rating_pools = _awaited(_calls.rating_pools)
    create_match = _awaited(_calls.create_match)
    create_match_from = _awaited(_calls.create_match_from)
    get_match = _awaited(_calls.get_match)
    matches = _paged(_calls.matches)
    join_match = _awaited(_calls.join_match)
    leave_match = _awaited(_calls.leave_match)
    abort_match = _awaited(_calls.abort_match)
    play = _awaited(_calls.play)
    record = _awaited(_calls.record)
    create_tournament = _awaited(_calls.create_tournament)
    tournament = _awaited(_calls.tournament)
    tournaments = _paged(_calls.tournaments)
    entrants = _paged(_calls.entrants)
    join_tournament = _awaited(_calls.join_tournament)
    withdraw_from_tournament = _awaited(_calls.withdraw_from_tournament)
    start_tournament = _awaited(_calls.start_tournament)
    pause_tournament = _awaited(_calls.pause_tournament)
    resume_tournament = _awaited(_calls.resume_tournament)
    cancel_tournament = _awaited(_calls.cancel_tournament)
    standings = _awaited(_calls.standings)
    blocks = _paged(_calls.blocks)

    async def watch(self, match_id: str, after_seq: int = 0) -> AsyncIterator[v1.Event]:
        """The events of a match after the one with that number, live after the stored ones, to the match's end.

        A connection that breaks is made anew, and the events go on where they were.
        """
        async for seen in self.watch_seat(match_id, after_seq):
            if isinstance(seen, v1.Event):
                yield seen

    async def watch_seat(self, match_id: str, after_seq: int = 0) -> AsyncIterator[v1.Event | v1.Decision]:
        """As `watch`, with the decisions of the caller's own seats, for a client without a session: it answers with `play`."""
        async for seen in self._follow("WatchMatch", Watching(match_id, after_seq)):
            yield seen

    async def watch_scenes(
        self, match_id: str, after_seq: int = 0, *, outlines: bool = False
    ) -> AsyncIterator[tuple[v1.Event, v1.Scene]]:
        """As `watch`, each event with its scene: what everybody may know after it and what came to the table, to draw it.

        After a connection that broke, a scene with `clears` tells all that lies. With `outlines` scenes have the table as text.
        """
        async for seen in self._follow("WatchMatch", SceneWatching(match_id, after_seq, outlines=outlines)):
            yield seen

    async def watch_tournament(self, tournament_id: str, standings: int = 0) -> AsyncIterator[v1.WatchTournamentResponse]:
        """The tournament as it stands, at once and after every change, to its end, with so many of its best entrants.

        A connection that breaks is made anew.
        """
        watching = TournamentWatching(tournament_id, standings)
        async for answer in self._follow("WatchTournament", watching):
            yield answer

    async def export_tournament(self, tournament_id: str, form: v1.ExportFormat.ValueType = v1.EXPORT_FORMAT_JSON) -> bytes:
        """A report of the tournament as it stands, as the bytes of a file."""
        request = v1.ExportTournamentRequest(tournament_id=tournament_id, format=form)
        stream = self._stream("ExportTournament", request)
        try:
            return b"".join([answer.part async for answer in stream])
        except grpc.aio.AioRpcError as failed:
            raise error_of(failed) from None

    async def _follow(self, method: str, watching: Watching | SceneWatching | TournamentWatching) -> AsyncIterator[Any]:
        """What comes on a watch, over as many streams as it takes."""
        while True:
            stream = self._stream(method, watching.request())
            try:
                async for message in stream:
                    seen = watching.receive(message)
                    if seen is not None:
                        yield seen
                # In order a stream ends only when there is nothing more to come.
                return
            except grpc.aio.AioRpcError as failed:
                pause = watching.lost(error_of(failed))
            finally:
                stream.cancel()
            await asyncio.sleep(pause)

    def _stream(self, method: str, request: Any) -> Any:
        service = _calls.MATCH if method == "WatchMatch" else _calls.TOURNAMENT
        make: Any = self._channel.unary_stream(
            f"/{service}/{method}",
            request_serializer=serialised,
            response_deserializer=getattr(v1, f"{method}Response").FromString,
        )
        return make(request, metadata=self._options.metadata)

    def session_call(self, up: AsyncIterator[v1.SessionRequest]) -> Any:
        """Opens the bare stream of a session; `Runner` knows what to do with it."""
        make: Any = self._channel.stream_stream(
            f"/{_calls.AGENT}/Session",
            request_serializer=serialised,
            response_deserializer=v1.SessionResponse.FromString,
        )
        return make(up, metadata=self._options.metadata)
