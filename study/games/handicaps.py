"""Handicaps: starts in which the favoured side lacks a piece, or the other side has one more in hand, played
to see which brings the score nearest to one half."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...engine.definition.fen import Setup, parse, write
from ...engine.game.fen_error import FenError
from ...engine.game.moves import square_name
from ...engine.game_end import COLOURS
from ...engine.position import Position
from ...engine.variant import Variant
from ...search.engine import Engine, Limit
from .plan import StudyPlan
from .start_openings import StartOpenings

MOST = 4  # handicaps that are tried, the smallest first
SHARE, LEAST = 8, 40  # a handicap is tried in an eighth of a study's games, at least 40
HASH_MB = 1


@dataclass(frozen=True)
class Handicap:
    """A start with a handicap: its `name` in words and its FEN."""

    name: str
    fen: str


def handicaps_against(side: int, variant: Variant) -> list[Handicap]:
    """Up to MOST handicaps for a side (0 White, 1 Black), the smallest by the values in the game's file
    first: it lacks a piece, or the other side has a piece more in hand. None in games whose sides arrange
    their pieces first."""
    description = variant.description
    if description.setup_swaps or any(piece.must_drop for piece in description.pieces):
        return []
    found = [*_lacking(side, variant), *_in_hand(1 - side, variant)]
    found.sort(key=lambda each: each[0])
    return [handicap for _, handicap in found[:MOST]]


def _lacking(side: int, variant: Variant) -> list[tuple[int, Handicap]]:
    """(value, handicap) for each kind of piece that a side has at the start and may lack."""
    description = variant.description
    setup, found = parse(description.start_fen, description), []
    for piece in description.kinds:
        squares = [square for square, there in setup.board.items() if there == (side, piece.letter)]
        if piece.royal or not squares:
            continue
        square = min(squares, key=lambda number: (number % description.files, number))
        board = {other: there for other, there in setup.board.items() if other != square}
        fen = _written(replace(setup, board=board), variant)
        name = f"{COLOURS[side]} without the {piece.name} on {square_name(square, description.files)}"
        if fen:
            found.append((piece.value, Handicap(name, fen)))
    return found


def _in_hand(side: int, variant: Variant) -> list[tuple[int, Handicap]]:
    """(value, handicap) for each kind of piece that a side may have more in hand."""
    description = variant.description
    setup, found = parse(description.start_fen, description), []
    for piece in description.kinds:
        if piece.royal or not piece.droppable:
            continue
        hands = [dict(hand) for hand in setup.hands]
        hands[side][piece.letter] = hands[side].get(piece.letter, 0) + 1
        fen = _written(replace(setup, hands=(hands[0], hands[1])), variant)
        if fen:
            found.append(
                (piece.hand_value, Handicap(f"{COLOURS[side]} with a {piece.name} more in hand", fen))
            )
    return found


def _written(setup: Setup, variant: Variant) -> str:
    """The FEN of a changed start, with the rights that are left; "" if it is no position."""
    fen = write(setup, setup.castling or "-", variant.description)
    try:
        return Position(variant, fen).fen()
    except FenError:
        return ""


def play_handicap(
    plan: StudyPlan,
    handicap: Handicap,
    count: int,
    nodes: int,
    engine: Engine,
    known: Sequence[float] = (),
    progress: Callable[[float], object] = lambda points: None,
    stop: Callable[[], bool] = lambda: False,
) -> list[float]:
    """White's points in up to `count` games from a handicap's start, at `nodes` a move: one game for each of
    the openings that are drawn from there. The first games are those `known`; `progress(points)` is called
    after each other game. `stop` may end the games early."""
    if stop():
        return list(known[:count])
    openings = StartOpenings(plan.variant, plan.seed, engine, handicap.fen).draw(count, stop=stop)
    found = list(known[:count])
    for codes in openings[len(found) :]:
        if stop():
            break
        found.append(_points(plan, handicap.fen, codes, nodes, engine))
        progress(found[-1])
    return found


def _points(plan: StudyPlan, fen: str, codes: Sequence[int], nodes: int, engine: Engine) -> float:
    position = Position(plan.variant, fen)
    for code in codes:
        position.push(next(move for move in position.legal_moves if move.code == code))
    engine.clear()  # so that a game does not depend on those before it
    while position.ply < plan.most_plies and (result := position.result()) is None:
        move = engine.play(position, Limit(nodes=nodes)).move
        assert move is not None  # there is no result
        position.push(move)
    else:
        result = position.result()
    return {"1-0": 1.0, "0-1": 0.0}.get(result.score if result else "", 0.5)
