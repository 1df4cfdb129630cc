"""Bots that play whole matches at the real server."""

import asyncio
import contextlib
import logging
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from bots import highest
from service import PACKAGE, SEED, Server, eventually

import chickenfoot
from chickenfoot import Client, GameEnd, GameInfo, Move, Rules, Runner, Turn, aio, v1, verify
from chickenfoot.deal import Contributor
from chickenfoot.match import Match

NewAgent = Callable[[], tuple[str, Client]]

SHORT = Rules.trains(2, rounds=2)


def name_of(client: Client) -> str:
    """Whose token a client has: the creator of a match that it makes."""
    match = client.create_match(["open", "open"])
    client.abort_match(match.id)
    return match.creator


def digest_of(client: Client, match_id: str) -> str:
    return client.get_match(match_id).digest.hex()


def test_plain_asyncio_and_the_rules_of_this_package_make_the_same_match_of_the_same_seed(
    server: Server, new_agent: NewAgent
) -> None:
    token, client = new_agent()
    seats = [f"agent:{name_of(client)}"] * 3
    digests = []
    for plain in (True, False):
        match_id = client.create_match(seats, seed=SEED).id
        if plain:
            stats = Runner(server.address, token, games=1).run(highest)
        else:
            stats = asyncio.run(aio.Runner(server.address, token, games=1).run(highest))
        assert (stats.games, stats.refused, stats.reconnects) == (1, 0, 0)
        record = client.record(match_id)
        assert record.outcome == "finished"
        digests.append(verify(record).digest)
    own = Match(Rules.trains(3), "fixed", SEED, [Contributor(seats[0].removeprefix("agent:"))] * 3, automatic=True)
    while not own.over:
        view, options = own.view(own.on_turn or 0), tuple(own.options())
        own.play(highest(Turn("", 0, view.seat, view, options, 0.0)))
    assert digests == [own.digest] * 2


@pytest.mark.parametrize("rules", [Rules.trains(3, rounds=4), Rules.classic(3, rounds=4)])
def test_what_the_service_shows_a_seat_is_what_the_rules_of_this_package_show_it(
    server: Server, new_agent: NewAgent, rules: Rules
) -> None:
    token, client = new_agent()
    name = name_of(client)
    client.create_match([f"agent:{name}"] * 3, rules, seed=SEED)
    turns: list[Turn] = []

    def look(turn: Turn) -> Move:
        turns.append(turn)
        return turn.options[-1]

    Runner(server.address, token, games=1).run(look)
    own = Match(rules, "fixed", SEED, [Contributor(name)] * 3, automatic=True)
    for turn in turns:
        assert own.on_turn == turn.seat
        assert own.events + 1 == turn.number
        assert tuple(own.options()) == turn.options
        assert own.view(turn.seat) == turn.view
        own.play(turn.options[-1])
    assert own.over == "finished"
    # Where a drawn tile may be kept, little is proved by not playing.
    assert rules.drawn_tile == "may_play" or any(seat.lacks for turn in turns for seat in turn.view.seats)


class Remembering:
    """A bot with one value for each seat."""

    made: list["Remembering"] = []  # noqa: RUF012

    def __init__(self) -> None:
        self.game: GameInfo | None = None
        self.turns: list[Turn] = []
        self.result: GameEnd | None = None
        self.made.append(self)

    def start(self, game: GameInfo) -> None:
        self.game = game

    def choose(self, turn: Turn) -> int:
        self.turns.append(turn)
        return 0

    def end(self, game: GameInfo, end: GameEnd) -> None:
        assert game == self.game
        self.result = end


class RememberingAio(Remembering):
    """The same with coroutines."""

    async def start(self, game: GameInfo) -> None:  # type: ignore[override]
        super().start(game)

    async def choose(self, turn: Turn) -> int:  # type: ignore[override]
        await asyncio.sleep(0)
        return super().choose(turn)

    async def end(self, game: GameInfo, end: GameEnd) -> None:  # type: ignore[override]
        super().end(game, end)


@pytest.mark.parametrize("bot", [Remembering, RememberingAio])
def test_many_matches_go_on_side_by_side_with_a_bot_for_each_seat(
    server: Server, new_agent: NewAgent, bot: type[Remembering]
) -> None:
    token, client = new_agent()
    name = name_of(client)
    matches = {client.create_match([f"agent:{name}", "greedy", f"agent:{name}"], Rules.trains(3, rounds=2)).id for _ in range(20)}
    Remembering.made.clear()
    if bot is Remembering:
        stats = Runner(server.address, token, games=20).run(bot)
    else:
        stats = asyncio.run(aio.Runner(server.address, token, games=20).run(bot))
    assert stats.games == 20
    assert stats.refused == 0
    # The last answers may be acknowledged after the end of their matches.
    assert 0 <= sum(len(each.turns) for each in Remembering.made) - stats.choices < 20
    places = {(each.game.match_id, each.game.seat) for each in Remembering.made if each.game}
    assert places == {(match_id, seat) for match_id in matches for seat in (0, 2)}
    for each in Remembering.made:
        assert each.game is not None
        assert each.result is not None
        assert each.result.finished
        assert {turn.seat for turn in each.turns} <= {each.game.seat}
        assert {turn.match_id for turn in each.turns} <= {each.game.match_id}
        assert each.result.digest == client.get_match(each.game.match_id).digest


def failing(_turn: Turn) -> Move:
    raise RuntimeError("a mistake of the bot")


@pytest.mark.parametrize("way", ["plain", "aio"])
@pytest.mark.parametrize("bot", [failing, lambda _turn: None, lambda _turn: 99, lambda _turn: True])
def test_a_bot_that_fails_plays_the_first_option_and_the_error_is_logged(
    server: Server, new_agent: NewAgent, bot: Callable[[Turn], Move], way: str, caplog: pytest.LogCaptureFixture
) -> None:
    token, client = new_agent()
    match = client.create_match([f"agent:{name_of(client)}", "lowest"], SHORT, seed=SEED)
    if way == "plain":
        stats = Runner(server.address, token, games=1).run(bot)
    else:
        stats = asyncio.run(aio.Runner(server.address, token, games=1).run(bot))
    assert stats.choices > 0
    assert client.get_match(match.id).seats[0].ledger.strikes == 0
    first = client.create_match([f"agent:{name_of(client)}", "lowest"], SHORT, seed=SEED)
    Runner(server.address, token, games=1).run(lambda _turn: 0)
    assert digest_of(client, match.id) == digest_of(client, first.id)
    assert any("first" in record.message and record.levelno >= logging.WARNING for record in caplog.records)
    if bot is failing:
        assert "a mistake of the bot" in caplog.text


def test_another_session_takes_over_and_the_first_one_does_not_come_back(server: Server, new_agent: NewAgent) -> None:
    token, client = new_agent()
    ended: list[Exception] = []

    def first() -> None:
        try:
            Runner(server.address, token).run(highest)
        except chickenfoot.Error as error:
            ended.append(error)

    thread = threading.Thread(target=first)
    thread.start()
    name = name_of(client)
    eventually(lambda: client.agent(name).online)
    with chickenfoot.Session(Client(server.address, token)) as session:
        assert session.hello.agent == name
        thread.join(60)
    assert [type(error) for error in ended] == [chickenfoot.Replaced]


@pytest.mark.parametrize("way", ["plain", "aio"])
def test_a_revoked_token_ends_the_runner(server: Server, new_agent: NewAgent, way: str) -> None:
    token, client = new_agent()
    name = name_of(client)
    ended: list[Exception] = []

    def play() -> None:
        try:
            if way == "plain":
                Runner(server.address, token).run(highest)
            else:
                asyncio.run(aio.Runner(server.address, token).run(highest))
        except chickenfoot.Error as error:
            ended.append(error)

    thread = threading.Thread(target=play)
    thread.start()
    eventually(lambda: client.agent(name).online)
    client.revoke_token()
    thread.join(60)
    assert [type(error) for error in ended] == [chickenfoot.Unauthenticated]
    with pytest.raises(chickenfoot.Unauthenticated) as refused:
        Runner(server.address, token).run(highest)
    assert refused.value.reason == "TOKEN_INVALID"


def test_the_token_of_another_agent_is_not_played_with(server: Server, new_agent: NewAgent) -> None:
    token, _ = new_agent()
    with pytest.raises(chickenfoot.OtherAgent) as refused:
        chickenfoot.run(highest, name="somebody-else", server=server.address, token=token)
    assert refused.value.wanted == "somebody-else"


@pytest.fixture
def environment(server: Server) -> dict[str, str]:
    variables = {**os.environ, "CHICKENFOOT_SERVER": server.address, "PYTHONPATH": str(PACKAGE / "src")}
    variables.pop("CHICKENFOOT_TOKEN", None)
    return variables


@pytest.mark.parametrize("example", ["highest.py", "highest_aio.py"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_examples_register_play_and_stop_with_exit_code_0(
    environment: dict[str, str], new_agent: NewAgent, names: Iterator[str], example: str, number: signal.Signals
) -> None:
    _, client = new_agent()
    name = next(names)
    bot = subprocess.Popen(
        [sys.executable, str(PACKAGE / "examples" / example), name], env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert bot.stdout is not None
        assert "CHICKENFOOT_TOKEN=" in bot.stdout.readline()
        match = client.create_match([f"agent:{name}", "greedy"], SHORT)
        events = list(client.watch(match.id))
        assert events[-1].HasField("match_ended")
        bot.send_signal(number)
        assert bot.wait(60) == 0
    finally:
        bot.kill()
        bot.wait()


def test_whoever_wants_to_know_is_told_of_every_stored_decision(server: Server, new_agent: NewAgent) -> None:
    token, client = new_agent()
    match = client.create_match([f"agent:{name_of(client)}", "greedy"], SHORT)
    told: list[tuple[str, int, Move]] = []
    stats = Runner(server.address, token, games=1, on_accepted=lambda *what: told.append(what)).run(highest)
    assert len(told) == stats.choices > 0
    assert {match_id for match_id, _, _ in told} == {match.id}
    made = {str(each) for played in client.record(match.id).rounds for each in played.moves}
    assert {f"0 play {move.tile} {move.end} {move.line}" for _, _, move in told} <= made


async def played_over_a_bare_session(address: str, token: str) -> tuple[int, str]:
    """Plays the first options of a match over a session: how many decisions there were, and where the match stands."""
    count = 0
    async with await aio.Session.open(aio.Client(address, token)) as session:
        while True:
            message = await session.next()
            if message.HasField("seat_offer"):
                session.reply(message.seat_offer.match.id, accept=True, entropy=chickenfoot.entropy())
            elif message.HasField("decision"):
                count += 1
                session.choose(message.decision.match_id, message.decision.number, 0)
            elif message.HasField("game_ended"):
                return count, v1.MatchState.Name(message.game_ended.match.state)


async def asked_until_it_is_told(address: str) -> None:
    # grpc's asyncio loses the status of a call that is refused before its first message is out; asked again, it tells it.
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(chickenfoot.ConnectionLost):
            await played_over_a_bare_session(address, "0" * 64)
        await asyncio.sleep(0.05)


def test_a_bare_session_is_enough_to_play(server: Server, new_agent: NewAgent) -> None:
    token, client = new_agent()
    name = name_of(client)
    client.create_match([f"agent:{name}", "greedy"], SHORT)
    count, state = asyncio.run(played_over_a_bare_session(server.address, token))
    assert count > 0
    assert state == "MATCH_STATE_FINISHED"
    with pytest.raises(chickenfoot.Unauthenticated):
        asyncio.run(asked_until_it_is_told(server.address))
    with pytest.raises(chickenfoot.Unauthenticated):
        chickenfoot.Session(Client(server.address, "0" * 64))


def test_a_runner_can_be_used_again_and_stopped_from_another_thread(server: Server, new_agent: NewAgent) -> None:
    token, client = new_agent()
    name = name_of(client)
    runner = Runner(server.address, token)
    for _ in range(3):
        match = client.create_match([f"agent:{name}", "greedy"], SHORT)
        found: list[chickenfoot.Stats] = []
        thread = threading.Thread(target=lambda: found.append(runner.run(highest)))  # noqa: B023
        thread.start()
        eventually(lambda: client.get_match(match.id).state == v1.MATCH_STATE_FINISHED)  # noqa: B023
        runner.stop()
        thread.join(60)
        assert [stats.refused for stats in found] == [0]


def test_what_is_no_bot_is_refused(server: Server) -> None:
    async def choose(turn: Turn) -> Move:
        return turn.options[0]

    with pytest.raises(TypeError, match=r"chickenfoot\.aio"):
        Runner(server.address, "token").run(choose)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="is no bot"):
        Runner(server.address, "token").run(7)  # type: ignore[arg-type]


def test_an_example_without_a_name_tells_how_it_is_used(environment: dict[str, str]) -> None:
    for example in ("highest.py", "highest_aio.py"):
        command = [sys.executable, str(PACKAGE / "examples" / example)]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert run.returncode != 0
        assert "usage" in run.stderr


@pytest.mark.parametrize("run", ["chickenfoot.run(choose, name={!r})", "asyncio.run(aio.run(choose, name={!r}))"])
def test_a_bot_that_does_not_return_does_not_hold_up_the_end(
    environment: dict[str, str], new_agent: NewAgent, names: Iterator[str], tmp_path: pathlib.Path, run: str
) -> None:
    _, client = new_agent()
    name = next(names)
    script = tmp_path / "stuck.py"
    script.write_text(
        "import asyncio, threading, chickenfoot\n"
        "from chickenfoot import aio\n"
        "def choose(turn):\n"
        "    print('asked', flush=True)\n"
        "    threading.Event().wait()\n"
        f"{run.format(name)}\n"
    )
    bot = subprocess.Popen([sys.executable, str(script)], env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert bot.stdout is not None
        bot.stdout.readline()
        client.create_match([f"agent:{name}", "greedy"], SHORT)
        assert bot.stdout.readline() == "asked\n"
        bot.send_signal(signal.SIGTERM)
        assert bot.wait(60) == 0
    finally:
        bot.kill()
        bot.wait()


def test_a_client_without_a_session_watches_and_plays_by_unary_calls(new_agent: NewAgent) -> None:
    _, client = new_agent()
    match = client.create_match(["open", "greedy"], SHORT, forced_moves_asked=True)
    client.join_match(match.id, 0, entropy=chickenfoot.entropy())
    made = []
    for seen in client.watch_seat(match.id):
        if isinstance(seen, v1.Decision):
            made.append(client.play(match.id, seen.number, 0))
            again = client.play(match.id, seen.number, made[-1])
            assert again == made[-1]
    assert made
    assert client.get_match(match.id).state == v1.MATCH_STATE_FINISHED
