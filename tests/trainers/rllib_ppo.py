"""Trains RLlib's PPO with action masks on two env runners, and prints as JSON what became of the games.

Runs in the environment of ``make rllib``: ``rllib_ppo.py team 2`` has one policy answer for all cavers through the
Gymnasium environment, ``rllib_ppo.py cavers 2`` has each caver be an agent of the parallel environment.
"""

import argparse
import json
import os
from typing import Any

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import gymnasium
import numpy as np
import ray
from gymnasium import spaces
from pettingzoo.utils import BaseParallelWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from subterra_env import parallel_env, single_env

TABLE = {"stack_tiles": 8, "illegal": "end"}
ENV_RUNNERS = 2
STEPS = 800
"""Per iteration, of both runners together."""
MEMORY = 200_000_000
"""Bytes for objects that Ray's processes share."""
POLICY = "everybody"


def keyed(observation: Any, mask: np.ndarray) -> dict[str, Any]:
    """An observation as RLlib's masking module wants it."""
    return {"observations": observation, "action_mask": mask.astype(np.float32)}


def keyed_space(space: spaces.Space[Any], actions: int) -> spaces.Dict:
    return spaces.Dict({"observations": space, "action_mask": spaces.Box(0.0, 1.0, (actions,), np.float32)})


class Team(gymnasium.Wrapper):
    """The Gymnasium environment with its masks in the observations."""

    def __init__(self, _: Any) -> None:
        super().__init__(single_env(**TABLE))
        self.observation_space = keyed_space(self.env.observation_space, self.env.action_space.n)

    def reset(self, **options: Any) -> tuple[Any, dict[str, Any]]:
        seen, info = self.env.reset(**options)
        return keyed(seen, info["action_mask"]), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        seen, reward, terminated, truncated, info = self.env.step(action)
        return keyed(seen, info["action_mask"]), reward, terminated, truncated, info


class Cavers(BaseParallelWrapper):
    """The parallel environment under RLlib's names."""

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return keyed_space(self.env.observation_space(agent)["observation"], self.env.action_space(agent).n)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        seen, infos = super().reset(seed, options)
        return self._keyed(seen), infos

    def step(self, actions: dict[str, int]) -> Any:
        seen, *rest = super().step(actions)
        return self._keyed(seen), *rest

    def _keyed(self, seen: dict[str, Any]) -> dict[str, Any]:
        return {agent: keyed(own["observation"], own["action_mask"]) for agent, own in seen.items()}


def note_the_end(episode: Any, metrics_logger: Any, **_: Any) -> None:
    """Counts how games ended, once a game."""
    agents = getattr(episode, "agent_episodes", None)
    infos = [own.get_infos(-1) for own in agents.values()] if agents else [episode.get_infos(-1)]
    endings = {info["medal"] for info in infos}
    assert len(endings) == 1, f"agents of one game see it end in different ways: {sorted(endings)}"
    metrics_logger.log_value(("endings", *endings), 1, reduce="lifetime_sum")


def config(players: str) -> PPOConfig:
    """PPO on a small net; a failing runner ends the training."""
    ppo = (
        PPOConfig()
        .environment(env=players)
        .env_runners(num_env_runners=ENV_RUNNERS, batch_mode="complete_episodes")
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=STEPS, minibatch_size=STEPS // 4, num_epochs=1)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [32], "head_fcnet_hiddens": []}
            )
        )
        .fault_tolerance(restart_failed_env_runners=False)
        .callbacks(on_episode_end=note_the_end)
        .debugging(seed=1)
    )
    if players == "cavers":
        ppo.multi_agent(policies={POLICY}, policy_mapping_fn=lambda *_, **__: POLICY)
    return ppo


def train(players: str, iterations: int) -> dict[str, Any]:
    """What became of a short training: iterations, runners, and the number of games for each ending."""
    algorithm = config(players).build_algo()
    for _ in range(iterations):
        sampled = algorithm.train()["env_runners"]
    told = {
        "iterations": algorithm.training_iteration,
        "runners": algorithm.env_runner_group.num_healthy_remote_workers(),
        "endings": {name: int(count) for name, count in sampled["endings"].items()},
    }
    algorithm.stop()
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description="Train RLlib's PPO with action masks for a moment.")
    parser.add_argument("players", choices=["team", "cavers"])
    parser.add_argument("iterations", type=int)
    arguments = parser.parse_args()
    single_env(**TABLE).reset(seed=0)  # compiled here, once, before the runners need it
    register_env("team", Team)
    register_env("cavers", lambda _: ParallelPettingZooEnv(Cavers(parallel_env(**TABLE))))
    ray.init(num_cpus=ENV_RUNNERS + 1, include_dashboard=False, object_store_memory=MEMORY, log_to_driver=False)
    print(json.dumps(train(arguments.players, arguments.iterations)))
    ray.shutdown()


if __name__ == "__main__":
    main()
