"""Plays an agent's matches: connects, answers, comes back, until it is told to stop."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from . import v1
from ._connect import ConnectOptions, target
from ._machine import Broke, Came, Connect, Hangup, Machine, Send, Stats, Stop, Thought, Tick, Wishes
from ._tables import Work
from ._threads import Threads
from .bot import Bot, Choose, Make, Performance, maker
from .client import Client
from .game import Move
from .session import Link

Happened = Came | Broke | Thought[Any] | Stop | Tick


class Runner:
    """Plays the matches of the agent that has this token, side by side, in threads.

    `server` is like `http://127.0.0.1:7440`; without it CHICKENFOOT_SERVER says. `agent` refuses to play as any other agent;
    `games` stops after so many matches; `accept` says whether the seats of an offered match are taken, all unless it is given;
    `on_accepted` is told of every decision that the service has stored, in the runner's own thread, and must return at once;
    `threads` is how many bots may think at once.
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
        self._happened: queue.SimpleQueue[Happened] = queue.SimpleQueue()

    def stop(self) -> None:
        """Ends `run`, which returns what was done. May be called from any thread, and from a signal handler."""
        self._happened.put(Stop())

    def run(self, bot: Choose | Bot | type[Bot] | None = None, *, make: Make | None = None) -> Stats:
        """Plays until `stop` is called or the wanted matches are over.

        `bot` is a function, an object with `choose`, or a class of such objects, of which each seat of each match gets one of its
        own; `make` is a factory that is given the match instead.

        Raises what does not pass by itself: the token is wrong, another session of the agent has taken over, the address is none.
        A lost connection is no error; it is tried again for as long as it takes.
        """
        target(self._server, self._options)
        shell = _Shell(self, make or maker(bot, may_wait=False))
        try:
            return shell.play()
        finally:
            shell.close()


class _Shell:
    """Carries out what the machine asks for."""

    def __init__(self, runner: Runner, make: Make) -> None:
        self._runner = runner
        self._make = make
        self._machine: Machine[Any] = Machine(runner._wishes, time.monotonic())
        self._threads = Threads(runner._most)
        self._link: Link | None = None

    def play(self) -> Stats:
        machine, happened = self._machine, self._runner._happened
        while True:
            for command in machine.commands():
                self._do(command)
            if machine.done:
                break
            try:
                event = happened.get(timeout=max(0.0, machine.deadline - time.monotonic()))
            except queue.Empty:
                event = Tick()
            machine.handle(event, time.monotonic())
        if machine.failure is not None:
            raise machine.failure
        return machine.stats

    def close(self) -> None:
        self._hangup()
        self._threads.close()

    def _do(self, command: Connect | Hangup | Send | Work[Any]) -> None:
        if isinstance(command, Send):
            if self._link is not None:
                self._link.send(command.message)
        elif isinstance(command, Work):
            performance = Performance(self._make, command)
            self._threads.do(lambda: self._runner._happened.put(_perform(performance)))
        elif isinstance(command, Connect):
            self._connect(command)
        else:
            self._hangup()

    def _connect(self, command: Connect) -> None:
        # A new connection for every session: the old one may be dead without either end having been told.
        client = Client(self._runner._server, options=self._runner._options)
        put, link = self._runner._happened.put, command.link
        self._link = Link(client, command.open, lambda message: put(Came(link, message)), lambda error: put(Broke(link, error)))

    def _hangup(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None


def _perform(performance: Performance) -> Thought[Any]:
    try:
        performance.prepare()
        outcome = performance.call()
    except BaseException as error:
        return performance.failed(error)
    return performance.done(outcome)


@contextlib.contextmanager
def stop_on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """While it lasts, SIGINT (Ctrl-C) and SIGTERM call `stop`. Only in the main thread; elsewhere nothing is changed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(kind, lambda _number, _frame: stop()) for kind in kinds]
    try:
        yield
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)


def run(
    bot: Choose | Bot | type[Bot] | None = None,
    *,
    name: str,
    server: str | None = None,
    token: str | None = None,
    games: int | None = None,
    make: Make | None = None,
) -> Stats:
    """Plays all matches that the agent `name` is seated in, until SIGINT or SIGTERM, and returns what was done.

    `server` is like `http://127.0.0.1:7440`; without it CHICKENFOOT_SERVER says. Without `token` CHICKENFOOT_TOKEN says; without
    that the name is registered and the token printed, this once: it is all that tells whose the name is. Offered seats are
    taken. `bot`, `make` and what is raised: see `Runner.run`.
    """
    token = token or os.environ.get("CHICKENFOOT_TOKEN")
    if not token:
        with Client(server) as client:
            token = client.register(name)
        print(f"CHICKENFOOT_TOKEN={token}", flush=True)  # noqa: T201
    runner = Runner(server, token, agent=name, games=games)
    with stop_on_signals(runner.stop):
        return runner.run(bot, make=make)
