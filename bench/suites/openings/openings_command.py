"""`surajang bench openings`: a suite of balanced openings of a game, and a check of its balance by games."""

from hashlib import sha256
from pathlib import Path
from typing import Annotated

import click

from ....engine.kernel.compiler import compile_ahead
from ....engine.position import MoveError
from ....engine.variant import Variant
from ....eval.network.installing import default_network
from ....eval.network.vectors import shape_of
from ....learn.self_play.game_player import entry_points
from ....learn.self_play.games_file import evaluation_digest, rules_digest
from ....learn.self_play.generator import game_errors, playing
from ....match.openings.opening_files import save_suite
from ....match.openings.openings import BookError, codes_of
from ....match.records.task_journal import TaskJournal
from ....match.workers.options import own_file
from ....protocol.terminal.command_options import NEW_FILE, Option, with_options
from ....protocol.terminal.options import variant_option
from ....protocol.terminal.progress import compile_with_bar, compiled_with_bar, counted
from ..collecting import SuiteJournalError
from .attempt import Attempt, SuiteSettings
from .balance import Balance, PlayFromOpenings, balance_of
from .judging import Judge
from .lines import LineMaker
from .opening_suite import REASONS, OpeningSuite, OpeningSuiteMaker

DEFAULTS = SuiteSettings()
LIMIT_HELP = "Centipawns that the score must stay below, for either side."
PLIES_HELP = "Plies of a line; every second line is a ply longer."
CHECK_HELP = "Play so many games from the suite and print White's score."


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    positions: Annotated[int, Option("Openings in the suite.", least=1)] = 500,
    nodes: Annotated[int, Option("Nodes of the search that judges a position.", least=1)] = DEFAULTS.nodes,
    limit: Annotated[int, Option(LIMIT_HELP, least=1)] = DEFAULTS.limit,
    plies: Annotated[int, Option(PLIES_HELP, least=1, most=200)] = DEFAULTS.plies,
    seed: Annotated[int, Option("Seed of the choice of moves.", least=0, most=2**64 - 1)] = DEFAULTS.seed,
    concurrency: Annotated[
        int, Option("Number of processes that search.", "--workers", "--concurrency", least=1)
    ] = 1,
    games: Annotated[int | None, Option(CHECK_HELP, "--check", metavar="GAMES", least=2)] = None,
    out: Annotated[Path, Option("The suite; compressed if its name ends with .gz.", type=NEW_FILE)],
) -> None:
    """Make a suite of different openings that a long search finds balanced.

    Each opening is a random line of good moves from the start. All attempts are kept in a file beside the
    suite. The same command resumes from it, and the same settings give the same suite with any number of
    workers."""
    settings = SuiteSettings(nodes, limit, plies, seed)
    with game_errors(SuiteJournalError, BookError):
        suite = _collect(Judge(variant, settings, own_file(variant)), positions, out, concurrency)
        heading = f"{variant.description.title}: {positions} openings, {settings}"
        save_suite(out, suite.openings, variant, heading)
        for line in report(suite, out):
            click.echo(line)
        if games:
            balance = _check(suite, games, out, concurrency)
            verdict = "balanced within the error" if balance.is_even else "more than the error from balance"
            click.echo(f"{balance}; {verdict}")


def _collect(judge: Judge, positions: int, out: Path, concurrency: int) -> OpeningSuite:
    """The openings that the attempts give, those in the journal and as many more as it takes.

    Raises SuiteJournalError, BookError, GamesError, NetworkError, VariantError, WorkersError, OSError."""
    variant, path = judge.variant, out.with_name(f"{out.name}.attempts")
    heading = f"{variant}, {judge.settings}, {_engine_digest(variant)}"
    suite = OpeningSuite(variant, positions)
    with TaskJournal[Attempt](path, heading, "attempt", SuiteJournalError) as journal:
        compile_with_bar(variant)
        try:
            maker = OpeningSuiteMaker(suite, journal, LineMaker(variant, judge.settings))
        except (ValueError, MoveError) as error:
            raise SuiteJournalError(f"{path}: {error}") from None
        if suite.is_complete():
            return suite
        begun, before = len(suite.openings), suite.attempts
        with playing(None, concurrency) as pool, counted("openings", begun, positions, "attempts") as tell:
            for (number, _), attempt in pool.run(judge, maker.tasks()):
                maker.add(number, attempt)
                tell(len(suite.openings), suite.attempts - before)
                if suite.is_complete():
                    break
    return suite


def _engine_digest(variant: Variant) -> str:
    """A short digest of rules and evaluation, on which the results of attempts depend."""
    found = rules_digest(variant) + evaluation_digest(variant, default_network(variant))
    return f"eval {sha256(found.encode()).hexdigest()[:8]}"


def _check(suite: OpeningSuite, games: int, out: Path, concurrency: int) -> Balance:
    """The `Balance` of so many games from a suite; they stay in a journal.

    Raises SuiteJournalError, GamesError, NetworkError, WorkersError, OSError."""
    variant, path = suite.variant, out.with_name(f"{out.name}.games")
    network = default_network(variant)
    openings = tuple(codes_of(opening, variant) for opening, _ in suite.openings)
    work = PlayFromOpenings(variant, openings, own_file(variant))
    heading = f"{work.heading}, {_engine_digest(variant)}"
    with TaskJournal[int](path, heading, "game", SuiteJournalError) as journal:
        missing, begun = range(journal.tasks, games), journal.tasks
        if missing:
            parts = entry_points(variant, shape_of(network), given=True)
            compiled_with_bar(variant, lambda progress: compile_ahead(parts, progress))
            with playing(None, concurrency) as pool, counted("games", begun, games, "games") as tell:
                for number, result in pool.run(work, missing):
                    journal.add(number, [result])
                    tell(journal.tasks, journal.added)
        return balance_of([int(line) for line in journal.lines()][:games], len(openings))


def report(suite: OpeningSuite, out: Path) -> list[str]:
    """The content of a suite, and the reasons of skipped attempts, as lines."""
    reasons = [f"{suite.rejected[each]} {reason}" for each, reason in REASONS.items() if suite.rejected[each]]
    return [
        f"{len(suite.openings)} openings in {out}, on average {suite.mean_score:+.0f} centipawns for White",
        f"{suite.attempts} attempts, {suite.rejected.total()} left out"
        + (f": {', '.join(reasons)}" if reasons else ""),
    ]
