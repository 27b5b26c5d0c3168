"""The command `surajang`. Without a subcommand it is an engine for a GUI on stdin and stdout.

Commands import what they need when they run: `surajang` must answer a GUI at once.
"""

import warnings
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from . import __version__
from .engine.variant import Variant
from .protocol.terminal.interrupts import INTERRUPTED, ending_at_once
from .protocol.terminal.options import position_of, variant_file_option, variant_option

BENCHMARKS = {  # name -> the module whose `main` is the command, and its help
    "data": ("learn.self_play.data_command", "Play games for training, show them, count them."),
    "train": ("learn.training.train_command", "Train a network on games."),
    "networks": ("learn.networks.networks_command", "Show how networks were trained."),
    "rescale": ("learn.networks.rescale_command", "Scale a network's scores against search margins."),
    "average": ("learn.networks.average_command", "Average the weights of networks."),
    "values": ("learn.networks.values_command", "Show what pieces are worth to a network."),
    "spsa": ("learn.tuning.spsa_command", "Tune numbers of the search by games."),
    "tune": ("learn.tuning.tune_command", "Fit the hand-written evaluation to games."),
    "duel": ("learn.tuning.duel_command", "Play two settings at equal nodes."),
    "odds": ("match.odds_command", "Show the time odds at which two engines are level."),
    "hunt": ("bench.suites.mates.hunt_command", "Collect forced mates from games."),
    "openings": ("bench.suites.openings.openings_command", "Make a suite of balanced openings."),
    "supply": (
        "bench.suites.supply.supply_command",
        "Make bench positions and openings of games without them.",
    ),
    "find-moves": (
        "bench.suites.best_moves.find_moves_command",
        "Collect positions with one best move from games.",
    ),
    "library": ("bench.speed.library_command", "Measure the library for Python."),
    "perft": ("bench.speed.perft_command", "Measure the move generator."),
    "nps": ("bench.speed.nps_command", "Measure nodes per second; print the signature."),
    "ttd": ("bench.speed.ttd_command", "Measure the seconds to reach a depth."),
    "mates": ("bench.suites.mates.mates_command", "Measure the share of forced mates that are found."),
    "moves": ("bench.suites.best_moves.moves_command", "Measure the share of best moves that are found."),
    "smp": ("bench.speed.smp_command", "Measure the speed-up by threads."),
    "start": ("bench.speed.start_command", "Measure the time to the first answer."),
    "coverage": ("bench.speed.coverage_command", "Compare imported games with Fairy-Stockfish."),
}


COMMANDS = {  # the same of the other commands that are modules
    "install-gui": (
        "protocol.setup.install_gui_command",
        "Add the engine to XBoard, Cute Chess and PyChess.",
    ),
    "variants": (
        "protocol.terminal.variants_command",
        "List games, show rules, check, import and export files.",
    ),
    "match": ("match.match_command", "Play engines against each other, with statistics."),
    "show": ("match.show_command", "Play one game of engine against engine."),
    "learn": ("learn.generations.learn_command", "Train networks for a game."),
    "study": ("study.study_command", "Study a game: balance, rules, pieces, openings."),
    "puzzles": ("study.puzzles_command", "Make puzzles for a game."),
    "board": ("board.board_command", "Play, analyse, review and watch in the browser."),
}


def _without_source(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """The text of a warning for people who use the program: `warnings.formatwarning` without the place."""
    return f"Note: {message}\n"


class CommandLine(click.Group):
    """The program. Ctrl-C ends it with the same line and the same code at any moment of any command, and
    warnings are notes."""

    def invoke(self, ctx: click.Context) -> Any:
        usual, warnings.formatwarning = warnings.formatwarning, _without_source
        ctx.call_on_close(lambda: setattr(warnings, "formatwarning", usual))
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            ctx.exit(INTERRUPTED)


class LazyGroup(click.Group):
    """A group whose commands are the `main` of modules, imported when they are called."""

    def __init__(self, *args: Any, commands: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._commands = commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self._commands)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self._commands:
            return None
        module, text = self._commands[name]
        return _main_of(module, name, text)


def _main_of(module: str, name: str, text: str) -> click.Command:
    """A command that passes its arguments to the click command `main` of a module."""

    @click.command(
        name,
        help=text,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    @click.pass_context
    def command(ctx: click.Context, arguments: tuple[str, ...]) -> None:
        with ending_at_once():  # compiled libraries swallow or show an interrupt
            main = import_module(f"surajang.{module}").main
        with main.make_context(name, list(arguments), parent=ctx.parent) as inner:
            main.invoke(inner)

    return command


@click.group(cls=CommandLine, invoke_without_command=True)
@click.version_option(__version__, prog_name="surajang", message="%(prog)s %(version)s")
@variant_file_option
@click.option("--log", metavar="FILE", help="Append all input and output to FILE.")
@click.pass_context
def main(ctx: click.Context, log: str | None) -> None:
    """Surajang plays chess variants. Without a command it is an engine for a GUI (CECP, UCI)."""
    if ctx.invoked_subcommand is None:
        from .protocol.conversation import converse

        ctx.exit(converse(log))
    if log is not None:
        raise click.UsageError(f"--log is for talk with a GUI, not for {ctx.invoked_subcommand!r}")


@main.command()
@variant_option
@click.option("--depth", type=click.IntRange(0, 16), required=True, help="Depth in plies.")
@click.option("--fen", help="The position; the start of the game by default.")
@click.option("--divide", is_flag=True, help="Show the count below each move.")
@ending_at_once()
def perft(variant: Variant, depth: int, fen: str | None, divide: bool) -> None:
    """Count the leaves of the tree of legal moves. The last line is the total."""
    from .engine.movegen.perft import divide as divide_leaves
    from .engine.movegen.perft import perft as count_leaves
    from .protocol.terminal.progress import tracked

    position = position_of(variant, fen)
    total = 0 if depth else 1
    counts = divide_leaves(position, depth) if depth else ()
    for move, count in tracked(counts, "perft", count_leaves(position, 1)):
        if divide:
            click.echo(f"{move}: {count}")
        total += count
    click.echo(total)


@main.command("eval")
@variant_option
@click.option("--fen", help="The position; the start of the game by default.")
@click.option(
    "--eval-file",
    type=click.Path(dir_okay=False),
    help="The network.  [default: the one that comes with the game]",
)
@click.option("--no-network", is_flag=True, help="Use the hand-written evaluation only.")
@ending_at_once()
def evaluate(variant: Variant, fen: str | None, eval_file: str | None, no_network: bool) -> None:
    """Evaluate a position without a search, piece by piece."""
    from .eval.network.file import NetworkError
    from .protocol.session.eval_text import eval_lines
    from .protocol.terminal.command_options import told_errors
    from .search.engine import Engine

    if no_network and eval_file is not None:
        raise click.UsageError("--no-network and --eval-file are two evaluations; give one of them")
    position = position_of(variant, fen)
    with told_errors(NetworkError, failures=()):
        engine = Engine(variant, hash_mb=1, eval_file=False if no_network else eval_file, compile_now=False)
    for line in eval_lines(engine, position):
        click.echo(line)


@main.command("compile")
@variant_option
def compile_ahead(variant: Variant) -> None:
    """Compile a game now, so that its first start is fast."""
    from .protocol.terminal.progress import compile_with_bar
    from .search.native_code import prefer_native_code

    with ending_at_once():
        prefer_native_code()
    compile_with_bar(variant)


for name, (module, text) in COMMANDS.items():
    main.add_command(_main_of(module, name, text))
main.add_command(
    LazyGroup("bench", commands=BENCHMARKS, help="Measure the engine, tune it, and train networks.")
)
