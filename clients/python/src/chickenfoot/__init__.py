"""Bots and tools for the Chicken Foot match service.

    import chickenfoot

    def choose(turn):
        return max(turn.options, key=lambda option: option.pips + (option.kind == "play"))

    chickenfoot.run(choose, name="my-bot")

`run` and `Runner` play; `Client` has every call of the service; `verify` checks the record of a match; `chickenfoot.aio` has the
same for asyncio; `chickenfoot.v1` are the messages of the contract.
"""

from . import v1 as v1
from ._connect import ConnectOptions, entropy, request_id
from ._machine import Stats
from .bot import Answer, AsyncChoose, Bot, Choose, Make
from .client import Client
from .errors import (
    AddressError,
    AlreadyExists,
    Conflict,
    ConnectionLost,
    DeadlineExceeded,
    Denied,
    Error,
    FieldViolation,
    IllegalMove,
    InvalidRequest,
    LimitReached,
    Malformed,
    NotFound,
    OtherAgent,
    Refused,
    Replaced,
    ServiceFault,
    Unauthenticated,
    Unavailable,
    WrongState,
)
from .flaw import Flaw
from .game import Foot, GameEnd, GameInfo, Move, OpenEnd, SeatView, Step, Tile, Turn, View
from .record import Record
from .rules import Rules, RulesError
from .runner import Runner, run
from .session import Session
from .verify import verify

__version__ = "0.1.0"

__all__ = [
    "AddressError",
    "AlreadyExists",
    "Answer",
    "AsyncChoose",
    "Bot",
    "Choose",
    "Client",
    "Conflict",
    "ConnectOptions",
    "ConnectionLost",
    "DeadlineExceeded",
    "Denied",
    "Error",
    "FieldViolation",
    "Flaw",
    "Foot",
    "GameEnd",
    "GameInfo",
    "IllegalMove",
    "InvalidRequest",
    "LimitReached",
    "Make",
    "Malformed",
    "Move",
    "NotFound",
    "OpenEnd",
    "OtherAgent",
    "Record",
    "Refused",
    "Replaced",
    "Rules",
    "RulesError",
    "Runner",
    "SeatView",
    "ServiceFault",
    "Session",
    "Stats",
    "Step",
    "Tile",
    "Turn",
    "Unauthenticated",
    "Unavailable",
    "View",
    "WrongState",
    "entropy",
    "request_id",
    "run",
    "v1",
    "verify",
]
