"""Connections that break: a server that is killed, a wire that is cut, a service that falls silent."""

import asyncio
import pathlib
import threading
from collections.abc import Callable
from typing import Any

import pytest
from bots import highest
from service import SEED, Proxy, Server, running

import chickenfoot
from chickenfoot import Client, Rules, Runner, Stats, Turn, aio, verify

Play = Callable[[str, str, Any], Stats]

RULES = Rules.trains(3, rounds=4)


PATIENCE = 180.0
"""Seconds after which a run is ended that does not end by itself, so that a test fails and does not hang."""


def plain(server: str, token: str, bot: Any, games: int = 3) -> Stats:
    runner = Runner(server, token, games=games)
    bound = threading.Timer(PATIENCE, runner.stop)
    bound.start()
    try:
        return runner.run(bot)
    finally:
        bound.cancel()


def with_asyncio(server: str, token: str, bot: Any, games: int = 3) -> Stats:
    async def play() -> Stats:
        runner = aio.Runner(server, token, games=games)
        bound = asyncio.get_running_loop().call_later(PATIENCE, runner.stop)
        try:
            return await runner.run(bot)
        finally:
            bound.cancel()

    return asyncio.run(play())


class Counting:
    """Plays highest and calls something after so many decisions."""

    def __init__(self, at: dict[int, Callable[[], object]]) -> None:
        self._at = at
        self._count = 0
        self._lock = threading.Lock()
        self.answers: dict[tuple[str, int], list[str]] = {}

    def choose(self, turn: Turn) -> chickenfoot.Move:
        answer = highest(turn)
        with self._lock:
            self._count += 1
            self.answers.setdefault((turn.match_id, turn.number), []).append(str(answer))
            disturb = self._at.pop(self._count, None)
            if disturb is not None:
                disturb()
        return answer


def play_three(direct: str, server: str, play: Play, bot: Any) -> tuple[Stats, list[str]]:
    """Three matches of the agent `bot`, with seeds of their own: what was done, and the matches' ids."""
    with Client(direct) as nobody:
        token = nobody.register("bot")
    with Client(direct, token) as client:
        ids = [client.create_match(["agent:bot", "greedy", "agent:bot"], RULES, seed=bytes([i]) * 32).id for i in range(3)]
    stats = play(server, token, bot)
    assert stats.games == 3
    return stats, ids


def digests(server: str, ids: list[str]) -> list[bytes]:
    """The digests of matches, by their records, which are verified."""
    with Client(server) as client:
        return [verify(client.record(match_id)).digest for match_id in ids]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    with running(tmp_path_factory.mktemp("calm") / "server.log", "--store", "memory") as server:
        stats, ids = play_three(server.address, server.address, plain, highest)
        assert stats.reconnects == 0
        return digests(server.address, ids)


@pytest.mark.parametrize("play", [plain, with_asyncio])
def test_a_cut_connection_costs_nothing(log: pathlib.Path, play: Play, expected: list[bytes]) -> None:
    with running(log, "--store", "memory") as server:
        proxy = Proxy(server.port)
        cuts: list[int] = []
        bot = Counting({number: lambda: cuts.append(proxy.cut()) for number in (3, 20, 21, 60)})
        stats, ids = play_three(server.address, proxy.address, play, bot)
        assert digests(server.address, ids) == expected
        assert stats.reconnects >= 3
        assert cuts[0] == 1
        # The same decision was never thought about twice.
        assert all(len(answers) == 1 for answers in bot.answers.values())
        proxy.close()


@pytest.mark.parametrize("play", [plain, with_asyncio])
def test_a_server_that_is_killed_and_started_again_goes_on_with_every_match(
    tmp_path: pathlib.Path, play: Play, expected: list[bytes]
) -> None:
    store = str(tmp_path / "matches.db")
    servers = [Server(tmp_path / "0.log", "--store", store)]
    proxy = Proxy(servers[0].port)

    def restart() -> None:
        servers[-1].kill()
        servers.append(Server(tmp_path / f"{len(servers)}.log", "--store", store))
        proxy.target = servers[-1].port

    try:
        bot = Counting({10: restart, 70: restart})
        stats, ids = play_three(servers[0].address, proxy.address, play, bot)
        assert len(servers) == 3
        assert stats.reconnects >= 2
        assert digests(servers[-1].address, ids) == expected
        servers[-1].stop()
    finally:
        servers[-1].kill()
        proxy.close()


async def watched_with_asyncio(proxy: Proxy, match_id: str) -> list[int]:
    """The numbers of a match's events, over connections that are cut."""
    seen = []
    async with aio.Client(proxy.address) as watcher:
        async for event in watcher.watch(match_id):
            seen.append(event.seq)
            if event.seq in (5, 40):
                proxy.cut()
    return seen


def test_a_watch_goes_on_after_the_last_event_when_the_connection_is_cut(log: pathlib.Path) -> None:
    with running(log, "--store", "memory") as server:
        proxy = Proxy(server.port)
        with Client(server.address) as nobody:
            token = nobody.register("maker")
        with Client(server.address, token) as client:
            match_id = client.create_match(["greedy", "lowest"], seed=SEED).id
        seen = []
        with Client(proxy.address) as watcher:
            for event in watcher.watch(match_id):
                seen.append(event.seq)
                if event.seq in (5, 40):
                    proxy.cut()
        assert seen == list(range(1, len(seen) + 1))
        assert asyncio.run(watched_with_asyncio(proxy, match_id)) == seen
        with Client(server.address) as again:
            assert [event.seq for event in again.watch(match_id, after_seq=len(seen) - 3)] == seen[-3:]
        proxy.close()


def test_a_service_that_goes_in_order_is_come_back_to(tmp_path: pathlib.Path) -> None:
    store = str(tmp_path / "matches.db")
    first = Server(tmp_path / "0.log", "--store", store)
    proxy = Proxy(first.port)
    with Client(first.address) as nobody:
        token = nobody.register("bot")
    with Client(first.address, token) as client:
        match_id = client.create_match(["agent:bot", "greedy"], Rules.trains(2, rounds=2)).id
    servers = [first]

    def restart() -> None:
        servers[0].stop()
        servers.append(Server(tmp_path / "1.log", "--store", store))
        proxy.target = servers[1].port

    stats = plain(proxy.address, token, Counting({4: restart}), games=1)
    assert stats.games == 1
    assert stats.reconnects >= 1
    with Client(servers[1].address) as reader:
        assert verify(reader.record(match_id)).outcome == "finished"
    servers[1].stop()
    proxy.close()
