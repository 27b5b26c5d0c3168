"""Thousands of positions as records for the evaluation.

`Position` sets up one position at a time, with its keys, and checks that it is possible; here parsed FENs are
copied, and NumPy derives the bitboards of all positions together."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.definition.fen import Setup
from ...engine.game.description import Description
from ...engine.representation.position_record import position_dtype


def records_of(
    setups: Iterable[Setup], count: int, rules: Any, description: Description
) -> npt.NDArray[np.void]:
    """An array of `position_dtype` with the fields that the evaluation reads of each of `count` setups: the
    board, its bitboards, kings, hands and the side to move. Keys, castling rights and other fields for moves
    are 0."""
    records = np.zeros(count, position_dtype(rules))
    white = np.zeros((count, rules.squares), bool)
    kinds = {piece.letter: kind for kind, piece in enumerate(description.pieces)}
    hands = {piece.letter: index for index, piece in enumerate(description.hand_pieces)}
    board, counts, sides = records["board"], records["hands"], records["side"]
    for index, setup in enumerate(setups):
        row, whites = [rules.no_kind] * rules.squares, []
        for square, (side, letter) in setup.board.items():
            row[square] = kinds[letter]
            if side == 0:
                whites.append(square)
        board[index], white[index, whites], sides[index] = row, True, setup.side
        for side, hand in enumerate(setup.hands):
            for letter, number in hand.items():
                counts[index, side, hands[letter]] = number
    _derive(records, white, rules)
    return records


def _derive(records: npt.NDArray[np.void], white: npt.NDArray[np.bool_], rules: Any) -> None:
    """Fills in the bitboards and the kings from the boards; `white` marks the squares of White's pieces."""
    board = records["board"]
    words = rules.empty.width // 64
    movers = np.append(rules.kind_mover, -1)[np.minimum(board, rules.kinds)]
    for side, own in enumerate((white, (board != rules.no_kind) & ~white)):
        records["colours"][:, side] = packed(own, words)
        records["kings"][:, side] = np.argmax(own & (board == rules.king_kind), axis=1)
    for mover in range(rules.mover_count):
        records["movers"][:, mover] = packed(movers == mover, words)


def packed(bits: npt.NDArray[np.bool_], words: int) -> npt.NDArray[np.uint64]:
    """Rows of bools by square as bitboards of `words` 64-bit words."""
    octets = np.zeros((len(bits), 8 * words), np.uint8)
    filled = np.packbits(bits, axis=1, bitorder="little")
    octets[:, : filled.shape[1]] = filled
    return octets.view("<u8")
