"""The reference pages, in Markdown, written from the declarations themselves: actions, observations, state."""

from collections.abc import Iterable, Iterator

from subterra_env.games.subterra.actions import ACTIONS, SPELLINGS, block_of, fingerprint
from subterra_env.games.subterra.entities import GLOBALS
from subterra_env.games.subterra.flat import FLAT
from subterra_env.games.subterra.layout import Index, Layout, Turns
from subterra_env.games.subterra.observation import ENTITY_ROWS, REST
from subterra_env.games.subterra.planes import PLANES, WIDTH
from subterra_env.games.subterra.state import CAVER, FIELDS, HIDDEN_FIELDS, HORROR, STATE, TILE

_DTYPES = {"game": STATE, "tile": TILE, "caver": CAVER, "horror": HORROR}


def pages() -> dict[str, str]:
    """The pages by file name."""
    return {"actions.md": actions_page(), "observation.md": observation_page(), "state.md": state_page()}


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def actions_page() -> str:
    """Every action id with its words, meaning and section of the rulebook."""
    rows = []
    for action in range(ACTIONS):
        block = block_of(action)
        words = f"{block.verb} x,y" if block.places else SPELLINGS[action]
        number = f" ({SPELLINGS[action].removeprefix(block.verb).strip()} is k)" if block.places else ""
        rows.append((str(action), f"`{words}`", block.meaning + number, block.section))
    return (
        "# Actions\n\n"
        f"An action is a number from 0 to {ACTIONS - 1}. A place `x,y` counts from the start, x to the east and y to "
        f"the north; k counts from 0. Fingerprint of this list: `{fingerprint()}`.\n\n"
        + _table(("id", "words", "what it does", "rulebook"), rows)
    )


def observation_page() -> str:
    """Every number of every kind of observation with its meaning and range."""
    parts = [
        "# Observations\n\n"
        'All numbers are float32. An observation is seen through the eyes of one caver, "me": the one asked, unless '
        "another is named.\n",
        _layout_part("flat", FLAT, f"One row of {FLAT.size} numbers."),
    ]
    for name, (rows, layout) in ENTITY_ROWS.items():
        parts.append(_layout_part(f"entities: {name}", layout, f"A table of {rows} rows of {layout.size} numbers."))
    parts.append(_layout_part(f"entities: {REST}", GLOBALS, f"One row of {GLOBALS.size} numbers."))
    picture = (
        f"A picture of {PLANES.size} channels of {WIDTH} rows (north to south) and {WIDTH} columns (west to east)."
    )
    parts.append(_layout_part("planes", PLANES, picture))
    return "\n".join(parts)


def _layout_part(name: str, layout: Layout, shape: str) -> str:
    heads = ("index", "number", "range", "meaning")
    sections: dict[str, list[tuple[str, ...]]] = {}
    for index in layout.indices():
        sections.setdefault(index.section.name, []).append(_index_row(index))
    tables = (
        f"### {section.name}: {section.meaning}\n\n{_table(heads, sections[section.name])}"
        for section in layout.sections
    )
    return f"## {name}\n\n{shape}\n\n" + "\n".join(tables)


def _index_row(index: Index) -> tuple[str, ...]:
    feature = index.feature
    turns = "" if feature.turns == Turns.FIXED else f" ({feature.turns.value})"
    return str(index.number), index.name, f"{feature.low:g} to {feature.high:g}", feature.meaning + turns


def state_page() -> str:
    """Every field of a state with its type and its sentence."""
    parts = [
        "# State\n\n"
        f"A game is one NumPy record of {STATE.itemsize} bytes. Hidden from everybody who plays: "
        f"{', '.join(f'`{name}`' for name in HIDDEN_FIELDS)}.\n"
    ]
    for part, sentences in FIELDS.items():
        parts.append(f"## {part}\n\n" + _table(("field", "type", "meaning"), _field_rows(part, sentences)))
    return "\n".join(parts)


def _field_rows(part: str, sentences: dict[str, str]) -> Iterator[tuple[str, ...]]:
    for name, sentence in sentences.items():
        field = _DTYPES[part][name]
        shape = "".join(f"[{length}]" for length in field.shape)
        kind = f"a {name.removesuffix('s')} each, " if field.base.names else ""
        yield f"`{name}`", f"{kind}{field.base if not kind else ''}{shape}".strip(), sentence
