"""MaskablePPO of sb3-contrib trains on every vector of games: all it answers is legal, and it sees how games end."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv

from subterra_env import SUBTERRA
from subterra_env.envs.rewards import ILLEGAL
from subterra_env.envs.sb3 import SubTerraVecEnv
from tests.envs.playing import SMALL

GAMES = 2
STEPS = 256
BATCHES = 2
ACTIONS = SUBTERRA.actions.ACTIONS
ID = "subterra_env:SubTerra-v0"
"""Names the module, because worker processes know no ids of modules they have not imported."""
VECTORS: dict[str, Callable[..., VecEnv]] = {
    "dummy": lambda **options: make_vec_env(ID, GAMES, vec_env_cls=DummyVecEnv, env_kwargs=options),
    "subproc": lambda **options: make_vec_env(ID, GAMES, vec_env_cls=SubprocVecEnv, env_kwargs=options),
    "bridge": lambda **options: SubTerraVecEnv(GAMES, **options),
}
CASES = [(vector, kind) for vector in ("dummy", "bridge") for kind in SUBTERRA.observation.KINDS] + [
    ("subproc", "flat")
]
"""Processes take seconds to start, so they are tried once."""


class Watch(BaseCallback):
    """Sees each step of a training: the masks given to the policy, its answers, and the last infos of games."""

    def __init__(self) -> None:
        super().__init__()
        self.masks: list[np.ndarray] = []
        self.actions: list[np.ndarray] = []
        self.dones: list[np.ndarray] = []
        self.infos: list[dict[str, Any]] = []

    def _on_step(self) -> bool:
        for seen, name in ((self.masks, "action_masks"), (self.actions, "actions"), (self.dones, "dones")):
            seen.append(self.locals[name].copy())
        self.infos.extend(self.locals["infos"])
        return True


def watched_training(env: VecEnv) -> Watch:
    policy = "MultiInputPolicy" if isinstance(env.observation_space, spaces.Dict) else "MlpPolicy"
    net = {"net_arch": [16]}
    model = MaskablePPO(policy, env, n_steps=STEPS, batch_size=STEPS, n_epochs=1, policy_kwargs=net, seed=1)
    model.set_logger(Logger(folder=None, output_formats=[]))
    watch = Watch()
    model.learn(BATCHES * GAMES * STEPS, watch)
    return watch


@pytest.mark.parametrize(("vector", "kind"), CASES)
def test_all_answers_are_legal_and_ends_are_told(vector: str, kind: str) -> None:
    env = VECTORS[vector](observation=kind, **SMALL)
    try:
        watch = watched_training(env)
    finally:
        env.close()
    masks, actions, dones = (np.concatenate(seen) for seen in (watch.masks, watch.actions, watch.dones))
    assert len(masks) == len(actions) == BATCHES * GAMES * STEPS
    assert masks[np.arange(len(masks)), actions].all()
    assert 1 < masks.sum(axis=1).mean() < ACTIONS / 2
    ends = [info for done, info in zip(dones, watch.infos, strict=True) if done]
    assert len(ends) > GAMES
    for done, info in zip(dones, watch.infos, strict=True):
        assert done == ("terminal_observation" in info)
    for info in ends:
        assert info["medal"] != ILLEGAL
        assert env.observation_space.contains(info["terminal_observation"])
        assert {"TimeLimit.truncated", "is_success", "outcome", "saved", "rounds"} <= info.keys()


def test_the_masks_of_the_bridge_reach_the_policy_in_one_array(monkeypatch: pytest.MonkeyPatch) -> None:
    env = SubTerraVecEnv(GAMES, **SMALL)
    asked_for: list[Any] = []
    original = env.env_method

    def env_method(*args: Any, **named: Any) -> Any:
        asked_for.append(original(*args, **named))
        return asked_for[-1]

    monkeypatch.setattr(env, "env_method", env_method)
    watch = watched_training(env)
    assert len(asked_for) == len(watch.masks)
    for given, used in zip(asked_for, watch.masks, strict=True):
        assert isinstance(given, np.ndarray)
        assert (given.shape, given.dtype) == ((GAMES, ACTIONS), np.int8)
        np.testing.assert_array_equal(given, used)


def test_without_masks_the_same_training_ends_games_by_illegal_answers() -> None:
    """So that the tests above would notice."""
    env = SubTerraVecEnv(GAMES, **SMALL)
    medals: list[str] = []

    def note(seen: dict[str, Any], _: Any) -> bool:
        medals.extend(info["medal"] for info in seen["infos"] if "medal" in info)
        return True

    model = PPO("MlpPolicy", env, n_steps=STEPS, batch_size=STEPS, n_epochs=1, policy_kwargs={"net_arch": [16]}, seed=1)
    model.set_logger(Logger(folder=None, output_formats=[]))
    model.learn(GAMES * STEPS, note)
    assert medals.count(ILLEGAL) > len(medals) / 2
