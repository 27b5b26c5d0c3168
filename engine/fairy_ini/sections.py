"""Drops, castling and the end of a game of Fairy-Stockfish's files, as parts of a file of ours.

Each function takes the `ImportedGame` and gives a part of the table, empty where the game has none. Raises
VariantError that names file, section, key and value."""

import re
from typing import Any

from ..game.description import FILE_LETTERS
from ..game.moves import square_name
from .draft import ImportedGame, letters_of, row_of, stuck_ranks
from .other_keys import BARE_KING

MOST_DOUBLED = 16


def read_drops(game: ImportedGame) -> dict[str, Any]:
    keys = game.keys
    captures, loop = keys.flag("capturesToHand"), keys.flag("dropLoop")
    first, late = keys.flag("firstRankPawnDrops"), keys.flag("promotionZonePawnDrops")
    region = keys.both_regions("dropRegion", keys.rank_squares(range(1, keys.ranks + 1)))
    ranks = sorted({square // keys.files + 1 for square in region})
    calm, promoted = not keys.flag("dropChecks", True), keys.flag("dropPromoted")
    doubled, most = (
        letters_of(game, "dropNoDoubled", "-"),
        keys.number("dropNoDoubledCount", 1, 1, MOST_DOUBLED),
    )
    no_mate, immobile = keys.flag("shogiPawnDropMateIllegal"), keys.flag("immobilityIllegal")
    must_kinds = letters_of(game, "mustDropType", "*") if keys.flag("mustDrop") else []
    keys.seen.add("mustDropType")
    both_colours, first_rank_rooks = keys.flag("dropOppositeColoredBishop"), keys.flag("sittuyinRookDrop")
    if not game.drops:
        if captures:
            raise keys.error("capturesToHand", "does not go without pieceDrops here")
        return {}
    made = {letter for forms in game.forms.values() for letter in forms}
    held = set(game.start[0].partition("[")[2].lower())
    dropped = [
        piece
        for piece in game.pieces.values()
        if piece.letter in game.used - made
        and (piece.letter in held if piece.royal or not captures else True)
    ]
    must = "".join(piece.ours for piece in dropped if piece.letter in must_kinds)
    if game.king in dropped and game.king.ours not in must:
        raise keys.error("startFen", "has a king in hand that need not be dropped: cannot be said here")
    zone = keys.both_regions("promotionRegion", keys.rank_squares([keys.ranks]))
    forbidden = {}
    for piece in dropped:
        taboo = set(range(1, keys.ranks + 1)) - set(ranks)
        if piece.kind == "pawn":
            taboo |= (set() if first else {1}) | (
                set() if late else {square // keys.files + 1 for square in zone}
            )
        taboo |= set(stuck_ranks(game, piece)) if immobile else set()
        if piece.kind == "rook" and first_rank_rooks:
            taboo |= set(range(2, keys.ranks + 1))
        if taboo:
            forbidden[piece.ours] = sorted(taboo)
    part: dict[str, Any] = {"pieces": "".join(piece.ours for piece in dropped)}
    part |= {} if captures else {"captures": False}
    part |= {"must": must} if must else {}
    if both_colours:
        part["both_colours"] = "".join(piece.ours for piece in dropped if piece.kind == "bishop")
    part |= {"forbidden": forbidden} if forbidden else {}
    if len(region) != len(ranks) * keys.files:
        part["squares"] = [square_name(square, keys.files) for square in sorted(region)]
    pawns = [piece.ours for piece in dropped if piece.kind == "shogiPawn"]
    part |= {"no_mate": pawns[0]} if no_mate and pawns and not calm else {}
    part |= {"checks": "never"} if calm else {}
    part |= {"promoted": True} if promoted and any(piece.letter in game.forms for piece in dropped) else {}
    files = {letter.upper(): most for letter in doubled if game.pieces[letter] in dropped}
    part |= {"one_per_file": files} if files else {}
    return part | ({"reverts": True} if captures and not loop and not game.demotes else {})


def read_castling(game: ImportedGame) -> dict[str, Any]:
    keys = game.keys
    targets = {"K": keys.file_index("castlingKingsideFile"), "Q": keys.file_index("castlingQueensideFile")}
    given = {
        "K": keys.file_index("castlingRookKingsideFile"),
        "Q": keys.file_index("castlingRookQueensideFile"),
    }
    rank, king = keys.number("castlingRank", 1, 1, keys.ranks), keys.file_index("castlingKingFile")
    rooks = letters_of(game, "castlingRookPieces", "r" if "r" in game.pieces else "-")
    piece = keys.text("castlingKingPiece", game.king.letter)
    dropped = _castles_by_drops(game, [game.king.letter, *rooks])
    if not game.castles and not dropped:
        return {}
    if piece.lower() != game.king.letter:
        raise keys.error("castlingKingPiece", "castling by another piece than the king cannot be said here")
    if len(rooks) != 1:
        raise keys.error("castlingRookPieces", "castling with several kinds, or none, cannot be said here")
    row = row_of(game, rank)
    if dropped:
        placed = _castling_row(game, king, rooks[0])
        if game.castles and any(row[f : f + 1] != [man] for f, man in enumerate(placed) if man != " "):
            raise keys.error(
                "castlingDroppedPiece", "goes with other squares than at the start: cannot be said here"
            )
        row = placed
    king = row.index(game.king.ours) if game.king.ours in row else king
    if king is None:
        raise keys.error("castlingRank", f"no king stands on rank {rank} at the start")
    places = [file for file, man in enumerate(row) if man == rooks[0].upper()]
    found = {"K": max([f for f in places if f > king], default=None)}
    found["Q"] = min([f for f in places if f < king], default=None)
    part: dict[str, Any] = {"by": "rights", "rank": rank, "rook": rooks[0].upper()}
    part |= {"dropped": True} if dropped else {}
    for letter, beside, usual in (("K", -1, 6), ("Q", 1, 2)):
        if not dropped and letter not in game.start[2].upper():
            continue
        rook = found[letter] if given[letter] is None else given[letter]
        wanted = targets[letter]
        target = usual if wanted is None else wanted
        if rook is None and given[letter] is None:  # Fairy-Stockfish ignores such a right as well
            game.start[2] = re.sub(letter, "", game.start[2], flags=re.IGNORECASE) or "-"
            continue
        if rook is None or not 0 <= target + beside < keys.files:
            raise keys.error("startFen", f"has the castling right {letter!r}, but no rook or no room for it")
        squares = {"king": king, "rook": rook, "king_to": target, "rook_to": target + beside}
        part[letter] = {key: FILE_LETTERS[file] for key, file in squares.items()}
    return part


def _castles_by_drops(game: ImportedGame, letters: list[str]) -> bool:
    """Whether drops of the pieces with these letters can bring the right to castle."""
    keys = game.keys
    held = game.start[0].partition("[")[2].lower()
    come_back = keys.flag("capturesToHand") or any(letter in held for letter in letters)
    return keys.flag("castlingDroppedPiece") and keys.flag("castling", True) and game.drops and come_back


def _castling_row(game: ImportedGame, king: int | None, rook: str) -> list[str]:
    """The rank of castling as it is when king and rooks are dropped for it."""
    row = [" "] * game.keys.files
    row[0] = row[-1] = rook.upper()
    row[4 if king is None else king] = game.king.ours
    return row


# Mechanics and the end


def read_facing_kings(game: ImportedGame) -> dict[str, Any]:
    if not game.keys.flag("flyingGeneral"):
        return {}
    return {"lines": ["file", "rank"], "result": "illegal"}


def read_goal(game: ImportedGame) -> dict[str, Any]:
    keys = game.keys
    both = keys.region("flagRegion")
    white, black = (keys.region(f"flagRegion{side}") for side in ("White", "Black"))
    white, black = (both if white is None else white), (both if black is None else black)
    flags = letters_of(game, "flagPiece", "-")
    if not flags or not (white or black):
        return {}
    if not white or not black:
        key = f"flagRegion{'Black' if white else 'White'}"
        raise keys.error(key, "is empty while the other side's is not: cannot be said here")

    def named(squares: set[int]) -> list[str]:
        return [square_name(square, keys.files) for square in sorted(squares)]

    pieces = "".join(letter.upper() for letter in flags if letter in game.used)
    part: dict[str, Any] = {"pieces": pieces, "squares": named(white)}
    return part | ({"black": named(black)} if white != keys.mirrored(black) else {})


def read_check_limit(game: ImportedGame) -> int:
    keys = game.keys
    if not keys.flag("checkCounting"):
        return 0
    counts = (game.checks or "3+3").strip("+").split("+")
    if len(counts) != 2 or counts[0] != counts[1] or counts[0] not in tuple("123456789"):
        raise keys.error(
            "startFen", f"counts of checks {game.checks!r} cannot be said here; they should be like '3+3'"
        )
    return int(counts[0])


def read_bare_king(game: ImportedGame) -> dict[str, Any]:
    """The loss of a king that is left alone, where the keys of extinction say so."""
    keys = game.keys
    told = {key: keys.text(key, "none") for key in BARE_KING}
    reply = keys.flag("extinctionClaim")
    if told["extinctionValue"] == "none" or told["extinctionPieceTypes"] in ("none", "-", ""):
        return {}
    for key, wanted in BARE_KING.items():
        if told[key] != wanted and wanted is not None:
            raise keys.error(key, "cannot be said here: only a king that is left alone may lose so")
    return {"result": "loss", "spared": "", "reply": reply}


def read_end(game: ImportedGame) -> dict[str, Any]:
    keys = game.keys
    stalemate = keys.choice("stalemateValue", ("draw", "loss", "win"), "draw")
    part: dict[str, Any] = {"checkmate": "loss", "stalemate": stalemate}
    moves, times = keys.number("nMoveRule", 50, 0, 1000), keys.number("nFoldRule", 3, 0, 9)
    if times == 1:
        raise keys.error("nFoldRule", "should be 0 or from 2 to 9")
    value = keys.choice("nFoldValue", ("draw", "loss", "win"), "draw")
    if keys.flag("nFoldValueAbsolute") and value != "draw":
        raise keys.error("nFoldValueAbsolute", "a value that White alone has cannot be said here")
    repetition: dict[str, Any] = {"times": times, "result": value}
    if keys.flag("perpetualCheckIllegal"):
        repetition["perpetual_check"] = "loss"
    if game.castles or keys.flag("castlingDroppedPiece"):
        repetition["compares"] = ["castling", "en_passant"]
    part["repetition"] = repetition
    return part | ({"quiet_moves": moves} if moves else {})
