"""The Gymnasium environment under every id: the checkers of Gymnasium and SB3, and registration."""

import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env

from subterra_env import SUBTERRA, single_env
from subterra_env.envs.aec import SubTerraAEC
from subterra_env.envs.expedition import OrderError
from subterra_env.envs.parallel import SubTerraParallel
from subterra_env.envs.presets import PRESETS
from tests.envs.playing import SMALL, arrays_in, pick

KINDS = tuple(SUBTERRA.observation.KINDS)
IDS = (*PRESETS, *(f"subterra/{name}" for name in PRESETS))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", IDS)
def test_gymnasium_check_without_a_warning(name: str, kind: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name, observation=kind).unwrapped)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PRESETS)
def test_sb3_check_without_a_warning(name: str, kind: str) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(gymnasium.make(name, observation=kind).unwrapped, warn=True)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_in_every_registry(name: str) -> None:
    agreed = PRESETS[name]
    envs = [
        gymnasium.make(name).unwrapped,
        pettingzoo.make("aec", f"subterra/{name}"),
        pettingzoo.make("parallel", f"subterra/{name}"),
    ]
    assert isinstance(envs[1], SubTerraAEC)
    assert isinstance(envs[2], SubTerraParallel)
    expected = SUBTERRA.agreed_state(SUBTERRA.options(**agreed))
    for env in envs:
        assert env._game.tables.tobytes() == expected.tobytes()


def test_options_given_to_make_come_first() -> None:
    env = gymnasium.make("SubTerra-Small-v0", stack_tiles=7, reward="medal").unwrapped
    assert env._game.tables["stack_tiles"][0] == 7
    assert gymnasium.make("SubTerra-Small-v0").unwrapped._game.tables["stack_tiles"][0] == 10


@pytest.mark.parametrize("kind", KINDS)
def test_whole_games_keep_to_their_space_and_masks_are_never_empty(kind: str) -> None:
    env = single_env(observation=kind, illegal="error", **SMALL)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            assert np.array_equal(info["action_mask"], env.action_masks())
            observation, _, terminated, truncated, info = env.step(pick(env.action_masks(), rng))
            over = terminated or truncated
            assert env.observation_space.contains(observation)
            assert env.action_masks().any()
        with pytest.raises(OrderError, match="reset"):
            env.step(0)


def test_a_stream_of_episodes_is_reproducible() -> None:
    streams = []
    for _ in range(2):
        env = single_env(**SMALL)
        env.reset(seed=3)
        keys = []
        for _ in range(5):
            keys.append(int(env._game.states["luck"][0]))
            env.reset()
        streams.append(keys)
    assert streams[0] == streams[1]
    assert len(set(streams[0])) == 5


@pytest.mark.parametrize("kind", KINDS)
def test_rows_hold_what_the_asked_caver_sees(kind: str) -> None:
    env = single_env(observation=kind, **SMALL)
    observation, _ = env.reset(seed=2)
    seen = env._game.observe(env._game.asked)
    for row, table in zip(arrays_in(observation), arrays_in(seen), strict=True):
        assert row.shape == (table.size,)
        assert np.array_equal(row.reshape(table.shape), table)
