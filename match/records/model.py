"""The data of a match, as plain objects that go to files and to other machines as JSON."""

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

Kind = TypeVar("Kind", bound=StrEnum)
GameKey = tuple[int, int]  # number and replay of a game


class GameResult(StrEnum):
    """The result of a game, as PGN writes it."""

    WHITE_WINS = "1-0"
    BLACK_WINS = "0-1"
    DRAW = "1/2-1/2"
    UNKNOWN = "*"  # the game was not played to its end


class Termination(StrEnum):
    """How a game ended. Those in FAULTS count against the engine that caused them, which loses the game."""

    NORMAL = "normal"  # by the rules of the game, or by resignation
    ADJUDICATION = "adjudication"  # by the referee: score or length
    UNTERMINATED = "unterminated"  # not played to its end: the match was stopped, or a machine was lost
    TIME = "time forfeit"
    ILLEGAL = "illegal move"
    CLAIM = "false claim"  # the engine wrongly claims that the game is over
    PROTOCOL = "protocol error"  # a meaningless answer, or a refusal of a legal move or position
    CRASH = "crash"
    DISCONNECT = "disconnect"
    STALL = "stall"
    START = "no start"


FAULTS = frozenset(Termination) - {Termination.NORMAL, Termination.ADJUDICATION, Termination.UNTERMINATED}


@dataclass(frozen=True)
class Opening:
    """The start of a game: after `moves` from `fen`, in our notation. `name` is for people."""

    fen: str
    moves: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class MatchGame:
    """A game to be played: numbers of the engines (their order on the command line) and the opening.

    `number` is its place in the schedule from 0; both games of a `pair` have one opening and colours swapped.
    `replay` counts how often the game has been played again after a draw; the colours change each time.
    """

    number: int
    pair: int
    white: int
    black: int
    opening: Opening
    replay: int = 0

    @property
    def key(self) -> GameKey:
        """The identity of the game in the match."""
        return self.number, self.replay

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "MatchGame":
        """The game of plain dicts and lists. Raises KeyError or TypeError for other data."""
        game = dict(data)
        begin = game.pop("opening")
        return cls(opening=Opening(begin["fen"], tuple(begin["moves"]), begin["name"]), **game)


@dataclass(frozen=True)
class MoveRecord:
    """One move of a game: `score` in centipawns and `mate` in moves for the mover, None if the engine gave
    none; `depth` in plies, `seconds` as the referee measured, `reported` seconds as the engine reported."""

    move: str
    seconds: float
    score: int | None = None
    mate: int | None = None
    depth: int = 0
    nodes: int = 0
    reported: float | None = None


@dataclass
class Record:
    """A game that has been played.

    `fault` is the number of the engine that a termination in FAULTS counts against, None for the others.
    `started` is ISO 8601 in UTC. The whole game took `seconds`; `overhead` seconds of them were the
    referee's own. Raises ValueError for a score or a termination that does not exist.
    """

    game: MatchGame
    score: GameResult
    reason: str
    termination: Termination
    plies: list[MoveRecord] = field(default_factory=list)
    fault: int | None = None
    started: str = ""
    seconds: float = 0.0
    overhead: float = 0.0

    def __post_init__(self) -> None:
        self.score = _one_of(GameResult, "score", self.score)
        self.termination = _one_of(Termination, "termination", self.termination)

    def as_json(self) -> dict[str, Any]:
        """The record as plain dicts and lists."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Record":
        """The record that `as_json` wrote. Raises ValueError, KeyError or TypeError for other data."""
        data = dict(data)
        game = MatchGame.from_json(data.pop("game"))
        return cls(game, plies=[MoveRecord(**ply) for ply in data.pop("plies")], **data)


def _one_of(kind: type[Kind], name: str, text: str) -> Kind:
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f"{name} {text!r} should be one of {', '.join(kind)}") from None
