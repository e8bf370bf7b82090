"""Compiled functions: the only module that names Numba.

Marks say how a function is compiled:

- ``compiled``: compiled into whoever calls it.
- ``inlined``: like ``compiled``, and never called: for small functions in the innermost loops that take arrays, which
  are slow to hand over.
- ``wrapping``: like ``compiled``, for unsigned arithmetic that wraps around on purpose.
- ``gate(State, …)``: compiled once, by itself, and called by its address; without gates every caller would compile
  the whole rulebook again into itself. Its arguments are records and whole numbers, its result is one or none.
- ``entry``: called from Python, and without Python's lock, so that `threads` can share work out.

The machine code of gates and entries is kept on disk between processes. With ``NUMBA_DISABLE_JIT=1`` all marks leave
plain Python functions (coverage, breakpoints, tracebacks); with ``NUMBA_BOUNDSCHECK=1`` gates are ``compiled``, so that
an error inside reaches Python.
"""

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
SPREAD = 32
"""How many numbers `spread_bits` writes."""
CACHE_VARIABLE = "SUBTERRA_CACHE_DIR"
_IMPORT = re.compile(rb"^from (subterra_env[\w.]*) import (\([^)]*\)|.*)$", re.MULTILINE)
_FIRST_COMPILE = "subterra: compiling the rules for this machine, once; this takes up to a minute"

_F = TypeVar("_F", bound=Callable[..., object])


def cache_folder() -> Path:
    """Where machine code is kept, in a folder a source state, so that no stale code is ever run."""
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "subterra_env"
    return Path(os.environ.get(CACHE_VARIABLE) or default)


def _closure(module: str, found: dict[str, bytes]) -> dict[str, bytes]:
    """The sources of a module and of all modules of this package that it imports, directly or not."""
    path = getattr(sys.modules.get(module), "__file__", None)
    if module in found or path is None:
        return found
    found[module] = Path(path).read_bytes()
    for names in _IMPORT.findall(found[module]):
        base, members = (part.decode() for part in names)
        _closure(base, found)
        for member in re.findall(r"\w+", members):
            _closure(f"{base}.{member}", found)
    return found


def _fingerprint(module: str) -> str:
    """Hash of every source that goes into a module's compiled functions; Numba itself looks at one file only."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for name, source in sorted(_closure(module, {}).items()):
        digest.update(name.encode() + b"\0" + source)
    return digest.hexdigest()[:16]


if INTERPRETED:

    def compiled(function: _F) -> _F:
        return function

    inlined = compiled

    def wrapping(function: _F) -> _F:
        return np.errstate(over="ignore")(function)

    def gate(*records: np.dtype, numbers: int = 0, result: bool = False) -> Callable[[_F], _F]:
        return compiled

    def entry(function: _F) -> _F:
        return function

    def popcount(word: np.uint64) -> int:
        """How many bits of a 64-bit word are set."""
        return int(word).bit_count()

    def lowest_bit(word: np.uint64) -> int:
        """The number of the lowest set bit of a 64-bit word that is not zero."""
        return (int(word) & -int(word)).bit_length() - 1

    def spread_bits(word: np.uint64, numbers: np.ndarray, start: int) -> None:
        """Writes the lowest `SPREAD` bits of a word as as many int8 into an array without gaps, from ``start`` on."""
        for bit in range(SPREAD):
            numbers[start + bit] = (int(word) >> bit) & 1

else:
    import numba
    from llvmlite import binding, ir
    from numba import types
    from numba.core import config
    from numba.extending import intrinsic

    _announced = False

    @contextmanager
    def _cached(module: str) -> Iterator[None]:
        """Numba reads its cache folder when a function is decorated; other people's functions keep theirs."""
        before = config.CACHE_DIR
        folder = cache_folder() / _fingerprint(module)
        _announce(folder)
        config.CACHE_DIR = str(folder)
        try:
            yield
        finally:
            config.CACHE_DIR = before

    def _announce(folder: Path) -> None:
        global _announced
        if not folder.exists():
            if not _announced:
                print(_FIRST_COMPILE, file=sys.stderr, flush=True)
                _announced = True
            folder.mkdir(parents=True, exist_ok=True)

    def compiled(function: _F) -> _F:
        return numba.njit(error_model="numpy")(function)  # type: ignore[no-any-return]

    def inlined(function: _F) -> _F:
        return numba.njit(error_model="numpy", forceinline=True)(function)  # type: ignore[no-any-return]

    wrapping = compiled

    def gate(*records: np.dtype, numbers: int = 0, result: bool = False) -> Callable[[_F], _F]:
        """Marks a function of some records and so many whole numbers that returns nothing, or a whole number."""
        given = [*map(numba.from_dtype, records), *[types.int64] * numbers]
        signature = (types.int64 if result else types.void)(*given)

        def open_gate(function: _F) -> _F:
            symbol = f"{function.__module__}.{function.__qualname__}"
            with _cached(function.__module__):
                code = numba.cfunc(signature, cache=True, error_model="numpy")(function)
            binding.add_symbol(symbol, code.address)
            _opened.append(code)
            return types.ExternalFunction(symbol, signature)  # type: ignore[no-any-return]

        return compiled if config.BOUNDSCHECK else open_gate

    _opened: list[object] = []

    def entry(function: _F) -> _F:
        with _cached(function.__module__):
            return numba.njit(error_model="numpy", cache=True, nogil=True)(function)  # type: ignore[no-any-return]

    @intrinsic
    def popcount(typing_context, word):
        """How many bits of a 64-bit word are set."""

        def code(context, builder, signature, arguments):
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), code

    @intrinsic
    def spread_bits(typing_context, word, numbers, start):
        """Writes the lowest `SPREAD` bits of a word as as many int8 into an array without gaps, from ``start`` on."""
        if numbers.layout != "C" or numbers.dtype != types.int8:
            return None

        def code(context, builder, signature, arguments):
            bits, array, first = arguments
            data = context.make_array(signature.args[1])(context, builder, array).data
            place = builder.bitcast(builder.gep(data, [first]), ir.VectorType(ir.IntType(8), SPREAD).as_pointer())
            ones = builder.bitcast(builder.trunc(bits, ir.IntType(SPREAD)), ir.VectorType(ir.IntType(1), SPREAD))
            builder.store(builder.zext(ones, ir.VectorType(ir.IntType(8), SPREAD)), place, align=1)
            return context.get_dummy_value()

        return types.void(types.uint64, numbers, types.intp), code

    @intrinsic
    def lowest_bit(typing_context, word):
        """The number of the lowest set bit of a 64-bit word that is not zero."""

        def code(context, builder, signature, arguments):
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), code
