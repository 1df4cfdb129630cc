"""Records that the service's own programs make, as they are and with a changed byte."""

import json
import pathlib
import random
import subprocess

import pytest
from service import program
from tampering import changed

import chickenfoot
from chickenfoot import Flaw, Record, verify
from chickenfoot.__main__ import main

PLAYERS = ["random", "greedy", "lowest", "dead-foot", "random", "random", "greedy", "lowest"]


def game(players: int, deals: int, *options: str) -> list[str]:
    """What is simulated: so many players, so many deals, each of them in as many seatings as there are players."""
    return ["--players", ",".join(PLAYERS[:players]), "--deals", str(deals), *options]


# Each with another number of players, set and rules. Together a hundred records and more.
GAMES = [
    game(2, 8),
    game(3, 5, "--rules", "classic"),
    game(4, 4, "--drawn-tile", "may-play"),
    game(5, 3, "--max-pip", "12", "--rounds", "4"),
    game(6, 2, "--rules", "classic", "--max-pip", "15", "--rounds", "4"),
    game(7, 2, "--rounds", "4", "--starter", "holder"),
    game(8, 2, "--max-pip", "18", "--rounds", "2"),
]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[pathlib.Path]:
    folder = tmp_path_factory.mktemp("records")
    for number, options in enumerate(GAMES):
        out = folder / str(number)
        command = [program("CHICKENFOOT_BIN"), "simulate", "--seed", str(number), "--records", str(out), *options]
        subprocess.run(command, check=True, capture_output=True)
    return sorted(folder.glob("*/*.json"))


def test_a_hundred_records_verify_and_are_written_again_byte_for_byte(records: list[pathlib.Path]) -> None:
    assert len(records) >= 100
    for path in records:
        record = verify(path.read_bytes())
        assert record.to_json() == path.read_text(), path
    assert {Record.read(path).rules.players for path in records} == {2, 3, 4, 5, 6, 7, 8}


def test_a_hundred_records_with_a_changed_byte_are_refused_and_the_place_is_named(records: list[pathlib.Path]) -> None:
    chance = random.Random(20260101)
    places = []
    for path in [*records, *records, *records]:
        text = next(changed(path.read_bytes(), chance))
        with pytest.raises(Flaw) as refused:
            verify(text)
        assert refused.value.place, path
        places.append(refused.value.place)
    # Not all for the same reason: what cannot be read, deals, moves and other fields are among them.
    for kind in ("line ", "byte ", "hand", "move", "entropy"):
        assert any(kind in place for place in places), (kind, sorted(places))


def test_a_changed_digit_is_refused_where_it_stands(records: list[pathlib.Path]) -> None:
    record = json.loads(records[0].read_text())

    def flaw(**changes: object) -> str:
        with pytest.raises(Flaw) as refused:
            verify(json.dumps({**record, **changes}))
        return refused.value.place

    first = record["rounds"][0]
    moves = list(first["moves"])
    assert flaw(seed="00" * 32) == "commitment"
    assert flaw(commitment="00" * 32) == "commitment"
    assert flaw(digest="00" * 32) == "digest"
    assert flaw(totals=[1, 2]) == "totals"
    assert flaw(places=[2, 2]) == "places"
    assert flaw(outcome="aborted") == "outcome"
    assert flaw(rounds=record["rounds"][:-1]) == "rounds"
    assert flaw(rounds=[{**first, "starter": 1 - first["starter"]}, *record["rounds"][1:]]) == "round 1, starter"
    assert flaw(rounds=[{**first, "moves": moves[:3]}, *record["rounds"][1:]]) == "round 1, move 4"
    assert flaw(rounds=[{**first, "moves": [*moves, "0 pass"]}, *record["rounds"][1:]]) == f"round 1, move {len(moves) + 1}"
    assert flaw(rounds=[{**first, "moves": ["0 jump"]}, *record["rounds"][1:]]) == "round 1, move 1"
    assert flaw(rounds=[{**first, "end": "out 9"}, *record["rounds"][1:]]) == "round 1, end"
    assert flaw(rounds=[{**first, "scores": [0, 0]}, *record["rounds"][1:]]) == "round 1, scores"
    assert flaw(rounds=[{**first, "boneyard": first["boneyard"][::-1]}, *record["rounds"][1:]]) == "round 1, boneyard"
    assert flaw(rounds=[{**first, "extra": 1}]) == "round 1, extra"
    assert flaw(seats=[{"name": "a"}]) == "seats, seat 0, entropy"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"", "line 1 column 1"),
        (b"{", "line 1 column 2"),
        (b"[1]", "document"),
        (b"\xff{}", "byte 0"),
        (b'{"format": "chickenfoot/v1/record", "format": "chickenfoot/v1/record"}', "format"),
        (b"[" * 100_000, "document"),
        (b"9" * 5000, "document"),
        (b'{"format": NaN}', "document"),
    ],
)
def test_what_is_no_record_is_refused_with_the_place(text: bytes, place: str) -> None:
    with pytest.raises(Flaw) as refused:
        verify(text)
    assert refused.value.place == place


def test_the_command_tells_of_each_file_and_exits_by_the_worst(
    records: list[pathlib.Path], tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(records[0].read_text().replace('"outcome": "finished"', '"outcome": "aborted"'))
    assert main(["verify", str(records[0])]) == 0
    assert chickenfoot.Record.read(records[0]).digest.hex() in capsys.readouterr().out
    assert main(["verify", str(records[0]), str(bad)]) == 1
    assert "bad.json: outcome: the record has aborted, the rules give finished" in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "none.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err
