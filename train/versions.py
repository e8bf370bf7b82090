"""What a checkpoint's card says of how it came to be."""

import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_PROGRAMS = ("subterra_env", "torch", "numpy")


def provenance(config: dict[str, Any], decisions: int, seconds: float) -> dict[str, Any]:
    """The configuration, decisions and seconds of a run, versions of programs, and the commit they are of."""
    versions = {name: _version(name) for name in _PROGRAMS}
    return {
        "config": config, "decisions": decisions, "seconds": round(seconds, 1), "versions": versions,
        "commit": commit(),
    }  # fmt: skip


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def commit() -> str:
    """The commit of the sources, with a plus sign if they differ from it; ``unknown`` outside a repository."""
    folder = Path(__file__).parent
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
            cwd=folder, capture_output=True, text=True, check=True, timeout=10,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return found.stdout.strip()
