"""What is public of a round beyond the state of the table: its history, and what that proves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .game import Step

if TYPE_CHECKING:
    from .match import Made


class Witness:
    """Who saw everything that everybody sees. `lacks` are the numbers that each seat has shown not to have."""

    def __init__(self, players: int) -> None:
        self.history: list[Step] = []
        self.lacks: list[set[int]] = [set() for _ in range(players)]
        self._lacked: set[int] = set()

    def saw(self, made: Made, open_numbers: set[int], *, may_keep: bool) -> None:
        """A seat did something while these numbers could be played on."""
        seat, just_drew = made.seat, self._just_drew(made.seat)
        if made.what == "draw":
            # Nothing in the hand fitted; of the drawn tile nothing is known.
            self._lacked = self.lacks[seat] | open_numbers
            self.lacks[seat] = set()
            self.history.append(Step(seat, "draw"))
        elif made.what in ("pass", "keep"):
            if not just_drew:
                self.lacks[seat] |= open_numbers
            else:
                # A pass by choice says nothing of the drawn tile, a forced one that it does not fit.
                self.lacks[seat] = set() if may_keep else set(open_numbers)
            self.history.append(Step(seat, "pass"))
        elif made.what == "play":
            if just_drew:
                # It was the drawn tile, so the hand is what it was.
                self.lacks[seat] = self._lacked
            self.history.append(Step(seat, "play", made.tile, made.end, made.line))
        else:
            self.history.append(Step(seat, "start"))

    def _just_drew(self, seat: int) -> bool:
        return bool(self.history) and self.history[-1] == Step(seat, "draw")
