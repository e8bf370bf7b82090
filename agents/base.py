"""What every agent is (`Agent`), how much it may think (`Budget`), what it recommends (`Advice`), and `load` by name.

An agent sees a view of a game: an array of one state without the luck key. One object is bench entrant, policy of an
environment and adviser.
"""

import importlib
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Self

import numpy as np

from subterra_env.game import SUBTERRA

_BUDGET = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*(sims|ms|s)")
_MILLISECONDS = 1000

BEST = "net-search"
"""Whom ``best`` stands for: the strongest agent, references apart, with one second a caver's turn."""
GROUP = "subterra_env.agents"
"""Entry points of this group are agents that `load` knows by name."""


class AgentError(ValueError):
    """An agent that is not there, cannot be made with these parameters, or was asked what it cannot answer."""


@dataclass(frozen=True)
class Budget:
    """How much an agent may think before it answers: either a number of simulations (reproducible) or milliseconds.

    Raises `AgentError` unless exactly one of the two is given and is more than nothing.
    """

    simulations: int | None = None
    milliseconds: float | None = None

    def __post_init__(self) -> None:
        given = [amount for amount in (self.simulations, self.milliseconds) if amount is not None]
        if len(given) != 1:
            raise AgentError("a budget counts either simulations or milliseconds, exactly one of the two")
        if not given[0] > 0:
            raise AgentError(f"a budget of {given[0]} leaves nothing to think with; it must be more than 0")

    @classmethod
    def parse(cls, text: str) -> Self:
        """The budget written ``200sims``, ``100ms`` or ``1.5s``. Raises `AgentError` for any other text."""
        written = _BUDGET.fullmatch(text.strip())
        if written is None:
            raise AgentError(f"budget {text!r}: written like 200sims, 100ms or 1.5s")
        amount, unit = written.groups()
        if unit == "sims":
            if "." in amount:
                raise AgentError(f"budget {text!r}: simulations are whole numbers")
            return cls(simulations=int(amount))
        return cls(milliseconds=float(amount) * (_MILLISECONDS if unit == "s" else 1))


@dataclass(frozen=True)
class Advice:
    """One recommended answer and what to expect of it; what an agent does not estimate is None."""

    action: int
    """The answer's action id."""
    word: str
    """The answer in words, places filled in."""
    gold: float | None = None
    """Chance of nobody being left behind; the four chances are fractions."""
    silver: float | None = None
    bronze: float | None = None
    defeat: float | None = None
    saved: float | None = None
    """Expected number of cavers on the exit at the end."""
    saved_interval: tuple[float, float] | None = None
    """Where that number lies with 95 % confidence."""
    simulations: int = 0
    """Games played out, or positions looked at, for this answer."""
    expected_line: tuple[str, ...] = ()
    """The likely continuation, in words, chance steps in brackets."""
    main_risk: str | None = None
    """What most often goes wrong after this answer."""


class Agent(ABC):
    """Whoever answers questions: derive, implement `act`, and `load` finds it as ``module:Class``."""

    REFERENCE = False
    """Knows what no player knows, or plays what no player could: measured beside the others, never ranked with them."""
    SEES_LUCK = False
    """Is shown the luck key with the view."""
    simulations: int = 0
    """Games played out, or positions looked at, since the agent was made."""

    @abstractmethod
    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """The action id chosen.

        ``view``: one state without luck key, shape (1,), dtype `STATE`, standing at a question; not to be changed.
        ``mask``: legal answers, int8 of shape (actions,). ``rng``: the only source of chance. ``budget``: None leaves
        it to the agent.
        """

    def rank(
        self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None
    ) -> list[tuple[int, int]]:
        """Answers, best first, each with the simulations spent on it; arguments as in `act`.

        An agent that compares no answers gives the one it would choose.
        """
        return [(self.act(view, mask, rng, budget), 0)]

    def advise(self, view: np.ndarray, k: int = 3, budget: Budget | None = None) -> list[Advice]:
        """At most ``k`` answers, best first; an agent that compares no answers gives the one it would choose.

        The order is the agent's (`rank`). Chances, and how the game may go on, are what to expect if the team then
        plays like the rules bot (`advice.forecast`). The same view and budget in simulations give the same advice.
        Raises `AgentError` if the game stands at no question or ``k`` is less than 1.
        """
        from subterra_env.agents.advice import Shares, forecast  # which knows this module

        if k < 1:
            raise AgentError(f"k is {k}; advice is at least one answer")
        mask, rng, shares = legal_answers(view), np.random.default_rng(0), Shares(budget)
        ranked = self.rank(view, mask, rng, shares.planning)[:k]
        advice = forecast(view, ranked, rng, shares.end)
        self.simulations += sum(each.simulations for each in advice) - sum(spent for _, spent in ranked)
        return advice


class RankingAgent(Agent):
    """An agent that compares answers: derive and implement `rank`."""

    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """The first answer of `rank`."""
        return self.rank(view, mask, rng, budget)[0][0]

    @abstractmethod
    def rank(
        self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None
    ) -> list[tuple[int, int]]:
        """As `Agent.rank`."""


def legal_answers(view: np.ndarray) -> np.ndarray:
    """The legal answers to the question a game stands at, int8 of shape (actions,). Raises `AgentError` if none is."""
    masks = np.zeros((1, SUBTERRA.actions.ACTIONS), np.int8)
    SUBTERRA.engine.legal_masks(view, masks)
    if not masks.any():
        raise AgentError("the game stands at no question: there is nothing to choose")
    mask: np.ndarray = masks[0]
    return mask


def names() -> list[str]:
    """The names that `load` knows, in order."""
    return sorted(_entries())


def described() -> Iterator[tuple[str, str, bool]]:
    """Each name with the first sentence of what the agent is, and whether it is a reference."""
    for name in names():
        agent_class = _class_named(name)
        yield name, (agent_class.__doc__ or "").partition("\n")[0], agent_class.REFERENCE


def load(name: str) -> Agent:
    """The agent of that name: an installed one or ``module:Class``, with parameters as in ``rollout:sims=200,depth=3``.

    Raises `AgentError` for a name that is not known, naming those that are, and for parameters the agent does not take.
    """
    agent_class, parameters = _class_named(name), _parameters(name)
    try:
        agent = agent_class(**parameters)
    except TypeError as error:
        raise AgentError(f"agent {name!r} cannot be made: {error}") from error
    if not isinstance(agent, Agent):
        raise AgentError(f"{name!r} is no agent: {type(agent).__name__} does not derive from {GROUP}.base.Agent")
    return agent


def _class_named(name: str) -> Any:
    base, _, rest = name.partition(":")
    entries = _entries()
    if base == _BEST_NAME:
        base = BEST
    if base in entries:
        return entries[base].load()
    class_name = rest.partition(":")[0]
    if not class_name.isidentifier():
        there_are = ", ".join((_BEST_NAME, *sorted(entries)))
        raise AgentError(f"no agent is called {base!r}; there are {there_are}, or name module:Class")
    return _class_of(base, class_name)


_BEST_NAME = "best"


def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _class_of(module: str, class_name: str) -> Any:
    try:
        return getattr(importlib.import_module(module), class_name)
    except ImportError as error:
        raise AgentError(f"module {module!r} cannot be imported: {error}") from error
    except AttributeError as error:
        raise AgentError(f"module {module!r} has no class {class_name!r}") from error


def _parameters(name: str) -> dict[str, Any]:
    """``"rollout:sims=200"`` and ``"module:Class:sims=200"`` both give ``{"sims": 200}``."""
    last = name.rpartition(":")[2] if ":" in name else ""
    if "=" not in last:
        return {}
    pairs = [part.partition("=") for part in last.split(",")]
    for key, equals, text in pairs:
        if not (key.isidentifier() and equals and text):
            raise AgentError(f"agent {name!r}: parameters are written key=value,key=value, not {last!r}")
    return {key: _value(text) for key, _, text in pairs}


def _value(text: str) -> Any:
    """A number or truth value if it reads as one, else the text."""
    if text in ("true", "false"):
        return text == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text
