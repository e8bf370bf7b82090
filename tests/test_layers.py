"""Imports go one way: every module has its layer, and names only modules of its own layer and of those below it."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = "subterra_env"
OUTSIDE = ("agents", "train", "configs")
"""Folders whose modules have longer names than their paths."""
FOLDERS = {PACKAGE: ROOT / PACKAGE, **{f"{PACKAGE}.{folder}": ROOT / folder for folder in OUTSIDE}}
GAME = f"{PACKAGE}.games.subterra"

LAYERS: dict[str, tuple[str, ...]] = {
    "ground": (f"{PACKAGE}.jit", f"{PACKAGE}.seeds", f"{PACKAGE}.shapes", f"{PACKAGE}.threads", f"{GAME}.terms"),
    "box": (f"{GAME}.box", f"{GAME}.actions"),
    "state": (f"{GAME}.options", f"{GAME}.state"),
    "rules": (f"{GAME}.rules", f"{GAME}.luck", f"{GAME}.prices"),
    "engine": (f"{GAME}.answers", f"{GAME}.engine"),
    "faces": (GAME,),
    "game": (f"{PACKAGE}.game", f"{PACKAGE}.games"),
    "envs": (f"{PACKAGE}.envs",),
    "way in": (PACKAGE,),
    "play": (f"{PACKAGE}.play", f"{PACKAGE}.docs", f"{PACKAGE}.configs"),
    "agents": (f"{PACKAGE}.agents",),
    "train": (f"{PACKAGE}.train",),
}
"""A module belongs to the layer that names it or the nearest package around it; "faces" are observations, words,
records, pictures and whatever else reads a state."""

BELOW: dict[str, tuple[str, ...]] = {
    "ground": (),
    "box": ("ground",),
    "state": ("box",),
    "rules": ("state",),
    "engine": ("rules",),
    "faces": ("engine",),
    "game": ("faces",),
    "envs": ("game",),
    "way in": ("envs",),
    "play": ("way in",),
    "agents": ("game",),
    "train": ("agents", "way in"),
}
COMPILED = {"compiled", "inlined", "wrapping", "gate", "entry", "rule", "intrinsic"}
"""Marks of compiled functions."""
HEAVY = {"torch", "pygame", "matplotlib", "stable_baselines3", "sb3_contrib"}
BRIDGES = {f"{PACKAGE}.envs.sb3"}
"""Modules that derive from classes of a heavy library, and are loaded by nobody but its users."""


def modules() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for name, folder in FOLDERS.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join((name, *parts)).removesuffix(".__init__")] = path
    return found


MODULES = modules()


def imported(nodes: Iterator[ast.AST]) -> set[str]:
    """The modules that import statements name; ``from package import module`` names the module."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written in full"
            members = {f"{node.module}.{alias.name}" for alias in node.names}
            found.update(members & MODULES.keys() or {str(node.module)})
    return found


def imports_of(module: str) -> set[str]:
    return imported(ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))))


def imports_when_loaded(module: str) -> set[str]:
    """Imports outside function bodies."""

    def outside_functions(node: ast.AST) -> Iterator[ast.AST]:
        yield node
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and not is_for_checkers(
                child
            ):
                yield from outside_functions(child)

    return imported(outside_functions(ast.parse(MODULES[module].read_text(encoding="utf-8"))))


def is_for_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def is_inside(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def layer_of(module: str) -> str:
    named = {name: layer for layer, names in LAYERS.items() for name in names if is_inside(module, name)}
    return named[max(named, key=len)]


def reachable(layer: str) -> set[str]:
    return {layer}.union(*(reachable(below) for below in BELOW[layer]))


@pytest.mark.parametrize("module", MODULES)
def test_a_module_names_only_its_own_layer_and_those_below(module: str) -> None:
    allowed = reachable(layer_of(module))
    upward = {name for name in imports_of(module) if is_inside(name, PACKAGE) and layer_of(name) not in allowed}
    assert not upward, f"{module} ({layer_of(module)}) may not import {sorted(upward)}"


@pytest.mark.parametrize("module", MODULES)
def test_only_one_file_names_numba(module: str) -> None:
    named = {name for name in imports_of(module) if name.split(".")[0] in ("numba", "llvmlite")}
    assert not named or module == f"{PACKAGE}.jit"


@pytest.mark.parametrize("module", [name for name in MODULES if layer_of(name) in ("envs", "play")])
def test_no_coat_names_a_game(module: str) -> None:
    assert not {name for name in imports_of(module) if is_inside(name, f"{PACKAGE}.games")}


@pytest.mark.parametrize("module", [name for name in MODULES if layer_of(name) != "train" and name not in BRIDGES])
def test_heavy_libraries_wait_until_they_are_used(module: str) -> None:
    loaded = imports_when_loaded(module)
    assert not {name for name in loaded if name.split(".")[0] in HEAVY or name in BRIDGES}


def test_the_way_in_loads_no_heavy_library() -> None:
    code = f"import sys, {PACKAGE}, {PACKAGE}.play.cli; print(*sorted({HEAVY | {'numba'}!r} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == ""


def is_compiled(function: ast.FunctionDef) -> bool:
    marks = {decorator.func if isinstance(decorator, ast.Call) else decorator for decorator in function.decorator_list}
    return any(isinstance(mark, ast.Name) and mark.id in COMPILED for mark in marks)


def functions_in(node: ast.AST) -> Iterator[ast.FunctionDef]:
    """Functions and methods; those inside a compiled function are compiled with it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield child
        if not (isinstance(child, ast.FunctionDef) and is_compiled(child)):
            yield from functions_in(child)


def is_annotated(function: ast.FunctionDef) -> bool:
    rest = [function.args.vararg, function.args.kwarg]
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs, *filter(None, rest)]
    return function.returns is not None and all(each.annotation or each.arg in ("self", "cls") for each in arguments)


@pytest.mark.parametrize("module", MODULES)
def test_only_compiled_functions_go_without_annotations(module: str) -> None:
    found = functions_in(ast.parse(MODULES[module].read_text(encoding="utf-8")))
    assert not [function.name for function in found if not is_compiled(function) and not is_annotated(function)]


def test_layers_tell_modules_apart() -> None:
    assert layer_of(f"{GAME}.notation") == "faces"
    assert layer_of(f"{GAME}.rules.acting") == "rules"
    assert layer_of(f"{PACKAGE}.agents.anything") == "agents"
    assert "play" not in reachable("train")
    assert "agents" not in reachable("play")


def test_every_package_is_installed() -> None:
    """Folders are listed in ``pyproject.toml`` by hand, because of those with a longer name than their path."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    assert set(listed) == {name for name, path in MODULES.items() if path.name == "__init__.py"}
