"""Positions of the games that python-chess knows as boards of it, and back."""

from __future__ import annotations

from collections.abc import Iterable

import chess
import chess.variant

from .definition.catalogue import FREE_SUFFIX, freed
from .game.moves import Move

BOARDS: dict[str, type[chess.Board]] = {
    "chess": chess.Board,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "kingofthehill": chess.variant.KingOfTheHillBoard,
    "3check": chess.variant.ThreeCheckBoard,
    "antichess": chess.variant.AntichessBoard,
    "atomic": chess.variant.AtomicBoard,
    "giveaway": chess.variant.GiveawayBoard,
    "horde": chess.variant.HordeBoard,
    "racingkings": chess.variant.RacingKingsBoard,
    "suicide": chess.variant.SuicideBoard,
}


def to_chess(variant: str, fen: str, moves: Iterable[Move]) -> chess.Board:
    """A board with these moves from that FEN. Raises ValueError for a game unknown to python-chess."""
    base = variant.removesuffix(FREE_SUFFIX)
    if base not in BOARDS:
        raise ValueError(f"{variant!r} is not a game of python-chess ({', '.join(BOARDS)} are)")
    board = BOARDS[base](fen, chess960=base != variant)
    for move in moves:
        board.push_uci(str(move))
    return board


def from_chess(board: chess.Board) -> tuple[str, str, list[str]]:
    """The game's name, the FEN of the root and the texts of the moves of a board. Raises ValueError for
    another variant, TypeError for something else."""
    if not isinstance(board, chess.Board):
        raise TypeError(f"{board!r} is not a board of python-chess")
    name = next((name for name, kind in BOARDS.items() if kind.uci_variant == board.uci_variant), None)
    if name is None:
        raise ValueError(f"{board.uci_variant!r} is not a game here; {', '.join(BOARDS)} are")
    if board.chess960:
        name = freed(name) or name
    return name, board.root().fen(), [move.uci() for move in board.move_stack]
