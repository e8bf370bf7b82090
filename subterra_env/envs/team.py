"""What the two PettingZoo environments share: agents who answer for seats, their spaces, and what they see."""

from copy import deepcopy
from typing import Any, Self

import numpy as np
from gymnasium import spaces

from subterra_env.envs.expedition import RAISE, Expedition, OrderError, next_key
from subterra_env.envs.seating import seating

AgentObservation = dict[str, Any]


class Team:
    """Agents ``caver_0`` … (or ``player_0`` …, or ``team_0``) at one game after another.

    An observation is ``{"observation": …, "action_mask": int8[actions]}``. The mask of an agent that is not asked holds
    only ``wait``; no mask is ever all zero. ``copy``, ``copy.deepcopy`` and pickle make true copies that go on
    identically.
    """

    def __init__(
        self, agents: str = "caver", illegal: str = RAISE, render_mode: str | None = None, **options: Any
    ) -> None:
        self.render_mode = render_mode
        self._game = Expedition(illegal=illegal, render_mode=render_mode, **options)
        self._seating = seating(agents, self._game.seats)
        self.possible_agents = self._seating.agents
        self.agents: list[str] = []
        self.observation_spaces: dict[str, spaces.Space[Any]] = {agent: self._space() for agent in self.possible_agents}
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(self._game.action_space_size) for agent in self.possible_agents
        }
        self.state_space = self._game.state_space
        self._rng: np.random.Generator | None = None

    def _space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self._game.action_space_size,), np.int8)
        return spaces.Dict({"observation": self._game.observation_space, "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Always the same object for an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Always the same object for an agent."""
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        """An episode with the luck of the seed, or with the next luck of the environment's own stream."""
        if seed is not None or self._rng is None:
            self._rng = np.random.default_rng(seed)
        self._game.begin(next_key(seed, self._rng))
        self.agents = self.possible_agents.copy()

    def _agent_asked(self) -> str:
        return self._seating.agent_of[self._game.asked]

    def _check_order(self) -> None:
        if not self.agents:
            raise OrderError("there is no game under way; call reset() first")

    def observe(self, agent: str) -> AgentObservation:
        """What an agent sees and may do, in new arrays. Changes nothing."""
        game = self._game
        is_asked = not game.over and self._agent_asked() == agent
        return {
            "observation": game.observe(self._seating.eyes(agent, game.asked)),
            "action_mask": game.mask.copy() if is_asked else game.waiting_mask(),
        }

    def state(self) -> np.ndarray:
        """All that the table can see as one row of float32, for central critics."""
        return self._game.state()

    def copy(self) -> Self:
        """An environment of its own that stands where this one stands and goes on identically."""
        return deepcopy(self)

    def render(self) -> str | np.ndarray | None:
        """The game as the render mode shows it; see `render.Renderer.show`."""
        return self._game.render()

    def close(self) -> None:
        """Closes the window, if one is open."""
        self._game.close()
