"""How the rules bot plans a caver's turn: where to go, what to do there, and where the turn ends."""

import numpy as np
from subterra_env.agents.bot_danger import danger, danger_beyond, danger_of_horrors, danger_of_the_unknown
from subterra_env.agents.distances import FAR, add, is_in, walk_to
from subterra_env.agents.situation import (
    FARTHEST_WALK,
    SITUATION,
    apart,
    is_active,
    lies_unconscious,
    points_for_distance,
    points_to,
)
from subterra_env.agents.walks import EACH, byte_of, smaller

from subterra_env.games.subterra.box.tiles import LAST_PLACES, STACK_TILES
from subterra_env.games.subterra.rules.health import BRONZE_LEFT_BEHIND
from subterra_env.games.subterra.rules.reach import NONE
from subterra_env.games.subterra.rules.sides import HOW_MANY
from subterra_env.games.subterra.state import NOBODY, NOWHERE, STATE
from subterra_env.games.subterra.terms import Caver
from subterra_env.jit import compiled, gate

HEAL_POINTS = 2
MOST_SPARE = 3
PRESSING = 3
"""A horror so near leaves no time to look into several sides."""
NOTHING = -1e9
"""Worth of what is out of the question."""


@compiled
def find_stops(state, now):
    """The tiles within the points that the plans are for."""
    now.stops[:] = NONE
    for slot in range(state.tile_count):
        if min(now.walk[slot], now.plain[slot]) < FAR and points_to(state, now, slot) <= now.points + 1:
            add(now.stops, slot)


@compiled
def measure_way_to_target(state, now):
    """Who surfaces may come up anywhere, and that is thought of only when the exit lies."""
    if state.exit_slot == NOWHERE:
        measure_way(state, now, now.target, now.goal, now.stops[0], now.stops[1])
    elif now.target == state.exit_slot:
        now.goal[:] = now.out
    else:
        measure_way(state, now, now.target, now.goal, ~NONE, ~NONE)


@compiled
def measure_way(state, now, goal, field, starts_low, starts_high):
    """Points to a tile, at least from those of a set; horrors may be gone by then."""
    shut_low, shut_high = now.shut[0], now.shut[1]
    now.shut[:] = NONE
    walk_to(state, now, goal, field, FARTHEST_WALK, starts_low, starts_high)
    now.shut[0], now.shut[1] = shut_low, shut_high


@compiled
def consider_stop(state, now, slot, arrival):
    """Whether walking to a tile first is the best plan for some number of points."""
    fear = danger(state, now, slot)
    standing = worth_of_standing(state, now, slot) - fear
    price = arrival + now.rope_price if is_in(now.rope_first, slot) else arrival
    draws = price <= now.points and may_draw_at(state, now, slot)
    place = quality(state, now, slot) if draws and state.exit_slot == NOWHERE else 0.0
    for points in range(arrival, now.points + 2):
        worth = standing
        staying = 1
        if points > price and draws:
            reveal = worth_of_revealing(state, now, slot, points - price, place) - fear
            explore = worth_of_exploring(state, now, slot, points - price, place)
            worth = max(worth, reveal, explore)
            staying = reveal >= explore
        if points > price and now.who == Caver.BODYGUARD and now.horror[slot] == 1:
            worth = max(worth, standing + worth_of_repelling(state, now, slot))
        if worth > now.best[points]:
            now.best[points] = worth
            now.stop[points] = slot
            now.staying[points] = staying


@compiled
def worth_of_repelling(state, now, slot):
    """A horror beside a tile gone; it is no danger any more if it is the only one."""
    worth = now.weights.repel
    if state.horror_count == 1:
        worth += danger_of_horrors(state, now, state.cavers[now.seat].health, slot)
    return worth


@compiled
def worth_of_standing(state, now, slot):
    """How near its goal the caver is on a tile."""
    if now.target == NOWHERE:
        return 0.0
    if now.target == state.exit_slot:
        return nearness_of_exit(state, now, slot)
    return now.target_worth - now.weights.step * min(FARTHEST_WALK, points_for_distance(now, now.goal[slot]))


@compiled
def nearness_of_exit(state, now, slot):
    """How near the exit a tile is."""
    if slot == state.exit_slot:
        return now.weights.exit
    points = min(FARTHEST_WALK, points_for_distance(now, now.goal[slot]))
    late = max(0, (points + 1) // 2 - (now.rounds_left - 1))
    return -now.weights.way_out * points - now.weights.too_late * late


@compiled
def worth_of_revealing(state, now, slot, points, place):
    """Drawing tiles without leaving the tile, a place of such quality; its danger apart."""
    if state.exit_slot != NOWHERE:
        return NOTHING
    sides = HOW_MANY[now.unexplored[slot]]
    worth = now.tile * min(points, sides) + place
    return worth - now.weights.step if points >= sides else worth


@compiled
def worth_of_exploring(state, now, slot, points, place):
    """Drawing tiles, and going on onto the last: away from horrors, if need be at once."""
    steps = min(FAR, now.horror[slot] + (1 if now.horror[slot] > PRESSING else points))
    worth = -(now.stray + danger_beyond(state, now, steps))
    if state.exit_slot != NOWHERE:
        return worth + worth_of_standing(state, now, slot) - now.weights.step * points
    return worth + now.tile * points + place


@compiled
def quality(state, now, slot):
    """A place to explore from, wherever the caver is."""
    sides = HOW_MANY[now.unexplored[slot]]
    worth = now.weights.work + now.weights.side * (sides - 1) - now.apart * company(state, now, slot, now.seat)
    worth -= now.weights.spread * apart(state, now, slot)
    return worth - now.weights.crowded * max(0, others_on(state, now, slot) + 1 - sides)


@compiled
def others_on(state, now, slot):
    count = 0
    for other in range(state.caver_count):
        if other != now.seat and state.cavers[other].slot == slot and is_active(state, other):
            count += 1
    return count


@compiled
def may_draw_at(state, now, slot):
    """The last tiles are laid only where the team is."""
    if now.unexplored[slot] == 0 or state.places_left == 0:
        return False
    if state.places_left > LAST_PLACES or state.exit_slot != NOWHERE:
        return True
    return is_meeting_place(state, now, slot)


@compiled
def is_meeting_place(state, now, slot):
    """Hardly farther for the team than the best place to explore from."""
    return company(state, now, slot, NOBODY) <= now.least_gathering + now.weights.near_enough


@compiled
def measure_team(state, now):
    """How much the walks of the others count as the stack runs out, and the least they can be for the last tiles."""
    now.team_reach = EACH * np.uint64(now.weights.team_reach)
    drawn = 1 - min(1.0, state.places_left / (STACK_TILES + 1))
    now.apart = now.weights.apart + now.weights.apart_late * drawn * drawn
    now.least_gathering = NOTHING
    if state.places_left <= LAST_PLACES:
        now.least_gathering = -NOTHING
        for slot in range(state.tile_count):
            if now.unexplored[slot] and now.walk[slot] < FAR:
                now.least_gathering = min(now.least_gathering, company(state, now, slot, NOBODY))


@compiled
def company(state, now, slot, apart_from):
    """Points that cavers have to walk to a slot, as many of the nearest as it takes for a medal, one caver apart."""
    walks = smaller(now.walks[slot], now.team_reach)
    farthest, next_farthest, walked = 0, 0, 0
    for seat in range(state.caver_count):
        if seat != apart_from:
            walk = byte_of(walks, seat)
            walked += walk
            next_farthest = max(next_farthest, min(farthest, walk))
            farthest = max(farthest, walk)
    return walked - farthest - next_farthest  # bronze is for those who leave two behind


@compiled
def may_be_target(state, now, slot):
    """The last tiles are laid where the team is."""
    return state.places_left > 0 and (state.places_left > LAST_PLACES or is_meeting_place(state, now, slot))


@compiled
def choose_target(state, now):
    """The best place to explore from, or an unconscious caver to bring round."""
    now.target, now.target_worth = NOWHERE, 0.0
    best = NOTHING
    for slot in range(state.tile_count):
        if now.unexplored[slot] and now.walk[slot] < FAR and may_be_target(state, now, slot):
            worth = quality(state, now, slot)
            balance = worth - now.weights.step * points_for_distance(now, now.walk[slot])
            if now.horror[slot] <= 2 and now.who != Caver.SCOUT:
                balance -= now.weights.trapped
            if balance > best:
                best, now.target, now.target_worth = balance, slot, worth
    for seat in range(state.caver_count):
        slot = state.cavers[seat].slot
        if lies_unconscious(state, seat) and now.walk[slot] < FAR:
            worth = worth_of_rescue(state, now)
            balance = worth - now.weights.step * points_for_distance(now, now.walk[slot])
            if balance > best:
                best, now.target, now.target_worth = balance, slot, worth


@compiled
def worth_of_rescue(state, now):
    """The fewer cavers are left to win a medal with, the more."""
    spare = now.active - (state.caver_count - BRONZE_LEFT_BEHIND)
    return now.weights.rescue[max(0, min(MOST_SPARE, spare + 1))]


@compiled
def choose_way_out(state, now):
    """The exit, unless there is time to fetch somebody who lies elsewhere."""
    measure_way(state, now, state.exit_slot, now.out, ~NONE, ~NONE)
    now.target, now.target_worth = state.exit_slot, 0.0
    best = 0.0
    for seat in range(state.caver_count):
        slot = state.cavers[seat].slot
        if lies_unconscious(state, seat) and slot != state.exit_slot and can_fetch(state, now, slot):
            worth = now.weights.rescue_out - now.weights.step * now.walk[slot]
            if worth > best:
                best, now.target, now.target_worth = worth, slot, now.weights.rescue_out


@compiled
def can_fetch(state, now, slot):
    """Time enough to go there, bring the caver round and get out; and nobody is nearer."""
    if now.walk[slot] >= FAR or now.out[slot] >= FAR:
        return False
    rounds = (now.walk[slot] + HEAL_POINTS + 1) // 2 + (now.out[slot] + 1) // 2
    return rounds + now.weights.rescue_margin <= now.rounds_left and is_nearest(state, now, slot)


@compiled
def is_nearest(state, now, slot):
    """No other active caver is clearly nearer, as the crow flies."""
    mine = crow_distance(state, now.place, slot)
    for seat in range(state.caver_count):
        other = seat != now.seat and is_active(state, seat)
        if other and crow_distance(state, state.cavers[seat].slot, slot) < mine:
            return False
    return True


@compiled
def crow_distance(state, slot, other):
    a, b = state.tiles[slot], state.tiles[other]
    return abs(a.x - b.x) + abs(a.y - b.y)


@gate(STATE, SITUATION)
def plan(state, now):
    """Fills in the best plan for every number of points up to one more than the caver has."""
    if state.exit_slot == NOWHERE:
        measure_team(state, now)
        choose_target(state, now)
    else:
        choose_way_out(state, now)
    for points in range(now.points + 2):
        now.best[points] = NOTHING
        now.stop[points] = now.place
    now.stray = danger_of_the_unknown(state, now)
    find_stops(state, now)
    if now.target != NOWHERE:
        measure_way_to_target(state, now)
    for slot in range(state.tile_count):
        if is_in(now.stops, slot):
            consider_stop(state, now, slot, points_to(state, now, slot))
