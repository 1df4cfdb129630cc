"""Every call of the service, plain and with asyncio, and what errors tell."""

import asyncio
import inspect
import itertools
import json
import random
import socket
import subprocess
import threading
from collections.abc import Callable
from typing import Any

import pytest
from bots import highest
from service import ADMIN_TOKEN, SEED, Server, eventually, program, running
from tampering import changed

import chickenfoot
from chickenfoot import Client, Rules, Runner, _calls, aio, v1, verify
from chickenfoot import client as client_module
from chickenfoot.v1 import agent_pb2, match_pb2, tournament_pb2


class Plain:
    """A client of asyncio that is called as a plain one: so each test below holds for both."""

    def __init__(self, server: str, token: str | None = None) -> None:
        self._loop = asyncio.new_event_loop()

        async def make() -> aio.Client:
            return aio.Client(server, token)

        self._client = self._loop.run_until_complete(make())

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._client, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            made = member(*args, **kwargs)
            if inspect.isasyncgen(made):
                return self._through(made)
            return self._loop.run_until_complete(made)

        return call

    def _through(self, made: Any) -> Any:
        end = object()
        while (item := self._loop.run_until_complete(anext(made, end))) is not end:
            yield item

    def close(self) -> None:
        self._loop.run_until_complete(self._client.close())
        self._loop.close()


@pytest.fixture(params=["plain", "aio"])
def connect(request: pytest.FixtureRequest, server: Server) -> Any:
    """Makes clients of either kind."""
    clients = []

    def make(token: str | None = None, address: str = "") -> Any:
        kind = Client if request.param == "plain" else Plain
        clients.append(kind(address or server.address, token))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


def test_every_call_of_the_contract_is_there_twice_with_the_same_parameters_and_documentation() -> None:
    files = (agent_pb2, match_pb2, tournament_pb2)
    services = [service for file in files for service in file.DESCRIPTOR.services_by_name.values()]
    methods = {method.name for service in services for method in service.methods}
    assert len(methods) > 30
    source = inspect.getsource(_calls) + inspect.getsource(client_module)
    for method in methods:
        assert f'"{method}"' in source or f"/{method}" in source, method
    for name, member in vars(Client).items():
        if name.startswith("_") or not callable(member):
            continue
        other = getattr(aio.Client, name)
        assert member.__doc__, name
        assert other.__doc__, name
        assert list(inspect.signature(member).parameters) == list(inspect.signature(other).parameters), name


def test_agents_register_are_listed_in_pages_and_change_their_tokens(connect: Any, names: Any) -> None:
    nobody = connect()
    mine = sorted(next(names) for _ in range(5))
    tokens = [nobody.register(name) for name in mine]
    assert [agent.name for agent in nobody.agents(page_size=2) if agent.name in mine] == mine
    assert nobody.agent(mine[0]).role == v1.ROLE_AGENT
    old = connect(tokens[0])
    request_id = chickenfoot.request_id()
    new = old.rotate_token(request_id=request_id)
    assert old.rotate_token(request_id=request_id) == new
    with pytest.raises(chickenfoot.Unauthenticated):
        old.revoke_token()
    assert connect(new).revoke_token().revoked
    admin = connect(ADMIN_TOKEN)
    assert admin.set_role(mine[1], v1.ROLE_ORGANISER).role == v1.ROLE_ORGANISER
    assert admin.revoke_token(mine[2]).revoked
    assert admin.rotate_token(mine[2])


def test_a_registration_that_is_repeated_with_its_request_id_gives_the_same_token(connect: Any, names: Any) -> None:
    name, request_id = next(names), chickenfoot.request_id()
    nobody = connect()
    assert nobody.register(name, request_id=request_id) == nobody.register(name, request_id=request_id)
    with pytest.raises(chickenfoot.AlreadyExists) as refused:
        nobody.register(name)
    assert (refused.value.reason, refused.value.code_name) == ("AGENT_EXISTS", "ALREADY_EXISTS")


def test_a_match_is_made_joined_left_and_aborted(connect: Any, names: Any) -> None:
    client = connect(connect().register(next(names)))
    request_id = chickenfoot.request_id()
    made = client.create_match(["open", "open"], decision_time=1.5, bank=2, strikes=0, strict=True, request_id=request_id)
    again = client.create_match(["open", "open"], decision_time=1.5, bank=2, strikes=0, strict=True, request_id=request_id)
    assert again.id == made.id
    assert (made.decision_time.seconds, made.decision_time.nanos, made.strict) == (1, 500_000_000, True)
    seat, joined = client.join_match(made.id, 1, entropy=chickenfoot.entropy())
    assert (seat, joined.id) == (1, made.id)
    assert client.leave_match(made.id).seats[1].name == ""
    assert client.abort_match(made.id).state == v1.MATCH_STATE_ABORTED
    config = v1.MatchConfig(rules=v1.Rules(rounds=1), seats=[v1.SeatSpec(house="greedy"), v1.SeatSpec(open=v1.OpenSeat())])
    assert client.create_match_from(config).state == v1.MATCH_STATE_OPEN


def test_a_match_is_watched_listed_and_its_record_verifies(connect: Any, names: Any) -> None:
    client = connect(connect().register(next(names)))
    rules = Rules.classic(3, rounds=1)
    over = client.create_match(["greedy", "lowest", "dead-foot"], rules, seed=SEED, deal_id="mine")
    # Who watches while it goes on does not see all tiles.
    for _ in client.watch(over.id):
        pass
    events = list(client.watch(over.id))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.seq for event in client.watch(over.id, after_seq=len(events) - 2)] == [len(events) - 1, len(events)]
    assert list(client.watch(over.id, after_seq=len(events))) == []
    scenes = list(client.watch_scenes(over.id, outlines=True))
    assert [event for event, _ in scenes] == events
    assert all(event.seq == scene.seq for event, scene in scenes)
    assert scenes[-1][1].outline.startswith(f"[{scenes[1][0].round_started.starting_double}|")
    ((_, last),) = client.watch_scenes(over.id, after_seq=len(events) - 1)
    assert last.clears
    assert len(last.laid) == sum(len(scene.laid) for _, scene in scenes)
    assert not last.outline
    assert client.get_match(over.id).deal_id == "mine"
    record = verify(client.record(over.id))
    assert record.totals == tuple(events[-1].match_ended.totals)
    assert record.rules == rules
    assert over.id in [match.id for match in client.matches(v1.MATCH_STATE_FINISHED, page_size=1)]
    assert over.id not in [match.id for match in client.matches(v1.MATCH_STATE_OPEN)]


def test_the_record_of_the_service_is_the_file_that_the_command_line_writes(server: Server, connect: Any, names: Any) -> None:
    client = connect(connect().register(next(names)))
    match = client.create_match(["greedy", "lowest"], Rules.trains(2, rounds=2))
    for _ in client.watch(match.id):
        pass
    command = [program("CHICKENFOOT_BIN"), "record", "get", match.id, "--server", server.address]
    written = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert client.record(match.id).to_json() == written


def test_records_of_matches_that_were_left_or_aborted_verify_and_changed_ones_do_not(connect: Any, names: Any) -> None:
    client = connect(connect().register(next(names)))
    chance = random.Random(4)
    for end, outcome in ((client.leave_match, "finished"), (client.abort_match, "aborted")):
        match = client.create_match(["greedy", "open", "lowest"], Rules.trains(3, rounds=2))
        client.join_match(match.id, entropy=chickenfoot.entropy())
        end(match.id)
        for _ in client.watch(match.id):
            pass
        record = verify(client.record(match.id))
        assert record.outcome == outcome
        made = [str(each) for played in record.rounds for each in played.moves]
        assert ("1 forfeit" in made) is (outcome == "finished")
        for text in itertools.islice(changed(record.to_json().encode(), chance), 30):
            with pytest.raises(chickenfoot.Flaw):
                verify(text)


def test_a_tournament_is_made_entered_run_and_exported(connect: Any, names: Any) -> None:
    client = connect(connect().register(next(names)))
    houses = [v1.EntrantSpec(name=name, house="greedy") for name in ("one", "two", "three")]
    format_ = v1.RoundRobin(cycles=2)
    rules = v1.Rules(players=2, rounds=1)
    config = v1.TournamentConfig(name="a trial", round_robin=format_, rules=rules, table_size=2, entrants=houses)
    made = client.create_tournament(config)
    assert client.tournament(made.id).state == v1.TOURNAMENT_STATE_OPEN
    assert client.join_tournament(made.id, entropy=chickenfoot.entropy()).number == 3
    assert client.withdraw_from_tournament(made.id).name == made.creator
    assert [entrant.name for entrant in client.entrants(made.id, page_size=2)] == ["one", "two", "three"]
    assert made.id in [each.id for each in client.tournaments(page_size=1)]
    assert client.start_tournament(made.id).state == v1.TOURNAMENT_STATE_RUNNING
    seen = list(client.watch_tournament(made.id, standings=2))
    assert seen[-1].tournament.state == v1.TOURNAMENT_STATE_FINISHED
    assert [standing.rank for standing in seen[-1].standings] == [1, 2]
    standings = client.standings(made.id, pairings=True)
    assert len(standings.standings) == 3
    assert len(standings.pairings) == 3
    blocks = list(client.blocks(made.id, page_size=1))
    assert len(blocks) == standings.tournament.progress.finished_blocks
    record = verify(client.record(blocks[0].matches[0].match_id))
    assert [each.name for each in record.block] == sorted(each.name for each in record.block)
    assert json.loads(client.export_tournament(made.id))["format"]["version"] == 1
    assert b"," in client.export_tournament(made.id, v1.EXPORT_FORMAT_CSV)


def test_a_tournament_is_paused_resumed_and_cancelled(connect: Any, names: Any) -> None:
    client = connect(connect().register(next(names)))
    houses = [v1.EntrantSpec(name=name, house="monte-carlo:50") for name in ("one", "two")]
    rules = v1.Rules(players=2)
    config = v1.TournamentConfig(name="x", ladder=v1.Ladder(blocks=1000), rules=rules, table_size=2, entrants=houses)
    made = client.create_tournament(config)
    client.start_tournament(made.id)
    assert client.pause_tournament(made.id).state == v1.TOURNAMENT_STATE_PAUSED
    assert client.resume_tournament(made.id).state == v1.TOURNAMENT_STATE_RUNNING
    assert client.cancel_tournament(made.id).state == v1.TOURNAMENT_STATE_CANCELLED


def test_rated_matches_make_a_leaderboard(server: Server, connect: Any, names: Any) -> None:
    tokens = {name: connect().register(name) for name in (next(names), next(names))}
    rules = Rules.trains(2, rounds=1)
    maker = connect(next(iter(tokens.values())))
    maker.create_match([f"agent:{name}" for name in tokens], rules, rated=True)
    threads = [threading.Thread(target=Runner(server.address, token, games=1).run, args=(highest,)) for token in tokens.values()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    reader = connect()
    assert rules.text in [pool.rules_text for pool in reader.rating_pools()]
    eventually(lambda: set(tokens) <= {entry.agent for entry in reader.leaderboard(rules)})
    assert [entry.rank for entry in reader.leaderboard(rules.text, page_size=1)][:2] == [1, 2]


def refused_by(call: Callable[[], object]) -> chickenfoot.Refused:
    with pytest.raises(chickenfoot.Refused) as refused:
        call()
    return refused.value


def test_errors_tell_class_code_reason_metadata_and_fields(connect: Any, names: Any) -> None:
    nobody = connect()
    client = connect(nobody.register(next(names)))
    error = refused_by(lambda: client.get_match("0" * 32))
    assert (type(error), error.code_name, error.reason) == (chickenfoot.NotFound, "NOT_FOUND", "MATCH_NOT_FOUND")
    error = refused_by(lambda: nobody.create_match(["open", "open"]))
    assert (type(error), error.reason) == (chickenfoot.Unauthenticated, "TOKEN_MISSING")
    error = refused_by(lambda: list(connect("f" * 64).matches()))
    assert error.reason == "TOKEN_INVALID"
    error = refused_by(lambda: client.create_match(["open", "open"], v1.Rules(max_pip=10)))
    assert isinstance(error, chickenfoot.InvalidRequest)
    assert [violation.field for violation in error.fields] == [error.metadata["field"]]
    assert error.fields[0].description
    assert not error.passing
    error = refused_by(lambda: client.set_role(next(names), v1.ROLE_ADMIN))
    assert (type(error), error.metadata["role"]) == (chickenfoot.Denied, "admin")
    match = client.create_match(["open", "greedy"])
    client.join_match(match.id)
    error = refused_by(lambda: client.join_match(match.id, 1))
    assert isinstance(error, chickenfoot.WrongState)
    error = refused_by(lambda: client.play(match.id, 999_999, 0))
    assert (type(error), error.reason) == (chickenfoot.Conflict, "DECISION_NOT_OPEN")
    assert error.code == 9


def test_a_limit_tells_its_name_and_when_to_try_again(log: Any, names: Any) -> None:
    with running(log, "--store", "memory", "--max-open-matches-per-agent", "1") as server, Client(server.address) as nobody:
        with Client(server.address, nobody.register(next(names))) as client:
            client.create_match(["open", "open"])
            error = refused_by(lambda: client.create_match(["open", "open"]))
        assert isinstance(error, chickenfoot.LimitReached)
        assert error.metadata == {"limit": "limits.max_open_matches_per_agent", "value": "1"}
        assert error.passing


def test_a_service_that_cannot_be_reached_and_one_that_does_not_answer_are_told_apart(connect: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with Client(address, timeout=0.2) as client, pytest.raises(chickenfoot.DeadlineExceeded):
            client.agent("ann")
    with pytest.raises(chickenfoot.ConnectionLost) as lost:
        connect(None, address).agent("ann")
    assert lost.value.passing
    assert not isinstance(lost.value, chickenfoot.DeadlineExceeded)


@pytest.mark.parametrize(
    "address", ["ftp://host:1", "http://", "http://host:port", "http://host/path", "http://host:99999", "http://[::1"]
)
def test_what_is_no_address_is_refused_before_anything_is_sent(address: str) -> None:
    with pytest.raises(chickenfoot.AddressError):
        Client(address)


def test_tls_is_never_asked_for_in_vain() -> None:
    with pytest.raises(chickenfoot.AddressError):
        Client("http://127.0.0.1:1", options=chickenfoot.ConnectOptions(ca=b"x"))
    assert "secret" not in repr(chickenfoot.ConnectOptions(token="secret"))
