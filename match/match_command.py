"""`surajang match`: any engines against each other, here or on a cluster, with statistics, and resumable."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from uuid import uuid4

import click
from click.core import ParameterSource

from ..engine.game.description import VariantError
from ..protocol.terminal.console import note
from ..protocol.terminal.options import variant_option
from ..protocol.terminal.outputs import OutputFile, OutputFolder, written
from .games.adjudication import AdjudicationRules, parse_draw, parse_resign
from .games.engine_pool import EnginePoolError, PlayGame, local_description
from .games.tournament import TOURNAMENTS, Tournament, TournamentError, check_engines
from .openings.opening_files import FINISHED_PLIES, load_openings, save_openings
from .openings.opening_suites import OWN, find_openings, suites
from .openings.openings import MAX_SCORE, NODES, ORDERS, PLIES, BookError, generate, pick
from .players.spec import check_settings, parse_engine
from .records.journal import CONFIGURATION, PGN, Journal, JournalError
from .records.live import LiveGames
from .records.pgn import write_pgn
from .results.sprt import parse_sprt
from .results.summary import report
from .results.table import MatchView
from .runner import UNFINISHED, MatchError, games_left, play_match, standings_of
from .workers.options import INTERRUPTED, own_file, stopped_by_signals, workers
from .workers.pool import WorkersError

if TYPE_CHECKING:
    from .games.adjudication import DrawRule, ResignRule
    from .players.spec import EngineSpec
    from .records.model import Opening, Record
    from .results.standings import Standings

Given = TypeVar("Given")
Parsed = TypeVar("Parsed")

OPENINGS = "openings.epd"  # in the match's folder, for people; the match reads them from its configuration
REPLAYS = 8  # of a drawn game by default: two engines that always draw would play on for ever
FREE = ("resume", "concurrency", "cluster", "plot", "log")  # what may differ when a match is resumed
FAILURES = (MatchError, WorkersError, EnginePoolError, JournalError, OSError)


def _parsed(
    parse: Callable[[Given], Parsed],
) -> Callable[[click.Context, click.Parameter, Given | None], Parsed | None]:
    """A click callback that parses its text; a ValueError becomes an error that names the option."""

    def callback(context: click.Context, parameter: click.Parameter, text: Given | None) -> Parsed | None:
        if text is None:
            return None
        try:
            return parse(text)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None

    return callback


def _shared_settings(text: str) -> str:
    check_settings(text)
    return text


def _even(games: int) -> int:
    if games % 2:
        raise ValueError(f"{games} is odd, but every opening is played with both colours: try {games + 1}")
    return games


def _plot_file(path: Path) -> Path:
    try:
        from .results.plots import check_plot
    except ImportError as error:
        raise ValueError(str(error)) from None
    return check_plot(path)


@click.command()
@variant_option
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar="TEXT",
    help='An engine: "cmd=... tc=5+0.05 name=..."; at least two.',
)
@click.option(
    "--each",
    default="",
    metavar="TEXT",
    callback=_parsed(_shared_settings),
    help="Settings of all engines, as in --engine.",
)
@click.option("--ponder", is_flag=True, help="All engines ponder: they think in their opponents' time.")
@click.option(
    "--games",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    callback=_parsed(_even),
    help="Games of each pairing; even, because every opening is played with both colours.",
)
@click.option(
    "--tournament",
    type=click.Choice(TOURNAMENTS),
    default=TOURNAMENTS[0],
    show_default=True,
    help="Who plays whom; a gauntlet is the first engine against all others.",
)
@click.option(
    "--openings",
    metavar="FILE|NAME",
    help="An EPD, FEN or PGN file, a Polyglot book for chess (.bin), or a game, for its suite of openings; "
    f"{OWN!r} is that of --variant, and the default without --plies.",
)
@click.option(
    "--opening-order",
    type=click.Choice(ORDERS),
    help="Order of the openings.  [default: sequential; random in a suite]",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Seed of random openings and random order.",
)
@click.option(
    "--plies",
    type=click.IntRange(0),
    help=f"Plies of random openings and book lines ({PLIES}); of PGN games ({FINISHED_PLIES}, if finished).",
)
@click.option(
    "--concurrency", type=click.IntRange(1), default=1, show_default=True, help="Number of games at once."
)
@click.option("--cluster", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler.")
@click.option(
    "--out",
    type=OutputFolder(),
    help="New folder for the match.  [default: matches/GAME-DATE]",
)
@click.option(
    "--resume",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Continue the match in this folder.",
)
@click.option(
    "--replay-draws",
    is_flag=False,
    flag_value=REPLAYS,
    default=0,
    type=click.IntRange(0),
    metavar="[N]",
    help=f"Play drawn games again with colours swapped, up to N times ({REPLAYS} without N).",
)
@click.option(
    "--draw",
    metavar="TEXT",
    callback=_parsed(parse_draw),
    help='End level games: "number=8 move=40 score=10".',
)
@click.option(
    "--resign", metavar="TEXT", callback=_parsed(parse_resign), help='End lost games: "number=4 score=700".'
)
@click.option(
    "--max-moves", type=click.IntRange(0), default=0, help="Draw games after so many moves of each side."
)
@click.option(
    "--timemargin",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="Milliseconds by which an engine may exceed its time.",
)
@click.option(
    "--sprt", metavar="TEXT", callback=_parsed(parse_sprt), help='Stop when decided: "elo0=0 elo1=5".'
)
@click.option("--event", default="Surajang match", show_default=True, help="The tag Event of the PGN.")
@click.option(
    "--plot",
    type=OutputFile(),
    callback=_parsed(_plot_file),
    help="Draw the match: PNG, SVG, PDF.",
)
@click.option(
    "--log",
    type=OutputFolder(),
    help="Record all input and output of the engines in this folder.",
)
@click.pass_context
def main(
    context: click.Context,
    resume: Path | None,
    concurrency: int,
    cluster: str | None,
    plot: Path | None,
    log: Path | None,
    **options: Any,
) -> None:
    """Play engines against each other.

    Results go to a folder, game by game; --resume continues a match that was interrupted. An engine is
    given as "cmd='my engine --quiet' proto=uci tc=60+0.6 option.Hash=64 name=Mine": cmd is the command line,
    `surajang` this program; tc, st, nodes or depth is its limit; proto is uci or cecp.
    """
    if resume:
        _refuse_options_beside_resume(context)
    if cluster and context.get_parameter_source("concurrency") is ParameterSource.COMMANDLINE:
        raise click.UsageError(
            "--concurrency cannot be combined with --cluster, whose workers' threads decide"
        )
    try:
        journal, configuration = _resumed(resume) if resume else _created(options, cluster)
        with journal:
            finished = _play_and_report(journal, configuration, concurrency, cluster, plot, log)
    except KeyboardInterrupt:
        finished = False
        click.echo("Interrupted.", err=True)
    if not finished:
        context.exit(INTERRUPTED)


def _play_and_report(
    journal: Journal,
    configuration: Tournament,
    concurrency: int,
    cluster: str | None,
    plot: Path | None,
    log: Path | None,
) -> bool:
    """Plays and reports; whether the match came to its end. Raises ClickException if it cannot go on."""
    for warning in journal.warnings:
        note(warning)
    try:
        _warm_up(configuration, cluster)
        outcome, standings = _play(configuration, journal, concurrency, cluster, log)
    except FAILURES as error:
        raise click.ClickException(f"{error}\n{_how_to_go_on(journal)}") from None
    click.echo(report(standings, _title(configuration), _machine(cluster)), nl=False)
    click.echo(f"The games are in {journal.folder / PGN}")
    if plot and journal.records:
        _draw(journal, configuration, plot)
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


def _created(options: dict[str, Any], cluster: str | None) -> tuple[Journal, Tournament]:
    """The journal of a new match and its Tournament. Raises UsageError for options that make no match."""
    try:
        each = "ponder=on " * options.pop("ponder") + options.pop("each")
        engines = tuple(_engine(text, each, cluster) for text in options.pop("engines"))
        configuration, folder = _configured(engines, **options)
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


def _configured(
    engines: "tuple[EngineSpec, ...]",
    variant: str,
    games: int,
    tournament: str,
    out: Path | None,
    draw: "DrawRule | None",
    resign: "ResignRule | None",
    max_moves: int,
    timemargin: int,
    **options: Any,
) -> tuple[Tournament, Path]:
    """The Tournament that the options make, and its folder. Everything is checked before openings are
    generated, which takes long."""
    check_engines(engines, tournament, options["sprt"])
    folder = out or Path("matches") / f"{variant}-{datetime.now():%Y%m%d-%H%M%S}"
    if (folder / CONFIGURATION).exists():
        raise TournamentError(f"{folder} holds a match already; --resume {folder} continues it")
    configuration = Tournament(
        variant,
        engines,
        tuple(_openings(variant, games // 2, **{name: options[name] for name in _OPENING_OPTIONS})),
        tournament,
        AdjudicationRules(timemargin / 1000, draw, resign, max_moves),
        options["replay_draws"],
        options["sprt"],
        options["event"],
        own_file(variant),
    )
    return configuration, folder


_OPENING_OPTIONS = ("openings", "opening_order", "seed", "plies")


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


def _openings(
    variant: str, count: int, openings: str | None, opening_order: str | None, seed: int, plies: int | None
) -> "list[Opening]":
    """The openings of a file or a suite, or generated ones. Raises BookError."""
    if openings is None and plies is None and variant in suites():
        openings = OWN
    if openings is not None:
        path = find_openings(openings, variant)
        order = opening_order or ("random" if path in suites().values() else "sequential")
        picked = _openings_of_file(path, variant, count, order, seed, plies)
        if len(set(picked)) < count:
            note(f"{path} has {len(set(picked))} openings for {count} pairs of games")
        return picked
    from ..protocol.terminal.progress import compile_with_bar

    compile_with_bar(variant)
    with _progress("openings", count) as progress:
        return generate(variant, count, seed, PLIES if plies is None else plies, MAX_SCORE, NODES, progress)


def _openings_of_file(
    path: Path, variant: str, count: int, order: str, seed: int, plies: int | None
) -> "list[Opening]":
    """`count` openings of a file, repeated where it has fewer. Raises BookError."""
    from .openings.polyglot import is_polyglot, walk_book

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
    """Compiles the game before any clock runs, with and without a network as the engines want it, if Surajang
    plays on this machine: an engine's first start would take minutes, and concurrent games would all compile
    the same code."""
    from ..eval.network.file import NetworkError
    from ..protocol.terminal.progress import compile_with_bar

    for eval_file in () if cluster else evaluations(configuration.engines):
        try:
            compile_with_bar(configuration.variant, eval_file)
        except NetworkError:  # the engine will say so, and do without
            compile_with_bar(configuration.variant, False)


def evaluations(engines: "Iterable[EngineSpec]") -> list[str | Literal[False] | None]:
    """What the engines that are Surajang evaluate by, each once, as `Engine` takes its `eval_file`."""
    found: dict[str | Literal[False] | None, None] = {}
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


def _play(
    configuration: Tournament, journal: Journal, concurrency: int, cluster: str | None, log: Path | None
) -> "tuple[str, Standings]":
    """(outcome, Standings) of playing what is left."""
    standings = standings_of(configuration, journal.records)
    work = PlayGame(
        f"{configuration.variant}-{uuid4().hex[:12]}",
        configuration.variant,
        configuration.toml,
        configuration.engines,
        configuration.rules,
        str(log.resolve()) if log else None,
    )
    total = len(configuration.schedule())
    with (
        workers(cluster, concurrency) as pool,
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
