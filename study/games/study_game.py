"""A game of a study as plain data: all that the figures need, as one line of JSON.

Nothing here knows the rules of the game; `recording` makes these games by replaying them.
"""

import json
from dataclasses import asdict, dataclass
from typing import Any

WHITE_WINS, BLACK_WINS, DRAWN, UNFINISHED = "1-0", "0-1", "1/2-1/2", "*"
SNAPSHOT_PLIES = 8  # between two boards that are kept
LINE_PLIES = 10  # of which the moves are kept in SAN


class Kind:
    """The letters in `StudyGame.kinds` for what a move is."""

    CAPTURE, CHECK, DROP, PROMOTION, EN_PASSANT, CASTLING, PASS, CHOICE, OWN_CAPTURE = "x+@=eO-so"
    LONG_STEP, CUSTODIAN, BUMP, GATE, COLOUR_CHANGE, SWAP, FIRST_LEAP = "2mbgcwf"


@dataclass(frozen=True)
class StudyGame:
    """A game from its start. Lists have one item for each ply, in order.

    The first `opening` moves were given. `scores` are those of the search that chose a move, in centipawns,
    White's view, None where nothing was searched. `legal` counts the legal moves before each move. `kinds`
    has letters for what a move is, as in `Kind`. `pieces` are the letters of the pieces that moved,
    `taken` those of the enemy's pieces that left the board. `white` and `black` are the values in the game's
    file of all pieces on board and in hand after each move, without kings. `line` has the first moves in SAN.
    `boards` are texts of a letter for each square, a1 first, after every SNAPSHOT_PLIES plies; the last
    one is the final board. `hands` are the letters of all pieces in hand then, White's in upper
    case. `mobility` has the sums over these boards, without the final one, of the legal moves of the side to
    move by kind of piece, in the order of the game's file, and `movable` those of its pieces. `mated` is the
    square of a king that was mated, else None. `result` is UNFINISHED for a game that was stopped at the
    limit of plies; `reason` is the sentence of the rule that ended the game, with "the winner" and "the
    loser" for colours."""

    number: int
    opening: int
    moves: tuple[str, ...]
    line: tuple[str, ...]
    scores: tuple[int | None, ...]
    legal: tuple[int, ...]
    kinds: tuple[str, ...]
    pieces: tuple[str, ...]
    taken: tuple[str, ...]
    white: tuple[int, ...]
    black: tuple[int, ...]
    boards: tuple[str, ...]
    hands: tuple[str, ...]
    mobility: tuple[int, ...]
    movable: tuple[int, ...]
    mated: int | None
    result: str
    reason: str

    @property
    def plies(self) -> int:
        """The number of moves of both sides."""
        return len(self.moves)

    @property
    def points(self) -> float:
        """White's points; half a point for a game without a result."""
        return {WHITE_WINS: 1.0, BLACK_WINS: 0.0}.get(self.result, 0.5)

    @property
    def is_decisive(self) -> bool:
        """Whether a side has won."""
        return self.result in (WHITE_WINS, BLACK_WINS)

    def encoded(self) -> str:
        """The game as one line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def decoded(cls, line: str) -> "StudyGame":
        """The game of a line of JSON. Raises ValueError, TypeError for another text."""
        facts: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in json.loads(line).items()
        }
        return cls(**facts)
