"""Builds `c_twin.c` with the C compiler of this machine, where there is one, and calls it."""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

import numpy as np

from subterra_env.games.subterra import actions, terms
from subterra_env.games.subterra.box.cavers import HEALTH, HORROR_REACH, MOST_HORRORS, RANK
from subterra_env.games.subterra.box.hazards import NO_CARD
from subterra_env.games.subterra.box.tiles import NO_TILE
from subterra_env.games.subterra.prices import FOR_ONE, FOR_TWO
from subterra_env.games.subterra.rules.sides import ALL_SIDES
from subterra_env.games.subterra.state import CAVER, HORROR, NOBODY, NOWHERE, STATE, TILE

SOURCE = Path(__file__).with_name("c_twin.c")
HEADER = "c_twin_box.h"
OPTIMISED = ("-O3", "-march=native")
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Werror")

_TERMS = (terms.Kind, terms.Caver, terms.Node, terms.Phase, terms.Step, terms.Ending)
_NUMBERS = {
    "NOWHERE": NOWHERE,
    "NOBODY": NOBODY,
    "NO_TILE": NO_TILE,
    "ALL_SIDES": ALL_SIDES,
    "NO_CARD": NO_CARD,
    "HORROR_REACH": HORROR_REACH,
    "MOST_HORRORS": MOST_HORRORS,
    "ACTIONS": actions.ACTIONS,
}
_TABLES = {"RANK": RANK, "HEALTH": HEALTH, "FOR_ONE": FOR_ONE, "FOR_TWO": FOR_TWO}
_RECORDS = {"Tile": TILE, "Caver": CAVER, "Horror": HORROR, "State": STATE}
_C_NUMBERS = {"i1": "int8_t", "i2": "int16_t", "u8": "uint64_t"}


def compiler() -> str | None:
    """The C compiler of this machine: `$CC`, or the first found of cc, gcc and clang; None if there is none."""
    for name in filter(None, (os.environ.get("CC"), "cc", "gcc", "clang")):
        found = shutil.which(name)
        if found:
            return found
    return None


def header() -> str:
    """What `c_twin.c` has to know of the Python declarations, in C."""
    lines = ["#include <stddef.h>", "#include <stdint.h>"]
    for vocabulary in _TERMS:
        lines.append(_enumeration({f"{vocabulary.__name__}_{term.name}".upper(): term for term in vocabulary}))
    lines += [_enumeration(_NUMBERS), _enumeration(_ids())]
    lines += [_table(name, table) for name, table in _TABLES.items()]
    for name, record in _RECORDS.items():
        lines += _record(name, record)
    return "\n".join(lines) + "\n"


def _enumeration(numbers: dict[str, int] | dict[str, IntEnum]) -> str:
    return "enum { " + ", ".join(f"{name} = {int(number)}" for name, number in numbers.items()) + " };"


def _ids() -> dict[str, int]:
    verbs = [block.verb.replace(" ", "_").upper() for block in actions.BLOCKS]
    return {f"ID_{verb}": getattr(actions, verb) for verb in verbs}


def _table(name: str, table: np.ndarray) -> str:
    sizes = "".join(f"[{size}]" for size in table.shape)
    return f"static const {_c_number(table.dtype)} {name}{sizes} = {_literal(table.tolist())};"


def _literal(values: list[object] | int) -> str:
    return "{" + ", ".join(map(_literal, values)) + "}" if isinstance(values, list) else f"{values}u"


def _c_number(number: np.dtype) -> str:
    return _C_NUMBERS[number.str[1:]]


def _record(name: str, record: np.dtype) -> Iterator[str]:
    """The struct, and the compiler's word for it that every field lies where NumPy has it."""
    assert record.fields is not None
    yield "typedef struct {"
    for field, (form, _) in ((field, record.fields[field][:2]) for field in record.names or ()):
        sizes = "".join(f"[{size}]" for size in form.shape)
        yield f"    {_c_type(form.base)} {field}{sizes};"
    yield f"}} {name};"
    yield f'_Static_assert(sizeof({name}) == {record.itemsize}, "size of {name}");'
    for field in record.names or ():
        yield f'_Static_assert(offsetof({name}, {field}) == {record.fields[field][1]}, "place of {name}.{field}");'


def _c_type(form: np.dtype) -> str:
    for name, record in _RECORDS.items():
        if form == record:
            return name
    return _c_number(form)


def build(folder: Path) -> ctypes.CDLL:
    """Compiles the twin into a folder and loads it. Raises RuntimeError with the compiler's words if it refuses."""
    (folder / HEADER).write_text(header())
    library = folder / "c_twin.so"
    command = [compiler(), *OPTIMISED, *STRICT, "-shared", "-fPIC", f"-I{folder}", str(SOURCE), "-o", str(library)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} failed:\n{made.stderr}")
    return ctypes.CDLL(str(library))
