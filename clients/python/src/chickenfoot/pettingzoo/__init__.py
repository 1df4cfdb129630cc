"""The game as a PettingZoo environment (AEC), over matches in this process or over matches that the service hosts.

    from chickenfoot.pettingzoo import env

    table = env(players=4)
    table.reset(seed=1)
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, info = table.last()
        done = terminated or truncated
        table.step(None if done else table.action_space(agent).sample(observation["action_mask"]))

Needs `pip install 'chickenfoot[pettingzoo]'`. Agents are `player_0`, `player_1`, ... by seat. Draws, passes and single
plays are made by the environment, so an agent is only asked where there is a choice.

**Action**: `Discrete((N + 1)**2 + 1)` for a double-N set. A tile that is laid on an end of number `e` and shows `o`
outward is `e * (N + 1) + o`; the last action keeps a drawn tile. `observation["action_mask"]` has a 1 for each legal
action of the agent on turn, and zeros for everybody else. Another action raises ValueError.

**Observation**: `{"observation": Box, "action_mask": Box}`. The vector holds what the seat may know, as `layout` tells;
seats are counted from the viewer on, so it looks the same from everywhere. Nobody's hidden tiles are in it.

**Reward**: when a round ends, each agent gets the mean of the pips that the others score in it less its own. They sum
to the agent's margin of the match, and over all seats of a table to 0.

An episode is a match. It terminates when the match is over, and is truncated if the service ended it without a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pettingzoo.utils import wrappers

from .._connect import ConnectOptions
from ..rules import Rules
from ._coding import layout
from ._games import LocalGame, ServedGame
from ._table import TableEnv

__all__ = ["TableEnv", "env", "layout", "raw_env", "served_env"]


def raw_env(players: int = 4, rules: Rules | None = None, *, render_mode: str | None = None) -> TableEnv:
    """Matches in this process, without the wrapper that enforces the order of calls. All seats are agents of the environment.

    `rules` are `Rules.trains(players)` unless given. `reset(seed=...)` gives the same deals for the same seed.
    """
    return TableEnv(LocalGame(rules or Rules.trains(players)), render_mode)


def env(players: int = 4, rules: Rules | None = None, *, render_mode: str | None = None) -> Any:
    """As `raw_env`, with PettingZoo's wrapper that enforces the order of calls."""
    return wrappers.OrderEnforcingWrapper(raw_env(players, rules, render_mode=render_mode))


def served_env(
    server: str | None = None,
    token: str | None = None,
    seats: Sequence[str] = ("me", "greedy", "greedy", "greedy"),
    rules: Rules | None = None,
    *,
    options: ConnectOptions | None = None,
    render_mode: str | None = None,
    raw: bool = False,
) -> Any:
    """Matches that the service hosts, one for each episode. Seats that are `"me"` are agents of the environment, held
    by the agent of the token; the others are players of the house.

    `reset(seed=...)` fixes the seed of the match, and without it the service draws one. `close` ends the session.
    Raises the classes of `chickenfoot.errors`; after `ConnectionLost` another `reset` begins another match.
    """
    game = ServedGame(server, options or ConnectOptions(token=token), seats, rules or Rules.trains(len(seats)))
    table = TableEnv(game, render_mode)
    return table if raw else wrappers.OrderEnforcingWrapper(table)
