"""Rows of results that nobody has played, for tests of files and statistics."""

from typing import Any

from subterra_env.agents.results import DEFEAT, LEFT_BEHIND, Row
from subterra_env.agents.suites import CELLS, seed_of, team_of

from subterra_env.game import SUBTERRA


def row(game: int, saved: int = 0, agent: str = "rules", cell: str = "normal-4", **others: Any) -> Row:
    """A game that ends as so many saved have it."""
    cavers = CELLS[cell].cavers
    endings = {cavers - left: medal for medal, left in LEFT_BEHIND.items()}
    usual = {
        "agent": agent,
        "budget": None,
        "reference": False,
        "suite": "dev",
        "cell": cell,
        "game": game,
        "team": team_of(cell, game),
        "seed": seed_of("dev", cell, game),
        "ending": endings.get(saved, DEFEAT),
        "saved": saved,
        "cavers": cavers,
        "rounds": 20,
        "decisions": 100,
        "ms": 50.0,
        "sims": 0,
        "rules_version": SUBTERRA.rules_version,
        "version": "0.1.0",
    }
    return Row(**{**usual, **others})
