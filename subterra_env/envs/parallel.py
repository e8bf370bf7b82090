"""The game as a PettingZoo Parallel environment: every agent answers every time, those not asked with ``wait``."""

from typing import Any

from pettingzoo import ParallelEnv

from subterra_env.envs.render import FRAMES_PER_SECOND, MODES
from subterra_env.envs.team import AgentObservation, Team

AgentInfos = dict[str, dict[str, Any]]
Observations = dict[str, AgentObservation]


class SubTerraParallel(Team, ParallelEnv[str, AgentObservation, int]):
    """Agents and options as of `aec.SubTerraAEC`.

    A step takes an action of every agent; one that is not asked may be left out.
    """

    metadata = {"name": "subterra_v0", "render_modes": list(MODES), "render_fps": FRAMES_PER_SECOND}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, AgentInfos]:
        """Begins an episode: with the luck of the seed, or with the next luck of the environment's own stream.

        ``options`` are accepted, as PettingZoo asks, and mean nothing.
        """
        self._begin(seed)
        return self._seen_and_infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], AgentInfos]:
        """Gives the answer of the agent asked.

        Raises `OrderError` if there is no game under way, ValueError if the agent asked gives no action or an agent is
        unknown, and as `Expedition.answer`.
        """
        self._check_order()
        reward = self._answer(actions)
        over, truncated = self._game.over, self._game.truncated
        observations, infos = self._seen_and_infos()
        rewards = dict.fromkeys(self.agents, reward)
        terminations = dict.fromkeys(self.agents, over and not truncated)
        truncations = dict.fromkeys(self.agents, truncated)
        if over:
            for info in infos.values():
                info.update(self._game.final_info())
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _answer(self, actions: dict[str, int]) -> float:
        asked = self._agent_asked()
        if asked not in actions or not actions.keys() <= set(self.agents):
            raise ValueError(f"actions for {', '.join(actions) or 'nobody'}; {asked} is asked, of {self.agents}")
        for agent, action in actions.items():
            if agent != asked and action != self._game.wait:
                return self._game.refuse(action, f"is not legal for {agent}, who is not asked and can only wait")
        return self._game.answer(actions[asked])

    def _seen_and_infos(self) -> tuple[Observations, AgentInfos]:
        """New arrays for every agent; the mask in the info is one of its own."""
        observations = {agent: self.observe(agent) for agent in self.agents}
        return observations, {
            agent: {"action_mask": seen["action_mask"].copy()} for agent, seen in observations.items()
        }
