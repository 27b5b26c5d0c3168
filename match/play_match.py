"""Matches as functions: `play` begins one, `resume` continues it; the command line uses the same
functions."""

import threading
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from uuid import uuid4

from ..engine.variant import Variant
from ..protocol.terminal.command_options import check_arguments
from ..protocol.terminal.progress import CompileAll
from .games.adjudication import parse_draw, parse_resign
from .games.engine_pool import PlayGame
from .games.tournament import HEAD_TO_HEAD, Tournament, TournamentError
from .match_options import MatchOptions
from .match_setup import (
    CompileTogether,
    Preparation,
    compile_for,
    configuration_in,
    create_match,
    reopen_match,
)
from .records.journal import PGN, Journal
from .records.live import LiveGames
from .records.model import Record
from .results.sprt import parse_sprt
from .results.standings import Standings
from .results.statistics import Estimate
from .results.summary import report
from .results.table import MatchView
from .runner import UNFINISHED, games_left, play_match, standings_of
from .workers.options import stopped_by_signals, workers

Progress = Callable[["MatchProgress"], object]


@dataclass(frozen=True)
class EngineResult:
    """The results of one engine against all others. `elo` is the difference to the opponent, or among more
    than two the rating, whose average is 0; `elo.error` holds 95 %. `faults` are games lost by a crash, by
    time, or by an illegal move."""

    name: str
    wins: int
    draws: int
    losses: int
    elo: Estimate
    faults: int

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Wins, and half the draws."""
        return self.wins + self.draws / 2


@dataclass(frozen=True)
class MatchResult:
    """The results of a match, finished or not: `resume(folder)` continues it.

    `engines` are in the given order. `decision` is "H0" or "H1" if an SPRT has ended the match. The games are
    in `pgn`. `str()` is the report of the command line."""

    variant: Variant
    engines: tuple[EngineResult, ...]
    games: int
    finished: bool
    decision: str | None
    pgn: Path
    folder: Path
    report: str

    @property
    def elo(self) -> Estimate:
        """That of the first engine, with its error at 95 %."""
        return self.engines[0].elo

    def __str__(self) -> str:
        return self.report


@dataclass(frozen=True)
class MatchProgress:
    """A game of a match has ended, as `white` against `black`: `score` is "1-0", "0-1" or "1/2-1/2". `played`
    of `total` games are over, and `elo` is that of the first engine so far."""

    played: int
    total: int
    white: str
    black: str
    score: str
    reason: str
    elo: Estimate


def play(
    engines: Sequence[str],
    variant: str = "pandemonium",
    *,
    each: str = "",
    games: int = 100,
    tournament: str = HEAD_TO_HEAD,
    openings: str | Path | None = None,
    opening_order: str | None = None,
    seed: int = 1,
    plies: int | None = None,
    ponder: bool = False,
    concurrency: int = 1,
    cluster: str | None = None,
    out: str | Path | None = None,
    replay_draws: int = 0,
    draw: str | None = None,
    resign: str | None = None,
    max_moves: int = 0,
    timemargin: int = 20,
    sprt: str | None = None,
    event: str = "Surajang match",
    log: str | Path | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Plays engines against each other and returns the results.

    An engine is a text such as "cmd=surajang name=strong tc=5+0.05 option.Hash=64", as in `surajang match`;
    `each` are settings of all. `games` are those of each pairing. `draw`, `resign` and `sprt` are texts as
    well: "number=8 move=40 score=10", "number=4 score=700", "elo0=0 elo1=5". `timemargin` is in milliseconds.
    Everything else is as the option of that name. `progress` is called in this thread after each game. The
    games go to the folder `out`; Ctrl-C raises KeyboardInterrupt, and `resume` continues the match.

    Raises VariantError, TournamentError or BookError for what makes no match, MatchError for an engine that
    does not start, JournalError or OSError for the folder; TypeError or ValueError for an argument of another
    type or a number that is out of range.
    """
    if isinstance(engines, str):
        raise TypeError(f"engines should be a list of texts, not the text {engines!r}")
    check_arguments(
        MatchOptions,
        each=each,
        games=games,
        seed=seed,
        plies=plies,
        concurrency=concurrency,
        replay_draws=replay_draws,
        draw=draw,
        resign=resign,
        max_moves=max_moves,
        timemargin=timemargin,
        sprt=sprt,
        event=event,
    )
    for engine in engines:
        if not isinstance(engine, str):
            raise TypeError(f"{engine!r} should be a text such as 'cmd=surajang name=a tc=5+0.05'")
    if not isinstance(openings, str | Path | None):
        raise TypeError(f"openings {openings!r} should be the path of a file, or the name of a suite")
    if games % 2:
        raise TournamentError(f"games={games} should be even: every opening is played with both colours")
    options = MatchOptions(
        engines=tuple(engines),
        each=each,
        ponder=ponder,
        games=games,
        tournament=tournament,
        openings=None if openings is None else str(openings),
        opening_order=opening_order,
        seed=seed,
        plies=plies,
        concurrency=concurrency,
        cluster=cluster,
        out=None if out is None else Path(out),
        replay_draws=replay_draws,
        draw=None if draw is None else parse_draw(draw),
        resign=None if resign is None else parse_resign(resign),
        max_moves=max_moves,
        timemargin=timemargin,
        sprt=None if sprt is None else parse_sprt(sprt),
        event=event,
        log=None if log is None else Path(log),
    )
    journal, configuration = create_match(
        Variant(variant), options, Preparation(warnings.warn, _compile_quietly)
    )
    return _played(journal, configuration, options, progress)


def resume(
    folder: str | Path,
    *,
    concurrency: int = 1,
    cluster: str | None = None,
    log: str | Path | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Plays the remaining games of a match in its folder; the results are those of all games. Raises
    JournalError for a folder without a match, and the errors of `play`."""
    check_arguments(MatchOptions, concurrency=concurrency)
    options = MatchOptions(concurrency=concurrency, cluster=cluster, log=None if log is None else Path(log))
    journal, configuration = reopen_match(Path(folder))
    return _played(journal, configuration, options, progress)


def read(folder: str | Path) -> MatchResult:
    """The results of the match in a folder so far; nothing is played. Raises JournalError, OSError."""
    configuration = configuration_in(Path(folder))
    with Journal.resume(folder) as journal:
        return _result(configuration, journal, standings_of(configuration, journal.records))


def _played(
    journal: Journal, configuration: Tournament, options: MatchOptions, progress: Progress | None
) -> MatchResult:
    with journal:
        for warning in journal.warnings:
            warnings.warn(warning, stacklevel=3)
        view = _Watcher(configuration, journal, progress)
        if play_on(configuration, journal, options, view, _compile_quietly) == UNFINISHED:
            raise KeyboardInterrupt
        return _result(configuration, journal, view.standings)


def play_on(
    configuration: Tournament,
    journal: Journal,
    options: MatchOptions,
    view: MatchView,
    compile_together: CompileTogether,
) -> str:
    """Plays the rest of a match in the place of the `options`, shown by `view`; returns the outcome, see
    `play_match`. It is UNFINISHED after a signal; only the main thread receives signals. Before any clock
    runs, everything is compiled, unless a cluster plays."""
    if not options.cluster:
        compile_for(configuration.variant, configuration.engines, compile_together)
    work = PlayGame(
        f"{configuration.variant}-{uuid4().hex[:12]}",
        configuration.variant,
        configuration.toml,
        configuration.engines,
        configuration.rules,
        str(options.log.resolve()) if options.log else None,
    )
    main = threading.current_thread() is threading.main_thread()
    with (
        workers(options.cluster, options.concurrency) as pool,
        stopped_by_signals(pool) if main else nullcontext(),
        view,
        LiveGames(journal.folder) as live,
    ):
        work.show_to(view, live)
        return play_match(configuration, journal, pool, work, view)


def title(configuration: Tournament) -> str:
    """The first line of a report."""
    controls = {str(spec.control) for spec in configuration.engines}
    control = controls.pop() if len(controls) == 1 else "various limits"
    return f"{configuration.event}: {configuration.variant}, {configuration.tournament}, {control}"


def _compile_quietly(works: Sequence[tuple[str, CompileAll]], unit: str) -> None:
    """Calls the functions one after the other. Ctrl-C does not end the process, unlike in commands."""
    for _, compile_all in works:
        compile_all(progress=lambda done, total, what: None)


class _Watcher(MatchView):
    """A view that shows nothing and calls a function after each game."""

    def __init__(self, configuration: Tournament, journal: Journal, progress: Progress | None) -> None:
        super().__init__(standings_of(configuration, journal.records), len(configuration.schedule()))
        self._tell = progress

    def __enter__(self) -> Self:
        return self

    def finished(self, record: Record) -> bool:
        counts, names = self.standings.add(record), self.standings.names
        if self._tell:
            white, black = names[record.game.white], names[record.game.black]
            elo, played = self.standings.elo(0), self.standings.played
            self._tell(MatchProgress(played, self.total, white, black, str(record.score), record.reason, elo))
        return counts


def _result(configuration: Tournament, journal: Journal, standings: Standings) -> MatchResult:
    engines = []
    for number, name in enumerate(standings.names):
        losses, draws, wins = standings.total(number).games
        faults = sum(standings.faults_of(number).values())
        engines.append(EngineResult(name, wins, draws, losses, standings.elo(number), faults))
    left = [] if standings.decision else games_left(configuration, journal.records)
    return MatchResult(
        configuration.variant,
        tuple(engines),
        standings.played,
        not left,
        standings.decision,
        journal.folder / PGN,
        journal.folder,
        report(standings, title(configuration)),
    )
