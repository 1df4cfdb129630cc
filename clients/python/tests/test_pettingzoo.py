"""PettingZoo's own tests, and that what an environment shows and pays is what the match says."""

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from service import Server

import chickenfoot
from chickenfoot import Client, Rules, v1
from chickenfoot.pettingzoo import env, layout, raw_env, served_env

NewAgent = Callable[[], tuple[str, Client]]


def quietly(test: Callable[[], None]) -> None:
    """Runs a test of PettingZoo that warns of every observation that is a dict with a mask, as its own games have."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*probably should be gymnasium.spaces.box")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        test()


@pytest.mark.parametrize("rules", [Rules.trains(2), Rules.trains(4, rounds=3), Rules.classic(3, max_pip=12, rounds=2)])
def test_the_environment_of_matches_in_process_passes_the_api_test(rules: Rules) -> None:
    quietly(lambda: api_test(env(rules=rules), num_cycles=200))


def test_the_same_seed_gives_the_same_episodes() -> None:
    seed_test(lambda: env(3), num_cycles=60)


def test_the_environment_of_served_matches_passes_the_api_test(server: Server, new_agent: NewAgent) -> None:
    token, _ = new_agent()
    table = served_env(server.address, token, ["me", "greedy", "me"], Rules.trains(3, rounds=2))
    quietly(lambda: api_test(table, num_cycles=60))
    table.close()


def episode(table: Any, seed: int | None, chance: random.Random) -> dict[str, float]:
    """Plays an episode at random; the sum of each agent's rewards."""
    table.reset(seed=seed)
    rewards = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, _ = table.last()
        rewards[agent] += reward
        assert not truncated
        legal = np.flatnonzero(observation["action_mask"])
        assert terminated or len(legal) > 1
        table.step(None if terminated else int(chance.choice(list(legal))))
    return rewards


def margins(totals: tuple[int, ...]) -> list[float]:
    return [(sum(totals) - own) / (len(totals) - 1) - own for own in totals]


def test_rewards_sum_to_the_margin_of_the_match_and_over_the_table_to_nothing() -> None:
    table = raw_env(4)
    rewards = episode(table, 7, random.Random(7))
    assert sum(rewards.values()) == pytest.approx(0)
    assert list(rewards.values()) == pytest.approx(margins(table._game.totals))
    assert any(rewards.values())


def test_a_served_episode_pays_what_the_service_counted(server: Server, new_agent: NewAgent) -> None:
    token, client = new_agent()
    table = served_env(server.address, token, ["greedy", "me", "lowest"], Rules.trains(3, rounds=3))
    for seed in (None, 5):
        rewards = episode(table, seed, random.Random(1))
        match = next(match for match in client.matches(v1.MATCH_STATE_FINISHED) if match.seats[0].name == "house:greedy")
        assert match.fixed_seed is (seed is not None)
        assert rewards == {"player_1": pytest.approx(margins(tuple(seat.total for seat in match.seats))[1])}
    table.close()


def test_a_served_match_that_is_left_is_aborted(server: Server, new_agent: NewAgent) -> None:
    token, client = new_agent()
    table = served_env(server.address, token, ["me", "lowest"])
    table.reset()
    running = [match for match in client.matches(v1.MATCH_STATE_RUNNING) if match.seats[1].name == "house:lowest"]
    assert running
    table.close()
    assert client.get_match(running[0].id).state == v1.MATCH_STATE_ABORTED


def test_local_and_served_observations_of_the_same_match_are_the_same(server: Server, new_agent: NewAgent) -> None:
    token, client = new_agent()
    name = client.create_match(["open", "open"]).creator
    rules = Rules.classic(3, rounds=2)
    served = served_env(server.address, token, ["me"] * 3, rules, raw=True)
    local = raw_env(rules=rules)
    local._game._names = [name] * 3  # type: ignore[attr-defined]
    served.reset(seed=3)
    local.reset(seed=3)
    chance = random.Random(3)
    while not any(served.terminations.values()):
        assert served.agent_selection == local.agent_selection
        seen, own = served.observe(served.agent_selection), local.observe(local.agent_selection)
        assert np.array_equal(seen["observation"], own["observation"])
        assert np.array_equal(seen["action_mask"], own["action_mask"])
        action = int(chance.choice(list(np.flatnonzero(own["action_mask"]))))
        served.step(action)
        local.step(action)
    assert all(local.terminations.values())
    assert served.rewards == local.rewards
    served.close()


def test_nothing_hidden_is_in_an_observation() -> None:
    table = raw_env(2)
    table.reset(seed=1)
    parts = layout(Rules.trains(2))
    vector = table.observe(table.agent_selection)["observation"]
    match = table._game._match  # type: ignore[attr-defined]
    assert vector[parts["hand"]].sum() == len(match.round.hands[match.on_turn])
    assert vector[parts["rest"]].tolist() == [match.round.table.arms_left, len(match.round.boneyard), 1]
    other = table.observe(f"player_{1 - match.on_turn}")
    assert not other["action_mask"].any()
    # Whatever the others hold and the boneyard has, the vector is the same.
    hidden = [*match.round.hands[1 - match.on_turn], *match.round.boneyard]
    random.Random(2).shuffle(hidden)
    size = len(match.round.hands[1 - match.on_turn])
    match.round.hands[1 - match.on_turn], match.round.boneyard = set(hidden[:size]), hidden[size:]
    table._game._seen.clear()  # type: ignore[attr-defined]
    table._game.on_turn = None
    assert np.array_equal(table.observe(table.agent_selection)["observation"], vector)


def test_an_action_that_the_mask_forbids_is_refused() -> None:
    table = raw_env(2, render_mode="ansi")
    table.reset(seed=1)
    forbidden = int(np.flatnonzero(table.observe(table.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match="not legal"):
        table.step(forbidden)
    assert "round 1, double 9" in (table.render() or "")


def test_without_a_seat_of_its_own_there_is_no_environment(server: Server) -> None:
    with pytest.raises(ValueError, match="me"):
        served_env(server.address, "token", ["greedy", "greedy"])
    with pytest.raises(chickenfoot.Unauthenticated):
        served_env(server.address, "0" * 64).reset()
