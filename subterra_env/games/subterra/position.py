"""A whole position as JSON, both ways: everything but the luck key, to the byte.

A person can write one: whatever has a natural default may be left out. Without ``stands_at`` it is the ``turn``
question of the caver in ``turn`` (or the starting caver) with two points; without ``round`` it is the one that follows
from the hazard cards used; cavers stand on the start at full health. Nothing that follows from something else is taken
from the text, and `PositionError` names everything that is wrong with it.
"""

import json
from typing import Any

import numpy as np

from subterra_env.games.subterra import engine
from subterra_env.games.subterra.box.cavers import HEALTH, TURN_POINTS
from subterra_env.games.subterra.box.hazards import CARD_NUMBER, DEALT, POOL
from subterra_env.games.subterra.box.tiles import EXIT_TILE, NO_TILE, START_TILE, TILE_COUNT, TILE_NUMBER, TILE_TYPES
from subterra_env.games.subterra.derived import derive
from subterra_env.games.subterra.invariants import ANSWERS, asked_again, asking_faults, range_faults
from subterra_env.games.subterra.invariants_course import ACTING, course_faults, starts_by_passing, step_at, turns_taken
from subterra_env.games.subterra.invariants_table import table_faults
from subterra_env.games.subterra.notation import shown
from subterra_env.games.subterra.options import RECORDED, Options, OptionsError, agreed_state, options
from subterra_env.games.subterra.position_schema import NOBODY_ROLLS, Place, Position
from subterra_env.games.subterra.position_text import MARKERS, TURN_FLAGS, PositionError, described, read
from subterra_env.games.subterra.rules.setup import START
from subterra_env.games.subterra.state import NOBODY, NOWHERE
from subterra_env.games.subterra.terms import Chance, Check, Ending, Node, Phase, Question, RuleSet, Side

__all__ = ["PositionError", "from_json", "to_json"]

_TO_BE_ASKED = 1
"""Stands for the answers until the rules have found them."""
_IN_HAZARD_PHASE = ("spawn", "hazard", "tremor", "out of time")


def to_json(states: np.ndarray) -> str:
    """The first game of ``states`` as JSON text."""
    return json.dumps(described(states[0]), indent=1, ensure_ascii=False)


def from_json(text: str) -> np.ndarray:
    """The game that a text describes: an array of one `STATE`, its luck key 0. Raises `PositionError`."""
    builder = _Builder(read(text))
    builder.build()
    state, found = builder.state, builder.found
    out_of_range = range_faults(state)
    if not out_of_range:
        found += table_faults(state)
    if not found and not out_of_range:
        found += course_faults(state)
    if found or out_of_range:
        raise PositionError("; ".join(found + out_of_range))
    again = asked_again(state)
    found = asking_faults(state, again, (*ANSWERS, *(() if builder.knows_who_is_asked else ("asked",))))
    if found:
        raise PositionError("; ".join(found))
    return np.array([again], builder.states.dtype)


def _agreed(position: Position) -> Options:
    unknown = [shown(name) for name in position.options if name not in RECORDED]
    if unknown:
        raise PositionError(f"options: {', '.join(unknown)} is none of {', '.join(RECORDED)}")
    try:
        return options(rules=position.rules, cavers=position.cavers, first=position.first or 0, **position.options)
    except OptionsError as error:
        raise PositionError(str(error)) from None


class _Builder:
    """A state filled in part by part; what cannot be filled in is noted in ``found``."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.states = agreed_state(_agreed(position))
        engine.begin(self.states)
        self.state: Any = self.states[0]
        self.found: list[str] = []
        stands = position.stands_at
        self.stands = stands.question or stands.check or stands.chance or ("end" if stands.end else "turn")
        self.knows_who_is_asked = self.stands != "horror path" or stands.caver is not None
        self.places: dict[tuple[int, int], int] = {}

    def build(self) -> None:
        self._tiles()
        self._stack()
        self._cards()
        self._team()
        self._horrors()
        self._round()
        self._turn()
        self._stand()
        self._course()
        self._dice()
        derive(self.state)

    def seat(self, name: str, where: str) -> int:
        """The seat of a caver who is named."""
        if name in self.position.cavers:
            return self.position.cavers.index(name)
        self.found.append(f"{where}: {shown(name)} is not in the team: {', '.join(self.position.cavers)}")
        return 0

    def slot(self, place: Place, where: str, otherwise: int = START) -> int:
        if place not in self.places:
            self.found.append(f"{where}: no tile lies at {place[0]},{place[1]}")
        return self.places.get(place, otherwise)

    def tile(self, name: str | None, where: str) -> int:
        if name is None:
            return NO_TILE
        if name not in TILE_NUMBER:
            self.found.append(f"{where}: no such tile: {shown(name)}")
        elif TILE_NUMBER[name] > EXIT_TILE and not TILE_COUNT[self.state["rules"], TILE_NUMBER[name]]:
            rules = RuleSet(self.state["rules"]).name.lower()
            self.found.append(f"{where}: the {rules} rules have no {name}")
        return TILE_NUMBER.get(name, NO_TILE)

    def _tiles(self) -> None:
        told = [(tile, self.tile(tile.tile, "tiles")) for tile in self.position.tiles]
        tiles = self.state["tiles"]
        slot = 0 if told and told[0][1] == START_TILE else 1
        self.places[(0, 0)] = START
        for tile, number in told:
            if slot == NOWHERE:
                self.found.append(f"tiles: more than {NOWHERE}")
                break
            laid = tiles[slot]
            laid["type"], laid["turns"], (laid["x"], laid["y"]) = number, tile.turns, tile.at
            laid["blasted"] = sum(1 << Side[side.upper()] for side in set(tile.blasted))
            for marker in MARKERS:
                laid[marker] = getattr(tile, marker)
            self.places.setdefault(tile.at, slot)
            slot += 1
        self.state["tile_count"] = slot

    def _stack(self) -> None:
        state, position = self.state, self.position
        state["reserve"] = self.tile(position.reserve, "reserve")
        state["drawn"] = self.tile(position.drawn, "drawn")
        seen = [*state["tiles"]["type"][1 : state["tile_count"]].tolist(), int(state["reserve"]), int(state["drawn"])]
        seen += [self.tile(name, "discarded") for name in position.discarded]
        counts = np.bincount(seen, minlength=len(TILE_TYPES))
        if "exit dead end" in position.discarded:
            self.found.append("discarded: the exit never is; it always fits (5.3, 8.2)")
        state["exit_in_stack"] = counts[EXIT_TILE] == 0
        drawn = counts[START_TILE + 1 :].sum()
        state["places_left"] = int(state["stack_tiles"]) + 1 - drawn
        counts[: EXIT_TILE + 1] = 0
        state["unseen"] = TILE_COUNT[state["rules"]] - counts
        if position.places_left not in (None, state["places_left"]):
            self.found.append(
                f"places_left: {position.places_left}; by the tiles on the table, in reserve, drawn and discarded "
                f"{state['places_left']} of {state['stack_tiles'] + 1} are left"
            )

    def _cards(self) -> None:
        state = self.state
        used = [name for name in self.position.hazards_used if name in CARD_NUMBER]
        unknown = set(self.position.hazards_used) - set(used)
        self.found += [f"hazards_used: no such hazard card: {shown(name)}" for name in sorted(unknown)]
        counts = np.bincount([CARD_NUMBER[name] for name in used], minlength=len(CARD_NUMBER))
        state["unseen_cards"] = POOL[state["difficulty"]] - counts
        state["cards_used"] = len(used)
        state["cards_left"] = DEALT[state["caver_count"], state["difficulty"]] + state["extra_hazard_cards"] - len(used)

    def _team(self) -> None:
        for name in self.position.team:
            self.seat(name, "team")
        for seat, name in enumerate(self.position.cavers):
            told = self.position.team.get(name)
            caver = self.state["cavers"][seat]
            caver["health"], caver["slot"], caver["dived_from"] = HEALTH[caver["who"]], START, NOWHERE
            if told is None:
                continue
            if told.at is not None:
                caver["slot"] = self.slot(told.at, name)
            elif told.lost or told.dived_from is not None:
                caver["slot"] = NOWHERE
            if told.dived_from is not None:
                caver["dived_from"] = self.slot(told.dived_from, name)
            if told.health is not None:
                caver["health"] = told.health
            caver["hidden"], caver["lost"], caver["hides_running"] = told.hidden, told.lost, told.hides_running

    def _horrors(self) -> None:
        state, position = self.state, self.position
        state["horror_count"] = len(position.horrors)
        for index, place in enumerate(position.horrors):
            state["horrors"][index]["slot"] = self.slot(place, f"horror {index}")
        if position.horrors_waiting and len(position.horrors_waiting) != len(position.horrors):
            self.found.append(f"horrors_waiting: one of true and false for each of the {len(position.horrors)} horrors")
        for index, waits in enumerate(position.horrors_waiting[: len(position.horrors)]):
            state["horrors"][index]["waiting"] = waits

    def _round(self) -> None:
        """What is not told follows from what is asked, the cards used, and the marker's way round."""
        state, position = self.state, self.position
        state["phase"] = self._phase()
        used_in_this = state["phase"] == Phase.END or (
            state["phase"] == Phase.HAZARD and self.stands not in ("hazard", "out of time")
        )
        following = 0 if state["phase"] == Phase.SETUP else state["cards_used"] + (not used_in_this)
        state["round_number"] = following if position.round is None else position.round
        state["ending"] = Ending[position.stands_at.end.upper()] if position.stands_at.end else Ending.NONE
        if position.starting_caver is None:
            state["first"] = starts_by_passing(state)
        else:
            state["first"] = self.seat(position.starting_caver, "starting_caver")
            if position.first is None:
                state["first_at_setup"] = (state["first"] - starts_by_passing(state)) % state["caver_count"]
        state["marker_passed"], state["gas_out"] = position.marker_passed, position.gas_out
        state["guides_left"], state["explosives_left"] = position.guides_left, position.explosives_left

    def _phase(self) -> Phase:
        position, stands = self.position, self.stands
        if position.phase is not None:
            return Phase[position.phase.upper().replace(" ", "_")]
        if stands == "tile" and position.stands_at.side is None:
            return Phase.SETUP
        if stands == "out of time" and self.state["rules"] == RuleSet.SUMMARY:
            return Phase.ROUND_START
        if position.resolving is not None or stands in _IN_HAZARD_PHASE:
            return Phase.HAZARD
        return Phase.HORROR if stands in ("horror order", "horror path") else Phase.ACTION

    def _turn(self) -> None:
        state, told, asked = self.state, self.position.turn, self.position.stands_at.caver
        state["seat"] = state["actor"] = NOBODY
        state["points"] = 0
        if told is None and state["phase"] != Phase.ACTION:
            return
        name = (told and told.caver) or asked
        state["seat"] = self.seat(name, "turn") if name else state["first"]
        state["actor"] = self.seat(asked, "stands_at") if asked and self.stands in ACTING else state["seat"]
        surfacing = self.stands == "surface"
        state["points"] = 0 if surfacing else TURN_POINTS
        state["surfaced"] = surfacing
        if told is not None:
            if told.points is not None:
                state["points"] = told.points
            for flag in TURN_FLAGS:
                state[flag] = state[flag] or getattr(told, flag)

    def _stand(self) -> None:
        state, told = self.state, self.position.stands_at
        state["question"], state["chance"], state["check"] = Question.NONE, Chance.NONE, 0
        state["asked"] = state["checker"] = NOBODY
        state["legal"] = 0
        if told.end is not None:
            state["node"] = Node.END
        elif told.chance is None:
            state["node"], state["question"] = Node.ASK, Question[self.stands.upper().replace(" ", "_")]
            state["asked"] = self._who_answers()
            state["legal"] = _TO_BE_ASKED
        else:
            state["node"], state["chance"] = Node.CHANCE, Chance[told.chance.upper()]
            if told.check is not None:
                state["check"] = Check[told.check.upper().replace(" ", "_").replace("-", "_")]
                state["checker"] = self._who_rolls()

    def _who_answers(self) -> int:
        if self.position.stands_at.caver is not None:
            return self.seat(self.position.stands_at.caver, "stands_at")
        by_starting_caver = self.stands in ("horror order", "horror path", "spawn")
        return int(self.state["first"] if by_starting_caver else self.state["actor"])

    def _who_rolls(self) -> int:
        named = self.position.stands_at.caver
        if self.stands == "cave-in" and named is None:
            return NOBODY
        if named is None and self.stands in ("tremor", "out of time"):
            self.found.append(f"stands_at: who rolls for {self.stands}? name the caver")
            return 0
        return self.seat(named, "stands_at") if named else int(self.state["actor"])

    def _course(self) -> None:
        """What is under way, and where the rules go on."""
        state, told, count = self.state, self.position.stands_at, int(self.state["caver_count"])
        if told.side is not None:
            state["side"] = Side[told.side.upper()]
        elif self.stands in ("place", "tile") and state["phase"] == Phase.ACTION:
            self.found.append("stands_at: on which side is the tile laid? name the side")
        state["exploring"], state["guided"], state["moves_left"] = told.exploring, told.guided, told.moves_left
        state["moving"] = told.horror or 0
        if self.stands in ("tremor", "out of time"):
            began = told.checks_began_with
            state["checks_first"] = self.seat(began, "checks_began_with") if began else state["first"]
            state["checks_done"] = (int(state["checker"]) - int(state["checks_first"])) % count + 1
        resolving = self.position.resolving
        if resolving is not None:
            if resolving.card not in CARD_NUMBER:
                self.found.append(f"resolving: no such hazard card: {shown(resolving.card)}")
            state["card"] = CARD_NUMBER.get(resolving.card, 0)
            state["repeats_left"], state["spawns_left"] = resolving.repeats_left, resolving.spawns_left
        state["turns_taken"] = turns_taken(state)
        state["step"] = step_at(self.stands, Phase(state["phase"]))

    def _dice(self) -> None:
        self.state["rolls"] = 0
        for check, dice in self.position.rolls.items():
            number = Check[check.upper().replace(" ", "_").replace("-", "_")]
            for name, count in dice.items():
                seat = NOBODY if name == NOBODY_ROLLS else self.seat(name, "rolls")
                self.state["rolls"][number, seat] = count
