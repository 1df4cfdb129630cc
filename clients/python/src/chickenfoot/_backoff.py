"""How long to wait before another attempt."""

from __future__ import annotations

import random

from .errors import Error

FIRST = 0.25
LONGEST = 30.0


class Backoff:
    """Pauses between attempts: doubling from a quarter of a second to half a minute, each shortened by chance by up to a half, so
    that clients that lost the same service do not come back all at once."""

    def __init__(self, chance: random.Random | None = None) -> None:
        self._failures = 0
        self._chance = chance or random.Random()  # noqa: S311

    def next(self) -> float:
        """The pause after one more failure, in seconds."""
        full = min(FIRST * 2.0 ** min(self._failures, 10), LONGEST)
        self._failures += 1
        return full * self._chance.uniform(0.5, 1.0)

    def after(self, error: Error) -> float:
        """The pause after this failure: as long as the service asked for, if it did and that is longer."""
        asked: float | None = getattr(error, "retry_after", None)
        return max(self.next(), asked or 0.0)

    def reset(self) -> None:
        """An attempt succeeded."""
        self._failures = 0
