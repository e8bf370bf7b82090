"""``@rule("4.3")``: marks a function as a rule of that section and compiles it."""

from collections.abc import Callable
from typing import TypeVar

from subterra_env.jit import compiled

_F = TypeVar("_F", bound=Callable[..., object])

CITED: dict[str, list[str]] = {}
"""Section number to the names of the functions that implement it."""


def rule(*sections: str, by: Callable[..., object] = compiled) -> Callable[[_F], _F]:
    """Marks the function that implements these sections of the rulebook, compiled ``by`` a mark of `jit`."""

    def cite(function: _F) -> _F:
        for section in sections:
            CITED.setdefault(section, []).append(f"{function.__module__.rpartition('.')[2]}.{function.__name__}")
        return by(function)  # type: ignore[return-value]

    return cite
