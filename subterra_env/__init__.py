"""The cooperative board game Sub Terra as a reinforcement-learning environment.

``Table`` plays one game in words; ``SUBTERRA`` is the game as environments, planners and trainers use it. Nothing is
loaded before it is asked for: the rules are compiled code, and many uses of this package need no rules.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from subterra_env.game import SUBTERRA, Game, Table, luck_key
    from subterra_env.games.subterra.options import options

__all__ = ["SUBTERRA", "Game", "Table", "luck_key", "options"]

_HOME = {
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
