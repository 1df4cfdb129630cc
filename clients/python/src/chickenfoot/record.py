"""The record of a match: complete enough to check every deal, draw, move, score and the digest offline."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from . import _reading, v1
from ._wire import tile as tile_of
from .deal import Contributor
from .flaw import Flaw
from .game import Tile
from .match import Made
from .rules import Rules, RulesError

FORMAT = "chickenfoot/v1/record"
"""The name and version of the format, the first field of every record."""


@dataclass(frozen=True)
class RoundRecord:
    """One round of a record."""

    starting_double: int
    """The number of the starting double."""
    starter: int | None
    """Who found the starting double by lot; None where its holder starts."""
    hands: tuple[tuple[Tile, ...], ...]
    """The hands as dealt, by seat."""
    boneyard: tuple[Tile, ...]
    """The boneyard as dealt, in drawing order."""
    moves: tuple[Made, ...]
    """Everything the seats did, in order."""
    end: str | None
    """How the round ended: `out` and the seat, or `blocked`; None if the match was aborted in it."""
    scores: tuple[int, ...]
    """Each seat's score in this round; none if the match was aborted in it."""


@dataclass(frozen=True)
class Record:
    """A match that is over. Written as JSON: tiles as in "4-9", hashes and seeds in 64 hexadecimal digits, seats from 0."""

    match_id: str
    """The match. Part of nothing that is checked, unless the deals are bound to it."""
    rules: Rules
    """The rules."""
    deal_id: str
    """What the deals are bound to."""
    commitment: bytes
    """What was published before anyone gave entropy."""
    seed: bytes
    """The seed, revealed."""
    seats: tuple[Contributor, ...]
    """The seats' names and entropy."""
    block: tuple[Contributor, ...]
    """Who contributed to the deals of a block of replays, sorted by name; empty for a match of its own."""
    rounds: tuple[RoundRecord, ...]
    """The rounds that were begun."""
    outcome: Literal["finished", "aborted"]
    """How the match ended."""
    totals: tuple[int, ...]
    """Each seat's score."""
    places: tuple[int, ...]
    """Each seat's place, from 1; none if the match was aborted."""
    digest: bytes
    """The digest of the events."""

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Record:
        """Reads a file that `chickenfoot record get` wrote. Raises Flaw, or OSError."""
        return cls.from_json(pathlib.Path(path).read_bytes())

    @classmethod
    def from_json(cls, text: str | bytes) -> Record:
        """Reads what `to_json` writes, and nothing else. Raises Flaw, which names the place."""
        return _record(_parse(text))

    @classmethod
    def from_wire(cls, wire: v1.Record) -> Record:
        """The record of an answer of the service. Raises Flaw if it is none."""
        try:
            rules = Rules.from_text(wire.rules_text)
        except RulesError as why:
            raise Flaw("rules", str(why)) from why
        outcomes: dict[int, Literal["finished", "aborted"]] = {
            v1.MATCH_STATE_FINISHED: "finished",
            v1.MATCH_STATE_ABORTED: "aborted",
        }
        if wire.format != FORMAT or wire.outcome not in outcomes:
            raise Flaw("format", f"{wire.format!r} of an outcome {wire.outcome} is not known")
        return cls(
            match_id=wire.match_id,
            rules=rules,
            deal_id=wire.deal_id,
            commitment=wire.commitment,
            seed=wire.seed,
            seats=tuple(Contributor(seat.name, seat.entropy) for seat in wire.seats),
            block=tuple(Contributor(each.name, each.entropy) for each in wire.block),
            rounds=tuple(_round_from_wire(each) for each in wire.rounds),
            outcome=outcomes[wire.outcome],
            totals=tuple(wire.totals),
            places=tuple(wire.places),
            digest=wire.digest,
        )

    def to_json(self) -> str:
        """The record as a JSON document, byte for byte what `chickenfoot record get` writes."""
        document: dict[str, Any] = {
            "format": FORMAT,
            "match_id": self.match_id,
            "rules": self.rules.text,
            "deal_id": self.deal_id,
            "commitment": self.commitment.hex(),
            "seed": self.seed.hex(),
            "seats": _contributors(self.seats),
        }
        if self.block:
            document["block"] = _contributors(self.block)
        document |= {
            "rounds": [_round_to_json(each) for each in self.rounds],
            "outcome": self.outcome,
            "totals": self.totals,
            "places": self.places,
            "digest": self.digest.hex(),
        }
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _contributors(those: Sequence[Contributor]) -> list[dict[str, str]]:
    return [{"name": each.name, "entropy": each.entropy.hex()} for each in those]


def _round_to_json(each: RoundRecord) -> dict[str, Any]:
    return {
        "starting_double": each.starting_double,
        "starter": each.starter,
        "hands": [[str(tile) for tile in hand] for hand in each.hands],
        "boneyard": [str(tile) for tile in each.boneyard],
        "moves": [str(made) for made in each.moves],
        "end": each.end,
        "scores": each.scores,
    }


def _round_from_wire(wire: v1.RoundRecord) -> RoundRecord:
    end = wire.end.WhichOneof("how")
    return RoundRecord(
        starting_double=wire.starting_double,
        starter=wire.starter if wire.HasField("starter") else None,
        hands=tuple(tuple(tile_of(tile) for tile in hand.tiles) for hand in wire.hands),
        boneyard=tuple(tile_of(tile) for tile in wire.boneyard.tiles),
        moves=tuple(_made_from_wire(each) for each in wire.moves),
        end=None if end is None else "blocked" if end == "blocked" else f"out {wire.end.out}",
        scores=tuple(wire.scores),
    )


def _made_from_wire(wire: v1.RecordedMove) -> Made:
    what = wire.WhichOneof("what")
    if what is None:
        raise Flaw("moves", "a move is of no kind that this version knows")
    if what == "play":
        return Made(wire.seat, what, tile_of(wire.play.tile), wire.play.end, wire.play.line)
    return Made(wire.seat, what, tile_of(wire.draw) if what == "draw" else None)


# Reading JSON


def _parse(text: str | bytes) -> Any:
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError as why:
            raise Flaw(f"byte {why.start}", "this is not UTF-8") from why
    try:
        return json.loads(text, object_pairs_hook=_members, parse_constant=_no_constant)
    except Flaw:
        raise
    except json.JSONDecodeError as why:
        raise Flaw(f"line {why.lineno} column {why.colno}", why.msg) from why
    except (RecursionError, ValueError) as why:
        raise Flaw("document", "it is nested too deeply, or a number has too many digits") from why


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        twice = next(name for at, (name, _) in enumerate(pairs) if name in dict(pairs[:at]))
        raise Flaw(twice, "the member stands there twice")
    return members


def _no_constant(text: str) -> Any:
    raise Flaw("document", f"{text} is no number")


_MEMBERS = (
    *("format", "match_id", "rules", "deal_id", "commitment", "seed", "seats"),
    *("rounds", "outcome", "totals", "places", "digest"),
)
_ROUND_MEMBERS = ("starting_double", "starter", "hands", "boneyard", "moves", "end", "scores")


def _record(value: Any) -> Record:
    found = _reading.members(value, "", _MEMBERS, optional=("block",))
    if found["format"] != FORMAT:
        raise Flaw("format", f"{found['format']!r} is not {FORMAT!r}")
    try:
        rules = Rules.from_text(_reading.text(found["rules"], "rules"))
    except RulesError as why:
        raise Flaw("rules", str(why)) from why
    if found["outcome"] not in ("finished", "aborted"):
        raise Flaw("outcome", f"{found['outcome']!r} is not finished or aborted")
    return Record(
        match_id=_reading.text(found["match_id"], "match_id"),
        rules=rules,
        deal_id=_reading.text(found["deal_id"], "deal_id"),
        commitment=_reading.hexadecimal(found["commitment"], "commitment"),
        seed=_reading.hexadecimal(found["seed"], "seed"),
        seats=_reading.items(found["seats"], "seats", _reading.contributor, "seat"),
        block=_reading.items(found.get("block", []), "block", _reading.contributor, "contributor"),
        rounds=_rounds(found["rounds"]),
        outcome=found["outcome"],
        totals=_reading.items(found["totals"], "totals", _reading.number, "seat"),
        places=_reading.items(found["places"], "places", _reading.number, "seat"),
        digest=_reading.hexadecimal(found["digest"], "digest"),
    )


def _rounds(value: Any) -> tuple[RoundRecord, ...]:
    if not isinstance(value, list):
        raise Flaw("rounds", "this is not a list")
    return tuple(_round(each, f"round {number}") for number, each in enumerate(value, 1))


def _round(value: Any, place: str) -> RoundRecord:
    found = _reading.members(value, place, _ROUND_MEMBERS)
    starter = found["starter"]

    def hand(tiles: Any, where: str) -> tuple[Tile, ...]:
        return _reading.items(tiles, where, _reading.tile, "tile", 1)

    return RoundRecord(
        starting_double=_reading.number(found["starting_double"], f"{place}, starting_double"),
        starter=None if starter is None else _reading.number(starter, f"{place}, starter"),
        hands=_reading.items(found["hands"], f"{place}, hands", hand, "seat"),
        boneyard=hand(found["boneyard"], f"{place}, boneyard"),
        moves=_moves(found["moves"], place),
        end=_reading.end(found["end"], f"{place}, end"),
        scores=_reading.items(found["scores"], f"{place}, scores", _reading.number, "seat"),
    )


def _moves(value: Any, place: str) -> tuple[Made, ...]:
    if not isinstance(value, list):
        raise Flaw(f"{place}, moves", "this is not a list")
    return tuple(_reading.made(each, f"{place}, move {number}") for number, each in enumerate(value, 1))
