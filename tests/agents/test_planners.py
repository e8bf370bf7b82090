"""Planners on positions with known answers, and what every planner must keep to."""

import time
from typing import Any

import numpy as np
import pytest
from subterra_env.agents.base import Agent, AgentError, Budget, described, legal_answers, load
from subterra_env.agents.clairvoyant import KNOWS, sample_knowing
from subterra_env.agents.evaluation import HEADS, PHASES, TERMS, own_weights, utilities_of
from subterra_env.agents.exact import ExactAgent
from subterra_env.agents.playouts import TO_THE_END, after_each, play_games, sample
from subterra_env.agents.turn_tree import DEEPEST, MOST_ENDS, SEEN_PLACES, end_by_rules, ends_of_turn

from subterra_env.game import SUBTERRA
from subterra_env.games.subterra import engine
from subterra_env.games.subterra.box.hazards import CARD_NUMBER
from subterra_env.games.subterra.terms import Node
from tests.random_games import new_game, varied_options
from tests.rules.scene import Scene

PLANNERS = ("greedy", "rollout", "turn", "mcts")
SAMPLERS = ("rollout", "turn", "mcts")
ALL = (*PLANNERS, "rules", "random")
THINKING = Budget(simulations=400)
OTHERS_OUT = "climber on E, leader on E, engineer on E"
LAST_TURN: dict[str, Any] = {"turn": "medic", "first": "climber", "left": 0}
"""The others have had their turns of the round, and no tile is left to draw."""


def answer(agent: Agent, scene: Scene, budget: Budget = THINKING, seed: int = 0) -> str:
    view = SUBTERRA.view(scene.states)
    action = agent.act(view, legal_answers(view), np.random.default_rng(seed), budget)
    return str(SUBTERRA.notation.action_word(view[0], action))


def with_card(scene: Scene, card: str) -> Scene:
    """That hazard card comes next."""
    scene.state["unseen_cards"] = 0
    scene.state["unseen_cards"][CARD_NUMBER[card]] = 1
    scene.state["cards_left"] = 1
    return scene


# solved positions


@pytest.mark.parametrize("name", [*PLANNERS, "exact"])
def test_a_won_position_is_won(name: str) -> None:
    scene = with_card(Scene("S--E", f"medic, {OTHERS_OUT}", points=1, exerted=True, max_rounds=1, **LAST_TURN), "gas")
    assert answer(load(name), scene) == "move east"


def play_turn(agent: Agent, scene: Scene, budget: Budget) -> Scene:
    """The agent answers until somebody else is asked or chance is to decide."""
    seat, rng = scene.state["seat"], np.random.default_rng(0)
    while scene.state["node"] == Node.ASK and scene.state["seat"] == seat:
        view = SUBTERRA.view(scene.states)
        engine.apply(scene.states, agent.act(view, legal_answers(view), rng, budget))
    return scene


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_rescue_one_step_away_is_taken(name: str) -> None:
    """The medic could leave by itself; the climber lies beside it."""
    scene = Scene(
        "S--E", f"medic, climber health 0, {OTHERS_OUT.replace('climber on E, ', '')}", points=1, exerted=True
    )
    assert play_turn(load(name), scene, THINKING).health("climber") == 1


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_caver_is_healed_before_walking_off_when_the_odds_say_so(name: str) -> None:
    """The flood that comes next leaves the medic two health points, and a round to walk out after the climber."""
    team = f"medic on w, climber on w health 0, {OTHERS_OUT.replace('climber on E, ', '')}"
    scene = Scene("S--w--E", team, w="water", points=1, exerted=True, left=0, max_rounds=2)
    assert play_turn(load(name), with_card(scene, "flood"), THINKING).health("climber") == 1


# values


def tiny(points: int = 1) -> Scene:
    """Two steps to the exit, and the last round: whether the medic gets there hangs on the die of an exertion."""
    team = f"medic health 2, {OTHERS_OUT.replace('engineer on E', 'engineer health 0')}"
    return with_card(Scene("S--o--E", team, points=points, max_rounds=1, **LAST_TURN), "tremor")


def test_playouts_agree_with_every_answer_and_outcome_worked_out() -> None:
    """After the answers that leave nothing to choose, the mean of playouts is the exact expectation."""
    view = SUBTERRA.view(tiny(points=0).states)
    values = ExactAgent().values(view)
    answers = np.array(list(values))
    starts, utilities = np.empty(len(answers), SUBTERRA.dtype), np.empty((3000, len(answers)))
    after_each(view, answers, starts)
    keys = np.random.default_rng(1).integers(1 << 63, size=len(utilities), dtype=np.uint64)
    sample(starts, np.arange(len(answers)), keys, TO_THE_END, own_weights(), utilities)
    assert min(values.values()) > 0
    for exact, own in zip(values.values(), utilities.T, strict=True):
        assert own.mean() == pytest.approx(exact, abs=4 * own.std() / len(own) ** 0.5 + 1e-9)


def test_exact_refuses_what_is_not_tiny() -> None:
    states = SUBTERRA.record.begun(SUBTERRA.options())
    engine.settle_chance(states)
    with pytest.raises(AgentError, match="made for tiny"):
        ExactAgent(limit=50).act(states, legal_answers(states), np.random.default_rng(0))


@pytest.mark.parametrize("name", SAMPLERS)
def test_planners_choose_as_exact_does(name: str) -> None:
    values = ExactAgent().values(SUBTERRA.view(tiny().states))
    chosen = answer(load(f"{name}:sure=0"), tiny(), Budget(simulations=6000))
    best = max(values.values())
    assert values[int(SUBTERRA.notation.action_of(tiny().state, chosen))] > best - 0.1
    assert min(values.values()) < best - 0.1


# what all keep to


def answers_in_random_games(name: str, wanted: int) -> None:
    """The agent is asked at every fifth question or so; all its answers must be legal, and nothing must be changed."""
    agent, rng, asked, number = load(name), np.random.default_rng(3), 0, 0
    budget = Budget(simulations=16)
    while asked < wanted:
        states = new_game(varied_options(number), number)
        engine.settle_chance(states)
        while states[0]["node"] != Node.END:
            mask = legal_answers(states)
            chosen = int(rng.choice(np.flatnonzero(mask)))
            if rng.random() < 0.2:
                view = SUBTERRA.view(states)
                before = view.tobytes()
                chosen = agent.act(view, mask, rng, budget)
                assert mask[chosen]
                assert view.tobytes() == before
                asked += 1
            engine.step(states, chosen)
        number += 1


@pytest.mark.parametrize("name", ALL)
def test_every_answer_is_legal(name: str) -> None:
    answers_in_random_games(name, 400)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_every_answer_of_ten_thousand_is_legal(name: str) -> None:
    answers_in_random_games(name, 10_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLERS)
def test_eight_times_the_budget_saves_more(name: str) -> None:
    """In the same games on a cave of 30 tiles."""

    def saved(simulations: int, seed: int) -> int:
        agent, rng = load(name), np.random.default_rng(seed)
        states = SUBTERRA.record.begun(SUBTERRA.options(stack_tiles=30, difficulty="expert"), seed)
        engine.settle_chance(states)
        while states[0]["node"] != Node.END:
            view = SUBTERRA.view(states)
            engine.step(states, agent.act(view, legal_answers(view), rng, Budget(simulations=simulations)))
        return 4 - len(SUBTERRA.notation.result(states[0]).left_behind)

    gains = np.array([saved(64, seed) - saved(8, seed) for seed in range(80)])
    assert gains.mean() > 2 * gains.std(ddof=1) / len(gains) ** 0.5


@pytest.mark.parametrize("name", PLANNERS)
def test_the_luck_of_the_game_changes_nothing(name: str) -> None:
    states = SUBTERRA.record.begun(SUBTERRA.options(), 11)
    engine.settle_chance(states)
    chosen = []
    for luck in (0, 5, 1 << 40):
        states["luck"] = luck
        chosen.append(load(name).act(states, legal_answers(states), np.random.default_rng(2), THINKING))
    assert len(set(chosen)) == 1


@pytest.mark.parametrize("name", SAMPLERS)
@pytest.mark.parametrize("milliseconds", [10, 100])
def test_milliseconds_are_kept(name: str, milliseconds: float) -> None:
    """In the quickest of several tries: other programs may hold the others up."""
    agent = load(name)
    states = SUBTERRA.record.begun(SUBTERRA.options(), 5)
    engine.settle_chance(states)
    mask, took = legal_answers(states), []
    for seed in range(13):
        start = time.perf_counter()
        agent.act(states, mask, np.random.default_rng(seed), Budget(milliseconds=milliseconds))
        took.append((time.perf_counter() - start) * 1000)
    assert 0.5 * milliseconds < min(took[1:]) < 1.1 * milliseconds


@pytest.mark.parametrize("name", SAMPLERS)
def test_simulations_are_counted_and_kept(name: str) -> None:
    agent = load(name)
    states = SUBTERRA.record.begun(SUBTERRA.options(), 5)
    engine.settle_chance(states)
    agent.act(states, legal_answers(states), np.random.default_rng(0), Budget(simulations=1000))
    assert 500 <= agent.simulations <= 1000 + MOST_ENDS


@pytest.mark.parametrize(
    "wrong", ["rollout:sims=0", "rollout:sure=-1", "turn:width=0", "exact:limit=0", "clairvoyant:knows=it"]
)
def test_parameters_that_make_no_sense_are_refused(wrong: str) -> None:
    with pytest.raises(AgentError):
        load(wrong)


@pytest.mark.parametrize("name", ["rollout", "turn"])
def test_threads_change_nothing(name: str) -> None:
    states = SUBTERRA.record.begun(SUBTERRA.options(), 5)
    engine.settle_chance(states)
    ranked = [
        load(f"{name}:threads={threads}").rank(states, legal_answers(states), np.random.default_rng(0), THINKING)
        for threads in (1, 2)
    ]
    assert ranked[0] == ranked[1]


# the parts


def test_the_ends_of_a_turn_are_all_there_are() -> None:
    """Against a search in plain Python."""
    scene = Scene("-S--o-", "medic, climber, leader, engineer", points=1)
    root = SUBTERRA.view(scene.states)
    found: set[bytes] = set()

    def look(states: np.ndarray) -> None:
        for action in SUBTERRA.notation.legal_ids(states[0]):
            following = states.copy()
            engine.apply(following, action)
            if following["node"][0] == Node.ASK and following["seat"][0] == root["seat"][0]:
                look(following)
            else:
                found.add(following.tobytes())

    look(root)
    path, ends = np.zeros(DEEPEST + 1, SUBTERRA.dtype), np.zeros(MOST_ENDS, SUBTERRA.dtype)
    answers, seen = np.zeros(MOST_ENDS, np.int64), np.zeros(SEEN_PLACES, np.uint64)
    words = [part.view(np.uint64).reshape(len(part), -1) for part in (path, ends)]
    answers[0] = end_by_rules(root, ends)
    count = ends_of_turn(root, path, words[0], seen, ends, words[1], answers)
    assert {ends[i : i + 1].tobytes() for i in range(count)} == found
    assert count == len(found)
    assert set(answers[:count].tolist()) <= set(SUBTERRA.notation.legal_ids(root[0]))


def test_who_knows_all_luck_sees_what_will_happen() -> None:
    """Whatever is imagined; who knows nothing sees it only by imagining that very luck."""
    luck, other = np.uint64(77), np.array([5], np.uint64)
    states = SUBTERRA.record.begun(SUBTERRA.options(stack_tiles=30), luck)
    engine.settle_chance(states)
    answers = np.flatnonzero(legal_answers(states))
    starts, choices = np.empty(len(answers), SUBTERRA.dtype), np.arange(len(answers))
    after_each(states, answers, starts)

    def seen(knows: int, imagined: np.ndarray) -> list[float]:
        utilities = np.empty((len(answers), 1))
        sample_knowing(starts, choices, imagined, knows, TO_THE_END, own_weights(), utilities)
        return list(utilities[:, 0])

    games = starts.copy()
    play_games(games, np.full(len(games), luck), TO_THE_END)
    happens = list(utilities_of(games))
    assert len(set(happens)) > 1
    assert seen(KNOWS["all"], other) == happens
    assert seen(0, np.array([luck])) == happens
    assert len({tuple(seen(knows, other)) for knows in (0, *KNOWS.values())}) > 2


def test_agents_are_described() -> None:
    found = {name: (what, reference) for name, what, reference in described()}
    assert {name for name, (_, reference) in found.items() if reference} == {"clairvoyant", "exact"}
    assert all(what.endswith(".") for what, _ in found.values())


def test_weights_are_complete() -> None:
    weights: Any = own_weights()
    assert weights.shape == (len(PHASES), len(HEADS), len(TERMS))
    assert np.isfinite(weights).all()
