"""The cooperative board game Sub Terra as a reinforcement-learning environment.

``Table`` plays one game in words; ``aec_env``, ``parallel_env`` and ``single_env`` are environments, registered with
Gymnasium and PettingZoo (`envs.presets`); ``SUBTERRA`` is the game as environments, planners and trainers use it.
Nothing is loaded before it is asked for: the rules are compiled code, and many uses of this package need no rules.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from subterra_env.envs.presets import register_with_gymnasium, register_with_pettingzoo

if TYPE_CHECKING:
    from subterra_env.envs import aec_env, parallel_env, single_env
    from subterra_env.game import SUBTERRA, Game, Table, luck_key
    from subterra_env.games.subterra.options import options

__all__ = ["SUBTERRA", "Game", "Table", "aec_env", "luck_key", "options", "parallel_env", "single_env"]

_HOME = {
    "aec_env": "subterra_env.envs",
    "parallel_env": "subterra_env.envs",
    "single_env": "subterra_env.envs",
    "SUBTERRA": "subterra_env.game",
    "Game": "subterra_env.game",
    "Table": "subterra_env.game",
    "luck_key": "subterra_env.game",
    "options": "subterra_env.games.subterra.options",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_with_gymnasium()
register_with_pettingzoo()
