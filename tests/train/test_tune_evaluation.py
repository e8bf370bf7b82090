"""Fitting the hand evaluation: weights that are known are found again, and a small run does as the shipped one did."""

import json
from pathlib import Path

import numpy as np
import pytest
from subterra_env.agents.evaluation import HEADS, PHASES, TERMS, as_array, by_name, own_weights
from subterra_env.train import tune_evaluation
from subterra_env.train.tune_evaluation import Positions, area, fit, positions_of, report


def logistic(scores: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-scores))


def test_known_weights_are_found_again() -> None:
    rng = np.random.default_rng(0)
    rows, weights = rng.normal(size=(20_000, 3)), np.array([[1.0, -2.0, 0.0], [0.3, 0.0, 0.7]])
    chances = logistic(rows @ weights.T)
    ends = np.stack([rng.random(len(rows)) < chances[:, 0], chances[:, 1]], axis=1).astype(float)
    np.testing.assert_allclose(fit(rows, ends), weights, atol=0.08)


def test_the_area_under_the_curve() -> None:
    assert area(np.array([0.1, 0.4, 0.35, 0.8]), np.array([0.0, 0.0, 1.0, 1.0])) == 0.75
    assert area(np.array([3.0, 2.0, 1.0]), np.array([1.0, 0.0, 0.0])) == 1.0


def test_weights_go_through_their_names() -> None:
    weights = np.random.default_rng(0).normal(size=(len(PHASES), len(HEADS), len(TERMS)))
    np.testing.assert_allclose(as_array(json.loads(json.dumps(by_name(weights)))), weights, rtol=1e-4)


@pytest.fixture(scope="module")
def positions() -> Positions:
    return positions_of("rules", range(90))


def test_terms_are_about_one(positions: Positions) -> None:
    assert np.isfinite(positions.rows).all()
    assert np.abs(positions.rows).max() <= 12
    still = [term for term, moves in zip(TERMS, np.ptp(positions.rows, axis=0) > 0, strict=True) if not moves]
    assert set(still) <= {"constant", "rescues", "lost"}, "the others are not rare"
    assert set(positions.phases) == set(range(len(PHASES)))


def test_the_shipped_weights_tell_games_apart(positions: Positions) -> None:
    """On the very games that they were fitted to; a sign wrong anywhere would show."""
    told = np.empty((len(positions.rows), len(HEADS)))
    for phase in range(len(PHASES)):
        chosen = positions.phases == phase
        told[chosen] = logistic(positions.rows[chosen] @ own_weights()[phase].T)
    assert area(told[:, 0], positions.ends[:, 0]) > 0.75
    assert ((told[:, 1] - positions.ends[:, 1]) ** 2).mean() < 0.85 * positions.ends[:, 1].var()
    lines = list(report(own_weights(), positions))
    assert [line.split("  ")[0].strip() for line in lines] == list(PHASES)


def test_the_command_writes_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, positions: Positions) -> None:
    monkeypatch.setattr(tune_evaluation, "gather", lambda agent_name, games, jobs: positions)
    output = tmp_path / "weights.json"
    assert tune_evaluation.main(["--games", "90", "--jobs", "1", "-o", str(output)]) == 0
    assert as_array(json.loads(output.read_text(encoding="utf-8"))).shape == own_weights().shape
