"""`surajang match`: any engines against each other, here or on a cluster, with statistics, and resumable."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import click
from click.core import ParameterSource

from ..engine.game.description import VariantError
from ..protocol.terminal.command_options import with_options
from ..protocol.terminal.console import note
from ..protocol.terminal.options import variant_option
from ..protocol.terminal.outputs import written
from ..protocol.terminal.progress import EvalFile
from .games.adjudication import AdjudicationRules
from .games.engine_pool import EnginePoolError, PlayGame, local_description
from .games.tournament import ODDS, Tournament, TournamentError, check_engines
from .match_options import MatchOptions
from .odds import odds_report
from .odds_options import engines_at_odds
from .openings.opening_files import load_openings, save_openings
from .openings.opening_suites import OWN, find_openings, suites
from .openings.openings import MAX_SCORE, NODES, PLIES, BookError, generate, pick
from .players.spec import parse_engine
from .records.journal import CONFIGURATION, PGN, Journal, JournalError
from .records.live import LiveGames
from .records.pgn import write_pgn
from .results.summary import report
from .results.table import MatchView
from .runner import UNFINISHED, MatchError, games_left, play_match, standings_of
from .workers.options import INTERRUPTED, own_file, stopped_by_signals, workers
from .workers.pool import WorkersError

if TYPE_CHECKING:
    from .players.spec import EngineSpec
    from .records.model import Opening, Record
    from .results.standings import Standings

OPENINGS = "openings.epd"  # in the match's folder, for people; the match reads them from its configuration
FREE = ("resume", "concurrency", "cluster", "plot", "log")  # what may differ when a match is resumed
FAILURES = (MatchError, WorkersError, EnginePoolError, JournalError, OSError)


@click.command()
@variant_option
@with_options
@click.pass_context
def main(context: click.Context, variant: str, options: MatchOptions) -> None:
    """Play engines against each other.

    Results go to a folder, game by game; --resume continues a match that was interrupted. An engine is
    given as "cmd='my engine --quiet' proto=uci tc=60+0.6 option.Hash=64 name=Mine": cmd is the command line,
    `surajang` this program; tc, st, nodes or depth is its limit; proto is uci or cecp.
    """
    if options.resume:
        _refuse_options_beside_resume(context)
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
    """Plays and reports; whether the match came to its end. Raises ClickException if it cannot go on."""
    for warning in journal.warnings:
        note(warning)
    try:
        _warm_up(configuration, options.cluster)
        outcome, standings = _play(configuration, journal, options)
    except FAILURES as error:
        raise click.ClickException(f"{error}\n{_how_to_go_on(journal)}") from None
    odds = odds_report(configuration, standings)
    click.echo(report(standings, _title(configuration), _machine(options.cluster), odds), nl=False)
    click.echo(f"The games are in {journal.folder / PGN}")
    if options.plot and journal.records:
        _draw(journal, configuration, options.plot)
    if outcome == UNFINISHED:
        click.echo(f"Interrupted. {_how_to_go_on(journal)}", err=True)
    return outcome != UNFINISHED


def _refuse_options_beside_resume(context: click.Context) -> None:
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
        if given and parameter.name not in FREE:
            raise click.UsageError(
                f"{parameter.opts[0]} cannot be combined with --resume: the folder has the settings"
            )


def _created(variant: str, options: MatchOptions) -> tuple[Journal, Tournament]:
    """The journal of a new match and its Tournament. Raises UsageError for options that make no match."""
    try:
        configuration, folder = _configured(variant, options)
        journal = Journal.create(folder, configuration.as_json(), _pgn_writer(configuration))
        save_openings(folder / OPENINGS, configuration.openings, configuration.variant)
    except (TournamentError, BookError) as error:
        raise click.UsageError(str(error)) from None
    except (JournalError, OSError) as error:
        raise click.ClickException(str(error)) from None
    return journal, configuration


def _resumed(folder: Path) -> tuple[Journal, Tournament]:
    """The journal of a match that was begun, and its Tournament. Raises ClickException."""
    try:
        configuration = _configuration_in(folder)
        local_description(configuration.variant, configuration.toml)
        journal = Journal.resume(folder, pgn=_pgn_writer(configuration))
    except (TournamentError, VariantError, JournalError, EnginePoolError, OSError) as error:
        raise click.ClickException(str(error)) from None
    try:
        games_left(configuration, journal.records)
    except ValueError as error:
        journal.close()
        raise click.ClickException(f"{folder}: {error}") from None
    return journal, configuration


def _configuration_in(folder: Path) -> Tournament:
    """The Tournament of the match in a folder, read before the journal writes anything."""
    path = folder / CONFIGURATION
    if not path.is_file():
        raise JournalError(f"{folder} holds no match: there is no {CONFIGURATION}")
    try:
        return Tournament.from_json(json.loads(path.read_bytes()))
    except ValueError as error:
        raise TournamentError(f"{path}: {error}") from None


def _configured(variant: str, options: MatchOptions) -> tuple[Tournament, Path]:
    """The Tournament that the options make, and its folder. Everything is checked before openings are
    generated, which takes long."""
    engines, pairings = engines_at_odds(options, lambda text, each: _engine(text, each, options.cluster))
    tournament = ODDS if pairings else options.tournament
    check_engines(engines, tournament, options.sprt)
    folder = options.out or Path("matches") / f"{variant}-{datetime.now():%Y%m%d-%H%M%S}"
    if (folder / CONFIGURATION).exists():
        raise TournamentError(f"{folder} holds a match already; --resume {folder} continues it")
    configuration = Tournament(
        variant,
        engines,
        tuple(_openings(variant, options, engines)),
        tournament,
        AdjudicationRules(options.timemargin / 1000, options.draw, options.resign, options.max_moves),
        options.replay_draws,
        options.sprt,
        options.event,
        own_file(variant),
        pairings,
    )
    return configuration, folder


def _engine(text: str, each: str, cluster: str | None) -> "EngineSpec":
    """The EngineSpec of --engine. Raises BadParameter that quotes what is wrong. For a cluster the program is
    not looked up here, since only the cluster's machines need it."""
    try:
        spec = parse_engine(text, each)
        if cluster is None:
            spec.resolved()
        return spec
    except ValueError as error:
        raise click.BadParameter(f"{text!r}: {error}", param_hint="--engine") from None
    except FileNotFoundError as error:
        option, words = ("--engine", text) if "cmd=" in text else ("--each", each)
        raise click.BadParameter(f"{words!r}: {error}", param_hint=option) from None


def _openings(variant: str, options: MatchOptions, engines: "Iterable[EngineSpec]") -> "list[Opening]":
    """The openings of a file or a suite, or generated ones. These need the compiler, so all that the match
    needs is compiled first. Raises BookError."""
    openings, plies, count = options.openings, options.plies, options.games // 2
    if openings is None and plies is None and variant in suites():
        openings = OWN
    if openings is not None:
        path = find_openings(openings, variant)
        picked = _openings_of_file(path, variant, options)
        if len(set(picked)) < count:
            note(f"{path} has {len(set(picked))} openings for {count} pairs of games")
        return picked
    _compile_all(variant, () if options.cluster else engines, None)
    plies = PLIES if plies is None else plies
    with _progress("openings", count) as progress:
        return generate(variant, count, options.seed, plies, MAX_SCORE, NODES, progress)


def _openings_of_file(path: Path, variant: str, options: MatchOptions) -> "list[Opening]":
    """An opening for each pair of games, repeated where the file has fewer. Raises BookError."""
    from .openings.polyglot import is_polyglot, walk_book

    seed, plies, count = options.seed, options.plies, options.games // 2
    order = options.opening_order or ("random" if path in suites().values() else "sequential")
    if is_polyglot(path):
        found = walk_book(path, variant, count, seed, PLIES if plies is None else plies)
        return pick(found, count, order, seed)
    choose = partial(pick, count=count, order=order, seed=seed)
    return load_openings(path, variant, choose, plies=plies, warn=note)


@contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[int, int], None]]:
    """A function(done, total) that moves a bar on a terminal's stderr, or does nothing."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, total: bar.update(task, completed=done)


def _pgn_writer(configuration: Tournament) -> "Callable[[Record], str]":
    controls = [spec.control for spec in configuration.engines]
    names, variant, event = configuration.names, configuration.variant, configuration.event
    return lambda record: write_pgn(record, variant, names, controls, event)


def _warm_up(configuration: Tournament, cluster: str | None) -> None:
    """Compiles what the match needs before any clock runs, unless a cluster plays it."""
    if not cluster:
        _compile_all(configuration.variant, configuration.engines)


def _compile_all(variant: str, engines: "Iterable[EngineSpec]", *others: EvalFile) -> None:
    """Compiles a game for the evaluation of each engine that is Surajang, and for `others`, with one bar: an
    engine's first start would take minutes, and concurrent games would all compile the same code."""
    from ..eval.network.file import NetworkError
    from ..protocol.terminal.progress import compile_together, compiling

    def compile_one(eval_file: EvalFile, progress: Callable[[int, int, str], object]) -> None:
        try:
            compiling(variant, eval_file)(progress)
        except NetworkError:  # the engine will say so, and do without
            compiling(variant, False)(progress)

    wanted = list(dict.fromkeys((*others, *evaluations(engines))))
    compile_together([(variant, partial(compile_one, each)) for each in wanted], "evaluation")


def evaluations(engines: "Iterable[EngineSpec]") -> list[EvalFile]:
    """What the engines that are Surajang evaluate by, each once, as `Engine` takes its `eval_file`."""
    found: dict[EvalFile, None] = {}
    for spec in engines:
        if is_surajang(spec.command):
            options = {name.lower(): value for name, value in spec.options}
            without = options.get("use nnue", "").lower() in ("false", "0")
            network = options.get("evalfile")
            found[False if without else network and str(Path(spec.directory or "", network))] = None
    return list(found)


def is_surajang(command: Iterable[str]) -> bool:
    """Whether a command line starts Surajang."""
    return any(Path(word).stem == "surajang" for word in command)


def _play(configuration: Tournament, journal: Journal, options: MatchOptions) -> "tuple[str, Standings]":
    """(outcome, Standings) of playing what is left."""
    standings = standings_of(configuration, journal.records)
    work = PlayGame(
        f"{configuration.variant}-{uuid4().hex[:12]}",
        configuration.variant,
        configuration.toml,
        configuration.engines,
        configuration.rules,
        str(options.log.resolve()) if options.log else None,
    )
    total = len(configuration.schedule())
    with (
        workers(options.cluster, options.concurrency) as pool,
        stopped_by_signals(pool),
        MatchView(standings, total) as view,
        LiveGames(journal.folder) as live,
    ):
        work.show_to(view, live)
        return play_match(configuration, journal, pool, work, view), standings


def _how_to_go_on(journal: Journal) -> str:
    return f"{len(journal.records)} games are kept; continue with: surajang match --resume {journal.folder}"


def _title(configuration: Tournament) -> str:
    controls = {str(spec.control) for spec in configuration.engines}
    control = controls.pop() if len(controls) == 1 else "various limits"
    return f"{configuration.event}: {configuration.variant}, {configuration.tournament}, {control}"


def _machine(cluster: str | None) -> str:
    from .workers.machine import facts, told

    return f"a cluster at {cluster}" if cluster else told(facts(1))


def _draw(journal: Journal, configuration: Tournament, path: Path) -> None:
    from .results.plots import plot_match

    with written(path):
        plot_match(journal.records, configuration.names, path, configuration.sprt, _title(configuration))
    click.echo(f"The plot is in {path}")
