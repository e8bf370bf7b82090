"""What users of other environments tripped over, held for the AEC, parallel and single environments."""

import copy
import pickle
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from subterra_env import SUBTERRA, aec_env, parallel_env, single_env
from subterra_env.envs.aec import SubTerraAEC
from subterra_env.envs.parallel import SubTerraParallel
from subterra_env.envs.rewards import MEDALS, PENALTY, REWARDS, Outcome
from subterra_env.envs.single import SubTerraEnv
from subterra_env.game import IllegalAnswer
from tests.envs.playing import (
    OTHER_TEAM,
    SMALL,
    arrays_in,
    choose,
    memory_of,
    pick,
    play_aec,
    play_parallel,
    play_to_the_end,
    same,
)

AGENTS = ("caver", "player", "team")
Env = SubTerraAEC | SubTerraParallel | SubTerraEnv
MAKERS: dict[str, Callable[..., Env]] = {"aec": aec_env, "parallel": parallel_env, "single": single_env}
every_env = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())


def mask_of(env: Env) -> np.ndarray:
    return env._game.mask


def step(env: Env, action: int) -> Any:
    """The step of whoever is asked; what it leads to, as one comparable value."""
    if isinstance(env, SubTerraAEC):
        env.step(action)
        return env.agent_selection, env.last(), env.rewards, env.infos
    return env.step({env._agent_asked(): action} if isinstance(env, SubTerraParallel) else action)


def some_way_in(env: Env, steps: int = 25, seed: int = 4) -> Env:
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        step(env, pick(mask_of(env), rng))
    assert not env._game.over
    return env


def potential(env: Env) -> float:
    values = np.zeros(1)
    SUBTERRA.potential.potentials(env._game.states, values)
    return float(values[0])


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("agents", AGENTS)
def test_every_agent_is_paid_the_outcome_once(reward: str, agents: str) -> None:
    env = aec_env(reward=reward, agents=agents, stack_tiles=6)
    outcomes = set()
    for seed in range(30):
        env.reset(seed=seed)
        at_first = potential(env) if REWARDS[reward].shaped else 0.0
        paid: Counter[str] = Counter()
        last_infos: dict[str, Any] = {}
        for agent, action in play_aec(env, np.random.default_rng(seed)):
            _, cumulated, _, _, info = env.last(observe=False)
            paid[agent] += cumulated  # type: ignore[assignment]
            if action is None:
                last_infos[agent] = info
        assert last_infos.keys() == set(env.possible_agents)
        for agent, info in last_infos.items():
            assert paid[agent] == pytest.approx(info["outcome"] - at_first, abs=1e-12)
        outcomes.add(info["outcome"])
    assert len(outcomes) > 1 or reward == "medal"  # which random play does not win


def test_rewards_are_what_they_are_called() -> None:
    assert [REWARDS["medal"].of(Outcome(ending, 0.0, 9)) for ending in ("gold", "silver", "bronze")] == [
        1,
        2 / 3,
        1 / 3,
    ]
    for ending in ("defeat", "truncated"):
        assert REWARDS["medal"].of(Outcome(ending, 0.25, 9)) == 0
        assert REWARDS["saved"].of(Outcome(ending, 0.25, 9)) == 0.25
    assert {reward.of(Outcome("illegal", 1.0, 9)) for reward in REWARDS.values()} == {PENALTY}


@pytest.mark.parametrize("reward", REWARDS)
def test_parallel_agents_are_paid_the_outcome(reward: str) -> None:
    for seed in range(10):
        env = parallel_env(reward=reward, stack_tiles=6)
        steps = list(play_parallel(env, np.random.default_rng(seed), seed))
        env.reset(seed=seed)
        at_first = potential(env) if REWARDS[reward].shaped else 0.0
        for agent, info in steps[-1][4].items():
            total = sum(rewards[agent] for _, rewards, _, _, _ in steps)
            assert total == pytest.approx(info["outcome"] - at_first, abs=1e-12)


def test_shaping_telescopes_with_a_discount() -> None:
    gamma = 0.97
    env = single_env(reward="shaped", gamma=gamma, **SMALL)
    for seed in range(10):
        env.reset(seed=seed)
        at_first, total, discount, over = potential(env), 0.0, 1.0, False
        rng = np.random.default_rng(seed)
        while not over:
            _, reward, terminated, truncated, info = env.step(pick(env.action_masks(), rng))
            total += discount * reward
            over = terminated or truncated
            discount *= 1 if over else gamma
        assert total == pytest.approx(discount * info["outcome"] - at_first, abs=1e-12)


def test_the_last_info_says_what_the_state_says() -> None:
    medals = set()
    for seed in range(60):
        env = aec_env(stack_tiles=6, max_rounds=30)
        env.reset(seed=seed)
        play_to_the_end(env, np.random.default_rng(seed))
        state, info = env._game.states[0], env.infos["caver_2"]
        on_exit = (state["cavers"]["slot"][:4] == state["exit_slot"]).sum() if state["exit_slot"] != 66 else 0
        assert info["saved"] == on_exit / 4
        assert info["rounds"] == state["round_number"]
        assert info["is_success"] == (info["medal"] in MEDALS)
        assert info["outcome"] == info["saved"]
        if info["medal"] != "truncated":
            assert info["medal"] == ["defeat", "defeat", "bronze", "silver", "gold"][on_exit]
        medals.add(info["medal"])
    assert len(medals) > 1


def test_rewards_are_those_of_the_last_step_and_last_adds_them_up() -> None:
    env = aec_env(reward="shaped", **SMALL)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    owed = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        agent = env.agent_selection
        assert env.last(observe=False)[1] == pytest.approx(owed.pop(agent), abs=1e-12)
        env.step(choose(env, rng))
        if agent in env.agents:
            owed[agent] = 0.0
        for each in env.agents:
            owed[each] += env.rewards[each]


@every_env
@pytest.mark.parametrize("how", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), lambda env: env.copy()])
def test_copies_in_mid_game_go_on_identically_and_share_no_memory(make: Callable[..., Env], how: Any) -> None:
    env = some_way_in(make(reward="shaped", **SMALL))
    twin = how(env)
    mine, yours = arrays_in(env), arrays_in(twin)
    assert len(mine) == len(yours)
    assert not any(np.shares_memory(one, other) for one in mine for other in yours)
    before = env._game.states.tobytes()
    rng = np.random.default_rng(9)
    actions = []
    while not twin._game.over:
        actions.append(pick(mask_of(twin), rng))
        step(twin, actions[-1])
    assert env._game.states.tobytes() == before
    twin = how(env)
    for action in actions:
        assert same(step(env, action), step(twin, action))
    for one in (env, twin):
        one.reset()
    assert env._game.states.tobytes() == twin._game.states.tobytes()


@every_env
def test_states_of_copies_are_recognised_at_once_by_compiled_code(make: Callable[..., Env]) -> None:
    env = some_way_in(make(**SMALL))
    for each in (env, env.copy(), pickle.loads(pickle.dumps(env))):
        assert each._game.states.dtype is SUBTERRA.dtype
        assert each._game.tables.dtype is SUBTERRA.dtype


@every_env
def test_global_generators_are_neither_used_nor_disturbed(make: Callable[..., Env]) -> None:
    ends = []
    for global_seed in (0, 1):
        random.seed(global_seed)
        np.random.seed(global_seed)  # noqa: NPY002 - to show that it does not matter
        before = random.getstate(), np.random.get_state()[1].tobytes()  # type: ignore[index]  # noqa: NPY002
        env = some_way_in(make(team="random", **SMALL))
        assert (random.getstate(), np.random.get_state()[1].tobytes()) == before  # type: ignore[index]  # noqa: NPY002
        ends.append(env._game.states.tobytes())
    assert ends[0] == ends[1]


@every_env
def test_two_environments_do_not_disturb_each_other(make: Callable[..., Env]) -> None:
    alone = [some_way_in(make(**SMALL), seed=seed)._game.states.tobytes() for seed in (1, 2)]
    envs = [make(**SMALL), make(**SMALL)]
    rngs = [np.random.default_rng(seed) for seed in (1, 2)]
    for env, seed in zip(envs, (1, 2), strict=True):
        env.reset(seed=seed)
    for _ in range(25):
        for env, rng in zip(envs, rngs, strict=True):
            step(env, pick(mask_of(env), rng))
    assert [env._game.states.tobytes() for env in envs] == alone


@every_env
def test_looking_changes_nothing(make: Callable[..., Env]) -> None:
    plain = some_way_in(make(**SMALL))
    looked_at = make(render_mode="ansi", **SMALL)
    looked_at.reset(seed=4)
    rng = np.random.default_rng(4)
    for _ in range(25):
        before = copy.deepcopy(looked_at)
        for _ in range(2):
            looked_at.render()
            if isinstance(looked_at, SubTerraEnv):
                looked_at.action_masks()[:] = 0
            else:
                looked_at.state()[:] = 0
                for agent in looked_at.agents:
                    looked_at.observe(agent)["action_mask"][:] = 0
        assert same(memory_of(looked_at), memory_of(before))
        step(looked_at, pick(mask_of(looked_at), rng))
    assert looked_at._game.states.tobytes() == plain._game.states.tobytes()


@every_env
def test_what_is_handed_out_is_not_handed_out_again(make: Callable[..., Env]) -> None:
    env = some_way_in(make(**SMALL))
    rng = np.random.default_rng(2)
    handed_out = [arrays_in(step(env, pick(mask_of(env), rng))[1]) for _ in range(3)]
    for earlier, later in ((handed_out[0], handed_out[1]), (handed_out[1], handed_out[2])):
        observations = [array for array in earlier if array.dtype == np.float32]
        assert not any(np.shares_memory(one, other) for one in observations for other in later)


@every_env
def test_an_illegal_action_is_named_and_changes_nothing(make: Callable[..., Env]) -> None:
    env = some_way_in(make(illegal="error", **SMALL))
    before, twin = env._game.states.tobytes(), env.copy()
    illegal = int(np.flatnonzero(mask_of(env) == 0)[5])
    for action in (illegal, SUBTERRA.actions.WAIT, -1, SUBTERRA.actions.ACTIONS, 10**6):
        with pytest.raises(IllegalAnswer, match=rf"action {action} .*possible: "):
            step(env, action)
    for nonsense in (None, 1.5, "hide"):
        with pytest.raises(TypeError):
            step(env, nonsense)  # type: ignore[arg-type]
    assert env._game.states.tobytes() == before
    assert same(memory_of(env), memory_of(twin))
    legal = pick(mask_of(env), np.random.default_rng(0))
    assert same(step(env, legal), step(twin, legal))


@every_env
@pytest.mark.parametrize("reward", REWARDS)
def test_an_illegal_action_can_end_the_game_for_all(make: Callable[..., Env], reward: str) -> None:
    env = some_way_in(make(illegal="end", reward=reward, **SMALL))
    before = env._game.states.tobytes()
    lost_potential = potential(env) if REWARDS[reward].shaped else 0.0
    result = step(env, SUBTERRA.actions.WAIT)
    assert env._game.states.tobytes() == before
    if isinstance(env, SubTerraEnv):
        _, paid, terminated, truncated, info = result
        assert (terminated, truncated) == (True, False)
        payments, infos = [paid], [info]
    elif isinstance(env, SubTerraParallel):
        assert set(result[2].values()) == {True}
        payments, infos = list(result[1].values()), list(result[4].values())
    else:
        assert set(env.terminations.values()) == {True}
        assert set(env.truncations.values()) == {False}
        payments, infos = list(env.rewards.values()), list(env.infos.values())
    assert payments == pytest.approx([PENALTY - lost_potential] * len(payments))
    for info in infos:
        assert (info["medal"], info["outcome"], info["is_success"]) == ("illegal", PENALTY, False)
        assert info["action_mask"].any()


@every_env
def test_integers_of_every_kind_are_actions(make: Callable[..., Env]) -> None:
    for kind in (int, np.int64, np.int32, np.int8, np.array):
        env = some_way_in(make(**SMALL))
        step(env, kind(pick(mask_of(env), np.random.default_rng(0))))  # type: ignore[arg-type]


@every_env
def test_a_team_can_be_drawn_for_each_episode(make: Callable[..., Env]) -> None:
    env, teams = make(team="random", **SMALL, **OTHER_TEAM), []
    for seed in range(12):
        env.reset(seed=seed)
        who = env._game.states["cavers"]["who"][0].tolist()
        assert len(set(who)) == 6
        env.reset(seed=seed)
        assert env._game.states["cavers"]["who"][0].tolist() == who
        teams.append(tuple(who))
    assert len(set(teams)) > 6


@every_env
def test_nothing_shows_the_luck_key(make: Callable[..., Env]) -> None:
    env = some_way_in(make(**SMALL))
    other = env.copy()
    other._game.states["luck"] += np.uint64(12345)
    seats = range(env._game.seats)
    assert same([env._game.observe(seat) for seat in seats], [other._game.observe(seat) for seat in seats])
    assert same(mask_of(env), mask_of(other))
    assert same(env._game.state(), other._game.state())
