"""Best moves in files, one position a line, and those that come with the engine.

    FEN ; bm N@f3 ; ce 41 ; acn 400000 ; c0 "margin 130" ; id "game 12, ply 61"

`bm` names the best move; where a file of your own names several, each solves the position. `ce` is the score
in centipawns for the side to move, `acn` the nodes of the search that found it, `margin` how many centipawns
it is ahead of the second best move. `ce`, `acn` and `margin` may be left out.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ....engine.bench_positions import matched_lines
from ....engine.variant import Variant
from ..epd import SuiteEntry

FOLDER = Path(__file__).with_name("data")
FORM = 'FEN ; bm MOVE ; ce CENTIPAWNS ; acn NODES ; c0 "margin CENTIPAWNS" ; id "name"'
DROP, CAPTURE, QUIET = "drops", "captures", "quiet moves"
KINDS = (QUIET, CAPTURE, DROP)  # of best moves, in the order of reports
_LINE = re.compile(
    r'(?P<fen>[^;]+?) ; bm (?P<best>[^;"]+?)(?: ; ce (?P<score>-?\d+))?(?: ; acn (?P<nodes>\d+))?'
    r'(?: ; c0 "margin (?P<margin>\d+)")? ; id "(?P<name>[^"]+)"'
)


@dataclass(frozen=True)
class BestMove(SuiteEntry):
    """A position in which each of the moves `best`, as text, is the best one. `score` and `margin` over the
    second best move are centipawns, `nodes` those of the search that found them; None where a file does not
    say."""

    best: tuple[str, ...]
    score: int | None = None
    nodes: int | None = None
    margin: int | None = None

    @property
    def kind(self) -> str:
        """The kind of the first of its moves, one of KINDS. Raises FenError, MoveError."""
        move = self.position.parse_move(self.best[0])
        if move.is_drop:
            return DROP
        target = self.position.letter_at(move.to_square)
        own = target is not None and target.isupper() == (self.position.turn == 0)
        return CAPTURE if target is not None and not own else QUIET

    def __str__(self) -> str:
        parts = [self.fen, f"bm {' '.join(self.best)}"]
        parts += [f"ce {self.score}"] if self.score is not None else []
        parts += [f"acn {self.nodes}"] if self.nodes is not None else []
        parts += [f'c0 "margin {self.margin}"'] if self.margin is not None else []
        return " ; ".join([*parts, f'id "{self.name}"'])


def read_moves(path: Path, variant: Variant, check: bool = True) -> list[BestMove]:
    """The best moves in a file, in order. Raises ValueError with file, line and the expected form. Without
    `check`, positions and moves are not tested for legality."""
    found: list[BestMove] = []
    lines: dict[str, int] = {}  # by name
    for number, match in matched_lines(path, _LINE, FORM):
        numbers = (int(match[key]) if match[key] else None for key in ("score", "nodes", "margin"))
        best = BestMove(variant, match["name"], match["fen"], tuple(match["best"].split()), *numbers)
        wrong = _fault(best) if check else ""
        if best.name in lines:
            wrong = f"the id {best.name!r} is that of line {lines[best.name]}; each line has its own"
        if wrong:
            raise ValueError(f"{path}:{number}: {match[0]!r}: {wrong}")
        lines[best.name] = number
        found.append(best)
    return found


def _fault(best: BestMove) -> str:
    """The fault of a position or its best moves, or ""."""
    from ....engine.position import FenError, MoveError

    try:
        legal = best.position.legal_moves()
    except FenError as error:
        return f"the position cannot be set up: {error}"
    for text in best.best:
        try:
            move = best.position.parse_move(text)
        except MoveError as error:
            example = f", for example {str(legal[0])!r}" if legal else ""
            return f"bm {error}; it should name legal moves{example}"
        if str(move) != text:
            return f"bm {text!r} should read {str(move)!r}"
    return ""


def first_of(moves: Iterable[BestMove], count: int) -> list[BestMove]:
    """The first `count`, without duplicate positions."""
    return list({best.place: best for best in reversed(list(moves))}.values())[::-1][:count]
