"""A growing suite: attempts in order, of which the balanced ones at new positions are taken."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import count

from ....engine.position import FenError, Position, played
from ....engine.variant import Variant
from ....match.openings.openings import BookError, ends_at_once
from ....match.records.model import Opening
from ....match.records.task_journal import TaskJournal
from ....protocol.uci.notation import flipped
from .attempt import UNSEARCHED, Attempt, Verdict
from .judging import Moves
from .lines import LineMaker

PATIENCE = 400  # attempts in a row without a new opening after which a game has no more
REASONS = {  # in the order of the report
    Verdict.DECIDED: "decided",
    Verdict.CHECK: "in check",
    Verdict.KNOWN: "known already",
    Verdict.MATE: "with a mate",
    Verdict.FAR: "unbalanced early",
    Verdict.UNBALANCED: "unbalanced at the end",
}
_PIECE = re.compile(r"\+?[A-Za-z]~?|\d+|.")


class OpeningSuite:
    """The first `size` openings of attempts that are added in order; later ones do not count.

    `openings` come with their scores, `rejected` counts the other attempts by their `Verdict`. A game that
    gives no new opening in `patience` attempts in a row has no more."""

    def __init__(self, variant: Variant, size: int, patience: int = PATIENCE) -> None:
        self.variant, self.size, self.patience = variant, size, patience
        self.openings: list[tuple[Opening, int]] = []
        self.rejected: Counter[Verdict] = Counter()
        self._white_scores: list[int] = []
        self._failures = 0

    @property
    def attempts(self) -> int:
        """How many attempts the openings took."""
        return len(self.openings) + self.rejected.total()

    @property
    def mean_score(self) -> float:
        """Centipawns for White, the mean of all openings."""
        return sum(self._white_scores) / len(self._white_scores)

    def is_complete(self) -> bool:
        """Whether the suite has its number of openings."""
        return len(self.openings) == self.size

    def add(self, attempt: Attempt) -> None:
        """Takes the next attempt. Raises BookError if the game seems to have no more openings."""
        if self.is_complete():
            return
        if attempt.verdict == Verdict.BALANCED:
            self._failures = 0
            position = played(self.variant, attempt.moves)
            self.openings.append((Opening(position.start_fen, attempt.moves), attempt.score))
            self._white_scores.append(-attempt.score if position.turn else attempt.score)
            return
        self.rejected[attempt.verdict] += 1
        self._failures += 1
        if self._failures == self.patience:
            raise BookError(
                f"{self.variant} gives {len(self.openings)} openings, and no more in {self.patience} "
                f"attempts; {self.size} were asked for: try more --plies or another --limit"
            )


class OpeningSuiteMaker:
    """Fills an `OpeningSuite` from a journal of attempts, and adds to both. Raises ValueError for a journal
    with other content, MoveError for one of another game, BookError."""

    def __init__(self, suite: OpeningSuite, journal: TaskJournal[Attempt], lines: LineMaker) -> None:
        self.suite, self._journal, self._lines = suite, journal, lines
        self._tried: set[tuple[str, ...]] = set()  # the positions that were judged
        for attempt in map(Attempt.parse, journal.lines()):
            suite.add(attempt)
            if attempt.verdict not in UNSEARCHED:
                self._tried.add(identity(played(suite.variant, attempt.moves)))

    def tasks(self) -> Iterator[tuple[int, Moves]]:
        """Yields (number, moves) of the attempts to judge. Attempts that need no search are added at once; it
        ends where as many of them come in a row as the suite has patience for."""
        failures = 0
        for number in count(self._journal.tasks):
            position, goes_on = self._lines.line(number)
            moves = tuple(str(move) for move in position.moves)
            verdict = self._seen(position, goes_on)
            if verdict is None:
                failures = 0
                yield number, moves
                continue
            self.add(number, Attempt(verdict, 0, moves))
            failures += 1
            if failures == self.suite.patience or self.suite.is_complete():
                return

    def _seen(self, position: Position, goes_on: bool) -> Verdict | None:
        """The verdict on a position that can be skipped without a search, else None."""
        if not goes_on or ends_at_once(position):
            return Verdict.DECIDED
        if position.is_check():
            return Verdict.CHECK
        if (found := identity(position)) in self._tried:
            return Verdict.KNOWN
        self._tried.add(found)
        return None

    def add(self, number: int, attempt: Attempt) -> None:
        """Adds an attempt, which waits for those before it. Raises BookError."""
        for each in self._journal.add(number, [attempt]):
            self.suite.add(each)


def identity(position: Position) -> tuple[str, ...]:
    """A position without its numbers of moves; positions that differ only in the colours are identical."""
    twin = _other_side(position)
    own = _without_counters(position)
    return own if twin is None else min(own, _without_counters(twin))


def _without_counters(position: Position) -> tuple[str, ...]:
    """The fields of the FEN, but not the numbers of moves."""
    return tuple(position.fen().split()[:-2])


def _other_side(position: Position) -> Position | None:
    """The position with the colours exchanged, if there is one. The board is mirrored if this leaves the
    start of the game unchanged, otherwise rotated."""
    ranks, start = position.description.ranks, position.description.start_fen
    turns = flipped(start, ranks).split()[0] != start.split()[0]
    fen = flipped(position.fen(), ranks)
    try:
        return Position(position.variant, _mirrored_files(fen) if turns else fen)
    except FenError:
        return None


def _mirrored_files(fen: str) -> str:
    """A position with the order of the files reversed."""
    board, *others = fen.split()
    rows, bracket, hands = board.partition("[")
    rows = "/".join("".join(reversed(_PIECE.findall(row))) for row in rows.split("/"))
    return " ".join([rows + bracket + hands, *others])
