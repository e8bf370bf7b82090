"""SuperSuit on the parallel environment: its vectors, and those of its wrappers that suit the game.

Wrappers of actions and rewards take the environment as it is. Wrappers of observations take boxes only, not a dict of
observation and mask: ``observation_lambda_v0`` first leaves the mask to the info, where it also is.

These do not suit the game. ``frame_skip`` and ``sticky_actions`` give an answer to a question it was not meant
for. ``clip_actions``, ``scale_actions`` and ``nan_*`` are for actions that are real numbers. ``color_reduction`` and
``resize`` are for pictures. ``black_death`` is for agents that end before others, and here all end together.
``vectorize_aec_env`` steps an agent in several games at once, but its ``observe`` takes boxes only.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import supersuit
from pettingzoo import ParallelEnv

from subterra_env import SUBTERRA, parallel_env
from subterra_env.envs.rewards import ILLEGAL
from tests.envs.playing import SMALL, pick, same

KINDS = tuple(SUBTERRA.observation.KINDS)
COPIES = 3
STEPS = 400
Wrapper = Callable[[Any], Any]


def without_mask(env: ParallelEnv[str, Any, int]) -> Any:
    return supersuit.observation_lambda_v0(env, lambda seen, _: seen["observation"], lambda space: space["observation"])


AS_IT_IS: dict[str, Wrapper] = {
    "clip_reward": lambda env: supersuit.clip_reward_v0(env, -1, 1),
    "reward_lambda": lambda env: supersuit.reward_lambda_v0(env, lambda reward: reward),
    "pad_action_space": supersuit.pad_action_space_v0,
    "observation_lambda": without_mask,
}
OF_BOXES: dict[str, Wrapper] = {
    "agent_indicator": supersuit.agent_indicator_v0,
    "delay_observations": lambda env: supersuit.delay_observations_v0(env, 2),
    "dtype": lambda env: supersuit.dtype_v0(env, np.float64),
    "flatten": supersuit.flatten_v0,
    "frame_stack": lambda env: supersuit.frame_stack_v1(env, 3),
    "max_observation": lambda env: supersuit.max_observation_v0(env, 2),
    "normalize_obs": supersuit.normalize_obs_v0,
    "pad_observations": supersuit.pad_observations_v0,
    "reshape": lambda env: supersuit.reshape_v0(env, (env.observation_space("caver_0").shape[0], 1)),
}


def whole_game(env: Any, seed: int) -> list[tuple[Any, ...]]:
    """Random legal play; what every step returned, without the observations."""
    rng = np.random.default_rng(seed)
    observations, infos = env.reset(seed=seed)
    steps = []
    while env.agents:
        for agent, seen in observations.items():
            assert env.observation_space(agent).contains(seen)
        step = env.step({agent: pick(info["action_mask"], rng) for agent, info in infos.items()})
        observations, *rest = step
        infos = rest[-1]
        steps.append(tuple(rest))
    return steps


def assert_same_games(env: Any) -> None:
    for seed in range(3):
        assert same(whole_game(env, seed), whole_game(parallel_env(reward="shaped", **SMALL), seed))


@pytest.mark.parametrize("wrapper", AS_IT_IS.values(), ids=AS_IT_IS.keys())
def test_a_wrapped_game_is_the_same_game(wrapper: Wrapper) -> None:
    assert_same_games(wrapper(parallel_env(reward="shaped", **SMALL)))


@pytest.mark.parametrize("wrapper", OF_BOXES.values(), ids=OF_BOXES.keys())
def test_so_it_is_when_the_mask_is_left_to_the_info(wrapper: Wrapper) -> None:
    assert_same_games(wrapper(without_mask(parallel_env(reward="shaped", **SMALL))))


def rows(seen: Any, row: int) -> Any:
    """What one agent sees, of what a vector returns."""
    return {name: rows(part, row) for name, part in seen.items()} if isinstance(seen, dict) else seen[row]


def play_vector(env: Any, seed: int) -> list[dict[str, Any]]:
    """Random play by the masks in the observations, with every row in the space; the last infos of games."""
    rng = np.random.default_rng(seed)
    observations, _ = env.reset(seed=seed)
    last_infos = []
    for _ in range(STEPS):
        observations, rewards, terminations, truncations, infos = env.step(
            np.array([pick(mask, rng) for mask in observations["action_mask"]])
        )
        assert len(rewards) == len(infos) == env.num_envs
        assert all(env.observation_space.contains(rows(observations, row)) for row in range(env.num_envs))
        for info, *over in zip(infos, terminations, truncations, strict=True):
            assert any(over) == ("terminal_observation" in info)
            if any(over):
                last_infos.append(info)
                assert env.observation_space.contains(info["terminal_observation"])
    return last_infos


@pytest.mark.parametrize("kind", KINDS)
def test_agents_as_a_vector(kind: str) -> None:
    env = supersuit.pettingzoo_env_to_vec_env_v1(parallel_env(observation=kind, illegal="end", **SMALL))
    ends = play_vector(env, 1)
    assert len(ends) > env.num_envs
    assert ILLEGAL not in {info["medal"] for info in ends}


@pytest.mark.parametrize("processes", [0, 2])
def test_vectors_side_by_side(processes: int) -> None:
    one = supersuit.pettingzoo_env_to_vec_env_v1(parallel_env(illegal="end", **SMALL))
    env = supersuit.concat_vec_envs_v1(one, COPIES, num_cpus=processes)
    try:
        assert env.num_envs == COPIES * one.num_envs
        ends = play_vector(env, 2)
    finally:
        env.close()
    assert len(ends) > env.num_envs
    assert ILLEGAL not in {info["medal"] for info in ends}


def test_vectors_for_stable_baselines() -> None:
    one = supersuit.pettingzoo_env_to_vec_env_v1(parallel_env(**SMALL))
    env = supersuit.concat_vec_envs_v1(one, COPIES, base_class="stable_baselines3")
    rng, ended = np.random.default_rng(3), 0
    seen = env.reset()
    for _ in range(STEPS):
        seen, _, dones, infos = env.step(np.array([pick(mask, rng) for mask in seen["action_mask"]]))
        ended += int(dones.sum())
        assert [bool(done) for done in dones] == ["terminal_observation" in info for info in infos]
    assert ended > env.num_envs
