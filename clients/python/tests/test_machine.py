"""The runner's state, without any connection: time is a number, messages are made by hand."""

import random
from typing import Any

import pytest

from chickenfoot import OtherAgent, Replaced, Unauthenticated, v1
from chickenfoot._backoff import Backoff
from chickenfoot._machine import Broke, Came, Connect, Hangup, Machine, Send, Stop, Thought, Tick, Wishes
from chickenfoot._tables import Work
from chickenfoot._wire import duration, rules_to_wire
from chickenfoot.errors import ConnectionLost, InvalidRequest, Unavailable
from chickenfoot.rules import Rules

RULES = rules_to_wire(Rules.trains(2))
MATCH = v1.Match(id="m", rules=RULES, seats=[v1.Seat(name="me"), v1.Seat(name="house:greedy")])
TILES = [v1.Tile(low=0, high=0), v1.Tile(low=0, high=9)]


class Table:
    """A machine, and what it was told and asked for."""

    def __init__(self, **wishes: Any) -> None:
        self.now = 0.0
        self.link = 0
        self.machine: Machine[Any] = Machine(Wishes(**wishes), self.now, Backoff(random.Random(1)))

    def tick(self) -> list[Any]:
        """Lets the time come that the machine waits for."""
        self.now = max(self.now, self.machine.deadline)
        return self.told(Tick())

    def told(self, happened: Any) -> list[Any]:
        self.machine.handle(happened, self.now)
        commands = self.machine.commands()
        for command in commands:
            if isinstance(command, Connect):
                self.link = command.link
        return commands

    def comes(self, **what: Any) -> list[Any]:
        return self.told(Came(self.link, v1.SessionResponse(**what)))

    def greeted(self) -> "Table":
        self.tick()
        self.comes(hello=v1.Hello(agent="me", heartbeat_interval=duration(10)))
        return self

    def seated(self) -> "Table":
        """At a table, its bot there."""
        work = self.greeted().comes(game_started=v1.GameStarted(match=MATCH, seats=[0]))[0]
        assert isinstance(work, Work)
        assert work.kind == "start"
        assert self.told(Thought(work, "bot", None)) == []
        return self

    def asked(self, number: int) -> list[Any]:
        options = [v1.Move(play=v1.Play(tile=tile, end=0)) for tile in TILES]
        view = v1.View(rules=RULES, round=1, seat=0, hand=TILES)
        return self.comes(decision=v1.Decision(match_id="m", number=number, seat=0, options=options, view=view))


def choice(commands: list[Any]) -> tuple[int, int]:
    """Which decision is answered, and how."""
    assert len(commands) == 1
    assert isinstance(commands[0], Send)
    sent = commands[0].message.choice
    return sent.decision, sent.option


def test_it_connects_at_once_and_takes_offered_seats() -> None:
    table = Table()
    connect = table.tick()[0]
    assert isinstance(connect, Connect)
    assert connect.open.open.client == "chickenfoot-python"
    table.comes(hello=v1.Hello(agent="me", heartbeat_interval=duration(10)))
    reply = table.comes(seat_offer=v1.SeatOffer(match=MATCH, seat=0))[0].message.offer_reply
    assert reply.accept
    assert len(reply.entropy) == 32


def test_an_offer_may_be_declined() -> None:
    table = Table(accept=lambda match: match.creator == "friend").greeted()
    reply = table.comes(seat_offer=v1.SeatOffer(match=MATCH))[0].message.offer_reply
    assert not reply.accept
    assert not reply.entropy


def test_silence_of_three_heartbeats_means_a_new_connection() -> None:
    table = Table().greeted()
    table.now = 20.0
    table.comes(heartbeat=v1.Heartbeat())
    assert table.machine.deadline == 50.0
    table.now = 49.9
    assert table.told(Tick()) == []
    assert table.tick() == [Hangup()]
    assert table.machine.stats.reconnects == 1
    assert isinstance(table.tick()[0], Connect)


def test_a_service_that_does_not_say_hello_in_time_is_left() -> None:
    table = Table()
    table.tick()
    assert table.machine.deadline == 10.0
    assert table.tick() == [Hangup()]


def test_pauses_grow_to_a_bound_and_start_again_after_hello() -> None:
    table = Table()
    pauses = []
    for _ in range(10):
        table.tick()
        table.told(Broke(table.link, ConnectionLost("refused")))
        pauses.append(table.machine.deadline - table.now)
    for full, pause in zip([0.25, 0.5, 1, 2, 4, 8, 16, 30, 30, 30], pauses, strict=True):
        assert full / 2 <= pause <= full
    table.greeted()
    table.told(Broke(table.link, None))
    assert table.machine.deadline - table.now <= 0.25


def test_what_an_old_connection_still_brings_is_passed_over() -> None:
    table = Table().greeted()
    old = table.link
    table.told(Broke(old, None))
    table.tick()
    assert table.told(Broke(old, ConnectionLost("late news"))) == []
    assert table.told(Came(old, v1.SessionResponse(heartbeat=v1.Heartbeat()))) == []


def test_an_answer_is_sent_again_when_its_decision_comes_again() -> None:
    table = Table().seated()
    work = table.asked(7)[0]
    assert table.asked(7) == []
    answer = work.turn.options[1]
    assert choice(table.told(Thought(work, "bot", answer))) == (7, 1)
    table.told(Broke(table.link, None))
    connect = table.tick()[0]
    assert [resume.match_id for resume in connect.open.open.resume] == ["m"]
    table.comes(hello=v1.Hello(agent="me"))
    assert table.comes(game_started=v1.GameStarted(match=MATCH, seats=[0])) == []
    assert choice(table.asked(7)) == (7, 1)


def test_an_answer_that_was_thought_of_without_a_connection_is_sent_with_the_next_one() -> None:
    table = Table().seated()
    work = table.asked(7)[0]
    table.told(Broke(table.link, None))
    assert table.told(Thought(work, "bot", work.turn.options[1])) == []
    table.greeted()
    assert choice(table.asked(7)) == (7, 1)


def test_a_bot_that_is_late_is_asked_for_the_newer_decision_only() -> None:
    table = Table().seated()
    work = table.asked(7)[0]
    assert table.asked(9) == []
    later = table.told(Thought(work, "bot", work.turn.options[0]))
    assert [each.turn.number for each in later] == [9]
    assert choice(table.told(Thought(later[0], "bot", None))) == (9, 0)


def test_the_end_is_told_after_the_bot_has_thought_and_ends_a_run_of_so_many_games() -> None:
    table = Table(games=1).seated()
    work = table.asked(7)[0]
    ended = v1.GameEnded(match=v1.Match(id="m", state=v1.MATCH_STATE_FINISHED, seats=[v1.Seat(total=3, place=1)]))
    assert table.comes(game_ended=ended) == []
    assert not table.machine.done
    end = table.told(Thought(work, "bot", work.turn.options[0]))[0]
    assert (end.kind, end.end.totals, end.end.finished) == ("end", (3,), True)
    assert table.told(Thought(end, "bot", None)) == [Hangup()]
    assert table.machine.done
    assert table.machine.stats.games == 1


def test_goodbye_because_of_another_session_is_final() -> None:
    table = Table().greeted()
    assert table.comes(goodbye=v1.Goodbye(reason=v1.GOODBYE_REASON_REPLACED)) == [Hangup()]
    assert isinstance(table.machine.failure, Replaced)


def test_goodbye_because_of_the_token_is_final() -> None:
    table = Table().greeted()
    table.comes(goodbye=v1.Goodbye(reason=v1.GOODBYE_REASON_UNAUTHENTICATED, message="revoked"))
    assert isinstance(table.machine.failure, Unauthenticated)
    assert table.machine.failure.reason == "TOKEN_INVALID"


def test_goodbye_for_a_restart_means_to_come_back_when_told() -> None:
    table = Table().greeted()
    goodbye = v1.Goodbye(reason=v1.GOODBYE_REASON_SHUTDOWN, retry_after=duration(2.5))
    assert table.comes(goodbye=goodbye) == [Hangup()]
    assert table.machine.deadline - table.now == 2.5
    assert isinstance(table.tick()[0], Connect)


def test_a_refused_session_is_final_and_a_passing_refusal_waits_as_told() -> None:
    table = Table()
    table.tick()
    table.told(Broke(table.link, InvalidRequest("no", code=3, reason="FIELD_MISSING")))
    assert table.machine.done
    other = Table()
    other.tick()
    other.told(Broke(other.link, Unavailable("stops", code=14, reason="SHUTTING_DOWN", retry_after=5.0)))
    assert other.machine.deadline - other.now == 5.0


def test_the_token_of_another_agent_is_refused() -> None:
    table = Table(agent="somebody")
    table.tick()
    table.comes(hello=v1.Hello(agent="me"))
    assert isinstance(table.machine.failure, OtherAgent)


def test_a_message_of_an_unknown_kind_is_passed_over_and_a_meaningless_one_ends_it() -> None:
    table = Table().greeted()
    assert table.comes() == []
    table.comes(game_started=v1.GameStarted(match=v1.Match(id="m"), seats=[0]))
    assert type(table.machine.failure).__name__ == "Malformed"


@pytest.mark.parametrize("greeted", [True, False])
def test_stop_hangs_up_whatever_goes_on(greeted: bool) -> None:  # noqa: FBT001
    table = Table()
    table.tick()
    if greeted:
        table.comes(hello=v1.Hello(agent="me"))
    assert table.told(Stop()) == [Hangup()]
    assert table.machine.done
    assert table.machine.failure is None
