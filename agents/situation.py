"""What a caver about to decide looks at first: the cave, the odds of the next hazard, the time left, the team."""

from typing import Any

import numpy as np
from subterra_env.agents.bot_weights import WEIGHTS
from subterra_env.agents.distances import (
    FAR,
    GROUND_FIELDS,
    plain_steps_from,
    sort_by_price,
    steps_from_horrors,
    steps_to_refuge,
    survey,
)
from subterra_env.agents.walks import byte_of, price_for, shut_horrors_out, walk_all

from subterra_env.games.subterra.box.cavers import RUN_MOVES, RUN_PRICE, SPRINT_MOVES
from subterra_env.games.subterra.rules.health import is_conscious
from subterra_env.games.subterra.state import NOWHERE, SLOTS, STATE
from subterra_env.games.subterra.terms import Caver, Hazard
from subterra_env.jit import compiled, gate

WARY_STEPS = 6
"""Horrors farther away than this are no worry."""
SAFE_STEPS = 4
"""Farther away from all horrors a caver can work in peace."""
FARTHEST_WALK = 60
MOST_POINTS = 3
"""Of a caver who has exerted itself at once."""
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
    ("team_reach", "u8"),  # the most that a caver's walk counts, a byte a caver
    ("apart", "f8"),  # what a point of that counts
    ("least_gathering", "f8"),  # the least that enough cavers for a medal walk to one place to explore from
    ("target", "i8"),  # where the caver means to go; `NOWHERE` if nowhere
    ("target_worth", "f8"),
    ("stray", "f8"),  # danger of a tile not yet drawn, horrors apart
    ("stops", "u8", (2,)),  # tiles that the plans consider to walk to
    ("best", "f8", (MOST_POINTS + 2,)),  # worth of the best plan with so many points
    ("stop", "i8", (MOST_POINTS + 2,)),  # where that plan walks first
    ("staying", "i8", (MOST_POINTS + 2,)),  # whether that plan reveals rather than explores in the end
    ("gain", "f8"),  # of the best action beside the plan
    ("aside", "i8"),  # that action
    ("path", "i1", (SLOTS,)),  # slots of the way last looked for
]
SITUATION = np.dtype((np.record, np.dtype(GROUND_FIELDS + _FIELDS, align=True)))
"""Room for one decision. It can be used again for the next; nothing of the last one is looked at."""


@compiled
def room_for(weights):
    """An array of one."""
    room = np.zeros(1, SITUATION)
    room[0].weights = weights
    return room


@compiled
def look_around(state, now, seat, points, moves):
    """What a caver sees, with so many points and moves of a run left to it."""
    look_at_all(state, now)
    look_ahead(state, now, seat, points, moves)
    look_at_ways(state, now)


@compiled
def weigh_hazards(state, now):
    """How often each hazard will strike in the next hazard phase."""
    total = 0
    for card in range(2 * _HAZARDS):
        total += state.unseen_cards[card]
    now.odds[:] = 0.0
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
    now.middle_x = x / max(1, count)
    now.middle_y = y / max(1, count)


@compiled
def weigh_time(state, now):
    """A tile is worth the more, the more points the rest of the stack takes of those that the team still has."""
    points = 2.0 * now.active * now.rounds_left
    wanted = state.places_left * now.weights.points_per_tile + now.active * now.weights.points_to_gather
    now.tile = now.weights.tile * min(3.0, wanted / max(1.0, points))


@compiled
def is_active(state, seat):
    """Conscious and on the board."""
    return is_conscious(state, seat) and state.cavers[seat].slot != NOWHERE


@compiled
def active_seats(state):
    """The set of them."""
    seats = 0
    for seat in range(state.caver_count):
        seats |= is_active(state, seat) << seat
    return seats


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


@gate(STATE, SITUATION)
def look_at_all(state, now):
    """What is the same for everybody."""
    now.rounds_left = state.cards_left + 1
    weigh_hazards(state, now)
    find_middle(state, now)
    weigh_time(state, now)
    survey(state, now)
    steps_from_horrors(state, now, WARY_STEPS)


@gate(STATE, SITUATION, numbers=3)
def look_ahead(state, now, seat, points, moves):
    """Who decides, and what it can walk."""
    now.seat = seat
    now.who = state.cavers[seat].who
    now.place = state.cavers[seat].slot
    now.points = points
    now.moves = moves
    price_for(state, now, now.who)
    sort_by_price(state, now)
    now.rope_price = byte_of(now.rope_prices, seat)
    if now.who != Caver.SCOUT:
        shut_horrors_out(state, now)
    walk_all(state, now, active_seats(state) | 1 << seat)


@gate(STATE, SITUATION)
def look_at_ways(state, now):
    """The walks of the caver who decides."""
    for slot in range(SLOTS + 1):
        now.walk[slot] = byte_of(now.walks[slot], now.seat)
    plain_steps_from(state, now, now.place, now.plain, now.moves + 2 * RUN_MOVES)
    if state.horror_count > 0:
        steps_to_refuge(state, now, SAFE_STEPS, WARY_STEPS)
