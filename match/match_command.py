"""`surajang match`: plays engines against each other, here or on a cluster, with statistics; resumable."""

from pathlib import Path

import click
from click.core import ParameterSource

from ..engine.game.description import VariantError
from ..engine.variant import Variant
from ..protocol.terminal.command_options import sentence, told_errors, with_options
from ..protocol.terminal.console import note
from ..protocol.terminal.options import refuse_beside, variant_option
from ..protocol.terminal.outputs import written
from ..protocol.terminal.progress import compile_together
from .games.engine_pool import EnginePoolError
from .games.tournament import ODDS, Tournament, TournamentError
from .match_options import MatchOptions
from .match_setup import EngineTextError, Preparation, create_match, reopen_match
from .odds import base_names, fitted, odds_report, points_of
from .openings.openings import BookError
from .play_match import play_on, title
from .records.journal import PGN, Journal, JournalError
from .results.summary import report
from .results.table import MatchView
from .runner import UNFINISHED, MatchError, standings_of
from .workers.options import INTERRUPTED
from .workers.pool import WorkersError

FREE = ("resume", "concurrency", "cluster", "plot", "log")  # what may differ when a match is resumed
FAILURES = (MatchError, WorkersError, EnginePoolError, JournalError, OSError)


@click.command()
@variant_option
@with_options
@click.pass_context
def main(context: click.Context, variant: Variant, options: MatchOptions) -> None:
    """Play engines against each other.

    Results go to a folder, game by game; --resume continues a match that was interrupted. An engine is
    given as "cmd='my engine --quiet' proto=uci tc=60+0.6 option.Hash=64 name=Mine": cmd is the command line,
    `surajang` this program; tc, st, nodes or depth is its limit; proto is uci or cecp.
    """
    if options.resume:
        refuse_beside(context, FREE, "--resume: the folder has the settings")
    if options.cluster and context.get_parameter_source("concurrency") is ParameterSource.COMMANDLINE:
        raise click.UsageError(
            "--concurrency cannot be combined with --cluster, whose workers' threads decide"
        )
    try:
        journal, configuration = _resumed(options.resume) if options.resume else _created(variant, options)
        with journal:
            finished = _play_and_report(journal, configuration, options)
    except KeyboardInterrupt:
        finished = False
        click.echo("Interrupted.", err=True)
    if not finished:
        context.exit(INTERRUPTED)


def _play_and_report(journal: Journal, configuration: Tournament, options: MatchOptions) -> bool:
    """Plays and reports; returns whether the match is complete. Raises ClickException if it cannot
    continue."""
    for warning in journal.warnings:
        note(warning)
    try:
        standings = standings_of(configuration, journal.records)
        view = MatchView(standings, len(configuration.schedule()))
        outcome = play_on(configuration, journal, options, view, compile_together)
    except FAILURES as error:
        raise click.ClickException(f"{sentence(error)}\n{_how_to_go_on(journal)}") from None
    odds = odds_report(configuration, standings)
    click.echo(report(standings, title(configuration), _machine(options.cluster), odds), nl=False)
    click.echo(f"The games are in {journal.folder / PGN}")
    if options.plot and journal.records:
        _draw(journal, configuration, options.plot)
    if outcome == UNFINISHED:
        click.echo(f"Interrupted. {_how_to_go_on(journal)}", err=True)
    return outcome != UNFINISHED


def _created(variant: Variant, options: MatchOptions) -> tuple[Journal, Tournament]:
    """The journal of a new match and its Tournament. Raises UsageError for invalid options."""
    try:
        return create_match(variant, options, Preparation(note, compile_together))
    except EngineTextError as error:
        raise click.BadParameter(str(error), param_hint=f"--{error.option}") from None
    except (TournamentError, BookError) as error:
        raise click.UsageError(str(error)) from None
    except (JournalError, OSError) as error:
        raise click.ClickException(sentence(error)) from None


def _resumed(folder: Path) -> tuple[Journal, Tournament]:
    """The journal of an existing match, and its Tournament. Raises ClickException."""
    with told_errors(failures=(TournamentError, VariantError, JournalError, EnginePoolError, OSError)):
        return reopen_match(folder)


def _how_to_go_on(journal: Journal) -> str:
    return f"{len(journal.records)} games are kept; continue with: surajang match --resume {journal.folder}"


def _machine(cluster: str | None) -> str:
    from .workers.machine import facts, machine_line

    return f"a cluster at {cluster}" if cluster else machine_line(facts(1))


def _draw(journal: Journal, configuration: Tournament, path: Path) -> None:
    from .odds_plot import odds_panel
    from .results.plots import plot_match

    first = []
    if configuration.tournament == ODDS:
        points = points_of(configuration, standings_of(configuration, journal.records))
        first.append(odds_panel(points, base_names(configuration), fitted(points)))
    settings = configuration.sprt, title(configuration), first
    with written(path):
        plot_match(journal.records, configuration.names, path, *settings)
    click.echo(f"The plot is in {path}")
