"""Observations: complete, without the luck key, within their spaces, the same compiled and as plain Python."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain, count
from typing import Any

import numpy as np
import pytest
from subterra_env.agents.rules_bot import rules_action

from subterra_env.games.subterra import engine
from subterra_env.games.subterra.actions import ACTIONS
from subterra_env.games.subterra.box.tiles import OPEN_SIDES
from subterra_env.games.subterra.flat import FLAT, NEAR, NEAR_HORROR
from subterra_env.games.subterra.layout import Layout
from subterra_env.games.subterra.observation import (
    ENTITY_ROWS,
    KINDS,
    Observation,
    ObservationError,
    Room,
    eyes,
    observe,
    observe_each,
    space,
)
from subterra_env.games.subterra.options import CAVER_NAMES, options
from subterra_env.games.subterra.planes import PLANES, RADIUS
from subterra_env.games.subterra.state import NOBODY, NOWHERE, STATE
from subterra_env.games.subterra.terms import Kind, Node, Question, Side
from tests.games.rebuilding import Row, rebuild
from tests.random_games import new_game, play, varied_options

GAMES = range(27)
OBSERVED, OBSERVED_AS_PYTHON = 5, 50
"""Every so many events of a game are looked at."""
_HASH = "from tests.games.test_observation import hash_of_observations; print(hash_of_observations())"


def events(every: int, games: range = GAMES) -> Iterator[np.ndarray]:
    seen = 0
    for number in games:
        for states in play(varied_options(number), number, number):
            seen += 1
            if seen % every == 0:
                yield states


def mid_game_states(count: int) -> np.ndarray:
    states = np.zeros(count, STATE)
    chosen = events(7)
    for i in range(count):
        states[i] = next(chosen)[0]
    return states


def parts(seen: Observation) -> dict[str, np.ndarray]:
    return seen if isinstance(seen, dict) else {"": seen}


def same(one: Observation, other: Observation) -> bool:
    return all(part.tobytes() == parts(other)[name].tobytes() for name, part in parts(one).items())


def mask_of(states: np.ndarray) -> np.ndarray:
    mask = np.zeros((1, ACTIONS), np.int8)
    engine.legal_masks(states, mask)
    row: np.ndarray = mask[0]
    return row


@pytest.mark.parametrize("kind", KINDS)
def test_observations_lie_in_their_space_for_every_seat(kind: str) -> None:
    box = space(kind)
    for states in events(OBSERVED):
        for seat in range(states["caver_count"][0]):
            assert box.contains(observe(states, 0, seat, kind))


def test_entities_and_mask_hold_the_whole_public_state() -> None:
    for states in events(OBSERVED):
        seen = observe(states, 0, None, "entities")
        assert isinstance(seen, dict)
        rebuilt = rebuild(seen, mask_of(states))
        rebuilt["luck"] = states["luck"]
        assert rebuilt.tobytes() == states.tobytes()


@pytest.mark.parametrize("kind", KINDS)
def test_the_luck_key_is_not_seen(kind: str) -> None:
    rng = np.random.default_rng(8)
    for states in events(OBSERVED * 4):
        other = states.copy()
        other["luck"] = rng.integers(2**63)
        assert same(observe(states, 0, None, kind), observe(other, 0, None, kind))


@pytest.mark.parametrize("kind", KINDS)
def test_observing_changes_nothing_and_hands_out_new_arrays(kind: str) -> None:
    states = mid_game_states(1)
    before = states.tobytes()
    first, second = observe(states, 0, None, kind), observe(states, 0, None, kind)
    assert states.tobytes() == before
    for name, part in parts(first).items():
        assert not np.shares_memory(part, parts(second)[name])
        assert not np.shares_memory(part, states)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_sees_what_each_caver_asked_sees(kind: str, threads: int) -> None:
    states = mid_game_states(33)
    room = Room(kind, len(states), threads)
    for part in parts(room.seen).values():
        part[:] = np.nan
    room.observe_all(states)
    for i in range(len(states)):
        one = observe(states, i, int(eyes(states, i)), kind)
        assert same(one, seen_in(room.seen, i))


def seen_in(seen: Observation, i: int) -> Observation:
    return seen[i] if isinstance(seen, np.ndarray) else {name: table[i] for name, table in seen.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_chosen_seats_of_many_games_see_what_each_of_them_sees(kind: str) -> None:
    states = mid_game_states(9)
    games = np.array([8, 0, 3, 3, 5])
    seats = np.arange(5) % states["caver_count"][games]
    seen = observe_each(states, games, seats, kind)
    for k, (i, seat) in enumerate(zip(games, seats, strict=True)):
        assert same(observe(states, i, int(seat), kind), seen_in(seen, k))


def test_the_eyes_are_those_of_who_is_asked_in_turn_or_starts() -> None:
    found = set()
    for states in events(1, range(6)):
        state = states[0]
        asked, seat, first = (int(state[name]) for name in ("asked", "seat", "first"))
        expected = next(each for each in (asked, seat, first) if each != NOBODY)
        assert eyes(states, 0) == expected
        found.add((asked != NOBODY, seat != NOBODY))
    assert len(found) > 2


def test_an_unknown_kind_is_refused_by_name() -> None:
    states = mid_game_states(1)
    for refused in (lambda: space("flut"), lambda: Room("flut", 1), lambda: observe(states, 0, None, "flut")):
        with pytest.raises(ObservationError, match="'flut'; there are flat, entities, planes"):
            refused()


def hash_of_observations() -> str:
    digest = hashlib.sha256()
    for states in events(OBSERVED_AS_PYTHON, range(9)):
        for kind in KINDS:
            for part in parts(observe(states, 0, None, kind)).values():
                digest.update(part.tobytes())
    return digest.hexdigest()


def test_plain_python_sees_the_same() -> None:
    settings = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", _HASH]
    run = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert run.stdout.strip() == hash_of_observations(), run.stderr


@pytest.mark.parametrize(
    "layout", [FLAT, PLANES, *(layout for _, layout in ENTITY_ROWS.values())], ids=lambda layout: str(layout.size)
)
def test_every_number_has_a_name_of_its_own(layout: Layout) -> None:
    names = [index.name for index in layout.indices()]
    assert len(names) == len(set(names)) == layout.size
    assert [index.number for index in layout.indices()] == list(range(layout.size))


def games_of_the_bot(games: range) -> Iterator[np.ndarray]:
    """Every question but `turn`, and some of those: long games, with the questions that random ones seldom reach."""
    for number in games:
        team = np.random.default_rng(number).permutation(CAVER_NAMES)[: 4 + number % 3]
        difficulty, extra = (("normal", 3), ("expert", 0))[number % 2]
        agreed = options(cavers=tuple(map(str, team)), difficulty=difficulty, extra_hazard_cards=extra)
        states = new_game(agreed, number)
        for event in count():
            if states["node"][0] == Node.END:
                break
            if states["node"][0] == Node.CHANCE:
                engine.apply_chance(states, engine.lucky(states))
                continue
            if states["question"][0] != Question.TURN or event % 7 == 0:
                yield states
            engine.apply(states, rules_action(states))


def test_no_number_of_flat_is_always_the_same() -> None:
    low, high = np.full(FLAT.size, np.inf), np.full(FLAT.size, -np.inf)
    for states in chain(events(3, range(120)), games_of_the_bot(range(40))):
        for seat in range(states["caver_count"][0]):
            seen = np.asarray(observe(states, 0, seat, "flat"))
            low, high = np.minimum(low, seen), np.maximum(high, seen)
    assert [index.name for index in FLAT.indices() if low[index.number] == high[index.number]] == []


class Cave:
    """Distances by a plain search, for comparison."""

    def __init__(self, state: Any) -> None:
        self.tiles = state["tiles"]
        self.state = state

    def neighbours(self, slot: int) -> list[int]:
        tile = self.tiles[slot]
        return [int(tile["beside"][side]) for side in Side if tile["connected"] >> side & 1]

    def steps(self, slot: int, goals: set[int]) -> float:
        reached, distance = {slot} - {NOWHERE}, 0
        while reached and not reached & goals:
            wider = reached.union(*(self.neighbours(each) for each in reached))
            if wider == reached:
                return np.inf
            reached, distance = wider, distance + 1
        return distance if reached else np.inf

    @property
    def frontier(self) -> set[int]:
        return {slot for slot, tile in enumerate(self.tiles) if tile["open"] & tile["empty"]}

    @property
    def horrors(self) -> set[int]:
        return {int(horror["slot"]) for horror in self.state["horrors"][: self.state["horror_count"]]}

    def goals(self, slot: int) -> list[float]:
        exits = {int(self.state["exit_slot"])} - {NOWHERE}
        far = ((exits, NEAR), (self.frontier, NEAR), (self.horrors, NEAR_HORROR))
        return [max(0.0, 1 - self.steps(slot, goal) / reach) for goal, reach in far]


def test_flat_measures_what_a_plain_search_finds() -> None:
    for states in events(OBSERVED * 2):
        state, me = states[0], int(eyes(states, 0))
        cave, seen = Cave(state), Row(np.asarray(observe(states, 0, me, "flat")), FLAT)
        slot = int(state["cavers"][me]["slot"])
        at = FLAT.column("me", "exit near")
        assert seen.row[at : at + 3] == pytest.approx(cave.goals(slot))
        for side in Side:
            at = FLAT.column("side", "exit near") + side * FLAT.section("side").width
            beyond = int(state["tiles"][slot]["beside"][side])
            assert seen.row[at : at + 3] == pytest.approx(cave.goals(beyond))
        for places in range(1, state["caver_count"]):
            other = state["cavers"][(me + places) % state["caver_count"]]
            row = seen.row[(places - 1) * FLAT.section("other").width :]
            at = FLAT.column("other", "near")
            steps = cave.steps(slot, {int(other["slot"])} - {NOWHERE})
            assert row[at : at + 4] == pytest.approx([max(0.0, 1 - steps / NEAR), *cave.goals(int(other["slot"]))])
            assert row[FLAT.column("other", "who") + int(other["who"])] == 1


def test_flat_says_what_each_turning_would_open() -> None:
    laid = 0
    for states in events(1):
        state = states[0]
        if state["question"] != Question.PLACE or not state["turnings_drawn"]:
            continue
        laid += 1
        seen = np.asarray(observe(states, 0, None, "flat"))
        rows = seen[FLAT.start("lay drawn") :][: FLAT.section("lay drawn").size].reshape(4, -1)
        here = state["tiles"][state["cavers"][state["actor"]]["slot"]]
        steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
        x, y = (int(here[axis]) + steps[state["side"]][number] for number, axis in enumerate("xy"))
        lies = {(int(tile["x"]), int(tile["y"])): tile for tile in state["tiles"][: state["tile_count"]]}
        for turns, (may, opens, connects) in enumerate(rows):
            assert may == state["turnings_drawn"] >> turns & 1
            if may:
                sides = [side for side in Side if OPEN_SIDES[state["drawn"], turns] >> side & 1]
                beyond = [lies.get((x + steps[side][0], y + steps[side][1])) for side in sides]
                joined = [
                    tile
                    for side, tile in zip(sides, beyond, strict=True)
                    if tile is not None and tile["open"] >> (side + 2) % 4 & 1
                ]
                assert opens == pytest.approx(beyond.count(None) / 3)
                assert connects == pytest.approx(len(joined) / 4)
    assert laid > 50


def test_flat_odds_are_those_of_the_engine() -> None:
    weights = np.zeros(engine.OUTCOMES)
    draws = 0
    for states in events(1, range(9)):
        if states["node"][0] != Node.CHANCE or states["chance"][0] == 2:
            continue
        engine.chance_weights(states, weights)
        seen = Row(np.asarray(observe(states, 0, None, "flat")), FLAT)
        draws += 1
        if states["chance"][0] == 3:
            assert seen.numbers("deck", "unseen") == pytest.approx(weights[:10])
        else:
            (exit_chance,) = seen.numbers("stack", "exit")
            assert exit_chance == pytest.approx(weights[2])
            assert seen.numbers("stack", "unseen").sum() == pytest.approx(1)
            shares = seen.numbers("stack", "unseen")[:16] * (1 - exit_chance)
            assert shares == pytest.approx(weights[3:19], abs=1e-6)
    assert draws > 100


def test_planes_show_the_tiles_about_the_caver() -> None:
    for states in events(OBSERVED * 3):
        state, me = states[0], int(eyes(states, 0))
        seen = np.asarray(observe(states, 0, me, "planes"))
        caver = state["cavers"][me]
        slot = next((int(caver[name]) for name in ("slot", "dived_from") if caver[name] != NOWHERE), 0)
        middle = state["tiles"][slot]
        shown = np.zeros(seen.shape[1:])
        for tile in state["tiles"][: state["tile_count"]]:
            row, column = RADIUS - (int(tile["y"]) - middle["y"]), RADIUS + int(tile["x"]) - middle["x"]
            if 0 <= row < len(shown) and 0 <= column < len(shown):
                shown[row, column] = 1
                assert seen[PLANES.column("tile", "kind") + int(tile["kind"]) - Kind.START, row, column] == 1
                assert seen[PLANES.column("tile", "flooded"), row, column] == tile["flooded"]
        assert (seen[PLANES.column("tile", "lies")] == shown).all()
        assert seen[PLANES.column("beings", "me")].sum() == (caver["slot"] != NOWHERE)


def test_the_seat_named_is_the_one_that_sees() -> None:
    states = new_game(varied_options(1), 3)
    engine.settle_chance(states)
    seen = [np.asarray(observe(states, 0, seat, "flat")) for seat in range(states["caver_count"][0])]
    for seat, row in enumerate(seen):
        assert row[FLAT.column("me", "who") + int(states["cavers"][0][seat]["who"])] == 1
        asked = row[FLAT.column("turn", "asked") :][: states["caver_count"][0]]
        assert int(asked.argmax()) == (states["asked"][0] - seat) % states["caver_count"][0]
