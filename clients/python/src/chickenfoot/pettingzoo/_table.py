"""The environment itself: one table, an agent for each seat that is the environment's."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from ..rules import Rules
from ._coding import MOST, Coding, action_of, actions
from ._games import Game


class TableEnv(AECEnv):  # type: ignore[misc]
    """A table. `chickenfoot.pettingzoo` tells what actions, observations and rewards are."""

    metadata = {"render_modes": ["ansi"], "name": "chickenfoot_v1", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._game = game
        self._rules: Rules = game.rules
        self._coding = Coding(game.rules)
        self._chance: random.Random | None = None
        self._seats = {f"player_{seat}": seat for seat in game.seats}
        self._shown = (0,) * game.rules.players
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        space = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(0.0, MOST, (self._coding.size,), np.float32),
                "action_mask": gymnasium.spaces.Box(0, 1, (actions(self._rules),), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions(self._rules)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations; the same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent may know, and what it may do if it is on turn."""
        seat = self._seats[agent]
        options = self._game.options if self._game.on_turn == seat else []
        return {"observation": self._coding.observation(self._game.view(seat)), "action_mask": self._coding.mask(options)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins another match. With a seed its deals, and those of the matches after it, follow from that; `options`
        says nothing."""
        del options
        if seed is not None:
            self._chance = random.Random(seed)  # noqa: S311 - whoever fixes the seed wants to know it
        self._game.begin(self._chance.randbytes(32) if self._chance is not None else None)
        self.agents = list(self.possible_agents)
        self._shown = (0,) * self._rules.players
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._look()
        self._accumulate_rewards()

    def step(self, action: Any) -> None:
        """The agent on turn does something. Raises ValueError if the mask forbids it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        wanted = [option for option in self._game.options if action_of(option, self._rules) == int(action)]
        if not wanted:
            raise ValueError(f"action {action} of {agent} is not legal: see the action_mask")
        self._game.play(wanted[0])
        self._look()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The table in a line of text, for the render mode `ansi`."""
        if self.render_mode != "ansi":
            return None
        view = self._game.view(self._game.on_turn if self._game.on_turn is not None else self._game.seats[0])
        if view is None:
            return "nothing is on the table"
        ends = " ".join(str(end.number) for end in view.ends)
        foot = f", {view.foot.missing} toes on {view.foot.number}" if view.foot else ""
        return f"round {view.round}, double {view.starting_double}, ends {ends or 'none'}{foot}, totals {self._game.totals}"

    def close(self) -> None:
        """Ends what the table holds open."""
        self._game.close()

    def _look(self) -> None:
        """Takes in what has become of the match."""
        game = self._game
        scored = [now - before for now, before in zip(game.totals, self._shown, strict=True)]
        self._shown = game.totals
        for agent, seat in self._seats.items():
            others = sum(scored) - scored[seat]
            self.rewards[agent] = others / (len(scored) - 1) - scored[seat]
        if game.on_turn is not None:
            self.agent_selection = f"player_{game.on_turn}"
            return
        for agent in self.agents:
            self.terminations[agent], self.truncations[agent] = not game.aborted, game.aborted
        self.agent_selection = self.agents[0]
