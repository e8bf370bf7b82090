"""Compiled functions: the only module that names Numba.

Three marks say how a function is compiled:

- ``compiled``: part of the rules; compiled into whoever calls it.
- ``entry``: called from Python; its machine code is kept on disk between processes.
- ``wrapping``: like ``compiled``, for unsigned arithmetic that wraps around on purpose.

With ``NUMBA_DISABLE_JIT=1`` all three leave plain Python functions (coverage, breakpoints, tracebacks).
"""

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CACHE_VARIABLE = "SUBTERRA_CACHE_DIR"
_FIRST_COMPILE = "subterra: compiling the rules for this machine, once; this takes up to a minute"

_F = TypeVar("_F", bound=Callable[..., object])


def cache_folder() -> Path:
    """Where machine code is kept: a folder a user and source state, so that no stale code is ever run."""
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "subterra_env"
    return Path(os.environ.get(CACHE_VARIABLE) or default) / _fingerprint()


def _fingerprint() -> str:
    """Hash of every source that may be compiled; Numba itself looks at the entry's own file only."""
    package = Path(__file__).parent
    agents = next((p for p in (package / "agents", package.parent / "agents") if p.is_dir()), None)
    sources = [Path(__file__), *package.glob("games/**/*.py"), *package.glob("envs/**/*.py")]
    if agents is not None:
        sources += agents.glob("**/*.py")
    digest = hashlib.sha256()
    for source in sorted(sources):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


if INTERPRETED:

    def compiled(function: _F) -> _F:
        return function

    def entry(function: _F) -> _F:
        return function

    def parallel_entry(function: _F) -> _F:
        return function

    def wrapping(function: _F) -> _F:
        return np.errstate(over="ignore")(function)

    parallel_range = range

    def popcount(word: np.uint64) -> int:
        """How many bits of a 64-bit word are set."""
        return int(word).bit_count()

    def lowest_bit(word: np.uint64) -> int:
        """The number of the lowest set bit of a 64-bit word that is not zero."""
        return (int(word) & -int(word)).bit_length() - 1

else:
    import numba
    from numba import types
    from numba.core import config
    from numba.extending import intrinsic

    parallel_range = numba.prange

    @contextmanager
    def _cached_here() -> Iterator[None]:
        """Numba reads its cache folder when a function is decorated; other people's functions keep theirs."""
        before = config.CACHE_DIR
        config.CACHE_DIR = str(_folder())
        try:
            yield
        finally:
            config.CACHE_DIR = before

    def _folder() -> Path:
        global _cache
        if _cache is None:
            _cache = cache_folder()
            if not _cache.exists():
                print(_FIRST_COMPILE, file=sys.stderr, flush=True)
                _cache.mkdir(parents=True, exist_ok=True)
        return _cache

    _cache: Path | None = None

    def compiled(function: _F) -> _F:
        return numba.njit(error_model="numpy")(function)

    wrapping = compiled

    def entry(function: _F) -> _F:
        with _cached_here():
            return numba.njit(error_model="numpy", cache=True, nogil=True)(function)

    def parallel_entry(function: _F) -> _F:
        with _cached_here():
            return numba.njit(error_model="numpy", cache=True, nogil=True, parallel=True)(function)

    @intrinsic
    def popcount(typing_context, word):
        """How many bits of a 64-bit word are set."""

        def code(context, builder, signature, arguments):
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), code

    @intrinsic
    def lowest_bit(typing_context, word):
        """The number of the lowest set bit of a 64-bit word that is not zero."""
        from llvmlite import ir

        def code(context, builder, signature, arguments):
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), code
