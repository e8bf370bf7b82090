"""What must hold of the team, the horrors and the course of play."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from subterra_env.games.subterra.box.cavers import (
    EXPLOSIVES,
    GUIDES,
    HEALTH,
    HIDES_BEFORE_SURE,
    MOST_HORRORS,
    OUT_OF_TIME_AT_ROUND_START,
    RUN_MOVES,
    TURN_POINTS,
)
from subterra_env.games.subterra.box.hazards import CARD_NAMES, DEALT, POOL
from subterra_env.games.subterra.box.tiles import NO_TILE
from subterra_env.games.subterra.invariants_table import hazards_used, place_of
from subterra_env.games.subterra.options import CAVER_NAMES
from subterra_env.games.subterra.rules.health import BRONZE_LEFT_BEHIND, SILVER_LEFT_BEHIND
from subterra_env.games.subterra.state import CAVER, FILLER, HORROR, NOBODY, NOWHERE
from subterra_env.games.subterra.terms import (
    Caver,
    Chance,
    Check,
    Ending,
    Hazard,
    Kind,
    Node,
    Phase,
    Question,
    Side,
    Step,
    word,
)

ACTING = ("place", "run", "direct", "tile", "rope", "hide", "rough")
"""What a directed caver's action may stand at; everything else of a turn is the turn's own caver's."""
_IN_TURN = ("turn", "surface", "exert", *ACTING)
_HORRORS_MOVE = ("horror order", "horror path")
_ROWS_OF_CHECKS = ("tremor", "out of time")
_DICE = tuple(word(check) for check in Check)
_PHASES: dict[str, tuple[Phase, ...]] = {
    **dict.fromkeys(_IN_TURN, (Phase.ACTION,)),
    **dict.fromkeys(_HORRORS_MOVE, (Phase.HORROR, Phase.HAZARD)),
    **dict.fromkeys(("spawn", "hazard", "tremor"), (Phase.HAZARD,)),
    "tile": (Phase.SETUP, Phase.ACTION),
    "cave-in": (Phase.ACTION, Phase.HAZARD),
    "out of time": (Phase.ROUND_START, Phase.HAZARD),
    "end": (Phase.ROUND_START, Phase.ACTION, Phase.HORROR, Phase.HAZARD, Phase.END),
}
"""In which phases a game may stand at what."""
_STEPS = {
    "turn": Step.TURN,
    "place": Step.PLACE,
    "run": Step.RUN,
    "direct": Step.TURN,
    "surface": Step.TURN,
    "horror order": Step.HORRORS_MOVE,
    "horror path": Step.HORROR_STEPS,
    "spawn": Step.SPAWN,
    "tile": Step.PLACE,
    "hazard": Step.HAZARD_BEGINS,
    "exert": Step.TURN_OVER,
    "rope": Step.ACTION_DONE,
    "hide": Step.ACTION_DONE,
    "rough": Step.RUN,
    "tremor": Step.TREMOR_CHECKS,
    "out of time": Step.OUT_OF_TIME_CHECKS,
    "cave-in": Step.RESOLVE,
    "end": Step.ROUND_BEGINS,
}
_USED_AT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("side", "exploring", "guided"), ("place", "tile")),
    **dict.fromkeys(("drawn", "turnings_drawn", "turnings_reserve"), ("place",)),
    "moves_left": ("run", "rough"),
    **dict.fromkeys(("card", "repeats_left", "spawns_left"), (*_HORRORS_MOVE, "spawn", "tremor", "cave-in")),
    **dict.fromkeys(("checks_first", "checks_done"), _ROWS_OF_CHECKS),
    **dict.fromkeys(("moving", "ways"), ("horror path",)),
    "spawn_tiles": ("spawn",),
    "check": _DICE,
    "ending": ("end",),
    FILLER: (),
}
"""Where these fields say something; anywhere else they are 0."""
_TURN_FIELDS = ("points", "exerted", "directed", "hid", "surfaced")


def course_faults(state: np.record) -> list[str]:
    """What is wrong with team and course of play; all numbers must be in range (`invariants.range_faults`)."""
    found = [*_team(state), *_horrors(state), *_round(state)]
    stands = stand(state)
    if stands not in _PHASES:
        return [*found, "the game stands at nothing: no question, no chance event, no end"]
    parts = (_unused, _phase, _turn, _laying, _hazard, _end)
    return found + [fault for part in parts for fault in part(state, stands)]


def stand(state: Any) -> str:
    """What a game stands at: a question's word, ``tile``, ``hazard``, what a die is for, ``end``, or nothing."""
    node, question, chance = Node(state["node"]), Question(state["question"]), Chance(state["chance"])
    if node == Node.END:
        return "end"
    if node == Node.ASK and question:
        return word(question)
    if node == Node.CHANCE and chance:
        return word(Check(state["check"])) if chance == Chance.DIE else word(chance)
    return ""


def step_at(stands: str, phase: Phase) -> Step:
    """Where the rules go on from there."""
    if phase == Phase.SETUP:
        return Step.ROUND_BEGINS
    return Step.ACTION_DONE if stands == "cave-in" and phase == Phase.ACTION else _STEPS[stands]


def turns_taken(state: Any) -> int:
    """How many cavers' turns of the round have come, by phase, starting caver and whose turn it is."""
    count = int(state["caver_count"])
    if state["phase"] in (Phase.SETUP, Phase.ROUND_START):
        return 0
    if state["phase"] == Phase.ACTION:
        return int(state["seat"] - state["first"]) % count + 1
    return count


def starts_by_passing(state: Any) -> int:
    """The starting caver's seat, as long as nobody has been lost: the marker passes once a round (3.1)."""
    passed = int(state["round_number"]) - int(state["ending"] != Ending.TRUNCATED)
    return (int(state["first_at_setup"]) + max(0, passed)) % int(state["caver_count"])


def name_of(state: Any, seat: int) -> str:
    return CAVER_NAMES[state["cavers"][seat]["who"]] if seat < state["caver_count"] else "nobody"


def _team(state: Any) -> Iterator[str]:
    count = int(state["caver_count"])
    for seat in range(count):
        caver, name = state["cavers"][seat], name_of(state, seat)
        most = HEALTH[caver["who"]]
        if not 0 <= caver["health"] <= most:
            yield f"{name}: health {caver['health']}; it is from 0 to {most} (1.4)"
        submerged, nowhere = caver["dived_from"] != NOWHERE, caver["slot"] == NOWHERE
        if nowhere != bool(submerged or caver["lost"]):
            yield f"{name}: is on no tile exactly if submerged or lost"
        if not nowhere and caver["slot"] >= state["tile_count"]:
            yield f"{name}: no tile lies where it is"
        if submerged and (caver["who"] != Caver.DIVER or caver["health"] <= 0 or caver["lost"]):
            yield f"{name}: is submerged, but is no conscious diver (8.1)"
        if submerged and state["tiles"][caver["dived_from"]]["kind"] != Kind.WATER:
            yield f"{name}: dived from a tile that is no water (8.1)"
        if caver["hidden"] and (caver["lost"] or state["phase"] in (Phase.SETUP, Phase.ROUND_START, Phase.END)):
            yield f"{name}: is hidden, but lost, or outside the phases in which one hides (4.10)"
        if not 0 <= caver["hides_running"] <= HIDES_BEFORE_SURE:
            yield f"{name}: hides_running is {caver['hides_running']}; it is counted from 0 to {HIDES_BEFORE_SURE}"
        if caver["lost"] and (state["cards_left"] > 0 or state["round_number"] <= _dealt(state)):
            yield f"{name}: is lost before the time has run out (7.6)"
    blank = np.zeros(len(state["cavers"]) - count, CAVER)
    blank["slot"] = blank["dived_from"] = NOWHERE
    if state["cavers"][count:].tobytes() != blank.tobytes():
        yield f"cavers from seat {count} on: nobody sits there, but something is noted"


def _horrors(state: Any) -> Iterator[str]:
    """Nobody whom horrors harm is conscious beside one (6.6)."""
    count = int(state["horror_count"])
    slots = state["horrors"]["slot"][:count]
    for index in np.flatnonzero(slots >= state["tile_count"]):
        yield f"horror {index + 1} is where no tile lies"
    for seat in range(state["caver_count"]):
        caver = state["cavers"][seat]
        passed_by = caver["hidden"] and state["hidden_cavers_are_passed_by"]
        spared = caver["who"] == Caver.SCOUT or caver["slot"] in (NOWHERE, state["exit_slot"]) or passed_by
        if caver["slot"] in slots and caver["health"] > 0 and not spared:
            yield f"{name_of(state, seat)}: is conscious on {place_of(state, caver['slot'])}, with a horror (6.6)"
    spawned = hazards_used(state, Hazard.HORROR) - int(state["spawns_left"])
    if count > spawned:
        yield f"{count} horrors, but by the horror cards used at most {spawned} have come (7.5)"
    if state["horrors"][count:].tobytes() != np.zeros(MOST_HORRORS - count, HORROR).tobytes():
        yield f"horrors from number {count + 1} on: none is there, but something is noted"


def _dealt(state: Any) -> int:
    return int(DEALT[state["caver_count"], state["difficulty"]]) + int(state["extra_hazard_cards"])


def _round(state: Any) -> Iterator[str]:
    """Rounds, cards and the starting caver go together (3.1, 7)."""
    count, lost = int(state["caver_count"]), state["cavers"]["lost"].astype(bool)
    for name in ("first", "first_at_setup", "checks_first"):
        if state[name] >= count:
            yield f"{name} is seat {state[name]}; seats are 0 to {count - 1}"
            return
    for name in ("seat", "actor", "asked", "checker"):
        if count <= state[name] < NOBODY:
            yield f"{name} is seat {state[name]}; seats are 0 to {count - 1}"
            return
    if state["round_number"] > state["max_rounds"]:
        yield f"round {state['round_number']}; the game is broken off after {state['max_rounds']} (9.3)"
    if (state["round_number"] == 0) != (state["phase"] == Phase.SETUP):
        yield f"round {state['round_number']} in phase {word(Phase(state['phase']))}; rounds count from 1, setup is 0"
    start = starts_by_passing(state)
    if not lost.any() and state["first"] != start:
        yield (
            f"the {name_of(state, state['first'])} is the starting caver of round {state['round_number']}; "
            f"by passing the marker it is the {name_of(state, start)} (3.1)"
        )
    if lost[state["first"]] and not lost[:count].all():
        yield f"the starting caver, the {name_of(state, state['first'])}, is lost; the marker passes at once (3.1)"
    if state["marker_passed"] and not lost.any():
        yield "marker_passed, but nobody is lost (3.1)"
    if state["turns_taken"] != turns_taken(state):
        yield f"turns_taken is {state['turns_taken']}; by phase and turn it is {turns_taken(state)}"
    yield from _rolls(state)


def _rolls(state: Any) -> Iterator[str]:
    """Dice rolled in this round: those of cave-ins are nobody's, all others a caver's."""
    rolls, count = state["rolls"], int(state["caver_count"])
    for check in Check:
        nobodys = range(NOBODY) if check == Check.CAVE_IN else range(count, NOBODY + 1)
        if (rolls[check] < 0).any() or any(rolls[check][seat] for seat in nobodys):
            yield f"rolls: {word(check)} dice of nobody who rolls them"
    if (rolls[Check.EXERT] > 1).any():
        yield "rolls: a caver exerts once a turn (3.3)"


def _unused(state: Any, stands: str) -> Iterator[str]:
    """Fields that say nothing here are blank."""
    asks, rolls = state["node"] == Node.ASK, stands in _DICE
    for name, places in _USED_AT.items():
        if stands not in places and np.any(state[name]):
            yield f"{name} is {state[name]}, which says nothing at “{stands}”"
    if asks != bool(state["question"]) or asks != (state["asked"] != NOBODY) or asks != bool(state["legal"].any()):
        yield "a question, somebody who is asked, and answers are there exactly where a question is asked"
    if (state["node"] == Node.CHANCE) != bool(state["chance"]):
        yield "a chance event is awaited exactly where the game stands at one"
    if (state["checker"] != NOBODY) != (rolls and stands != "cave-in"):
        yield f"checker is {name_of(state, state['checker'])}; every die but a cave-in's is somebody's"
    if stands not in _HORRORS_MOVE and state["horrors"]["waiting"].any():
        yield f"a horror waits to move, but at “{stands}” none moves"
    if state["step"] != step_at(stands, Phase(state["phase"])):
        yield f"step is {state['step']}; at “{stands}” it is {int(step_at(stands, Phase(state['phase'])))}"


def _phase(state: Any, stands: str) -> Iterator[str]:
    """What can be asked, rolled or drawn in a phase, and how many cards have been used by then (3.1, 7)."""
    phase, number, dealt = Phase(state["phase"]), int(state["round_number"]), _dealt(state)
    if phase not in _PHASES[stands]:
        yield f"“{stands}” in phase {word(phase)}; it comes in {' or '.join(map(word, _PHASES[stands]))}"
    used_in_this = phase == Phase.END or (phase == Phase.HAZARD and stands != "hazard")
    used = min(dealt, max(0, number - 1 + used_in_this))
    if state["cards_used"] != used:
        yield f"{state['cards_used']} hazard cards used in round {number}, phase {word(phase)}; it would be {used} (7)"
    if stands == "out of time":
        at = Phase.ROUND_START if OUT_OF_TIME_AT_ROUND_START[state["rules"]] else Phase.HAZARD
        if phase != at or number <= dealt:
            yield f"out-of-time checks come in phase {word(at)}, after the {dealt} cards dealt (7.6, 10)"
    if state["gas_out"] and phase == Phase.HAZARD and stands != "end":
        yield "gas is out in the Hazard phase: it is gone when the phase starts (7.3)"


def _turn(state: Any, stands: str) -> Iterator[str]:
    """Whose turn it is, what is left of it, and who acts (3.2, 8.8)."""
    seat, actor = int(state["seat"]), int(state["actor"])
    if (seat != NOBODY) != (state["phase"] == Phase.ACTION):
        yield f"{name_of(state, seat)} has the turn in phase {word(Phase(state['phase']))}"
    if seat == NOBODY:
        if actor != NOBODY or any(state[name] for name in _TURN_FIELDS):
            yield "there is an actor, or something of a turn, but nobody has the turn"
        return
    caver, name = state["cavers"][seat], name_of(state, seat)
    if state["points"] > TURN_POINTS + state["exerted"]:
        yield f"{name}: {state['points']} action points; a turn has {TURN_POINTS}, one more when exerting (3.2, 3.3)"
    if state["directed"] and caver["who"] != Caver.LEADER:
        yield f"{name}: has directed, but is no leader (8.8)"
    if state["surfaced"] and (caver["who"] != Caver.DIVER or state["points"] or state["exerted"]):
        yield f"{name}: a turn spent surfacing is a diver's, without points or exerting (8.1)"
    if state["surfaced"] != (stands == "surface") and stands != "end":
        yield f"{name}: surfaced is {state['surfaced']} at “{stands}”; a surfacing turn asks where, and no more"
    if stands == "end":
        if actor != seat:
            yield "the action under way is another caver's, but the game is over"
        return
    if caver["health"] <= 0 or caver["lost"]:
        yield f"{name}: has the turn, but is not conscious (3.2)"
    if caver["slot"] == NOWHERE and stands not in ("surface", "exert"):
        yield f"{name}: has the turn, but is on no tile; it could only surface (8.1)"
    yield from _actor(state, stands)


def _actor(state: Any, stands: str) -> Iterator[str]:
    seat, actor = int(state["seat"]), int(state["actor"])
    if actor == NOBODY:
        yield f"nobody acts in the turn of the {name_of(state, seat)}"
        return
    caver, name = state["cavers"][actor], name_of(state, actor)
    if actor != seat:
        if stands not in ACTING or not state["directed"]:
            yield f"{name}: acts in the turn of the {name_of(state, seat)} without being directed (8.8)"
        if caver["health"] <= 0 or caver["slot"] == NOWHERE or caver["lost"]:
            yield f"{name}: is directed, but is not conscious on a tile (8.8)"
    elif stands == "direct":
        yield f"{name}: directs itself (8.8)"
    if stands in ("exert", "rope", "hide", "rough") and state["checker"] != actor:
        yield f"{name_of(state, state['checker'])}: rolls for what the {name} does"
    if stands == "hide" and actor == seat and not state["hid"]:
        yield f"{name}: rolls for hiding, so it has used hide in this turn (4.10)"
    if stands == "rough" and state["tiles"][caver["slot"]]["kind"] != Kind.ROUGH_TERRAIN:
        yield f"{name}: rolls for rough terrain, but is on none (4.13)"
    if stands in ("run", "rough") and not (stands == "run") <= state["moves_left"] < RUN_MOVES:
        yield f"{name}: {state['moves_left']} moves left of a run of {RUN_MOVES} (4.4)"
    if stands == "cave-in" and (caver["who"] != Caver.ENGINEER or state["explosives_left"] == EXPLOSIVES):
        yield f"{name}: only an engineer who has used explosives brings a cave-in about in its turn (8.4)"


def _laying(state: Any, stands: str) -> Iterator[str]:
    """A tile is laid on an open side, not barred, towards an empty place (4.1, 5.5, 5.6)."""
    actor = int(state["actor"])
    if stands == "tile" and state["places_left"] == 0:
        yield "a tile is to be drawn, but the stack is empty"
    if stands not in ("place", "tile") or actor == NOBODY or state["cavers"][actor]["slot"] >= state["tile_count"]:
        return
    slot, side = state["cavers"][actor]["slot"], Side(state["side"])
    tile = state["tiles"][slot]
    barred = not tile["rope"] and side == {
        Kind.LEDGE: tile["turns"],
        Kind.SLIDE: (tile["turns"] + 2) % len(Side),
    }.get(Kind(tile["kind"]))
    if not (tile["open"] & tile["empty"]) >> side & 1 or barred:
        yield f"{name_of(state, actor)}: nothing can be laid {word(side)} of {place_of(state, slot)} (4.1)"
    if stands == "place" and state["drawn"] == NO_TILE and state["places_left"] > 0:
        yield "no tile is drawn, though the stack is not empty (5.4)"
    if state["guided"] and (state["cavers"][actor]["who"] != Caver.SCOUT or state["guides_left"] == GUIDES):
        yield f"{name_of(state, actor)}: only a scout who has used Guide has discarded a tile by it (8.2)"


def _hazard(state: Any, stands: str) -> Iterator[str]:
    """What the card being resolved still has to do (7)."""
    repeats, spawns, card = int(state["repeats_left"]), int(state["spawns_left"]), int(state["card"])
    if stands in _ROWS_OF_CHECKS:
        yield from _row(state)
    if state["phase"] != Phase.HAZARD or stands not in _USED_AT["card"]:
        if stands != "end" and stands in _USED_AT["card"] and (repeats, spawns, card) != (0, 0, 0):
            yield f"card, repeats or spawns of a hazard card in phase {word(Phase(state['phase']))}"
        return
    doubled, name = card % 2, CARD_NAMES[card]
    hazard = {"tremor": Hazard.TREMOR, "cave-in": Hazard.CAVE_IN}.get(stands, Hazard.HORROR)
    if card // 2 != hazard or state["unseen_cards"][card] >= POOL[state["difficulty"], card]:
        yield f"“{stands}” in the Hazard phase: the card is a {word(hazard)} card that has been used, not {name}"
    most = 0 if stands == "spawn" else doubled
    if repeats > most:
        yield f"repeats_left is {repeats}; at “{stands}” of a card {name} it is at most {most} (7)"
    least, most = {"spawn": (0, doubled)}.get(stands, (1 + doubled,) * 2) if hazard == Hazard.HORROR else (0, 0)
    if not least <= spawns <= most:
        yield f"spawns_left is {spawns}; at “{stands}” of a card {name} it is from {least} to {most} (7.5)"


def _row(state: Any) -> Iterator[str]:
    """Checks go round from the caver they began with, the starting caver unless it has been lost since (7.1, 7.6)."""
    count, done, began = int(state["caver_count"]), int(state["checks_done"]), int(state["checks_first"])
    if not 1 <= done <= count or state["checker"] != (began + done - 1) % count:
        yield f"checks_done is {done}, and the {name_of(state, state['checker'])} rolls: not its place in the row"
    if began != state["first"] and not state["cavers"][began]["lost"]:
        yield f"the checks began with the {name_of(state, began)}, who is neither the starting caver nor lost"


def _end(state: Any, stands: str) -> Iterator[str]:
    """The game is over as soon as the rules say so, and not before (9)."""
    team = state["cavers"][: state["caver_count"]]
    out = (team["slot"] == state["exit_slot"]) & (team["slot"] != NOWHERE)
    conscious = (team["lost"] == 0) & (team["health"] > 0)
    conscious_out = bool((out | ~conscious).all())
    over = bool((out | (team["lost"] != 0)).all() or not conscious.any())
    over = over or bool(state["stop_when_conscious_are_out"] and conscious_out)
    if stands != "end":
        if over:
            yield "the game goes on, though everybody is out or nobody is conscious (9.1)"
        return
    ending, left = Ending(state["ending"]), int((~out).sum())
    if ending == Ending.TRUNCATED:
        if over or state["phase"] != Phase.END or state["round_number"] != state["max_rounds"]:
            yield f"the game is broken off only after the End phase of round {state['max_rounds']} (9.3)"
        return
    if not over and not (conscious_out and state["phase"] == Phase.ACTION):
        yield "the game is over, though somebody conscious is not out (9.1)"
    medals = {0: Ending.GOLD, SILVER_LEFT_BEHIND: Ending.SILVER, BRONZE_LEFT_BEHIND: Ending.BRONZE}
    if ending != medals.get(left, Ending.DEFEAT):
        yield f"{word(ending)} with {left} left behind; it is {word(medals.get(left, Ending.DEFEAT))} (9.2)"
