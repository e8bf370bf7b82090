"""Checkpoints: a network's weights as safetensors, with a card that says what they were made for.

A card is JSON in the file's header: what the network plays, how it was trained and how well it does. Nothing is
unpickled; a file that does not fit this program is refused in one line that says what differs.
"""

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from safetensors import SafetensorError
from safetensors.numpy import load, save

from subterra_env.game import SUBTERRA

MOST_BYTES = 64 * 1024 * 1024
CARD, LEAN = "card", "lean"
MOST_LAYERS, MOST_WIDTH = 8, 4096
LICENCE = "that of the project it comes with"
_LENGTH_BYTES = 8
_Widths = Annotated[tuple[Annotated[int, Field(ge=1, le=MOST_WIDTH)], ...], Field(strict=False, max_length=MOST_LAYERS)]


class CheckpointError(ValueError):
    """A file that is no checkpoint, or one for something else; the message says what differs."""


class Architecture(BaseModel):
    """Hidden layers with ReLU: a trunk that policy and value share, and each one's own.

    With ``hint`` the network also sees what the rules bot would answer, one number an action, and leans to it: its
    logit is raised by the array ``lean``. Learning then begins near that bot's play instead of far below it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    hint: bool = False
    trunk: _Widths = ()
    policy: _Widths = (256, 256)
    value: _Widths | None = (256, 256)
    """None: the value is not kept, as one that needs more than a caver's observation."""

    @property
    def inputs(self) -> int:
        """Numbers the network sees."""
        return int(SUBTERRA.observation.FLAT_SIZE + self.hint * SUBTERRA.actions.ACTIONS)


class Card(BaseModel):
    """What a checkpoint says of itself."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    game: str
    rules_version: int
    actions: str
    """Fingerprint of the action ids."""
    observations: str
    """Fingerprint of the flat observation."""
    architecture: Architecture
    value_unit: str | None = "utility"
    """The reward (`envs.rewards`) that the value is an expectation of; None if there is no value."""
    trained: dict[str, Any] = Field(default_factory=dict)
    """The configuration, the program's version, decisions learned from, seconds taken."""
    scores: dict[str, Any] = Field(default_factory=dict)
    """By cell: share of games not defeated as value, low, high; games; the suite they are of."""
    licence: str = LICENCE


def card_here(architecture: Architecture, **more: Any) -> Card:
    """The card of a network made for the game as it is in this program."""
    return Card(
        game=SUBTERRA.name,
        rules_version=SUBTERRA.rules_version,
        actions=SUBTERRA.actions.fingerprint(),
        observations=SUBTERRA.observation.fingerprint(),
        architecture=architecture,
        **more,
    )


class Checkpoint:
    """A card, and float32 arrays by name: ``trunk.0.weight`` (inputs, outputs), ``trunk.0.bias``, …, ``policy.…``,
    ``value.…``.
    """

    def __init__(self, card: Card, arrays: Mapping[str, np.ndarray]) -> None:
        """Raises `CheckpointError` if the arrays are not those of the card's architecture."""
        self.card = card
        self.arrays = {name: np.ascontiguousarray(array, np.float32) for name, array in arrays.items()}
        wanted = shapes_of(card.architecture)
        found = {name: array.shape for name, array in self.arrays.items()}
        for name in sorted(wanted.keys() | found.keys()):
            if wanted.get(name) != found.get(name):
                raise CheckpointError(f"{name}: {found.get(name, 'missing')}; the card says {wanted.get(name, 'none')}")
            if not np.isfinite(self.arrays[name]).all():
                raise CheckpointError(f"{name}: holds numbers that are not finite")

    def write(self, path: Path) -> None:
        """Writes the file, whole or not at all."""
        unfinished = path.with_name(path.name + ".part")
        unfinished.write_bytes(save(self.arrays, {CARD: self.card.model_dump_json()}))
        unfinished.replace(path)


def shapes_of(architecture: Architecture) -> dict[str, tuple[int, ...]]:
    """The arrays of a network by name, with their shapes."""
    shapes: dict[str, tuple[int, ...]] = {}
    if architecture.hint:
        shapes[LEAN] = (1,)
    width = _layers("trunk", architecture.inputs, architecture.trunk, shapes)
    _layers("policy", width, (*architecture.policy, SUBTERRA.actions.ACTIONS), shapes)
    if architecture.value is not None:
        _layers("value", width, (*architecture.value, 1), shapes)
    return shapes


def _layers(part: str, width: int, widths: tuple[int, ...], shapes: dict[str, tuple[int, ...]]) -> int:
    for number, wider in enumerate(widths):
        shapes[f"{part}.{number}.weight"] = (width, wider)
        shapes[f"{part}.{number}.bias"] = (wider,)
        width = wider
    return width


def read_checkpoint(path: Path) -> Checkpoint:
    """Reads a checkpoint for this program. Raises `CheckpointError`."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise CheckpointError(f"{path}: {path.stat().st_size} bytes; a checkpoint has at most {MOST_BYTES}")
        content = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path}: {error.strerror}") from None
    try:
        card = Card.model_validate_json(_card_text(content))
        check_fits(card)
        return Checkpoint(card, load(content))
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"])) or "the card"
        raise CheckpointError(f"{path}: {where}: {fault['msg']}") from None
    except (SafetensorError, CheckpointError, TypeError, KeyError) as error:
        raise CheckpointError(f"{path}: {error}") from None


def _card_text(content: bytes) -> str:
    """The card in the header: its length in eight bytes, then JSON."""
    if len(content) < _LENGTH_BYTES:
        raise CheckpointError("not a safetensors file")
    (length,) = struct.unpack("<Q", content[:_LENGTH_BYTES])
    try:
        header = json.loads(content[_LENGTH_BYTES : _LENGTH_BYTES + length])
    except (ValueError, RecursionError):
        raise CheckpointError("not a safetensors file") from None
    card = header.get("__metadata__", {}).get(CARD) if isinstance(header, dict) else None
    if not isinstance(card, str):
        raise CheckpointError("no card in its header")
    return card


def check_fits(card: Card) -> None:
    """Raises `CheckpointError` if a network was made for another game, or another version of it."""
    here = card_here(card.architecture)
    for name in ("game", "rules_version", "actions", "observations"):
        if getattr(card, name) != getattr(here, name):
            raise CheckpointError(f"made for {name} {getattr(card, name)}; here it is {getattr(here, name)}")
