"""Evaluation games are the same for everybody, and what is not legal is not scored."""

from typing import Any

import numpy as np
import pytest
from subterra_env.train.judging import at_random, games_played, judged

from subterra_env.game import SUBTERRA, luck_key

TABLE = {"stack_tiles": 6}


def test_evaluation_plays_the_same_games_for_everybody() -> None:
    seen: list[bytes] = []

    def first_legal(states: np.ndarray, masks: np.ndarray, answers: np.ndarray) -> None:
        seen.append(states.tobytes())
        answers[:] = masks.argmax(axis=1)

    assert judged(first_legal, TABLE, "random", 10) == judged(first_legal, TABLE, "random", 10)
    assert seen[: len(seen) // 2] == seen[len(seen) // 2 :]


def test_every_team_goes_in_turn_unless_the_table_names_one() -> None:
    def teams(team: str) -> set[bytes]:
        found = set[bytes]()

        def note(states: Any, masks: np.ndarray, answers: np.ndarray) -> None:
            found.update(state["cavers"]["who"].tobytes() for state in states)
            answers[:] = masks.argmax(axis=1)

        judged(note, TABLE, team, 80)
        return found

    assert len(teams("random")) == len(SUBTERRA.coats.teams(4))
    assert len(teams("fixed")) == 1


def test_random_choices_are_legal_and_repeat_themselves() -> None:
    one, again, other = (judged(at_random(seed), TABLE, "fixed", 50) for seed in (0, 0, 1))
    assert one == again != other
    assert one.saved < 0.2


def test_an_illegal_answer_is_not_scored() -> None:
    def lowest(states: np.ndarray, masks: np.ndarray, answers: np.ndarray) -> None:
        answers[:] = masks.argmin(axis=1)

    with pytest.raises(ValueError, match=r"game 0: .* is not legal"):
        games_played(lowest, [SUBTERRA.options(**TABLE)], [luck_key(3)])
