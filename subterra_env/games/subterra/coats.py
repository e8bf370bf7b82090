"""One game for one environment: the calls a coat makes for each answer, as one compiled call."""

from itertools import combinations

from subterra_env.games.subterra.actions import WAIT
from subterra_env.games.subterra.answers import is_legal
from subterra_env.games.subterra.batch import drawn_table
from subterra_env.games.subterra.engine import begin_one, mask_one, settle_chance_one, step_one
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
