"""Chapter 2: what lies where before the first round."""

from subterra_env.games.subterra.box.cavers import EXPLOSIVES, GUIDES, HEALTH
from subterra_env.games.subterra.box.hazards import CARDS, DEALT, POOL
from subterra_env.games.subterra.box.tiles import NO_TILE, START_TILE, TILE_COUNT, TILE_TYPES
from subterra_env.games.subterra.luck import drawn_first
from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.rules.placing import draw, lay
from subterra_env.games.subterra.state import NOBODY, NOWHERE
from subterra_env.games.subterra.terms import Caver, Node, Side, Step

_TILE_TYPES = len(TILE_TYPES)
_SIDES = len(Side)
START = 0
"""Slot of the start tile."""
NO_PLACE = -32768
"""What `places` holds for a slot without a tile: no place on the table has this number."""


@rule("2")
def set_the_table(state):
    """From a record that holds what was agreed and the luck key, and is zero otherwise."""
    clear_the_table(state)
    lay(state, START_TILE, 0, 0, 0)
    fill_stack(state)
    deal_hazards(state)
    seat_cavers(state)
    choose_first(state)
    state.step = Step.ROUND_BEGINS
    if has_geologist(state):
        draw(state)


@rule("2.1")
def clear_the_table(state):
    state.exit_slot = NOWHERE
    for slot in range(NOWHERE):
        state.places[slot] = NO_PLACE
    for slot in range(NOWHERE + 1):
        for side in range(_SIDES):
            state.tiles[slot].beside[side] = NOWHERE
    state.seat = NOBODY
    state.actor = NOBODY
    state.asked = NOBODY
    state.checker = NOBODY
    state.guides_left = GUIDES
    state.explosives_left = EXPLOSIVES
    state.node = Node.RUNNING


@rule("2.3", "2.7")
def fill_stack(state):
    """All 64 are unseen, also those that a smaller stack leaves in the box."""
    state.unseen_total = 0
    for tile in range(_TILE_TYPES):
        state.unseen[tile] = TILE_COUNT[state.rules, tile]
        state.unseen_total += state.unseen[tile]
    state.places_left = state.stack_tiles + 1
    state.exit_in_stack = 1
    state.reserve = NO_TILE


@rule("2.4", "1.2", "1.3")
def deal_hazards(state):
    for card in range(CARDS):
        state.unseen_cards[card] = POOL[state.difficulty, card]
    state.cards_left = DEALT[state.caver_count, state.difficulty] + state.extra_hazard_cards


@rule("2.1", "1.4")
def seat_cavers(state):
    """All stand on the start at full health."""
    for seat in range(state.caver_count):
        caver = state.cavers[seat]
        caver.health = HEALTH[caver.who]
        caver.slot = START
        caver.dived_from = NOWHERE
    for seat in range(state.caver_count, NOBODY):
        state.cavers[seat].slot = NOWHERE
        state.cavers[seat].dived_from = NOWHERE


@rule("2.6")
def choose_first(state):
    """The agreed seat, or, where none was agreed, one drawn at random."""
    if state.first_at_setup == NOBODY:
        state.first_at_setup = drawn_first(state.luck, state.caver_count)
    state.first = state.first_at_setup


@rule("2.5")
def has_geologist(state):
    for seat in range(state.caver_count):
        if state.cavers[seat].who == Caver.GEOLOGIST:
            return True
    return False
