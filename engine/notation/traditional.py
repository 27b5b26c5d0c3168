"""Moves in the notations of shogi, xiangqi and Janggi; `traditional_reading` reads them, SAN is in `san`.

`usi` (`7g7f`, `B*5e`, `8h2b+`), `hodges` (`P-7f`, `G6i-5h`, `Bx2b+`, `B*5e`), `hodges-numbers` (`P-76`) and
`hosking` (`P76`, `B'55`) count files from White's right and ranks from the far side.
https://en.wikipedia.org/wiki/Shogi_notation#Western_notation

`wxf` (`H2+3`, `C2=5`, `R+=4`) counts files from the mover's right. Pieces on one file are `+` and `-`, the
front and the rear one; advisors and elephants need no such sign. Where the text fits two moves, as it never
does in xiangqi, the squares stand for it.
http://www.wxf.org/xq/computer/wxf_notation.html

`korean` (`P71-72`, `E44x72`) has ranks from the far side, the tenth as 0, then files from White's left.
http://www.janggi.pl/janggi-notation/
"""

from ..game.description import Description
from ..game.moves import ACTION_SHIFT, ACTIONS, DROP, EN_PASSANT, PASS, PROMOTION, SETUP, Move
from .position_like import PositionLike
from .san import PASS_TEXT, check_mark, played

SHOGI = ("usi", "hodges", "hodges-numbers", "hosking")
XIANGQI = ("wxf", "korean")
NOTATIONS = ("san", "lan", *SHOGI, *XIANGQI)
USUAL_LETTERS = {"N": "H", "B": "E"}  # of the horse and the elephant in WXF and Janggi
BY_FILE = "AE"  # of two of these on a file, only one can go forward or back
PAWN = "P"
HOSKING_DROP = "'"
WHITE = 0


def check_notation(notation: str, game: Description) -> None:
    """Raises ValueError for an unknown notation and for one that cannot express the moves of a game."""
    if notation not in NOTATIONS:
        raise ValueError(f"{notation!r} is not a notation; they are {', '.join(NOTATIONS)}")
    if notation in SHOGI:
        reason = _not_as_shogi(game)
    else:
        reason = _not_as_xiangqi(game) if notation in XIANGQI else ""
    if reason:
        raise ValueError(f"{notation!r} cannot write the moves of {game.name}: {reason}")


def _not_as_shogi(game: Description) -> str:
    """The reason why moves of a game cannot be written as in shogi, or ""."""
    if game.files > 9 or game.ranks > 9:
        return "the board has more than 9 files or ranks"
    if game.castling:
        return "there is castling"
    several = [piece for piece in game.pieces if len(piece.promotes_to) > 1]
    return f"the {several[0].name} has several promotions" if several else ""


def _not_as_xiangqi(game: Description) -> str:
    """The reason why moves of a game cannot be written as in xiangqi, or ""."""
    if game.files > 9 or game.ranks > 10:
        return "the board has more than 9 files or 10 ranks"
    if game.castling or game.has_drops:
        return "there is castling" if game.castling else "there are drops"
    return "there are promotions" if any(piece.promotes_to for piece in game.pieces) else ""


def write(board: PositionLike, move: Move, notation: str) -> str:
    """A legal move in a traditional notation."""
    action = move.code >> ACTION_SHIFT & ACTIONS
    if action in (PASS, SETUP):
        return PASS_TEXT if action == PASS else move.text
    if notation == "korean":
        return _korean(board, move) + check_mark(played(board, move))
    if notation == "wxf":
        return move.text if _fits_another(board, move) else _wxf(board, move)
    if notation == "usi":
        return _usi(board, move)
    origin = origin_of(board, move, notation) if _has_rival(board, move) else ""
    return shogi_move(board, move, notation, origin)


# Shogi


def _shogi_square(board: PositionLike, square: int, letters: bool) -> str:
    """A square by its file from White's right and its rank from the far side, a letter or a number."""
    rank, file = divmod(square, board.description.files)
    row = board.description.ranks - 1 - rank
    return f"{board.description.files - file}{chr(ord('a') + row) if letters else row + 1}"


def _usi(board: PositionLike, move: Move) -> str:
    action, target = move.code >> ACTION_SHIFT & ACTIONS, _shogi_square(board, move.code & 255, True)
    if action == DROP:
        return f"{move.text[0]}*{target}"
    return f"{_shogi_square(board, move.code >> 8 & 255, True)}{target}{'+' * (action == PROMOTION)}"


def origin_of(board: PositionLike, move: Move, notation: str) -> str:
    """The square from which a move starts, in a notation of shogi."""
    return _shogi_square(board, move.code >> 8 & 255, notation == "hodges")


def shogi_move(board: PositionLike, move: Move, notation: str, origin: str) -> str:
    """A move as in Western books about shogi, with an origin or without (""). `=` is a refused promotion."""
    target = _shogi_square(board, move.code & 255, notation == "hodges")
    if move.is_drop:
        return f"{move.text[0]}{HOSKING_DROP if notation == 'hosking' else '*'}{target}"
    quiet = "-" if origin or notation != "hosking" else ""
    sign = "x" if takes(board, move) else quiet
    return f"{_shogi_letter(board, move)}{origin}{sign}{target}{_end(board, move)}"


def _end(board: PositionLike, move: Move) -> str:
    """`+` for a promotion, `=` where the move could also promote, else ""."""
    if move.code >> ACTION_SHIFT & ACTIONS == PROMOTION:
        return "+"
    return "=" * any(
        code >> ACTION_SHIFT & ACTIONS == PROMOTION for code in _steps_to(board, move, same_origin=True)
    )


def _shogi_letter(board: PositionLike, move: Move) -> str:
    """The letter of the moving piece, `+R` for a promoted rook."""
    kind = board.description.pieces[int(board.state["board"][move.code >> 8 & 255])]
    return f"+{kind.base[0]}" if kind.promoted and kind.base != kind.letter else kind.letter[0]


def _steps_to(board: PositionLike, move: Move, same_origin: bool) -> list[int]:
    """The legal moves on the board to the target of a move, from its origin or from others."""
    source, target = move.code >> 8 & 255, move.code & 255
    codes = (
        code
        for code in board.legal_codes()
        if code & 255 == target and code >> ACTION_SHIFT & ACTIONS != DROP
    )
    return [code for code in codes if (code >> 8 & 255 == source) == same_origin]


def _has_rival(board: PositionLike, move: Move) -> bool:
    """Whether another piece of the same kind may move to the target, and promote or not as the move does."""
    if move.is_drop:
        return False
    kinds, action = board.state["board"], move.code >> ACTION_SHIFT & ACTIONS
    kind = kinds[move.code >> 8 & 255]
    others = _steps_to(board, move, same_origin=False)
    return any(kinds[code >> 8 & 255] == kind and code >> ACTION_SHIFT & ACTIONS == action for code in others)


def takes(board: PositionLike, move: Move) -> bool:
    """Whether a move on the board captures."""
    occupied = int(board.state["board"][move.code & 255]) != board.rules.no_kind
    return occupied or move.code >> ACTION_SHIFT & ACTIONS == EN_PASSANT


# Xiangqi and Janggi


def _usual_letter(board: PositionLike, square: int) -> str:
    letter = board.description.pieces[int(board.state["board"][square])].letter[0]
    return USUAL_LETTERS.get(letter, letter)


def _korean(board: PositionLike, move: Move) -> str:
    files, ranks = board.description.files, board.description.ranks
    source, target = (
        f"{(ranks - square // files) % 10}{square % files + 1}"
        for square in (move.code >> 8 & 255, move.code & 255)
    )
    sign = "x" if takes(board, move) else "-"
    return f"{_usual_letter(board, move.code >> 8 & 255)}{source}{sign}{target}"


def _place(board: PositionLike, square: int) -> tuple[int, int]:
    """The file of a square from the mover's right, from 1, and its rank, which grows towards the enemy."""
    rank, file = divmod(square, board.description.files)
    return (board.description.files - file, rank) if board.turn == WHITE else (file + 1, -rank)


def wxf_step(board: PositionLike, move: Move) -> str:
    """The step of a WXF move: `=5` sideways, `+3` and `-3` forward and back, by ranks on the same file and to
    a file otherwise."""
    (file, rank), (to_file, to_rank) = (
        _place(board, square) for square in (move.code >> 8 & 255, move.code & 255)
    )
    if to_rank == rank:
        return f"={to_file}"
    return f"{'+' if to_rank > rank else '-'}{abs(to_rank - rank) if to_file == file else to_file}"


def _wxf(board: PositionLike, move: Move) -> str:
    return wxf_origin(board, move) + wxf_step(board, move)


def _fits_another(board: PositionLike, move: Move) -> bool:
    """Whether another move has the same text in WXF: two advisors of Janggi on one file step to the next one,
    or a piece that moves like a chariot and like a horse reaches a file whose number is that of the ranks."""
    action, step = move.code >> ACTION_SHIFT & ACTIONS, wxf_step(board, move)
    rivals = [
        other
        for other in board.legal_moves
        if other != move and other.code >> ACTION_SHIFT & ACTIONS == action and wxf_step(board, other) == step
    ]
    return any(_wxf(board, other) == _wxf(board, move) for other in rivals)


def wxf_file(board: PositionLike, move: Move) -> str:
    """The piece of a move by its letter and file, for a piece that is alone on the file."""
    source = move.code >> 8 & 255
    return f"{_usual_letter(board, source)}{_place(board, source)[0]}"


def _columns(board: PositionLike, move: Move) -> dict[int, list[int]]:
    """File from the mover's right -> ranks of the pieces like the moving one, front first."""
    kind, columns = int(board.state["board"][move.code >> 8 & 255]), dict[int, list[int]]()
    letter = board.description.pieces[kind].letter
    for square in board.pieces(letter, board.turn):
        file, rank = _place(board, square)
        columns.setdefault(file, []).append(rank)
    return {file: sorted(ranks, reverse=True) for file, ranks in columns.items()}


def wxf_tandem(board: PositionLike, move: Move) -> str:
    """The piece of a move by its place among those on its file, or "" where it is alone on it.

    The front one of two is `R+`, the rear one `R-`. Pawns can be more: from the front `P+`, `P3`, `P-`; four
    are `++`, `P+`, `P-`, `--`, and five have `P3` in the middle. Where two files have several pawns, the file
    stands for the letter: `3+`, `33`, `3-`."""
    file, rank = _place(board, move.code >> 8 & 255)
    columns, letter = _columns(board, move), wxf_file(board, move)[0]
    column = columns[file]
    if len(column) == 1:
        return ""
    signs = {2: "+-", 3: f"+{file}-", 4: "*+-/", 5: f"*+{file}-/"}[min(len(column), 5)]
    sign = signs[min(column.index(rank), 4)]
    if sign in "*/":
        return "++" if sign == "*" else "--"
    crowded = sum(len(ranks) > 1 for ranks in columns.values()) > 1
    return f"{file if crowded and letter == PAWN else letter}{sign}"


def wxf_origin(board: PositionLike, move: Move) -> str:
    """The piece of a move in WXF."""
    named = wxf_file(board, move)
    return named if named[0] in BY_FILE else wxf_tandem(board, move) or named
