"""Following a match to its end over connections that break: what to ask next, as a function of what came. No I/O."""

from __future__ import annotations

from . import v1
from ._backoff import Backoff
from .errors import ConnectionLost, Error


class Watching:
    """Where a watch of a match is. A new watch goes on after the last event that came, so nothing comes twice."""

    def __init__(self, match_id: str, after_seq: int) -> None:
        self.match_id = match_id
        self.after_seq = after_seq
        self.over = False
        self._backoff = Backoff()

    def request(self) -> v1.WatchMatchRequest:
        """What to ask for next."""
        return v1.WatchMatchRequest(match_id=self.match_id, after_seq=self.after_seq)

    def receive(self, message: v1.WatchMatchResponse) -> v1.Event | v1.Decision | None:
        """What of a message the caller is to see."""
        self._backoff.reset()
        kind = message.WhichOneof("what")
        if kind == "decision":
            return message.decision
        if kind != "event":
            return None
        event = message.event
        self.after_seq = event.seq
        self.over = event.WhichOneof("what") in ("match_ended", "match_aborted")
        return event

    def ended(self) -> float:
        """The stream ended in order: the pause before another one, unless the match is over."""
        return self.lost(ConnectionLost("the service ended the watch"))

    def lost(self, error: Error) -> float:
        """The stream broke: the pause before another one, in seconds. Raises what does not pass by itself."""
        if not error.passing:
            raise error
        return self._backoff.after(error)
