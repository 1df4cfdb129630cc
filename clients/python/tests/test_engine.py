"""The rounds and trees that all engines share."""

import json
from typing import Any

import pytest
from bots import highest
from service import RULES_DATA, SEED

from chickenfoot import Move, Rules, Tile, Turn
from chickenfoot.deal import Contributor, Deals, commitment, transcript
from chickenfoot.engine import IllegalAction, Round, Terms
from chickenfoot.match import Match


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (RULES_DATA / name).read_text().splitlines()]


def round_of(case: dict[str, Any]) -> Round:
    rules = case["rules"]
    terms = Terms(
        rules["players"],
        rules["opening_arms"],
        rules["reserve"],
        rules["drawn_tile"] == "may_play",
        rules["double_blank"],
        rules.get("toes", 3),
    )
    hands = [[Tile(*tile) for tile in hand] for hand in case["hands"]]
    return Round(terms, case["hub"], case["first"], hands, [Tile(*tile) for tile in case["boneyard"]])


def move_of(step: dict[str, Any]) -> Move:
    return Move("play", Tile(*step["tile"]), step["end"]) if step["do"] == "play" else Move(step["do"])


def check_step(table: Round, step: dict[str, Any]) -> None:
    ends: dict[str, int] = {}
    for end in table.table.ends:
        ends[str(end.number)] = ends.get(str(end.number), 0) + 1
    foot = table.table.foot
    assert table.turn == step["seat"]
    assert table.options() == [move_of(option) for option in step["options"]]
    assert ends == step["open"]
    assert (list(foot) if foot else None) == step["foot"]
    assert table.table.arms_left == step["arms_left"]
    assert len(table.boneyard) == step["yard"]


def test_the_shared_rounds_are_played_the_same_way_step_by_step() -> None:
    ends = set()
    for case in lines("rounds.jsonl"):
        table = round_of(case)
        for step in case["steps"]:
            check_step(table, step)
            table.apply(table.check(move_of(step["did"])))
        assert table.end is not None
        ends.add(table.end[0])
        assert table.end[0] in json.dumps(case["end"])
        assert [table.score(seat) for seat in range(len(case["hands"]))] == case["scores"]
    assert ends == {"out", "blocked"}


def count(table: Round) -> tuple[int, int, int, int]:
    """Leaves, actions, leaves with an empty hand, and the sum of all scores below a position."""
    if table.end is not None:
        return 1, 0, table.end[0] == "out", sum(table.score(seat) for seat in range(table.terms.players))
    found = [0, 0, 0, 0]
    for option in table.options():
        below = table.copy()
        below.apply(option)
        leaves, actions, out, scores = count(below)
        found = [found[0] + leaves, found[1] + actions + 1, found[2] + out, found[3] + scores]
    return found[0], found[1], found[2], found[3]


def test_the_game_trees_of_small_sets_have_the_shared_numbers_of_leaves_and_scores() -> None:
    small = [case for case in lines("trees.jsonl") if case["actions"] <= 3000]
    assert len(small) > 10
    for case in small:
        assert count(round_of(case)) == (case["leaves"], case["actions"], case["out"], case["scores"]), case["name"]


def test_the_shared_deals_come_out_with_all_values_in_between() -> None:
    for case in json.loads((RULES_DATA / "deals.json").read_text()):
        rules, seed = Rules.from_text(case["rules_text"]), bytes.fromhex(case["seed"])
        contributors = [Contributor(name, bytes.fromhex(entropy)) for name, entropy in case["contributors"]]
        assert commitment(case["deal_id"], seed).hex() == case["commitment"]
        assert transcript(rules, case["deal_id"], seed, contributors).hex() == case["transcript"]
        deals = Deals(rules, case["deal_id"], seed, contributors)
        for expected in case["rounds"]:
            deal = deals.deal(expected["round"])
            assert deals.round_key(expected["round"]).hex() == expected["key"]
            assert (deal.starting_double, deal.starter) == (expected["starting_double"], expected["starter"])
            assert [[list(tile) for tile in hand] for hand in deal.hands] == expected["hands"]
            assert [list(tile) for tile in deal.boneyard] == expected["boneyard"]


# The digest of the match that `highest` played under the name of `bot`, as the example of the Rust client made them.
GOLDEN = "fd9c4f1ca52ea91190e23f55d3e9d03fcd4e38644455403e118c5b6cb9d035d5"


def test_the_example_bot_makes_the_match_that_the_rust_example_made_of_the_same_seed() -> None:
    match = Match(Rules.trains(3), "fixed", SEED, [Contributor("bot")] * 3, automatic=True)
    while match.on_turn is not None:
        match.play(highest(Turn("", 0, match.on_turn, match.view(match.on_turn), tuple(match.options()), 0.0)))
    assert match.digest.hex() == GOLDEN


def test_a_forfeited_seat_plays_its_first_options_and_ranks_last() -> None:
    match = Match(Rules.trains(3, rounds=1), "fixed", bytes(32), [Contributor(name) for name in "abc"])
    loser = (match.on_turn or 0) % 3
    match.forfeit(loser)
    with pytest.raises(ValueError, match="cannot forfeit"):
        match.forfeit(loser)
    while not match.over:
        assert match.on_turn != loser
        match.play(match.options()[-1])
    assert match.places[loser] == 3


def test_a_move_that_is_not_legal_changes_nothing() -> None:
    match = Match(Rules.trains(2, rounds=1), "fixed", bytes(32), [Contributor("a"), Contributor("b")])
    before = match.digest
    for wrong in (Move("keep"), Move("play", Tile(0, 1), 5), match.options()[0]._replace(line=77)):
        with pytest.raises(IllegalAction):
            match.play(wrong)
    assert match.digest == before
