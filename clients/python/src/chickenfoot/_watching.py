"""Following something to its end over connections that break: what to ask next, as a function of what came. No I/O."""

from __future__ import annotations

from . import v1
from ._backoff import Backoff
from .errors import Error


class _Following:
    """What all watches have in common."""

    def __init__(self) -> None:
        self._backoff = Backoff()

    def lost(self, error: Error) -> float:
        """The stream broke: the pause before another one, in seconds. Raises what does not pass by itself."""
        if not error.passing:
            raise error
        return self._backoff.after(error)


class Watching(_Following):
    """Where a watch of a match is. A new stream goes on after the last event that came, so nothing comes twice."""

    def __init__(self, match_id: str, after_seq: int) -> None:
        super().__init__()
        self._match_id = match_id
        self._after_seq = after_seq

    def request(self) -> v1.WatchMatchRequest:
        """What to ask for next."""
        return v1.WatchMatchRequest(match_id=self._match_id, after_seq=self._after_seq)

    def receive(self, message: v1.WatchMatchResponse) -> v1.Event | v1.Decision | None:
        """What of a message the caller is to see."""
        self._backoff.reset()
        kind = message.WhichOneof("what")
        if kind == "decision":
            return message.decision
        if kind != "event":
            return None
        self._after_seq = message.event.seq
        return message.event


class SceneWatching(_Following):
    """Where a watch with scenes is. A stream that broke between an event and its scene is taken up before that event."""

    def __init__(self, match_id: str, after_seq: int, *, outlines: bool) -> None:
        super().__init__()
        self._match_id = match_id
        self._after_seq = after_seq
        self._outlines = outlines
        self._event: v1.Event | None = None

    def request(self) -> v1.WatchMatchRequest:
        """What to ask for next."""
        self._event = None
        return v1.WatchMatchRequest(match_id=self._match_id, after_seq=self._after_seq, scenes=True, outlines=self._outlines)

    def receive(self, message: v1.WatchMatchResponse) -> tuple[v1.Event, v1.Scene] | None:
        """What of a message the caller is to see: an event, once its scene has come."""
        self._backoff.reset()
        kind = message.WhichOneof("what")
        if kind == "event":
            self._event = message.event
        if kind != "scene" or self._event is None:
            return None
        pair = (self._event, message.scene)
        self._event, self._after_seq = None, message.scene.seq
        return pair


class TournamentWatching(_Following):
    """Where a watch of a tournament is. Each message tells all there is, so a new stream begins with how things stand then."""

    def __init__(self, tournament_id: str, standings: int) -> None:
        super().__init__()
        self._request = v1.WatchTournamentRequest(tournament_id=tournament_id, standings=standings)

    def request(self) -> v1.WatchTournamentRequest:
        """What to ask for next."""
        return self._request

    def receive(self, message: v1.WatchTournamentResponse) -> v1.WatchTournamentResponse:
        """What of a message the caller is to see: all of it."""
        self._backoff.reset()
        return message
