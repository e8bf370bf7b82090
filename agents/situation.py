"""What a caver about to decide looks at first: the cave, the odds of the next hazard, the time left, the team."""

from typing import Any

import numpy as np
from subterra_env.agents.bot_weights import WEIGHTS
from subterra_env.agents.distances import (
    FAR,
    GROUND_FIELDS,
    plain_steps_from,
    price_entering,
    steps_from_horrors,
    steps_to_refuge,
    survey,
    walk_from,
)

from subterra_env.games.subterra.box.cavers import MOST_CAVERS, RUN_MOVES, RUN_PRICE, SPRINT_MOVES
from subterra_env.games.subterra.rules.health import is_conscious
from subterra_env.games.subterra.state import NOWHERE, SLOTS
from subterra_env.games.subterra.terms import Caver, Hazard
from subterra_env.jit import compiled

WARY_STEPS = 6
"""Horrors farther away than this are no worry."""
SAFE_STEPS = 4
"""Farther away from all horrors a caver can work in peace."""
FARTHEST_WALK = 60
MOST_POINTS = 3
_HAZARDS = len(Hazard)

_FIELDS: list[tuple[Any, ...]] = [
    ("weights", WEIGHTS),
    ("seat", "i8"),  # who decides
    ("who", "i8"),
    ("place", "i8"),  # slot it is on
    ("points", "i8"),  # points left to it
    ("moves", "i8"),  # moves left of a run under way
    ("rounds_left", "i8"),  # action phases up to the first out-of-time check, this one included
    ("odds", "f8", (_HAZARDS,)),  # of the next card, a doubled one counted twice
    ("tile", "f8"),  # what a tile is worth now
    ("middle_x", "f8"),  # where the conscious cavers are, on average
    ("middle_y", "f8"),
    ("active", "i8"),  # conscious cavers on the board
    ("walks", "i1", (MOST_CAVERS, SLOTS + 1)),  # points that each caver needs to get to a slot; `FAR` for who cannot
    ("apart", "f8"),  # what a point of that counts
    ("least_gathering", "f8"),  # the least that enough cavers for a medal walk to one place to explore from
    ("target", "i8"),  # where the caver means to go; `NOWHERE` if nowhere
    ("target_worth", "f8"),
    ("best", "f8", (MOST_POINTS + 1,)),  # worth of the best plan with so many points
    ("stop", "i8", (MOST_POINTS + 1,)),  # where that plan walks first
    ("staying", "i8", (MOST_POINTS + 1,)),  # whether that plan reveals rather than explores in the end
    ("gain", "f8"),  # of the best action beside the plan
    ("aside", "i8"),  # that action
    ("path", "i1", (SLOTS,)),  # slots of the way last looked for
]
SITUATION = np.dtype((np.record, np.dtype(GROUND_FIELDS + _FIELDS, align=True)))


@compiled
def look_around(state, now, seat, points, moves):
    now.seat = seat
    now.who = state.cavers[seat].who
    now.place = state.cavers[seat].slot
    now.points = points
    now.moves = moves
    now.rounds_left = state.cards_left + 1
    weigh_hazards(state, now)
    find_middle(state, now)
    weigh_time(state, now)
    survey(state, now)
    price_entering(state, now, seat)
    walk_from(state, now, now.place, now.walk, FARTHEST_WALK)
    plain_steps_from(state, now, now.place, now.plain, moves + 2 * RUN_MOVES)
    steps_from_horrors(state, now, WARY_STEPS)
    if state.horror_count > 0:
        steps_to_refuge(state, now, SAFE_STEPS, WARY_STEPS)


@compiled
def weigh_hazards(state, now):
    """How often each hazard will strike in the next hazard phase."""
    total = 0
    for card in range(2 * _HAZARDS):
        total += state.unseen_cards[card]
    if total == 0 or state.cards_left == 0:
        return
    for hazard in range(_HAZARDS):
        now.odds[hazard] = (state.unseen_cards[2 * hazard] + 2 * state.unseen_cards[2 * hazard + 1]) / total


@compiled
def find_middle(state, now):
    x, y, count = 0, 0, 0
    for seat in range(state.caver_count):
        if is_active(state, seat):
            tile = state.tiles[state.cavers[seat].slot]
            x += tile.x
            y += tile.y
            count += 1
    now.active = count
    if count > 0:
        now.middle_x = x / count
        now.middle_y = y / count


@compiled
def weigh_time(state, now):
    """A tile is worth the more, the more points the rest of the stack takes of those that the team still has."""
    points = 2.0 * now.active * now.rounds_left
    wanted = state.places_left * now.weights.points_per_tile + now.active * now.weights.points_to_gather
    now.tile = now.weights.tile * min(3.0, wanted / max(1.0, points)) ** now.weights.hurry


@compiled
def is_active(state, seat):
    """Conscious and on the board."""
    return is_conscious(state, seat) and state.cavers[seat].slot != NOWHERE


@compiled
def lies_unconscious(state, seat):
    return state.cavers[seat].health == 0 and not state.cavers[seat].lost


@compiled
def apart(state, now, slot):
    """Tiles between a slot and the middle of the team, as the crow flies."""
    return abs(state.tiles[slot].x - now.middle_x) + abs(state.tiles[slot].y - now.middle_y)


@compiled
def points_of_run(state, now, steps):
    """Points for so many plain moves, the moves left of a run first, by sprints or runs where that is cheaper."""
    steps = max(0, steps - now.moves)
    if now.who == Caver.MEDIC:
        return (steps + SPRINT_MOVES - 1) // SPRINT_MOVES
    return steps // RUN_MOVES * RUN_PRICE[state.rules] + min(steps % RUN_MOVES, RUN_PRICE[state.rules])


@compiled
def points_to(state, now, slot):
    """Points to get to a slot, `FAR` if there is no way."""
    walk = now.walk[slot]
    if now.plain[slot] < FAR:
        return min(walk, points_of_run(state, now, now.plain[slot]))
    return walk


@compiled
def points_for_distance(now, distance):
    """About how many points a long way takes, run where it can be."""
    if distance >= FAR:
        return distance
    return (distance + 1) // 2 if now.who == Caver.MEDIC else distance - distance // 3
