"""Rewards by name, and what every environment tells about a game that is over.

A reward is paid to the whole team. ``saved``, ``medal`` and ``utility`` pay once, at the end. ``shaped`` and
``shaped_utility`` pay the same as ``saved`` and ``utility`` and, for every answer, gamma times the potential of the new
state less that of the old one (Ng, Harada and Russell 1999). The potential is 0 once a game is over, however it ended,
so the discounted sum of what shaping adds is exactly minus the potential of the first state.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from subterra_env.game import Game

MEDALS = {"gold": 1.0, "silver": 2 / 3, "bronze": 1 / 3}
"""What ``medal`` pays for each; defeat and a game cut short (rulebook 9.3) pay nothing."""
ILLEGAL = "illegal"
"""The ending of a game that an illegal action ended, where that was agreed."""
FINAL_INFO = ("outcome", "medal", "saved", "rounds", "is_success")
"""The names in the last info of a game; `final_info` says what they mean."""
PENALTY = -1.0
"""What the team is paid for such an end, instead of anything else."""


class Outcome(NamedTuple):
    """How a game ended: its ending, the share of the team on the exit, rounds begun."""

    ending: str
    saved: float
    rounds: int


@dataclass(frozen=True)
class Reward:
    """What is paid at the end, and whether progress is paid on the way."""

    name: str
    at_the_end: Callable[[Outcome], float]
    shaped: bool = False

    def of(self, outcome: Outcome) -> float:
        """What the end is worth without shaping."""
        return PENALTY if outcome.ending == ILLEGAL else self.at_the_end(outcome)


def saved(outcome: Outcome) -> float:
    """The share of the team on the exit."""
    return outcome.saved


def medal(outcome: Outcome) -> float:
    """Gold 1, silver two thirds, bronze one third, anything else 0."""
    return MEDALS.get(outcome.ending, 0.0)


def utility(outcome: Outcome) -> float:
    """The share of the team on the exit, and one more for a medal: what planners work for."""
    return outcome.saved + (outcome.ending in MEDALS)


REWARDS = {
    reward.name: reward
    for reward in (
        Reward("saved", saved),
        Reward("medal", medal),
        Reward("utility", utility),
        Reward("shaped", saved, True),
        Reward("shaped_utility", utility, True),
    )
}


def reward_named(name: str) -> Reward:
    """The reward of a name. Raises ValueError that lists the names there are."""
    if name not in REWARDS:
        raise ValueError(f"reward: {name!r}; there are {', '.join(REWARDS)}")
    return REWARDS[name]


def outcome_of(game: Game, states: np.ndarray) -> Outcome:
    """How the first game of ``states`` ended, or stands."""
    result = game.notation.result(states[0])
    return Outcome(result.end, 1 - len(result.left_behind) / int(states["caver_count"][0]), result.rounds)


def final_info(outcome: Outcome, reward: Reward) -> dict[str, Any]:
    """What the last info of a game holds.

    ``outcome`` is the unshaped return, ``medal`` the ending (``gold`` … ``defeat``, ``truncated``, ``illegal``),
    ``saved`` the share of the team on the exit, ``rounds`` the rounds begun, ``is_success`` whether a medal was won.
    """
    values = (reward.of(outcome), outcome.ending, outcome.saved, outcome.rounds, outcome.ending in MEDALS)
    return dict(zip(FINAL_INFO, values, strict=True))
