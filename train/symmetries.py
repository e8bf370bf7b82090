"""Positions turned and mirrored at random while they are learned from: eight caves for the price of one."""

from itertools import product

import numpy as np
import torch
from subterra_env.train.kernels import turn_rows

from subterra_env.game import SUBTERRA

_S = SUBTERRA.symmetry


class Symmetries:
    """The maps of `symmetry` for flat observations, actions and masks, as arrays.

    A map depends on how the drawn tile and the one in reserve turn: 16 pairs. All arrays begin with the symmetry and
    the pair.
    """

    def __init__(self) -> None:
        pairs = [_S.Laid(drawn, reserve) for drawn, reserve in product(_S.Turning, repeat=2)]
        flat = [[_S.flat_map(g, pair) for pair in pairs] for g in range(_S.SYMMETRIES)]
        self.sources = np.array([[source for source, _ in row] for row in flat], np.int16)
        self.signs = np.array([[sign for _, sign in row] for row in flat], np.float32)
        self.actions = np.array([[_S.action_map(g, pair) for pair in pairs] for g in range(_S.SYMMETRIES)], np.int8)

    def turn(self, rows: dict[str, torch.Tensor], rng: np.random.Generator) -> None:
        """Turns every row by a symmetry of its own, in place of what the names ``seen``, ``masks``, ``answers`` hold.

        ``seen``: float32[n, inputs], flat observations and perhaps hints; ``masks``: int8[n, ACTIONS]; ``answers``:
        int64[n].
        """
        seen, masks, answers = (rows[name].numpy() for name in ("seen", "masks", "answers"))
        drawn, reserve = _S.turnings_in(seen)
        pairs = drawn * len(_S.Turning) + reserve
        turns = rng.integers(_S.SYMMETRIES, size=len(seen))
        turned = np.empty_like(seen), np.empty_like(masks), np.empty_like(answers)
        turn_rows(seen, masks, answers, turns, pairs, self.sources, self.signs, self.actions, *turned)
        for name, array in zip(("seen", "masks", "answers"), turned, strict=True):
            rows[name] = torch.from_numpy(array)
