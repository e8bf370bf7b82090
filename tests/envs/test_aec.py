"""The AEC environment: PettingZoo's own kits, and twins of them that play whole games with masks."""

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.state_test import test_state_space as check_state_space

from subterra_env import SUBTERRA, aec_env, luck_key
from subterra_env.envs.expedition import OrderError
from tests.envs.playing import OTHER_TEAM, SMALL, choose, play_aec, play_to_the_end, same

KINDS = tuple(SUBTERRA.observation.KINDS)
AGENTS = ("caver", "player", "team")


@pytest.mark.parametrize("agents", AGENTS)
@pytest.mark.parametrize("kind", KINDS)
def test_pettingzoo_api(kind: str, agents: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The kit knows by name which environments may have dict observations.
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        env = aec_env(observation=kind, agents=agents, **SMALL)
        api_test(env, num_cycles=300)
        check_state_space(env)


def test_pettingzoo_seeds() -> None:
    seed_test(lambda: aec_env(**SMALL), num_cycles=100)


@pytest.mark.parametrize("kind", KINDS)
def test_whole_games_are_the_same_with_the_same_seed(kind: str) -> None:
    one, other = (aec_env(observation=kind, **SMALL) for _ in range(2))
    for seed in range(3):
        one.reset(seed=seed)
        other.reset(seed=seed)
        mine, yours = (play_aec(env, np.random.default_rng(seed)) for env in (one, other))
        for my_step, your_step in zip(mine, yours, strict=True):
            assert my_step == your_step
            assert same(one.last(), other.last())
            assert same(one.state(), other.state())


def test_a_stream_of_episodes_is_reproducible_and_no_two_are_alike() -> None:
    streams = []
    for _ in range(2):
        env, rng, stream = aec_env(**SMALL), np.random.default_rng(0), []
        env.reset(seed=11)
        for _ in range(4):
            play_to_the_end(env, rng)
            stream.append(env._game.states.tobytes())
            env.reset()
        streams.append(stream)
    assert streams[0] == streams[1]
    assert len(set(streams[0])) == len(streams[0])


def test_a_seed_means_the_same_luck_as_at_a_table() -> None:
    env = aec_env()
    env.reset(seed=5)
    assert env._game.states["luck"][0] == luck_key(5)


@pytest.mark.parametrize("agents", AGENTS)
@pytest.mark.parametrize("kind", KINDS)
def test_whole_games_keep_to_their_spaces_and_masks(kind: str, agents: str) -> None:
    env = aec_env(observation=kind, agents=agents, **SMALL, **OTHER_TEAM)
    env.reset(seed=3)
    for agent, action in play_aec(env, np.random.default_rng(3)):
        for each in env.agents:
            seen = env.observe(each)
            assert env.observation_space(each).contains(seen)
            assert same(seen["action_mask"], env.infos[each]["action_mask"])
            can_only_wait = np.flatnonzero(seen["action_mask"]).tolist() == [SUBTERRA.actions.WAIT]
            assert can_only_wait == (each != agent or action is None)
        assert env.state_space.contains(env.state())


@pytest.mark.parametrize(
    ("agents", "team", "names"),
    [
        ("caver", 4, ["caver_0", "caver_1", "caver_2", "caver_3"]),
        ("player", 4, ["player_0", "player_1"]),
        ("player", 5, ["player_0", "player_1", "player_2", "player_3", "player_4"]),
        ("player", 6, ["player_0", "player_1", "player_2"]),
        ("team", 6, ["team_0"]),
    ],
)
def test_agents_answer_for_their_seats(agents: str, team: int, names: list[str]) -> None:
    env = aec_env(agents=agents, cavers=OTHER_TEAM["cavers"][:team], **SMALL)
    env.reset(seed=0)
    assert env.possible_agents == names
    for agent, action in play_aec(env, np.random.default_rng(0)):
        if action is not None:
            assert names.index(agent) == env._game.asked * len(names) // team


def test_all_seats_end_together_with_the_same_flag() -> None:
    endings = set()
    for seed in range(30):
        env = aec_env(max_rounds=2 + seed % 6, stack_tiles=6)
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while not env._game.over:
            assert env.agents == env.possible_agents
            assert not any(env.terminations.values()) | any(env.truncations.values())
            env.step(choose(env, rng))
        assert env.agents == env.possible_agents
        truncated = env.infos["caver_0"]["medal"] == "truncated"
        assert set(env.truncations.values()) == {truncated}
        assert set(env.terminations.values()) == {not truncated}
        endings.add(truncated)
    assert endings == {True, False}


def test_a_lost_caver_is_never_asked_again() -> None:
    lost_ones = 0
    for seed in range(20):
        env = aec_env(stack_tiles=30)
        env.reset(seed=seed)
        for agent, action in play_aec(env, np.random.default_rng(seed)):
            lost = env._game.states["cavers"]["lost"][0]
            if action is not None:
                assert not lost[int(agent.removeprefix("caver_"))]
                lost_ones += int(lost.any())
    assert lost_ones > 0


def test_ending_every_turn_ends_the_game() -> None:
    end_turn = SUBTERRA.actions.END_TURN
    env = aec_env()
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    while not env._game.over:
        may_end = env.infos[env.agent_selection]["action_mask"][end_turn]
        env.step(end_turn if may_end else choose(env, rng))
    assert env.infos["caver_0"]["medal"] == "defeat"
    assert env.infos["caver_0"]["saved"] == 0
    assert not env.infos["caver_0"]["is_success"]


def test_what_is_out_of_order_is_refused() -> None:
    env = aec_env(**SMALL)
    with pytest.raises(OrderError, match="reset"):
        env.step(1)
    env.reset(seed=0)
    play_to_the_end(env, np.random.default_rng(0))
    with pytest.raises(ValueError, match="None"):
        env.step(1)
    for _ in env.possible_agents:
        env.step(None)
    with pytest.raises(OrderError, match="reset"):
        env.step(None)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"agents": "nobody"}, "nobody"),
        ({"reward": "gold"}, "saved, medal, utility, shaped, shaped_utility"),
        ({"illegal": "ignore"}, "ignore"),
        ({"team": "mixed"}, "mixed"),
        ({"gamma": 2.0}, "2.0"),
        ({"observation": "smell"}, "smell"),
        ({"render_mode": "radio"}, "radio"),
        ({"cavers": ("scout", "medic", "leader")}, "cavers: 3"),
        ({"stack_tile": 8}, "stack_tile"),
    ],
)
def test_what_cannot_be_agreed_is_named(options: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        aec_env(**options)
