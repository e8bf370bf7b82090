"""What holds in every game, with games found by hypothesis; and counts of the tree of answers and outcomes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subterra_env.games.subterra import engine
from subterra_env.games.subterra.invariants import faults
from subterra_env.games.subterra.options import options
from tests.random_games import new_game, play, varied_options

NUMBERS = st.integers(0, 10_000)
LEAVES = {
    ("medic", "climber", "bodyguard", "engineer"): (11, 251, 1507, 17082, 148948),
    ("diver", "scout", "leader", "geologist"): (28, 308, 6932, 39928, 445784),
}
"""Leaves one to five edges below the beginning; to depth four the first row is an independent reading's too."""


@settings(max_examples=40, deadline=None)
@given(number=NUMBERS, key=st.integers(0, 2**64 - 1), seed=NUMBERS)
def test_games_end_are_sound_and_are_the_same_again(number: int, key: int, seed: int) -> None:
    first = [states.tobytes() for states in play(varied_options(number), key, seed)]
    for event, states in enumerate(play(varied_options(number), key, seed)):
        assert states.tobytes() == first[event]
        assert event % 20 or faults(states[0]) == []
    assert states["ending"][0] != 0


@pytest.mark.parametrize("team", LEAVES)
def test_the_tree_of_answers_and_outcomes_has_as_many_leaves(team: tuple[str, ...]) -> None:
    states = new_game(options(cavers=team), 0)
    assert tuple(engine.perft(states, depth) for depth in range(1, 6)) == LEAVES[team]
