"""The rules of a match: two presets, every difference between them an option, and the text that deals are bound to."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

SETS = (6, 9, 12, 15, 18)
"""The highest numbers of the sets that there are."""

_TRAINS_HANDS = {2: 21, 3: 14, 4: 11, 5: 8, 6: 7, 7: 6, 8: 5}


class RulesError(ValueError):
    """Rules that cannot be played, or a text that is none. `field` is the first option that does not fit."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


def set_size(max_pip: int) -> int:
    """How many tiles a set has."""
    return (max_pip + 1) * (max_pip + 2) // 2


@dataclass(frozen=True)
class Rules:
    """The rules of one match, every option set. `trains` and `classic` make them; `RulesError` if they are impossible."""

    max_pip: int
    """Highest number of the set: 6, 9, 12, 15 or 18."""
    players: int
    """Number of seats, 2 to 16."""
    hand_size: int
    """Tiles dealt to each seat, at least 1."""
    opening_arms: int
    """Arms begun on the starting double before free play, 2 to 8."""
    starter: Literal["lot", "holder"]
    """Who starts a round: who finds the starting double by lot, or who holds it."""
    drawn_tile: Literal["must_play", "may_play"]
    """What becomes of a drawn tile that fits."""
    reserve: int
    """Tiles at the end of the boneyard that are never drawn, 0 to 8."""
    double_blank: int
    """What the double blank counts in a hand: 0 or 50."""
    rounds: int
    """Rounds of the match, 1 to max_pip + 1, from double-max_pip downward."""

    def __post_init__(self) -> None:
        _check(self)

    @classmethod
    def trains(
        cls,
        players: int,
        *,
        max_pip: int = 9,
        hand_size: int | None = None,
        opening_arms: int | None = None,
        starter: Literal["lot", "holder"] = "lot",
        drawn_tile: Literal["must_play", "may_play"] = "must_play",
        reserve: int | None = None,
        double_blank: int = 0,
        rounds: int | None = None,
    ) -> Rules:
        """The preset `trains` for so many players, with options of one's own."""
        if max_pip == 9 and players in _TRAINS_HANDS:
            dealt = _TRAINS_HANDS[players]
        else:
            dealt = set_size(max_pip) * 4 // (5 * max(players, 1))
        return cls(
            max_pip=max_pip,
            players=players,
            hand_size=dealt if hand_size is None else hand_size,
            opening_arms=players if opening_arms is None else opening_arms,
            starter=starter,
            drawn_tile=drawn_tile,
            reserve=(2 if players == 2 else 1) if reserve is None else reserve,
            double_blank=double_blank,
            rounds=max_pip + 1 if rounds is None else rounds,
        )

    @classmethod
    def classic(
        cls,
        players: int,
        *,
        max_pip: int = 9,
        hand_size: int = 7,
        starter: Literal["lot", "holder"] = "holder",
        drawn_tile: Literal["must_play", "may_play"] = "may_play",
        reserve: int = 0,
        double_blank: int = 50,
        rounds: int | None = None,
    ) -> Rules:
        """The preset `classic` for so many players, with options of one's own."""
        return cls(
            max_pip=max_pip,
            players=players,
            hand_size=hand_size,
            opening_arms=4,
            starter=starter,
            drawn_tile=drawn_tile,
            reserve=reserve,
            double_blank=double_blank,
            rounds=max_pip + 1 if rounds is None else rounds,
        )

    @classmethod
    def from_text(cls, text: str) -> Rules:
        """Reads what `text` writes, and nothing else."""
        names = [field.name for field in fields(cls)]
        parts = [part.partition("=") for part in text.split(";")]
        for name, part in zip(names, parts, strict=False):
            if part[0] != name or not part[1]:
                raise RulesError(name, f"expected {name}=... in its place")
        if len(parts) != len(names):
            raise RulesError("rules", f"{len(parts)} options instead of {len(names)}")
        values = {name: value for name, _, value in parts}
        words = {name: values.pop(name) for name in ("starter", "drawn_tile")}
        numbers = {name: _number(name, value) for name, value in values.items()}
        return cls(**numbers, **words)  # type: ignore[arg-type]

    @property
    def text(self) -> str:
        """The rules as one line of text, the form that deals and digests are computed over."""
        return ";".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self))

    def starting_double(self, round_number: int) -> int:
        """The number of the starting double in a round, from 1."""
        return self.max_pip + 1 - round_number


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and str(int(text)) == text):
        raise RulesError(name, f"{text!r} is not a whole number")
    return int(text)


def _check(rules: Rules) -> None:
    def within(name: str, value: int, low: int, high: int) -> None:
        if not low <= value <= high:
            raise RulesError(name, f"{value} is not within {low} to {high}")

    if rules.max_pip not in SETS:
        raise RulesError("max_pip", f"{rules.max_pip} is not 6, 9, 12, 15 or 18")
    most_arms = min(8, rules.max_pip)
    within("players", rules.players, 2, 16 if rules.opening_arms == 4 else most_arms)
    if rules.opening_arms != 4:
        within("opening_arms", rules.opening_arms, rules.players, most_arms)
    if rules.starter not in ("lot", "holder"):
        raise RulesError("starter", f"{rules.starter!r} is not lot or holder")
    if rules.drawn_tile not in ("must_play", "may_play"):
        raise RulesError("drawn_tile", f"{rules.drawn_tile!r} is not must_play or may_play")
    within("hand_size", rules.hand_size, 1, set_size(rules.max_pip))
    within("reserve", rules.reserve, 0, 8)
    needed = rules.players * rules.hand_size + rules.reserve + (rules.starter == "lot")
    if needed > set_size(rules.max_pip):
        raise RulesError("hand_size", f"{needed} tiles are needed, and double-{rules.max_pip} has {set_size(rules.max_pip)}")
    if rules.double_blank not in (0, 50):
        raise RulesError("double_blank", f"{rules.double_blank} is not 0 or 50")
    within("rounds", rules.rounds, 1, rules.max_pip + 1)
