"""The real server, and a proxy whose connections a test can cut."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
REPOSITORY = PACKAGE.parents[1]
RULES_DATA = REPOSITORY / "crates/rules/tests/data"

SEED = bytes(range(32))

ADMIN_TOKEN = "0123456789abcdef" * 4
"""The token of the agent `admin` of the server that most tests share."""


def program(variable: str) -> str:
    """The path of a program of the service, which the environment names."""
    path = os.environ.get(variable)
    if not path or not pathlib.Path(path).is_file():
        raise RuntimeError(f"{variable} has to be the path of a program, and is {path!r}")
    return path


def eventually(what: Callable[[], bool], *, seconds: float = 60.0) -> None:
    """Waits for something that happens elsewhere: looks again and again, for a minute at most."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


class Server:
    """A server on a port that the system gave it. It is stopped by its process id."""

    def __init__(self, log: pathlib.Path, *arguments: str) -> None:
        self._log = log
        with log.open("w") as errors:
            self._process = subprocess.Popen(
                [program("CHICKENFOOT_SERVER_BIN"), "serve", "--listen", "127.0.0.1:0", *arguments],
                stderr=errors,
                env={**os.environ, "RUST_LOG": "info"},
            )
        try:
            self.port = self._read_port()
        except BaseException:
            self.kill()
            raise

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """Ends it as a crash would."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Asks it to end, which it has to do by itself and without an error."""
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(60) == 0, self._log.read_text()

    def _read_port(self) -> int:
        def there() -> bool:
            assert self._process.poll() is None, self._log.read_text()
            return re.search(r"127\.0\.0\.1:\d+", self._log.read_text()) is not None

        eventually(there)
        found = re.search(r"127\.0\.0\.1:(\d+)", self._log.read_text())
        assert found is not None
        return int(found[1])


class Proxy:
    """Passes connections on to a port that may change, and cuts them when told to."""

    def __init__(self, target: int) -> None:
        self.target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._lock = threading.Lock()
        self._silent = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def cut(self) -> int:
        """Cuts all connections, and tells how many there were."""
        with self._lock:
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
        return len(pairs)

    def close(self) -> None:
        """Ends it."""
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            with self._lock:
                self._pairs.append((client, server))
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def running(log: pathlib.Path, *arguments: str) -> Iterator[Server]:
    """A server for as long as it lasts; it has to stop in order."""
    server = Server(log, *arguments)
    try:
        yield server
        server.stop()
    except BaseException:
        server.kill()
        raise
