"""How UCI programs spell the names, moves and positions of our games, there and back.

Fairy-Stockfish sets the fashion here. What differs from our own notation follows from the game's description,
save the few names and letters listed here.
"""

import re

from ..wire.pieces import paired_forms
from ..wire.spelling import castling, plain, read_rights, write_board

# Other programs' names of games with our rules, best first; a game that is not listed bears our own name.
NAMES = {"janggi": ("janggitraditional", "janggi")}
ALIASES = {"standard": "chess", "normal": "chess", "janggitraditional": "janggi", "mini": "minishogi"}
LETTERS = {"janggi": {"E": "B"}}  # of the elephant
_CHECKS = re.compile(r"\+?\d\+\d")  # a count of checks, in games that have one


class UciNotation:
    """The spelling of one game."""

    def __init__(self, description):
        self._description = description
        self._paired = paired_forms(description)
        self._letters = LETTERS.get(description.name, {})

    def write_move(self, move):
        """A `Move` as text: `e7e8q`, `P@e4`; the only form that a piece promotes to is a `+`, a pass the
        king's step onto its own square."""
        text = str(move)
        return text[:-1] + "+" if move.is_promotion and text[-1].upper() in self._paired else text

    def read_move(self, text, position=None):
        """A move in our notation, castling as `O-O` only with its position. What cannot be read stays."""
        return castling(text, position) or plain(text)

    def write_fen(self, fen):
        """A position as others read it: promoted pieces as `+R`, and nothing of a setup phase."""
        board, turn, rights, rest = write_board(fen, self._paired, self._letters).split(maxsplit=3)
        return f"{board} {turn} {rights.rstrip('Ss') or '-'} {rest}"

    def read_fen(self, text):
        """A position of another program as the engine reads it; what is no position stays as it is.

        Others leave castling and en passant out in kinds of shogi, add hands to games without drops and
        counts of checks, and name castling rights after the files of the rooks.
        """
        fields = [field for field in text.split() if not _CHECKS.fullmatch(field)]
        if len(fields) < 2:
            return text
        if not self._description.has_drops:
            fields[0] = re.sub(r"\[[-]?\]$", "", fields[0])
        if len(fields) > 2 and fields[2].isdecimal():
            fields[2:2] = ["-", "-"]
        if len(fields) > 2:
            fields[2] = read_rights(fields[2], self._description)
        return " ".join(fields)
