"""Games read from PGN: moves, variations, comments and glyphs, as far as they can be read.

What cannot be read goes to the `errors` of the game. An illegal move ends its line: the moves before it stay,
the rest of that line is skipped with its variations, and the lines around it continue.
"""

import copyreg
import io
import re
import sys
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from ..definition.fen import FenError
from ..game.description import VariantError
from ..game.moves import MoveError
from ..variant import CHESS
from .game_tree import Game, GameNode, first_position
from .glyphs import MOST_NAG, NUMBERS, SYMBOLS
from .headers import RESULT, RESULTS, Headers, plain_result, shown, single_line
from .lines import Lines, lines_of
from .nulls import NULL, after_null
from .san_reading import PASSES, parse_san
from .scanning import MOST_ERRORS, UNKNOWN_RESULT, GameText, PgnError, next_game, note, scan

if TYPE_CHECKING:
    from ..position import Position

# Words about the move before them; `D` marks a diagram, and a comma alone has no meaning.
IGNORED = ("e.p.", "ep", "ch", "mate", "dbl", "+", "++", "#", "d", "")
TOKEN = re.compile(
    r"""(?P<comment>\{[^}]*\}?|;[^\n]*)
    |(?P<begin>\()
    |(?P<end>\))
    |(?P<nag>\$\d*)
    |(?P<glyph>[!?]+)
    |(?P<result>(?:"""
    + RESULT
    + r""")(?![^\s{}();]))
    |(?P<number>\d+\s*(?:\.+|…)|\d{1,4}(?!\S)|\.+|…)
    |(?P<reserved><[^<>\s]*>)
    |(?P<word>[^\s{}();!?$]+(?:\((?:=[bw])?[A-Za-z]\)[+\#]*)?)
    |(?P<stray>\})""",
    re.VERBOSE,
)
_SYMBOL_END = re.compile("|".join(map(re.escape, sorted(SYMBOLS, key=len, reverse=True))) + "$")


def read_game(handle: IO[Any], variant: str = CHESS) -> Game | None:
    """The next game of a file, None after the last. The handle is then after it.

    `variant` is the game of those that have no tag Variant. Nothing in the text raises an error: see
    `Game.errors`. Raises VariantError for an unknown `variant`."""
    lines = lines_of(handle)
    text = next_game(lines)
    lines.leave()
    return None if text is None else parse_game(text, variant)


def read_games(handle: IO[Any], variant: str = CHESS) -> Iterator[Game]:
    """The games of a file, one after the other; only one is in memory. As `read_game` otherwise."""
    for text in scan(Lines(handle)):
        yield parse_game(text, variant)


def scan_games(handle: IO[Any]) -> Iterator[GameText]:
    """The games of a file: their tags, and their moves as text, which `parse_game` reads. This is fast."""
    return scan(Lines(handle))


def read_headers(handle: IO[Any]) -> Headers | None:
    """The tags of the next game, without reading its moves; None after the last game."""
    lines = lines_of(handle)
    text = next_game(lines, with_moves=False)
    lines.leave()
    return None if text is None else Headers.with_roster(text.headers)


def skip_game(handle: IO[Any]) -> bool:
    """Skips the next game; whether there was one."""
    return read_headers(handle) is not None


def parse_game(text: GameText | str, variant: str = CHESS, plies: int | None = None) -> Game:
    """The game of a `GameText`, or the first one of a text; with `plies` only that many moves of its main
    line, without variations. Raises TypeError for something else."""
    if isinstance(text, str):
        text = next_game(lines_of(io.StringIO(text))) or GameText(1)
    if not isinstance(text, GameText):
        raise TypeError(f"{type(text).__name__} is not a game's text: a GameText, or a text in PGN")
    game = Game(variant, headers=text.headers)
    game.headers["Result"] = plain_result(game.headers["Result"])
    if game.headers["Result"] not in RESULTS[:3] and text.result != UNKNOWN_RESULT:
        game.headers["Result"] = plain_result(text.result)
    game.errors += text.errors
    try:
        position = first_position(game.variant, game.fen)
    except (VariantError, FenError) as error:
        game.errors.append(PgnError(text.line, str(error)))
        return game
    _Movetext(text, game, position, plies).read()
    return game


def main_line_keys(text: GameText, variant: str = CHESS) -> list[int]:
    """The repetition keys of the positions of a game's main line, as far as it can be read. Raises
    VariantError or FenError."""
    game = Game(variant, headers=text.headers)
    reader = _Movetext(text, game, first_position(game.variant, game.fen), sys.maxsize)
    reader.read()
    return [key for line in (*reader.before_nulls, reader.position) for key in line.repetition_keys()]


def _take_apart(game: Game) -> tuple[Callable[..., Game], tuple[str, str, list[PgnError]]]:
    """Copies and pickles games as PGN, because a tree is too deep for both."""
    return _put_together, (str(game), game.default_variant, game.errors)


def _put_together(text: str, variant: str, errors: list[PgnError]) -> Game:
    game = read_game(io.StringIO(text), variant)
    assert game is not None  # every game has a result at least
    game.errors[:] = errors
    return game


copyreg.pickle(Game, _take_apart)


class _Branch(NamedTuple):
    """The state to restore after a variation: node and position of the enclosing line, and the start of the
    variation."""

    node: GameNode
    position: "Position"
    moved: bool
    place: int


class _Movetext:
    """Reads the moves of one game into its tree."""

    def __init__(self, text: GameText, game: Game, position: "Position", plies: int | None) -> None:
        self.text, self.game, self.position, self.plies = text, game, position, plies
        self.node: GameNode = game
        self.branches: list[_Branch] = []  # of the variations that are open
        self.skipped = 0  # 1 while the rest of a line is skipped, and 1 more for each variation open in it
        self.before_nulls: list[Position] = []  # null moves; the positions after one know no earlier ones
        self.moved = True  # whether the line has a move; the beginning of the game takes comments as one does
        self.starting_comment = ""
        self.ended = False  # the result has been read

    def read(self) -> None:
        takes: dict[str, Callable[[str, int], None]] = {
            **{"comment": self._comment, "begin": self._begin, "end": self._end, "nag": self._nag},
            **{"glyph": self._glyph, "result": self._result, "stray": self._stray, "word": self._word},
        }
        for match in TOKEN.finditer(self.text.movetext):
            take = takes.get(match.lastgroup or "")
            if take is not None:
                take(match[0], match.start())
        if self.branches:
            self._fail(self.branches[-1].place, "'(' begins a variation that never ends")

    def _fail(self, place: int, reason: str) -> None:
        """Records an error at a place of the text."""
        if len(self.game.errors) < MOST_ERRORS:
            line = self.text.movetext_line + self.text.movetext.count("\n", 0, place)
            note(self.game.errors, line, reason)

    # Moves

    def _word(self, word: str, place: int) -> None:
        if self.skipped or self.ended:
            return
        word = word.rstrip(",")
        if self.plies == 0 and not self.branches:
            self.ended = True
        elif (number := SYMBOLS.get(word)) is not None:
            self._add_nag(number)
        elif word.lower() not in IGNORED:
            try:
                self._play(word)
            except MoveError as error:
                self._fail(place, f"move {shown(word)}: {error.reason}")
                self.skipped = 1

    def _play(self, word: str) -> None:
        """Plays the move of a word, with a symbol at its end. Raises MoveError."""
        number = None
        try:
            move = parse_san(self.position, word)
        except MoveError:
            if word.lower() in PASSES:
                move = NULL
            elif end := _SYMBOL_END.search(word):
                move, number = parse_san(self.position, word[: end.start()]), SYMBOLS[end[0]]
            else:
                raise
        if move is NULL:
            self.before_nulls.append(self.position)
            self.position = after_null(self.position)
        else:
            self.position.push_legal(move)
        node = GameNode(self.node, move)
        node.starting_comment, self.starting_comment = self.starting_comment, ""
        self.node.variations.append(node)
        self.node, self.moved = node, True
        if self.plies is not None:
            self.plies -= 1
        if number is not None:
            self._add_nag(number)

    def _begin(self, word: str, place: int) -> None:
        """A variation: an alternative to the last move."""
        if self.skipped:
            self.skipped += 1
            return
        if self.ended:
            return
        self.branches.append(_Branch(self.node, self.position, self.moved, place))
        if self.node.parent is None or not self.moved:
            self._fail(place, "'(' begins a variation before any move")
            self.skipped = 1
        elif self.plies is not None:
            self.skipped = 1
        else:
            self.position = self._position_before()
            self.node, self.moved = self.node.parent, False

    def _position_before(self) -> "Position":
        assert self.node.parent is not None
        if self.node.move == NULL:
            return self.game.position_of(self.node.parent)
        position = self.position.copy()
        position.pop()
        return position

    def _end(self, word: str, place: int) -> None:
        if self.skipped > 1:
            self.skipped -= 1
        elif self.branches:
            self.node, self.position, self.moved, _ = self.branches.pop()
            self.skipped, self.starting_comment = 0, ""
        elif not self.skipped and not self.ended:
            self._fail(place, "')' ends a variation that was never begun")

    def _result(self, word: str, place: int) -> None:
        self.ended = self.ended or not (self.branches or self.skipped)

    def _stray(self, word: str, place: int) -> None:
        if not self.skipped:
            self._fail(place, "'}' ends a comment that was never begun")

    # Comments and glyphs

    def _comment(self, word: str, place: int) -> None:
        if self.skipped:
            return
        if word[0] == "{" and word[-1] != "}":
            self._fail(place, f"the comment that begins with {shown(word.splitlines()[0])} never ends")
            word += "}"
        text = single_line(word[1:-1] if word[0] == "{" else word[1:])
        if not text:
            return
        if self.moved:
            self.node.comment = f"{self.node.comment} {text}".lstrip()
        else:
            self.starting_comment = f"{self.starting_comment} {text}".lstrip()

    def _nag(self, word: str, place: int) -> None:
        if word[1:] and len(word) <= 4:
            self._add_nag(int(word[1:]))

    def _glyph(self, word: str, place: int) -> None:
        self._add_nag(NUMBERS[word] if word in NUMBERS else NUMBERS[word[:2]])

    def _add_nag(self, number: int) -> None:
        if self.moved and not self.skipped and not self.ended and number <= MOST_NAG:
            self.node.nags.add(number)
