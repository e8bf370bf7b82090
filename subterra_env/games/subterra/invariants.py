"""Everything that must hold in every position, looked at all at once.

What the rules keep book of is worked out anew (`derived`), and what is asked is asked again (`restoring`). A position
with faults may be anything: nothing compiled looks at it before plain Python has found it sound.
"""

from collections.abc import Iterator

import numpy as np

from subterra_env.games.subterra import notation
from subterra_env.games.subterra.box.cavers import (
    EXPLOSIVES,
    FEWEST_CAVERS,
    GUIDES,
    MOST_CAVERS,
    MOST_HORRORS,
    TURN_POINTS,
)
from subterra_env.games.subterra.box.hazards import CARDS
from subterra_env.games.subterra.box.tiles import QUARTER_TURNS, STACK_TILES, TILE_TYPES
from subterra_env.games.subterra.derived import DERIVED, DERIVED_OF_TILES, derive
from subterra_env.games.subterra.invariants_course import course_faults
from subterra_env.games.subterra.invariants_table import table_faults
from subterra_env.games.subterra.options import MOST_ROUNDS, OptionsError, options_of
from subterra_env.games.subterra.restoring import stand_again
from subterra_env.games.subterra.state import NOBODY, NOWHERE, SLOTS, STATE
from subterra_env.games.subterra.terms import (
    Caver,
    Chance,
    Check,
    Difficulty,
    Ending,
    HorrorChoices,
    Node,
    OutOfTime,
    Phase,
    Question,
    RuleSet,
    Side,
    Step,
)

ANSWERS = ("legal", "turnings_drawn", "turnings_reserve", "ways", "spawn_tiles")
"""Fields that the rules work out when they ask."""

_SIDE_SETS = (1 << len(Side)) - 1
_LAST_SEAT = MOST_CAVERS - 1
_FLAG = (0, 1)
_RANGES = {
    **{
        name: (0, len(terms) - 1)
        for name, terms in {
            "rules": RuleSet,
            "difficulty": Difficulty,
            "horror_choices": HorrorChoices,
            "out_of_time": OutOfTime,
            "phase": Phase,
            "node": Node,
            "question": Question,
            "chance": Chance,
            "check": Check,
            "step": Step,
            "ending": Ending,
            "side": Side,
        }.items()
    },
    **dict.fromkeys(("hidden_cavers_are_passed_by", "stop_when_conscious_are_out", "exit_in_stack"), _FLAG),
    **dict.fromkeys(("exerted", "directed", "hid", "surfaced", "guided", "exploring"), _FLAG),
    **dict.fromkeys(("marker_passed", "gas_out"), _FLAG),
    **dict.fromkeys(("first", "first_at_setup", "checks_first"), (0, _LAST_SEAT)),
    **dict.fromkeys(("seat", "actor", "asked", "checker"), (0, NOBODY)),
    **dict.fromkeys(("turns_taken", "checks_done"), (0, MOST_CAVERS)),
    **dict.fromkeys(("turnings_drawn", "turnings_reserve"), (0, (1 << QUARTER_TURNS) - 1)),
    **dict.fromkeys(("drawn", "reserve"), (0, len(TILE_TYPES) - 1)),
    "caver_count": (FEWEST_CAVERS, MOST_CAVERS),
    "tile_count": (1, SLOTS),
    "horror_count": (0, MOST_HORRORS),
    "stack_tiles": (1, STACK_TILES),
    "max_rounds": (1, MOST_ROUNDS),
    "round_number": (0, MOST_ROUNDS),
    "guides_left": (0, GUIDES),
    "explosives_left": (0, EXPLOSIVES),
    "points": (0, TURN_POINTS + 1),
    "card": (0, CARDS - 1),
    "repeats_left": (0, 1),
    "spawns_left": (0, 2),
    "moving": (0, MOST_HORRORS - 1),
    "ways": (0, _SIDE_SETS),
}
"""The smallest and the largest number of these fields of the game; nothing else is looked at before they are right."""
_RANGES_OF_PARTS = {
    "tiles": {
        "type": (0, len(TILE_TYPES) - 1),
        "turns": (0, QUARTER_TURNS - 1),
        "blasted": (0, _SIDE_SETS),
        "flooded": _FLAG,
        "rubble": _FLAG,
        "rope": _FLAG,
        "x": (-SLOTS, SLOTS),
        "y": (-SLOTS, SLOTS),
    },
    "cavers": {
        "who": (0, len(Caver) - 1),
        "slot": (0, NOWHERE),
        "dived_from": (0, NOWHERE),
        "hidden": _FLAG,
        "lost": _FLAG,
    },
    "horrors": {"slot": (0, SLOTS - 1), "waiting": _FLAG},
}


def faults(state: np.record) -> list[str]:
    """What is wrong with a game, one sentence each; empty if nothing is. ``state``: one record of `STATE`."""
    found = range_faults(state)
    if found:
        return found
    found = [*_derived_faults(state), *table_faults(state), *course_faults(state)]
    return found or asking_faults(state, asked_again(state))


def range_faults(state: np.record) -> list[str]:
    """Numbers that stand for nothing."""
    found = [
        f"{name} is {state[name]}; it is from {low} to {high}"
        for name, (low, high) in _RANGES.items()
        if not low <= state[name] <= high
    ]
    for part, ranges in _RANGES_OF_PARTS.items():
        for name, (low, high) in ranges.items():
            numbers = state[part][name]
            for index in np.flatnonzero((numbers < low) | (numbers > high)):
                found.append(f"{part}[{index}].{name} is {numbers[index]}; it is from {low} to {high}")
    return found or _option_faults(state)


def _option_faults(state: np.record) -> list[str]:
    try:
        options_of(state)
    except OptionsError as error:
        return [f"options: {error}"]
    return []


def _derived_faults(state: np.record) -> Iterator[str]:
    """What the rules keep book of follows from the tiles (5.1)."""
    anew = np.array([state], STATE)[0]
    derive(anew)
    for name in DERIVED:
        if not np.array_equal(state[name], anew[name]):
            yield f"{name} is {_short(state[name])}; {_short(anew[name])} follows from the tiles"
    for name in DERIVED_OF_TILES:
        wrong = state["tiles"][name] != anew["tiles"][name]
        for slot in np.unique(np.nonzero(wrong)[0]):
            told, right = state["tiles"][name][slot], anew["tiles"][name][slot]
            yield f"tiles[{slot}].{name} is {_short(told)}; {_short(right)} follows from the tiles"


def _short(value: np.ndarray) -> str:
    return np.array2string(np.asarray(value), threshold=8, edgeitems=3, separator=" ")


def asked_again(state: np.record) -> np.record:
    """A copy whose question and answers, or check, the rules have found anew. The state must be sound otherwise."""
    again = np.array([state], STATE)
    stand_again(again)
    return again[0]  # type: ignore[no-any-return]


def asking_faults(state: np.record, again: np.record, found_anew: tuple[str, ...] = ()) -> list[str]:
    """Where a state differs from what the rules made of it; fields ``found_anew`` may."""
    differing = [
        name for name in STATE.names or () if name not in found_anew and not np.array_equal(state[name], again[name])
    ]
    if not differing:
        return []
    told, right = notation.stands_at(state), notation.stands_at(again)
    if str(told) != str(right):
        return [f"the game stands at “{told}”; from there the rules would go on to “{right}”"]
    return [f"{name} is {_short(state[name])}; the rules find {_short(again[name])}" for name in differing]
