"""The canonical encoding of events, over which the digest of a match is computed.

`u8` is one byte, `u32` four, big-endian; `lp(x)` is the length of x as `u32`, then x. The documentation of the crate
`chickenfoot-rules` has the table of all kinds.
"""

from __future__ import annotations

from collections.abc import Sequence

from .deal import Contributor, lp
from .game import Tile

HEAD = lp(b"chickenfoot/v1/events")
"""What comes before the first event."""

_KINDS = {"start": 4, "play": 5, "draw": 6, "pass": 7, "keep": 8, "forfeit": 10}


def match_started(
    rules_text: str, deal_id: str, promise: bytes, seats: Sequence[Contributor], block: Sequence[Contributor]
) -> bytes:
    """The match began."""
    head = b"\x01" + lp(rules_text.encode()) + lp(deal_id.encode()) + promise
    return head + _contributors(seats) + _contributors(block)


def round_started(number: int, starting_double: int) -> bytes:
    """A round began."""
    return bytes([2, number, starting_double])


def hand_dealt(seat: int, hand: Sequence[Tile]) -> bytes:
    """A seat was dealt its hand."""
    return bytes([3, seat, len(hand)]) + b"".join(bytes(tile) for tile in sorted(hand))


def made(seat: int, what: str, tile: Tile | None, end: int | None, line: int | None) -> bytes:
    """A seat did something."""
    fields = [number for number in (end, line) if number is not None]
    return bytes([_KINDS[what], seat]) + bytes(tile or ()) + bytes(fields)


def round_ended(out: int | None, scores: Sequence[int], totals: Sequence[int]) -> bytes:
    """A round ended: this seat is out, or nobody and it is blocked."""
    how = bytes([1, 0]) if out is None else bytes([0, out])
    return b"\x09" + how + bytes([len(scores)]) + _u32(scores) + _u32(totals)


def match_ended(totals: Sequence[int], places: Sequence[int]) -> bytes:
    """The match was played to its end."""
    return bytes([11, len(totals)]) + _u32(totals) + bytes(places)


def match_aborted() -> bytes:
    """The match was ended before its time."""
    return b"\x0c"


def _contributors(those: Sequence[Contributor]) -> bytes:
    return bytes([len(those)]) + b"".join(lp(each.name.encode()) + each.entropy for each in those)


def _u32(numbers: Sequence[int]) -> bytes:
    return b"".join(number.to_bytes(4, "big") for number in numbers)
