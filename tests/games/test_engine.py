"""The engine as a machine: same seed same bytes in every way of running it, copies apart, masks and answers agree."""

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from subterra_env.games.subterra import engine
from subterra_env.games.subterra.actions import ACTIONS
from subterra_env.games.subterra.options import options
from subterra_env.games.subterra.state import STATE
from subterra_env.games.subterra.terms import Ending, Node
from tests.random_games import new_game, play, varied_options

GAMES = 18
_HASH_GAMES = "from tests.games.test_engine import hash_of_games; print(hash_of_games())"


def hash_of_games() -> str:
    """One digest over all bytes of all states of some games."""
    digest = hashlib.sha256()
    for number in range(GAMES):
        for states in play(varied_options(number), number, number):
            digest.update(states.tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize(
    "settings",
    [{"PYTHONHASHSEED": "0"}, {"PYTHONHASHSEED": "123"}, {"NUMBA_DISABLE_JIT": "1"}],
    ids=["hash seed 0", "hash seed 123", "interpreted"],
)
def test_same_seed_same_bytes_in_another_process(settings: dict[str, str]) -> None:
    command = [sys.executable, "-W", "error", "-c", _HASH_GAMES]
    run = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, check=False)
    assert run.stdout.strip() == hash_of_games(), run.stderr


def test_copies_go_their_own_way() -> None:
    states = new_game(options(), 5)
    engine.settle_chance(states)
    before = states.tobytes()
    copy = states.copy()
    engine.random_playouts(copy, 1, 3)
    assert copy.tobytes() == before
    engine.step(copy, int(np.flatnonzero(mask_of(copy))[0]))
    assert states.tobytes() == before
    assert copy.tobytes() != before


def mask_of(states: np.ndarray) -> np.ndarray:
    mask = np.full((1, ACTIONS), -1, np.int8)
    engine.legal_masks(states, mask)
    return mask[0]


def test_masks_and_the_legal_question_agree_and_are_empty_only_where_nothing_is_asked() -> None:
    for number in range(GAMES):
        for states in play(varied_options(number), number, number):
            mask = mask_of(states)
            assert [engine.legal(states, action) for action in range(ACTIONS)] == (mask == 1).tolist()
            assert set(mask) <= {0, 1}
            assert mask.any() == (states["node"][0] == Node.ASK)
            assert not engine.legal(states, ACTIONS)
            assert not engine.legal(states, -1)


def test_every_legal_answer_and_outcome_of_many_positions_can_be_carried_out() -> None:
    copy = np.zeros(1, STATE)
    for number in range(GAMES):
        for states in play(varied_options(number), number, number):
            for action in np.flatnonzero(mask_of(states)):
                copy[:] = states
                engine.apply(copy, action)
                assert copy.tobytes() != states.tobytes()


def test_every_game_ends_and_endings_of_all_kinds_come_up() -> None:
    endings = set()
    for number in range(400):
        for states in play(varied_options(number), number, number):  # noqa: B007
            pass
        assert states["node"][0] == Node.END
        endings.add(Ending(states["ending"][0]))
    assert endings >= {Ending.DEFEAT, Ending.TRUNCATED}
    assert Ending.NONE not in endings
