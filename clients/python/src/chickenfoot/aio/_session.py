"""A bare session on an event loop; see `chickenfoot.Session`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any

import grpc

from .. import v1
from .._calls import choice_of
from .._machine import HELLO, silence_of
from .._status import error_of
from ..errors import ConnectionLost, Error
from ..game import Move
from ..session import Broke, Came
from ._client import Client


class Link:
    """The stream of a session. What comes is handed to `came`, the end to `broke`, both on the loop."""

    def __init__(self, client: Client, first: v1.SessionRequest, came: Came, broke: Broke) -> None:
        self._up: asyncio.Queue[v1.SessionRequest | None] = asyncio.Queue()
        self._up.put_nowait(first)
        self._client = client
        self._came, self._broke = came, broke
        self._call: Any = client.session_call(self._requests())
        self._task = asyncio.create_task(self._read())

    def send(self, message: v1.SessionRequest) -> None:
        """Sends a message, as soon as there is room for it."""
        self._up.put_nowait(message)

    async def close(self) -> None:
        """Ends the stream and closes the connection."""
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
                self._came(message)
        except grpc.aio.AioRpcError as failed:
            error = error_of(failed)
        except grpc.aio.UsageError as closed:
            error = ConnectionLost(str(closed))
        self._broke(error)


class Session:
    """An open session, made by `await Session.open(client)`; see `chickenfoot.Session`."""

    def __init__(self) -> None:
        self._down: asyncio.Queue[v1.SessionResponse | Error] = asyncio.Queue()
        self._silence = HELLO
        self._link: Link | None = None
        self.hello = v1.Hello()
        """What the service greeted with."""

    @classmethod
    async def open(cls, client: Client, open: v1.Open | None = None) -> Session:  # noqa: A002
        """Opens a session, which takes over from any other of the same agent. Raises Error if it does not come about."""
        session = cls()
        first = v1.SessionRequest(open=open or v1.Open())
        session._link = Link(client, first, session._down.put_nowait, session._ended)
        try:
            greeting = await session.next()
            if greeting.WhichOneof("what") != "hello":
                raise ConnectionLost("the service did not begin with Hello")
        except Error:
            await session.close()
            raise
        session.hello = greeting.hello
        session._silence = silence_of(greeting.hello)
        return session

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def next(self) -> v1.SessionResponse:
        """The next message, of a kind that this version knows. Raises Error when the stream ended, broke or was silent for
        three heartbeats; a new session gets sent again what is still open."""
        while True:
            try:
                came = await asyncio.wait_for(self._down.get(), self._silence)
            except (asyncio.TimeoutError, TimeoutError):
                await self.close()
                raise ConnectionLost(f"silent for {self._silence:g} s") from None
            if isinstance(came, Error):
                raise came
            if came.WhichOneof("what") is not None:
                return came

    def reply(self, match_id: str, *, accept: bool, entropy: bytes = b"") -> None:
        """Answers an offer of a seat."""
        self._send(v1.SessionRequest(offer_reply=v1.OfferReply(match_id=match_id, accept=accept, entropy=entropy)))

    def choose(self, match_id: str, decision: int, choice: int | Move) -> None:
        """Answers a decision by the position of an option or by a move."""
        self._send(v1.SessionRequest(choice=choice_of(match_id, decision, choice)))

    async def close(self) -> None:
        """Ends the session and closes its client."""
        if self._link is not None:
            await self._link.close()

    def _send(self, message: v1.SessionRequest) -> None:
        if self._link is not None:
            self._link.send(message)

    def _ended(self, error: Error | None) -> None:
        self._down.put_nowait(error or ConnectionLost("the service ended the stream"))
