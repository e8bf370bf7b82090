"""The policy that ships with the project."""

import time

import numpy as np
from subterra_env.agents.base import load
from subterra_env.agents.mlp import packed
from subterra_env.agents.network import SHIPPED, VALUE_UNIT
from subterra_env.agents.suites import team_of
from subterra_env.agents.tournament import Fixture, play

from subterra_env.envs.rewards import MEDALS
from subterra_env.game import SUBTERRA


def test_its_card_says_what_it_is() -> None:
    from importlib.resources import as_file, files

    from subterra_env.agents.checkpoint import read_checkpoint

    with as_file(files("subterra_env.agents") / SHIPPED) as path:
        checkpoint = read_checkpoint(path)
        assert path.stat().st_size < 5_000_000
    card = checkpoint.card
    assert card.value_unit == VALUE_UNIT
    assert card.trained["config"]["trainer"] in ("ppo", "imitate", "expert_iteration")
    assert card.trained["decisions"] > 0
    assert card.scores
    assert packed(checkpoint).inputs == card.architecture.inputs


def test_it_answers_within_two_milliseconds_and_plays_far_better_than_chance() -> None:
    rows = [
        play(Fixture(agent="policy", budget=None, suite="train", cell="normal-4", game=game)) for game in range(140)
    ]
    assert len({row.team for row in rows}) == len({team_of("normal-4", game) for game in range(140)}) == 70
    assert np.mean([row.ms / row.decisions for row in rows]) < 2
    assert np.mean([row.ending in MEDALS for row in rows]) > 0.3


def test_search_with_it_answers() -> None:
    view = SUBTERRA.record.begun(SUBTERRA.options())
    SUBTERRA.engine.settle_chance(view)
    mask = np.zeros((1, SUBTERRA.actions.ACTIONS), np.int8)
    SUBTERRA.engine.legal_masks(view, mask)
    begun = time.perf_counter()
    assert mask[0][load("net-search:sims=50").act(SUBTERRA.view(view), mask[0], np.random.default_rng(0))]
    assert time.perf_counter() - begun < 60
