"""Chance: its odds, its luck key, and that nobody can see the key."""

from collections import defaultdict

import numpy as np
import pytest

from subterra_env.games.subterra import engine
from subterra_env.games.subterra.box.hazards import CARD_NAMES
from subterra_env.games.subterra.box.tiles import EXIT_TILE, LAST_PLACES, TILE_TYPES
from subterra_env.games.subterra.options import options
from subterra_env.games.subterra.state import view
from subterra_env.games.subterra.terms import Chance, Node
from tests.random_games import new_game, play, random_answer, varied_options

GAMES = 200
SAMPLES = 100_000


def weights_of(states: np.ndarray) -> np.ndarray:
    weights = np.zeros(engine.OUTCOMES)
    engine.chance_weights(states, weights)
    return weights


def expected_weights(states: np.ndarray) -> np.ndarray:
    """Rulebook 2, written down a second time."""
    expected = np.zeros(engine.OUTCOMES)
    if states["chance"][0] == Chance.DIE:
        expected[1:7] = 1 / 6
    elif states["chance"][0] == Chance.HAZARD:
        unseen = states["unseen_cards"][0]
        expected[: len(CARD_NAMES)] = unseen / unseen.sum()
    else:
        left = int(states["places_left"][0])
        exit_chance = 1 / left if states["exit_in_stack"][0] and left <= LAST_PLACES else 0.0
        unseen = states["unseen"][0]
        expected[: len(TILE_TYPES)] = (1 - exit_chance) * unseen / unseen.sum()
        expected[EXIT_TILE] = exit_chance
    return expected


def test_odds_of_every_chance_event_of_many_games_follow_the_rulebook() -> None:
    seen = defaultdict(int)
    for number in range(GAMES):
        for states in play(varied_options(number), number, number):
            weights = weights_of(states)
            if states["node"][0] == Node.CHANCE:
                seen[Chance(states["chance"][0])] += 1
                assert weights.sum() == pytest.approx(1, abs=1e-12)
                np.testing.assert_allclose(weights, expected_weights(states), atol=1e-15)
                assert weights[engine.lucky(states)] > 0
            else:
                assert not weights.any()
    assert all(seen[chance] > GAMES for chance in (Chance.TILE, Chance.DIE, Chance.HAZARD))


def chance_events() -> dict[str, np.ndarray]:
    """One event of each sort: a tile without and with the exit possible, a card, a die."""
    found: dict[str, np.ndarray] = {}
    for number in range(1, 60, 2):
        for states in play(options(stack_tiles=20, first="random"), number, number):
            if states["node"][0] == Node.CHANCE:
                due = states["exit_in_stack"][0] and states["places_left"][0] <= LAST_PLACES
                found.setdefault(f"{Chance(states['chance'][0]).name}{' exit due' if due else ''}", states.copy())
    return {name: found[name] for name in ("TILE", "TILE exit due", "HAZARD", "DIE")}


@pytest.mark.parametrize("event", ["TILE", "TILE exit due", "HAZARD", "DIE"])
def test_sampled_outcomes_agree_with_the_odds(event: str) -> None:
    states = chance_events()[event]
    weights = weights_of(states)
    counts = np.zeros(len(weights))
    for key in np.random.default_rng(1).integers(0, 2**64, SAMPLES, dtype=np.uint64):
        states["luck"] = key
        counts[engine.lucky(states)] += 1
    possible = weights > 0
    assert not counts[~possible].any()
    expected = SAMPLES * weights[possible]
    chi_square = float(((counts[possible] - expected) ** 2 / expected).sum())
    freedom = int(possible.sum()) - 1
    assert chi_square < freedom + 4.5 * np.sqrt(2 * freedom)


def test_keys_one_apart_are_as_good_as_keys_drawn_at_random() -> None:
    states = chance_events()["DIE"]
    counts = np.zeros((6, 6))
    previous = None
    for key in range(30_000):
        states["luck"] = key
        number = engine.lucky(states)
        if previous is not None:
            counts[previous - 1, number - 1] += 1
        previous = number
    expected = counts.sum() / 36
    assert ((counts - expected) ** 2 / expected).sum() < 35 + 4.5 * np.sqrt(70)


def test_another_luck_key_changes_nothing_that_can_be_seen() -> None:
    for number in range(20):
        for states in play(varied_options(number), number, number):
            other = states.copy()
            other["luck"] = ~states["luck"]
            assert view(other).tobytes() == view(states).tobytes()
            mask, other_mask = np.zeros((2, 1, 98), np.int8)
            engine.legal_masks(states, mask)
            engine.legal_masks(other, other_mask)
            np.testing.assert_array_equal(mask, other_mask)
            np.testing.assert_array_equal(weights_of(states), weights_of(other))


def drawn(seed: int) -> tuple[list[int], list[int]]:
    """The tiles and cards that come in a game of one key, played by one choice of answers."""
    states, rng = new_game(options(), 77), np.random.default_rng(seed)
    tiles, cards = [], []
    while states["node"][0] != Node.END:
        if states["node"][0] == Node.CHANCE:
            outcome = engine.lucky(states)
            if states["chance"][0] == Chance.TILE:
                tiles.append(outcome)
            elif states["chance"][0] == Chance.HAZARD:
                cards.append(outcome)
            engine.apply_chance(states, outcome)
        else:
            engine.apply(states, random_answer(states, rng))
    return tiles, cards


def test_on_one_key_everybody_meets_the_same_tiles_and_cards() -> None:
    games = [drawn(seed) for seed in range(6)]
    longest = [max((game[kind] for game in games), key=len) for kind in (0, 1)]
    assert len({tuple(game[0][:4]) for game in games}) == 1
    for tiles, cards in games:
        assert tiles == longest[0][: len(tiles)]
        assert cards == longest[1][: len(cards)]
    other = new_game(options(), 78)
    assert other["luck"] != 77
