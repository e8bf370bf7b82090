"""What a table agrees before setup: validated, with its defaults, presets, and its place in a game record."""

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from subterra_env.games.subterra.box.cavers import FEWEST_CAVERS, MOST_CAVERS
from subterra_env.games.subterra.box.hazards import most_extra_cards
from subterra_env.games.subterra.box.tiles import LAST_PLACES, STACK_TILES
from subterra_env.games.subterra.state import NOBODY, STATE
from subterra_env.games.subterra.terms import Caver, Difficulty, HorrorChoices, OutOfTime, RuleSet, words

AT_RANDOM = "random"
"""Value of `first`: the starting caver is drawn."""
MOST_ROUNDS = 1000
CAVER_NAMES = tuple(words(Caver))
_CAVERS_FOR_PLAYERS = {2: 4, 3: 6}


class OptionsError(ValueError):
    """What was agreed cannot be played; the message names each fault and what would be right."""


class Options(BaseModel):
    """What is agreed before setup (rulebook 2, 6.6, 6.8, 7.6, 9). Raises `OptionsError` through `options`."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    cavers: Annotated[tuple[str, ...], Field(strict=False)] = ("scout", "medic", "leader", "diver")
    """The team in seat order, 4 to 6 different names."""
    rules: Literal["official", "guide", "summary"] = "official"
    difficulty: Literal["normal", "advanced", "expert"] = "normal"
    extra_hazard_cards: Annotated[int, Field(ge=0)] = 0
    """Hazard cards dealt beyond the usual number: more time (1.3)."""
    stack_tiles: Annotated[int, Field(ge=LAST_PLACES, le=STACK_TILES)] = STACK_TILES
    """Tiles in the stack, the exit apart (2.7)."""
    hidden_cavers_are_passed_by: bool = False
    horror_choices: Literal["players", "automatic"] = "players"
    out_of_time: Literal["rulebook", "card"] = "rulebook"
    stop_when_conscious_are_out: bool = False
    max_rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] = 100
    first: int | Literal["random"] = 0
    """Seat of the starting caver, or "random" (2.6)."""

    @model_validator(mode="after")
    def _fits_the_box(self) -> "Options":
        unknown = [name for name in self.cavers if name not in CAVER_NAMES]
        if unknown:
            raise ValueError(f"cavers: no such caver: {', '.join(unknown)}; there are {', '.join(CAVER_NAMES)}")
        if not FEWEST_CAVERS <= len(self.cavers) <= MOST_CAVERS:
            raise ValueError(f"cavers: {len(self.cavers)} of them; it takes {FEWEST_CAVERS} to {MOST_CAVERS}")
        if len(set(self.cavers)) < len(self.cavers):
            raise ValueError("cavers: a caver is named twice; each is in the box once")
        if isinstance(self.first, int) and not 0 <= self.first < len(self.cavers):
            raise ValueError(f"first: {self.first} is no seat; seats are 0 to {len(self.cavers) - 1}, or 'random'")
        room = most_extra_cards(len(self.cavers), Difficulty[self.difficulty.upper()])
        if self.extra_hazard_cards > room:
            raise ValueError(f"extra_hazard_cards: {self.extra_hazard_cards}; the pool has room for 0 to {room}")
        return self


RECORDED = (
    "difficulty",
    "extra_hazard_cards",
    "stack_tiles",
    "hidden_cavers_are_passed_by",
    "horror_choices",
    "out_of_time",
    "stop_when_conscious_are_out",
    "max_rounds",
)
"""The options that a game record holds (11); rules, cavers and first stand beside them."""


def options(**agreed: Any) -> Options:
    """Options from names and values; what is not named has its default. Raises `OptionsError`."""
    try:
        return Options(**agreed)
    except ValidationError as error:
        raise OptionsError("; ".join(_fault(fault) for fault in error.errors())) from None


def _fault(fault: Any) -> str:
    where = ".".join(str(part) for part in fault["loc"] if part not in ("int", "literal['random']"))
    message: str = fault["msg"].removeprefix("Value error, ")
    if fault["type"] == "extra_forbidden":
        message = f"no such option; there are {', '.join(Options.model_fields)}"
    given = f", not {fault['input']!r}" if where and fault["type"] not in ("value_error", "extra_forbidden") else ""
    return (f"{where}: " if where else "") + message[:1].lower() + message[1:] + given


def agreed_state(agreed: Options) -> np.ndarray:
    """An array of one `STATE` that holds what was agreed and nothing else: what `engine.begin` sets the table from."""
    states = np.zeros(1, STATE)
    state = states[0]
    state["rules"] = RuleSet[agreed.rules.upper()]
    state["difficulty"] = Difficulty[agreed.difficulty.upper()]
    state["horror_choices"] = HorrorChoices[agreed.horror_choices.upper()]
    state["out_of_time"] = OutOfTime[agreed.out_of_time.upper()]
    for name in ("extra_hazard_cards", "stack_tiles", "max_rounds"):
        state[name] = getattr(agreed, name)
    for name in ("hidden_cavers_are_passed_by", "stop_when_conscious_are_out"):
        state[name] = getattr(agreed, name)
    state["caver_count"] = len(agreed.cavers)
    state["first_at_setup"] = NOBODY if agreed.first == AT_RANDOM else agreed.first
    for seat, name in enumerate(agreed.cavers):
        state["cavers"][seat]["who"] = Caver[name.upper()]
    return states


def options_of(state: np.void) -> Options:
    """What was agreed for a game, read from its state; `first` is the seat, however it was found."""
    return options(
        cavers=tuple(CAVER_NAMES[who] for who in state["cavers"]["who"][: state["caver_count"]]),
        rules=RuleSet(state["rules"]).name.lower(),
        difficulty=Difficulty(state["difficulty"]).name.lower(),
        horror_choices=HorrorChoices(state["horror_choices"]).name.lower(),
        out_of_time=OutOfTime(state["out_of_time"]).name.lower(),
        extra_hazard_cards=int(state["extra_hazard_cards"]),
        stack_tiles=int(state["stack_tiles"]),
        max_rounds=int(state["max_rounds"]),
        hidden_cavers_are_passed_by=bool(state["hidden_cavers_are_passed_by"]),
        stop_when_conscious_are_out=bool(state["stop_when_conscious_are_out"]),
        first=int(state["first_at_setup"]),
    )
