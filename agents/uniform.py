"""Random play: every legal answer as likely as any other."""

import numpy as np
from subterra_env.agents.base import Agent, Budget


class RandomAgent(Agent):
    """Any legal answer, each as likely as the others."""

    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """A legal action id drawn from ``rng``; view and budget are not looked at."""
        return int(rng.choice(np.flatnonzero(mask)))
