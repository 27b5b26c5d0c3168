"""How XBoard spells the squares, moves and pieces of a game.

XBoard counts the ranks of a ten-rank board from 0 and writes a promoted piece as its base form with
a plus. All of it follows from the game's description; nothing here knows positions or commands.
"""

import re

# XBoard has 22 slots for each side's pieces, each with a picture of its own. The king stands last.
# The promoted form of a piece stands eleven slots further on, or in a slot that names the piece: `^C`.
SLOTS = 22
PAWN_SLOT = 0
LANCE_SLOT = 18  # its piece promotes by itself on the last rank, whatever it is; so it stays empty
KING_SLOT = 21
PROMOTED_OFFSET = 11
PICTURES = {
    **{"N": 1, "B": 2, "R": 3, "Q": 4, "F": 5, "A": 6, "FA": 6, "BN": 7, "NB": 7},
    **{"RN": 8, "NR": 8, "W": 9, "K": 10},
}
PROMOTED_PICTURES = {"Q": 15}

_SQUARE = re.compile(r"([a-p])(\d{1,2})")
_MOVE = re.compile(r"(?:[A-Z]@|[a-p]\d{1,2})[a-p]\d{1,2}[a-z+=]?|@@@@")


class Notation:
    """XBoard's spelling of one game."""

    def __init__(self, description):
        self._description = description
        self._first_rank = 0 if description.ranks == 10 else 1
        self._slots = _slots(description)
        self._promoted = {piece.letter: piece.base for piece in description.pieces if piece.promoted}

    def is_move(self, text):
        """Whether `text` has the form of a move, legal or not."""
        return bool(_MOVE.fullmatch(text))

    def write_move(self, move):
        """A move of the engine in XBoard's spelling: `a9a10g` becomes `a8a9+`.

        A promotion that was declined carries no suffix. XBoard calls `=` an illegal move in every
        game that is not a kind of shogi.
        """
        text = self.respell(str(move))
        return text[:-1] + "+" if text[-1].isalpha() else text

    def read_move(self, text):
        """A move of XBoard in the engine's spelling; what is no move stays as it is."""
        return _SQUARE.sub(self._shift(1 - self._first_rank), text) if self.is_move(text) else text

    def respell(self, text):
        """A sentence of the engine with its squares in XBoard's spelling."""
        return _SQUARE.sub(self._shift(self._first_rank - 1), text)

    def read_square(self, text):
        """The number of the square, or None for anything that is no square of the board."""
        match = _SQUARE.fullmatch(text)
        if not match:
            return None
        file, rank = ord(match[1]) - ord("a"), int(match[2]) - self._first_rank
        if file >= self._description.files or not 0 <= rank < self._description.ranks:
            return None
        return rank * self._description.files + file

    def read_hand_square(self, text):
        """The letter of the piece whose place beside the board `text` names, or None.

        XBoard names these places like squares: White's hand stands two files right of the board and
        is counted from the bottom, Black's two files left of it and is counted from the top.
        """
        droppable = {piece.letter for piece in self._description.hand_pieces}
        hand = [letter for letter in self._slots if letter in droppable]
        if len(text) < 2 or not text[1:].isdecimal():
            return None
        place = int(text[1:]) - self._first_rank
        if text[0] == chr(ord("a") - 2):
            place = self._description.ranks - 1 - place
        elif text[0] != chr(ord("a") + self._description.files + 1):
            return None
        return hand[place] if 0 <= place < len(hand) else None

    def write_piece(self, letter):
        """The name of a piece: `R`, and `+R` for what a rook promotes to."""
        return "+" + self._promoted[letter] if letter in self._promoted else letter

    def write_squares(self, marks):
        """A FEN-like picture of the board with `marks`, a letter for each marked square."""
        files, ranks = self._description.files, self._description.ranks
        rows = []
        for rank in reversed(range(ranks)):
            row = "".join(marks.get(rank * files + file, " ") for file in range(files))
            rows.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
        return "/".join(rows)

    def setup(self):
        """The reply to `variant`: pieces, board, hands, parent game and start."""
        description = self._description
        letters = "".join(self._slots)
        parent = "crazyhouse" if description.has_drops else "fairy"
        board, space, rest = description.start_fen.partition(" ")
        pieces, bracket, hands = board.partition("[")
        pieces = re.sub(r"[A-Za-z]", lambda letter: self._write_coloured(letter[0]), pieces)
        size = f"{description.files}x{description.ranks}+{len(description.hand_pieces)}"
        fen = pieces + bracket + hands + space + rest
        return f"setup ({letters}{letters.lower()}) {size}_{parent} {fen}"

    def pieces(self):
        """The `piece` lines: how each kind moves, for XBoard's own test of legality."""
        return [
            f"piece {self.write_piece(piece.letter)}& {self._betza(piece)}"
            for piece in self._description.pieces
        ]

    def _shift(self, ranks):
        return lambda square: f"{square[1]}{int(square[2]) + ranks}"

    def _write_coloured(self, letter):
        name = self.write_piece(letter.upper())
        return name if letter.isupper() else name.lower()

    def _betza(self, piece):
        text = piece.betza
        for rank, squares in piece.steps.items():
            # XBoard knows two kinds of first step: from the piece's starting square (`i`) and from
            # the square in front of it (`ii`). For other ranks it gets more than the rules allow.
            initial = {0: "i", 1: "ii"}.get(rank - self._home_rank(piece), "")
            text += f"{initial}fmW{squares}"
        if piece.en_passant:
            text += "feF"
        if piece.royal:
            text += self._castling()
        return text

    def _home_rank(self, piece):
        rows = self._description.start_fen.split(" ")[0].split("[")[0].split("/")
        return next(
            (rank for rank, row in enumerate(reversed(rows), 1) if piece.letter in row),
            -self._description.ranks,
        )

    def _castling(self):
        """Castling as `O` with the king's steps, without the `i` of a king that must not have moved."""
        steps = {
            "r" if side.king_to > side.king else "l": abs(side.king_to - side.king)
            for side in self._description.castling
        }
        if len(set(steps.values())) == 1 and len(steps) == 2:
            return f"sO{steps['r']}"
        return "".join(f"{direction}O{count}" for direction, count in steps.items())


def _slots(description):
    """What stands in each of XBoard's slots for White: a letter, a promoted form, `.` for nothing."""
    slots = ["."] * SLOTS
    slots[LANCE_SLOT] = "-"
    home = {}
    bases = [piece for piece in description.pieces if not piece.promoted]
    for piece in sorted(bases, key=lambda piece: _picture(piece) is None):
        home[piece.letter] = _free(slots, _picture(piece))
        slots[home[piece.letter]] = piece.letter
    promoted = [piece for piece in description.pieces if piece.promoted]
    for piece in sorted(promoted, key=lambda piece: home[piece.base]):
        partner = home[piece.base] + PROMOTED_OFFSET
        others = range(SLOTS - 1, PROMOTED_OFFSET, -1)
        slot = _free(slots, PROMOTED_PICTURES.get(piece.betza), partner, *others)
        slots[slot] = "+" if slot == partner else f"^{piece.base}"
    slots[LANCE_SLOT] = "."
    return slots


def _picture(piece):
    """The slot whose picture shows this piece, or None."""
    if piece.royal:
        return KING_SLOT
    return PAWN_SLOT if piece.en_passant or piece.steps else PICTURES.get(piece.betza)


def _free(slots, *wishes):
    """The first of the wishes that is free, or else the first free slot."""
    free = [slot for slot, letter in enumerate(slots) if letter == "."]
    return next(slot for slot in (*wishes, *free) if slot in free)
