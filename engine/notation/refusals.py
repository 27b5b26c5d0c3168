"""Reasons why a well-formed move is not legal in a position."""

import re
from collections.abc import Sequence

from ..game.description import PieceDescription
from ..game.moves import Move, parse_square
from .position_like import PositionLike
from .san import COLOURS


def why_illegal(position: PositionLike, match: re.Match[str]) -> str:
    """One reason why the move that matched `moves.SYNTAX` is not legal here; its squares are on the board."""
    mover = COLOURS[position.turn]
    if position.state["outcome"]:
        return "the game is over"
    if int(position.state["choices"]) >> position.turn & 1:
        return f"{mover} chooses an arrangement first: {', '.join(map(str, position.legal_moves))}"
    owed = _owed(position)
    if match["drop"]:
        return _why_no_drop(position, match["piece"].upper(), match["drop"], owed)
    if owed:
        return f"{mover} must first drop one of {owed}"
    source = match["source"]
    found = position.letter_at(_square(position, source))
    if found is None:
        return f"there is no piece on {source}"
    if found.isupper() != (position.turn == 0):
        return f"the piece on {source} is not {mover}'s"
    others = [move for move in position.legal_moves if str(move).startswith(source + match["target"])]
    if others and position.description.walls:
        if match["wall"]:
            return f"no wall can be put on {match['wall']} then"
        return f"names no square for the wall, as in {str(others[0])!r}"
    if others:
        fault = f"{position.description.name} has no walls" if match["wall"] else misfit(position, others)
        return f"{fault}; possible: {', '.join(map(str, others))}"
    if position.is_check():
        return f"{mover} is in check"
    if _castles_too_early(position, found, source, match["target"]):
        return f"castling is not allowed in the first {position.description.castling_after} moves"
    name = position.description.piece(found.upper()).name
    return f"the {name} on {source} cannot go to {match['target']}"


def misfit(position: PositionLike, moves: Sequence[Move]) -> str:
    """The fault of a move that differs from these legal ones only by the letter at its end."""
    enters = position.description.gates and not any(move.is_promotion for move in moves)
    return f"the {'piece that enters' if enters else 'promotion'} does not fit"


def _castles_too_early(position: PositionLike, letter: str, source: str, target: str) -> bool:
    """Whether the move of the piece with that letter would castle before the game allows it."""
    game = position.description
    if letter.upper() != game.castling_king or int(position.state["fullmoves"]) > game.castling_after:
        return False
    files = tuple(_square(position, name) % game.files for name in (source, target))
    return files in {(wing.king, wing.king_to) for wing in game.castling}


def _why_no_drop(position: PositionLike, letter: str, name: str, owed: str) -> str:
    """The reason why the piece with that letter cannot be dropped on the square of that name."""
    game, mover, square = position.description, COLOURS[position.turn], _square(position, name)
    if letter not in {piece.letter for piece in game.hand_pieces}:
        return f"{letter} is not a piece that can be dropped"
    if not position.hand(position.turn).get(letter):
        return f"{mover} has no {letter} in hand"
    if game.gates and not game.gates.drops:
        return f"{letter} only enters at a gate, as in 'b1c3{letter.lower()}'"
    if position.letter_at(square):
        return f"{name} is occupied"
    piece = game.piece(letter)
    if reason := _why_not_there(position, piece, square):
        return reason
    if owed and not piece.must_drop:
        return f"{mover} must first drop one of {owed}"
    if position.is_check():
        return f"{mover} is in check"
    if piece.royal:
        return f"{name} is attacked"
    if bound := [other.name.lower() for other in game.pieces if other.both_colours]:
        return f"the {bound[0]}s could not stand on squares of both colours then"
    if piece.no_drop_mate:
        return f"dropping a {piece.name.lower()} there would be mate"
    words = {"never": "a drop may not check", "always": "a drop must check"}
    return words.get(game.drop_checks, "")


def _why_not_there(position: PositionLike, piece: PieceDescription, square: int) -> str:
    """The reason why the kind of a piece forbids its drop on a square, or ""."""
    game = position.description
    rank = square // game.files + 1
    own_rank = rank if position.turn == 0 else game.ranks + 1 - rank
    if (own_rank - 1) * game.files + square % game.files in game.dropped_on(piece):
        return ""
    if own_rank not in piece.drop_forbidden:
        return f"no {piece.name.lower()} may be dropped there"
    return f"no {piece.name.lower()} may be dropped on that rank"


def _owed(position: PositionLike) -> str:
    """The letters in hand that the side to move must drop, if it can."""
    if not any(move.is_drop for move in position.legal_moves):
        return ""
    return "".join(
        letter for letter in position.hand(position.turn) if position.description.piece(letter).must_drop
    )


def _square(position: PositionLike, name: str) -> int:
    """The number of a square that the board has."""
    square = parse_square(name, position.description.files, position.description.ranks)
    assert square is not None
    return square
