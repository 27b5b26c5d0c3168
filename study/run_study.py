"""A study as a function: `run` does the same as `surajang study`."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ..engine.game.arguments import check_number
from ..engine.game.description import Description
from ..engine.kernel.compiler import compile_ahead
from ..engine.variant import Variant
from ..eval.network.file import Network, load_network
from ..eval.network.installing import default_network_path
from ..eval.network.vectors import shape_of
from ..learn.self_play.game_player import entry_points
from ..learn.self_play.games_file import Header
from ..learn.self_play.generator import PlayGames
from ..match.openings.opening_files import load_openings
from ..match.openings.opening_suites import suites
from ..match.openings.openings import BookError, codes_of, pick
from ..match.records.model import Opening
from ..match.records.task_journal import TaskJournal
from ..match.workers.options import own_file, workers
from ..match.workers.pool import AHEAD, Workers
from ..protocol.terminal.command_options import check_argument
from ..search.engine import Engine
from .figures.advice import HandicapRow, favoured, plain_row
from .figures.balance import balance_of
from .figures.comparison import Comparison
from .figures.comparison import compare as compared
from .figures.intervals import score
from .figures.study import Searched, Study, StudySource, strongest_of, study_of
from .games.handicaps import HASH_MB as HANDICAPS_MB
from .games.handicaps import LEAST, SHARE, Handicap, handicaps_against, play_handicap
from .games.journal import StudyJournalError, heading, holds_games, open_journal, path_of, read_games
from .games.opening_search import NODES, NODES_A_GAME, find_traps, mate_from_start, opening_tree
from .games.plan import START, SUITE, Series, StudyPlan
from .games.playing import PlayStudyGames, StudyBudget, StudyPart, until_time
from .games.probing import HASH_MB as PROBES_MB
from .games.probing import PROBES, probe_games
from .games.start_openings import HASH_MB as OPENINGS_MB
from .games.start_openings import StartOpenings
from .games.study_game import StudyGame
from .games.study_options import Games, Hours, Processes, StudySeed
from .report.comparing import write_comparison
from .report.files import write_report

HOUR = 3600  # seconds
QUICK_SECONDS = 600
Openings = Mapping[str, Sequence[tuple[int, ...]]]  # source -> openings as codes of moves
StudyProgress = Callable[[int, int, str], object]  # (done, total, what)


class StudyError(ValueError):
    """A study that cannot be made with these settings; the text gives the reason."""


def refuse_to_resume_nothing(whole: Path, folders: Iterable[Path]) -> None:
    """Raises StudyError, which names the folder `whole`, unless one of its `folders` has games to resume."""
    if not any(map(holds_games, folders)):
        raise StudyError(f"{whole} has no games of a study; without resume a new one begins there")


@dataclass(frozen=True)
class StudyRun:
    """A study in a folder: its plan, and what it needs from the engine. `seconds` limits all its work after
    compiling, by the clock `now`. Without `with_network` the hand-written evaluation plays,
    even if the game has a network."""

    plan: StudyPlan
    folder: Path
    seconds: float | None = None
    with_network: bool = True
    now: Callable[[], float] = time.monotonic

    @cached_property
    def budget(self) -> StudyBudget:
        """The time for the parts of the study, which begins with the first use: that of the openings. A game
        that compiles slowly still gets its games."""
        return StudyBudget(self.seconds, self.now)

    @cached_property
    def description(self) -> Description:
        """The game."""
        return self.plan.variant.description

    @cached_property
    def network_file(self) -> Path | None:
        """The path of the game's network, if there is one."""
        path = default_network_path(self.plan.variant)
        return path if self.with_network and path.exists() else None

    @cached_property
    def network(self) -> Network | None:
        """The network that plays, None for the hand-written evaluation."""
        return load_network(self.network_file, self.plan.variant) if self.network_file else None

    def source_of(self, series: Series) -> PlayStudyGames:
        """What plays the games of a series."""
        variant = self.plan.variant
        header = Header.of(variant, self.plan.settings_of(series), self.network)
        data = self.network_file.read_bytes() if self.network_file else None
        return PlayStudyGames(PlayGames(header, own_file(variant), data))

    def compile(self, progress: StudyProgress | None = None) -> None:
        """Compiles all that openings and games need."""
        compile_ahead(entry_points(self.plan.variant, shape_of(self.network), given=True), progress)
        self.engine(1, progress).close()

    def engine(self, hash_mb: int, progress: StudyProgress | None = None) -> Engine:
        """An engine with the evaluation that plays the games."""
        eval_file: Literal[False] | None = None if self.with_network else False
        return Engine(self.plan.variant, hash_mb=hash_mb, eval_file=eval_file, progress=progress)

    def refuse_old_games(self) -> None:
        """Raises StudyError if the folder has games already."""
        if any(path_of(self.folder, series).exists() for series in self.plan.series):
            raise StudyError(f"{self.folder} has games of a study already; resume it, or give another folder")

    def openings(self, progress: StudyProgress) -> Openings:
        """The openings of all games: those of the games in the folder, if there are enough, so that a report
        can be made again. At least one is drawn, and as many as the games in the folder have."""
        most = {
            source: max(self.plan.games_of(series) for series in self.plan.series if series.source == source)
            for source in (START, SUITE)
        }
        budget = self.budget  # begins here
        suite = self._suite(most[SUITE])
        if len(known := self._played_openings()) >= most[START]:
            return {START: known[: most[START]], SUITE: suite}
        with self.engine(OPENINGS_MB) as engine:
            drawn = StartOpenings(self.plan.variant, self.plan.seed, engine).draw(
                most[START],
                lambda done: progress(done, most[START], "openings"),
                lambda: not budget.left_for(StudyPart.OPENINGS),
            )
        return {START: max(known, drawn, key=len), SUITE: suite}

    def played(self) -> tuple[dict[Series, list[StudyGame]], Openings]:
        """The games in the folder, and their openings."""
        series = {each: self.plan.games_of(each) for each in self.plan.series}
        games = {
            each: self._read(each, most)
            for each, most in series.items()
            if path_of(self.folder, each).exists()
        }
        openings = self._suite(max(most for each, most in series.items() if each.source == SUITE))
        return games, {START: self._played_openings(), SUITE: openings}

    def _read(self, series: Series, most: int) -> list[StudyGame]:
        with open_journal(self.folder, series, self.source_of(series).work.header) as journal:
            return read_games(journal, most)

    def _played_openings(self) -> list[tuple[int, ...]]:
        """The openings of the weakest games from the start in the folder, as codes."""
        series = self.plan.series[0]
        if not path_of(self.folder, series).exists():
            return []
        games = self._read(series, self.plan.games_of(series))
        variant, start = self.plan.variant, self.description.start_fen
        return [codes_of(Opening(start, game.moves[: game.opening]), variant) for game in games]

    def _suite(self, most: int) -> list[tuple[int, ...]]:
        """Up to that many openings of the game's suite that begin at the start."""
        variant, path = self.plan.variant, suites().get(self.plan.variant)
        if path is None:
            return []

        def choose(found: list[object]) -> list[object]:
            return pick(found, min(most, len(found)), "random", self.plan.seed)

        codes = []
        for opening in load_openings(path, variant, choose):
            try:
                codes.append(codes_of(opening, variant))
            except BookError:  # it begins elsewhere
                continue
        return codes

    def wanted(self, openings: Openings) -> dict[Series, int]:
        """How many games each series has, without those that have none."""
        counts = {s: min(self.plan.games_of(s), len(openings[s.source])) for s in self.plan.series}
        return {series: count for series, count in counts.items() if count}

    def play(
        self, openings: Openings, pool: Workers, progress: StudyProgress
    ) -> dict[Series, list[StudyGame]]:
        """Plays the missing games, the weakest strength first, and returns the games of each series. Each
        series has an equal share of the remaining time."""
        with ExitStack() as stack:
            self.folder.mkdir(parents=True, exist_ok=True)
            wanted = self.wanted(openings)
            sources = {series: self.source_of(series) for series in wanted}
            journals = {
                series: stack.enter_context(open_journal(self.folder, series, source.work.header))
                for series, source in sources.items()
            }
            end, now = self.budget.end_of(StudyPart.GAMES), self.budget.now
            for index, series in enumerate(wanted):
                left = len(wanted) - index
                until = None if end is None else now() + max(0.0, end - now()) / left
                source, journal = sources[series], journals[series]
                numbered = list(enumerate(openings[series.source][: wanted[series]]))
                tasks = until_time(numbered[journal.tasks :], until, now)
                # Where time is limited no game waits behind those that are played: it would begin too late.
                for (number, _), line in pool.run(source, tasks, ahead=AHEAD if until is None else 1):
                    journal.add(number, [line])
                    done = sum(min(journals[each].tasks, count) for each, count in wanted.items())
                    progress(done, sum(wanted.values()), series.name)
                source.close()
            return {series: read_games(journals[series], wanted[series]) for series in wanted}

    @property
    def probes(self) -> int:
        """How many positions of the games are searched again."""
        return min(PROBES, self.plan.games)

    def figures(
        self,
        games: Mapping[Series, Sequence[StudyGame]],
        openings: Openings,
        progress: StudyProgress = lambda done, total, what: None,
    ) -> Study:
        """The figures of the games, with searches of some positions, and games with handicaps."""
        strongest = strongest_of(games)
        with self.engine(PROBES_MB) as engine:
            probes = probe_games(
                self.plan.variant,
                games[strongest] if strongest else (),
                self.plan.seed,
                engine,
                self.probes,
                lambda done: progress(done, self.probes, "positions"),
                lambda: not self.budget.left_for(StudyPart.POSITIONS),
            )
            nodes = min(NODES, NODES_A_GAME * self.plan.games)

            def late() -> bool:
                return not self.budget.left_for(StudyPart.LINES)

            tree = opening_tree(self.plan.variant, engine, nodes, late) if strongest else ()
            traps = find_traps(self.plan.variant, games, engine, nodes, late)
            mate = mate_from_start(self.plan.variant, engine, late)
        searched = Searched(probes, tree, traps, self.handicaps(games), mate)
        header = self.source_of(self.plan.series[0]).work.header
        source = StudySource(
            game=self.description.name,
            title=self.description.title,
            rules=header.rules,
            evaluation=header.player,
            program=header.program,
            seed=self.plan.seed,
            most_plies=self.plan.most_plies,
            start_openings=len(openings[START]),
            suite_openings=len(openings[SUITE]),
        )
        return study_of(games, self.plan, source, self.description, searched)

    def handicaps(self, games: Mapping[Series, Sequence[StudyGame]]) -> list[HandicapRow]:
        """Games with handicaps against the favoured side, which the folder keeps; none where no side is
        favoured."""
        row = plain_row(balance_of(games))
        side = favoured(row)
        if row is None or side is None:
            return []
        found = []
        count = max(min(LEAST, self.plan.games), self.plan.games // SHARE)
        with self.engine(HANDICAPS_MB) as engine:
            for number, handicap in enumerate(handicaps_against(side, self.plan.variant), 1):
                points = self._points(engine, number, handicap, count, row.nodes)
                results = [points.count(value) for value in (0.0, 0.5, 1.0)]
                if points:
                    found.append(HandicapRow(handicap.name, len(points), score(*results)))
        return found

    def _points(self, engine: Engine, number: int, handicap: Handicap, count: int, nodes: int) -> list[float]:
        """White's points in games with a handicap. The folder keeps them."""
        series = Series(START, nodes)
        title = f"{heading(series, self.source_of(series).work.header)}, handicap {handicap.fen}"
        path = self.folder / f"handicap-{number}.games"
        with TaskJournal[float](path, title, "game", StudyJournalError) as journal:
            return play_handicap(
                self.plan,
                handicap,
                count,
                nodes,
                engine,
                [float(line) for line in journal.lines()],
                lambda points: journal.add(journal.tasks, [points]),
                lambda: not self.budget.left_for(StudyPart.HANDICAPS),
            )


def seconds_of(hours: float | None, quick: bool) -> float | None:
    """The time of a study of one game, None without a limit."""
    if hours is None:
        return QUICK_SECONDS if quick else None
    return hours * HOUR


def have_networks(variants: Iterable[Variant]) -> bool:
    """Whether each of the games has a network. Games are compared by evaluations of the same kind: else
    differences may be those of the evaluations."""
    return all(default_network_path(variant).exists() for variant in variants)


def default_folder(variant: Variant) -> Path:
    """The default folder of a study."""
    return Path(f"study-{variant.description.name}")


def make_plan(
    variant: Variant,
    games: int | None = None,
    strengths: Sequence[int] | None = None,
    seed: int = 1,
    quick: bool = False,
) -> StudyPlan:
    """The plan of the options; those of `quick` are defaults. Raises StudyError."""
    try:
        plan = StudyPlan(variant, seed=seed)
        plan = plan.quick() if quick else plan
        return replace(
            plan,
            games=plan.games if games is None else games,
            strengths=plan.strengths if strengths is None else tuple(strengths),
        )
    except ValueError as error:
        raise StudyError(str(error)) from None


def run(
    game: str | Path,
    *,
    out: str | Path | None = None,
    games: int | None = None,
    strengths: Sequence[int] | None = None,
    seed: int = 1,
    concurrency: int = 1,
    cluster: str | None = None,
    hours: float | None = None,
    quick: bool = False,
    resume: bool = False,
    with_network: bool = True,
    progress: StudyProgress = lambda done, total, what: None,
) -> Study:
    """Studies a game, given by its name or by the path of its file, and returns the figures.

    `games` are played at each of `strengths` (nodes a move) up to 1,000 nodes, and fewer at greater ones
    (default 1,000 games at 100, 1,000, 10,000 and 100,000 nodes; `quick`: 200 games without the last). The
    folder `out` (default `study-NAME`) keeps the games and gets the report as `report.html`, `report.md` and
    `report.json`. `resume` continues the games in the folder. `hours` limits the time of the study after
    compiling (`quick`: ten minutes); where that does not cut it short, the same seed gives the same report.
    Without `with_network` the hand-written evaluation plays, even if the game has a network. `concurrency` is
    the number of processes. `progress(done, total, what)` is called for each opening and game.

    Raises StudyError, VariantError, NetworkError, StudyJournalError, WorkersError, OSError; TypeError or
    ValueError for an argument of another type or a number that is out of range."""
    check_argument("games", Games, games)
    check_argument("seed", StudySeed, seed)
    check_argument("concurrency", Processes, concurrency)
    check_argument("hours", Hours, hours)
    if isinstance(strengths, str) or not isinstance(strengths, Iterable | None):
        raise TypeError(f"strengths {strengths!r} should be a list of nodes a move, such as [100, 1000]")
    for nodes in strengths or ():
        check_number("strength", nodes, whole=True)
    plan = make_plan(Variant(game), games, strengths, seed, quick)
    folder = Path(out) if out is not None else default_folder(plan.variant)
    studying = StudyRun(plan, folder, seconds_of(hours, quick), with_network)
    if not resume:
        studying.refuse_old_games()
    else:
        refuse_to_resume_nothing(folder, [folder])
    studying.compile()
    openings = studying.openings(progress)
    with workers(cluster, concurrency, processes=concurrency > 1) as pool:
        played = studying.play(openings, pool, progress)
    study = studying.figures(played, openings, progress)
    write_report(folder, study, studying.description)
    return study


def compare(
    variants: Sequence[str | Path],
    *,
    out: str | Path = "study-comparison",
    hours: float | None = None,
    **options: Any,
) -> Comparison:
    """Studies several games, given by names or paths, and compares them with the first one.

    `options` are those of `run`, for each of the games; `hours` are shared. The hand-written evaluation plays
    unless all games have networks. The folder `out` gets a folder for each game, and the comparison as
    `comparison.html`, `comparison.md` and `comparison.json`.

    Raises what `run` raises, and StudyError for fewer than two different games."""
    if isinstance(variants, str):
        raise TypeError(f"games should be a list of names or paths, not the text {variants!r}")
    games = [Variant(game) for game in variants]
    names = [game.description.name for game in games]
    if len(set(names)) < max(2, len(names)):
        raise StudyError(f"{', '.join(names) or 'no game'}: two or more different games can be compared")
    share = hours / len(names) if hours else None
    folders = [Path(out) / name for name in names]
    resume = options.pop("resume", False)
    if resume:
        refuse_to_resume_nothing(Path(out), folders)
    options = {"with_network": have_networks(games), **options}
    studies = [
        run(game, out=folder, hours=share, resume=resume and holds_games(folder), **options)
        for game, folder in zip(games, folders, strict=True)
    ]
    found = compared(studies)
    write_comparison(Path(out), found)
    return found
