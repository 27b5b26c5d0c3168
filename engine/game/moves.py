"""Moves as numbers and as text, in the notation that the whole engine shares (`e2e5`, `a9a10g`, `P@d5`).

A move is the number `to | from << 8 | kind << 16 | action << 22 | wall << 25`, below 1 << 32. `kind` is the
piece that a promotion makes or a drop sets down; for a drop `from` equals `to`. In a pass both are the king's
square, in a setup choice the two kings', and `kind` tells the swaps. With gates, the kind of a move or of
castling is the number in hand, from 1, of the piece that enters, with ROOK_GATE added for the rook's square.
`wall` is the square of a wall that is chosen. Zero is not a move.
"""

import operator
import re
from typing import SupportsIndex

from .description import FILE_LETTERS, Description
from .fen_error import shown

NORMAL, PROMOTION, DROP, EN_PASSANT, CASTLING, PASS, SETUP = range(7)  # actions
KIND_SHIFT, ACTION_SHIFT, WALL_SHIFT = 16, 22, 25
ACTIONS = 7  # the bits of an action, shifted
WALL_RULES = ("static", "past", "duck", "arrow")  # which squares of walls are possible
MOST_WALL_SQUARES = 128  # that a number has room for
SETUP_SIDE_BIT = 5  # of the kind of a setup choice: whose it is; the bits below are swaps
ROOK_GATE = 32
EXAMPLES = "'e2e4', 'a9a10g' or 'P@d5'"  # of the texts of moves
WALL_EXAMPLES = "'e2e4,e4e5'"  # where moves put walls
PASSES = ("0000", "@@@@")  # other spellings of a pass
SYNTAX = re.compile(
    r"(?:(?P<piece>[A-Za-z])@(?P<drop>[a-p]\d{1,2})"
    r"|(?P<source>[a-p]\d{1,2})(?P<target>[a-p]\d{1,2})(?P<promotion>[A-Za-z+=-]?)"
    r"(?:,(?P<again>[a-p]\d{1,2})(?P<wall>[a-p]\d{1,2}))?)"
)
_NAMES = re.compile(r"[a-p]\d{1,2}")
CHOICES = re.compile(r"[a-p]\d{1,2}[a-p]\d{1,2}(,[a-p]\d{1,2}[a-p]\d{1,2})+")


class MoveError(ValueError):
    """A move text that cannot be played; `text` is all of the input, `reason` the fault."""

    def __init__(self, text: str, reason: str) -> None:
        self.text, self.reason = text, reason
        super().__init__(f"{shown(text)}: {reason}")

    def __reduce__(self) -> "tuple[type[MoveError], tuple[str, str]]":
        return type(self), (self.text, self.reason)


class MoveSyntaxError(MoveError):
    """A text that is not a move in any position."""


class IllegalMoveError(MoveError):
    """A well-formed move that the position does not allow."""


class Move:
    """A move in one game; its `str()` is its text. It equals that text, and moves with the same text.

    `code` is the number of the move, or 0 for one that `parse` has read, because only a position determines
    its squares and pieces. `Position` takes either kind and returns moves with a code."""

    __slots__ = ("code", "text")

    def __init__(self, code: int, text: str) -> None:
        self.code, self.text = code, text

    @classmethod
    def parse(cls, text: str) -> "Move":
        """The move of a text such as `e2e4`, `a9a10g`, `P@d5`, or `0000` for a pass, without a position.
        Raises MoveSyntaxError for a text that is not a move in any game, TypeError for another type."""
        if not isinstance(text, str):
            raise TypeError(f"{text!r} is not the text of a move, such as 'e2e4'")
        if text in PASSES or CHOICES.fullmatch(text):
            return cls(0, text)
        match = SYNTAX.fullmatch(text)
        if not match:
            raise MoveSyntaxError(text, f"is not a move; moves look like {EXAMPLES}")
        if match["drop"]:
            return cls(0, f"{match['piece'].upper()}@{match['drop']}")
        wall = f",{match['again']}{match['wall']}" if match["wall"] else ""
        return cls(0, match["source"] + match["target"] + match["promotion"].lower() + wall)

    from_uci = parse

    def uci(self) -> str:
        """The text of the move."""
        return self.text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return self.text == (other.text if isinstance(other, Move) else other)

    def __hash__(self) -> int:
        return hash(self.text)

    def _require_code(self) -> None:
        if not self.code:
            raise MoveError(self.text, "has no game yet; `Position.parse_move` gives it one")

    @property
    def _action(self) -> int:
        self._require_code()
        return self.code >> ACTION_SHIFT & ACTIONS

    @property
    def is_drop(self) -> bool:
        """Whether a piece is dropped from the hand."""
        return self.text[1:2] == "@" and self.text not in PASSES

    @property
    def is_promotion(self) -> bool:
        """Whether the moving piece is promoted."""
        return self._action == PROMOTION

    @property
    def is_castling(self) -> bool:
        """Whether king and rook castle."""
        return self._action == CASTLING

    @property
    def is_pass(self) -> bool:
        """Whether the move changes nothing on the board."""
        return self._action == PASS

    @property
    def is_choice(self) -> bool:
        """Whether the move chooses an arrangement in the setup phase."""
        return self._action == SETUP

    @property
    def promotion(self) -> str | None:
        """The letter of the promoted piece, in upper case, or None."""
        return self.text.partition(",")[0][-1].upper() if self.is_promotion else None

    @property
    def drop(self) -> str | None:
        """The letter of the piece that is dropped, in upper case, or None."""
        return self.text[0] if self.is_drop else None

    @property
    def entry(self) -> str | None:
        """The letter of the piece that enters from the hand at a gate, in upper case, or None."""
        return self.text[-1].upper() if entry_of(self.code) >= 0 else None

    @property
    def enters_on_rook(self) -> bool:
        """Whether a piece enters on the square of a rook that castles."""
        return self.entry is not None and self.code >> KIND_SHIFT & ROOK_GATE > 0

    @property
    def squares(self) -> tuple[str, ...]:
        """The names of its squares: from and to, only the target for a drop, those of all swaps for a
        choice. A wall is not among them."""
        names = tuple(_NAMES.findall(self.text.partition("@")[2] or self.text))
        return names[:2] if self.wall else names

    @property
    def wall(self) -> str | None:
        """The name of the square where the move puts a wall, or None."""
        first, _, rest = self.text.partition(",")
        names = _NAMES.findall(first) + _NAMES.findall(rest)
        return names[3] if len(names) == 4 and names[1] == names[2] else None

    @property
    def to_square(self) -> int:
        """The target square: rank * files + file, both from 0."""
        self._require_code()
        return self.code & 255

    @property
    def from_square(self) -> int | None:
        """The origin square, or None for a drop."""
        return None if self._action == DROP else (self.code >> 8) & 255


def square_name(square: int, files: int) -> str:
    """The name of a square, like `a10`."""
    return f"{FILE_LETTERS[square % files]}{square // files + 1}"


def parse_square(text: str, files: int, ranks: int) -> int | None:
    """The number of the square called `text`, or None if the board has no such square."""
    file = FILE_LETTERS.find(text[:1]) if text else -1
    if not 0 <= file < files or not text[1:].isascii() or not text[1:].isdigit():
        return None
    rank = int(text[1:]) if len(text) < 4 else 0
    return (rank - 1) * files + file if 1 <= rank <= ranks and text[1] != "0" else None


def square_number(square: int | str, description: Description) -> int:
    """The number of a square, given by name or number. Raises ValueError for a square outside the board,
    TypeError for another type."""
    files, ranks = description.files, description.ranks
    if isinstance(square, str):
        found = parse_square(square, files, ranks)
    elif isinstance(square, SupportsIndex) and not isinstance(square, bool):
        number = operator.index(square)
        found = number if 0 <= number < files * ranks else None
    else:
        raise TypeError(f"{square!r} is not a square: a name such as 'e4', or a number")
    if found is None:
        last = files * ranks - 1
        names = f"a1 to {square_name(last, files)}, 0 to {last}"
        raise ValueError(f"{square!r} is not a square of {description.name}: they are {names}")
    return found


def entry_of(code: int) -> int:
    """The number in hand, from 0, of the piece that enters at a gate with a move, or -1."""
    kind = code >> KIND_SHIFT & 63
    return kind % ROOK_GATE - 1 if code >> ACTION_SHIFT & ACTIONS in (NORMAL, CASTLING) else -1


def entry_square(code: int, description: Description) -> int:
    """The square where a piece enters at a gate: that of the moving piece, or of the rook that castles."""
    source, target = code >> 8 & 255, code & 255
    if not code >> KIND_SHIFT & ROOK_GATE:
        return source
    wing = next(wing for wing in description.castling if wing.king_to == target % description.files)
    return source - source % description.files + wing.rook


def spell(code: int, description: Description) -> Move:
    """The `Move` of that code in the game described."""
    if code >> ACTION_SHIFT & ACTIONS == SETUP:
        return Move(code, spell_choice(code, description))
    files = description.files
    source, target = (code >> 8) & 255, code & 255
    action, kind = code >> ACTION_SHIFT & ACTIONS, (code >> KIND_SHIFT) & 63
    if action == DROP:
        return Move(code, f"{description.pieces[kind].letter}@{square_name(target, files)}")
    if entry_of(code) >= 0 and kind >= ROOK_GATE:  # the rook's step onto the king, as in Fairy-Stockfish
        source, target = entry_square(code, description), source
    elif action == CASTLING:
        # if the king could also step to that square, castling is written as a capture of the rook
        rook = description.castling_by_rook.get((source % files, target % files))
        target = target if rook is None else target - target % files + rook
    text = square_name(source, files) + square_name(target, files)
    if action == PROMOTION:
        text += description.pieces[kind].letter[0].lower()
    elif entry_of(code) >= 0:
        text += description.hand_pieces[entry_of(code)].letter.lower()
    if description.walls:
        wall = code >> WALL_SHIFT if description.walls.chosen else source
        text += "," + square_name(target, files) + square_name(wall, files)
    return Move(code, text)


def spell_choice(code: int, description: Description) -> str:
    """The text of a setup choice: swaps joined by a comma, or the king's move onto the enemy king for
    none."""
    kind = (code >> KIND_SHIFT) & 63
    rank = description.ranks if kind >> SETUP_SIDE_BIT else 1
    swaps = [pair for number, pair in enumerate(description.setup_swaps) if kind >> number & 1]
    squares = [
        [square_name((rank - 1) * description.files + file, description.files) for file in p] for p in swaps
    ]
    if not swaps:
        squares = [[square_name(square, description.files) for square in ((code >> 8) & 255, code & 255)]]
    return ",".join("".join(pair) for pair in squares)
