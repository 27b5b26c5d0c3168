"""How other programs spell our games: names, moves and positions, there and back.

Ours is the notation of `Position.parse_move` and `Position.fen`, which also reads some other spellings. What
differs follows from the game's description, save the few names and letters listed here.
"""

import re

from ...protocol.cecp import NAMES as XBOARD_NAMES
from ...protocol.notation import Notation
from ...protocol.pieces import paired_forms

# Other engines' names of games with our rules, best first; a game that is not listed bears our own name.
UCI_NAMES = {"janggi": ("janggitraditional", "janggi")}
UCI_LETTERS = {"janggi": {"E": "B"}}  # the elephant
PASS = "0000"
_CASTLING = re.compile(r"[O0]-[O0](-[O0])?")
_DROP = re.compile(r"([A-Za-z])[@*]([a-p]\d{1,2})")
_STEP = re.compile(r"([a-p]\d{1,2})[-x]?([a-p]\d{1,2})(?:=?([A-Za-z])|([+=]))?")


class _Spelling:
    """What both protocols share. `name` is the game's name, as the engine calls it."""

    letters: dict = {}  # noqa: RUF012 - never written

    def __init__(self, description, name):
        self.name = name
        self._paired = paired_forms(description)

    def write_fen(self, fen):
        """A position as the engine reads it: promoted pieces as `+R`, and nothing of a setup phase."""
        board, turn, rights, rest = fen.split(maxsplit=3)
        board = re.sub("[A-Za-z]", lambda letter: self._write_letter(letter[0]), board)
        return f"{board} {turn} {self._write_rights(rights)} {rest}"

    def _write_rights(self, rights):
        return rights

    def _write_letter(self, letter):
        upper = letter.upper()
        text = f"+{self._paired[upper]}" if upper in self._paired else self.letters.get(upper, upper)
        return text if letter.isupper() else text.lower()

    def read_line(self, words):
        """A principal variation in our notation, as far as it can be read."""
        return " ".join(self.read_move(word) for word in words)


class CecpSpelling(_Spelling):
    """A game as XBoard tells it to engines."""

    def __init__(self, description):
        super().__init__(description, XBOARD_NAMES.get(description.name, description.name))
        self._notation = Notation(description)

    def write_move(self, move):
        """A `Move` as text."""
        return self._notation.write_move(move)

    def read_move(self, text, position=None):
        """A move of the engine in our notation; castling as `O-O` needs the position. What cannot be read
        stays as it is."""
        return castling(text, position) or self._notation.read_move(_plain(text))


class UciSpelling(_Spelling):
    """A game as UCI engines know it; `offered` are the names of games that the engine lists.

    Raises ValueError when our game is not among them.
    """

    def __init__(self, description, offered):
        names = UCI_NAMES.get(description.name, (description.name,))
        name = next((name for name in names if name in offered), None)
        if name is None:
            raise ValueError(f"it plays {', '.join(sorted(offered))}")
        super().__init__(description, name)
        self.letters = UCI_LETTERS.get(description.name, {})

    def write_move(self, move):
        """A `Move` as text; the only form that a piece promotes to is a `+`."""
        text = str(move)
        return text[:-1] + "+" if move.is_promotion and text[-1].upper() in self._paired else text

    def read_move(self, text, position=None):
        """A move of the engine in our notation. What cannot be read stays as it is."""
        return castling(text, position) or _plain(text)

    def _write_rights(self, rights):
        return rights.rstrip("Ss") or "-"


def castling(text, position):
    """The castling move of `position` that `O-O` (to the king's right as White sees it) or `O-O-O` names,
    or None."""
    match = _CASTLING.fullmatch(text)
    if not match or position is None:
        return None
    files = position.description.files
    for move in position.legal_moves():
        if move.is_castling and (move.to_square % files < move.from_square % files) == bool(match[1]):
            return str(move)
    return None


def _plain(text):
    """A step or a drop without what older engines add: `e2-e4`, `e7e8=Q`, `p@e4`, `P*e4`."""
    if drop := _DROP.fullmatch(text):
        return f"{drop[1].upper()}@{drop[2]}"
    if text.lower() in ("pass", "null"):
        return PASS
    if step := _STEP.fullmatch(text):
        return step[1] + step[2] + ((step[3] or "").lower() or step[4] or "")
    return text
