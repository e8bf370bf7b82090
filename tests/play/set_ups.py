"""Set-ups that `perft` can be told of."""

import json
from pathlib import Path
from typing import Any

PLAIN_FOUR = ["medic", "climber", "bodyguard", "engineer"]


def set_up(**changes: Any) -> dict[str, Any]:
    header = {"rules": "official", "options": {"first": "seat 0"}, "cavers": PLAIN_FOUR, "first": 0}
    return {"name": "plain four", "header": header, "after": [], "leaves": {"1": 11, "2": 251}, **changes}


def set_ups_in(path: Path, *setups: dict[str, Any]) -> Path:
    path.write_text(json.dumps({"what": "leaves at each depth", "setups": setups}), encoding="utf-8")
    return path
