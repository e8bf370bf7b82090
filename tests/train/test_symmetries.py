"""Turned and mirrored positions to learn from: the same maps as those of the game."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from subterra_env.train.symmetries import Symmetries  # noqa: E402

from subterra_env.envs.vector import SubTerraVectorEnv  # noqa: E402
from subterra_env.game import SUBTERRA  # noqa: E402

GAMES, STEPS = 200, 60


def positions() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    env = SubTerraVectorEnv(GAMES, team="random")
    seen, info = env.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(STEPS):
        seen, _, _, _, info = env.step((info["action_mask"] * rng.random(info["action_mask"].shape)).argmax(axis=1))
    masks = info["action_mask"]
    return seen, masks, (masks * rng.random(masks.shape)).argmax(axis=1)


def test_rows_are_turned_as_the_game_turns_them() -> None:
    seen, masks, answers = positions()
    rows = {"seen": torch.from_numpy(seen), "masks": torch.from_numpy(masks), "answers": torch.from_numpy(answers)}
    Symmetries().turn(rows, np.random.default_rng(7))
    turns = np.random.default_rng(7).integers(SUBTERRA.symmetry.SYMMETRIES, size=GAMES)
    assert set(turns.tolist()) == set(range(SUBTERRA.symmetry.SYMMETRIES))
    kinds = set()
    for i, g in enumerate(turns.tolist()):
        laid = SUBTERRA.symmetry.laid_in(seen[i], "flat")
        kinds.add(laid)
        assert np.array_equal(rows["seen"][i].numpy(), SUBTERRA.symmetry.map_observation(seen[i], g, "flat"))
        assert np.array_equal(rows["masks"][i].numpy(), SUBTERRA.symmetry.map_mask(masks[i], g, laid))
        assert int(rows["answers"][i]) == SUBTERRA.symmetry.map_action(int(answers[i]), g, laid)
    assert len(kinds) > 3, "tiles that turn differently are about to be laid"
