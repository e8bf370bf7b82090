"""Tree search: exact on small trees, chance by its odds, within its budget and its memory."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from subterra_env.agents.base import AgentError, Budget, legal_answers, load
from subterra_env.agents.evaluation import own_weights
from subterra_env.agents.mcts import FEWEST_NODES, MctsAgent
from subterra_env.agents.mcts_tree import (
    NODE_BYTES,
    ROOT,
    SETTINGS,
    Tree,
    children,
    empty_tree,
    plant,
    sample,
    turn_of,
)
from subterra_env.agents.rules_bot import rules_action

from subterra_env.game import SUBTERRA, luck_key
from subterra_env.games.subterra import engine, notation
from subterra_env.games.subterra.options import options
from subterra_env.games.subterra.rules.health import BRONZE_LEFT_BEHIND
from subterra_env.games.subterra.terms import Chance, Node
from tests.random_games import new_game, random_answer, varied_options
from tests.rules.scene import Scene

NODES = 1 << 14
TO_THE_END = 1 << 20
AS_IN_AGENT = {"explore": 0.2, "prior": 0.7, "caution": 0.03, "widen": 0.5, "chance_widen": 3.0}


def last_turn(cave: str, team: str, **words: Any) -> Scene:
    """A short game: the medic's turn, a card, the end; the stack is empty."""
    return Scene(cave, team, turn="medic", first="climber", left=0, max_rounds=1, **words)


SMALL = {
    "a step to the exit": last_turn("S--E", "medic, climber on E, leader on E, engineer on E", points=1),
    "two steps, one point": last_turn("S--o--E", "medic health 1, climber on E, leader on E, engineer lost", points=1),
    "water to wade": last_turn("S--w--E", "medic health 1, climber health 0, leader on E, engineer lost"),
    "terrain that hurts": last_turn("E--S--r-", "medic health 1, climber on r health 0, leader on E, engineer lost"),
}


def planted(states: np.ndarray, key: int = 1, nodes: int = NODES, **settings: float) -> tuple[Tree, np.ndarray]:
    """A tree whose playouts go to the end of the game, and the answers it was planted with."""
    tree, answers = empty_tree(nodes, own_weights()), np.flatnonzero(legal_answers(states))
    tree.settings["plays_on"], tree.settings["last_turn"] = True, TO_THE_END
    for name, value in (AS_IN_AGENT | settings).items():
        tree.settings[name] = value
    plant(tree, states, answers, np.uint64(key))
    return tree, answers


def sampled(tree: Tree, choices: np.ndarray, columns: int) -> np.ndarray:
    values = np.empty((columns, len(choices)))
    sample(tree, choices, values)
    return values.T


def exact_values(states: np.ndarray) -> dict[int, float]:
    """The expected utility of each answer if everything after it is chosen best, from the whole tree of the game."""
    known: dict[bytes, float] = {}

    def after(states: np.ndarray, step: Callable[..., None], edge: int) -> float:
        states = states.copy()
        step(states, edge)
        if states.tobytes() not in known:
            known[states.tobytes()] = value(states)
        return known[states.tobytes()]

    def value(states: np.ndarray) -> float:
        if states["node"][0] == Node.END:
            cavers, left = int(states["caver_count"][0]), len(notation.result(states[0]).left_behind)
            return (cavers - left) / cavers + (left <= BRONZE_LEFT_BEHIND)
        if states["node"][0] == Node.CHANCE:
            odds = np.zeros(engine.OUTCOMES)
            engine.chance_weights(states, odds)
            return float(sum(odds[k] * after(states, engine.apply_chance, int(k)) for k in np.flatnonzero(odds)))
        return max(after(states, engine.apply, int(k)) for k in np.flatnonzero(legal_answers(states)))

    return {int(k): after(states, engine.apply, int(k)) for k in np.flatnonzero(legal_answers(states))}


# known positions


@pytest.mark.parametrize("name", SMALL)
def test_values_are_those_of_the_whole_tree(name: str) -> None:
    """Sampling errors both ways; below them what looking around costs, which falls as the tree grows."""
    scene, columns = SMALL[name], 3000
    tree, answers = planted(scene.states)
    values = sampled(tree, np.arange(len(answers)), columns)[:, columns // 2 :]
    for answer, row in zip(answers, values, strict=True):
        error, exact = row.std() / np.sqrt(len(row)), exact_values(scene.states)[int(answer)]
        assert -4 * error - 0.02 <= row.mean() - exact <= 4 * error + 1e-9, notation.action_word(scene.state, answer)


@pytest.mark.parametrize("name", SMALL)
def test_the_best_answer_is_given(name: str) -> None:
    view = SUBTERRA.view(SMALL[name].states)
    agent = MctsAgent(turns=TO_THE_END)
    exact = exact_values(view)
    given = agent.act(view, legal_answers(view), np.random.default_rng(0), Budget(simulations=2000))
    assert exact[given] == pytest.approx(max(exact.values()))


def test_a_win_in_one_is_played_whatever_the_leaf() -> None:
    scene = Scene("S--E", "medic, climber on E, leader on E, engineer on E", points=1)
    view = SUBTERRA.view(scene.states)
    for leaf in ("rollout", "evaluation"):
        given = load(f"mcts:leaf={leaf}").act(view, legal_answers(view), np.random.default_rng(0))
        engine.apply(states := view.copy(), given)
        assert notation.result(states[0]).end == "gold"


def test_what_is_done_later_gets_better_with_more_simulations() -> None:
    """Ending the game well after ``exert`` or ``heal`` takes answers that the rules bot does not give."""
    gaps = []
    for columns in (10, 100, 1000):
        tree, answers = planted(SMALL["water to wade"].states)
        means = sampled(tree, np.arange(len(answers)), columns)[:, -columns // 2 :].mean(axis=1)
        exact = exact_values(SMALL["water to wade"].states)
        gaps.append(sum(exact[int(answer)] - mean for answer, mean in zip(answers, means, strict=True)))
    assert gaps[0] > gaps[1] > gaps[2] >= 0
    assert gaps[2] < 0.2 * gaps[0]


def test_without_widening_the_rules_bot_plays_on() -> None:
    tree, answers = planted(SMALL["water to wade"].states, widen=0.0)
    sampled(tree, np.arange(len(answers)), 200)
    for number in range(ROOT + 1, int(tree.size[0])):
        if tree.states["node"][number] == Node.ASK and tree.nodes["opened"][number]:
            (child,) = children(tree, number)
            assert tree.nodes["edge"][child] == rules_action(tree.states[number : number + 1])


# chance


def test_outcomes_follow_their_odds() -> None:
    scene = Scene("S", "medic, climber, leader, engineer")
    tree, answers = planted(scene.states, chance_widen=1e9, plays_on=0)
    node = sampled_only(tree, answers, scene, "explore north", 4000)
    odds = np.zeros(engine.OUTCOMES)
    engine.chance_weights(tree.states[node : node + 1], odds)
    visits = np.zeros(engine.OUTCOMES)
    for child in children(tree, node):
        visits[tree.nodes["edge"][child]] = tree.nodes["visits"][child]
        assert tree.nodes["odds"][child] == pytest.approx(odds[tree.nodes["edge"][child]])
    assert visits.sum() == 4000
    assert np.all(np.abs(visits - 4000 * odds) <= 4.5 * np.sqrt(4000 * odds * (1 - odds)))


def sampled_only(tree: Tree, answers: np.ndarray, scene: Scene, word: str, columns: int) -> int:
    """Samples one answer only; its node."""
    choices = np.flatnonzero(answers == notation.action_of(scene.state, word))
    sampled(tree, choices, columns)
    return ROOT + 1 + int(choices[0])


def test_few_outcomes_are_visited_by_their_odds_among_themselves() -> None:
    scene = Scene("S", "medic, climber, leader, engineer")
    tree, answers = planted(scene.states, chance_widen=0.01, plays_on=0)
    node = sampled_only(tree, answers, scene, "explore north", 1000)
    numbers = children(tree, node)
    visits, odds = tree.nodes["visits"][numbers], tree.nodes["odds"][numbers]
    assert len(numbers) == 2
    assert odds.sum() == pytest.approx(tree.nodes["opened_odds"][node])
    assert np.all(np.abs(visits - visits.sum() * odds / odds.sum()) <= 0.05 * visits.sum())


def test_numbers_of_a_die_that_come_to_the_same_are_one_child() -> None:
    scene = SMALL["terrain that hurts"]
    tree, answers = planted(scene.states)
    node = sampled_only(tree, answers, scene, "move east", 600)
    assert tree.states["chance"][node] == Chance.DIE
    numbers = children(tree, node)
    assert len(numbers) == 2
    assert tree.nodes["odds"][numbers].sum() == pytest.approx(1)
    assert sum(int(faces).bit_count() for faces in tree.nodes["faces"][numbers]) == 6
    visits = int(tree.nodes["visits"][node])
    for child in numbers:
        odds = float(tree.nodes["odds"][child])
        spread = np.sqrt(visits * odds * (1 - odds))
        assert odds == pytest.approx(int(tree.nodes["faces"][child]).bit_count() / 6)
        assert abs(tree.nodes["visits"][child] - visits * odds) <= 4.5 * spread


def test_columns_pair_the_luck() -> None:
    """The difference of two answers spreads less than if each had luck of its own."""
    ratios = []
    for number in (1, 3, 4, 5):
        tree, answers = planted(in_the_middle(number), widen=0.0)
        values = sampled(tree, np.arange(len(answers)), 400)
        unpaired = np.sqrt(values[0].var() + values[1:].var(axis=1))
        ratios.append(np.mean((values[1:] - values[0]).std(axis=1) / unpaired))
    assert np.mean(ratios) < 0.95


# what every planner must keep to


def in_the_middle(seed: int) -> np.ndarray:
    """A view after some answers of the rules bot."""
    states = new_game(options(cavers=("diver", "engineer", "bodyguard", "leader")), luck_key(seed))
    engine.settle_chance(states)
    for _ in range(60):
        engine.step(states, int(rules_action(states)))
    return SUBTERRA.view(states)


def test_never_an_illegal_answer() -> None:
    agents, asked = [MctsAgent(sims=40), MctsAgent(sims=40, leaf="evaluation", nodes=FEWEST_NODES)], 0
    for number in range(12):
        states, rng = new_game(varied_options(number), number), np.random.default_rng(number)
        engine.settle_chance(states)
        while states["node"][0] != Node.END and asked < 40 * (number + 1):
            view = SUBTERRA.view(states)
            before = view.tobytes()
            ranked = agents[asked % 2].rank(view, legal_answers(view), rng)
            assert view.tobytes() == before
            assert sorted(answer for answer, _ in ranked) == list(np.flatnonzero(legal_answers(view)))
            asked += 1
            engine.step(states, random_answer(states, rng))
    assert asked > 300


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_simulations_repeat_themselves_whatever_the_luck(threads: int) -> None:
    view, budget = in_the_middle(5), Budget(simulations=500)
    agent = MctsAgent(threads=threads)

    def ranked(view: np.ndarray, seed: int) -> list[tuple[int, int]]:
        return agent.rank(view, legal_answers(view), np.random.default_rng(seed), budget)

    other = view.copy()
    other["luck"] = luck_key(99)
    assert ranked(view, 1) == ranked(view, 1) == ranked(other, 1)
    totals = []
    for seed in (1, 2):
        ranked(view, seed)
        totals.append(agent._trees[-1].nodes["total"][ROOT + 1 : FEWEST_NODES].tolist())
    assert totals[0] != totals[1]


def test_simulations_are_counted_and_kept_to() -> None:
    view, agent = in_the_middle(5), MctsAgent()
    ranked = agent.rank(view, legal_answers(view), np.random.default_rng(0), Budget(simulations=700))
    assert 350 <= agent.simulations <= 700
    assert sum(spent for _, spent in ranked) == agent.simulations


@pytest.mark.parametrize("milliseconds", [10, 100])
def test_milliseconds_are_kept(milliseconds: int) -> None:
    """The median of several: other programs may disturb one."""
    view, agent = in_the_middle(5), MctsAgent()
    mask, took = legal_answers(view), []
    for seed in range(9):
        begun = time.perf_counter()
        agent.act(view, mask, np.random.default_rng(seed), Budget(milliseconds=milliseconds))
        took.append((time.perf_counter() - begun) * 1000)
    assert 0.7 * milliseconds <= np.median(took[1:])
    assert min(took[1:]) <= 1.1 * milliseconds


@pytest.mark.parametrize("nodes", [FEWEST_NODES, 200])
def test_a_full_tree_is_searched_on(nodes: int) -> None:
    view = in_the_middle(5)
    tree, answers = planted(view, nodes=nodes, widen=5.0)
    sampled(tree, np.arange(len(answers)), 300)
    assert tree.size[0] == nodes
    assert np.all(tree.nodes["visits"][1 : 1 + len(answers)] == 300)


def test_memory_is_what_was_asked_for() -> None:
    tree = empty_tree(1000, own_weights())
    assert tree.nodes.nbytes + tree.states.nbytes == 1000 * NODE_BYTES
    assert NODE_BYTES < 2200
    assert tree.settings.dtype == SETTINGS


def test_turns_are_counted_through_the_rounds() -> None:
    """Up by one with each turn, also from the last of a round to the first of the next."""
    scene = Scene("S", "medic, climber, leader, engineer", first="medic", points=0)
    turns = []
    for _ in range(6):
        turns.append(int(turn_of(scene.states[0])))
        while int(turn_of(scene.states[0])) == turns[-1]:
            if scene.state["node"] == Node.CHANCE:
                engine.settle_chance(scene.states)
            else:
                scene.do("end turn" if scene.at.endswith(" turn") else scene.legal.pop())
    assert turns == list(range(turns[0], turns[0] + 6))


@pytest.mark.parametrize(
    "parameters",
    [
        "sims=0", "leaf=guess", "turns=-1", "explore=-1", "prior=1.5", "prior=-0.1", "caution=-1", "widen=-1",
        "chance_widen=-0.5", "sure=-1", f"nodes={FEWEST_NODES - 1}", "threads=0", "threads=x", "depth=3", "explore=nan",
        "sims=1.5", "nodes=500.5",
    ],
)  # fmt: skip
def test_wrong_parameters_are_errors_of_agents(parameters: str) -> None:
    with pytest.raises(AgentError, match=parameters.partition("=")[0]):
        load(f"mcts:{parameters}")
