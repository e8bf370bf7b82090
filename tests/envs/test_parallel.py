"""The parallel environment: PettingZoo's own kits, twins of them, and agreement with the AEC environment."""

import warnings

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from subterra_env import SUBTERRA, aec_env, parallel_env
from subterra_env.envs.expedition import OrderError
from subterra_env.game import IllegalAnswer
from tests.envs.playing import OTHER_TEAM, SMALL, pick, play_parallel, same

KINDS = tuple(SUBTERRA.observation.KINDS)


@pytest.mark.parametrize("agents", ["caver", "player", "team"])
@pytest.mark.parametrize("kind", KINDS)
def test_pettingzoo_api(kind: str, agents: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel_env(observation=kind, agents=agents, **SMALL), num_cycles=300)


def test_pettingzoo_seeds() -> None:
    """The kit samples without masks, and stops after the first step."""
    parallel_seed_test(lambda: parallel_env(illegal="end", **SMALL))


@pytest.mark.parametrize("kind", KINDS)
def test_whole_games_are_the_same_with_the_same_seed(kind: str) -> None:
    one, other = (parallel_env(observation=kind, **SMALL) for _ in range(2))
    for seed in range(3):
        games = (play_parallel(env, np.random.default_rng(seed), seed) for env in (one, other))
        for mine, yours in zip(*games, strict=True):
            assert same(mine, yours)


@pytest.mark.parametrize("kind", KINDS)
def test_whole_games_keep_to_their_spaces_and_only_the_asked_agent_has_a_choice(kind: str) -> None:
    env = parallel_env(observation=kind, **SMALL, **OTHER_TEAM)
    for observations, rewards, terminations, truncations, infos in play_parallel(env, np.random.default_rng(3), 3):
        for answer in (observations, rewards, terminations, truncations, infos):
            assert list(answer) == env.possible_agents
        for agent, seen in observations.items():
            assert env.observation_space(agent).contains(seen)
            assert same(seen["action_mask"], infos[agent]["action_mask"])
        waiting = [seen["action_mask"].tolist() == env._game.waiting_mask().tolist() for seen in observations.values()]
        over = any(terminations.values()) or any(truncations.values())
        assert waiting.count(False) == (0 if over else 1)
        assert env.agents == ([] if over else env.possible_agents)
        assert env.state_space.contains(env.state())


def test_it_plays_the_same_game_as_the_aec_environment() -> None:
    aec, parallel = aec_env(reward="shaped", **SMALL), parallel_env(reward="shaped", **SMALL)
    rng = np.random.default_rng(8)
    aec.reset(seed=8)
    parallel.reset(seed=8)
    while parallel.agents:
        agent = aec.agent_selection
        action = pick(aec.observe(agent)["action_mask"], rng)
        aec.step(action)
        observations, rewards, terminations, truncations, _ = parallel.step({agent: action})
        assert same(observations, {each: aec.observe(each) for each in aec.possible_agents})
        assert same([rewards, terminations, truncations], [aec.rewards, aec.terminations, aec.truncations])


def test_who_is_not_asked_can_only_wait() -> None:
    env = parallel_env(**SMALL)
    observations, _ = env.reset(seed=0)
    actions = {agent: pick(seen["action_mask"], np.random.default_rng(0)) for agent, seen in observations.items()}
    hide = SUBTERRA.actions.HIDE
    with pytest.raises(IllegalAnswer, match=r"hide.*caver_2, who is not asked"):
        env.step(actions | {"caver_2": hide})
    with pytest.raises(ValueError, match="caver_0 is asked"):
        env.step({"caver_1": 0})
    with pytest.raises(ValueError, match="nobody_1"):
        env.step(actions | {"nobody_1": 0})
    env.step({"caver_0": actions["caver_0"]})


def test_what_is_out_of_order_is_refused() -> None:
    env = parallel_env(stack_tiles=6)
    with pytest.raises(OrderError, match="reset"):
        env.step({})
    list(play_parallel(env, np.random.default_rng(0), 0))
    with pytest.raises(OrderError, match="reset"):
        env.step({"caver_0": 1})
