"""What is wrong with a record."""

from __future__ import annotations


class Flaw(ValueError):  # noqa: N818
    """The first thing that is wrong with a record.

    `place` is a field, a round and a move in it, both counted from 1, or where the text cannot be read; `problem` is what.
    """

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem
