"""Writes what the ``flat`` observation says of me, the sides of my tile, the others, the horrors and the water."""

from subterra_env.games.subterra.box.cavers import HEALTH, HIDES_BEFORE_SURE, MOST_CAVERS
from subterra_env.games.subterra.flat import FLAT, MOST_HEALTH, MOST_HURT, MOST_WAYS_ON, NEAR
from subterra_env.games.subterra.measures import (
    HORROR_NEARNESS,
    NEARNESS,
    cave_in_chance,
    write_goals,
    write_kind,
    write_one,
)
from subterra_env.games.subterra.rules.allowed import may_move, may_reveal
from subterra_env.games.subterra.rules.health import is_submerged
from subterra_env.games.subterra.rules.horrors import closest_victim
from subterra_env.games.subterra.rules.passages import ways_out
from subterra_env.games.subterra.rules.sides import HOW_MANY
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Kind, Side
from subterra_env.jit import compiled

_SIDES = len(Side)
_PER_CAVER, _PER_HEALTH, _PER_HURT = 1 / MOST_CAVERS, 1 / MOST_HEALTH, 1 / MOST_HURT
_PER_SIDE, _PER_WAY_ON, _PER_STEP, _PER_HIDE = 1 / _SIDES, 1 / MOST_WAYS_ON, 1 / NEAR, 1 / HIDES_BEFORE_SURE

(
    _WHO,
    _HEALTH,
    _MISSING,
    _CONSCIOUS,
    _HIDDEN,
    _HIDES_RUNNING,
    _SUBMERGED,
    _LOST,
    _OUT,
    _PROTECTED,
    _EXPOSED,
    _STARTS,
    _IN_TURN,
    _TURN_TO_COME,
    _GOALS,
    *_,
    _KIND,
    _FLOODED,
    _RUBBLE,
    _ROPE,
    _CAVE_IN,
    _COMPANY,
    _HURT,
    _UNEXPLORED,
) = FLAT.columns("me")
(
    _SIDE_CONNECTED,
    _SIDE_UNEXPLORED,
    _SIDE_WALK,
    _SIDE_HARD,
    _SIDE_KIND,
    _SIDE_FLOODED,
    _SIDE_RUBBLE,
    _SIDE_CAVE_IN,
    _SIDE_COMPANY,
    _SIDE_HURT,
    _SIDE_GOALS,
    *_,
    _SIDE_LEADS_ON,
) = FLAT.columns("side")
_SIDE_WIDTH = FLAT.section("side").width
(
    _OTHER_WHO,
    _OTHER_PLAYS,
    _OTHER_HEALTH,
    _OTHER_CONSCIOUS,
    _OTHER_HIDDEN,
    _OTHER_SUBMERGED,
    _OTHER_OUT,
    _OTHER_PLACE,
    _OTHER_NEAR,
    _OTHER_GOALS,
    *_,
    _OTHER_ON_WATER,
    _OTHER_ON_GAS,
    _OTHER_CAVE_IN,
    _OTHER_TURN_TO_COME,
    _OTHER_PROTECTED,
    _OTHER_EXPOSED,
) = FLAT.columns("other")
_OTHER_WIDTH = FLAT.section("other").width
_ABOUT, _WAITING, _STALKS, _HORROR_NEAR, _VICTIM_NEAR, _AFTER_ME = FLAT.columns("horror")
_HORROR_WIDTH = FLAT.section("horror").width
_WATER_EXIT, _WATER_FRONTIER = FLAT.columns("water")
_WATER_WIDTH = FLAT.section("water").width


@compiled
def write_me(state, eyes, measures, row):
    caver = state.cavers[eyes]
    write_one(row, _WHO, caver.who)
    row[_HEALTH] = caver.health * _PER_HEALTH
    row[_MISSING] = (HEALTH[caver.who] - caver.health) * _PER_HEALTH
    row[_CONSCIOUS] = (measures.conscious >> eyes) & 1
    row[_HIDDEN] = caver.hidden
    row[_HIDES_RUNNING] = min(caver.hides_running, HIDES_BEFORE_SURE) * _PER_HIDE
    row[_SUBMERGED] = is_submerged(state, eyes)
    row[_LOST] = caver.lost
    row[_OUT] = (measures.out >> eyes) & 1
    row[_PROTECTED] = (measures.guarded >> eyes) & 1
    row[_EXPOSED] = (measures.exposed >> eyes) & 1
    row[_STARTS] = state.first == eyes
    row[_IN_TURN] = state.seat == eyes
    row[_TURN_TO_COME] = (measures.to_come >> eyes) & 1


@compiled
def write_my_tile(state, eyes, measures, row):
    slot = state.cavers[eyes].slot
    tile = state.tiles[slot]
    write_goals(row, _GOALS, measures, slot)
    write_kind(row, _KIND, tile.kind)
    row[_FLOODED] = tile.flooded
    row[_RUBBLE] = tile.rubble
    row[_ROPE] = tile.rope
    row[_CAVE_IN] = cave_in_chance(tile)
    row[_COMPANY] = measures.company[slot] * _PER_CAVER
    row[_HURT] = min(measures.hurt[slot], MOST_HURT) * _PER_HURT
    row[_UNEXPLORED] = HOW_MANY[tile.open & tile.empty] * _PER_SIDE


@compiled
def write_sides(state, eyes, measures, row):
    slot = state.cavers[eyes].slot
    tile = state.tiles[slot]
    unexplored, walks = may_reveal(state, eyes), may_move(state, eyes)
    hard = ways_out(state, slot) & ~walks
    for side in range(_SIDES):
        at = side * _SIDE_WIDTH
        row[at + _SIDE_CONNECTED] = (tile.connected >> side) & 1
        row[at + _SIDE_UNEXPLORED] = (unexplored >> side) & 1
        row[at + _SIDE_WALK] = (walks >> side) & 1
        row[at + _SIDE_HARD] = (hard >> side) & 1
        write_beyond(state, tile.beside[side], measures, row, at)
        beyond = state.tiles[tile.beside[side]]
        leads_on = HOW_MANY[beyond.open & beyond.empty] * ((tile.connected >> side) & 1)
        row[at + _SIDE_LEADS_ON] = leads_on * _PER_WAY_ON


@compiled
def write_beyond(state, slot, measures, row, at):
    """The tile beside mine; the empty slot `NOWHERE` leaves all at 0."""
    tile = state.tiles[slot]
    write_kind(row, at + _SIDE_KIND, tile.kind)
    row[at + _SIDE_FLOODED] = tile.flooded
    row[at + _SIDE_RUBBLE] = tile.rubble
    row[at + _SIDE_CAVE_IN] = cave_in_chance(tile)
    row[at + _SIDE_COMPANY] = measures.company[slot] * _PER_CAVER
    row[at + _SIDE_HURT] = min(measures.hurt[slot], MOST_HURT) * _PER_HURT
    write_goals(row, at + _SIDE_GOALS, measures, slot)


@compiled
def write_distance(state, eyes, slot, row, at):
    """Where a tile lies seen from me; nothing if one of us is not on the board."""
    mine = state.cavers[eyes].slot
    if mine != NOWHERE and slot != NOWHERE:
        east = int(state.tiles[slot].x) - int(state.tiles[mine].x)
        north = int(state.tiles[slot].y) - int(state.tiles[mine].y)
        row[at] = min(max(east, -NEAR), NEAR) * _PER_STEP
        row[at + 1] = min(max(north, -NEAR), NEAR) * _PER_STEP


@compiled
def write_others(state, eyes, measures, row):
    for places in range(1, state.caver_count):
        seat = eyes + places if eyes + places < state.caver_count else eyes + places - state.caver_count
        at = (places - 1) * _OTHER_WIDTH
        write_other(state, seat, measures, row, at)
        slot = state.cavers[seat].slot
        if slot != NOWHERE:
            write_distance(state, eyes, slot, row, at + _OTHER_PLACE)
            write_where_other_is(state, slot, measures, row, at)


@compiled
def write_other(state, seat, measures, row, at):
    caver = state.cavers[seat]
    write_one(row, at + _OTHER_WHO, caver.who)
    row[at + _OTHER_PLAYS] = not caver.lost
    row[at + _OTHER_HEALTH] = caver.health * _PER_HEALTH
    row[at + _OTHER_CONSCIOUS] = (measures.conscious >> seat) & 1
    row[at + _OTHER_HIDDEN] = caver.hidden
    row[at + _OTHER_SUBMERGED] = is_submerged(state, seat)
    row[at + _OTHER_OUT] = (measures.out >> seat) & 1
    row[at + _OTHER_TURN_TO_COME] = (measures.to_come >> seat) & 1
    row[at + _OTHER_PROTECTED] = (measures.guarded >> seat) & 1
    row[at + _OTHER_EXPOSED] = (measures.exposed >> seat) & 1


@compiled
def write_where_other_is(state, slot, measures, row, at):
    tile = state.tiles[slot]
    row[at + _OTHER_NEAR] = NEARNESS[measures.from_me[slot]]
    write_goals(row, at + _OTHER_GOALS, measures, slot)
    row[at + _OTHER_ON_WATER] = tile.kind == Kind.WATER
    row[at + _OTHER_ON_GAS] = tile.kind == Kind.GAS
    row[at + _OTHER_CAVE_IN] = cave_in_chance(tile)


@compiled
def write_horrors(state, eyes, measures, row):
    for i in range(state.horror_count):
        at = i * _HORROR_WIDTH
        slot = state.horrors[i].slot
        steps, victim = closest_victim(state, slot)
        row[at + _ABOUT] = 1.0
        row[at + _WAITING] = state.horrors[i].waiting
        write_distance(state, eyes, slot, row, at + _STALKS)
        row[at + _HORROR_NEAR] = NEARNESS[measures.from_me[slot]]
        row[at + _VICTIM_NEAR] = HORROR_NEARNESS[steps]
        row[at + _AFTER_ME] = victim == eyes


@compiled
def write_water(state, measures, row):
    for k in range(state.water_count):
        at = k * _WATER_WIDTH
        row[at + _WATER_EXIT] = NEARNESS[measures.from_exit[state.water[k]]]
        row[at + _WATER_FRONTIER] = NEARNESS[measures.from_frontier[state.water[k]]]
