"""TorchRL's PettingZooWrapper takes both PettingZoo environments, with masks, and plays whole games at random."""

import warnings
from typing import Any

import numpy as np
import pytest
import torch
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType, check_env_specs

from subterra_env import SUBTERRA, aec_env, parallel_env
from subterra_env.envs.aec import SubTerraAEC
from subterra_env.envs.parallel import SubTerraParallel
from tests.envs.playing import SMALL

MAKERS = {"aec": aec_env, "parallel": parallel_env}
LONGEST = 2_000
"""Steps; no game of a small cave takes as many."""
WAIT = SUBTERRA.actions.WAIT


def wrapped(env: SubTerraAEC | SubTerraParallel, **options: Any) -> PettingZooWrapper:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PettingZoo in TorchRL is tested", UserWarning)
        return PettingZooWrapper(env, use_mask=True, **options)


@pytest.mark.parametrize("kind", SUBTERRA.observation.KINDS)
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
def test_specs(make: Any, kind: str) -> None:
    check_env_specs(wrapped(make(observation=kind, **SMALL), return_state=True), seed=1)


@pytest.mark.parametrize("groups", list(MarlGroupMapType), ids=lambda groups: groups.name)
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
def test_random_masked_games_come_to_their_end(make: Any, groups: MarlGroupMapType) -> None:
    """An illegal answer would be an error: that is what the environments agree on by default."""
    env = wrapped(make(**SMALL), group_map=groups)
    for seed in range(3):
        env.set_seed(seed)
        torch.manual_seed(seed)
        game = env.rollout(LONGEST)
        assert len(game) < LONGEST
        assert game["next", "done"][-1].all()
        assert not game["next", "done"][:-1].any()
        for group in env.group_map:
            assert game["next", group, "done"][-1].all()


def test_only_the_agent_asked_has_a_choice() -> None:
    env = wrapped(parallel_env(**SMALL))
    env.set_seed(1)
    torch.manual_seed(1)
    game = env.rollout(LONGEST)["caver"]
    masks, actions = game["action_mask"].numpy(), game["action"].numpy()
    assert np.take_along_axis(masks, actions[..., None], axis=-1).all()
    assert ((~masks[..., WAIT]).sum(axis=1) == 1).all()
    assert (masks[masks[..., WAIT]].sum(axis=-1) == 1).all()


def test_the_reward_is_that_of_the_environment() -> None:
    env = wrapped(parallel_env(reward="shaped", **SMALL))
    env.set_seed(2)
    torch.manual_seed(2)
    game = env.rollout(LONGEST)
    twin = parallel_env(reward="shaped", **SMALL)
    twin.reset(seed=2)
    twin.reset()  # a rollout begins with a reset of its own
    given, paid_there = game["caver", "action"], game["next", "caver", "reward"].squeeze(-1)
    for actions, rewards in zip(given.tolist(), paid_there.tolist(), strict=True):
        _, paid, *_ = twin.step(dict(zip(twin.agents, actions, strict=True)))
        assert rewards == pytest.approx(list(paid.values()))
    assert not twin.agents
