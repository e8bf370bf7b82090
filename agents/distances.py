"""How far it is to walk to a tile in action points, by plain moves, and for a horror, compiled; see also `walks`.

The fields of `GROUND_FIELDS`, in a record of whoever looks, describe the cave for one decision. Sets of slots are two
words as in `rules.reach`: slots below 64 are bits of the first, the two beyond are bits of the second.
"""

from typing import Any

import numpy as np

from subterra_env.games.subterra.rules.passages import barred_side, leads_to
from subterra_env.games.subterra.rules.reach import LOW_SLOTS, NONE, high_bit, low_bit
from subterra_env.games.subterra.rules.sides import HOW_MANY
from subterra_env.games.subterra.state import NOWHERE, SLOTS
from subterra_env.games.subterra.terms import Kind
from subterra_env.jit import compiled, inlined, lowest_bit

FAR = 62
"""Farther than any walk: what cannot be reached is so far away."""
RING = 8
"""Costs under way at once: more than the dearest step costs, rubble dug away beyond a rope."""
MOST_BARS = 6
"""Ledges and slides in the box."""
MOST_EDGES = 2 * SLOTS
"""Every tile has four sides."""
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_THREE = np.uint64(3)

_SET: tuple[str, tuple[int, ...]] = ("u8", (2,))
_FIELD: tuple[str, tuple[int, ...]] = ("i1", (SLOTS + 1,))
GROUND_FIELDS: list[tuple[Any, ...]] = [
    ("ways", "u8", (SLOTS,)),  # slots below 64 that a caver on the slot can step to, bars respected
    ("back", "u8", (SLOTS,)),  # slots below 64 from which a caver can step onto the slot
    ("bars", "i8"),  # barred sides that lead to a tile
    ("bar_from", "i8", (MOST_BARS,)),  # the slot on which the caver would need a rope
    ("bar_to", "i8", (MOST_BARS,)),  # the slot beyond
    ("bar_free", "i8", (MOST_BARS,)),  # whether the step back takes no rope
    ("edges", "i8"),  # pairs of connected tiles without a barred side between them
    ("older", "u1", (MOST_EDGES,)),  # the slot of such a pair that was laid first
    ("newer", "u1", (MOST_EDGES,)),  # the other, in order
    ("loops", "i8"),  # pairs without which the cave would still hang together
    ("price", "u8", (SLOTS,)),  # points to enter the slot, a byte a caver
    ("rope_prices", "u8"),  # points to expect for a rope, a byte a caver
    ("walks", "u8", (SLOTS + 1,)),  # points from each caver to the slot, a byte a caver
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
    ("ring", "u8", (RING, 2)),  # slots to be settled at each cost, modulo RING
]


@inlined
def add(members, slot):
    """Puts a slot into a set."""
    members[0] |= low_bit(slot)
    members[1] |= high_bit(slot)


@inlined
def is_in(members, slot):
    return (members[0] & low_bit(slot)) | (members[1] & high_bit(slot)) != NONE


@compiled
def survey(state, ground):
    """What does not depend on who asks: ways, bars and the sides to explore through."""
    ground.bars = 0
    ground.rope_first[:] = NONE
    for slot in range(state.tile_count):
        ground.ways[slot] = state.adjacent[slot]
        ground.back[slot] = state.adjacent[slot]
    for slot in range(state.tile_count):
        tile = state.tiles[slot]
        ground.unexplored[slot] = tile.open & tile.empty
        if tile.kind == Kind.LEDGE or tile.kind == Kind.SLIDE:
            bar(state, ground, slot)
    for k in range(ground.bars):
        ground.bar_free[k] = ground.ways[ground.bar_to[k]] & low_bit(ground.bar_from[k]) != NONE
    list_edges(state, ground)


@compiled
def list_edges(state, ground):
    """The pairs of tiles between which a caver can step both ways."""
    count, loops = 0, 0
    for newer in range(1, state.tile_count):
        connected = ground.ways[newer] & ground.back[newer]
        if newer < LOW_SLOTS:
            connected &= low_bit(newer) - _ONE
        pairs = count
        while connected != NONE:
            ground.older[count], ground.newer[count] = lowest_bit(connected), newer
            connected &= connected - _ONE
            count += 1
        loops += max(0, count - pairs - 1)
    if state.last_two_connected:
        ground.older[count], ground.newer[count] = LOW_SLOTS, LOW_SLOTS + 1
        count += 1
        loops += 1
    ground.edges, ground.loops = count, loops


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
def sort_by_price(state, ground):
    """Which tiles cost two points to enter and which three, if they cost everybody the same."""
    ground.two[:] = NONE
    ground.three[:] = NONE
    for slot in range(state.tile_count):
        price = ground.price[slot] & _THREE
        if price == _THREE:
            add(ground.three, slot)
        elif price == _TWO:
            add(ground.two, slot)


@compiled
def entry_price(ground, slot):
    """Points to enter a tile from the next one."""
    if is_in(ground.three, slot):
        return 3
    return 2 if is_in(ground.two, slot) else 1


@inlined
def forget_field(field):
    for slot in range(SLOTS + 1):
        field[slot] = FAR


@inlined
def spread(state, low, high, ways, back, field, cost):
    """Writes the cost of the slots of a set; the slots one step beyond, along ``ways``.

    ``back`` are the same steps seen from the far end.
    """
    out_low, out_high = NONE, NONE
    if state.tile_count > LOW_SLOTS:
        out_low, out_high = spread_high(state, low, high, ways, back, field, cost)
    while low != NONE:
        slot = lowest_bit(low)
        field[slot] = cost
        out_low |= ways[slot]
        low &= low - _ONE
    return out_low, out_high


@compiled
def spread_high(state, low, high, ways, back, field, cost):
    """The part of `spread` that the slots beyond the first word have in it."""
    out_low, out_high = NONE, NONE
    for k in range(state.tile_count - LOW_SLOTS):
        if low & back[LOW_SLOTS + k] != NONE:
            out_high |= _ONE << np.uint64(k)
        if (high >> np.uint64(k)) & _ONE:
            field[LOW_SLOTS + k] = cost
            out_low |= ways[LOW_SLOTS + k]
    if state.last_two_connected:
        out_high |= ((high & _ONE) << _ONE) | (high >> _ONE)
    return out_low, out_high


@compiled
def walk_to(state, ground, slot, field, farthest, starts_low, starts_high):
    """Writes the points it takes to walk to a tile from every tile at most so far away; `FAR` for all others.

    When it has found all tiles of the set ``starts_…``, it stops: tiles farther away may then be `FAR` too.
    """
    forget_field(field)
    dear_low, dear_high = ground.two[0] | ground.three[0], ground.two[1] | ground.three[1]
    open_low, open_high = ~ground.shut[0], ~ground.shut[1]
    next_low, next_high = low_bit(slot), high_bit(slot)
    ground.ring[:] = NONE
    cost, latest = 0, 0
    while cost <= min(latest, farthest) and (open_low & starts_low | open_high & starts_high != NONE):
        low, high = waiting(ground, cost)
        low, high = (low | next_low) & open_low, (high | next_high) & open_high
        open_low &= ~low
        open_high &= ~high
        out_low, out_high = spread(state, low & ~dear_low, high & ~dear_high, ground.back, ground.ways, field, cost)
        next_low, next_high = out_low & open_low, out_high & open_high
        if next_low | next_high != NONE:
            latest = max(latest, cost + 1)
        if low & dear_low | high & dear_high != NONE:
            for price, dear in ((2, ground.two), (3, ground.three)):
                out_low, out_high = spread(state, low & dear[0], high & dear[1], ground.back, ground.ways, field, cost)
                queue(ground, cost + price, out_low, out_high)
            latest = max(latest, cost + 3)
        if (low | high != NONE) and ground.bars > 0:
            latest = max(latest, queue_roped_steps(ground, low, high, ground.bar_to, ground.bar_from, cost))
        cost += 1


@inlined
def waiting(ground, cost):
    """Takes the slots that were to be settled at a cost."""
    now = cost % RING
    low, high = ground.ring[now, 0], ground.ring[now, 1]
    ground.ring[now] = NONE
    return low, high


@inlined
def queue(ground, cost, low, high):
    ground.ring[cost % RING, 0] |= low
    ground.ring[cost % RING, 1] |= high


@compiled
def queue_roped_steps(ground, low, high, near, far, cost):
    """Queues the steps through barred sides whose near end has just been settled; the highest cost of them, or 0."""
    latest = 0
    for k in range(ground.bars):
        if low & low_bit(near[k]) | high & high_bit(near[k]) != NONE:
            reached = cost + ground.rope_price + entry_price(ground, ground.bar_to[k])
            queue(ground, reached, low_bit(far[k]), high_bit(far[k]))
            latest = max(latest, reached)
    return latest


@compiled
def plain_steps_from(state, ground, slot, field, farthest):
    """Writes the steps from a tile by plain moves: what a run or sprint can do."""
    forget_field(field)
    low, high = low_bit(slot), high_bit(slot)
    open_low = ~(ground.shut[0] | ground.two[0] | ground.three[0])
    open_high = ~(ground.shut[1] | ground.two[1] | ground.three[1])
    for steps in range(farthest + 1):
        if low | high == NONE:
            return
        open_low &= ~low
        open_high &= ~high
        low, high = spread(state, low, high, ground.ways, ground.back, field, steps)
        low &= open_low
        high &= open_high


@compiled
def steps_from(state, low, high, field, farthest):
    """Writes the steps from the nearest slot of a set, walls alone in the way (6.2): how horrors count."""
    forget_field(field)
    open_low, open_high = ~NONE, ~NONE
    for steps in range(farthest + 1):
        if low | high == NONE:
            return
        open_low &= ~low
        open_high &= ~high
        low, high = spread(state, low, high, state.adjacent, state.adjacent, field, steps)
        low &= open_low
        high &= open_high


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
    forget_field(ground.refuge)
    open_low, open_high = ~ground.shut[0], ~ground.shut[1]
    for steps in range(farthest + 1):
        low &= open_low
        high &= open_high
        if low | high == NONE:
            return
        open_low &= ~low
        open_high &= ~high
        low, high = spread(state, low, high, ground.back, ground.ways, ground.refuge, steps)
