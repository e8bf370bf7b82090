"""Walking distances against a plain reading of the rules: the engine itself says which steps are open."""

import heapq

import numpy as np
import pytest
from subterra_env.agents import distances as d
from subterra_env.agents import walks as w
from subterra_env.agents.evaluation import SIGHT, walk_everybody

from subterra_env.games.subterra import engine
from subterra_env.games.subterra.rules.passages import barred_side
from subterra_env.games.subterra.rules.reach import NONE, low_bit
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Caver, Kind, Node
from subterra_env.jit import entry
from tests.random_games import new_game, varied_options


@entry
def walk_of_each(states, sight, walks):
    """``walks``: int64[seats, tiles], written."""
    d.survey(states[0], sight[0])
    walk_everybody(states[0], sight[0])
    for seat in range(len(walks)):
        for slot in range(states[0].tile_count):
            walks[seat, slot] = w.byte_of(sight[0].walks[slot], seat)


@entry
def fields(states, seat, ground):
    """``out`` is what is found on the way to tile 0."""
    state, here = states[0], ground[0]
    d.survey(state, here)
    w.price_for(state, here, state.cavers[seat].who)
    d.sort_by_price(state, here)
    here.rope_price = w.byte_of(here.rope_prices, seat)
    if state.cavers[seat].who != Caver.SCOUT:
        w.shut_horrors_out(state, here)
    w.walk_all(state, here, 1 << seat)
    for slot in range(state.tile_count):
        here.walk[slot] = w.byte_of(here.walks[slot], seat)
    d.walk_to(state, here, state.cavers[seat].slot, here.goal, 120, ~NONE, ~NONE)
    d.walk_to(state, here, state.cavers[seat].slot, here.out, 120, low_bit(0), NONE)
    d.plain_steps_from(state, here, state.cavers[seat].slot, here.plain, 120)
    d.steps_from_horrors(state, here, 120)


def entry_price(state: np.void, who: int, slot: int) -> int:
    """What a caver pays to enter a tile, rough terrain and gas counted as the bot counts them."""
    tile = state["tiles"][slot]
    buried = tile["rubble"] and who != Caver.CLIMBER
    if (buried and who != Caver.GEOLOGIST) or (state["gas_out"] and tile["kind"] == Kind.GAS):
        return 3
    wet = tile["flooded"] and who != Caver.DIVER
    narrow = tile["kind"] == Kind.SQUEEZE and who != Caver.CLIMBER
    return 2 if buried or wet or narrow or tile["kind"] == Kind.ROUGH_TERRAIN else 1


def steps(state: np.void, seat: int) -> list[tuple[int, int, int]]:
    """All steps a caver could take, as (from, to, points), ropes included."""
    who = int(state["cavers"][seat]["who"])
    horrors = {int(h["slot"]) for h in state["horrors"][: state["horror_count"]]} if who != Caver.SCOUT else set()
    found = []
    for slot in range(state["tile_count"]):
        tile = state["tiles"][slot]
        for side in range(4):
            beyond = int(tile["beside"][side])
            if tile["connected"] >> side & 1 and beyond not in horrors and slot not in horrors:
                rope = 1 if who == Caver.CLIMBER else 2
                bar = rope if barred_side(state, slot) >> side & 1 else 0
                found.append((slot, beyond, entry_price(state, who, beyond) + bar))
    return found


def shortest(edges: list[tuple[int, int, int]], start: int) -> dict[int, int]:
    distance, queue = {}, [(0, start)]
    while queue:
        points, slot = heapq.heappop(queue)
        if slot not in distance:
            distance[slot] = points
            for here, there, price in edges:
                if here == slot and there not in distance:
                    heapq.heappush(queue, (points + price, there))
    return distance


def positions(games: int, every: int) -> list[np.ndarray]:
    found = []
    for number in range(games):
        states = new_game(varied_options(number), 50 + number)
        rng, turn = np.random.default_rng(number), 0
        while states[0]["node"] != Node.END:
            if states[0]["node"] == Node.CHANCE:
                engine.settle_chance(states)
                continue
            turn += 1
            if turn % every == 0:
                found.append(states.copy())
            masks = np.zeros((1, 98), np.int8)
            engine.legal_masks(states, masks)
            engine.step(states, int(rng.choice(np.flatnonzero(masks[0]))))
    return found


@pytest.fixture(scope="module")
def middle_games() -> list[np.ndarray]:
    found = positions(games=40, every=60)
    assert len(found) > 30
    assert any(states[0]["horror_count"] for states in found)
    return found


def walkers(state: np.void) -> list[int]:
    """The seats of all who are on the board and conscious."""
    cavers = state["cavers"][: state["caver_count"]]
    return [seat for seat, caver in enumerate(cavers) if caver["slot"] != NOWHERE and caver["health"] > 0]


def test_walks_are_the_shortest(middle_games: list[np.ndarray]) -> None:
    barred, looped = 0, 0
    for states in middle_games:
        state = states[0]
        for seat in walkers(state):
            start = int(state["cavers"][seat]["slot"])
            ground = np.zeros(1, SIGHT)
            fields(states, seat, ground)
            edges = steps(state, seat)
            there = shortest(edges, start)
            back = shortest([(b, a, price) for a, b, price in edges], start)
            barred += int(ground[0]["bars"])
            for slot in range(state["tile_count"]):
                assert ground[0]["walk"][slot] == there.get(slot, d.FAR)
                assert ground[0]["goal"][slot] == back.get(slot, d.FAR)
            assert ground[0]["out"][0] == back.get(0, d.FAR)
            looped += int(ground[0]["loops"]) > 0
    assert barred > 10
    assert looped > 10


def test_everybody_walks_as_if_alone(middle_games: list[np.ndarray]) -> None:
    """Horrors apart, which the evaluation does not think of."""
    for states in middle_games:
        state = states[0].copy()
        state["horror_count"] = 0
        found = np.zeros((state["caver_count"], state["tile_count"]), np.int64)
        walk_of_each(states, np.zeros(1, SIGHT), found)
        for seat in walkers(state):
            there = shortest(steps(state, seat), int(state["cavers"][seat]["slot"]))
            assert found[seat].tolist() == [there.get(slot, d.FAR) for slot in range(state["tile_count"])]


def test_plain_steps_are_runs(middle_games: list[np.ndarray]) -> None:
    for states in middle_games:
        state = states[0]
        for seat in walkers(state):
            who, start = int(state["cavers"][seat]["who"]), int(state["cavers"][seat]["slot"])
            ground = np.zeros(1, SIGHT)
            fields(states, seat, ground)
            plain = shortest([step for step in steps(state, seat) if step[2] == 1], start)
            for slot in range(state["tile_count"]):
                assert ground[0]["plain"][slot] == plain.get(slot, d.FAR), (who, slot)


def test_horrors_walk_through_everything_but_walls(middle_games: list[np.ndarray]) -> None:
    for states in middle_games:
        state = states[0]
        if state["horror_count"] == 0:
            continue
        edges = [
            (slot, int(state["tiles"][slot]["beside"][side]), 1)
            for slot in range(state["tile_count"])
            for side in range(4)
            if state["tiles"][slot]["connected"] >> side & 1
        ]
        nearest: dict[int, int] = {}
        for horror in state["horrors"][: state["horror_count"]]:
            for slot, away in shortest(edges, int(horror["slot"])).items():
                nearest[slot] = min(away, nearest.get(slot, d.FAR))
        ground = np.zeros(1, SIGHT)
        fields(states, walkers(state)[0], ground)
        for slot in range(state["tile_count"]):
            assert ground[0]["horror"][slot] == nearest.get(slot, d.FAR)
