"""Configurations of training runs: YAML files, strictly checked, with changes from the command line."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from subterra_env.game import SUBTERRA

MOST_CONFIG_BYTES = 64 * 1024
FIRST_EVALUATION_SEED = 1_000_000_000
"""Training has seeds below; games are judged on seeds from here on."""
TRAINER = "trainer"
"""The key that names who runs a configuration."""


class ConfigError(ValueError):
    """A configuration that cannot be run; the message names each fault and where it is."""


class _Loader(yaml.SafeLoader):
    """As PyYAML's, but 3e-4 is a number, not a text."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?\d+(?:\.\d*)?[eE][-+]?\d+"), list("-+0123456789")
)


def _parsed(text: str) -> Any:
    return yaml.load(text, _Loader)  # a SafeLoader: makes plain values only


class Settings(BaseModel):
    """A configuration, or a part of one: unknown keys and other types are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _can_be_agreed(table: dict[str, Any]) -> dict[str, Any]:
    SUBTERRA.options(**table)
    return table


Agreed = Annotated[dict[str, Any], AfterValidator(_can_be_agreed)]
"""What a table agrees: options of the game, such as ``stack_tiles``."""
S = TypeVar("S", bound=Settings)


def read_yaml(path: Path) -> dict[str, Any]:
    """What a configuration file says. Raises `ConfigError`."""
    try:
        if path.stat().st_size > MOST_CONFIG_BYTES:
            raise ConfigError(f"{path}: longer than {MOST_CONFIG_BYTES} bytes; a configuration is a page at most")
        given = _parsed(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(given, dict):
        raise ConfigError(f"{path}: a list of `key: value` lines, not {type(given).__name__}")
    return given


def changed(given: dict[str, Any], changes: Sequence[str]) -> dict[str, Any]:
    """A configuration with changes written ``key=value`` or ``part.key=value``, values as in YAML.

    Raises `ConfigError` for what is not written so.
    """
    for change in changes:
        where, equals, text = change.partition("=")
        if not equals or not where:
            raise ConfigError(f"{change!r}: a change is written key=value or part.key=value")
        try:
            value = _parsed(text)
        except yaml.YAMLError as error:
            raise ConfigError(f"{change!r}: not YAML: {' '.join(str(error).split())}") from None
        given = _with(given, where.split("."), value, change)
    return given


def _with(given: Any, keys: list[str], value: Any, change: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise ConfigError(f"{change!r}: nothing stands below that key")
    inner = value if len(keys) == 1 else _with(given.get(keys[0], {}), keys[1:], value, change)
    return {**given, keys[0]: inner}


def settings_from(given: dict[str, Any], kind: type[S], source: str) -> S:
    """Checked settings. Raises `ConfigError`."""
    try:
        return kind(**given)
    except ValidationError as error:
        raise ConfigError(f"{source}: {'; '.join(_fault(fault, kind) for fault in error.errors())}") from None
    except TypeError:
        raise ConfigError(f"{source}: keys are words") from None


def load_settings(path: Path, kind: type[S], changes: Sequence[str] = ()) -> S:
    """Reads a configuration from YAML. Raises `ConfigError`; unknown keys are errors."""
    return settings_from(changed(read_yaml(path), changes), kind, str(path))


def _fault(fault: Any, kind: type[Settings]) -> str:
    where = ".".join(map(str, fault["loc"]))
    if fault["type"] == "extra_forbidden":
        known = f"; there are {', '.join(kind.model_fields)}" if len(fault["loc"]) == 1 else ""
        return f"{where}: no such key{known}"
    return (f"{where}: " if where else "") + str(fault["msg"]).removeprefix("Value error, ")
