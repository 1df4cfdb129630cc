"""A match as the fold of its moves: rounds, draws that look for the starting double, scores, places, and the digest of it all."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from . import _events
from ._witness import Witness
from .deal import Contributor, Deal, Deals, commitment
from .engine import Round, Terms
from .game import Move, SeatView, Tile, View
from .rules import Rules


@dataclass(frozen=True)
class Made:
    """Something that a seat did. As text, it is what a record has of it: `2 start`, `0 play 4-9 9 3`, `1 draw 0-5`."""

    seat: int
    what: Literal["start", "play", "draw", "pass", "keep", "forfeit"]
    tile: Tile | None = None
    end: int | None = None
    line: int | None = None

    def __str__(self) -> str:
        words = [self.seat, self.what, self.tile, self.end, self.line]
        return " ".join(str(word) for word in words if word is not None)


@dataclass(frozen=True)
class RoundOver:
    """A round ended."""

    number: int
    end: str
    """`out` and the seat, or `blocked`."""
    scores: tuple[int, ...]


@dataclass
class SeatResult:
    """What decides a seat's place in a match."""

    rounds: list[int] = field(default_factory=list)
    forfeited: int | None = None
    """Its position among those that forfeited, from 0; None for one that played to the end."""

    @property
    def total(self) -> int:
        """The sum of its scores."""
        return sum(self.rounds)

    def key(self) -> tuple[int, int, int, int]:
        """Smaller is better: who forfeited comes last, the first to do so at the very end; then the lower total, more rounds
        scored 0, the lower smallest score above 0."""
        gone = 0 if self.forfeited is None else 1000 - self.forfeited
        smallest = min((score for score in self.rounds if score), default=0)
        return gone, self.total, -self.rounds.count(0), smallest


class Match:
    """A match whose deals follow from a seed. It plays no move by itself but for seats that have forfeited; with
    `automatic` also those that have no alternative.

    `happened` has what seats did and how rounds ended since `take` was last called.
    """

    def __init__(
        self,
        rules: Rules,
        deal_id: str,
        seed: bytes,
        seats: Sequence[Contributor],
        block: Sequence[Contributor] = (),
        *,
        automatic: bool = False,
    ) -> None:
        self.rules = rules
        self.number = 0
        self.round: Round | None = None
        self.results = [SeatResult() for _ in seats]
        self.over: Literal["finished", "aborted"] | None = None
        self.events = 0
        self._deals = Deals(rules, deal_id, seed, block or seats)
        self._automatic = automatic
        self._witness = Witness(rules.players)
        self._hash = hashlib.sha256(_events.HEAD)
        self._happened: list[Made | RoundOver] = []
        self._log(_events.match_started(rules.text, deal_id, commitment(deal_id, seed), seats, block))
        self._advance()

    # What is so

    @property
    def on_turn(self) -> int | None:
        """The seat that has to choose; None once the match is over."""
        return None if self.over or self.round is None else self.round.turn

    def options(self) -> list[Move]:
        """What it may choose from."""
        return [] if self.over or self.round is None else self.round.options()

    @property
    def totals(self) -> tuple[int, ...]:
        """Each seat's score in the rounds that are over."""
        return tuple(result.total for result in self.results)

    @property
    def places(self) -> tuple[int, ...]:
        """Each seat's place, from 1, by the scores so far."""
        keys = [result.key() for result in self.results]
        return tuple(1 + sum(other < key for other in keys) for key in keys)

    @property
    def digest(self) -> bytes:
        """The digest of all events so far."""
        return self._hash.copy().digest()

    def deal(self, number: int) -> Deal:
        """The deal of a round, from 1."""
        return self._deals.deal(number)

    def take(self) -> list[Made | RoundOver]:
        """What happened since this was last called."""
        happened, self._happened = self._happened, []
        return happened

    def view(self, seat: int) -> View:
        """What a seat may know. Raises ValueError once the match is over."""
        table = self.round
        if table is None:
            raise ValueError("the match is over, so there is nothing on the table")
        seats = zip(table.hands, self.totals, self._witness.lacks, strict=True)
        return View(
            rules=self.rules,
            round=self.number,
            seat=seat,
            starting_double=table.table.hub,
            hand=tuple(sorted(table.hands[seat])),
            drawn=table.drawn if table.turn == seat else None,
            ends=table.table.ends,
            foot=table.table.foot,
            arms_left=table.table.arms_left,
            boneyard=len(table.boneyard),
            seats=tuple(SeatView(len(hand), total, tuple(sorted(lacks))) for hand, total, lacks in seats),
            history=tuple(self._witness.history),
        )

    # What seats do

    def play(self, move: Move) -> None:
        """Makes a move of the seat on turn. Raises IllegalAction, and then changes nothing."""
        if self.round is None or self.over:
            raise ValueError("the match is over")
        self._make(self.round, self.round.check(move))
        self._advance()

    def forfeit(self, seat: int) -> None:
        """A seat gives up: from here on its first option is played. Raises ValueError if it has done so before."""
        if self.over or seat >= len(self.results) or self.results[seat].forfeited is not None:
            raise ValueError(f"seat {seat} cannot forfeit")
        self.results[seat].forfeited = sum(result.forfeited is not None for result in self.results)
        self._tell(Made(seat, "forfeit"))
        self._advance()

    def abort(self) -> None:
        """Ends the match without a result."""
        self.over = "aborted"
        self._log(_events.match_aborted())

    # What follows by itself

    def _advance(self) -> None:
        while not self.over:
            if self.round is None:
                self._begin_round()
            elif self.round.end is not None:
                self._end_round(self.round)
            else:
                options = self.round.options()
                gone = self.results[self.round.turn].forfeited is not None
                if not gone and not (self._automatic and len(options) == 1):
                    return
                self._make(self.round, self.round.check(options[0]))

    def _make(self, table: Round, move: Move) -> None:
        seat, numbers = table.turn, table.table.open_numbers()
        drawn = table.apply(move)
        made = Made(seat, move.kind, move.tile or drawn, move.end, move.line)
        self._witness.saw(made, numbers, may_keep=table.terms.may_keep)
        self._tell(made)

    def _begin_round(self) -> None:
        self.number += 1
        rules, deal = self.rules, self._deals.deal(self.number)
        self._log(_events.round_started(self.number, deal.starting_double))
        for seat, hand in enumerate(deal.hands):
            self._log(_events.hand_dealt(seat, hand))
        self._witness = Witness(rules.players)
        hands, boneyard = [set(hand) for hand in deal.hands], list(deal.boneyard)
        if deal.starter is not None:
            layer = first = deal.starter
        else:
            layer = self._find_holder(Tile(deal.starting_double, deal.starting_double), hands, boneyard)
            first = (layer + 1) % rules.players
        self._witness.saw(Made(layer, "start"), set(), may_keep=False)
        self._tell(Made(layer, "start"))
        terms = Terms(rules.players, rules.opening_arms, rules.reserve, rules.drawn_tile == "may_play", rules.double_blank)
        self.round = Round(terms, deal.starting_double, first, [sorted(hand) for hand in hands], boneyard)
        # Laying the double from a hand is an action like any other, and the end is checked after each; by lot it is none.
        if deal.starter is None and self.round.end is None:
            self.round.end_if_blocked()

    def _find_holder(self, double: Tile, hands: list[set[Tile]], boneyard: list[Tile]) -> int:
        """Who lays the starting double: its holder, or else the one who draws it, seat by seat."""
        for seat, hand in enumerate(hands):
            if double in hand:
                hand.remove(double)
                return seat
        seat = (self.number - 1) % self.rules.players
        while len(boneyard) > self.rules.reserve:
            tile = boneyard.pop(0)
            self._witness.saw(Made(seat, "draw", tile), set(), may_keep=False)
            self._tell(Made(seat, "draw", tile))
            if tile == double:
                return seat
            hands[seat].add(tile)
            seat = (seat + 1) % self.rules.players
        boneyard.remove(double)
        return seat

    def _end_round(self, table: Round) -> None:
        scores = tuple(table.score(seat) for seat in range(self.rules.players))
        for result, score in zip(self.results, scores, strict=True):
            result.rounds.append(score)
        out = table.end[1] if table.end is not None else None
        self._log(_events.round_ended(out, scores, self.totals))
        self._happened.append(RoundOver(self.number, "blocked" if out is None else f"out {out}", scores))
        self.round = None
        if self.number == self.rules.rounds:
            self.over = "finished"
            self._log(_events.match_ended(self.totals, self.places))

    def _tell(self, made: Made) -> None:
        self._happened.append(made)
        self._log(_events.made(made.seat, made.what, made.tile, made.end, made.line))

    def _log(self, event: bytes) -> None:
        self.events += 1
        self._hash.update(event)
