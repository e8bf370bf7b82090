"""Chapter 5, second part: drawing a tile and laying it (with Guide, 8.2, and Intuition, 8.3)."""

from subterra_env.games.subterra.box.tiles import (
    EXIT_TILE,
    NO_TILE,
    OPEN_SIDES,
    QUARTER_TURNS,
    TILE_KIND,
    TURNINGS,
)
from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.rules.passages import place_number, tile_at
from subterra_env.games.subterra.rules.reach import LOW_SLOTS, low_bit
from subterra_env.games.subterra.rules.sides import EAST_OF, HOW_MANY, NORTH_OF, has, only, opposite
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Caver, Chance, Kind, Node, Question, Side, Step
from subterra_env.jit import compiled

_SIDES = len(Side)


@rule("4.1", "5.4")
def has_a_tile_to_lay(state, seat):
    """The stack is not empty, or the geologist keeps a tile."""
    return state.places_left > 0 or keeps_a_tile(state, seat)


@rule("8.3")
def keeps_a_tile(state, seat):
    return state.cavers[seat].who == Caver.GEOLOGIST and state.reserve != NO_TILE


@rule("4.1", "5.2")
def begin_laying(state, side):
    """The actor's draw on a side: from the stack, or, if it is empty, the geologist's reserve."""
    state.side = side
    state.step = Step.PLACE
    if state.places_left > 0:
        draw(state)


@rule("4.1", "4.3")
def forget_laying(state):
    """The tile lies, or none is laid."""
    state.side = 0
    state.exploring = 0
    state.guided = 0
    state.drawn = NO_TILE
    state.turnings_drawn = 0
    state.turnings_reserve = 0


@rule("2.3")
def draw(state):
    """Chance decides which tile is drawn."""
    state.node = Node.CHANCE
    state.chance = Chance.TILE


@rule("2.3")
def take_from_stack(state, tile):
    """The tile that chance chose is no longer unseen."""
    if tile == EXIT_TILE:
        state.exit_in_stack = 0
    else:
        state.unseen[tile] -= 1
        state.unseen_total -= 1
    state.places_left -= 1


@rule("2.5", "8.3")
def tile_is_drawn(state, tile):
    """During setup the geologist keeps it; later it is the actor's to place."""
    take_from_stack(state, tile)
    if state.step == Step.ROUND_BEGINS:
        state.reserve = tile
    else:
        state.drawn = tile


@rule("5.2", "5.3", "5.4")
def place(state):
    """Asks how to lay the drawn tile or the one in reserve; a tile that fits nowhere is discarded for the next."""
    state.turnings_drawn = fitting_turnings(state, state.drawn)
    state.turnings_reserve = 0
    if keeps_a_tile(state, state.actor):
        state.turnings_reserve = fitting_turnings(state, state.reserve)
    if state.turnings_drawn | state.turnings_reserve:
        state.node = Node.ASK
        state.question = Question.PLACE
        state.asked = state.actor
    else:
        discard_or_give_up(state)


@rule("5.3", "5.4")
def discard_or_give_up(state):
    """The next tile is drawn; with an empty stack nothing is placed, and an explorer stays where it is."""
    if state.places_left > 0:
        state.drawn = NO_TILE
        draw(state)
    else:
        forget_laying(state)
        state.step = Step.ACTION_DONE


@rule("5.2", "5.3")
def fitting_turnings(state, tile):
    """The quarter turns in which a tile connects to the actor's tile and does not seal the cave."""
    if tile == NO_TILE:
        return 0
    turnings = TURNINGS[tile, state.side]
    if tile == EXIT_TILE:
        return turnings
    here = state.tiles[state.cavers[state.actor].slot]
    x, y = here.x + EAST_OF[state.side], here.y + NORTH_OF[state.side]
    empty, facing = surroundings(state, x, y)
    others = state.frontier - facing
    fitting = 0
    for turns in range(QUARTER_TURNS):
        remaining = others + HOW_MANY[OPEN_SIDES[tile, turns] & empty]
        if has(turnings, turns) and remaining > 0:
            fitting |= only(turns)
    return fitting


@compiled
def surroundings(state, x, y):
    """Of an empty place: the sides beyond which no tile lies, and how many open sides face the place."""
    empty, facing = 0, 0
    for side in range(_SIDES):
        slot = tile_at(state, x + EAST_OF[side], y + NORTH_OF[side])
        if slot == NOWHERE:
            empty |= only(side)
        elif has(state.tiles[slot].open, opposite(side)):
            facing += 1
    return empty, facing


@rule("8.2")
def may_discard(state):
    """The scout may refuse one drawn tile an action, three a game, not the exit, and not the last of the stack."""
    return (
        state.cavers[state.actor].who == Caver.SCOUT
        and state.guides_left > 0
        and not state.guided
        and state.drawn != EXIT_TILE
        and state.places_left > 0
    )


@rule("8.2")
def guide(state):
    state.guides_left -= 1
    state.guided = 1
    state.drawn = NO_TILE
    state.turnings_drawn = 0
    draw(state)


@rule("5.2")
def lay_drawn(state, turns):
    lay_before_actor(state, state.drawn, turns)


@rule("8.3", "5.4")
def lay_reserve(state, turns):
    """The drawn tile, if there is one, becomes the reserve."""
    tile = state.reserve
    state.reserve = state.drawn
    lay_before_actor(state, tile, turns)


@compiled
def lay_before_actor(state, tile, turns):
    here = state.tiles[state.cavers[state.actor].slot]
    lay(state, tile, turns, here.x + EAST_OF[state.side], here.y + NORTH_OF[state.side])


@rule("5.1", "5.2")
def lay(state, tile, turns, x, y):
    """A tile comes to lie on an empty place."""
    slot = state.tile_count
    state.tile_count += 1
    state.places[slot] = place_number(x, y)
    laid = state.tiles[slot]
    laid.type = tile
    laid.kind = TILE_KIND[tile]
    laid.turns = turns
    laid.x = x
    laid.y = y
    laid.open = OPEN_SIDES[tile, turns]
    for side in range(_SIDES):
        neighbour = tile_at(state, x + EAST_OF[side], y + NORTH_OF[side])
        laid.beside[side] = neighbour
        if neighbour == NOWHERE:
            laid.empty |= only(side)
            state.frontier += (laid.open >> side) & 1
        else:
            meet(state, slot, side, neighbour)
    list_by_kind(state, slot)


@compiled
def meet(state, slot, side, neighbour):
    """A new tile meets one that lies beside it already."""
    other = state.tiles[neighbour]
    back = opposite(side)
    other.beside[back] = slot
    other.empty &= ~only(back)
    if has(other.open, back):
        state.frontier -= 1
        if has(state.tiles[slot].open, side):
            connect(state, slot, side, neighbour)


@rule("5.1")
def connect(state, slot, side, neighbour):
    """Two tiles that share an edge are now open to each other."""
    state.tiles[slot].connected |= only(side)
    state.tiles[neighbour].connected |= only(opposite(side))
    state.adjacent[slot] |= low_bit(neighbour)
    state.adjacent[neighbour] |= low_bit(slot)
    if slot >= LOW_SLOTS and neighbour >= LOW_SLOTS:
        state.last_two_connected = 1


@compiled
def list_by_kind(state, slot):
    kind = state.tiles[slot].kind
    if kind == Kind.WATER:
        state.water[state.water_count] = slot
        state.water_count += 1
    elif kind == Kind.HORROR:
        state.horror_tiles[state.horror_tile_count] = slot
        state.horror_tile_count += 1
    elif kind == Kind.CAVE_IN:
        state.cave_ins[state.cave_in_count] = slot
        state.cave_in_count += 1
    elif kind == Kind.EXIT:
        state.exit_slot = slot
