"""Moves as people write them, in every game: `Nf3`, `exd6`, `P@e4`, `O-O`, `e8=Q+`, `--` for a pass.

The form is SAN as in the PGN standard and in Fairy-Stockfish. A piece has the letter that the game's file
gives it; the pawn of chess has none. A promotion is written `=` and the letter of the new piece, an entry at
a gate `/` and its letter, with the square if the move castles: `Nc3/H`, `O-O/He1`. The square of a wall
follows a comma: `Nf3,e5`. A setup choice is written in the engine's notation. `san_reading` reads moves."""

from ..game.description import REVERTING, Description, PieceDescription
from ..game.moves import (
    ACTION_SHIFT,
    ACTIONS,
    CASTLING,
    DROP,
    EN_PASSANT,
    KIND_SHIFT,
    NORMAL,
    PASS,
    PROMOTION,
    SETUP,
    Move,
    entry_of,
    entry_square,
    spell,
    square_name,
)
from ..game.piece import BLACK, WHITE, Piece
from .position_like import PositionLike

COLOURS = ("White", "Black")
PASS_TEXT = "--"
PAWN = "P"  # the letter that a pawn of chess has and SAN leaves out
DECIDED = ("1-0", "0-1")
STEPS = (NORMAL, PROMOTION, EN_PASSANT)  # actions that move one piece from a square to another


class Names:
    """What SAN calls squares and pieces of a game: `squares` by number and `numbers` by name, `letters` by
    kind, the place of a piece in the game's file. `pawn` is the kind without a letter, -1 where all have
    one."""

    def __init__(self, description: Description) -> None:
        self.moves = _Moves(description)
        pieces, start = description.pieces, description.start_fen.partition(" ")[0]
        self.pieces = tuple(
            (_piece(piece, WHITE, start), _piece(piece, BLACK, start)) for piece in pieces
        )  # by kind and colour
        self.letters = tuple(piece.letter[0] for piece in pieces)
        self.squares = tuple(square_name(square, description.files) for square in range(description.squares))
        self.numbers = {name: square for square, name in enumerate(self.squares)}
        pawns = [kind for kind, piece in enumerate(pieces) if _is_pawn_of_chess(description, kind)]
        self.pawn = pawns[0] if pawns else -1
        self.no_kind = len(pieces)  # what stands on an empty square

    def move(self, code: int) -> Move:
        """The `Move` of a code, made once."""
        return self.moves[code]


class _Moves(dict[int, Move]):
    """The moves of a game by code, each made with its first use."""

    def __init__(self, description: Description) -> None:
        super().__init__()
        self._description = description

    def __missing__(self, code: int) -> Move:
        move = self[code] = spell(code, self._description)
        return move


def _piece(piece: PieceDescription, colour: int, start: str) -> Piece:
    """The `Piece` for a kind of piece. A kind that also occurs at the start is not distinguished from a
    promoted one."""
    promoted = piece.letter.endswith(REVERTING) or (piece.promoted and piece.letter not in start)
    return Piece(piece.letter[0], piece.name, colour, promoted)


def _is_pawn_of_chess(description: Description, kind: int) -> bool:
    """Whether a piece is called P, and its captures and quiet moves differ. Pieces of games with walls that
    never capture are no pawns."""
    piece = description.pieces[kind]
    differs = any(move.quiet and not move.capture for move in piece.moves)
    captures = not description.walls or any(move.capture for move in piece.moves)
    return piece.letter == PAWN and differs and captures


_names: dict[int, tuple[Description, Names]] = {}  # by identity: a `Description` has no cheap hash


def names_of(description: Description) -> Names:
    """The `Names` of a game, made once."""
    found = _names.get(id(description))
    if found is None:
        found = _names[id(description)] = (description, Names(description))
    return found[1]


def san(position: PositionLike, move: Move) -> str:
    """A legal move in SAN."""
    return label(position, move) + check_mark(played(position, move))


def lan(position: PositionLike, move: Move) -> str:
    """A legal move in long algebraic notation: `Ng1-f3`, `e4xd5`; castling, drops and passes as in SAN."""
    return label(position, move, long=True) + check_mark(played(position, move))


def played(position: PositionLike, move: Move) -> PositionLike:
    """A copy of the position after a legal move."""
    after = position.copy(stack=False)
    after.push_legal(move)
    return after


def check_mark(after: PositionLike) -> str:
    """The suffix of a move's SAN, by the position after it: `#` if a side has won by rule, `+` for a check.
    As in other programs, `#` means every win on the board, and repetition does not count."""
    check = after.is_check()
    if not after.legal_codes():
        result = after.result()
        if result is not None and result.score in DECIDED:
            return "#"
    return "+" if check else ""


def label(position: PositionLike, move: Move, long: bool = False) -> str:
    """A legal move in SAN, or with `long` in LAN, without the mark of a check."""
    wall = move.wall
    return _label(position, move, long) + (f",{wall}" if wall else "")


def _label(position: PositionLike, move: Move, long: bool) -> str:
    """The label of a move without its wall."""
    names = names_of(position.description)
    code = move.code
    action, source, target = code >> ACTION_SHIFT & ACTIONS, code >> 8 & 255, code & 255
    if action == SETUP:
        return move.text
    if action == PASS:
        return PASS_TEXT
    if action == DROP:
        return f"{names.letters[code >> KIND_SHIFT & 63]}@{names.squares[target]}"
    if action == CASTLING:
        short = position.description.castles_short(source, target)
        return ("O-O" if short else "O-O-O") + _entry(position, code, names)
    kind = int(position.state["board"][source])
    takes = action == EN_PASSANT or (source != target and position.state["board"][target] != names.no_kind)
    letter = "" if kind == names.pawn else names.letters[kind]
    if long:
        origin, sign = names.squares[source], "x" if takes else "-"
    elif letter:
        origin, sign = _distinction(position, names, source, target), "x" if takes else ""
    else:
        origin, sign = _pawn_origin(position, names, source, target, takes), "x" if takes else ""
    becomes = f"={names.letters[code >> KIND_SHIFT & 63]}" if action == PROMOTION else ""
    return f"{letter}{origin}{sign}{names.squares[target]}{becomes}{_entry(position, code, names)}"


def _entry(position: PositionLike, code: int, names: Names) -> str:
    """The piece that enters at a gate with a move, and in castling its square, or ""."""
    hand = entry_of(code)
    if hand < 0:
        return ""
    castles = code >> ACTION_SHIFT & ACTIONS == CASTLING
    square = names.squares[entry_square(code, position.description)] if castles else ""
    return f"/{position.description.hand_pieces[hand].letter}{square}"


def _rivals(position: PositionLike, names: Names, source: int, target: int) -> set[int]:
    """The squares of other pieces with the same letter that may move to the target as well."""
    kinds, letter = position.state["board"], names.letters[position.state["board"][source]]
    origins = {
        code >> 8 & 255
        for code in position.legal_codes()
        if code & 255 == target and code >> ACTION_SHIFT & ACTIONS in STEPS
    }
    return {origin for origin in origins if origin != source and names.letters[kinds[origin]] == letter}


def _distinction(position: PositionLike, names: Names, source: int, target: int) -> str:
    """File, rank or square of a piece if another one with its letter may move to the target, else ""."""
    rivals, files = _rivals(position, names, source, target), position.description.files
    name = names.squares[source]
    if not rivals:
        return ""
    if all(other % files != source % files for other in rivals):
        return name[0]
    if all(other // files != source // files for other in rivals):
        return name[1:]
    return name


def _pawn_origin(position: PositionLike, names: Names, source: int, target: int, takes: bool) -> str:
    """The file of a pawn that captures or leaves its file; its square if another pawn of that file may move
    to the target as well, which is impossible for pawns of chess."""
    files, name = position.description.files, names.squares[source]
    if any(other % files == source % files for other in _rivals(position, names, source, target)):
        return name
    return name[0] if takes or source % files != target % files else ""
