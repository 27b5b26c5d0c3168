"""Games as PGN text, and back: tags, moves and what the engines said of them. This opens no files.

Chess and Crazyhouse are written in SAN with comments that python-chess reads; PGN has no notation for the
other games, which are written in the engine's own. The reader takes both.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...engine.game import catalogue
from .model import GameResult, Termination

if TYPE_CHECKING:
    import chess

    from ...engine.position import Position
    from ..players.control import TimeControl
    from .model import MoveRecord, Record


WIDTH = 79  # columns; PGN asks for lines of less than 80
ROSTER_UNKNOWN = "?"
VARIANT_TAGS = {"chess": None, "crazyhouse": "Crazyhouse"}  # names in other programs; other games have ours
TERMINATIONS = {  # in the words of the PGN standard
    Termination.NORMAL: "normal",
    Termination.ADJUDICATION: "adjudication",
    Termination.UNTERMINATED: "unterminated",
    Termination.TIME: "time forfeit",
    Termination.ILLEGAL: "rules infraction",
    Termination.CLAIM: "rules infraction",
    Termination.PROTOCOL: "rules infraction",
    Termination.CRASH: "abandoned",
    Termination.DISCONNECT: "abandoned",
    Termination.STALL: "abandoned",
    Termination.START: "abandoned",
}

TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<comment>\{[^}]*\}|;[^\n]*)
    |(?P<open>\{)
    |(?P<tag>\[(?P<name>\w+)[ \t]+"(?P<value>(?:[^"\\\n]|\\.)*)"[ \t]*\])
    |(?P<begin>\()
    |(?P<end>\))
    |(?P<mark>\$\d+|[!?]+)
    |(?P<result>(?:1-0|0-1|1/2-1/2|\*)(?![^\s{}();]))
    |(?P<number>\d+\.+|\.+|\d{1,3}(?=\s|$))
    |(?P<move>[^\s{}();!?]+)
    |(?P<other>.)""",
    re.VERBOSE,
)


class PgnError(ValueError):
    """A game that cannot be read; `line` of the text from 1, `reason` what is wrong there."""

    def __init__(self, line: int, reason: str) -> None:
        self.line, self.reason = line, reason
        super().__init__(f"line {line}: {reason}")


@dataclass
class ScannedGame:
    """A game as in its text: tags, and moves as (line, word). `line` is where it begins."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    words: list[tuple[int, str]] = field(default_factory=list)
    score: str = GameResult.UNKNOWN


@dataclass(frozen=True)
class PgnGame:
    """A game that has been read: `moves` in our notation from `fen`, all of them legal."""

    tags: dict[str, str]
    fen: str
    moves: tuple[str, ...]
    score: str


def write_pgn(
    record: "Record",
    variant: str,
    names: Sequence[str],
    controls: "Sequence[TimeControl]",
    event: str = "Surajang",
    site: str = "?",
) -> str:
    """A `Record` as PGN, followed by an empty line; `names` and `controls` by the engines' numbers.

    Each move of an engine is followed by its score in pawns for White (or moves to mate), its depth and the
    time it took; moves of the opening by "book". Raises ValueError for a move that cannot be played, where
    the game is one that python-chess plays.
    """
    fen = record.game.opening.fen
    tags = _tags(record, variant, names, controls, event, site)
    lines = [f'[{name} "{escape(value)}"]' for name, value in tags.items()]
    words = [*_move_words(record, variant, fen), *comment_words(record.reason), record.score]
    return "\n".join([*lines, "", *wrap(words), "", ""])


def _tags(
    record: "Record",
    variant: str,
    names: Sequence[str],
    controls: "Sequence[TimeControl]",
    event: str,
    site: str,
) -> dict[str, str]:
    game, opening = record.game, record.game.opening
    tags = {
        "Event": event,
        "Site": site,
        "Date": record.started[:10].replace("-", ".") or "????.??.??",
        "Round": f"{game.number + 1}" + (f".{game.replay}" if game.replay else ""),
        "White": names[game.white],
        "Black": names[game.black],
        "Result": record.score,
    }
    if name := VARIANT_TAGS.get(variant, variant):
        tags["Variant"] = name
    if opening.fen != catalogue.load(variant).start_fen:
        tags |= {"SetUp": "1", "FEN": opening.fen}
    if opening.name:
        tags["Opening"] = opening.name
    tags |= _control_tags(controls[game.white], controls[game.black])
    if record.started:
        tags["GameStartTime"] = record.started
    tags["GameDuration"] = _clock(round(record.seconds))
    tags["Termination"] = TERMINATIONS[record.termination]
    tags["PlyCount"] = str(len(opening.moves) + len(record.plies))
    return tags


def _control_tags(white: "TimeControl", black: "TimeControl") -> dict[str, str]:
    """The standard's tag TimeControl, and tags of ours for each side where that does not hold all limits."""
    standard = [_standard_control(control) for control in (white, black)]
    tags = {"TimeControl": standard[0] if white == black else "?"}
    if white != black or standard[0] != str(white):
        tags |= {"WhiteTimeControl": str(white), "BlackTimeControl": str(black)}
    return tags


def _standard_control(control: "TimeControl") -> str:
    """What PGN can express: a clock, a time for each move (as a session of one move), or no clock."""
    if control.base is not None:
        return str(control).split()[0]
    return f"1/{control.movetime:g}" if control.movetime is not None else "-"


def escape(value: object) -> str:
    """The value of a tag: on one line, quotes and backslashes escaped."""
    value = " ".join(str(value).split()) or ROSTER_UNKNOWN
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def _move_words(record: "Record", variant: str, fen: str) -> Iterator[str]:
    """Each move with its number and its comment, as one word that `wrap` does not break."""
    opening = record.game.opening
    comments: list[MoveRecord | None] = [*[None] * len(opening.moves), *record.plies]
    moves = [*opening.moves, *(ply.move for ply in record.plies)]
    fields = fen.split()
    black = fields[1:2] == ["b"]
    number = int(fields[5]) if len(fields) > 5 else 1
    for text, ply in zip(_spellings(variant, fen, moves), comments, strict=True):
        yield f"{number}{'...' if black else '.'} {text} {{{_said(ply, -1 if black else 1)}}}"
        number += black
        black = not black


def _said(ply: "MoveRecord | None", sign: int) -> str:
    """The comment on a move, with the score for White: `sign` is -1 for Black's moves."""
    if ply is None:
        return "book"
    depth = f",{ply.depth}" if ply.depth else ""
    seconds, milliseconds = divmod(max(0, round(ply.seconds * 1000)), 1000)
    minutes, seconds = divmod(seconds, 60)
    time = f"[%emt {minutes // 60}:{minutes % 60:02d}:{seconds:02d}.{milliseconds:03d}]"
    if ply.mate is not None:
        return f"[%eval #{sign * ply.mate}{depth}] {time}"
    if ply.score is not None:
        return f"[%eval {sign * ply.score / 100:.2f}{depth}] {time}"
    return time


def comment_words(text: str) -> list[str]:
    """The words of a comment. It is not broken before [, % and ;, which mean other things at the start of a
    line."""
    text = text.replace("{", "(").replace("}", ")")
    text = re.sub(r"\s+(?=[\[%;])", "\0", " ".join(text.split()))
    return [word.replace("\0", " ") for word in f"{{{text}}}".split(" ")] if text else []


def wrap(words: Iterable[str]) -> list[str]:
    """The words in lines of at most WIDTH columns; a longer word has a line of its own."""
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]


def foreign_board(variant: str, fen: str) -> "chess.Board | None":
    """python-chess's board of a game that it knows, else None."""
    if variant not in VARIANT_TAGS:
        return None
    import chess
    import chess.variant

    return chess.Board(fen) if variant == "chess" else chess.variant.CrazyhouseBoard(fen)


def _spellings(variant: str, fen: str, moves: list[str]) -> list[str]:
    """The moves as PGN has them: in SAN where python-chess knows the game."""
    board = foreign_board(variant, fen)
    if board is None:
        return moves
    texts = []
    for text in moves:
        move = board.parse_uci(text)
        san = board.san(move)
        texts.append(f"P{san}" if san.startswith("@") else san)  # XBoard wants the pawn's letter
        board.push(move)
    return texts


def read_pgn(text: str, variant: str) -> Iterator[PgnGame]:
    """The games of a PGN text one after the other. Raises PgnError, also for an illegal move."""
    for game in scan_pgn(text):
        position = position_of(game, variant)
        moves = tuple(str(move) for move in position.moves)
        yield PgnGame(game.tags, position.start_fen, moves, game.score)


def scan_pgn(text: str) -> Iterator[ScannedGame]:
    """The games of a PGN text as `ScannedGame`s, without a look at the moves. Comments, marks and variations
    are left out. Raises PgnError."""
    game: ScannedGame | None = None
    line, ended = 1, False
    depths: list[int] = []
    text = re.sub(r"(?m)^%.*", "", text)  # lines for other programs
    for token in TOKEN.finditer(text):
        kind = token.lastgroup
        if kind in ("open", "other") or (kind == "move" and token[0].startswith("[")):
            raise PgnError(line, why_unreadable(kind, text[token.start() :].split("\n")[0][:40]))
        if kind == "begin":
            depths.append(line)
        elif kind == "end":
            if not depths:
                raise PgnError(line, "')' ends a variation that was never begun")
            depths.pop()
        elif kind == "tag" and depths:
            break
        elif kind in ("tag", "move", "result") and not depths:
            if game is None or ended or (kind == "tag" and game.words):
                if game is not None:
                    yield game
                game, ended = ScannedGame(line), False
            if kind == "tag":
                game.tags[token["name"]] = re.sub(r"\\(.)", r"\1", token["value"])
            elif kind == "move":
                game.words.append((line, token[0]))
            else:
                game.score, ended = token[0], True
        line += token[0].count("\n")
    if depths:
        raise PgnError(depths[-1], "'(' begins a variation that never ends")
    if game is not None:
        yield game


def why_unreadable(kind: str | None, shown: str) -> str:
    if kind == "open":
        return f"the comment that begins with {shown!r} never ends"
    if kind == "move":
        return f"{shown!r} is not a tag; tags look like '[White \"Surajang\"]'"
    return f"{shown!r} belongs to no game"


def position_of(game: ScannedGame, variant: str, plies: int | None = None) -> "Position":
    """The `Position` after so many plies of a `ScannedGame`, or at its end, with its moves; later moves are
    not checked. Raises PgnError."""
    from ...engine.position import FenError, Position

    _refuse_other_variant(game, variant)
    try:
        position = Position(variant, game.tags.get("FEN"))
    except FenError as error:
        raise PgnError(game.line, str(error)) from None
    board = foreign_board(variant, position.start_fen)
    for line, word in game.words[:plies]:
        try:
            move = position.push(word if board is None else _uci(board, word))
        except ValueError as error:
            raise PgnError(line, f"move {word!r}: {error}") from None
        if board is not None:
            board.push_uci(str(move))
    return position


def _uci(board: "chess.Board", word: str) -> str:
    """A move on python-chess's board in our notation; `word` has it in ours or in SAN."""
    if re.fullmatch(r"[a-h][1-8][a-h][1-8][qrbnQRBN]?|[A-Za-z]@[a-h][1-8]", word):
        return word
    return board.parse_san(word).uci()


def _refuse_other_variant(game: ScannedGame, variant: str) -> None:
    name = game.tags.get("Variant")
    if name is None or name.casefold() == variant:
        return
    if variant in VARIANT_TAGS:
        import chess.variant

        start = catalogue.load(variant).start_fen
        try:
            if chess.variant.find_variant(name) is type(foreign_board(variant, start)):
                return
        except ValueError:
            pass
    raise PgnError(game.line, f"this is a game of {name!r}, not of {variant!r}")
