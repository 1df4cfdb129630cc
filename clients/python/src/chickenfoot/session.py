"""A bare session: what is sent up and what comes down, for a player that no bot can be. A `Runner` does all of this by itself."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

import grpc

from . import v1
from ._calls import choice_of
from ._machine import HELLO, silence_of
from ._status import error_of
from .client import Client
from .errors import ConnectionLost, Error
from .game import Move

Came = Callable[[v1.SessionResponse], None]
Broke = Callable[[Error | None], None]


class Link:
    """The stream of a session. What comes is handed to `came`, the end to `broke`, both in a thread of the link's own."""

    def __init__(self, client: Client, first: v1.SessionRequest, came: Came, broke: Broke) -> None:
        self._up: queue.SimpleQueue[v1.SessionRequest | None] = queue.SimpleQueue()
        self._up.put(first)
        self._call: Any = client.session_call(self._requests())
        self._client = client
        self._came, self._broke = came, broke
        threading.Thread(target=self._read, name="chickenfoot-session", daemon=True).start()

    def send(self, message: v1.SessionRequest) -> None:
        """Sends a message, as soon as there is room for it."""
        self._up.put(message)

    def close(self) -> None:
        """Ends the stream and closes the connection."""
        self._up.put(None)
        self._call.cancel()
        self._client.close()

    def _requests(self) -> Iterator[v1.SessionRequest]:
        while (message := self._up.get()) is not None:
            yield message

    def _read(self) -> None:
        try:
            for message in self._call:
                self._came(message)
        except grpc.RpcError as failed:
            self._broke(error_of(failed))
        except ValueError as closed:
            # The channel was closed before the stream began.
            self._broke(ConnectionLost(str(closed)))
        else:
            self._broke(None)


class Session:
    """An open session. Takes over from any other session of the same agent; raises Error if it does not come about.

    `open` may name matches that are known from an earlier session, and ask for events.
    """

    def __init__(self, client: Client, open: v1.Open | None = None) -> None:  # noqa: A002
        self._down: queue.SimpleQueue[v1.SessionResponse | Error] = queue.SimpleQueue()
        first = v1.SessionRequest(open=open or v1.Open())
        self._silence = HELLO
        self._link = Link(client, first, self._down.put, self._ended)
        try:
            greeting = self.next()
            if greeting.WhichOneof("what") != "hello":
                raise ConnectionLost("the service did not begin with Hello")
        except Error:
            self.close()
            raise
        self.hello: v1.Hello = greeting.hello
        """What the service greeted with: the agent's name, limits, how many matches are running."""
        self._silence = silence_of(self.hello)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def next(self) -> v1.SessionResponse:
        """The next message, of a kind that this version knows. Raises Error when the stream ended, broke or was silent for three
        heartbeats; a new session gets sent again what is still open."""
        while True:
            try:
                came = self._down.get(timeout=self._silence)
            except queue.Empty:
                self.close()
                raise ConnectionLost(f"silent for {self._silence:g} s") from None
            if isinstance(came, Error):
                raise came
            if came.WhichOneof("what") is not None:
                return came

    def reply(self, match_id: str, *, accept: bool, entropy: bytes = b"") -> None:
        """Answers an offer of a seat."""
        reply = v1.OfferReply(match_id=match_id, accept=accept, entropy=entropy)
        self._link.send(v1.SessionRequest(offer_reply=reply))

    def choose(self, match_id: str, decision: int, choice: int | Move) -> None:
        """Answers a decision by the position of an option or by a move."""
        self._link.send(v1.SessionRequest(choice=choice_of(match_id, decision, choice)))

    def close(self) -> None:
        """Ends the session and closes its client."""
        self._link.close()

    def _ended(self, error: Error | None) -> None:
        self._down.put(error or ConnectionLost("the service ended the stream"))
