"""Starts a match from its options: engines, openings and folder, for `match.play` and the command line."""

import itertools
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click
from rich.console import Console

from ..engine.variant import Variant
from ..protocol.terminal.progress import CompileAll, EvalFile, compiling
from .games.adjudication import AdjudicationRules
from .games.engine_pool import local_description
from .games.tournament import HEAD_TO_HEAD, ODDS, Tournament, TournamentError, check_engines
from .match_options import MatchOptions
from .openings.opening_files import load_openings, save_openings
from .openings.opening_suites import OWN, find_openings, suffices, suites
from .openings.openings import MAX_SCORE, NODES, PLIES, BookError, drawn_starts, generate, pick
from .players.control import parse_clock
from .players.spec import EngineSpec, parse_engine
from .records.journal import CONFIGURATION, Journal, JournalError, taken
from .records.model import Opening, Record
from .records.pgn import write_pgn
from .runner import games_left
from .workers.options import own_file

_LIMIT = re.compile(r"(^|\s)(tc|st)=\S*")
# In the match's folder, for people only; the match reads them from its configuration.
OPENINGS = "openings.epd"


CompileTogether = Callable[[Sequence[tuple[str, CompileAll]], str], object]  # as `compile_together`


class Preparation(NamedTuple):
    """The reporting before the first game: `warn` gets sentences, `compile_together` calls named functions
    that compile."""

    warn: Callable[[str], object]
    compile_together: CompileTogether


class EngineTextError(TournamentError):
    """An engine's description that cannot be read, or whose program does not exist here; `option` is its
    source, "engine" or "each"."""

    def __init__(self, text: str, error: Exception, option: str) -> None:
        quoted = str(error).startswith(repr(text))
        super().__init__(str(error) if quoted else f"{text!r}: {error}")
        self._given = text, error, option  # what a copy in another process is made of
        self.option = option

    def __reduce__(self) -> "tuple[type[EngineTextError], tuple[str, Exception, str]]":
        return type(self), self._given


def create_match(variant: Variant, options: MatchOptions, reports: Preparation) -> tuple[Journal, Tournament]:
    """The open journal of a new match, and its Tournament. Raises VariantError, TournamentError or BookError
    for invalid options, JournalError or OSError for a folder that cannot be used."""
    configuration, folder = _configured(variant, options, reports)
    journal = Journal.create(folder, configuration.as_json(), _pgn_writer(configuration))
    save_openings(folder / OPENINGS, configuration.openings, configuration.variant)
    return journal, configuration


def reopen_match(folder: Path) -> tuple[Journal, Tournament]:
    """The open journal of an existing match, and its Tournament. Raises VariantError, TournamentError,
    JournalError, EnginePoolError or OSError."""
    configuration = configuration_in(folder)
    local_description(configuration.variant, configuration.toml)
    journal = Journal.resume(folder, pgn=_pgn_writer(configuration))
    try:
        games_left(configuration, journal.records)
    except ValueError as error:
        journal.close()
        raise JournalError(f"{folder}: {error}") from None
    return journal, configuration


def configuration_in(folder: Path) -> Tournament:
    """The Tournament of the match in a folder, read before the journal writes anything. Raises JournalError,
    TournamentError, OSError."""
    path = folder / CONFIGURATION
    if not path.is_file():
        raise JournalError(f"{folder} holds no match: there is no {CONFIGURATION}")
    try:
        return Tournament.from_json(json.loads(path.read_bytes()))
    except ValueError as error:
        raise TournamentError(f"{path}: {error}") from None


def _configured(variant: Variant, options: MatchOptions, reports: Preparation) -> tuple[Tournament, Path]:
    """The Tournament from the options, and its folder. Everything is checked before openings are generated,
    which takes long."""
    engines, pairings = engines_at_odds(options, lambda text, each: _engine(text, each, options.cluster))
    tournament = ODDS if pairings else options.tournament
    check_engines(engines, tournament, options.sprt)
    name = variant.description.name if Path(variant).suffix else variant
    folder = options.out or _new_folder(Path("matches") / f"{name}-{datetime.now():%Y%m%d-%H%M%S}")
    if taken(folder):
        raise TournamentError(f"{folder} holds a match already; --resume {folder} continues it")
    configuration = Tournament(
        variant,
        engines,
        tuple(find_or_make_openings(variant, options, engines, reports)),
        tournament,
        AdjudicationRules(options.timemargin / 1000, options.draw, options.resign, options.max_moves),
        options.replay_draws,
        options.sprt,
        options.event,
        own_file(variant),
        pairings,
    )
    return configuration, folder


def _new_folder(folder: Path) -> Path:
    """The folder, or with a number behind its name if it exists: matches may begin in the same second."""
    names = itertools.chain([folder.name], (f"{folder.name}-{number}" for number in itertools.count(2)))
    return next(path for path in map(folder.with_name, names) if not path.exists())


def _engine(text: str, each: str, cluster: str | None) -> EngineSpec:
    """The EngineSpec of a text. Raises EngineTextError. For a cluster the program is not looked up here,
    since only the cluster's machines need it."""
    try:
        spec = parse_engine(text, each)
        if cluster is None:
            spec.resolved()
        return spec
    except ValueError as error:
        raise EngineTextError(text, error, "engine") from None
    except FileNotFoundError as error:
        option, words = ("engine", text) if "cmd=" in text else ("each", each)
        raise EngineTextError(words, error, option) from None


def find_or_make_openings(
    variant: Variant, options: MatchOptions, engines: Iterable[EngineSpec], reports: Preparation
) -> list[Opening]:
    """The openings of a file or a suite, drawn starts if king and rooks castle from any files, or generated
    ones: also where the game's suite is small and has too few for each pair of games. Generating needs
    compiled code, so everything for the match is compiled first. Raises BookError."""
    openings, plies, count = options.openings, options.plies, options.games // 2
    if openings is None and plies is None and variant.description.castling_free:
        return drawn_starts(variant, count, options.seed)
    if openings is None and plies is None and suffices(variant, count):
        openings = OWN
    if openings is not None:
        path = find_openings(openings, variant)
        picked = _openings_of_file(path, variant, options, reports.warn)
        if len(set(picked)) < count:
            reports.warn(f"{path} has {len(set(picked))} openings for {count} pairs of games")
        return picked
    compile_for(variant, () if options.cluster else engines, reports.compile_together, None)
    plies = PLIES if plies is None else plies
    with _progress("openings", count) as progress:
        return generate(variant, count, options.seed, plies, MAX_SCORE, NODES, progress)


def _openings_of_file(
    path: Path, variant: Variant, options: MatchOptions, warn: Callable[[str], object]
) -> list[Opening]:
    """An opening for each pair of games, repeated if the file has fewer. Raises BookError."""
    from .openings.polyglot import is_polyglot, walk_book

    seed, plies, count = options.seed, options.plies, options.games // 2
    order = options.opening_order or ("random" if path in suites().values() else "sequential")
    if is_polyglot(path):
        found = walk_book(path, variant, count, seed, PLIES if plies is None else plies)
        return pick(found, count, order, seed)
    choose = partial(pick, count=count, order=order, seed=seed)
    try:
        return load_openings(path, variant, choose, plies=plies, warn=warn)
    except BookError as error:
        for name, suite in suites().items():
            if path == suite and name != variant:
                raise BookError(f"the suite of {name!r} does not fit {variant!r}: {error}") from None
        raise


def compile_for(
    variant: Variant, engines: Iterable[EngineSpec], compile_together: CompileTogether, *others: EvalFile
) -> None:
    """Compiles a game for the evaluation of each Surajang engine, and for `others`: otherwise an engine's
    first start would take long, and concurrent games would all compile the same code."""
    from ..eval.network.file import NetworkError

    def compile_one(eval_file: EvalFile, progress: Callable[[int, int, str], object]) -> None:
        try:
            compiling(variant, eval_file)(progress)
        except NetworkError:  # the engine will report it and play without the network
            compiling(variant, False)(progress)

    wanted = list(dict.fromkeys((*others, *evaluations(engines))))
    compile_together([(variant, partial(compile_one, each)) for each in wanted], "evaluation")


def evaluations(engines: Iterable[EngineSpec]) -> list[EvalFile]:
    """The evaluations of the Surajang engines, without duplicates, as the `eval_file` of `Engine`."""
    found: dict[EvalFile, None] = {}
    for spec in engines:
        if any(Path(word).stem == "surajang" for word in spec.command):
            options = {name.lower(): value for name, value in spec.options}
            without = options.get("use nnue", "").lower() in ("false", "0")
            network = options.get("evalfile")
            found[False if without else network and str(Path(spec.directory or "", network))] = None
    return list(found)


@contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[int, int], None]]:
    """A function(done, total) that moves a bar on a terminal's stderr, or does nothing."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, total: bar.update(task, completed=done)


def _pgn_writer(configuration: Tournament) -> Callable[[Record], str]:
    controls = [spec.control for spec in configuration.engines]
    names, variant, event = configuration.names, configuration.variant, configuration.event
    return lambda record: write_pgn(record, variant, names, controls, event)


def engines_at_odds(
    options: MatchOptions, parse: Callable[[str, str], EngineSpec]
) -> tuple[tuple[EngineSpec, ...], tuple[tuple[int, int], ...]]:
    """(engines, pairings) of a match: the engines as `parse(text, each)` reads them, and no pairings; with
    --odds an engine for each of the two and each of its clocks, and their pairings. Raises UsageError."""
    each = "ponder=on " * options.ponder + options.each
    if not options.odds:
        return tuple(parse(text, each) for text in options.engines), ()
    _check_options(options)
    engines: dict[str, EngineSpec] = {}
    pairings = []
    for pair in map(_clocks, options.odds):
        numbers = []
        for text, clock in zip(options.engines, pair, strict=True):
            spec = parse(f"{text} tc={clock}", each)
            name = f"{spec.name} {spec.control}"
            if engines.setdefault(name, replace(spec, name=name)).command != spec.command:
                raise click.UsageError(
                    f"both engines are called {spec.name!r}; give them different names with name=..."
                )
            numbers.append(list(engines).index(name))
        pairings.append((numbers[0], numbers[1]))
    if len(set(pairings)) < len(pairings):
        raise click.UsageError("--odds names the same clocks twice")
    return tuple(engines.values()), tuple(pairings)


def _check_options(options: MatchOptions) -> None:
    """Raises UsageError for options that cannot be combined with --odds."""
    if len(options.engines) != 2:
        raise click.UsageError(f"--odds is for 2 engines, not {len(options.engines)}")
    if options.sprt or options.tournament != HEAD_TO_HEAD:
        raise click.UsageError("--odds cannot be combined with --sprt or --tournament")
    for text in (*options.engines, options.each):
        if limit := _LIMIT.search(text):
            raise click.UsageError(
                f"{limit[0].strip()!r} cannot be combined with --odds, which sets the clocks"
            )


def _clocks(text: str) -> list[str]:
    """The two clocks of a pair. Raises BadParameter."""
    clocks = text.split()
    try:
        if len(clocks) != 2:
            raise ValueError("expected two clocks, such as '1+0.01 16+0.16'")
        for clock in clocks:
            parse_clock(clock)
    except ValueError as error:
        raise click.BadParameter(f"{text!r}: {error}", param_hint="--odds") from None
    return clocks
