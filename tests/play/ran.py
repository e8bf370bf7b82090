"""What a command that was run came to."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Ran:
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


def headers(path: Path) -> list[dict[str, Any]]:
    return [line for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()) if "format" in line]
