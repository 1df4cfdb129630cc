"""What can go wrong, one class for each thing that a program may want to do about it.

Every refusal of the service has a canonical code, a reason that a program can read, and metadata; `proto/README.md` lists all
reasons. The class of a refusal follows from its reason, so that `except NotFound` and `error.reason == "MATCH_NOT_FOUND"` both
work. Only the message is for people, and may change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


class Error(Exception):
    """Why a call or a session failed. `passing` tells whether the same may succeed later."""

    passing = False


class AddressError(Error, ValueError):
    """The service's address is none, or asks for TLS in a way that cannot be had."""


class ConnectionLost(Error):  # noqa: N818
    """The service could not be reached, or the connection broke or fell silent."""

    passing = True


class DeadlineExceeded(ConnectionLost):
    """No answer came within the time that the caller gave. Whether the call had an effect is not known."""


class Malformed(Error):  # noqa: N818
    """The service sent something that means nothing."""


class Replaced(Error):  # noqa: N818
    """Another session of the same agent has taken over. Coming back would only take over again."""


class OtherAgent(Error):  # noqa: N818
    """The token is that of another agent than the one it was said to be of."""

    def __init__(self, wanted: str, found: str) -> None:
        super().__init__(f"the token is that of agent {found!r}, not of {wanted!r}")
        self.wanted = wanted
        self.found = found


@dataclass(frozen=True)
class FieldViolation:
    """A field of the request that is wrong, and why."""

    field: str
    description: str


class Refused(Error):  # noqa: N818
    """The service refused a call, a choice or a session.

    `code` is the canonical code's number, `code_name` its name, `reason` one of those that `proto/README.md` lists, `metadata`
    what the reason is about, `fields` the fields that are wrong, `retry_after` the seconds after which another try may succeed.
    """

    def __init__(
        self,
        message: str,
        *,
        code: int,
        reason: str,
        metadata: Mapping[str, str] | None = None,
        fields: Sequence[FieldViolation] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{message} ({reason})")
        self.message = message
        self.code = code
        self.reason = reason
        self.metadata = dict(metadata or {})
        self.fields = tuple(fields)
        self.retry_after = retry_after

    @property
    def code_name(self) -> str:
        """The canonical code as `google.rpc.Code` spells it."""
        return CODES.get(self.code, "UNKNOWN")

    @property
    def passing(self) -> bool:  # type: ignore[override]
        """Whether the same call may succeed later."""
        return self.code_name in {"UNAVAILABLE", "RESOURCE_EXHAUSTED", "CANCELLED", "INTERNAL"}


class Unauthenticated(Refused):
    """No token, or one that no agent has, or has no longer."""


class Denied(Refused):
    """The caller may not do this: its role, its seat or the state of an invitation forbids it."""


class NotFound(Refused):
    """There is no such match, agent, tournament or entrant, or no longer."""


class InvalidRequest(Refused):
    """The request cannot be right, whatever the state of the service; `fields` tells where."""


class IllegalMove(InvalidRequest):
    """The answer to a decision is not legal. It is a fault, and the clock runs on."""


class AlreadyExists(Refused):
    """The name is taken."""


class WrongState(Refused):
    """The request is fine, but match, tournament or decision are not where it fits."""


class Conflict(WrongState):
    """Somebody or something was there before: the decision is answered, the seat is taken."""


class LimitReached(Refused):
    """A limit of the service; `metadata` names it and its value."""


class Unavailable(Refused):
    """The service stops, or cannot say in time what became of the call. Repeat it after `retry_after`."""


class ServiceFault(Refused):
    """A fault of the service."""


CODES = {
    0: "OK",
    1: "CANCELLED",
    2: "UNKNOWN",
    3: "INVALID_ARGUMENT",
    4: "DEADLINE_EXCEEDED",
    5: "NOT_FOUND",
    6: "ALREADY_EXISTS",
    7: "PERMISSION_DENIED",
    8: "RESOURCE_EXHAUSTED",
    9: "FAILED_PRECONDITION",
    10: "ABORTED",
    11: "OUT_OF_RANGE",
    12: "UNIMPLEMENTED",
    13: "INTERNAL",
    14: "UNAVAILABLE",
    15: "DATA_LOSS",
    16: "UNAUTHENTICATED",
}

_BY_CODE: dict[str, type[Refused]] = {
    "CANCELLED": Unavailable,
    "INVALID_ARGUMENT": InvalidRequest,
    "NOT_FOUND": NotFound,
    "ALREADY_EXISTS": AlreadyExists,
    "PERMISSION_DENIED": Denied,
    "RESOURCE_EXHAUSTED": LimitReached,
    "FAILED_PRECONDITION": WrongState,
    "OUT_OF_RANGE": InvalidRequest,
    "UNIMPLEMENTED": InvalidRequest,
    "INTERNAL": ServiceFault,
    "UNAVAILABLE": Unavailable,
    "UNAUTHENTICATED": Unauthenticated,
}

# Reasons whose class is narrower than their code tells.
_BY_REASON: dict[str, type[Refused]] = {
    "OPTION_OUT_OF_RANGE": IllegalMove,
    "TILE_NOT_IN_HAND": IllegalMove,
    "MOVE_ILLEGAL": IllegalMove,
    "LINE_UNKNOWN": IllegalMove,
    "DECISION_ANSWERED": Conflict,
    "DECISION_NOT_OPEN": Conflict,
    "SEAT_TAKEN": Conflict,
    "NO_FREE_SEAT": Conflict,
}


def refusal(
    message: str,
    *,
    code: int,
    reason: str,
    metadata: Mapping[str, str] | None = None,
    fields: Sequence[FieldViolation] = (),
    retry_after: float | None = None,
) -> Refused:
    """A refusal of the class that its reason has, or else its code."""
    kind = _BY_REASON.get(reason) or _BY_CODE.get(CODES.get(code, ""), Refused)
    return kind(message, code=code, reason=reason, metadata=metadata, fields=fields, retry_after=retry_after)
