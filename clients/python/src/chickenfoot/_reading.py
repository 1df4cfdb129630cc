"""Reads the parts of a record out of JSON values. Every refusal names the place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from .deal import Contributor
from .flaw import Flaw
from .game import Tile
from .match import Made

T = TypeVar("T")

MAX_PIP = 18
MAX_SEATS = 16

_TILE = re.compile(r"(0|[1-9][0-9]?)-(0|[1-9][0-9]?)", re.ASCII)
_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
_MADE = re.compile(
    r"(?P<seat>0|1?[0-9]) (?:(?P<bare>start|pass|keep|forfeit)|draw (?P<draw>\S+)"
    r"|play (?P<play>\S+) (?P<end>0|[1-9][0-9]?) (?P<line>[1-9][0-9]{0,2}))",
    re.ASCII,
)
_END = re.compile(r"blocked|out (0|[1-9][0-9]?)", re.ASCII)


def members(value: Any, place: str, names: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """The members of an object, which has these and no others."""
    if not isinstance(value, dict):
        raise Flaw(place or "document", "this is not an object")
    within = f"{place}, " if place else ""
    for name in value:
        if name not in names and name not in optional:
            raise Flaw(f"{within}{name}", "there is no such member")
    for name in names:
        if name not in value:
            raise Flaw(f"{within}{name}", "the member is missing")
    return value


def items(value: Any, place: str, read: Callable[[Any, str], T], name: str = "item", first: int = 0) -> tuple[T, ...]:
    """The items of a list, read one by one; their places are counted from `first`."""
    if not isinstance(value, list):
        raise Flaw(place, "this is not a list")
    return tuple(read(item, f"{place}, {name} {number}") for number, item in enumerate(value, first))


def text(value: Any, place: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise Flaw(place, f"{value!r} is not a text")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise Flaw(place, "half of a surrogate pair stands alone")
    return value


def number(value: Any, place: str) -> int:
    """A whole number of 32 bits."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**32:
        raise Flaw(place, f"{value!r} is not a whole number from 0 to 4294967295")
    return value


def hexadecimal(value: Any, place: str) -> bytes:
    """32 bytes."""
    if not _HEX.fullmatch(text(value, place)):
        raise Flaw(place, f"{value!r} is not 64 lower-case hexadecimal digits")
    return bytes.fromhex(value)


def tile(value: Any, place: str) -> Tile:
    """A tile such as "4-9"."""
    found = _TILE.fullmatch(text(value, place))
    numbers = Tile(int(found[1]), int(found[2])) if found else None
    if numbers is None or not numbers.low <= numbers.high <= MAX_PIP:
        raise Flaw(place, f"{value!r} is not a tile such as '4-9', the lower number first")
    return numbers


def contributor(value: Any, place: str) -> Contributor:
    """A name and its entropy."""
    found = members(value, place, ("name", "entropy"))
    return Contributor(text(found["name"], f"{place}, name"), hexadecimal(found["entropy"], f"{place}, entropy"))


def made(value: Any, place: str) -> Made:
    """Something that a seat did."""
    found = _MADE.fullmatch(text(value, place))
    if not found or int(found["seat"]) >= MAX_SEATS:
        raise Flaw(place, f"{value!r} is not a move such as '0 play 4-9 9 3', '1 draw 0-5' or '1 pass'")
    seat = int(found["seat"])
    if found["draw"]:
        return Made(seat, "draw", tile(found["draw"], place))
    if found["play"]:
        return Made(seat, "play", tile(found["play"], place), int(found["end"]), int(found["line"]))
    return Made(seat, found["bare"])  # type: ignore[arg-type]


def end(value: Any, place: str) -> str | None:
    """How a round ended, if it did."""
    if value is not None and not _END.fullmatch(text(value, place)):
        raise Flaw(place, f"{value!r} is not the end of a round: 'out 2' or 'blocked'")
    return value  # type: ignore[no-any-return]
