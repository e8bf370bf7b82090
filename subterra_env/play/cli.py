"""The command ``subterra``. Whatever takes time to import is imported by the command that uses it."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.exceptions import TyperException

PACKAGE = "subterra_env"
AGENTS = f"{PACKAGE}.agents"
TRAINING = f"{PACKAGE}.train.command"
EXIT_WRONG_COUNT = 1
EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="subterra",
    help="The cooperative board game Sub Terra as a reinforcement-learning environment.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Seed = Annotated[int, typer.Option(min=0, help="Luck and choices of the first game; further games count on from it.")]
Agent = Annotated[str, typer.Option(help="Who plays: a name, or module:Class.")]


@app.command()
def demo(
    seed: Annotated[int, typer.Option(min=0, help="Luck of the game.")] = 7,
    skip_training: Annotated[bool, typer.Option("--skip-training", help="Only the game.")] = False,
) -> None:
    """Play one game with the rules bot, then train a policy for about a minute."""
    from subterra_env.play.demo import show_game, show_training

    show_game(seed)
    if not skip_training:
        show_training()


@app.command()
def record(
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write, JSON lines.")],
    agent: Agent = "rules",
    games: Annotated[int, typer.Option(min=1, help="How many.")] = 1,
    seed: Seed = 0,
    rules: Annotated[str, typer.Option(help="Rule set: official, guide or summary.")] = "official",
    difficulty: Annotated[str, typer.Option(help="normal, advanced or expert.")] = "normal",
    cavers: Annotated[
        str, typer.Option(help="A number: every team of that size in turn. Or names: medic,scout,…")
    ] = "scout,medic,leader,diver",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="Any other option.")
    ] = None,
) -> None:
    """Let an agent play games and write their records."""
    from subterra_env.play.recording import agent_named, agreed_tables, record_games, settings_in

    tables = agreed_tables(cavers, rules=rules, difficulty=difficulty, **settings_in(settings or []))
    player = agent_named(agent)
    with output.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in record_games(player, tables, games, seed))


@app.command()
def check(files: Annotated[list[Path], typer.Argument(help="Files of game records.")]) -> None:
    """Replay records and name the first wrong line."""
    from subterra_env.play.recording import checked

    for path in files:
        games, events = checked(path)
        typer.echo(
            f"{path}: {games} {'record' if games == 1 else 'records'}, {events} events, all as the rules have it"
        )


@app.command()
def show(file: Annotated[Path, typer.Argument(help="One game record, or one position as JSON.")]) -> None:
    """Draw a position, or where a game record stands after its last event."""
    from subterra_env.play.recording import table_in

    typer.echo(str(table_in(file)))


@app.command()
def advise(
    file: Annotated[Path, typer.Argument(help="One game record in progress, or one position as JSON.")],
    agent: Annotated[str, typer.Option(help="Who advises: a name, or module:Class.")] = "best",
    budget: Annotated[
        str | None, typer.Option(help="What the agent may think: 1s, 100ms, 200sims; else as it likes.")
    ] = None,
    most: Annotated[int, typer.Option("-k", min=1, help="How many answers to name.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON list, an object for each answer.")] = False,
) -> None:
    """Say what to do next: the best answers, their chances, and how the game may go on."""
    from rich.console import Console

    from subterra_env.play.advising import advice_on, json_of, print_advice

    question, advice = advice_on(file, agent, budget, most)
    if as_json:
        typer.echo(json_of(advice))
    else:
        typer.echo(str(question))
        print_advice(Console(highlight=False), advice)


@app.command()
def film(
    file: Annotated[Path, typer.Argument(help="One game record.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="A .gif, or a folder for numbered .png files.")],
    every: Annotated[int, typer.Option(min=1, help="Show every so many events.")] = 1,
) -> None:
    """Draw the game of a record event by event."""
    from subterra_env.play.film import save_film

    typer.echo(f"{output}: {save_film(file, output, every)} pictures")


@app.command()
def perft(
    file: Annotated[Path, typer.Argument(help="JSON file of set-ups.")],
    only: Annotated[int | None, typer.Option(help="Number of one set-up, from 1 on.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Deepest count; else as deep as the file's own.")] = None,
) -> None:
    """Count the leaves of the tree of answers and outcomes below set-ups, and compare them with the file's own."""
    from subterra_env.play.perft import chosen, counts, setups_in

    wrong = False
    for setup in chosen(setups_in(file), only):
        for level, leaves in counts(setup, depth or setup.deepest()):
            typer.echo(f"{setup.name}: {level} {leaves}")
            expected = setup.leaves.get(level, leaves)
            if leaves != expected:
                wrong = True
                complain(f"{file}: {setup.name}: {leaves} leaves at depth {level}, but the file says {expected}")
    if wrong:
        raise typer.Exit(EXIT_WRONG_COUNT)


@app.command()
def bench(
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="Who plays: names, or module:Class.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="File of results; what it lacks is played.")],
    suite: Annotated[str, typer.Option(help="Whose seeds: train, dev or test.")] = "dev",
    cells: Annotated[str | None, typer.Option(help="Such as normal-4,expert-6; else all nine.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many for each agent in each cell.")] = 400,
    budget: Annotated[
        str | None,
        typer.Option(help="What an agent may think for a caver's turn: 1s, 100ms, 200sims; else as it likes."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that play.")] = 1,
) -> None:
    """Let agents play the benchmark's games, or go on with them, and print the table."""
    need_library("scipy")
    suites, tournament = import_module(f"{AGENTS}.suites"), import_module(f"{AGENTS}.tournament")
    chosen = suites.cells_named(",".join(suites.CELLS) if cells is None else cells)
    try:
        rows = tournament.bench(output, agents, suite, games, budget, chosen, jobs)
    except KeyboardInterrupt:
        complain(f"stopped; the same command plays what {output} still lacks")
        raise typer.Exit(EXIT_INTERRUPTED) from None
    print_tables(rows)


@app.command()
def table(
    file: Annotated[Path, typer.Argument(help="File of results that bench has written.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON list, a row for each agent and cell.")] = False,
    plots: Annotated[Path | None, typer.Option(help="Folder for pictures.")] = None,
) -> None:
    """Work out the benchmark's table from a file of results."""
    import json

    need_library("scipy")
    rows = import_module(f"{AGENTS}.results").read(file).rows
    if as_json:
        standings = import_module(f"{AGENTS}.standings").as_json(rows)
        typer.echo(json.dumps(standings, ensure_ascii=False))
    else:
        print_tables(rows)
    if plots is not None:
        need_library("matplotlib")
        for path in import_module(f"{AGENTS}.plots").save_plots(rows, plots):
            typer.echo(str(path), err=True)


@app.command()
def train(
    config: Annotated[Path, typer.Argument(help="A YAML file such as configs/shallow.yaml.")],
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a key; part.key for one inside.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder; else runs/ and the file's name.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Change the configuration's seed.")] = None,
) -> None:
    """Train as a configuration says; a run that was broken off in that folder goes on."""
    need_library("torch", "train", "training")
    all_changes = [*(changes or []), *([] if seed is None else [f"seed={seed}"])]
    try:
        folder = import_module(TRAINING).run(config, all_changes, output)
    except KeyboardInterrupt:
        complain("stopped; the same command goes on from the last evaluation")
        raise typer.Exit(EXIT_INTERRUPTED) from None
    typer.echo(f"done; checkpoints are in {folder}")


@app.command()
def dataset(
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write, Parquet.")],
    records: Annotated[
        list[Path] | None, typer.Argument(help="Files of records; without any, games are played.")
    ] = None,
    agent: Agent = "best",
    games: Annotated[int, typer.Option(min=1, help="How many.")] = 100,
    seed: Seed = 0,
    difficulty: Annotated[str, typer.Option(help="normal, advanced or expert.")] = "normal",
    cavers: Annotated[str, typer.Option(help="A number: every team of that size in turn. Or names.")] = "4",
    jobs: Annotated[int, typer.Option(min=1, help="Processes that play.")] = 1,
) -> None:
    """Write the questions of games as data to learn from."""
    need_library("pyarrow", "train", "a dataset")
    from rich.progress import track

    from subterra_env.play.recording import agreed_tables

    data = import_module(f"{PACKAGE}.train.dataset")
    if records:
        questions = data.recorded(records)
    else:
        tables = agreed_tables(cavers, difficulty=difficulty)
        tasks = [data.Task(agent, tables[game % len(tables)], seed + game, game) for game in range(games)]
        questions = track(data.played(tasks, jobs), "games", total=games)
    typer.echo(f"{output}: {data.write_dataset(questions, output)} questions", err=True)


@app.command()
def evaluate(
    checkpoint: Annotated[Path, typer.Argument(help="A .safetensors file that train has written.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="File of results, one line a game.")],
    suite: Annotated[str, typer.Option(help="Seeds: dev, test or train.")] = "dev",
    cells: Annotated[str | None, typer.Option(help="Such as normal-4,expert-6; else all nine.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many in each cell.")] = 400,
    search: Annotated[bool, typer.Option("--search", help="With net-search instead of the policy alone.")] = False,
    budget: Annotated[str | None, typer.Option(help="What search may think for a caver's turn.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that play.")] = 1,
) -> None:
    """Let a checkpoint play the benchmark's games and print the table."""
    agent = f"{'net-search' if search else 'policy'}:checkpoint={checkpoint.resolve()}"
    bench([agent], output, suite, cells, games, budget, jobs)


@app.command()
def speed(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    training: Annotated[bool, typer.Option("--train", help="How fast the trainers are instead.")] = False,
) -> None:
    """Measure how fast the project is on this machine."""
    import json

    if training:
        need_library("torch", "train", "training")
    measurements = import_module(f"{PACKAGE}.{'train' if training else 'play'}.speed").MEASUREMENTS
    figures = {}
    for name, measure in measurements.items():
        figures[name] = measure()
        if not as_json:
            typer.echo(f"{name}: {figures[name]:,}  {(measure.__doc__ or '').strip()}")
    if as_json:
        typer.echo(json.dumps(figures))


def print_tables(rows: Sequence[Any]) -> None:
    """Standings and differences; a screen too narrow for them shows them broken rather than cut."""
    from rich.console import Console

    standings = import_module(f"{AGENTS}.standings")
    console = Console(highlight=False)
    console.width = max(console.width, standings.WIDE)
    console.print(standings.shown(rows))


def need_library(name: str, extra: str = "bench", what: str = "the benchmark") -> None:
    """Refuses to go on without a library of an extra that only some commands need."""
    if find_spec(name) is None:
        refuse(f"{what} needs {name}: pip install '{PACKAGE}[{extra}]'")


@app.command()
def agents() -> None:
    """List the agents there are, with what each is."""
    from importlib import import_module

    base = import_module("subterra_env.agents.base")
    for name, what, reference in base.described():
        typer.echo(f"{name:12} {what}{' (reference)' if reference else ''}")
    typer.echo(f"{'best':12} Stands for {base.BEST}.")


def complain(message: str) -> None:
    """One line on stderr, whatever the message holds."""
    typer.echo(f"subterra: {' '.join(message.split())}", err=True)


def refuse(message: str) -> NoReturn:
    complain(message)
    sys.exit(EXIT_BAD_INPUT)


def is_for_people(error: Exception) -> bool:
    """Whether an error tells whoever typed the command what was wrong; all others are faults of the program.

    Errors that the project defines itself do.
    """
    return isinstance(error, ValueError) and type(error).__module__.startswith(f"{PACKAGE}.")


def main() -> None:
    """Runs the command line; what was typed wrong or cannot be read becomes one line and exit code 2."""
    try:
        sys.exit(app(standalone_mode=False))
    except TyperException as error:
        refuse(f"{error.format_message()} (subterra --help says what there is)")
    except OSError as error:
        if error.filename is None:
            raise
        refuse(f"{error.filename}: {error.strerror}")
    except ValueError as error:
        if not is_for_people(error):
            raise
        refuse(str(error))
