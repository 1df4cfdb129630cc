"""Checks the record of a match against itself, in pure Python and with nothing of the service."""

from __future__ import annotations

import itertools

from .deal import Deal, commitment
from .engine import IllegalAction
from .flaw import Flaw
from .game import Move
from .match import Made, Match, RoundOver
from .record import Record, RoundRecord

MAX_CONTRIBUTORS = 16
"""Most contributors of a block: a candidate, a base and a full table."""


def verify(record: Record | str | bytes) -> Record:
    """Checks that the seed was the committed one, that every deal follows from it, that every draw is the deal's, every move
    legal, every score, total and place right, and the digest theirs. `record` may be the JSON text of one. Returns the record.

    Raises Flaw, which names the first place that is wrong.
    """
    if not isinstance(record, Record):
        record = Record.from_json(record)
    _equal("seats", record.rules.players, len(record.seats))
    _equal("commitment", commitment(record.deal_id, record.seed).hex(), record.commitment.hex())
    _check_block(record)
    replay = _Replay(record)
    for number, recorded in enumerate(record.rounds[: record.rules.rounds], 1):
        _check_deal(number, recorded, replay.match.deal(number))
    match = replay.run()
    _equal("rounds", match.number, len(record.rounds))
    _equal("outcome", match.over, record.outcome)
    _equal("totals", match.totals, record.totals)
    _equal("places", match.places if record.outcome == "finished" else (), record.places)
    _equal("digest", match.digest.hex(), record.digest.hex())
    return record


def _check_block(record: Record) -> None:
    """The contributors of a block are sorted by name, each there once, so that their order is nobody's choice."""
    if len(record.block) > MAX_CONTRIBUTORS:
        raise Flaw("block", f"{len(record.block)} contributors; most are {MAX_CONTRIBUTORS}")
    names = [each.name for each in record.block]
    # By their UTF-8, as everybody sorts who has texts as bytes.
    for one, other in itertools.pairwise(names):
        if one.encode() >= other.encode():
            raise Flaw("block", f"{one!r} does not come before {other!r}")


def _check_deal(number: int, recorded: RoundRecord, deal: Deal) -> None:
    _equal(f"round {number}, starting_double", deal.starting_double, recorded.starting_double)
    _equal(f"round {number}, starter", deal.starter, recorded.starter)
    _equal(f"round {number}, hands", len(deal.hands), len(recorded.hands))
    for seat, (dealt, hand) in enumerate(zip(deal.hands, recorded.hands, strict=True)):
        _equal_tiles(f"round {number}, hand of seat {seat}", dealt, hand)
    _equal_tiles(f"round {number}, boneyard", deal.boneyard, recorded.boneyard)


class _Replay:
    """Plays the recorded moves through the rules and compares what happens."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self.match = Match(record.rules, record.deal_id, record.seed, record.seats, record.block)
        self._round = 1
        self._at = 0

    def run(self) -> Match:
        match = self.match
        self._compare()
        while not match.over:
            self._next()
            self._compare()
        if (made := self._recorded()) is not None:
            raise Flaw(self._place(), f"{made} stands after the end")
        return match

    def _next(self) -> None:
        """Has the next recorded move made."""
        match, made = self.match, self._recorded()
        if made is None:
            last = self._round == len(self._record.rounds)
            if not (last and self._record.outcome == "aborted"):
                raise Flaw(self._place(), f"the moves end where seat {match.on_turn} chooses")
            match.abort()
        elif made.what == "forfeit":
            try:
                match.forfeit(made.seat)
            except ValueError as why:
                raise Flaw(self._place(), str(why)) from why
        else:
            self._play(made)

    def _play(self, made: Made) -> None:
        if made.seat != self.match.on_turn:
            raise Flaw(self._place(), f"{made} stands where seat {self.match.on_turn} chooses")
        if made.what not in ("play", "draw", "pass", "keep"):
            raise Flaw(self._place(), f"{made} stands where seat {made.seat} chooses")
        tile = made.tile if made.what == "play" else None
        try:
            self.match.play(Move(made.what, tile, made.end, made.line))
        except IllegalAction as why:
            raise Flaw(self._place(), f"{made} is not legal: {why}") from why

    def _compare(self) -> None:
        """Compares what happened since the last call with the record."""
        for happened in self.match.take():
            if isinstance(happened, RoundOver):
                self._compare_end(happened)
                continue
            recorded = self._recorded()
            if recorded is None:
                raise Flaw(self._place(), f"{happened} is missing")
            if happened != recorded:
                raise Flaw(self._place(), f"the record has {recorded}, the rules give {happened}")
            self._at += 1

    def _compare_end(self, happened: RoundOver) -> None:
        if (made := self._recorded()) is not None:
            raise Flaw(self._place(), f"{made} stands after the end of the round")
        recorded = self._record.rounds[self._round - 1]
        _equal(f"round {self._round}, end", happened.end, recorded.end)
        _equal(f"round {self._round}, scores", happened.scores, recorded.scores)
        if self.match.number > self._round:
            self._round, self._at = self.match.number, 0
            if len(self._record.rounds) < self._round:
                raise Flaw("rounds", f"round {self._round} is missing")

    def _recorded(self) -> Made | None:
        if self._round > len(self._record.rounds):
            return None
        moves = self._record.rounds[self._round - 1].moves
        return moves[self._at] if self._at < len(moves) else None

    def _place(self) -> str:
        return f"round {self._round}, move {self._at + 1}"


def _equal(place: str, expected: object, recorded: object) -> None:
    if expected != recorded:
        raise Flaw(place, f"the record has {recorded}, the rules give {expected}")


def _equal_tiles(place: str, expected: tuple[object, ...], recorded: tuple[object, ...]) -> None:
    if expected != recorded:
        texts = [" ".join(map(str, tiles)) for tiles in (recorded, expected)]
        raise Flaw(place, f"the record has {texts[0]}, the rules give {texts[1]}")
