"""Deals that follow from a committed seed and the contributors' entropy, so that anyone can recompute them.

HKDF-SHA-256 (RFC 5869) over a transcript of all that was public before the deal, with rejection sampling for unbiased numbers and
the Fisher-Yates shuffle (Durstenfeld 1964) from the last index down. README, "Check a record", has the construction in words.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .game import Tile
from .rules import Rules, set_size

_HASH = "sha256"


@dataclass(frozen=True)
class Contributor:
    """Someone who may add entropy to a deal: a seat of a match, or an entrant of a block. 32 zero bytes are none."""

    name: str
    entropy: bytes = bytes(32)


@dataclass(frozen=True)
class Deal:
    """The tiles of one round before anything is laid."""

    starting_double: int
    """The number of the starting double."""
    starter: int | None
    """The seat that found the starting double by lot; None where its holder starts."""
    hands: tuple[tuple[Tile, ...], ...]
    """The hands by seat, in the order dealt."""
    boneyard: tuple[Tile, ...]
    """The boneyard in drawing order, the reserve last."""


def lp(data: bytes) -> bytes:
    """The length of the data in four bytes, big-endian, then the data."""
    return len(data).to_bytes(4, "big") + data


def commitment(deal_id: str, seed: bytes) -> bytes:
    """What binds the service to a seed before anyone gives entropy."""
    return hashlib.sha256(lp(b"chickenfoot/v1/commit") + lp(deal_id.encode()) + lp(seed)).digest()


def transcript(rules: Rules, deal_id: str, seed: bytes, contributors: Sequence[Contributor]) -> bytes:
    """The hash of everything public that goes into the deals."""
    parts = [b"chickenfoot/v1/transcript", deal_id.encode(), rules.text.encode(), commitment(deal_id, seed)]
    for each in contributors:
        parts += [each.name.encode(), each.entropy]
    return hashlib.sha256(b"".join(map(lp, parts))).digest()


class Deals:
    """The deals of one match or block. `contributors` are in seat order (match) or sorted by name (block)."""

    def __init__(self, rules: Rules, deal_id: str, seed: bytes, contributors: Sequence[Contributor]) -> None:
        self.rules = rules
        self._key = hmac.digest(transcript(rules, deal_id, seed, contributors), seed, _HASH)

    def round_key(self, number: int) -> bytes:
        """The key of a round, from 1: 32 bytes."""
        return expand(self._key, b"chickenfoot/v1/round" + bytes([number]), 32)

    def deal(self, number: int) -> Deal:
        """The deal of a round, from 1."""
        rules, key = self.rules, self.round_key(number)
        double, starter = rules.starting_double(number), None
        tiles = tile_set(rules.max_pip)
        if rules.starter == "lot":
            drawn = below(set_size(rules.max_pip), words(key, b"chickenfoot/v1/start"))
            starter = (number - 1 + drawn) % rules.players
            tiles.remove(Tile(double, double))
        shuffle(tiles, words(key, b"chickenfoot/v1/deal"))
        cuts = range(0, rules.players * rules.hand_size, rules.hand_size)
        hands = tuple(tuple(tiles[cut : cut + rules.hand_size]) for cut in cuts)
        return Deal(double, starter, hands, tuple(tiles[rules.players * rules.hand_size :]))


def tile_set(max_pip: int) -> list[Tile]:
    """All tiles of a set in ascending order."""
    return [Tile(low, high) for low in range(max_pip + 1) for high in range(low, max_pip + 1)]


def expand(key: bytes, info: bytes, length: int) -> bytes:
    """HKDF-Expand."""
    out, block, counter = b"", b"", 0
    while len(out) < length:
        counter += 1
        block = hmac.digest(key, block + info + bytes([counter]), _HASH)
        out += block
    return out[:length]


def words(key: bytes, label: bytes) -> Iterator[int]:
    """The stream with a label: 32-bit words, big-endian."""
    for counter in range(256):
        chunk = expand(key, label + bytes([counter]), 1024)
        for at in range(0, 1024, 4):
            yield int.from_bytes(chunk[at : at + 4], "big")


def below(bound: int, stream: Iterator[int]) -> int:
    """The next unbiased number below a bound."""
    limit = 2**32 // bound * bound
    return next(word for word in stream if word < limit) % bound


def shuffle(tiles: list[Tile], stream: Iterator[int]) -> None:
    """Shuffles in place."""
    for i in range(len(tiles) - 1, 0, -1):
        j = below(i + 1, stream)
        tiles[i], tiles[j] = tiles[j], tiles[i]
