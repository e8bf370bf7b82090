"""The vector environment: the same games as one at a time, Gymnasium's conventions, Stable-Baselines3's bridge."""

import pickle
import subprocess
import sys
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import subterra_env
from subterra_env import SUBTERRA, single_env
from subterra_env.envs.expedition import OrderError
from subterra_env.envs.presets import PRESETS
from subterra_env.envs.rewards import ILLEGAL, REWARDS
from subterra_env.envs.vector import SubTerraVectorEnv
from tests.envs.playing import SMALL, pick, same

GAMES = 5
STEPS = 400


def masked_actions(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.array([pick(mask, rng) for mask in masks])


def play(env: SubTerraVectorEnv, steps: int, seed: int | None = 3, choices: int = 0) -> list[tuple[Any, ...]]:
    """What every step returns, arrays copied."""
    rng = np.random.default_rng(choices)
    _, info = env.reset(seed=seed)
    returned = []
    for _ in range(steps):
        step = env.step(masked_actions(info["action_mask"], rng))
        info = step[-1]
        returned.append(step)
    return returned


@pytest.mark.parametrize("kind", ["flat", "entities"])
@pytest.mark.parametrize("reward", list(REWARDS))
def test_first_episodes_are_those_of_the_single_environment(kind: str, reward: str) -> None:
    options: dict[str, Any] = {**SMALL, "observation": kind, "reward": reward, "gamma": 0.9}
    vector = SubTerraVectorEnv(GAMES, **options)
    singles = [single_env(**options) for _ in range(GAMES)]
    rng = np.random.default_rng(1)
    seen, info = vector.reset(seed=11)
    firsts = [env.reset(seed=11 + i) for i, env in enumerate(singles)]
    going = set(range(GAMES))
    for i, (first, _) in enumerate(firsts):
        assert same(row_of(seen, i), first)
    while going:
        actions = masked_actions(info["action_mask"], rng)
        seen, rewards, terminated, truncated, info = vector.step(actions)
        for i in sorted(going):
            own, reward_of_it, over, cut, last = singles[i].step(actions[i])
            assert (rewards[i], terminated[i], truncated[i]) == (pytest.approx(reward_of_it), over, cut)
            if over or cut:
                going.remove(i)
                assert same(info["final_obs"][i], own)
                assert info["_final_obs"][i]
                assert same({name: info["final_info"][name][i] for name in last}, last)
            else:
                assert same(row_of(seen, i), own)
                assert same(info["action_mask"][i], last["action_mask"])


def row_of(seen: Any, i: int) -> Any:
    return {name: part[i] for name, part in seen.items()} if isinstance(seen, dict) else seen[i]


@pytest.mark.parametrize("kind", ["flat", "entities"])
def test_spaces_masks_and_episodes(kind: str) -> None:
    env = SubTerraVectorEnv(GAMES, observation=kind, team="random", **SMALL)
    ended = 0
    for seen, rewards, terminated, truncated, info in play(env, STEPS):
        assert env.observation_space.contains(seen)
        assert info["action_mask"].any(axis=1).all()
        assert rewards.shape == terminated.shape == truncated.shape == (GAMES,)
        over = terminated | truncated
        assert ("final_info" in info) == over.any()
        if over.any():
            np.testing.assert_array_equal(info["_final_info"], over)
            assert set(info["final_info"]["medal"][over]) <= {"gold", "silver", "bronze", "defeat", "truncated"}
            np.testing.assert_allclose(rewards[over], info["final_info"]["outcome"][over])
        ended += int(over.sum())
    assert ended > 2 * GAMES


def test_a_stream_of_episodes_is_reproducible_whatever_the_number_of_threads() -> None:
    alone = play(SubTerraVectorEnv(GAMES, **SMALL), STEPS)
    for other in (SubTerraVectorEnv(GAMES, **SMALL), SubTerraVectorEnv(GAMES, threads=2, **SMALL)):
        assert same(alone, play(other, STEPS))
    assert not same(alone, play(SubTerraVectorEnv(GAMES, **SMALL), STEPS, seed=4))


def test_episodes_of_a_stream_differ_and_go_on_without_a_seed() -> None:
    env = SubTerraVectorEnv(2, first="random", team="random", **SMALL)
    first = env.reset(seed=1)[0].copy()
    second = env.reset()[0].copy()
    assert not np.array_equal(first, second)
    assert not np.array_equal(env.reset(seed=[1, 9])[0][1], first[1])
    assert np.array_equal(env.reset(seed=1)[0], first)
    assert np.array_equal(env.reset()[0], second)


def test_some_games_alone_can_be_reset() -> None:
    env = SubTerraVectorEnv(3, **SMALL)
    play(env, 7)
    before = env._states.copy()
    env.reset(seed=5, options={"reset_mask": np.array([False, True, False])})
    changed = [env._states[i].tobytes() != before[i].tobytes() for i in range(3)]
    assert changed == [False, True, False]
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": np.zeros(3, np.bool_)})


def test_an_illegal_action_ends_its_game_or_is_refused_as_agreed() -> None:
    env = SubTerraVectorEnv(3, **SMALL)
    _, info = env.reset(seed=2)
    actions = masked_actions(info["action_mask"], np.random.default_rng(0))
    actions[1] = SUBTERRA.actions.WAIT
    _, rewards, terminated, _, info = env.step(actions)
    assert terminated.tolist() == [False, True, False]
    assert (info["final_info"]["medal"][1], rewards[1]) == (ILLEGAL, -1.0)
    strict = SubTerraVectorEnv(3, illegal="error", **SMALL)
    strict.reset(seed=2)
    before = strict._states.tobytes()
    with pytest.raises(SUBTERRA.notation.IllegalAnswer, match="game 1"):
        strict.step(actions)
    assert strict._states.tobytes() == before


@pytest.mark.parametrize(
    "actions", [np.zeros(2, np.int64), np.zeros(3), np.zeros((3, 1), np.int64)], ids=["two", "floats", "a table"]
)
def test_actions_of_another_form_are_refused(actions: np.ndarray) -> None:
    env = SubTerraVectorEnv(3)
    with pytest.raises(OrderError):
        env.step(np.zeros(3, np.int64))
    env.reset(seed=0)
    with pytest.raises(ValueError, match="whole numbers"):
        env.step(actions)


def test_what_is_handed_out_is_kept_unless_agreed_otherwise() -> None:
    kept = SubTerraVectorEnv(2, **SMALL)
    seen, info = kept.reset(seed=0)
    before = seen.copy(), info["action_mask"].copy()
    kept.step(masked_actions(info["action_mask"], np.random.default_rng(0)))
    assert same(before, (seen, info["action_mask"]))
    shared = SubTerraVectorEnv(2, copy=False, **SMALL)
    assert np.shares_memory(shared.reset(seed=0)[0], shared.reset(seed=0)[0])


@pytest.mark.parametrize("kind", ["flat", "entities", None])
@pytest.mark.parametrize("copied", [deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"])
def test_a_copy_in_mid_game_goes_on_as_the_first_would(kind: str | None, copied: Any) -> None:
    env = SubTerraVectorEnv(GAMES, observation=kind, reward="shaped", **SMALL)
    *_, info = play(env, 60)[-1]
    other = copied(env)
    rngs = np.random.default_rng(5), np.random.default_rng(5)
    other_info = info
    for _ in range(STEPS):
        (*seen, info), (*other_seen, other_info) = (
            each.step(masked_actions(last["action_mask"], rng))
            for each, last, rng in ((env, info, rngs[0]), (other, other_info, rngs[1]))
        )
        assert same((seen, info), (other_seen, other_info))
    assert not np.shares_memory(env.states, other.states)


def test_it_can_observe_nothing() -> None:
    env = SubTerraVectorEnv(2, observation=None, **SMALL)
    steps = play(env, 200)
    assert all(seen.shape == (2, 0) for seen, *_ in steps)
    assert any("final_info" in info and "final_obs" not in info for *_, info in steps)


@pytest.mark.parametrize("name", PRESETS)
def test_gymnasium_makes_it_by_name(name: str) -> None:
    env = gymnasium.make_vec(name, num_envs=3, vectorization_mode="vector_entry_point")
    assert isinstance(env.unwrapped, SubTerraVectorEnv)
    assert env.unwrapped.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    seen, _ = env.reset(seed=1)
    assert seen.shape[0] == 3
    assert env.single_observation_space == gymnasium.make(name).observation_space
    env.close()


def test_it_agrees_with_gymnasiums_own_vector_environment() -> None:
    """Same step returns, with the last observations and infos in the same places."""
    own = SubTerraVectorEnv(3, **SMALL)
    theirs = SyncVectorEnv([lambda: single_env(**SMALL)] * 3, autoreset_mode=AutoresetMode.SAME_STEP)
    _, info = own.reset(seed=6)
    theirs.reset(seed=6)
    rng = np.random.default_rng(2)
    while True:
        actions = masked_actions(info["action_mask"], rng)
        _, rewards, terminated, truncated, info = own.step(actions)
        _, their_rewards, their_terminated, their_truncated, their_info = theirs.step(actions)
        assert same((rewards, terminated, truncated), (their_rewards, their_terminated, their_truncated))
        if (terminated | truncated).any():
            break
    over = terminated | truncated
    assert info["final_info"].keys() == their_info["final_info"].keys()
    for i in np.flatnonzero(over):
        assert same(info["final_obs"][i], their_info["final_obs"][i])
    for name in ("outcome", "saved", "rounds", "is_success", "medal"):
        assert info["final_info"][name][over].tolist() == their_info["final_info"][name][over].tolist()
    np.testing.assert_array_equal(info["_final_info"], their_info["_final_info"])


def test_the_bridge_gives_stable_baselines_what_it_wants() -> None:
    from subterra_env.envs.sb3 import SubTerraVecEnv

    env = SubTerraVecEnv(GAMES, **SMALL)
    env.seed(3)
    seen = env.reset()
    assert seen.shape == (GAMES, *env.observation_space.shape)
    rng, ended = np.random.default_rng(0), 0
    for _ in range(STEPS):
        masks = env.env_method("action_masks")
        assert isinstance(masks, np.ndarray)
        seen, rewards, dones, infos = env.step(masked_actions(masks, rng))
        assert rewards.dtype == np.float32
        for done, info in zip(dones, infos, strict=True):
            assert done == ("terminal_observation" in info)
            if done:
                ended += 1
                assert env.observation_space.contains(info["terminal_observation"])
                assert info["medal"] != ILLEGAL
                assert {"outcome", "saved", "is_success", "TimeLimit.truncated"} <= info.keys()
    assert ended > GAMES
    assert subterra_env.SUBTERRA is SUBTERRA
    env.close()


_MANY = """
import re
import sys
from pathlib import Path
import numpy as np
from subterra_env.envs.vector import SubTerraVectorEnv
from subterra_env.game import SUBTERRA
env = SubTerraVectorEnv(1024, team="random")
env.reset(seed=1)
words, actions = np.zeros(1, np.uint64), np.zeros(1024, np.int64)
for _ in range(20):
    SUBTERRA.batch.random_actions(env.states, words, actions)
    env.step(actions)
assert "torch" not in sys.modules
status = Path("/proc/self/status").read_text()
print(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="kilobytes are Linux's unit here")
def test_a_thousand_games_fit_into_300_megabytes() -> None:
    """With machine code on disk: compiling takes more, once."""
    runs = [subprocess.run([sys.executable, "-c", _MANY], capture_output=True, text=True, check=True) for _ in range(2)]
    assert int(runs[-1].stdout) < 300 * 1000
