"""Turned and mirrored caves: the maps form a group, and the rules and the observations go along with them."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from subterra_env.games.subterra import engine
from subterra_env.games.subterra.actions import ACTIONS, END_TURN, MOVE
from subterra_env.games.subterra.box.tiles import OPEN_SIDES, TILE_TYPES, TURNINGS
from subterra_env.games.subterra.invariants import faults
from subterra_env.games.subterra.observation import KINDS, Observation, observe
from subterra_env.games.subterra.options import Options
from subterra_env.games.subterra.symmetry import (
    SYMMETRIES,
    TURNING,
    Laid,
    Turning,
    action_map,
    composed,
    inverse,
    laid,
    laid_in,
    map_action,
    map_mask,
    map_observation,
    map_states,
    mapped_place,
    mapped_side,
    mapped_turns,
)
from subterra_env.games.subterra.terms import Kind, Node, Question, Side
from tests.random_games import play, random_answer, varied_options

ALL = range(SYMMETRIES)
PAIRS = list(product(ALL, ALL))
LAID = [Laid(drawn, reserve) for drawn, reserve in product(Turning, Turning)]
EAST_NORTH = {Side.NORTH: (0, 1), Side.EAST: (1, 0), Side.SOUTH: (0, -1), Side.WEST: (-1, 0)}


def without_preferred_sides(number: int) -> Options:
    """With automatic horrors the north comes first, whatever way the cave lies."""
    return varied_options(number).model_copy(update={"horror_choices": "players"})


def games(numbers: range) -> Iterator[np.ndarray]:
    for number in numbers:
        yield from play(without_preferred_sides(number), number, number)


def some_states(every: int, numbers: range) -> Iterator[np.ndarray]:
    return (states for count, states in enumerate(games(numbers)) if count % every == 0)


def same(one: Observation, other: Observation) -> bool:
    if isinstance(one, dict):
        assert isinstance(other, dict)
        return all(part.tobytes() == other[name].tobytes() for name, part in one.items())
    return one.tobytes() == np.asarray(other).tobytes()


def test_the_eight_are_different() -> None:
    assert len({tuple(mapped_side(g, side) for side in Side) for g in ALL}) == SYMMETRIES


@pytest.mark.parametrize(("first", "then"), PAIRS)
def test_one_after_the_other_is_their_composition(first: int, then: int) -> None:
    both = composed(first, then)
    for side in Side:
        assert mapped_side(both, side) == mapped_side(then, mapped_side(first, side))
    assert mapped_place(both, 3, 5) == mapped_place(then, *mapped_place(first, 3, 5))
    for turning, turns in product(Turning, range(4)):
        assert mapped_turns(both, turning, turns) == mapped_turns(then, turning, mapped_turns(first, turning, turns))
    for tiles in LAID:
        assert (action_map(both, tiles) == action_map(then, tiles)[action_map(first, tiles)]).all()


@pytest.mark.parametrize("g", ALL)
def test_the_inverse_undoes(g: int) -> None:
    assert composed(g, inverse(g)) == composed(inverse(g), g) == 0


@pytest.mark.parametrize("g", ALL)
def test_places_go_where_the_sides_go(g: int) -> None:
    for side, place in EAST_NORTH.items():
        assert mapped_place(g, *place) == EAST_NORTH[Side(mapped_side(g, side))]


@pytest.mark.parametrize("g", ALL)
@pytest.mark.parametrize("number", range(1, len(TILE_TYPES)), ids=lambda number: TILE_TYPES[number].name)
def test_turned_tiles_open_to_the_turned_sides_and_fit_where_they_did(g: int, number: int) -> None:
    arrow = TILE_TYPES[number].kind in (Kind.LEDGE, Kind.SLIDE)
    for side in Side:
        before, after = TURNINGS[number, side], TURNINGS[number, mapped_side(g, side)]
        for turns in range(4):
            mapped = mapped_turns(g, Turning(TURNING[number]), turns)
            assert before >> turns & 1 == after >> mapped & 1
            if before >> turns & 1:
                sides = OPEN_SIDES[number, turns]
                assert OPEN_SIDES[number, mapped] == sum(1 << mapped_side(g, s) for s in Side if sides >> s & 1)
                assert not arrow or mapped == mapped_side(g, turns)


def test_states_map_as_a_group_does() -> None:
    for states in some_states(40, range(9)):
        assert map_states(states, 0).tobytes() == states.tobytes()
        for first, then in PAIRS:
            mapped = map_states(map_states(states, first), then)
            assert mapped.tobytes() == map_states(states, composed(first, then)).tobytes()


def test_a_mapped_position_has_no_faults() -> None:
    for states in some_states(50, range(18)):
        for g in ALL:
            assert faults(map_states(states, g)[0]) == []


def test_a_batch_maps_as_its_games_do() -> None:
    chosen = np.array([states[0] for states in some_states(97, range(9))])
    for g in ALL:
        one_by_one = b"".join(map_states(chosen[i : i + 1], g).tobytes() for i in range(len(chosen)))
        assert map_states(chosen, g).tobytes() == one_by_one


def go(states: np.ndarray, edge: int) -> np.ndarray:
    """The game after an answer or an outcome."""
    after = states.copy()
    if states["node"][0] == Node.CHANCE:
        engine.apply_chance(after, edge)
    else:
        engine.apply(after, edge)
    return after


def test_the_mapped_step_in_the_mapped_cave_is_the_step_mapped() -> None:
    """Byte for byte, chance stated, every question and every chance event met."""
    rng = np.random.default_rng(5)
    met = set()
    for states in games(range(150)):
        node, question = int(states["node"][0]), int(states["question"][0])
        seldom = question not in (Question.NONE, Question.TURN, Question.RUN)
        if node == Node.END or not (seldom or rng.random() < 0.2):
            continue
        met.add((node, question, int(states["chance"][0])))
        at_chance = node == Node.CHANCE
        edge = int(engine.lucky(states)) if at_chance else random_answer(states, rng)
        after = go(states, edge)
        for g in ALL:
            mapped_edge = edge if at_chance else map_action(edge, g, laid(states[0]))
            mapped_after = go(map_states(states, g), mapped_edge)
            assert mapped_after.tobytes() == map_states(after, g).tobytes(), (question, edge, g)
    questions = {(int(Node.ASK), int(question), 0) for question in Question if question != Question.NONE}
    assert met == questions | {(int(Node.CHANCE), 0, chance) for chance in (1, 2, 3)}


@pytest.mark.parametrize("kind", KINDS)
def test_the_mapped_cave_is_seen_as_the_cave_seen_mapped(kind: str) -> None:
    for states in some_states(23, range(27)):
        for seat in range(states["caver_count"][0]):
            seen = observe(states, 0, seat, kind)
            for g in ALL:
                assert same(map_observation(seen, g, kind), observe(map_states(states, g), 0, seat, kind))


@pytest.mark.parametrize("kind", KINDS)
def test_observations_map_as_a_group_does(kind: str) -> None:
    for states in some_states(211, range(18)):
        seen = observe(states, 0, None, kind)
        for first, then in PAIRS:
            mapped = map_observation(map_observation(seen, first, kind), then, kind)
            assert same(mapped, map_observation(seen, composed(first, then), kind))


def mask_of(states: np.ndarray) -> np.ndarray:
    mask = np.zeros((1, ACTIONS), np.int8)
    engine.legal_masks(states, mask)
    row: np.ndarray = mask[0]
    return row


def test_masks_map_with_what_an_observation_shows_of_the_tiles() -> None:
    placed = 0
    for states in some_states(3, range(27)):
        seen = {kind: laid_in(observe(states, 0, None, kind), kind) for kind in ("flat", "entities")}
        if states["question"][0] == Question.PLACE:
            placed += 1
            assert set(seen.values()) == {laid(states[0])}
        for g in ALL:
            mask = map_mask(mask_of(states), g, seen["flat"])
            assert (mask == mask_of(map_states(states, g))).all()
    assert placed > 30


def test_only_words_with_a_side_or_quarter_turns_change() -> None:
    tiles = Laid(Turning.CORNER, Turning.AXIS)
    assert map_action(MOVE + Side.NORTH, 1, tiles) == MOVE + Side.EAST
    assert map_action(MOVE + Side.EAST, 4, tiles) == MOVE + Side.WEST
    assert all(map_action(END_TURN, g, tiles) == END_TURN for g in ALL)
    with pytest.raises(IndexError, match="98 is no action id"):
        map_action(ACTIONS, 1, tiles)
