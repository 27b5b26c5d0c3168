"""A small suite of openings of a game: the first settings that give enough balanced ones."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ....engine.position import Position
from ....engine.variant import Variant
from ....match.openings.opening_files import save_suite
from ....match.openings.openings import BookError, drawn_starts
from ....match.records.model import Opening
from ....match.records.task_journal import TaskJournal
from ....search.engine import Engine
from ..openings.attempt import Attempt, SuiteSettings
from ..openings.judging import HASH_MB, Judge
from ..openings.lines import LineMaker
from ..openings.opening_suite import OpeningSuite, OpeningSuiteMaker

SIZE = 50  # openings of a suite
LEAST = 30  # with which the last settings are content
NODES = 20_000  # of the search that judges an opening
# Plies of a line and the centipawns that its score must stay below, the best first.
STEPS = ((8, 60), (12, 60), (8, 120), (5, 120), (8, 250), (4, 250), (8, 500), (8, 1000))
TRIAL = 30  # attempts after which settings are given up that give too few openings
LEAST_SHARE = 0.15  # of the attempts that have to give an opening
PATIENCE = 100  # attempts in a row without a new opening after which settings give no more


def save_quick_suite(variant: Variant, path: Path) -> str:
    """Writes a suite for a game; returns its heading. Raises BookError for a game that gives too few."""
    openings, settings = starts_in_balance(variant) if draws_start(variant) else lines_in_balance(variant)
    heading = f"{variant.description.title}: {len(openings)} openings, {settings}"
    save_suite(path, openings, variant, heading)
    return heading


def draws_start(variant: Variant) -> bool:
    """Whether the starts of a game are drawn, so that each start is an opening."""
    return variant.description.castling_free


def starts_in_balance(variant: Variant) -> tuple[list[tuple[Opening, int]], SuiteSettings]:
    """(openings with their scores, settings): drawn starts without moves that a search finds balanced."""
    settings = SuiteSettings(nodes=NODES, plies=0)
    engine = Engine(variant, hash_mb=HASH_MB)
    found: list[tuple[Opening, int]] = []
    for opening in drawn_starts(variant, 4 * SIZE, settings.seed):
        score = judged(engine, variant, opening.fen)
        if score is not None and abs(score) < settings.limit:
            found.append((opening, score))
        if len(found) == SIZE:
            return found, settings
    raise BookError(f"{variant} gives {len(found)} starts in balance; {SIZE} are wanted")


def judged(engine: Engine, variant: Variant, fen: str) -> int | None:
    """The score of a position in centipawns for the side to move; None for a mate."""
    engine.clear()
    score = engine.play(Position(variant, fen), nodes=NODES).score
    return None if score.mate is not None else score.centipawns


def lines_in_balance(variant: Variant) -> tuple[list[tuple[Opening, int]], SuiteSettings]:
    """(openings with their scores, settings): random lines of good moves that a search finds balanced."""
    best: tuple[list[tuple[Opening, int]], SuiteSettings] | None = None
    for plies, limit in STEPS:
        settings = SuiteSettings(NODES, limit, plies)
        openings = openings_of(variant, settings)
        if len(openings) == SIZE:
            return openings, settings
        if best is None or len(openings) > len(best[0]):
            best = openings, settings
    if best is None or len(best[0]) < LEAST:
        raise BookError(f"{variant} gives {len(best[0]) if best else 0} openings; {LEAST} are wanted")
    return best


def openings_of(variant: Variant, settings: SuiteSettings) -> list[tuple[Opening, int]]:
    """The openings that settings give: SIZE of them, or fewer if attempts fail too often."""
    judge = Judge(variant, settings)
    suite = OpeningSuite(variant, SIZE, PATIENCE)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "attempts"
        with TaskJournal[Attempt](path, str(settings), "attempt", BookError) as journal:
            maker = OpeningSuiteMaker(suite, journal, LineMaker(variant, settings))
            try:
                for number, moves in hopeful(maker):
                    maker.add(number, judge((number, moves)))
            except BookError:  # the game has no more
                pass
    return suite.openings


def hopeful(maker: OpeningSuiteMaker) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yields the maker's tasks until the suite is complete, or until too few attempts give an opening."""
    suite = maker.suite
    for task in maker.tasks():
        if suite.attempts >= TRIAL and len(suite.openings) < LEAST_SHARE * suite.attempts:
            return
        yield task
        if suite.is_complete():
            return
