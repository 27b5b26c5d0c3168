"""The nouns of a match, as plain data that goes to files and to other machines as JSON."""

from dataclasses import asdict, dataclass, field

SCORES = ("1-0", "0-1", "1/2-1/2", "*")

# How a game can end. Those in FAULTS count against the engine that caused them, which loses the game.
NORMAL = "normal"  # by the rules of the game, or by resignation
ADJUDICATION = "adjudication"  # by the referee: score or length
UNTERMINATED = "unterminated"  # not played to its end: the match was stopped, or a machine was lost
TIME = "time forfeit"
ILLEGAL = "illegal move"
CLAIM = "false claim"  # an end of the game claimed that is none
PROTOCOL = "protocol error"  # an answer that makes no sense, a legal move or position refused
CRASH = "crash"
DISCONNECT = "disconnect"
STALL = "stall"
START = "no start"
FAULTS = (TIME, ILLEGAL, CLAIM, PROTOCOL, CRASH, DISCONNECT, STALL, START)


@dataclass(frozen=True)
class Opening:
    """Where a game begins: after `moves` from `fen`, in our notation. `name` is for people."""

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


@dataclass(frozen=True)
class MoveRecord:
    """One move of a game: `score` in centipawns and `mate` in moves for the mover, None where it said
    nothing; `depth` in plies, `seconds` as the referee measured, `reported` seconds as the engine said."""

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

    `fault` is the number of the engine that a FAULTS termination counts against, None for the others.
    `started` is ISO 8601 in UTC, `seconds` the whole game took; `overhead` seconds of them that neither
    engine had: the referee's own.
    """

    game: MatchGame
    score: str
    reason: str
    termination: str
    plies: list[MoveRecord] = field(default_factory=list)
    fault: int | None = None
    started: str = ""
    seconds: float = 0.0
    overhead: float = 0.0

    def as_json(self):
        """The record as plain dicts and lists."""
        return asdict(self)

    @classmethod
    def from_json(cls, data):
        """The record that `as_json` made of it. Raises ValueError, KeyError or TypeError for any other."""
        data = dict(data)
        game = dict(data.pop("game"))
        opening = dict(game.pop("opening"))
        opening = Opening(opening["fen"], tuple(opening["moves"]), opening["name"])
        plies = [MoveRecord(**ply) for ply in data.pop("plies")]
        record = cls(MatchGame(opening=opening, **game), plies=plies, **data)
        if record.score not in SCORES:
            raise ValueError(f"score {record.score!r} should be one of {', '.join(SCORES)}")
        return record
