"""What the tests have in common: one server in memory, agents with fresh names."""

from __future__ import annotations

import itertools
import pathlib
from collections.abc import Callable, Iterator

import pytest
from service import ADMIN_TOKEN, Server, running

import chickenfoot


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    (folder / "admin").write_text(ADMIN_TOKEN)
    arguments = ["--store", "memory", "--admin-token-file", str(folder / "admin"), "--heartbeat", "1"]
    with running(folder / "server.log", *arguments) as started:
        yield started


@pytest.fixture(scope="session")
def names() -> Iterator[str]:
    return (f"agent-{number}" for number in itertools.count())


@pytest.fixture
def new_agent(server: Server, names: Iterator[str]) -> Iterator[Callable[[], tuple[str, chickenfoot.Client]]]:
    """Registers an agent: its token, and a client with it."""
    clients = []

    def make() -> tuple[str, chickenfoot.Client]:
        with chickenfoot.Client(server.address) as nobody:
            token = nobody.register(next(names))
        client = chickenfoot.Client(server.address, token)
        clients.append(client)
        return token, client

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def log(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "server.log"
