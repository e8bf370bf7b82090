"""The contract of agents: loading by name, budgets, advice."""

import numpy as np
import pytest
from subterra_env.agents import base
from subterra_env.agents.base import Agent, AgentError, Budget, load

from subterra_env.game import SUBTERRA, luck_key
from subterra_env.games.subterra import engine
from subterra_env.games.subterra.options import agreed_state, options


class Stubborn(Agent):
    """Always the legal answer of that rank."""

    def __init__(self, rank: int = 0) -> None:
        self.rank = rank

    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        return int(np.flatnonzero(mask)[self.rank])


class NoAgent:
    """Can be made, but is none."""


def first_question(seed: int = 7) -> np.ndarray:
    states = agreed_state(options())
    states["luck"] = luck_key(seed)
    engine.begin(states)
    engine.settle_chance(states)
    return SUBTERRA.view(states)


def test_bots_are_found_by_name() -> None:
    assert {"random", "rules"} <= set(base.names())
    for name in ("random", "rules"):
        assert isinstance(load(name), Agent)


def test_an_agent_of_a_module_is_loaded_with_its_parameters() -> None:
    agent = load(f"{__name__}:Stubborn:rank=2")
    view = first_question()
    mask = base.legal_answers(view)
    assert agent.act(view, mask, np.random.default_rng(0)) == np.flatnonzero(mask)[2]
    assert load(f"{__name__}:Stubborn").act(view, mask, np.random.default_rng(0)) == np.flatnonzero(mask)[0]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("rulez", "no agent is called 'rulez'; there are .*random.*rules"),
        ("rules:depth=3", "cannot be made"),
        ("random:3=x", "key=value"),
        ("no_such_module:Agent", "module 'no_such_module' cannot be imported"),
        (f"{__name__}:Missing", "has no class 'Missing'"),
        (f"{__name__}:NoAgent", "is no agent"),
    ],
)
def test_what_cannot_be_loaded_is_named(name: str, says: str) -> None:
    with pytest.raises(AgentError, match=says):
        load(name)


@pytest.mark.parametrize("amounts", [{}, {"simulations": 5, "milliseconds": 3.0}, {"simulations": 0}])
def test_a_budget_is_exactly_one_amount_of_something(amounts: dict[str, int]) -> None:
    with pytest.raises(AgentError, match="budget"):
        Budget(**amounts)


def test_advice_is_what_the_agent_would_do_in_words() -> None:
    view = first_question()
    (advice,) = load("rules").advise(view, k=3)
    assert advice.word in SUBTERRA.notation.legal_words(view[0])
    assert SUBTERRA.notation.action_of(view[0], advice.word) == advice.action
    assert advice.action == load("rules").act(view, base.legal_answers(view), np.random.default_rng(1))
    assert (advice.gold, len(advice.expected_line)) != (None, 0)


def test_advice_needs_a_question_and_room_for_an_answer() -> None:
    over = first_question()
    while SUBTERRA.notation.legal_words(over[0]):
        engine.step(over, int(np.flatnonzero(base.legal_answers(over))[0]))
    with pytest.raises(AgentError, match="no question"):
        load("rules").advise(over)
    with pytest.raises(AgentError, match="at least one"):
        load("rules").advise(first_question(), k=0)


def test_random_play_gives_every_legal_answer_its_turn() -> None:
    view = first_question()
    mask = base.legal_answers(view)
    rng = np.random.default_rng(3)
    given = {load("random").act(view, mask, rng) for _ in range(400)}
    assert given == set(np.flatnonzero(mask))


@pytest.mark.parametrize(
    ("text", "budget"),
    [("200sims", Budget(simulations=200)), ("100ms", Budget(milliseconds=100)), ("1.5s", Budget(milliseconds=1500))],
)
def test_a_budget_is_written_in_words(text: str, budget: Budget) -> None:
    assert Budget.parse(text) == budget


@pytest.mark.parametrize("text", ["", "1", "s", "-1s", "1.5sims", "0ms", "1e9s", "nan s", "3 weeks"])
def test_what_is_no_budget_is_refused(text: str) -> None:
    with pytest.raises(AgentError, match="budget"):
        Budget.parse(text)
