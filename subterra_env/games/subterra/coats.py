"""One game for one environment: the calls a coat makes for each answer, as one compiled call."""

from itertools import combinations
from typing import Any

import numpy as np

from subterra_env.games.subterra.actions import WAIT
from subterra_env.games.subterra.answers import is_legal
from subterra_env.games.subterra.batch import drawn_table
from subterra_env.games.subterra.engine import begin_one, mask_one, settle_chance_one, step_one
from subterra_env.games.subterra.measures import MEASURES
from subterra_env.games.subterra.observation import FLAT_ROW, Observation, flat_rows, observe
from subterra_env.games.subterra.options import CAVER_NAMES
from subterra_env.games.subterra.rules.health import is_over
from subterra_env.games.subterra.state import NOBODY
from subterra_env.jit import compiled, entry

ILLEGAL = -1
"""What `answer` says to an answer that is not legal."""
OVER = NOBODY
"""What `begin` and `answer` say when nobody is asked any more."""


def teams(size: int) -> list[tuple[str, ...]]:
    """Every team of so many cavers, in the order of their ranks."""
    return list(combinations(CAVER_NAMES, size))


class Eyes:
    """Observations of one kind, again and again: `observation.observe` with its room kept."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._seats, self._first = np.zeros(1, np.int8), np.zeros(1, np.int64)
        self._measures = np.empty(1, MEASURES)
        self._rows = np.empty(1, FLAT_ROW)
        self._numbers = self._rows["numbers"][0]

    def see(self, states: np.ndarray, seat: int) -> Observation:
        """What a seat of the only game of ``states`` sees, as new arrays."""
        if self.kind != "flat":
            return observe(states, 0, seat, self.kind)
        self._seats[0] = seat
        flat_rows(states, self._first, self._seats, self._rows, self._measures)
        return np.array(self._numbers)

    def __reduce__(self) -> tuple[Any, ...]:
        return Eyes, (self.kind,)


@compiled
def face_question(state, mask):
    """Writes the legal answers, only ``wait`` once the game is over; the seat asked, or `OVER`."""
    mask_one(state, mask)
    if is_over(state):
        mask[WAIT] = 1
        return OVER
    return state.asked


@entry
def begin(states, agreed, key, mask):
    """Sets up the first game with a luck key, at one of the tables agreed, and plays on to its first question.

    ``agreed``: STATE[m], of which the key chooses one; ``key``: uint64; ``mask``: int8[ACTIONS], written. Returns the
    seat asked.
    """
    states[0] = agreed[drawn_table(key, len(agreed))]
    states[0].luck = key
    begin_one(states[0])
    settle_chance_one(states[0])
    return face_question(states[0], mask)


@entry
def answer(states, action, mask):
    """Gives an answer in the first game and plays on to the next question.

    ``mask``: int8[ACTIONS], written. Returns the seat asked next, `OVER`, or `ILLEGAL`: then nothing was changed.
    """
    if not is_legal(states[0], action):
        return ILLEGAL
    step_one(states[0], action)
    return face_question(states[0], mask)
