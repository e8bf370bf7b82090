"""How well a team stands, as one number from 0 to 1: the potential that shaped rewards are made of.

Each caver counts the same: 1 on the exit, 0 if lost, and between them more for health, for tiles already drawn, and,
once the exit lies, for being near it. Shaping by the difference of a potential leaves the best policy as it was (Ng,
Harada and Russell 1999), so the numbers here are a matter of learning speed, not of what is right.
"""

import numpy as np

from subterra_env.games.subterra.box.cavers import HEALTH
from subterra_env.games.subterra.rules.health import is_conscious, is_on_exit
from subterra_env.games.subterra.rules.reach import contains, high_bit, low_bit, neighbours_high, neighbours_low
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.jit import compiled, entry

UNCONSCIOUS, BARELY_CONSCIOUS, UNHARMED = 0.25, 0.6, 1.0
SEARCHING, EXIT_FOUND, AT_THE_EXIT = 0.45, 0.5, 0.95
HALF_WAY = 6.0
"""Steps from the exit at which half of the gain of nearness is left."""
FARTHEST = 40


@compiled
def condition(state, seat):
    """From 0 to 1 how fit a caver is."""
    if not is_conscious(state, seat):
        return UNCONSCIOUS
    health = state.cavers[seat].health / HEALTH[state.cavers[seat].who]
    return BARELY_CONSCIOUS + (UNHARMED - BARELY_CONSCIOUS) * health


@compiled
def steps_from_exit(state, steps):
    """Writes for every seat the connected steps to the exit, at most `FARTHEST`; ``steps``: int64[6]."""
    steps[:] = FARTHEST
    low, high = low_bit(state.exit_slot), high_bit(state.exit_slot)
    for distance in range(FARTHEST):
        for seat in range(state.caver_count):
            if steps[seat] == FARTHEST and contains(low, high, state.cavers[seat].slot):
                steps[seat] = distance
        more_low = neighbours_low(state, low, high) | low
        more_high = neighbours_high(state, low, high) | high
        if more_low == low and more_high == high:
            return
        low, high = more_low, more_high


@compiled
def potential_one(state):
    """The potential of one game."""
    found = state.exit_slot != NOWHERE
    steps = np.full(len(state.cavers), FARTHEST)
    if found:
        steps_from_exit(state, steps)
    searched = SEARCHING * (1 - state.places_left / (state.stack_tiles + 1))
    total = 0.0
    for seat in range(state.caver_count):
        if is_on_exit(state, seat):
            total += 1.0
        elif not state.cavers[seat].lost:
            nearness = HALF_WAY / (HALF_WAY + steps[seat])
            outlook = EXIT_FOUND + (AT_THE_EXIT - EXIT_FOUND) * nearness if found else searched
            total += condition(state, seat) * outlook
    return total / state.caver_count


@entry
def potentials(states, values):
    """Writes the potential of every game; ``values``: float64[n]."""
    for i in range(len(states)):
        values[i] = potential_one(states[i])
