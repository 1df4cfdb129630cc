"""The unary calls of the service, each described once: what is sent, and what of the answer is wanted.

Nothing here does I/O. `client.py` makes plain methods of these descriptions and `aio/` asynchronous ones; signature and
documentation are the same for both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from . import v1
from ._connect import request_id
from ._wire import duration, move, rules_to_wire
from .game import Move
from .record import Record
from .rules import Rules

T = TypeVar("T")

AGENT = "chickenfoot.v1.AgentService"
MATCH = "chickenfoot.v1.MatchService"
TOURNAMENT = "chickenfoot.v1.TournamentService"


@dataclass(frozen=True)
class Call(Generic[T]):
    """A unary call: its path, the request, the type of the answer, and what of the answer is wanted."""

    path: str
    request: Any
    answer: Any
    take: Callable[[Any], T]


@dataclass(frozen=True)
class Pages(Generic[T]):
    """A list that comes in pages: the call for the page that begins at a token, which takes its entries and the next token."""

    page: Callable[[str], Call[tuple[Sequence[T], str]]]


def _call(service: str, method: str, request: Any, take: Callable[[Any], T]) -> Call[T]:
    return Call(f"/{service}/{method}", request, getattr(v1, f"{method}Response"), take)


# AgentService


def register(name: str, *, request_id: str | None = None) -> Call[str]:
    """Registers an agent and returns its token, which is shown this once.

    `request_id` makes repeating safe, and is as secret as the token: 16 to 64 characters; drawn anew unless given.
    """
    request = v1.RegisterAgentRequest(name=name, request_id=_id(request_id))
    return _call(AGENT, "RegisterAgent", request, lambda answer: str(answer.token))


def agent(name: str) -> Call[v1.Agent]:
    """Tells about an agent."""
    return _call(AGENT, "GetAgent", v1.GetAgentRequest(name=name), _agent)


def agents(*, page_size: int = 0) -> Pages[v1.Agent]:
    """All agents by name."""

    def page(token: str) -> Call[tuple[Sequence[v1.Agent], str]]:
        request = v1.ListAgentsRequest(page_size=page_size, page_token=token)
        return _call(AGENT, "ListAgents", request, lambda answer: (answer.agents, answer.next_page_token))

    return Pages(page)


def rotate_token(name: str = "", *, request_id: str | None = None) -> Call[str]:
    """Gives an agent a new token and returns it: the caller itself, or another one if the caller is an admin.

    With a `request_id` of one's own the call may be repeated if the answer is lost; it is as secret as the token.
    """
    request = v1.RotateTokenRequest(name=name, request_id=_id(request_id))
    return _call(AGENT, "RotateToken", request, lambda answer: str(answer.token))


def revoke_token(name: str = "") -> Call[v1.Agent]:
    """Takes an agent's token away: the caller's own, or another's if the caller is an admin."""
    return _call(AGENT, "RevokeToken", v1.RevokeTokenRequest(name=name), _agent)


def set_role(name: str, role: v1.Role.ValueType) -> Call[v1.Agent]:
    """Sets what an agent may do. Takes an admin."""
    return _call(AGENT, "SetRole", v1.SetRoleRequest(name=name, role=role), _agent)


def leaderboard(rules: Rules | str = "", *, page_size: int = 0) -> Pages[v1.LeaderboardEntry]:
    """The agents that have played rated matches under the same rules, the best first: those rules, or the ones with the most
    matches if they are empty."""
    text = _text(rules)

    def page(token: str) -> Call[tuple[Sequence[v1.LeaderboardEntry], str]]:
        request = v1.GetLeaderboardRequest(rules_text=text, page_size=page_size, page_token=token)
        return _call(AGENT, "GetLeaderboard", request, lambda answer: (answer.entries, answer.next_page_token))

    return Pages(page)


def rating_pools() -> Call[list[v1.RatingPool]]:
    """The rules under which rated matches were played, with how many matches and agents."""
    request = v1.GetLeaderboardRequest(page_size=1)
    return _call(AGENT, "GetLeaderboard", request, lambda answer: list(answer.pools))


# MatchService


def create_match(
    seats: Sequence[str | v1.SeatSpec],
    rules: Rules | v1.Rules | None = None,
    *,
    decision_time: float | None = None,
    bank: float | None = None,
    grace: float | None = None,
    strikes: int | None = None,
    illegal_answers: int | None = None,
    strict: bool = False,
    forced_moves_asked: bool = False,
    spectator_delay: int = 0,
    rated: bool = False,
    seed: bytes = b"",
    deal_id: str = "",
    request_id: str | None = None,
) -> Call[v1.Match]:
    """Makes a match. It starts by itself when its last seat is taken.

    Each seat is `"open"`, `"agent:NAME"` or a player of the house such as `"greedy"`. Rules are `trains` unless given. Times are
    in seconds. `seed` is a fixed one of 32 bytes for tests and comparisons: who knows it knows all hands.
    """
    config = v1.MatchConfig(
        rules=_rules(rules),
        seats=[_seat(seat) for seat in seats],
        decision_time=None if decision_time is None else duration(decision_time),
        bank=None if bank is None else duration(bank),
        grace=None if grace is None else duration(grace),
        strikes=strikes,
        illegal_answers=illegal_answers,
        strict=strict,
        forced_moves=v1.FORCED_MOVES_ASKED if forced_moves_asked else v1.FORCED_MOVES_UNSPECIFIED,
        spectator_delay=spectator_delay,
        rated=rated,
        seed=seed,
        deal_id=deal_id,
    )
    return create_match_from(config, request_id=request_id)


def create_match_from(config: v1.MatchConfig, *, request_id: str | None = None) -> Call[v1.Match]:
    """As `create_match`, from a message of the contract."""
    request = v1.CreateMatchRequest(config=config, request_id=_id(request_id))
    return _call(MATCH, "CreateMatch", request, _match)


def get_match(match_id: str) -> Call[v1.Match]:
    """Where a match stands."""
    return _call(MATCH, "GetMatch", v1.GetMatchRequest(match_id=match_id), _match)


def matches(state: v1.MatchState.ValueType = v1.MATCH_STATE_UNSPECIFIED, *, page_size: int = 0) -> Pages[v1.Match]:
    """All matches in a state, or all, the newest first."""

    def page(token: str) -> Call[tuple[Sequence[v1.Match], str]]:
        request = v1.ListMatchesRequest(state=state, page_size=page_size, page_token=token)
        return _call(MATCH, "ListMatches", request, lambda answer: (answer.matches, answer.next_page_token))

    return Pages(page)


def join_match(
    match_id: str, seat: int | None = None, *, entropy: bytes = b"", request_id: str | None = None
) -> Call[tuple[int, v1.Match]]:
    """Takes a seat, the one that is named or any that the caller may have, and returns it with the match.

    `entropy` is empty or 32 bytes that go into the deals.
    """
    request = v1.JoinMatchRequest(match_id=match_id, seat=seat, entropy=entropy, request_id=_id(request_id))
    return _call(MATCH, "JoinMatch", request, lambda answer: (int(answer.seat), answer.match))


def leave_match(match_id: str, *, request_id: str | None = None) -> Call[v1.Match]:
    """Gives up the caller's seats; in a running match they are forfeited."""
    request = v1.LeaveMatchRequest(match_id=match_id, request_id=_id(request_id))
    return _call(MATCH, "LeaveMatch", request, _match)


def abort_match(match_id: str, *, request_id: str | None = None) -> Call[v1.Match]:
    """Ends a match without a result. Takes its creator, or an organiser."""
    request = v1.AbortMatchRequest(match_id=match_id, request_id=_id(request_id))
    return _call(MATCH, "AbortMatch", request, _match)


def play(match_id: str, decision: int, choice: int | Move) -> Call[Move]:
    """Answers a decision without a session and returns the move as it was made. May be repeated.

    `choice` is the position of an option or a move.
    """
    request = v1.PlayRequest(choice=choice_of(match_id, decision, choice))
    return _call(MATCH, "Play", request, lambda answer: move(answer.move))


def record(match_id: str) -> Call[Record]:
    """The record of a match that is over: everything to verify it offline."""
    return _call(MATCH, "GetRecord", v1.GetRecordRequest(match_id=match_id), lambda answer: Record.from_wire(answer.record))


# TournamentService


def create_tournament(config: v1.TournamentConfig, *, request_id: str | None = None) -> Call[v1.Tournament]:
    """Makes a tournament, to which agents may be entered until it starts."""
    request = v1.CreateTournamentRequest(config=config, request_id=_id(request_id))
    return _call(TOURNAMENT, "CreateTournament", request, _tournament)


def tournament(tournament_id: str) -> Call[v1.Tournament]:
    """Where a tournament stands."""
    return _call(TOURNAMENT, "GetTournament", v1.GetTournamentRequest(tournament_id=tournament_id), _tournament)


def tournaments(
    state: v1.TournamentState.ValueType = v1.TOURNAMENT_STATE_UNSPECIFIED, *, page_size: int = 0
) -> Pages[v1.Tournament]:
    """All tournaments in a state, or all, the newest first."""

    def page(token: str) -> Call[tuple[Sequence[v1.Tournament], str]]:
        request = v1.ListTournamentsRequest(state=state, page_size=page_size, page_token=token)
        return _call(TOURNAMENT, "ListTournaments", request, lambda answer: (answer.tournaments, answer.next_page_token))

    return Pages(page)


def entrants(tournament_id: str, *, page_size: int = 0) -> Pages[v1.TournamentEntrant]:
    """The entrants of a tournament in the order of entry."""

    def page(token: str) -> Call[tuple[Sequence[v1.TournamentEntrant], str]]:
        request = v1.ListEntrantsRequest(tournament_id=tournament_id, page_size=page_size, page_token=token)
        return _call(TOURNAMENT, "ListEntrants", request, lambda answer: (answer.entrants, answer.next_page_token))

    return Pages(page)


def join_tournament(tournament_id: str, *, entropy: bytes = b"", request_id: str | None = None) -> Call[v1.TournamentEntrant]:
    """Enters the caller. `entropy` is empty or 32 bytes that go into the deals of all its blocks."""
    request = v1.JoinTournamentRequest(tournament_id=tournament_id, entropy=entropy, request_id=_id(request_id))
    return _call(TOURNAMENT, "JoinTournament", request, _entrant)


def withdraw_from_tournament(tournament_id: str, name: str = "", *, request_id: str | None = None) -> Call[v1.TournamentEntrant]:
    """Takes the caller out, or another one if the caller made the tournament or is an organiser."""
    request = v1.WithdrawFromTournamentRequest(tournament_id=tournament_id, name=name, request_id=_id(request_id))
    return _call(TOURNAMENT, "WithdrawFromTournament", request, _entrant)


def start_tournament(tournament_id: str, *, request_id: str | None = None) -> Call[v1.Tournament]:
    """Starts a tournament; entry closes, except in formats that take late entrants."""
    request = v1.StartTournamentRequest(tournament_id=tournament_id, request_id=_id(request_id))
    return _call(TOURNAMENT, "StartTournament", request, _tournament)


def pause_tournament(tournament_id: str, *, request_id: str | None = None) -> Call[v1.Tournament]:
    """Begins no further matches until the tournament is resumed."""
    request = v1.PauseTournamentRequest(tournament_id=tournament_id, request_id=_id(request_id))
    return _call(TOURNAMENT, "PauseTournament", request, _tournament)


def resume_tournament(tournament_id: str, *, request_id: str | None = None) -> Call[v1.Tournament]:
    """Goes on after a pause."""
    request = v1.ResumeTournamentRequest(tournament_id=tournament_id, request_id=_id(request_id))
    return _call(TOURNAMENT, "ResumeTournament", request, _tournament)


def cancel_tournament(tournament_id: str, *, request_id: str | None = None) -> Call[v1.Tournament]:
    """Ends a tournament before its time; finished blocks and their standings stay."""
    request = v1.CancelTournamentRequest(tournament_id=tournament_id, request_id=_id(request_id))
    return _call(TOURNAMENT, "CancelTournament", request, _tournament)


def standings(tournament_id: str, *, pairings: bool = False) -> Call[v1.GetStandingsResponse]:
    """Computes the standings from the blocks that are finished; with how each pair did, if `pairings`."""
    request = v1.GetStandingsRequest(tournament_id=tournament_id, pairings=pairings)
    return _call(TOURNAMENT, "GetStandings", request, _whole)


def blocks(tournament_id: str, *, page_size: int = 0) -> Pages[v1.TournamentBlock]:
    """The blocks that are over, in the order of their numbers, with every match."""

    def page(token: str) -> Call[tuple[Sequence[v1.TournamentBlock], str]]:
        request = v1.ListBlocksRequest(tournament_id=tournament_id, page_size=page_size, page_token=token)
        return _call(TOURNAMENT, "ListBlocks", request, lambda answer: (answer.blocks, answer.next_page_token))

    return Pages(page)


# What requests are made of


def choice_of(match_id: str, decision: int, choice: int | Move) -> v1.Choice:
    """The answer to a decision: the position of an option, or a move."""
    if isinstance(choice, int):
        return v1.Choice(match_id=match_id, decision=decision, option=choice)
    return v1.Choice(match_id=match_id, decision=decision, move=_move_to_wire(choice))


def _move_to_wire(made: Move) -> v1.Move:
    if made.tile is not None:
        tile = v1.Tile(low=made.tile.low, high=made.tile.high)
        return v1.Move(play=v1.Play(tile=tile, end=made.end, line=made.line))
    if made.kind == "draw":
        return v1.Move(draw=v1.Draw())
    return v1.Move(keep=v1.Keep()) if made.kind == "keep" else v1.Move(**{"pass": v1.Pass()})  # type: ignore[arg-type]


def _id(given: str | None) -> str:
    return request_id() if given is None else given


def _seat(spec: str | v1.SeatSpec) -> v1.SeatSpec:
    if isinstance(spec, v1.SeatSpec):
        return spec
    if spec == "open":
        return v1.SeatSpec(open=v1.OpenSeat())
    kind, colon, name = spec.partition(":")
    return v1.SeatSpec(agent=name) if colon and kind == "agent" else v1.SeatSpec(house=spec)


def _rules(given: Rules | v1.Rules | None) -> v1.Rules:
    if given is None:
        return v1.Rules()
    return rules_to_wire(given) if isinstance(given, Rules) else given


def _text(given: Rules | str) -> str:
    return given.text if isinstance(given, Rules) else given


def _agent(answer: Any) -> v1.Agent:
    return answer.agent  # type: ignore[no-any-return]


def _match(answer: Any) -> v1.Match:
    return answer.match  # type: ignore[no-any-return]


def _tournament(answer: Any) -> v1.Tournament:
    return answer.tournament  # type: ignore[no-any-return]


def _entrant(answer: Any) -> v1.TournamentEntrant:
    return answer.entrant  # type: ignore[no-any-return]


def _whole(answer: Any) -> v1.GetStandingsResponse:
    return answer  # type: ignore[no-any-return]
