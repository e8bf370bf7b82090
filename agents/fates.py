"""What becomes of each caver when the rules bot plays a game to its end: out of the cave, or what it fell to."""

from enum import IntEnum

import numpy as np
from subterra_env.agents.rules_bot import rules_action_one

from subterra_env.games.subterra.engine import apply_chance_one, apply_one
from subterra_env.games.subterra.luck import lucky_outcome
from subterra_env.games.subterra.rules.health import horror_on, is_conscious, is_on_exit, is_over
from subterra_env.games.subterra.state import STATE
from subterra_env.games.subterra.terms import Chance, Check, Hazard, Node
from subterra_env.jit import compiled, entry


class Fate(IntEnum):
    """How the game ends for a caver; what hazards do has the numbers of `Hazard`."""

    TREMOR = 0
    FLOOD = 1
    GAS = 2
    CAVE_IN = 3
    HORROR = 4
    EFFORT = 5
    """A failed check for exertion or rough terrain."""
    LAMPS = 6
    """Lost when the time ran out, the exit lying in the cave."""
    LAMPS_AND_NO_EXIT = 7
    LAY_UNCONSCIOUS = 8
    """From the position on that the games begin at."""
    ROUNDS = 9
    """The safety limit of rounds came first."""
    SAVED = 10


RISKS: dict[Fate, str] = {
    Fate.TREMOR: "cavers are struck down by tremors",
    Fate.FLOOD: "cavers are struck down by floods",
    Fate.GAS: "cavers are struck down by gas",
    Fate.CAVE_IN: "cavers are struck down by rocks",
    Fate.HORROR: "cavers fall to horrors",
    Fate.EFFORT: "cavers exert themselves too far",
    Fate.LAMPS: "the lamps go out before the exit is reached",
    Fate.LAMPS_AND_NO_EXIT: "the lamps go out before the exit is found",
    Fate.LAY_UNCONSCIOUS: "cavers who lie unconscious now are not brought out",
    Fate.ROUNDS: "the last round agreed is over",
}
"""What a fate means for the team, in words."""

_MOVING = int(Hazard.GAS)
"""Whoever walks, horrors apart, can only walk into gas."""
_ROLLING = np.full(len(Check), _MOVING, np.int8)
_ROLLING[[Check.EXERT, Check.ROUGH]] = Fate.EFFORT
_ROLLING[Check.TREMOR] = Fate.TREMOR
_ROLLING[Check.OUT_OF_TIME] = Fate.LAMPS
_ROLLING[Check.CAVE_IN] = Fate.CAVE_IN


@compiled
def conscious_seats(state):
    """The seats of the conscious cavers, as bits."""
    found = 0
    for seat in range(state.caver_count):
        found |= is_conscious(state, seat) << seat
    return found


@compiled
def one_event(state):
    """The rules bot answers, or luck decides; what a caver who falls now falls to, unless horrors reached it."""
    if state.node == Node.ASK:
        apply_one(state, rules_action_one(state))
        return _MOVING
    outcome = lucky_outcome(state)
    threat = _MOVING
    if state.chance == Chance.HAZARD:
        threat = outcome // 2
    elif state.chance == Chance.DIE:
        threat = int(_ROLLING[state.check])
    apply_chance_one(state, outcome)
    return threat


@compiled
def note_falls(state, conscious, threat, fates):
    """Who was conscious before an event and no longer is."""
    for seat in range(state.caver_count):
        if (conscious >> seat) & 1 and not is_conscious(state, seat):
            fates[seat] = threat
            if horror_on(state, state.cavers[seat].slot):
                fates[seat] = Fate.HORROR


@compiled
def begin_fates(state, fates):
    for seat in range(state.caver_count):
        fates[seat] = Fate.ROUNDS if is_conscious(state, seat) else Fate.LAY_UNCONSCIOUS


@compiled
def close_fates(state, fates):
    """Who is out, and whether there was an exit to reach."""
    for seat in range(state.caver_count):
        if is_on_exit(state, seat):
            fates[seat] = Fate.SAVED
        elif fates[seat] == Fate.LAMPS and state.exit_in_stack:
            fates[seat] = Fate.LAMPS_AND_NO_EXIT


@compiled
def play_out_one(state, answer, fates):
    begin_fates(state, fates)
    conscious = conscious_seats(state)
    apply_one(state, answer)
    note_falls(state, conscious, _MOVING, fates)
    while not is_over(state):
        conscious = conscious_seats(state)
        note_falls(state, conscious, one_event(state), fates)
    close_fates(state, fates)


@entry
def play_out(state, answers, keys, endings, fates):
    """Gives each answer to the question of the first game, with every key, and plays on to the end.

    ``answers``: int64[n]; ``keys``: uint64[m]; written are ``endings``, `Ending` as int8[n, m], and ``fates``, `Fate`
    as int8[n, m, cavers].
    """
    scratch = np.zeros(1, STATE)
    for i in range(len(answers)):
        for k in range(len(keys)):
            scratch[0] = state[0]
            scratch[0].luck = keys[k]
            play_out_one(scratch[0], answers[i], fates[i, k])
            endings[i, k] = scratch[0].ending
