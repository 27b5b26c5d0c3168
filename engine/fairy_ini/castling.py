"""Castling keys of Fairy-Stockfish's files, as a part of our file."""

import re
from dataclasses import dataclass
from typing import Any

from ..game.description import FILE_LETTERS
from .draft import BLACK, WHITE, ImportedGame
from .piece_types import KING

FARTHEST = 11  # the file at which Fairy-Stockfish begins its search for the rook of a right `K`


@dataclass(frozen=True)
class Right:
    """A castling right: the files of king and rook, and the letter of the rook's kind."""

    king: int
    rook: int
    piece: str


@dataclass(frozen=True)
class CastlingPlaces:
    """The places of castling: files from 0, `targets` of the king by wing."""

    rank: int
    king: int
    targets: dict[str, int]
    rooks: dict[str, int]


def read_castling(game: ImportedGame) -> tuple[dict[str, Any], str]:
    """(the part of our file, empty without castling; the castling field of the start). Raises
    VariantError."""
    keys = game.keys
    places = CastlingPlaces(
        keys.number("castlingRank", 1, 1, 16),
        keys.file_index("castlingKingFile", 4),
        {"K": keys.file_index("castlingKingsideFile", 6), "Q": keys.file_index("castlingQueensideFile", 2)},
        {
            "K": keys.file_index("castlingRookKingsideFile", FARTHEST),
            "Q": keys.file_index("castlingRookQueensideFile", 0),
        },
    )
    enabled, by_dropped_rooks = keys.flag("castling", True), keys.flag("castlingDroppedPiece")
    if not enabled or places.rank > keys.ranks:
        return {}, "-"
    rights = {side: _rights(game, side, places) for side in (WHITE, BLACK)}
    if keys.flag("chess960"):
        return _free_part(game, places, rights, by_dropped_rooks)
    wings: dict[str, Right] = _dropped_wings(game, places) if by_dropped_rooks else {}
    dropped = bool(wings)
    for side in (WHITE, BLACK):
        for letter, right in rights[side].items():
            if wings.setdefault(letter, right) != right:
                key = "castlingDroppedPiece" if dropped else "startFen"
                reason = "with castling from other squares or with other pieces on one side is not supported"
                raise keys.error(key, reason)
    field = "".join(
        letter if side == WHITE else letter.lower()
        for side in (WHITE, BLACK)
        for letter in ("K", "Q")
        if letter in rights[side]
    )
    if wings and game.king is None:
        kings = {kind for kinds in game.settings.sets["castlingKingPiece"] for kind in kinds}
        if len(kings) > 1 or dropped:
            reason = (
                "castling of several kinds of kings, or of dropped ones that are not royal, is not supported"
            )
            raise game.settings.error("castlingKingPiece", reason)
        letter = game.settings.letters[kings.pop()].upper()
        return _part(game, places, wings, dropped) | {"king": letter}, field
    return (_part(game, places, wings, dropped) if wings else {}), field or "-"


def _free_part(
    game: ImportedGame, places: CastlingPlaces, rights: dict[int, dict[str, Right]], dropped: bool
) -> tuple[dict[str, Any], str]:
    """(castling from any files, the rights of the start by the files of their rooks)."""
    if dropped:
        raise game.keys.error("castlingDroppedPiece", "cannot be combined with chess960 here")
    if game.king is None and any(rights.values()):
        raise game.keys.error("chess960", "castling of a king that is not royal is not supported")
    found = [(side, right) for side in (WHITE, BLACK) for right in rights[side].values()]
    if not found:
        return {}, "-"
    if len({right.piece for _, right in found}) > 1:
        raise game.keys.error("chess960", "castling with several kinds of rooks is not supported")
    first = found[0][1]
    corners = {
        "K": Right(first.king, game.keys.files - 1, first.piece),
        "Q": Right(first.king, 0, first.piece),
    }
    wings = corners | {letter: right for side in (BLACK, WHITE) for letter, right in rights[side].items()}
    if any(right.king == right.rook for right in wings.values()):
        raise game.keys.error("chess960", "castling of a king in a corner is not supported")
    letters = (
        FILE_LETTERS[right.rook].upper() if side == WHITE else FILE_LETTERS[right.rook]
        for side, right in found
    )
    return _part(game, places, wings, False, free=True), "".join(letters)


def _row(game: ImportedGame, side: int, rank: int) -> list[str]:
    """The pieces of a side on a rank of the start, counted from its own side, by file."""
    rows = game.board.split("/")
    index = len(rows) - rank if side == WHITE else rank - 1
    if not 0 <= index < len(rows):
        return []
    cells: list[str] = []
    for token in re.findall(r"\d+|\+?[A-Za-z]~?", rows[index]):
        if token.isdigit():
            cells += [""] * int(token)
        else:
            cells.append(token.strip("~").lower() if token.strip("+~").isupper() == (side == WHITE) else "")
    return (cells + [""] * game.keys.files)[: game.keys.files]


def _rights(game: ImportedGame, side: int, places: CastlingPlaces) -> dict[str, Right]:
    """The castling rights of a side at the start. Rooks are found as Fairy-Stockfish finds them."""
    row = _row(game, side, places.rank)
    files = game.keys.files
    letters = game.settings.letters
    rooks = [letters[kind] for kind in game.settings.sets["castlingRookPieces"][side] if kind in letters]
    (king_kind,) = game.settings.sets["castlingKingPiece"][side] or ("",)
    found: dict[str, Right] = {}
    for token in _tokens(game, side, places):
        if token.isupper() != (side == WHITE) or not token.isalpha() or not row:
            continue
        way = {"K": range(min(places.rooks["K"], files - 1), -1, -1), "Q": range(places.rooks["Q"], files)}
        named = ord(token.upper()) - ord("A")
        looked = way.get(token.upper(), range(named, named + 1))
        rook = next((file for file in looked if file < files and row[file] in rooks), None)
        kings = [file for file in range(files) if row[file] == letters.get(king_kind, " ")]
        king = kings[0] if len(kings) == 1 else places.king
        if rook is None or king not in kings:
            continue  # Fairy-Stockfish also ignores such a right
        if game.king is not None and king_kind != game.king.kind:
            reason = "castling by another piece than the king is not supported"
            raise game.settings.error("castlingKingPiece", reason)
        wing = "K" if king < rook else "Q"
        if found.setdefault(wing, Right(king, rook, row[rook])) != Right(king, rook, row[rook]):
            raise game.keys.error(
                "startFen", "has two rooks for castling to one side, which is not supported"
            )
    return found


def _tokens(game: ImportedGame, side: int, places: CastlingPlaces) -> str:
    """The letters of the castling field that mean rights. With gates, files of king and rook mean one
    together, and only without a `K` or a `Q`."""
    field = game.fields[1]
    if not game.gates:
        return field
    letters = [letter for letter in field if letter.isupper() == (side == WHITE)]
    named = [letter for letter in letters if letter in "KQkq"]
    files = {FILE_LETTERS.find(letter.lower()) for letter in letters}
    if named or places.king not in files:
        return "".join(named)
    rooks = {"K": min(places.rooks["K"], game.keys.files - 1), "Q": places.rooks["Q"]}
    wings = "".join(wing for wing, file in rooks.items() if file in files)
    return wings if side == WHITE else wings.lower()


def _dropped_wings(game: ImportedGame, places: CastlingPlaces) -> dict[str, Right]:
    """The wings on which drops of king or rook can restore the castling right."""
    kinds = {tuple(kinds) for kinds in game.settings.sets["castlingRookPieces"]}
    kings = {tuple(kinds) for kinds in game.settings.sets["castlingKingPiece"]}
    rooks = [piece for kind in {kind for group in kinds for kind in group} for piece in game.of_kind(kind)]
    held = game.hands.lower()
    can = game.returns or any(piece.letter in held for piece in [*([game.king] if game.king else []), *rooks])
    if not (game.drops and can and rooks) or places.king >= game.keys.files:
        return {}
    if len(kinds) > 1 or kings != {(KING,)} or len(rooks) > 1:
        reason = "is supported only with castling of a king and one kind of rooks"
        raise game.keys.error("castlingDroppedPiece", reason)
    corners = {"Q": 0, "K": game.keys.files - 1}
    return {
        wing: Right(places.king, file, rooks[0].letter)
        for wing, file in corners.items()
        if file != places.king
    }


def _part(
    game: ImportedGame, places: CastlingPlaces, wings: dict[str, Right], dropped: bool, free: bool = False
) -> dict[str, Any]:
    part: dict[str, Any] = {"by": "rights", "rank": places.rank}
    part |= {"free": True} if free else {}
    part |= {"dropped": True} if dropped else {}
    pieces = list(dict.fromkeys(right.piece for right in wings.values()))
    part["rook"] = pieces[0].upper()
    for letter in sorted(wings):
        right, target = wings[letter], places.targets[letter]
        rook_to = target + (-1 if letter == "K" else 1)
        key = "castlingKingsideFile" if letter == "K" else "castlingQueensideFile"
        if not (0 <= target < game.keys.files and 0 <= rook_to < game.keys.files):
            raise game.keys.error(key, "leaves no room on this board for king and rook that castle")
        if target == right.king and not free:
            raise game.keys.error(key, "is the king's own file, which is not supported")
        if game.king and game.king.region:
            raise game.keys.error(
                key, "castling of a king that is restricted to some squares is not supported"
            )
        squares = {"king": right.king, "rook": right.rook, "king_to": target, "rook_to": rook_to}
        part[letter] = {name: FILE_LETTERS[file] for name, file in squares.items()}
        if right.piece.upper() != part["rook"]:
            part[letter]["piece"] = right.piece.upper()
    return part
