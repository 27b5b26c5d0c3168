"""Converts moves and scores to a `StudyGame` by replaying the game."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ...engine.game.moves import Move, spell
from ...engine.game_end import COLOURS, Result
from ...engine.position import Position
from ...engine.variant import Variant
from ...learn.self_play.compiled_games import NO_SCORE, SelfPlayedGame
from .study_game import (
    CAPTURE,
    CASTLING,
    CHECK,
    CHOICE,
    DROP,
    EN_PASSANT,
    LINE_PLIES,
    OWN_CAPTURE,
    PASS,
    PROMOTION,
    SNAPSHOT_PLIES,
    UNFINISHED,
    StudyGame,
)

LISTS = ("legal", "kinds", "pieces", "taken", "white", "black")  # of a `StudyGame`, by ply
Material = tuple[Counter[str], Counter[str]]  # White's and Black's pieces on the board, by letter


def record(variant: Variant, played: SelfPlayedGame) -> StudyGame:
    """A `StudyGame` of a game that was played from the start of its game."""
    position = Position(variant)
    moves = [spell(int(code), position.description).text for code in played.moves]
    scores = [None if score == NO_SCORE else int(score) for score in played.scores]
    return record_moves(position, moves, scores, played.opening, played.number)


def record_moves(
    position: Position,
    moves: Sequence[str],
    scores: Sequence[int | None] = (),
    opening: int = 0,
    number: int = 0,
) -> StudyGame:
    """A `StudyGame` of legal moves from a `Position`, which is played to its end."""
    scores = scores or (None,) * len(moves)
    plies: dict[str, list[Any]] = {name: [] for name in LISTS}
    line, boards, hands, texts = [], [], [], []
    for ply, text in enumerate(moves):
        before, move = _material(position), position.parse_move(text)
        plies["legal"].append(len(position.legal_codes()))
        plies["pieces"].append(_moved(position, move))
        if ply < LINE_PLIES:
            line.append(position.san(move))
        takes_own = _takes_own(position, move)
        en_passant, mover = position.is_en_passant(move), position.turn
        position.push_legal(move)
        after = _material(position)
        taken = "".join(sorted((before[1 - mover] - after[1 - mover]).elements()))
        plies["kinds"].append(_kinds(position, move, bool(taken), en_passant) + OWN_CAPTURE * takes_own)
        plies["taken"].append(taken)
        for side, name in enumerate(("white", "black")):
            plies[name].append(_value(position, after[side], side))
        texts.append(str(move))
        if (ply + 1) % SNAPSHOT_PLIES == 0 and ply + 1 < len(moves):
            boards.append(_board(position))
            hands.append(_hands(position))
    result = position.result()
    return StudyGame(
        number=number,
        opening=opening,
        moves=tuple(texts),
        line=tuple(line),
        scores=tuple(scores),
        boards=(*boards, _board(position)),
        hands=(*hands, _hands(position)),
        mated=position.king(position.turn) if position.is_checkmate() else None,
        result=result.score if result else UNFINISHED,
        reason=neutral(result),
        **{name: tuple(values) for name, values in plies.items()},
    )


def neutral(result: Result | None) -> str:
    """The reason of a result with "the winner" and "the loser" for the colours, "a side" in a draw."""
    if result is None:
        return "No result at the limit of plies"
    names = {colour: "a side" for colour in COLOURS}
    if result.winner is not None:
        names = {COLOURS[result.winner]: "the winner", COLOURS[1 - result.winner]: "the loser"}
    reason = result.reason
    for colour, name in names.items():
        reason = reason.replace(colour, name)
    return reason[:1].upper() + reason[1:]


def _material(position: Position) -> Material:
    found: Material = (Counter(), Counter())
    for piece in position.pieces().values():
        found[piece.colour][piece.letter] += 1
    return found


def _value(position: Position, board: Counter[str], side: int) -> int:
    """The value of a side's pieces on the board and in hand in the game's file, without kings."""
    known = {piece.letter: piece for piece in position.description.pieces}
    values = sum(known[letter].value * count for letter, count in board.items() if not known[letter].royal)
    return values + sum(known[letter].hand_value * count for letter, count in position.hand(side).items())


def _moved(position: Position, move: Move) -> str:
    """The letter of the piece that a legal move moves or drops; empty for a pass and a choice."""
    if move.is_pass or move.is_choice:
        return ""
    if move.is_drop:
        return move.drop or ""
    square = move.from_square
    piece = position.piece_at(square) if square is not None else None
    return piece.letter if piece else ""


def _takes_own(position: Position, move: Move) -> bool:
    """Whether a legal move captures a piece of the side that makes it."""
    if not position.description.self_capture or move.is_castling or move.from_square is None:
        return False
    piece = position.piece_at(move.to_square)
    return piece is not None and piece.colour == position.turn


def _kinds(position: Position, move: Move, takes: bool, en_passant: bool) -> str:
    """The letters for what the last move of a position was."""
    is_it = {
        CAPTURE: takes,
        CHECK: position.is_check(),
        DROP: move.is_drop,
        PROMOTION: move.is_promotion,
        EN_PASSANT: en_passant,
        CASTLING: move.is_castling,
        PASS: move.is_pass,
        CHOICE: move.is_choice,
    }
    return "".join(letter for letter, true in is_it.items() if true)


def _board(position: Position) -> str:
    """A letter for each square, a1 first: upper case for White, a dot for none."""
    board = position.pieces()
    letters = {square: str(piece)[:1] for square, piece in board.items()}
    return "".join(letters.get(square, ".") for square in range(position.description.squares))


def _hands(position: Position) -> str:
    """The letters of all pieces in hand, White's in upper case."""
    white, black = (
        "".join(letter * count for letter, count in sorted(position.hand(side).items())) for side in (0, 1)
    )
    return white + black.lower()
