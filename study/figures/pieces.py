"""Pieces: their squares, drops and survival, and the squares where kings are mated."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...engine.definition.fen import parse
from ...engine.game.description import REVERTING, Description
from ...engine.game.moves import parse_square
from ..games.study_game import Kind, StudyGame
from .intervals import Interval, clipped, mean, ratio

Heat = tuple[float, ...]  # by square, a1 first, both sides from White's point of view; sums to 1, or all 0


@dataclass(frozen=True)
class PieceRow:
    """One kind of piece by its letter. `stands` is the share of its time on each square, `drops` that of its
    drops. `moves` is the share of all moves that it makes, `mobility` the mean number of legal moves of one
    such piece when its side is to move, `survival` that of the pieces at the start which the games leave on
    the board, counted by kind, whoever made or dropped them."""

    letter: str
    name: str
    moves: Interval
    mobility: Interval
    survival: Interval
    stands: Heat
    drops: Heat


@dataclass(frozen=True)
class PiecesFigure:
    """All kinds of pieces of `games`, and where a king was mated (`mates` games have a square for it)."""

    games: int
    rows: tuple[PieceRow, ...]
    mated: Heat
    mates: int


def pieces_of(games: Sequence[StudyGame], description: Description) -> PiecesFigure:
    """The pieces of a series of games."""
    rows = [
        _row(number, piece.letter, piece.name, games, description)
        for number, piece in enumerate(description.pieces)
        if not piece.letter.endswith(REVERTING)
    ]
    mated = [0.0] * description.squares
    for game in games:
        if game.mated is not None:
            mated[_own(game.mated, int(game.points), description)] += 1
    return PiecesFigure(
        len(games), tuple(row for row in rows if any(row.stands)), _normal(mated), int(sum(mated))
    )


def _row(
    number: int, letter: str, name: str, games: Sequence[StudyGame], description: Description
) -> PieceRow:
    stands, drops = [0.0] * description.squares, [0.0] * description.squares
    first = "wb".index(description.start_fen.split()[1])
    for game in games:
        for board in game.boards:
            for square, found in enumerate(board):
                if found.upper() == letter:
                    stands[_own(square, int(found.islower()), description)] += 1
        for ply, (moved, kinds, move) in enumerate(zip(game.pieces, game.kinds, game.moves, strict=True)):
            if Kind.DROP in kinds and moved == letter:
                target = parse_square(move.partition("@")[2], description.files, description.ranks)
                assert target is not None  # as the move was played
                drops[_own(target, (ply + first) % 2, description)] += 1
    own = [sum(moved == letter for moved in game.pieces) for game in games]
    at_start = count_at_start(letter, description)
    left = [game.boards[-1].upper().count(letter) / at_start for game in games] if at_start else []
    return PieceRow(
        letter,
        name,
        clipped(ratio(own, [game.plies for game in games]), 1.0),
        clipped(ratio([game.mobility[number] for game in games], [game.movable[number] for game in games])),
        clipped(mean(left)),
        _normal(stands),
        _normal(drops),
    )


def count_at_start(letter: str, description: Description) -> int:
    """How many pieces of a kind both sides have on the board at the start."""
    return sum(found == letter for _, found in parse(description.start_fen, description).board.values())


def _own(square: int, side: int, description: Description) -> int:
    """A square from its side's view: Black's are mirrored so that the files stay."""
    if not side:
        return square
    rank, file = divmod(square, description.files)
    return (description.ranks - 1 - rank) * description.files + file


def _normal(counts: Sequence[float]) -> Heat:
    total = sum(counts)
    return tuple(count / total for count in counts) if total else tuple(counts)
