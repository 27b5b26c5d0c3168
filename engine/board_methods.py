"""The methods of `Position` that look at the board: pieces, hands, attacks, and the board as text.

Squares are numbers, rank * files + file from 0, or names such as `e4`; colours are 0 for White and 1 for
Black. A square off the board raises ValueError, another type TypeError.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .game.description import FILE_LETTERS
from .game.moves import ACTION_SHIFT, ACTIONS, EN_PASSANT, Move, square_name, square_number
from .game.piece import BLACK, WHITE, Piece
from .game_end import COLOURS
from .movegen.entry_points import OF_KING, entry_points_of
from .notation.methods import legal_move
from .notation.position_like import PositionLike
from .notation.san import names_of
from .representation.geometry import bits
from .representation.position_record import position_dtype, read_board, write_board
from .rules import attack_rules_for

Square = int | str


class BoardMethods:
    """The board of a `Position`."""

    # Names of squares

    def square_name(self: PositionLike, square: int) -> str:
        """The name of a square, such as `e4`."""
        return square_name(self.parse_square(square), self.description.files)

    def parse_square(self: PositionLike, square: Square) -> int:
        """The number of a square by its name; a number is returned as it is."""
        return square_number(square, self.description)

    # Pieces

    def letter_at(self: PositionLike, square: int) -> str | None:
        """The letter of the piece on a square as in a FEN (`N`, `n`, `q~`), or None. The square must be a
        number on the board."""
        kind = int(self.state["board"][square])
        if kind == self.rules.no_kind:
            return None
        letter = self.description.pieces[kind].letter
        return letter if read_board(self.state, "colours", WHITE) >> square & 1 else letter.lower()

    def piece_at(self: PositionLike, square: Square) -> Piece | None:
        """The piece on a square, or None."""
        number = self.parse_square(square)
        kind, white = int(self.state["board"][number]), read_board(self.state, "colours", WHITE)
        if kind == self.rules.no_kind:
            return None
        return names_of(self.description).pieces[kind][WHITE if white >> number & 1 else BLACK]

    def pieces(self: PositionLike, letter: str | None = None, colour: int | None = None) -> dict[int, Piece]:
        """All pieces by square, or those of a letter (in either case) or a colour. Raises ValueError for a
        letter that no piece of the game has, TypeError for another type."""
        known = names_of(self.description).pieces
        if not isinstance(letter, str | None):
            raise TypeError(f"{letter!r} is not the letter of a piece, such as 'N'")
        if letter is not None and letter.upper() not in {white.letter for white, _ in known}:
            raise ValueError(f"{letter!r} is not the letter of a piece of {self.description.name}")
        wanted = None if colour is None else check_colour(colour)
        white = read_board(self.state, "colours", WHITE)
        board = {
            square: known[kind][WHITE if white >> square & 1 else BLACK]
            for square, kind in enumerate(self.state["board"].tolist())
            if kind < len(known)
        }
        return {
            square: piece
            for square, piece in board.items()
            if (letter is None or piece.letter == letter.upper()) and wanted in (None, piece.colour)
        }

    def piece_map(self: PositionLike) -> dict[int, Piece]:
        """All pieces by square, as `pieces()`."""
        return self.pieces()

    def walls(self: PositionLike) -> frozenset[int]:
        """The squares with a wall, in games that have walls."""
        board = read_board(self.state, "walls") if self.rules.walls else 0
        return frozenset(bits(board))

    def king(self: PositionLike, colour: int) -> int | None:
        """The square of a king; None while it is in hand."""
        side, king = check_colour(colour), self.rules.king_kind
        found = int(self.state["kings"][side])
        stands = int(self.state["board"][found]) == king
        return found if stands and read_board(self.state, "colours", side) >> found & 1 else None

    def hand(self: PositionLike, colour: int) -> dict[str, int]:
        """The pieces in hand of a colour: letter to count, most valuable first."""
        counts = self.state["hands"][check_colour(colour)].tolist()
        pairs = zip(self.description.hand_pieces, counts, strict=False)
        return {piece.letter: count for piece, count in pairs if count}

    @property
    def hands(self: PositionLike) -> tuple[dict[str, int], dict[str, int]]:
        """The hands of White and Black."""
        return self.hand(WHITE), self.hand(BLACK)

    # Attacks

    def attackers(self: PositionLike, colour: int, square: Square) -> frozenset[int]:
        """The squares of the pieces of a colour that attack a square, pinned ones too."""
        return _attackers_in(self, self.state, check_colour(colour), self.parse_square(square))

    def is_attacked_by(self: PositionLike, colour: int, square: Square) -> bool:
        """Whether a piece of a colour attacks a square."""
        return bool(self.attackers(colour, square))

    def attacks(self: PositionLike, square: Square) -> frozenset[int]:
        """The squares that the piece on a square attacks; none for an empty square."""
        number, board = self.parse_square(square), self.pieces()
        if number not in board:
            return frozenset()
        colour = board[number].colour
        targets = range(self.description.squares)
        return frozenset(target for target in targets if number in self.attackers(colour, target))

    def checkers(self: PositionLike) -> frozenset[int]:
        """The squares of the pieces that check the side to move."""
        return _attackers_in(self, self.state, 1 - int(self.state["side"]), OF_KING)

    def is_pinned(self: PositionLike, colour: int, square: Square) -> bool:
        """Whether a piece of a colour on a square shields its king: without it one more piece would attack
        the king."""
        side, number = check_colour(colour), self.parse_square(square)
        if not read_board(self.state, "colours", side) >> number & 1 or number == self.king(side):
            return False
        states = np.array([self.state])
        mover = int(self.rules.kind_mover[int(self.state["board"][number])])
        for field, row in (("colours", side), ("movers", mover)):
            write_board(states[0], field, read_board(self.state, field, row) & ~(1 << number), row)
        states["board"][0, number] = self.rules.no_kind
        before = _attackers_in(self, self.state, 1 - side, OF_KING)
        return bool(_attackers_in(self, states[0], 1 - side, OF_KING) - before)

    # Kinds of moves

    def is_capture(self: PositionLike, move: Move | str) -> bool:
        """Whether a legal move takes a piece of the other side, on its target or elsewhere. Raises
        MoveError."""
        after = self.copy(stack=False)
        after.push_legal(legal_move(self, move))
        enemy = 1 - int(self.state["side"])
        before, left = (read_board(state, "colours", enemy) for state in (self.state, after.state))
        return left.bit_count() < before.bit_count()

    def is_drop(self: PositionLike, move: Move | str) -> bool:
        """Whether a legal move drops a piece from the hand. Raises MoveError."""
        return legal_move(self, move).is_drop

    def is_castling(self: PositionLike, move: Move | str) -> bool:
        """Whether a legal move is castling. Raises MoveError."""
        return legal_move(self, move).is_castling

    def is_en_passant(self: PositionLike, move: Move | str) -> bool:
        """Whether a legal move captures in passing. Raises MoveError."""
        return legal_move(self, move).code >> ACTION_SHIFT & ACTIONS == EN_PASSANT

    # Text

    def __str__(self: PositionLike) -> str:
        """The board from White's side, with both hands and the side to move."""
        files, ranks = self.description.files, self.description.ranks
        board: dict[int, object] = {**self.pieces()} | dict.fromkeys(self.walls(), "*")
        lines = [_hand_line(self, BLACK)]
        for rank in reversed(range(ranks)):
            row = " ".join(str(board.get(rank * files + file, ".")) for file in range(files))
            lines.append(f"{rank + 1:>2}  {row}")
        lines.append("    " + " ".join(FILE_LETTERS[:files]))
        lines += [_hand_line(self, WHITE), f"{COLOURS[int(self.state['side'])]} to move"]
        return "\n".join(line for line in lines if line)


def _hand_line(position: PositionLike, colour: int) -> str:
    if not position.description.has_drops:
        return ""
    hand = " ".join(f"{letter}x{count}" for letter, count in position.hand(colour).items())
    return f"{COLOURS[colour]}'s hand: {hand or '-'}"


def _attackers_in(position: PositionLike, state: Any, side: int, square: int) -> frozenset[int]:
    """The pieces of a side that attack a square, or with OF_KING the other side's king."""
    states = np.empty(2, position_dtype(position.rules))
    states[0] = state
    entry_points_of(attack_rules_for(position.variant)).find_attackers(states, 0, side, square)
    return frozenset(bits(read_board(states[1], "crossed")))


def check_colour(colour: object) -> int:
    """The colour. Raises TypeError or ValueError, also for True and False, which mean the opposite colours in
    python-chess."""
    if isinstance(colour, bool) or not isinstance(colour, (int, np.integer)):
        raise TypeError(f"{colour!r} is not a colour: 0 (WHITE) or 1 (BLACK)")
    if colour not in (WHITE, BLACK):
        raise ValueError(f"{colour} is not a colour: 0 (WHITE) or 1 (BLACK)")
    return int(colour)
