"""One game as one NumPy record: what lies on the table, what is asked, and the hidden luck key.

Every field has its sentence in ``FIELDS``; the documentation page of the state is made from it. Decks are counts of
what nobody has seen yet: their order does not exist until it is drawn (rulebook 2).
"""

from typing import Any

import numpy as np

from subterra_env.games.subterra.box.cavers import MOST_CAVERS, MOST_HORRORS
from subterra_env.games.subterra.box.hazards import CARDS
from subterra_env.games.subterra.box.tiles import (
    MOST_CAVE_IN,
    MOST_HORROR_TILES,
    MOST_WATER,
    SIDES,
    STACK_TILES,
    TILE_TYPES,
)
from subterra_env.games.subterra.terms import Check

SLOTS = STACK_TILES + 2
"""Start, the 64 of the stack, and the exit can all lie on the table."""
NOWHERE = SLOTS
"""The slot of no tile: always empty, so that looking at it is harmless."""
NOBODY = MOST_CAVERS
"""The seat of no caver: a seat number one past the last."""

_TILE: list[tuple[str, Any, str]] = [
    ("type", "i1", "number of the tile type in `box.tiles.TILE_TYPES`"),
    ("kind", "i1", "`Kind`; `NOTHING` if no tile lies in this slot"),
    ("turns", "i1", "quarter turns clockwise"),
    ("x", "i1", "east of the start"),
    ("y", "i1", "north of the start"),
    ("open", "i1", "open sides, bit s for side s, blasted ones included"),
    ("blasted", "i1", "sides opened by explosives"),
    ("connected", "i1", "sides on which the next tile is connected (5.1)"),
    ("empty", "i1", "sides beyond which no tile lies"),
    ("flooded", "i1", "has a flood marker"),
    ("rubble", "i1", "has a rubble marker"),
    ("rope", "i1", "has a rope"),
    ("beside", ("i1", (SIDES,)), "slot of the tile beyond each side, `NOWHERE` if none"),
]

_CAVER: list[tuple[str, Any, str]] = [
    ("who", "i1", "`Caver`"),
    ("health", "i1", "health left"),
    ("slot", "i1", "slot of the tile it is on; `NOWHERE` if submerged or lost"),
    ("dived_from", "i1", "slot a submerged diver left; `NOWHERE` otherwise"),
    ("hidden", "i1", "hides until the End phase (4.10)"),
    ("hides_running", "i1", "own turns running in which it hid (4.10)"),
    ("lost", "i1", "removed from the game (7.6)"),
]

_HORROR: list[tuple[str, Any, str]] = [
    ("slot", "i1", "slot of the tile it is on"),
    ("waiting", "i1", "has yet to move in the present row of moves"),
]

_GAME: list[tuple[str, Any, str]] = [
    ("luck", "u8", "hidden: the key that every chance outcome is derived from"),
    ("legal", ("u8", (2,)), "legal answers to the present question, bit a of the two words for action id a"),
    ("adjacent", ("u8", (SLOTS,)), "for each slot the connected slots below 64, as bits"),
    ("last_two_connected", "i1", "whether slots 64 and 65 are connected"),
    # what was agreed before setup
    ("rules", "i1", "`RuleSet`"),
    ("difficulty", "i1", "`Difficulty`"),
    ("extra_hazard_cards", "i1", "dealt beyond the number of 1.3"),
    ("stack_tiles", "i1", "tiles in the stack, the exit apart"),
    ("hidden_cavers_are_passed_by", "i1", "option of 6.6"),
    ("horror_choices", "i1", "`HorrorChoices`"),
    ("out_of_time", "i1", "`OutOfTime`"),
    ("stop_when_conscious_are_out", "i1", "option of 9.1"),
    ("max_rounds", "i2", "safety limit of 9.3"),
    ("caver_count", "i1", "seats taken"),
    ("first_at_setup", "i1", "seat of the first starting caver"),
    # stack and hazard deck
    ("unseen", ("i1", (len(TILE_TYPES),)), "tiles of each type that nobody has seen"),
    ("unseen_total", "i1", "their sum"),
    ("places_left", "i1", "places left in the stack"),
    ("exit_in_stack", "i1", "the exit has not been drawn"),
    ("reserve", "i1", "tile type the geologist keeps; `NO_TILE` if none"),
    ("unseen_cards", ("i1", (CARDS,)), "hazard cards of each number that nobody has seen"),
    ("cards_left", "i1", "dealt and not yet used"),
    ("cards_used", "i1", "hazard cards drawn so far"),
    # the cave
    ("tile_count", "i1", "tiles on the table; their slots are 0, 1, … in order of placing"),
    ("frontier", "i2", "open sides that face an empty place"),
    ("exit_slot", "i1", "slot of the exit; `NOWHERE` if it does not lie yet"),
    ("water_count", "i1", "water tiles on the table"),
    ("horror_tile_count", "i1", "horror tiles on the table"),
    ("cave_in_count", "i1", "cave-in tiles on the table"),
    ("water", ("i1", (MOST_WATER,)), "their slots, in order of placing"),
    ("horror_tiles", ("i1", (MOST_HORROR_TILES,)), "their slots, in order of placing"),
    ("cave_ins", ("i1", (MOST_CAVE_IN,)), "their slots, in order of placing"),
    ("places", ("i2", (SLOTS,)), "256 x + y of each slot, for looking places up"),
    ("tiles", None, "one record a slot, and an empty one for `NOWHERE`"),
    ("cavers", None, "one record a seat"),
    ("horror_count", "i1", "horrors on the table"),
    ("horrors", None, "oldest first"),
    # round and turn
    ("round_number", "i2", "rounds begun"),
    ("phase", "i1", "`Phase`"),
    ("first", "i1", "seat of the starting caver"),
    ("marker_passed", "i1", "the starting caver was lost in this round: its marker has passed already"),
    ("gas_out", "i1", "gas is out (7.3)"),
    ("turns_taken", "i1", "cavers, from the starting one on, whose turn of this round has come"),
    ("seat", "i1", "whose turn it is; `NOBODY` outside the Action phase"),
    ("points", "i1", "action points left"),
    ("exerted", "i1", "has exerted in this turn"),
    ("directed", "i1", "the leader has directed in this turn"),
    ("hid", "i1", "has used hide in this turn"),
    ("surfaced", "i1", "this turn is spent surfacing"),
    ("guides_left", "i1", "uses of Guide left"),
    ("explosives_left", "i1", "explosives left"),
    # the action under way
    ("actor", "i1", "seat of the caver whose action is under way: the turn's, or the directed one"),
    ("side", "i1", "side on which a tile is being laid"),
    ("exploring", "i1", "the actor will step onto the tile being laid"),
    ("guided", "i1", "a tile has been discarded by Guide in this action"),
    ("drawn", "i1", "tile type drawn and not yet laid; `NO_TILE` if none"),
    ("turnings_drawn", "i1", "quarter turns in which the drawn tile may be laid, as bits"),
    ("turnings_reserve", "i1", "the same for the tile in reserve"),
    ("moves_left", "i1", "moves left of a run, sprint or single step"),
    # rows of checks, moves and repeats
    ("checks_first", "i1", "seat that the present row of checks began with"),
    ("checks_done", "i1", "seats of that row already passed"),
    ("card", "i1", "hazard card being resolved"),
    ("repeats_left", "i1", "times it is still to be resolved; for a horror card, rows of moves"),
    ("spawns_left", "i1", "horrors still to spawn"),
    ("moving", "i1", "index of the horror about to move"),
    ("ways", "i1", "sides it may take, as bits"),
    ("spawn_tiles", "i2", "horror tiles that may spawn, bit k for the k-th of `horror_tiles`"),
    # what the game stands at
    ("node", "i1", "`Node`"),
    ("question", "i1", "`Question`, if something is asked"),
    ("asked", "i1", "seat that is asked; `NOBODY` if none"),
    ("chance", "i1", "`Chance`, if chance is to decide"),
    ("check", "i1", "`Check`: what the die is for"),
    ("checker", "i1", "seat that rolls; `NOBODY` for a cave-in"),
    ("step", "i1", "`Step`: where the rules go on"),
    ("ending", "i1", "`Ending`"),
    ("rolls", ("i1", (len(Check), MOST_CAVERS + 1)), "dice rolled in this round for each purpose by each seat"),
]


_WORD_BYTES = 8
FILLER = "filler"
"""Name of the zero bytes that make a game a whole number of words, so that the games of an array are aligned."""


def _dtype(fields: list[tuple[str, Any, str]], nested: dict[str, Any], whole_words: bool = False) -> np.dtype[Any]:
    """Widest numbers first and without holes: the bytes of a hole would be no part of the game, yet be compared."""
    plain = [np.dtype([(name, *_form(nested.get(name, form)))]) for name, form, _ in fields]
    plain.sort(key=lambda field: -field[0].base.alignment)
    parts: list[tuple[str, np.dtype[Any]]] = [(str(next(iter(field.fields or ()))), field[0]) for field in plain]
    filler = -sum(field.itemsize for field in plain) % _WORD_BYTES
    if whole_words and filler:
        parts.append((FILLER, np.dtype(("i1", (filler,)))))
    return np.dtype((np.record, np.dtype(parts)))


def _form(form: Any) -> tuple[Any, ...]:
    return form if isinstance(form, tuple) else (form,)


TILE = _dtype(_TILE, {})
CAVER = _dtype(_CAVER, {})
HORROR = _dtype(_HORROR, {})
STATE = _dtype(
    _GAME,
    {"tiles": (TILE, (SLOTS + 1,)), "cavers": (CAVER, (MOST_CAVERS,)), "horrors": (HORROR, (MOST_HORRORS,))},
    whole_words=True,
)
FIELDS: dict[str, dict[str, str]] = {
    part: {name: sentence for name, _, sentence in fields}
    for part, fields in (("game", _GAME), ("tile", _TILE), ("caver", _CAVER), ("horror", _HORROR))
}
HIDDEN_FIELDS = ("luck",)
"""What nobody at the table sees."""


def view(states: np.ndarray) -> np.ndarray:
    """A copy of ``states`` without the hidden fields: what agents, observations and screens may know."""
    seen = states.copy()
    for name in HIDDEN_FIELDS:
        seen[name] = 0
    return seen
