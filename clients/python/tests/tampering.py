"""Records with a changed byte."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator


def changed(text: bytes, chance: random.Random) -> Iterator[bytes]:
    """The text with one byte changed, again and again. Where the JSON is still what it was, or only the match's id is
    another, which nothing is bound to but by chance, it does not count."""
    original = json.loads(text)
    while True:
        at = chance.randrange(len(text))
        other = text[:at] + bytes([chance.choice([b for b in range(256) if b != text[at]])]) + text[at + 1 :]
        try:
            value = json.loads(other)
        except ValueError:
            yield other
            continue
        if value != original and {**value, "match_id": original["match_id"]} != original:
            yield other
