"""Plays an agent's matches on an event loop, until it is told to stop."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from .. import v1
from .._connect import ConnectOptions, target
from .._machine import Broke, Came, Connect, Hangup, Machine, Send, Stats, Stop, Thought, Tick, Wishes
from .._tables import Work
from .._threads import Threads
from ..bot import AsyncChoose, Bot, Choose, Make, Performance, maker
from ..game import Move
from ._client import Client
from ._session import Link

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
        self._link: Link | None = None
        self._closed = False
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
        self._closed = True
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
            tell, link = self._runner._happened.put_nowait, command.link
            self._link = Link(
                client, command.open, lambda message: tell(Came(link, message)), lambda error: tell(Broke(link, error))
            )
        else:
            await self._hangup()

    async def _perform(self, performance: Performance) -> None:
        try:
            performance.prepare()
            outcome = performance.call() if performance.is_async else await self._in_thread(performance.call)
            if isinstance(outcome, Awaitable):
                outcome = await outcome
            thought = performance.done(outcome)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if self._closed:
                raise
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
