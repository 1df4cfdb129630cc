"""The same as the package itself, for asyncio: `run`, `Runner` and `Client`.

import asyncio
from chickenfoot import aio

async def choose(turn):
    return turn.options[0]

asyncio.run(aio.run(choose, name="my-bot"))
"""

from __future__ import annotations

import asyncio
import functools
import os
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

import grpc

from . import _calls, v1
from ._calls import Call, Pages
from ._connect import ConnectOptions, target
from ._machine import Broke, Came, Connect, Hangup, Machine, Send, Stats, Stop, Thought, Tick, Wishes
from ._status import error_of, serialised
from ._tables import Work
from ._threads import Threads
from ._watching import TournamentWatching, Watching
from .bot import AsyncChoose, Bot, Choose, Make, Performance, maker
from .client import TIMEOUT
from .errors import ConnectionLost, Error
from .game import Move

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

    async def _follow(self, method: str, watching: Watching | TournamentWatching) -> AsyncIterator[Any]:
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


Happened = Came | Broke | Thought[Any] | Stop | Tick


class Runner:
    """Plays the matches of the agent that has this token, side by side, on the event loop.

    Parameters are those of `chickenfoot.Runner`. A bot's methods may be coroutines; others are run in
    threads.
    """

    def __init__(
        self,
        server: str | None = None,
        token: str | None = None,
        *,
        options: ConnectOptions | None = None,
        agent: str | None = None,
        games: int | None = None,
        accept: Callable[[v1.Match], bool] | None = None,
        on_accepted: Callable[[str, int, Move], None] | None = None,
        client_name: str = "chickenfoot-python",
        threads: int = 64,
    ) -> None:
        self._server = server
        self._options = options or ConnectOptions(token=token)
        self._wishes = Wishes(agent, games, client_name, on_accepted, accept)
        self._most = threads
        self._happened: asyncio.Queue[Happened] = asyncio.Queue()

    def stop(self) -> None:
        """Ends `run`, which returns what was done. To be called on the loop."""
        self._happened.put_nowait(Stop())

    async def run(self, bot: AsyncChoose | Choose | Bot | type[Bot] | None = None, *, make: Make | None = None) -> Stats:
        """Plays until `stop` is called or the wanted matches are over; see `chickenfoot.Runner.run`."""
        target(self._server, self._options)
        shell = _Shell(self, make or maker(bot, may_wait=True))
        try:
            return await shell.play()
        finally:
            await shell.close()


class _Shell:
    """Carries out what the machine asks for."""

    def __init__(self, runner: Runner, make: Make) -> None:
        self._runner = runner
        self._make = make
        self._machine: Machine[Any] = Machine(runner._wishes, time.monotonic())
        self._link: _Link | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        # Not the loop's own: those are waited for at the end, also when a bot does not return.
        self._threads = Threads(runner._most)

    async def play(self) -> Stats:
        machine, happened = self._machine, self._runner._happened
        while True:
            for command in machine.commands():
                await self._do(command)
            if machine.done:
                break
            try:
                event = happened.get_nowait()
            except asyncio.QueueEmpty:
                event = await self._next()
            machine.handle(event, time.monotonic())
        if machine.failure is not None:
            raise machine.failure
        return machine.stats

    async def close(self) -> None:
        await self._hangup()
        for task in self._tasks:
            task.cancel()
        self._threads.close()

    async def _next(self) -> Happened:
        left = max(0.0, self._machine.deadline - time.monotonic())
        try:
            return await asyncio.wait_for(self._runner._happened.get(), left)
        except (asyncio.TimeoutError, TimeoutError):
            return Tick()

    async def _do(self, command: Connect | Hangup | Send | Work[Any]) -> None:
        if isinstance(command, Send):
            if self._link is not None:
                self._link.send(command.message)
        elif isinstance(command, Work):
            task = asyncio.create_task(self._perform(Performance(self._make, command)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif isinstance(command, Connect):
            # A new connection for every session: the old one may be dead without either end having been told.
            client = Client(self._runner._server, options=self._runner._options)
            self._link = _Link(client, command, self._runner._happened.put_nowait)
        else:
            await self._hangup()

    async def _perform(self, performance: Performance) -> None:
        try:
            performance.prepare()
            outcome = performance.call() if performance.is_async else await self._in_thread(performance.call)
            if isinstance(outcome, Awaitable):
                outcome = await outcome
            thought = performance.done(outcome)
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            thought = performance.failed(error)
        self._runner._happened.put_nowait(thought)

    async def _in_thread(self, work: Callable[[], Any]) -> Any:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()

        def tell(outcome: Any, error: BaseException | None) -> None:
            if not done.done():
                done.set_result((outcome, error))

        def run() -> None:
            outcome, failed = None, None
            try:
                outcome = work()
            except BaseException as error:
                failed = error
            # The loop may be gone by now, and with it whoever waited.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(tell, outcome, failed)

        self._threads.do(run)
        outcome, failed = await done
        if failed is not None:
            raise failed
        return outcome

    async def _hangup(self) -> None:
        if self._link is not None:
            link, self._link = self._link, None
            await link.close()


class _Link:
    """The stream of a session. What comes, and its end, is told to `tell`."""

    def __init__(self, client: Client, connect: Connect, tell: Callable[[Happened], None]) -> None:
        self._up: asyncio.Queue[v1.SessionRequest | None] = asyncio.Queue()
        self._up.put_nowait(connect.open)
        self._client = client
        self._tell, self._number = tell, connect.link
        self._call: Any = client.session_call(self._requests())
        self._task = asyncio.create_task(self._read())

    def send(self, message: v1.SessionRequest) -> None:
        self._up.put_nowait(message)

    async def close(self) -> None:
        self._up.put_nowait(None)
        self._task.cancel()
        self._call.cancel()
        await self._client.close()

    async def _requests(self) -> AsyncIterator[v1.SessionRequest]:
        while (message := await self._up.get()) is not None:
            yield message

    async def _read(self) -> None:
        error: Error | None = None
        try:
            async for message in self._call:
                self._tell(Came(self._number, message))
        except grpc.aio.AioRpcError as failed:
            error = error_of(failed)
        except grpc.aio.UsageError as closed:
            error = ConnectionLost(str(closed))
        self._tell(Broke(self._number, error))


@contextmanager
def _stop_on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """While it lasts, SIGINT (Ctrl-C) and SIGTERM call `stop` on the loop, where the loop can be told of signals."""
    kinds = (signal.SIGINT, signal.SIGTERM)
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    for kind in kinds:
        loop.add_signal_handler(kind, stop)
    try:
        yield
    finally:
        for kind in kinds:
            loop.remove_signal_handler(kind)


async def run(
    bot: AsyncChoose | Choose | Bot | type[Bot] | None = None,
    *,
    name: str,
    server: str | None = None,
    token: str | None = None,
    games: int | None = None,
    make: Make | None = None,
) -> Stats:
    """Plays all matches that the agent `name` is seated in, until SIGINT or SIGTERM; see `chickenfoot.run`."""
    token = token or os.environ.get("CHICKENFOOT_TOKEN")
    if not token:
        async with Client(server) as client:
            token = await client.register(name)
        print(f"CHICKENFOOT_TOKEN={token}", flush=True)  # noqa: T201
    runner = Runner(server, token, agent=name, games=games)
    with _stop_on_signals(runner.stop):
        return await runner.run(bot, make=make)
