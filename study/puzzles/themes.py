"""The themes of a puzzle: what its first move is, and what is special about its line."""

from collections.abc import Sequence

from ...engine.position import Position
from ..games.recording import material_of, value_of

QUIET, SACRIFICE = "quiet", "sacrifice"
# Centipawns of the values in the game's file that a side gives up and does not win back at once
SACRIFICED = 150


def themes_of(position: Position, moves: Sequence[str], end: Position) -> tuple[str, ...]:
    """The themes of a solution that begins in a position and leads to `end`."""
    first = position.parse_move(moves[0])
    what = {
        "drop": first.is_drop,
        "promotion": first.is_promotion,
        "castling": position.is_castling(first),
        "en passant": position.is_en_passant(first),
        "pass": first.is_pass,
        "capture": position.is_capture(first),
        "check": position.gives_check(first),
    }
    found = [theme for theme, true in what.items() if true] or [QUIET]
    if gives_up_material(position, moves):
        found.append(SACRIFICE)
    found += ["stalemate"] if end.is_stalemate() else []
    return tuple(found)


def gives_up_material(position: Position, moves: Sequence[str]) -> bool:
    """Whether the solver stays SACRIFICED or more behind what it had before, after its next move too."""
    here, solver = position.copy(), position.turn
    before = balance(here, solver)
    for number, text in enumerate(moves):
        here.push(text)
        if number >= 2 and number % 2 == 0 and before - balance(here, solver) >= SACRIFICED:
            return True
    return False


def balance(position: Position, colour: int) -> int:
    """The values in the game's file of the pieces of a colour less those of the other, in centipawns, on the
    board and in hand, without kings."""
    board = material_of(position.pieces())
    return value_of(position, board[colour], colour) - value_of(position, board[1 - colour], 1 - colour)
