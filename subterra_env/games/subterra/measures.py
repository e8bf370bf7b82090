"""What the ``flat`` observation and ``planes`` measure once a state: distances, who stands where, chances."""

from typing import Any

import numpy as np

from subterra_env.games.subterra.box.cavers import HEALTH, MOST_CAVERS
from subterra_env.games.subterra.box.tiles import TILE_ROLLS
from subterra_env.games.subterra.flat import NEAR, NEAR_HORROR
from subterra_env.games.subterra.luck import DIE_SIDES
from subterra_env.games.subterra.rules.health import is_conscious, is_on_exit
from subterra_env.games.subterra.rules.horrors import is_potential_victim
from subterra_env.games.subterra.rules.reach import high_bit, low_bit
from subterra_env.games.subterra.state import NOBODY, NOWHERE, SLOTS
from subterra_env.games.subterra.steps import frontier_slots, horror_slots, nearness, steps_from
from subterra_env.games.subterra.terms import Caver, Kind
from subterra_env.jit import compiled

NEARNESS = nearness(NEAR)
HORROR_NEARNESS = nearness(NEAR_HORROR)
HIT_CHANCE = np.array([bin(int(rolls)).count("1") / DIE_SIDES for rolls in TILE_ROLLS])
"""By tile type, the chance that a cave-in hits it."""
SEATS_IN = np.array([bin(seats).count("1") for seats in range(1 << MOST_CAVERS)], np.int64)
"""How many seats a set of seats holds."""
_KIND_COLUMN = np.array([max(0, kind - Kind.EXIT) for kind in Kind], np.int64)
_KIND_COLUMN[Kind.START] = Kind.ORDINARY - Kind.EXIT
_IS_A_TILE = np.array([kind != Kind.NOTHING for kind in Kind], np.float32)


def _form(form: Any) -> tuple[Any, ...]:
    return form if isinstance(form, tuple) else (form,)


_BY_SLOT = ("i1", (SLOTS + 1,))
_FIELDS: list[tuple[str, Any, str]] = [
    ("from_me", _BY_SLOT, "steps from me to each slot, `NO_WAY` if there is none and for `NOWHERE`"),
    ("from_exit", _BY_SLOT, "steps from the exit"),
    ("from_frontier", _BY_SLOT, "steps from the nearest tile with an open side to an empty place"),
    ("from_horrors", _BY_SLOT, "steps from the nearest horror"),
    ("company", _BY_SLOT, "cavers on the tile"),
    ("hurt", _BY_SLOT, "health that they have lost"),
    ("conscious", "i1", "seats of the conscious cavers, as bits"),
    ("out", "i1", "seats of the cavers on the exit"),
    ("exposed", "i1", "seats of the potential victims (6.3)"),
    ("guarded", "i1", "seats of the cavers whom a bodyguard protects (8.7)"),
    ("to_come", "i1", "seats of the conscious cavers whose turn of this round is still to come"),
]
MEASURES = np.dtype((np.record, np.dtype([(name, *_form(form)) for name, form, _ in _FIELDS], align=True)))
"""What is measured of a game once, for all who write."""


@compiled
def measure(state, eyes, measures):
    """Measures what a seat sees."""
    mine = state.cavers[eyes].slot
    steps_from(state, low_bit(mine), high_bit(mine), NEAR, measures.from_me)
    steps_from(state, low_bit(state.exit_slot), high_bit(state.exit_slot), NEAR, measures.from_exit)
    low, high = frontier_slots(state)
    steps_from(state, low, high, NEAR, measures.from_frontier)
    low, high = horror_slots(state)
    steps_from(state, low, high, NEAR_HORROR, measures.from_horrors)
    count_cavers(state, measures.company, measures.hurt)
    sort_cavers(state, measures)


@compiled
def count_cavers(state, company, hurt):
    """How many cavers are on each tile, and how much health they have lost."""
    company[:] = 0
    hurt[:] = 0
    for seat in range(MOST_CAVERS):
        caver = state.cavers[seat]
        company[caver.slot] += 1
        hurt[caver.slot] += HEALTH[caver.who] - caver.health
    company[NOWHERE] = 0
    hurt[NOWHERE] = 0


@compiled
def sort_cavers(state, measures):
    """Which cavers are in which condition; seats that nobody takes are in none."""
    guard = guard_of(state)
    conscious, out, exposed, guarded = 0, 0, 0, 0
    for seat in range(MOST_CAVERS):
        conscious |= is_conscious(state, seat) << seat
        out |= is_on_exit(state, seat) << seat
        exposed |= is_potential_victim(state, seat) << seat
        guarded |= is_guarded(state, seat, guard) << seat
    measures.conscious = conscious
    measures.out = out
    measures.exposed = exposed
    measures.guarded = guarded
    measures.to_come = turns_to_come(state) & conscious


@compiled
def guard_of(state):
    """The seat of a bodyguard who protects whoever shares its tile; `NOBODY` if there is none (8.7)."""
    guard = NOBODY
    for seat in range(MOST_CAVERS):
        if (state.cavers[seat].who == Caver.BODYGUARD) & is_conscious(state, seat):
            guard = seat
    return guard


@compiled
def is_guarded(state, seat, guard):
    """Whether that bodyguard protects the caver."""
    slot = state.cavers[seat].slot
    return guard != NOBODY and guard != seat and slot != NOWHERE and state.cavers[guard].slot == slot


@compiled
def turns_to_come(state):
    """The seats to which the turn of this round has not come."""
    count = int(state.caver_count)
    in_order = ((1 << count) - 1) & ~((1 << int(state.turns_taken)) - 1)
    from_first = in_order << int(state.first)
    return (from_first | (from_first >> count)) & ((1 << count) - 1)


@compiled
def eyes_of(state):
    """Whose eyes an observation is seen through: who is asked, else whose turn it is, else the starting caver."""
    if state.asked != NOBODY:
        return int(state.asked)
    if state.seat != NOBODY:
        return int(state.seat)
    return int(state.first)


@compiled
def cave_in_chance(tile):
    """The chance that a cave-in hits a tile; none where rubble lies."""
    return HIT_CHANCE[tile.type] * (1 - tile.rubble)


@compiled
def write_one(row, at, number):
    """A 1 at one of several."""
    row[at + int(number)] = 1.0


@compiled
def write_kind(row, at, kind):
    """A 1 at the kind of a tile from the exit on; the start counts as ordinary; nothing for no tile."""
    row[at + _KIND_COLUMN[kind]] = _IS_A_TILE[kind]


@compiled
def write_goals(row, at, measures, slot):
    """The nearness of a tile to the exit, the frontier and the next horror."""
    row[at] = NEARNESS[measures.from_exit[slot]]
    row[at + 1] = NEARNESS[measures.from_frontier[slot]]
    row[at + 2] = HORROR_NEARNESS[measures.from_horrors[slot]]
