"""How far it is to walk: action points from tile to tile for one caver, and steps for a horror, compiled.

A `GROUND` is scratch space that describes the cave for one decision. Sets of slots are two words as in `rules.reach`:
slots below 64 are bits of the first, the two beyond are bits of the second.
"""

from typing import Any

import numpy as np

from subterra_env.games.subterra.rules.passages import barred_side, leads_to
from subterra_env.games.subterra.rules.reach import LOW_SLOTS, NONE, high_bit, low_bit
from subterra_env.games.subterra.rules.sides import HOW_MANY
from subterra_env.games.subterra.state import NOWHERE, SLOTS
from subterra_env.games.subterra.terms import Caver, Kind
from subterra_env.jit import compiled, lowest_bit

FAR = 100
"""Farther than any walk: what cannot be reached is so far away."""
RING = 8
"""Costs under way at once: more than the dearest step costs, rubble dug away beyond a rope."""
MOST_BARS = 6
"""Ledges and slides in the box."""
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_HIGH_SLOTS = SLOTS - LOW_SLOTS

_SET: tuple[str, tuple[int, ...]] = ("u8", (2,))
_FIELD: tuple[str, tuple[int, ...]] = ("i1", (SLOTS + 1,))
GROUND_FIELDS: list[tuple[Any, ...]] = [
    ("ways", "u8", (SLOTS,)),  # slots below 64 that a caver on the slot can step to, bars respected
    ("back", "u8", (SLOTS,)),  # slots below 64 from which a caver can step onto the slot
    ("bars", "i8"),  # barred sides that lead to a tile
    ("bar_from", "i8", (MOST_BARS,)),  # the slot on which the caver would need a rope
    ("bar_to", "i8", (MOST_BARS,)),  # the slot beyond
    ("rope_price", "i8"),  # points to expect for a rope
    ("rope_first", *_SET),  # slots whose one side to explore through needs a rope
    ("two", *_SET),  # slots that cost the caver asked about two points to enter
    ("three", *_SET),  # slots that cost three: rubble to dig away first
    ("shut", *_SET),  # slots the caver must not enter: horrors
    ("unexplored", *_FIELD),  # sides to explore through, once roped where needed, a set a slot
    ("walk", *_FIELD),  # points from the caver to the slot
    ("plain", *_FIELD),  # steps from the caver to the slot by plain moves only
    ("goal", *_FIELD),  # points from the slot to the goal
    ("out", *_FIELD),  # points from the slot to the exit
    ("horror", *_FIELD),  # steps from the slot to the nearest horror
    ("refuge", *_FIELD),  # steps from the slot to the nearest refuge from horrors
    ("steps", *_FIELD),  # scratch: steps from some slot
    ("open", *_SET),  # slots not yet settled, and not shut
    ("fresh", *_SET),  # slots settled last
    ("ring", "u8", (RING, 2)),  # slots to be settled at each cost, modulo RING
]
GROUND = np.dtype((np.record, np.dtype(GROUND_FIELDS, align=True)))


@compiled
def add(members, slot):
    """Puts a slot into a set."""
    members[0] |= low_bit(slot)
    members[1] |= high_bit(slot)


@compiled
def is_in(members, slot):
    return (members[0] & low_bit(slot)) | (members[1] & high_bit(slot)) != NONE


@compiled
def survey(state, ground):
    """What does not depend on who asks: ways, bars and the sides to explore through."""
    ground.bars = 0
    for slot in range(state.tile_count):
        ground.ways[slot] = state.adjacent[slot]
        ground.back[slot] = state.adjacent[slot]
    for slot in range(state.tile_count):
        tile = state.tiles[slot]
        ground.unexplored[slot] = tile.open & tile.empty
        if tile.kind == Kind.LEDGE or tile.kind == Kind.SLIDE:
            bar(state, ground, slot)


@compiled
def bar(state, ground, slot):
    """Takes the step through a barred side away, on both of its ends, and remembers it."""
    barred = barred_side(state, slot)
    if barred == 0:
        return
    beyond = leads_to(state, slot, side_of(barred))
    if beyond == NOWHERE:
        if ground.unexplored[slot] == barred:
            add(ground.rope_first, slot)
        else:
            ground.unexplored[slot] &= ~barred
    elif state.tiles[slot].connected & barred:
        ground.ways[slot] &= ~low_bit(beyond)
        ground.back[beyond] &= ~low_bit(slot)
        ground.bar_from[ground.bars] = slot
        ground.bar_to[ground.bars] = beyond
        ground.bars += 1


@compiled
def side_of(sides):
    """The lowest side of a set."""
    return HOW_MANY[(sides & -sides) - 1]


@compiled
def price_entering(state, ground, seat):
    """What entering each tile costs a caver: swims and squeezes two, rubble three, horrors are out of the question."""
    who = state.cavers[seat].who
    ground.rope_price = 1 if who == Caver.CLIMBER else 2
    ground.two[:] = NONE
    ground.three[:] = NONE
    ground.shut[:] = NONE
    for slot in range(state.tile_count):
        tile = state.tiles[slot]
        dear = (tile.flooded and who != Caver.DIVER) or tile.kind == Kind.ROUGH_TERRAIN
        dear = dear or (tile.kind == Kind.SQUEEZE and who != Caver.CLIMBER)
        buried = tile.rubble and who != Caver.CLIMBER
        if (buried and who != Caver.GEOLOGIST) or (state.gas_out and tile.kind == Kind.GAS):
            add(ground.three, slot)
        elif dear or buried:
            add(ground.two, slot)
    if who != Caver.SCOUT:
        for i in range(state.horror_count):
            add(ground.shut, state.horrors[i].slot)


@compiled
def entry_price(ground, slot):
    """Points to enter a tile from the next one."""
    if is_in(ground.three, slot):
        return 3
    return 2 if is_in(ground.two, slot) else 1


@compiled
def forget_field(state, field):
    for slot in range(state.tile_count):
        field[slot] = FAR
    field[NOWHERE] = FAR


@compiled
def start_walk(state, ground, slot, field):
    """Nothing is settled yet, and one tile waits, at no cost."""
    forget_field(state, field)
    ground.open[0], ground.open[1] = ~ground.shut[0], ~ground.shut[1]
    ground.ring[:] = NONE
    ground.ring[0, 0] = low_bit(slot)
    ground.ring[0, 1] = high_bit(slot)


@compiled
def settle(low, high, field, cost):
    """Writes the cost of the slots of a set."""
    while low != NONE:
        field[lowest_bit(low)] = cost
        low &= low - _ONE
    if high & _ONE:
        field[LOW_SLOTS] = cost
    if high & _TWO:
        field[LOW_SLOTS + 1] = cost


@compiled
def settle_next(ground, field, cost):
    """Settles the tiles that wait at a cost and are still open, and leaves them in `fresh`; whether there are any."""
    now = cost % RING
    low, high = ground.ring[now, 0] & ground.open[0], ground.ring[now, 1] & ground.open[1]
    ground.ring[now] = NONE
    ground.open[0] &= ~low
    ground.open[1] &= ~high
    ground.fresh[0], ground.fresh[1] = low, high
    settle(low, high, field, cost)
    return low | high != NONE


@compiled
def stepped(state, ways, back, low, high):
    """The slots one step beyond a set, along ``ways``; ``back`` are the same steps seen from the far end."""
    out_low, out_high = NONE, NONE
    rest = low
    while rest != NONE:
        out_low |= ways[lowest_bit(rest)]
        rest &= rest - _ONE
    for k in range(state.tile_count - LOW_SLOTS):
        if low & back[LOW_SLOTS + k] != NONE:
            out_high |= _ONE << np.uint64(k)
        if (high >> np.uint64(k)) & _ONE:
            out_low |= ways[LOW_SLOTS + k]
    if state.last_two_connected:
        out_high |= ((high & _ONE) << _ONE) | (high >> _ONE)
    return out_low, out_high


@compiled
def walk_from(state, ground, slot, field, farthest):
    """Writes the points it takes to walk from a tile to every tile at most so far away; `FAR` for all others."""
    start_walk(state, ground, slot, field)
    dear_low, dear_high = ground.two[0] | ground.three[0], ground.two[1] | ground.three[1]
    empty_costs, cost = 0, 0
    while empty_costs < RING and cost <= farthest:
        empty_costs += 1
        if settle_next(ground, field, cost):
            empty_costs = 0
            low, high = ground.fresh[0], ground.fresh[1]
            low, high = stepped(state, ground.ways, ground.back, low, high)
            queue(ground, cost + 1, low & ~dear_low, high & ~dear_high)
            queue(ground, cost + 2, low & ground.two[0], high & ground.two[1])
            queue(ground, cost + 3, low & ground.three[0], high & ground.three[1])
            queue_roped_steps(ground, ground.bar_from, ground.bar_to, cost)
        cost += 1


@compiled
def queue_roped_steps(ground, near, far, cost):
    """The steps through barred sides whose near end has just been settled at a cost."""
    for k in range(ground.bars):
        if ground.fresh[0] & low_bit(near[k]) | ground.fresh[1] & high_bit(near[k]) != NONE:
            price = ground.rope_price + entry_price(ground, ground.bar_to[k])
            queue(ground, cost + price, low_bit(far[k]), high_bit(far[k]))


@compiled
def walk_to(state, ground, slot, field, farthest):
    """Writes the points it takes to walk from every tile at most so far away to a tile; `FAR` for all others."""
    start_walk(state, ground, slot, field)
    dear_low, dear_high = ground.two[0] | ground.three[0], ground.two[1] | ground.three[1]
    empty_costs, cost = 0, 0
    while empty_costs < RING and cost <= farthest:
        empty_costs += 1
        if settle_next(ground, field, cost):
            empty_costs = 0
            low, high = ground.fresh[0], ground.fresh[1]
            queue_steps_back(state, ground, cost + 1, low & ~dear_low, high & ~dear_high)
            queue_steps_back(state, ground, cost + 2, low & ground.two[0], high & ground.two[1])
            queue_steps_back(state, ground, cost + 3, low & ground.three[0], high & ground.three[1])
            queue_roped_steps(ground, ground.bar_to, ground.bar_from, cost)
        cost += 1


@compiled
def plain_steps_from(state, ground, slot, field, farthest):
    """Writes the steps from a tile by plain moves: what a run or sprint can do."""
    forget_field(state, field)
    low, high = low_bit(slot), high_bit(slot)
    open_low = ~(ground.shut[0] | ground.two[0] | ground.three[0])
    open_high = ~(ground.shut[1] | ground.two[1] | ground.three[1])
    for steps in range(farthest + 1):
        if low | high == NONE:
            return
        open_low &= ~low
        open_high &= ~high
        settle(low, high, field, steps)
        low, high = stepped(state, ground.ways, ground.back, low, high)
        low &= open_low
        high &= open_high


@compiled
def queue(ground, cost, low, high):
    ground.ring[cost % RING, 0] |= low
    ground.ring[cost % RING, 1] |= high


@compiled
def queue_steps_back(state, ground, cost, low, high):
    """The tiles from which a set is entered, at what entering it costs."""
    if low | high != NONE:
        low, high = stepped(state, ground.back, ground.ways, low, high)
        queue(ground, cost, low, high)


@compiled
def steps_from(state, low, high, field, farthest):
    """Writes the steps from the nearest slot of a set, walls alone in the way (6.2): how horrors count."""
    forget_field(state, field)
    done_low, done_high = NONE, NONE
    for steps in range(farthest + 1):
        low &= ~done_low
        high &= ~done_high
        if low | high == NONE:
            return
        done_low |= low
        done_high |= high
        settle(low, high, field, steps)
        low, high = stepped(state, state.adjacent, state.adjacent, low, high)


@compiled
def steps_from_horrors(state, ground, farthest):
    low, high = NONE, NONE
    for i in range(state.horror_count):
        low |= low_bit(state.horrors[i].slot)
        high |= high_bit(state.horrors[i].slot)
    steps_from(state, low, high, ground.horror, farthest)


@compiled
def steps_to_refuge(state, ground, safe_steps, farthest):
    """Writes the steps to the nearest tile that horrors are so far from, or that has a side to flee through.

    Tiles with horrors are in the way, as are barred sides.
    """
    low, high = NONE, NONE
    for slot in range(state.tile_count):
        escape = state.places_left > 0 and ground.unexplored[slot] and ground.horror[slot] > 1
        if escape or ground.horror[slot] > safe_steps:
            low |= low_bit(slot)
            high |= high_bit(slot)
    forget_field(state, ground.refuge)
    open_low, open_high = ~ground.shut[0], ~ground.shut[1]
    for steps in range(farthest + 1):
        low &= open_low
        high &= open_high
        if low | high == NONE:
            return
        open_low &= ~low
        open_high &= ~high
        settle(low, high, ground.refuge, steps)
        low, high = stepped(state, ground.back, ground.ways, low, high)
