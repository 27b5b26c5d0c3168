"""Converts moves and scores to a `StudyGame` by replaying the game."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ...engine.game.description import Description
from ...engine.game.moves import Move, spell
from ...engine.game.piece import Piece
from ...engine.game_end import COLOURS, Result
from ...engine.position import Position
from ...engine.variant import Variant
from ...learn.self_play.compiled_games import NO_SCORE, SelfPlayedGame
from .study_game import LINE_PLIES, SNAPSHOT_PLIES, UNFINISHED, Kind, StudyGame

LISTS = ("legal", "kinds", "pieces", "taken", "white", "black")  # of a `StudyGame`, by ply
Board = dict[int, Piece]  # by square
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
    line, boards, hands, texts, mobility = [], [], [], [], Mobility(position.description)
    after = position.pieces()
    for ply, text in enumerate(moves):
        before, move = after, position.parse_move(text)
        plies["legal"].append(len(position.legal_codes()))
        plies["pieces"].append(_moved(before, move))
        if ply < LINE_PLIES:
            line.append(position.san(move))
        en_passant, mover = position.is_en_passant(move), position.turn
        position.push_legal(move)
        after = position.pieces()
        taken = _taken(before, after, mover, move)
        special = _special(position.description, move, taken, before, after)
        plies["kinds"].append(_kinds(position, move, taken, en_passant) + special)
        plies["taken"].append(taken)
        for side, name in enumerate(("white", "black")):
            plies[name].append(value_of(position, material_of(after)[side], side))
        texts.append(str(move))
        if (ply + 1) % SNAPSHOT_PLIES == 0 and ply + 1 < len(moves):
            boards.append(_board(after, position.description))
            hands.append(_hands(position))
            mobility.add(position)
    result = position.result()
    return StudyGame(
        number=number,
        opening=opening,
        moves=tuple(texts),
        line=tuple(line),
        scores=tuple(scores),
        boards=(*boards, _board(after, position.description)),
        hands=(*hands, _hands(position)),
        mobility=tuple(mobility.moves.values()),
        movable=tuple(mobility.pieces.values()),
        mated=position.king(position.turn) if position.is_checkmate() else None,
        result=result.score if result else UNFINISHED,
        reason=neutral(result),
        **{name: tuple(values) for name, values in plies.items()},
    )


class Mobility:
    """Sums over positions, by kind of piece in the order of the game's file: the legal moves of the side to
    move that are no drops, and the pieces that it has on the board."""

    def __init__(self, description: Description) -> None:
        self.moves = {piece.letter: 0 for piece in description.pieces}
        self.pieces = dict(self.moves)

    def add(self, position: Position) -> None:
        """Adds a position."""
        board = position.pieces()
        for move in position.legal_moves:
            if letter := "" if move.is_drop else _moved(board, move):
                self.moves[letter] += 1
        for piece in board.values():
            self.pieces[piece.letter] += piece.colour == position.turn


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


def material_of(board: Board) -> Material:
    """The pieces on the board by side and letter."""
    found: Material = (Counter(), Counter())
    for piece in board.values():
        found[piece.colour][piece.letter] += 1
    return found


def _taken(before: Board, after: Board, mover: int, move: Move) -> str:
    """The letters of the enemy's pieces that a move took from the board. A piece that goes over to the enemy
    by its move replaces none of them."""
    left, arrived, source = dict(after), after.get(move.to_square), move.from_square
    has_moved = source in before and before[source] != after.get(source)
    if has_moved and arrived is not None and arrived.colour != mover:
        del left[move.to_square]
    return "".join(sorted((material_of(before)[1 - mover] - material_of(left)[1 - mover]).elements()))


def value_of(position: Position, board: Counter[str], side: int) -> int:
    """The value of a side's pieces on the board and in hand in the game's file, without kings."""
    known = {piece.letter: piece for piece in position.description.pieces}
    values = sum(known[letter].value * count for letter, count in board.items() if not known[letter].royal)
    return values + sum(known[letter].hand_value * count for letter, count in position.hand(side).items())


def _moved(board: Board, move: Move) -> str:
    """The letter of the piece that a legal move on a board moves or drops; empty for a pass and a choice."""
    if move.is_pass or move.is_choice:
        return ""
    if move.is_drop:
        return move.drop or ""
    square = move.from_square
    return board[square].letter if square in board else ""


def _kinds(position: Position, move: Move, taken: str, en_passant: bool) -> str:
    """The letters for what the last move of a position was, in terms that most games have."""
    is_it = {
        Kind.CAPTURE: bool(taken),
        Kind.CHECK: position.is_check(),
        Kind.DROP: move.is_drop,
        Kind.PROMOTION: move.is_promotion,
        Kind.EN_PASSANT: en_passant,
        Kind.CASTLING: move.is_castling,
        Kind.PASS: move.is_pass,
        Kind.CHOICE: move.is_choice,
        Kind.GATE: move.entry is not None,
    }
    return "".join(letter for letter, true in is_it.items() if true)


def _special(game: Description, move: Move, taken: str, before: Board, after: Board) -> str:
    """The letters for what a move did by rules that few games have: `before` and `after` are the boards,
    `taken` the enemy's pieces that left."""
    if move.is_choice:
        return Kind.SWAP if before != after else ""
    source, target = move.from_square, move.to_square
    if source not in before or move.is_castling or move.is_pass:
        return ""
    piece, there, ranks = before[source], before.get(target), target // game.files - source // game.files
    changed = {square for square, found in after.items() if before.get(square) != found}
    is_it = {
        Kind.OWN_CAPTURE: game.self_capture and there is not None and there.colour == piece.colour,
        Kind.LONG_STEP: bool(game.piece(piece.letter).steps) and abs(ranks) > 1,
        Kind.CUSTODIAN: game.merchants is not None and bool(taken) and there is None,
        Kind.BUMP: game.bumping is not None and bool(changed - {target}),
        Kind.COLOUR_CHANGE: target in after and after[target].colour != piece.colour,
        Kind.FIRST_LEAP: _is_first_leap(game, piece, source, target),
    }
    return "".join(letter for letter, true in is_it.items() if true)


def _is_first_leap(game: Description, piece: Piece, source: int, target: int) -> bool:
    """Whether a move is one of the leaps that the piece has for its first move alone."""
    if piece.letter not in game.first_moves:
        return False
    forward = -1 if piece.colour else 1  # the way its side looks
    files = target % game.files - source % game.files
    ranks = target // game.files - source // game.files
    usual = {(ride.files, ride.ranks) for ride in game.piece(piece.letter).moves}
    first = {(ride.files, ride.ranks) for ride in game.first_moves[piece.letter]}
    return (forward * files, forward * ranks) in first - usual


def _board(board: Board, description: Description) -> str:
    """A letter for each square, a1 first: upper case for White, a dot for none."""
    letters = {square: str(piece)[:1] for square, piece in board.items()}
    return "".join(letters.get(square, ".") for square in range(description.squares))


def _hands(position: Position) -> str:
    """The letters of all pieces in hand, White's in upper case."""
    white, black = (
        "".join(letter * count for letter, count in sorted(position.hand(side).items())) for side in (0, 1)
    )
    return white + black.lower()
