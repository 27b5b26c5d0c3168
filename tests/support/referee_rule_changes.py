"""Slow models of two rule changes of chess, made of python-chess alone: capture of own pieces, and castling
that is not allowed in the first moves."""

from __future__ import annotations

from collections.abc import Iterator

import chess


class SelfCaptureBoard:
    """A game of chess in which a side may also capture its own pieces, except the king."""

    def __init__(self, fen: str = chess.STARTING_FEN) -> None:
        self.board = chess.Board(fen)

    def takes_own(self, move: chess.Move) -> bool:
        """Whether a move of `replies` captures an own piece."""
        return move in self._own_captures()

    def _own_captures(self) -> Iterator[chess.Move]:
        """Captures of own pieces, without a test of checks."""
        board = self.board
        own, last = board.occupied_co[board.turn], 7 if board.turn else 0
        for source in chess.scan_forward(own):
            for target in chess.scan_forward(board.attacks_mask(source) & own & ~board.kings):
                pawn = board.piece_type_at(source) == chess.PAWN
                kinds = chess.PIECE_TYPES[1:5] if pawn and chess.square_rank(target) == last else [None]
                for kind in kinds:
                    yield chess.Move(source, target, kind)

    def after(self, move: chess.Move) -> SelfCaptureBoard:
        """The game after a move that is legal if checks are ignored."""
        child = SelfCaptureBoard.__new__(SelfCaptureBoard)
        child.board = self.board.copy(stack=False)
        takes = self.takes_own(move)
        if takes:
            child.board.remove_piece_at(move.to_square)
        child.board.push(move)
        if takes:
            child.board.halfmove_clock = 0
        return child

    def replies(self) -> dict[str, SelfCaptureBoard]:
        """Every legal move by its text, with the game after it."""
        moves = [*self.board.legal_moves, *self._own_captures()]
        children = {move.uci(): self.after(move) for move in moves}
        return {text: child for text, child in children.items() if not child.board.was_into_check()}

    def fen(self) -> str:
        """The FEN of the position."""
        return self.board.fen()

    def perft(self, depth: int) -> int:
        """The number of lines of `depth` legal moves."""
        children = self.replies()
        return len(children) if depth == 1 else sum(child.perft(depth - 1) for child in children.values())


class DelayedCastlingBoard(chess.Board):
    """Chess in which neither side may castle in its first `MOVES` moves."""

    MOVES = 10

    def generate_castling_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """Castling, after the first moves."""
        if self.fullmove_number > self.MOVES:
            yield from super().generate_castling_moves(from_mask, to_mask)
