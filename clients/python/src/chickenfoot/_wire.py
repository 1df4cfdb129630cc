"""The only conversions between the messages of the contract and this package's own types."""

from __future__ import annotations

import time
from typing import Literal

from google.protobuf.duration_pb2 import Duration

from . import v1
from .errors import Malformed
from .game import Foot, GameEnd, GameInfo, Move, OpenEnd, SeatView, Step, Tile, Turn, View
from .rules import Rules, RulesError


def seconds(wire: Duration) -> float:
    """A duration in seconds."""
    return wire.seconds + wire.nanos / 1e9


def duration(value: float) -> Duration:
    """Seconds as a duration."""
    nanos = round(value * 1_000_000_000)
    return Duration(seconds=nanos // 1_000_000_000, nanos=nanos % 1_000_000_000)


def tile(wire: v1.Tile) -> Tile:
    """A tile; refused if one of its numbers is not set, for 0 is a number like any other."""
    if not (wire.HasField("low") and wire.HasField("high")):
        raise Malformed("a tile lacks a number")
    return Tile(wire.low, wire.high)


def move(wire: v1.Move) -> Move:
    """A move of an option list, or as it was made."""
    kind = wire.WhichOneof("kind")
    if kind is None:
        raise Malformed("a move is of no kind that this version knows")
    if kind != "play":
        return Move(kind)
    play = wire.play
    if not play.HasField("end"):
        raise Malformed("a play lacks its end")
    return Move("play", tile(play.tile), play.end, play.line if play.HasField("line") else None)


_STARTERS: dict[int, Literal["lot", "holder"]] = {v1.STARTER_LOT: "lot", v1.STARTER_HOLDER: "holder"}
_DRAWN: dict[int, Literal["must_play", "may_play"]] = {
    v1.DRAWN_TILE_MUST_PLAY: "must_play",
    v1.DRAWN_TILE_MAY_PLAY: "may_play",
}


def rules(wire: v1.Rules) -> Rules:
    """The rules of an answer, where every option is set."""
    try:
        return Rules(
            max_pip=wire.max_pip,
            players=wire.players,
            hand_size=wire.hand_size,
            opening_arms=wire.opening_arms,
            starter=_STARTERS[wire.starter],
            drawn_tile=_DRAWN[wire.drawn_tile],
            reserve=wire.reserve,
            double_blank=wire.double_blank,
            rounds=wire.rounds,
        )
    except (KeyError, RulesError) as why:
        raise Malformed(f"rules: {why}") from why


def rules_to_wire(given: Rules) -> v1.Rules:
    """Rules for a request."""
    return v1.Rules(
        preset=v1.PRESET_CLASSIC if given.opening_arms == 4 else v1.PRESET_TRAINS,
        players=given.players,
        max_pip=given.max_pip,
        hand_size=given.hand_size,
        opening_arms=given.opening_arms,
        starter=v1.STARTER_LOT if given.starter == "lot" else v1.STARTER_HOLDER,
        drawn_tile=v1.DRAWN_TILE_MUST_PLAY if given.drawn_tile == "must_play" else v1.DRAWN_TILE_MAY_PLAY,
        reserve=given.reserve,
        double_blank=given.double_blank,
        rounds=given.rounds,
    )


def step(wire: v1.Step) -> Step:
    """A step of a view's history."""
    act = wire.WhichOneof("act")
    if act is None:
        raise Malformed("a step is of no kind that this version knows")
    if act != "play":
        return Step(wire.seat, act)
    return Step(wire.seat, act, tile(wire.play.tile), wire.play.end, wire.play.line)


def view(wire: v1.View) -> View:
    """What a seat may know."""
    return View(
        rules=rules(wire.rules),
        round=wire.round,
        seat=wire.seat,
        starting_double=wire.starting_double,
        hand=tuple(tile(each) for each in wire.hand),
        drawn=tile(wire.drawn) if wire.HasField("drawn") else None,
        ends=tuple(OpenEnd(end.line, end.number) for end in wire.ends),
        foot=Foot(wire.foot.number, wire.foot.missing) if wire.HasField("foot") else None,
        arms_left=wire.arms_left,
        boneyard=wire.boneyard,
        seats=tuple(SeatView(seat.tiles, seat.total, tuple(seat.lacks)) for seat in wire.seats),
        history=tuple(step(each) for each in wire.history),
    )


def turn(wire: v1.Decision, received: float | None = None) -> Turn:
    """A decision to make. `received` is when it came, by the monotonic clock; now unless given."""
    if not wire.options:
        raise Malformed("a decision has no options")
    return Turn(
        match_id=wire.match_id,
        number=wire.number,
        seat=wire.seat,
        view=view(wire.view),
        options=tuple(move(option) for option in wire.options),
        time_left=seconds(wire.time_left),
        received=time.monotonic() if received is None else received,
    )


def game_info(wire: v1.Match, seat: int) -> GameInfo:
    """The match that a bot sits in."""
    return GameInfo(
        match_id=wire.id,
        rules=rules(wire.rules),
        seat=seat,
        names=tuple(each.name for each in wire.seats),
        commitment=wire.commitment or None,
    )


def game_end(wire: v1.Match) -> GameEnd:
    """How a match ended."""
    return GameEnd(
        finished=wire.state == v1.MATCH_STATE_FINISHED,
        totals=tuple(seat.total for seat in wire.seats),
        places=tuple(seat.place for seat in wire.seats),
        digest=wire.digest,
    )
