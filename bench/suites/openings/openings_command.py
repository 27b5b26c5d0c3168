"""`surajang bench openings`: a suite of balanced openings of a game, and a check of its balance by games."""

from hashlib import sha256
from pathlib import Path

import click

from ....engine.game.catalogue import load
from ....engine.game.description import VariantError
from ....engine.kernel.compiler import compile_ahead
from ....engine.position import MoveError
from ....eval.network.file import NetworkError
from ....eval.network.vectors import shape_of
from ....learn.self_play.game_player import entry_points
from ....learn.self_play.games_file import GamesError, evaluation_digest, rules_digest
from ....learn.self_play.generator import playing
from ....match.openings.opening_files import save_suite
from ....match.openings.openings import BookError, codes_of
from ....match.records.task_journal import TaskJournal
from ....match.workers.options import own_file, workers
from ....match.workers.pool import WorkersError
from ....protocol.terminal.options import variant_option
from ....protocol.terminal.outputs import OutputFile
from ....protocol.terminal.progress import compile_with_bar, compiled_with_bar, counted
from .attempt import Attempt, SuiteSettings
from .balance import Balance, PlayFromOpenings, balance_of, network_of
from .judging import Judge
from .lines import LineMaker
from .suite import REASONS, Suite, SuiteMaker

DEFAULTS = SuiteSettings()


class OpeningsJournalError(ValueError):
    """A journal that cannot be read or added to; the text names the file and quotes it."""


@click.command()
@variant_option
@click.option(
    "--positions", default=500, show_default=True, type=click.IntRange(1), help="Openings in the suite."
)
@click.option(
    "--nodes",
    default=DEFAULTS.nodes,
    show_default=True,
    type=click.IntRange(1),
    help="Nodes of the search that judges a position.",
)
@click.option(
    "--limit",
    default=DEFAULTS.limit,
    show_default=True,
    type=click.IntRange(1),
    help="Centipawns that the score must stay below, for either side.",
)
@click.option(
    "--plies",
    default=DEFAULTS.plies,
    show_default=True,
    type=click.IntRange(1, 200),
    help="Plies of a line; every second line is a ply longer.",
)
@click.option(
    "--seed",
    default=DEFAULTS.seed,
    show_default=True,
    type=click.IntRange(0, 2**64 - 1),
    help="Seed of the choice of moves.",
)
@click.option(
    "--workers",
    "--concurrency",
    "concurrency",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="Number of processes that search.",
)
@click.option(
    "--check",
    "games",
    metavar="GAMES",
    type=click.IntRange(2),
    help="Play so many games from the suite and print White's score.",
)
@click.option(
    "--out",
    required=True,
    type=OutputFile(),
    help="The suite; compressed if its name ends with .gz.",
)
def main(
    variant: str,
    positions: int,
    nodes: int,
    limit: int,
    plies: int,
    seed: int,
    concurrency: int,
    games: int | None,
    out: Path,
) -> None:
    """Make a suite of different openings that a long search finds balanced.

    Each opening is a random line of good moves from the start. All attempts are kept in a file beside the
    suite. The same command resumes from it, and the same settings give the same suite with any number of
    workers."""
    settings = SuiteSettings(nodes, limit, plies, seed)
    try:
        suite = _collect(Judge(variant, settings, own_file(variant)), positions, out, concurrency)
        heading = f"{load(variant).title}: {positions} openings, {settings}"
        save_suite(out, suite.openings, variant, heading)
        for line in report(suite, out):
            click.echo(line)
        if games:
            balance = _check(suite, games, out, concurrency)
            verdict = "balanced within the error" if balance.is_even else "more than the error from balance"
            click.echo(f"{balance}; {verdict}")
    except (OpeningsJournalError, BookError, GamesError, NetworkError, VariantError) as error:
        raise click.UsageError(str(error)) from None
    except (WorkersError, OSError) as error:
        raise click.ClickException(str(error)) from None


def _collect(judge: Judge, positions: int, out: Path, concurrency: int) -> Suite:
    """The openings that the attempts give, those in the journal and as many more as it takes.

    Raises OpeningsJournalError, BookError, GamesError, NetworkError, VariantError, WorkersError, OSError."""
    variant, path = judge.variant, out.with_name(f"{out.name}.attempts")
    heading = f"{variant}, {judge.settings}, {_engine_digest(variant)}"
    suite = Suite(variant, positions)
    with TaskJournal[Attempt](path, heading, "attempt", OpeningsJournalError) as journal:
        compile_with_bar(variant)
        try:
            maker = SuiteMaker(suite, journal, LineMaker(variant, judge.settings))
        except (ValueError, MoveError) as error:
            raise OpeningsJournalError(f"{path}: {error}") from None
        if suite.is_complete():
            return suite
        begun, before = len(suite.openings), suite.attempts
        with (
            playing(workers(None, concurrency, processes=True)) as pool,
            counted("openings", begun, positions, "attempts") as tell,
        ):
            for (number, _), attempt in pool.run(judge, maker.tasks()):
                maker.add(number, attempt)
                tell(len(suite.openings), suite.attempts - before)
                if suite.is_complete():
                    break
    return suite


def _engine_digest(variant: str) -> str:
    """Rules and evaluation in a few letters: with others, attempts would have other results."""
    found = rules_digest(variant) + evaluation_digest(variant, network_of(variant))
    return f"eval {sha256(found.encode()).hexdigest()[:8]}"


def _check(suite: Suite, games: int, out: Path, concurrency: int) -> Balance:
    """The `Balance` of so many games from a suite; they stay in a journal.

    Raises OpeningsJournalError, GamesError, NetworkError, WorkersError, OSError."""
    variant, path = suite.variant, out.with_name(f"{out.name}.games")
    network = network_of(variant)
    openings = tuple(codes_of(opening, variant) for opening, _ in suite.openings)
    work = PlayFromOpenings(variant, openings, own_file(variant))
    heading = f"{work.heading}, {_engine_digest(variant)}"
    with TaskJournal[int](path, heading, "game", OpeningsJournalError) as journal:
        missing, begun = range(journal.tasks, games), journal.tasks
        if missing:
            shape = shape_of(network) if network is not None else None
            parts = entry_points(variant, shape, given=True)
            compiled_with_bar(variant, lambda progress: compile_ahead(parts, progress))
            with (
                playing(workers(None, concurrency, processes=True)) as pool,
                counted("games", begun, games, "games") as tell,
            ):
                for number, result in pool.run(work, missing):
                    journal.add(number, [result])
                    tell(journal.tasks, journal.added)
        return balance_of([int(line) for line in journal.lines()][:games], len(openings))


def report(suite: Suite, out: Path) -> list[str]:
    """What is in a suite, and why attempts were left out, in lines."""
    reasons = [f"{suite.rejected[each]} {reason}" for each, reason in REASONS.items() if suite.rejected[each]]
    return [
        f"{len(suite.openings)} openings in {out}, on average {suite.mean_score:+.0f} centipawns for White",
        f"{suite.attempts} attempts, {suite.rejected.total()} left out"
        + (f": {', '.join(reasons)}" if reasons else ""),
    ]
