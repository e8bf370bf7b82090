"""Luck by counting: every chance outcome is a hash of the hidden key and the name of the event.

"The k-th tile of the stack", "hazard card k", "the n-th die that seat s rolls for p in round r": two agents on the same
key meet the same luck however differently they play, and one roll more shifts no other.
"""

import numpy as np

from subterra_env.games.subterra.box.hazards import CARDS
from subterra_env.games.subterra.box.tiles import EXIT_TILE, LAST_PLACES, TILE_TYPES
from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.state import STATE
from subterra_env.games.subterra.terms import Chance
from subterra_env.jit import compiled, gate, wrapping

DIE_SIDES = 6
_TILE_TYPES = len(TILE_TYPES)
_EXIT_EVENT, _FIRST_EVENT = 4, 5
_SEATS, _DICE_A_ROUND = 16, 128
_HALF = np.uint64(32)


@wrapping
def mixed(word):
    """The 64-bit finaliser of SplitMix (Steele, Lea and Flood 2014), after David Stafford's variant 13."""
    word ^= word >> np.uint64(30)
    word *= np.uint64(0xBF58476D1CE4E5B9)
    word ^= word >> np.uint64(27)
    word *= np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@wrapping
def pick(key, event, number, detail, limit):
    """A number from 0 to ``limit`` - 1, uniform over keys, for one named event."""
    name = (np.uint64(event) << np.uint64(56)) | (np.uint64(detail) << np.uint64(32)) | np.uint64(number)
    word = mixed(mixed(key + np.uint64(0x9E3779B97F4A7C15)) + name * np.uint64(0xD1342543DE82EF95))
    return np.int64(((word >> _HALF) * np.uint64(limit)) >> _HALF)


@rule("2.6")
def drawn_first(key, caver_count):
    """The seat of the starting caver, where it is drawn."""
    return pick(key, _FIRST_EVENT, 0, 0, caver_count)


@rule("2.3")
def exit_is_due(state):
    """The exit may be the next tile: it is in the stack, and six places or fewer are left."""
    return state.exit_in_stack and state.places_left <= LAST_PLACES


@rule("2.3")
def drawn_tile(state):
    place = state.places_left
    if exit_is_due(state) and pick(state.luck, _EXIT_EVENT, place, 0, place) == 0:
        return EXIT_TILE
    return pick_by_count(state.unseen, _TILE_TYPES, pick(state.luck, Chance.TILE, place, 0, state.unseen_total))


@rule("2.4")
def drawn_card(state):
    total = 0
    for card in range(CARDS):
        total += state.unseen_cards[card]
    return pick_by_count(state.unseen_cards, CARDS, pick(state.luck, Chance.HAZARD, state.cards_used, 0, total))


@compiled
def pick_by_count(counts, kinds, number):
    """The kind that item ``number`` has when the items lie in the order of their kinds."""
    for kind in range(kinds):
        number -= counts[kind]
        if number < 0:
            return kind
    return 0


@rule("3.4")
def rolled_die(state):
    nth = state.rolls[state.check, state.checker]
    detail = (int(state.check) * _SEATS + int(state.checker)) * _DICE_A_ROUND + int(nth)
    return 1 + pick(state.luck, Chance.DIE, state.round_number, detail, DIE_SIDES)


@gate(STATE, result=True)
def lucky_outcome(state):
    """What the luck key makes of the chance event that the state stands at: a tile type, a card number or a die."""
    if state.chance == Chance.TILE:
        return drawn_tile(state)
    if state.chance == Chance.HAZARD:
        return drawn_card(state)
    return rolled_die(state)
