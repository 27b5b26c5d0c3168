"""The castling field of a FEN: the game's letters, files of rooks, and rights that cannot be used."""

import re
from collections.abc import Iterator, Mapping

from ..game.description import FILE_LETTERS, CastlingDescription, Description
from ..game.fen_error import FenError, shown
from ..game.moves import square_name
from ..game.state_fields import STATE_FIELDS
from .free_castling_field import first_square, read_free_rights

PieceMap = Mapping[int, tuple[int, str]]
LONGEST = 20  # letters


def read_castling(text: str, board: PieceMap, description: Description, notes: list[str]) -> tuple[str, str]:
    """(letters of the current rights, letters of mechanics, such as remaining setup choices) of a castling
    field. A right may also have the letter of its rook's file, as in Shredder's FEN. Adds sentences about
    unusable rights to `notes`. Raises FenError."""
    if not re.fullmatch(rf"-|[A-Za-z]{{1,{LONGEST}}}", text):
        raise FenError(f"castling: {shown(text)} should be letters like 'KQkq', or '-'")
    letters = text.strip("-")
    choices = _mechanic_letters(description)
    chosen = "".join(letter for letter in choices if letter in letters)
    given = "".join(letter for letter in letters if letter not in choices)
    if given and not description.castling:
        notes.append(f"castling: {given!r} is ignored: {description.name} has no castling")
    if not description.castling:
        return "", chosen
    if description.castling_free:
        return read_free_rights(given, board, description, notes), chosen
    named = _named(given, text, board, description, notes)
    if description.castling_once:  # the squares of king and rook matter only when the king castles
        return "".join(letter for letter in _all_letters(description) if letter in named), chosen
    backed = list(backed_rights(board, description))
    _note_unbacked({right: named[right] for right in named if right not in backed}, board, description, notes)
    if description.castling_by == "rights":
        backed = [letter for letter in backed if letter in named]
    return "".join(backed), chosen


def backed_rights(board: PieceMap, description: Description) -> Iterator[str]:
    """Yields the letters of the rights whose king and rook are on their squares, White's first."""
    for letter in _all_letters(description):
        if backed_wing(letter, board, description) is not None:
            yield letter


def backed_wing(letter: str, board: PieceMap, description: Description) -> int | None:
    """The number of the wing of a right whose king and rook are on their squares, or None."""
    side = int(letter.islower())
    for number, wing in enumerate(description.castling):
        if wing.letter == letter.upper():
            pieces = tuple(map(board.get, _squares(wing, side, description)))
            if pieces == ((side, description.castling_king), (side, wing.piece)):
                return number
    return None


def _all_letters(description: Description) -> str:
    """The letters of all rights, in the order in which they are written."""
    letters = "".join(dict.fromkeys(wing.letter for wing in description.castling))
    return letters + letters.lower()


def _mechanic_letters(description: Description) -> str:
    return "".join(each.letters(description) for each in STATE_FIELDS)


def _squares(wing: CastlingDescription, side: int, description: Description) -> tuple[int, int]:
    """The squares of king and rook of a side before castling."""
    first = first_square(description, side)
    return first + wing.king, first + wing.rook


def _named(
    given: str, text: str, board: PieceMap, description: Description, notes: list[str]
) -> dict[str, str]:
    """The rights in a field, by our letters, with the letter that was given for each."""
    own = {FILE_LETTERS[wing.rook].upper(): wing.letter for wing in description.castling}
    own |= {wing.letter: wing.letter for wing in description.castling}
    found: dict[str, str] = {}
    strange = ""
    for letter in given:
        if right := own.get(letter.upper()):
            found.setdefault(right if letter.isupper() else right.lower(), letter)
        elif letter.lower() in FILE_LETTERS[: description.files] or letter in "KQkq":
            strange += letter
        else:
            known = _all_letters(description) + _mechanic_letters(description)
            raise FenError(f"castling: {letter!r} in {shown(text)} is not one of {known}")
    if strange:
        files = " and ".join(dict.fromkeys(FILE_LETTERS[wing.rook] for wing in description.castling))
        reason = (
            f"{description.name} castles with rooks on {files}{_free_instead(strange, board, description)}"
        )
        notes.append(f"castling: {strange!r} in {text!r} is dropped: {reason}")
    return found


def _free_instead(letters: str, board: PieceMap, description: Description) -> str:
    """The end of a sentence about rights that a game has not: which game has them, or nothing."""
    wings = [(wing.letter, wing.piece) for wing in description.castling]
    has_sibling = description.castling_by == "rights" and [*"KQ"] == [letter for letter, _ in wings]
    if not has_sibling or not read_free_rights(letters, board, description, []):
        return ""
    return f"; {description.name}960 has rooks on any files"


def _note_unbacked(
    rights: dict[str, str], board: PieceMap, description: Description, notes: list[str]
) -> None:
    """Adds a sentence about rights whose king or rook is not on its square, with the letters that were
    given."""
    if not rights:
        return
    names = []
    for right in rights:
        for wing in description.castling:
            if wing.letter == right.upper():
                squares = _squares(wing, int(right.islower()), description)
                names.append(" and ".join(square_name(square, description.files) for square in squares))
    letters = "".join(rights.values())
    squares_and_game = ", ".join(names) + _free_instead(letters, board, description)
    notes.append(f"castling: {letters!r} cannot be used: king and rook do not stand on {squares_and_game}")
