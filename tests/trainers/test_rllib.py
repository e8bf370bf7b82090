"""RLlib's PPO with masks, and these environments under the Gymnasium that RLlib pins, in an environment of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from subterra_env.envs.rewards import ILLEGAL

ROOT = Path(__file__).parents[2]
PINS = Path(__file__).with_name("rllib-requirements.txt")
ITERATIONS = 2
PATIENCE = 1_800
"""Seconds; the first time, packages are fetched and installed."""

pytestmark = pytest.mark.slow


def run(*command: str | Path) -> str:
    """What a command prints; its errors are shown if it fails."""
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"OMP_NUM_THREADS": "1"}, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def python() -> Path:
    """The interpreter of RLlib's environment."""
    run("make", "rllib", f"PYTHON={sys.executable}")
    return ROOT / ".venv-rllib" / "bin" / "python"


def test_it_has_the_pinned_gymnasium(python: Path) -> None:
    version = run(python, "-c", "import gymnasium; print(gymnasium.__version__)").strip()
    assert f"gymnasium=={version}" in PINS.read_text().splitlines()


@pytest.mark.parametrize("players", ["team", "cavers"])
def test_ppo_trains_on_two_runners_and_all_answers_are_legal(python: Path, players: str) -> None:
    told = json.loads(run(python, "tests/trainers/rllib_ppo.py", players, str(ITERATIONS)).splitlines()[-1])
    assert (told["iterations"], told["runners"]) == (ITERATIONS, 2)
    assert sum(told["endings"].values()) > ITERATIONS
    assert ILLEGAL not in told["endings"]


def test_the_environments_hold_there(python: Path) -> None:
    run(python, "-m", "pytest", "tests/envs", "-m", "not slow")
