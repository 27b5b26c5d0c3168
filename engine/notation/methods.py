"""The methods of `Position` for human notations."""

from collections.abc import Iterable

from ..game.moves import Move
from . import san, traditional, traditional_reading
from .position_like import PositionLike
from .san_reading import parse_san


class SanMethods:
    """SAN and LAN of a `Position`; see `san`, and `san_reading` for what is accepted."""

    def san(self: PositionLike, move: Move | str) -> str:
        """A legal move in SAN: `Nf3`, `exd6`, `P@e4`, `O-O`, `e8=Q+`. A text is read by `parse_san`.

        Raises MoveError."""
        return san.san(self, legal_move(self, move))

    def lan(self: PositionLike, move: Move | str) -> str:
        """A legal move in long algebraic notation: `Ng1-f3`, `e5xd6`. A text is read by `parse_san`.

        Raises MoveError."""
        return san.lan(self, legal_move(self, move))

    def variation_san(self: PositionLike, moves: Iterable[Move | str]) -> str:
        """Consecutive moves from here, in SAN with numbers: `1. e4 e5 2. Nf3`. Texts are read by `parse_san`.
        The position does not change. Raises MoveError."""
        position = self.copy()
        words: list[str] = []
        for given in moves:
            move = legal_move(position, given)
            number = int(position.state["fullmoves"])
            prefix = f"{number}. " if position.turn == 0 else "" if words else f"{number}..."
            text = san.label(position, move)
            position.push_legal(move)
            words.append(f"{prefix}{text}{san.check_mark(position)}")
        return " ".join(words)

    def parse_san(self: PositionLike, text: str) -> Move:
        """The legal move of `text` in SAN or a similar spelling, such as `e8Q`, `Ng1-f3`, `0-0`. Raises
        MoveSyntaxError for a text that is not a move, IllegalMoveError for one that is not legal here or
        ambiguous."""
        return parse_san(self, text)

    def push_san(self: PositionLike, text: str) -> Move:
        """Plays the move that `parse_san` reads, and returns it. Raises MoveError without a change."""
        move = parse_san(self, text)
        self.push_legal(move)
        return move

    def uci(self: PositionLike, move: Move | str) -> str:
        """A legal move in the engine's notation, as `str(move)`. Raises MoveError."""
        return legal_move(self, move).text

    def parse_uci(self: PositionLike, text: str) -> Move:
        """The legal move of a text such as `e2e4`: `parse_move` by the name of python-chess. Raises
        MoveError."""
        return self.parse_move(text)

    def push_uci(self: PositionLike, text: str) -> Move:
        """Plays the move of a text such as `e2e4`, and returns it. Raises MoveError without a change."""
        move = self.parse_move(text)
        self.push_legal(move)
        return move

    def notate(self: PositionLike, move: Move | str, notation: str = "san") -> str:
        """A legal move in a notation: "san", "lan", "usi", "hodges", "hodges-numbers" or "hosking" (shogi),
        "wxf" (xiangqi), "korean" (Janggi). A text is read by `parse_san`.

        Raises MoveError, and ValueError for a notation that cannot express the moves of the game."""
        traditional.check_notation(notation, self.description)
        found = legal_move(self, move)
        if notation in ("san", "lan"):
            return san.san(self, found) if notation == "san" else san.lan(self, found)
        return traditional.write(self, found, notation)

    def parse_notation(self: PositionLike, text: str, notation: str = "san") -> Move:
        """The legal move of `text` in a notation, as `notate` writes it or similar. Raises MoveSyntaxError
        for a text that is not a move, IllegalMoveError for one that is not legal here or ambiguous, and
        ValueError for a notation that does not fit the game."""
        traditional.check_notation(notation, self.description)
        if notation in ("san", "lan"):
            return parse_san(self, text)
        return traditional_reading.parse(self, text, notation)


def legal_move(position: PositionLike, move: Move | str) -> Move:
    """The legal move of a `Move` or a text. Raises MoveError."""
    return position.parse_move(move.text) if isinstance(move, Move) else parse_san(position, move)
