"""Monte Carlo tree search: every answer is tried in the same number of simulations of a tree, the better ones in more.

At the root answers are compared as `rollout` does it, by sequential halving over paired samples, and a sample is a
simulation of `mcts_tree`: below an answer, what is done next is chosen by what came of it before.
"""

import math
from time import perf_counter

import numpy as np
from subterra_env.agents.base import AgentError, Budget, RankingAgent
from subterra_env.agents.evaluation import own_weights
from subterra_env.agents.halving import halve
from subterra_env.agents.mcts_tree import SETTINGS, empty_tree, plant, sample
from subterra_env.agents.rules_bot import rules_action

from subterra_env.game import SUBTERRA
from subterra_env.threads import share_out

LEAVES = ("evaluation", "rollout")
"""What a leaf is worth: what the evaluation makes of it, or of where the rules bot gets to from it."""
FEWEST_NODES = 1 + SUBTERRA.actions.ACTIONS
"""The root, and what every answer leads to."""
_KEYS = 1 << 64


class MctsAgent(RankingAgent):
    """Compares all answers by simulations of a tree; keeps to the rules bot's unless sure of a gain."""

    def __init__(
        self,
        sims: int = 1000,
        leaf: str = "rollout",
        turns: int = 4,
        explore: float = 0.2,
        prior: float = 0.7,
        caution: float = 0.03,
        widen: float = 0.5,
        chance_widen: float = 3.0,
        sure: float = 2.0,
        nodes: int = 1 << 15,
        threads: int = 1,
    ) -> None:
        """``sims``: simulations an answer gets if there is no budget; ``leaf``: one of `LEAVES`; ``turns``: after the
        present one, then rollouts are broken off; ``explore``: PUCT's constant; ``prior``: of the rules bot's answer;
        ``caution``: utility by which an answer not tried counts as worse than the mean of its node; ``widen`` and
        ``chance_widen``: answers and outcomes that a node may have, for the square root of its visits; ``sure``:
        standard errors by which another answer must be better; ``nodes``: the most of a tree, 2 kB each; ``threads``:
        each has a tree of its own. Raises `AgentError`.
        """
        if leaf not in LEAVES:
            raise AgentError(f"mcts: leaf={leaf!r}; it is one of {', '.join(LEAVES)}")
        _check_least(1, int, sims=sims, threads=threads)
        _check_least(0, int, turns=turns)
        _check_least(FEWEST_NODES, int, nodes=nodes)
        _check_least(0, float, explore=explore, prior=prior, caution=caution, sure=sure)
        _check_least(0, float, widen=widen, chance_widen=chance_widen)
        if prior > 1:
            raise AgentError(f"mcts: prior={prior}; it must be from 0 to 1")
        self._budget, self._turns, self._sure = Budget(simulations=sims), turns, sure
        self._settings = np.zeros(1, SETTINGS)
        self._settings[0] = (explore, prior, caution, widen, chance_widen, 0, leaf == "rollout")
        self._trees = [empty_tree(nodes, own_weights()) for _ in range(threads)]

    def rank(
        self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None
    ) -> list[tuple[int, int]]:
        """As `base.Agent.rank`: the others stand in the order of their gain over the rules bot's answer."""
        answers = np.flatnonzero(mask)
        if len(answers) == 1:
            return [(int(answers[0]), 0)]
        begun = perf_counter()
        base = int(np.argmax(answers == rules_action(view)))
        self._plant(view, answers, rng)
        samples = halve(len(answers), base, self._sample, budget or self._budget, begun)
        self.simulations += samples.count
        spent = np.isfinite(samples.table).sum(axis=1)
        return [(int(answers[choice]), int(spent[choice])) for choice in samples.in_order(base, self._sure)]

    def _plant(self, view: np.ndarray, answers: np.ndarray, rng: np.random.Generator) -> None:
        present_turn = int(view["round_number"][0]) * int(view["caver_count"][0]) + int(view["turns_taken"][0])
        for tree in self._trees:
            tree.settings[:] = self._settings
            tree.settings["last_turn"] = present_turn + self._turns
            plant(tree, view, answers, rng.integers(_KEYS, dtype=np.uint64))

    def _sample(self, choices: np.ndarray, columns: int) -> np.ndarray:
        """The columns are shared out among the trees."""
        values = np.empty((columns, len(choices)))

        def grow(thread: int, part: slice) -> None:
            sample(self._trees[thread], choices, values[part])

        share_out(grow, columns, len(self._trees))
        return values.T


def _check_least(least: int, kind: type, **given: float) -> None:
    for name, value in given.items():
        if not isinstance(value, int | kind) or not least <= value < math.inf:
            number = "a whole number" if kind is int else "a number"
            raise AgentError(f"mcts: {name}={value}; it must be {number}, {least} or more")
