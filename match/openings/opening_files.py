"""Openings in files: reads EPD, FEN and PGN, writes EPD.

An EPD line has the position. If the opening is known as moves, the operation `c0` has them, so that
repetition counts from the start of the game: `c0 "moves e2e4 e7e5";`, with `c1 "from FEN";` if they do not
begin at the start of the game. Files may be compressed by gzip."""

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...engine.game.description import VariantError
from ...engine.game.text_files import decode
from ...engine.notation.game_tree import Game, GameNode
from ...engine.notation.nulls import NULL
from ...engine.notation.reading import parse_game, scan_games
from ...engine.notation.scanning import UNKNOWN_RESULT, GameText, PgnError
from ...engine.notation.variants import variant_named
from ...engine.position import FenError, MoveError, Position, played
from ...engine.variant import Variant
from ..records.model import Opening
from .openings import BookError, can_last, ends_at_once

Tell = Callable[[int, Position], None]  # notes of a position, which stands in that line
GZIP = ".gz"  # the end of the name of a compressed file
WHOLE_PLIES = 1_000_000  # more than any game has plies
FINISHED_PLIES = 16  # plies of the opening in a PGN game with a result

# Operations of EPD, which may follow a FEN without castling and en passant at once. c0 to c9 have a text in
# quotation marks; otherwise such a word is a square for en passant.
_OPCODES = r"a(?:cd|cn|cs|m)|bm|c\d(?=\s+\")|ce|d[am]|eco|fmvn|hmvc|id|nic|noop|p[mv]|r[ce]\w*|sm|t\w+|v\d"
_CHECKS = r"(?:\s+\+?\d\+\d)?"
_FEN = re.compile(
    rf"(\S+(?:\s+[^\s;]+(?:\s+(?!(?:{_OPCODES})\s)[^\s;]+){{0,2}})?{_CHECKS}(?:\s+\d+){{0,2}}{_CHECKS})"
    r"\s*(?:;|(?=\s|$))"
)
_OPERATION = re.compile(r"""\s*([A-Za-z]\w*)((?:\s+(?:"(?:[^"\\]|\\.)*"|[^\s";]+))*)\s*(?:;|$)""")
_OPERAND = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s";]+)')


def save_openings(path: str | Path, openings: Iterable[Opening], variant: Variant) -> None:
    """Writes openings as EPD, replacing the file. Raises OSError; MoveError or FenError for an
    opening of another game."""
    text = "".join(f"{epd_line(opening, variant)}\n" for opening in openings)
    Path(path).write_text(text, encoding="utf-8", newline="")


def save_suite(path: Path, scored: Iterable[tuple[Opening, int]], variant: Variant, heading: str) -> None:
    """Writes openings, each with its score in centipawns for the side to move, as EPD behind a line with the
    `heading`, replacing the file; compressed if its name ends with GZIP. The same arguments give the same
    bytes. Raises OSError."""
    lines = [f"# {heading}", *(epd_line(opening, variant, score) for opening, score in scored)]
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == GZIP else data)


def epd_line(opening: Opening, variant: Variant, score: int | None = None) -> str:
    """An opening as a line of EPD, with its `score` in centipawns for the side to move where it is known.
    Raises MoveError or FenError for an opening of another game."""
    position = played(variant, opening.moves, opening.fen)
    *fields, halfmoves, fullmoves = position.fen().split()
    line = f"{' '.join(fields)} hmvc {halfmoves}; fmvn {fullmoves};"
    if score is not None:
        line += f" ce {score};"
    if opening.name:
        line += f" id {_quoted(opening.name)};"
    if opening.moves:
        line += f" c0 {_quoted('moves ' + ' '.join(opening.moves))};"
        if position.start_fen != position.description.start_fen:
            line += f" c1 {_quoted('from ' + position.start_fen)};"
    return line


def _quoted(text: str) -> str:
    text = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def load_openings(
    path: str | Path,
    variant: Variant,
    choose: Callable[[list[Any]], Sequence[Any]] = list,
    plies: int | None = None,
    warn: Callable[[str], object] = lambda sentence: None,
) -> list[Opening]:
    """The openings of a file: EPD or FEN lines (empty lines and those that begin with # are skipped), or PGN;
    any of them may be compressed by gzip.

    PGN games are cut after `plies`; without it, those with the result `*` are whole openings, and the others
    are cut after FINISHED_PLIES. A cut game loses more plies where a move could end it at once. A game with a
    move that cannot be read is cut before it, and `warn` gets a sentence on that.

    `choose` gets the list of the file's games or lines before any position is set up, and returns those that
    are wanted: setting up every position of a large book would take long. `warn(sentence)` is called for what
    a position's FEN gives and cannot have, such as castling rights of no use. Raises BookError with the file,
    the line and the fault, OSError for a file that cannot be opened.
    """

    def tell(line: int, position: Position) -> None:
        for note in position.notes:
            warn(f"{path} line {line}: {note}")

    text, name = decode(_decompressed(path)), Path(Path(path).name.removesuffix(GZIP))
    try:
        if re.match(r"\s*\[", text) or name.suffix.lower() == ".pgn":
            read: Callable[..., Opening]
            found: list[Any]
            told: set[str] = set()

            def warn_once(error: PgnError) -> None:
                if str(error) not in told:
                    told.add(str(error))
                    warn(f"{path} {error}")

            read = partial(_from_pgn, plies=plies, warn=warn_once, tell=tell)
            found = list(scan_games(io.StringIO(text)))
        else:
            read, found = partial(_from_line, tell=tell), _lines(text)
        if not found:
            raise BookError(f"{path}: there are no openings in it")
        return [read(one, variant, name.stem) for one in choose(found)]
    except PgnError as error:
        raise BookError(f"{path} {error}") from None


def _decompressed(path: str | Path) -> bytes:
    """The bytes of a file, those inside where it is compressed. Raises BookError for a damaged one."""
    data = Path(path).read_bytes()
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise BookError(f"{path}: the compressed file is damaged: {error}") from None


def _lines(text: str) -> list[tuple[int, str]]:
    """(number, line) of all lines that are neither empty nor comments."""
    lines = enumerate((line.strip() for line in text.splitlines()), 1)
    return [(number, line) for number, line in lines if line and not line.startswith("#")]


def _from_pgn(
    text: GameText,
    variant: Variant,
    file: str,
    plies: int | None,
    warn: Callable[[PgnError], object],
    tell: Tell,
) -> Opening:
    _refuse_other_game(text, variant)
    if plies is None and _result(text) != UNKNOWN_RESULT:
        plies = FINISHED_PLIES
    game = parse_game(text, variant, WHOLE_PLIES if plies is None else plies)
    position = _last_position(game, text.line)
    tell(text.line, position)
    if plies is not None or game.errors or position.result() is not None:
        while position.ply and ends_at_once(position):
            position.pop()
    _refuse_hopeless(position, text.line)
    for error in game.errors:
        warn(error)
    moves = tuple(str(move) for move in position.moves)
    return Opening(position.start_fen, moves, text.headers.get("Opening") or f"{file} {text.line}")


def _result(text: GameText) -> str:
    """The result of a game, by its end or its tag."""
    return text.result if text.result != UNKNOWN_RESULT else text.headers.get("Result", UNKNOWN_RESULT)


def _refuse_other_game(text: GameText, variant: Variant) -> None:
    """Raises PgnError for a game of another variant."""
    name = text.headers.get("Variant", variant)
    try:
        found = variant_named(name)
    except VariantError as error:
        raise PgnError(text.line, str(error)) from None
    if found != variant:
        raise PgnError(text.line, f"this is a game of {name!r}, not of {variant!r}")


def _last_position(game: Game, line: int) -> Position:
    """The position at the end of the main line, or before its first null move, after which no game continues.
    Raises PgnError."""
    last: GameNode = game
    for node in game.mainline():
        if node.move == NULL:
            game.errors.append(PgnError(line, "the opening ends before a null move"))
            break
        last = node
    try:
        return last.position()
    except FenError as error:
        raise PgnError(line, str(error)) from None


def _refuse_hopeless(position: Position, line: int) -> None:
    """Raises PgnError for a position in which the game is over or cannot last."""
    if (result := position.result()) is not None:
        raise PgnError(line, f"the game is over there: {result.reason}")
    if not can_last(position):
        raise PgnError(line, "the game cannot last from there: every line is over within a few moves")


def _from_line(numbered: tuple[int, str], variant: Variant, file: str, tell: Tell) -> Opening:
    line, text = numbered
    fen, operations = _split(text, line)
    try:
        position = Position(variant, fen)
        tell(line, position)
        name = operations.get("id", f"{file} {line}")
        moves, start = _moves_of(operations)
        opening = Opening(position.fen(), (), name)
        if moves is not None:
            position = played(variant, moves, start)
            if position.fen() != opening.fen:
                raise PgnError(line, f"the moves of c0 lead to {position.fen()}, not to the line's position")
            opening = Opening(position.start_fen, tuple(str(move) for move in position.moves), name)
    except (FenError, MoveError) as error:
        raise PgnError(line, str(error)) from None
    _refuse_hopeless(position, line)
    return opening


def _moves_of(operations: dict[str, str]) -> tuple[list[str] | None, str | None]:
    """(moves, FEN from which they begin or None for the start of the game); (None, None) without moves."""
    moves, start = operations.get("c0", ""), operations.get("c1", "")
    if moves.split()[:1] != ["moves"]:
        return None, None
    return moves.split()[1:], start.removeprefix("from ") if start.startswith("from ") else None


def _split(text: str, line: int) -> tuple[str, dict[str, str]]:
    """(FEN, operations by name) of a line. Raises PgnError."""
    board, *rest = text.split(maxsplit=1)
    text = " ".join([board.replace("_", " "), *rest])  # as in addresses of web pages
    match = _FEN.match(text)
    assert match is not None  # as the line is not empty
    operations: dict[str, str] = {}
    end = match.end()
    while end < len(text):
        operation = _OPERATION.match(text, end)
        if not operation:
            raise PgnError(
                line, f"{text[end:].strip()[:40]!r} is not an EPD operation; these look like 'id \"name\";'"
            )
        operations[operation[1]] = " ".join(
            re.sub(r"\\(.)", r"\1", quoted) if quoted else word
            for quoted, word in _OPERAND.findall(operation[2])
        )
        end = operation.end()
    return _with_counters(match[1], operations), operations


def _with_counters(fen: str, operations: dict[str, str]) -> str:
    """The FEN with its counters, which the operations give where it has none itself."""
    words = fen.split() if len(fen.split()) > 1 else [fen, "w"]
    own = [word for word in words[2:] if word.isdecimal()]
    if own and (len(own) > 1 or len(words) < 5):
        return fen
    counters = [operations.get("hmvc", "0"), operations.get("fmvn", "1")]
    return " ".join([*words, *counters[len(own) :]])
