"""The game as a PettingZoo AEC environment: one agent is asked at a time."""

from typing import Any

from pettingzoo import AECEnv

from subterra_env.envs.render import FRAMES_PER_SECOND, MODES
from subterra_env.envs.team import AgentObservation, Team


class SubTerraAEC(Team, AECEnv[str, AgentObservation, int]):
    """Agents answer the questions of a game in turn; what they are and see says `team.Team`.

    The mask is in the info too. All agents stay to the end and end together with the same flag; all are paid the same.
    A caver who is lost is never asked again. ``agents``: one agent a ``caver``, a ``player`` (rulebook 2.2) or a
    ``team``. The other options are those of `expedition.Expedition` and of the game; what cannot be agreed raises
    ValueError.
    """

    metadata = {
        "name": "subterra_v0",
        "render_modes": list(MODES),
        "is_parallelizable": False,
        "render_fps": FRAMES_PER_SECOND,
    }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins an episode: with the luck of the seed, or with the next luck of the environment's own stream.

        ``options`` are accepted, as PettingZoo asks, and mean nothing.
        """
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._waiting_info() for agent in self.agents}
        self._skip_agent_selection = None  # type: ignore[assignment]
        self._ask()

    def step(self, action: int | None) -> None:
        """Gives the answer of ``agent_selection``; once the game is over the only answer is None, once for each agent.

        Raises as `Expedition.answer`.
        """
        self._check_order()
        if self._game.over:
            self._was_dead_step(action)  # type: ignore[arg-type]
            return
        self._pay(self._game.answer(action))
        if self._game.over:
            self._all_end()
            return
        if self._agent_asked() != self.agent_selection:
            self.infos[self.agent_selection] = self._waiting_info()
        self._ask()

    def _pay(self, reward: float) -> None:
        """The same to every agent; the one who answered has taken what it had."""
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        if reward != self.rewards[agent]:
            self.rewards = dict.fromkeys(self.agents, reward)
        if reward:
            for each in self.agents:
                self._cumulative_rewards[each] += reward

    def _ask(self) -> None:
        self.agent_selection = self._agent_asked()
        self.infos[self.agent_selection] = {"action_mask": self._game.mask}

    def _waiting_info(self) -> dict[str, Any]:
        return {"action_mask": self._game.waiting_mask()}

    def _all_end(self) -> None:
        self.terminations = dict.fromkeys(self.agents, not self._game.truncated)
        self.truncations = dict.fromkeys(self.agents, self._game.truncated)
        self.infos = {agent: self._waiting_info() | self._game.final_info() for agent in self.agents}
