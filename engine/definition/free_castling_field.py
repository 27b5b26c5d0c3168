"""The castling field of games in which king and rooks castle from any files.

A right has the letter of its rook's file (`HAha`, as Shredder writes them). `K` and `Q` mean the outermost
rook on that side of the king; X-FEN writes them wherever they name the right rook.
"""

from collections.abc import Mapping

from ..game.description import FILE_LETTERS, Description
from ..game.fen_error import FenError, shown

PieceMap = Mapping[int, tuple[int, str]]


def read_free_rights(text: str, board: PieceMap, description: Description, notes: list[str]) -> str:
    """The rights that the letters of `text` name and the board allows, each as the letter of its rook's file,
    White's in capitals and first. Sentences about the others are added to `notes`. Raises FenError."""
    found: dict[tuple[int, int], str] = {}
    unusable = ""
    for letter in text:
        side = int(letter.islower())
        king, rooks = castlers(board, description, side)
        files = {"k": rooks[-1:], "q": rooks[:1]}.get(letter.lower())
        if files is not None and king is not None:
            files = [file for file in files if (file > king) == (letter.lower() == "k")]
        elif files is None and letter.lower() in FILE_LETTERS[: description.files]:
            files = [file for file in rooks if FILE_LETTERS[file] == letter.lower()]
        elif files is None:
            last = FILE_LETTERS[description.files - 1].upper()
            raise FenError(f"castling: {letter!r} in {shown(text)} is not one of KQkq or a file, A to {last}")
        if king is None or not files:
            unusable += letter
            continue
        wing = int(files[0] < king)
        name = FILE_LETTERS[files[0]]
        name = name if side else name.upper()
        if found.setdefault((side, wing), name) != name:
            raise FenError(f"castling: {shown(text)} has two rooks on one side of a king")
    if unusable:
        rank, other = description.castling_rank, description.ranks + 1 - description.castling_rank
        notes.append(
            f"castling: {unusable!r} cannot be used: no king with such a rook stands on rank"
            f" {rank} (White) or {other} (Black)"
        )
    return "".join(found[key] for key in sorted(found))


def castlers(board: PieceMap, description: Description, side: int) -> tuple[int | None, list[int]]:
    """(the file of a side's king, or None away from its castling rank, the files of its rooks there)."""
    first = first_square(description, side)
    men = [board.get(first + file) for file in range(description.files)]
    kings = [file for file, man in enumerate(men) if man == (side, description.castling_king)]
    rooks = [file for file, man in enumerate(men) if man == (side, description.castling_rook)]
    return (kings[0] if kings else None), rooks


def rook_square(letter: str, description: Description) -> int:
    """The square of the rook that a right is about."""
    return first_square(description, int(letter.islower())) + FILE_LETTERS.index(letter.lower())


def wing_of(letter: str, board: PieceMap, description: Description) -> int:
    """0 for a rook on the right of its king as White sees it, 1 on the left."""
    king, _ = castlers(board, description, int(letter.islower()))
    assert king is not None
    return int(FILE_LETTERS.index(letter.lower()) < king)


def all_free_rights(board: PieceMap, description: Description) -> str:
    """The rights of the outermost rooks, for positions that are set up without rights."""
    return read_free_rights("KQkq", board, description, [])


def write_x_fen(letters: str, board: PieceMap, description: Description) -> str:
    """The letters of rooks' files as X-FEN has them: `K`, `Q` for the outermost rook of its side."""
    return "".join(_x_fen(letter, board, description) for letter in letters)


def _x_fen(letter: str, board: PieceMap, description: Description) -> str:
    side, file = int(letter.islower()), FILE_LETTERS.find(letter.lower())
    king, rooks = castlers(board, description, side)
    if king is None or file not in rooks:
        return letter
    wing = int(file < king)
    return ("KQ", "kq")[side][wing] if file == (rooks[-1], rooks[0])[wing] else letter


def first_square(description: Description, side: int) -> int:
    """The square of the first file on a side's castling rank."""
    rank = description.castling_rank - 1
    return (description.ranks - 1 - rank if side else rank) * description.files
