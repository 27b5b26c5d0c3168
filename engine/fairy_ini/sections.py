"""Special rules and endings of Fairy-Stockfish's games, as parts of our file.

Each function takes the `ImportedGame` and returns a part of the table, empty if the game has no such rule.
Raises VariantError that names file, game, key and value."""

from typing import Any

from ..game.description import FEWER
from ..game.moves import WALL_RULES
from .draft import BLACK, WHITE, ImportedGame, Piece
from .ini import templates
from .other_keys import BARE_KING
from .piece_types import KING
from .settings import ALL

DIAGONAL_MOVES = {"wazir": "F", "soldier": "fF", "rook": "B", "janggiCannon": "pB"}


def read_facing_kings(game: ImportedGame) -> dict[str, Any]:
    keys = game.keys
    illegal, bikjang = keys.flag("flyingGeneral"), keys.flag("bikjangRule")
    if (illegal or bikjang) and game.king is None:
        key = "flyingGeneral" if illegal else "bikjangRule"
        raise keys.error(key, "is supported only with a king of each side")
    if illegal and bikjang:
        raise keys.error("bikjangRule", "cannot be combined with flyingGeneral, which forbids facing kings")
    if bikjang:
        return {"lines": ["file", "rank"], "lasting": True, "part": True, "result": "draw"}
    return {"lines": ["file", "rank"], "result": "illegal"} if illegal else {}


def read_passing(game: ImportedGame) -> dict[str, Any]:
    passes = [game.keys.flag(f"pass{side}") for side in ("White", "Black")]
    if passes[0] != passes[1]:
        key = "passWhite" if passes[0] else "passBlack"
        raise game.keys.error(key, "a pass for one side alone is not supported")
    return {"twice": "draw"} if passes[0] else {}


def read_palace(game: ImportedGame) -> dict[str, Any]:
    """The palaces of Janggi: squares joined by diagonals."""
    keys = game.keys
    lines = keys.region("diagonalLines") or set()
    if not lines:
        return {}
    first = keys.number("soldierPromotionRank", 1, 1, 16)
    for file in range(keys.files - 2):
        for rank in range(1, keys.ranks - 1):
            corner = (rank - 1) * keys.files + file
            palace = {
                corner + keys.files * up + right for up, right in ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2))
            }
            if lines == palace | keys.mirrored(palace) and not palace & keys.mirrored(palace) and first == 1:
                moves = {p.ours: found for p in game.used if (found := _diagonal_move(game, p))}
                files = "abcdefghijklmnop"[file : file + 3]
                return {"files": files, "ranks": [rank, rank + 1, rank + 2], "diagonals": moves}
    raise keys.error("diagonalLines", "should be the corners and the centre of two palaces of 3 x 3 squares")


def _diagonal_move(game: ImportedGame, piece: Piece) -> str:
    """The moves that a piece has along the diagonals of a palace."""
    if piece.kind == KING:  # a king that the file itself defines as a wazir has none
        moves = game.settings.moves.get(KING)
        return "F" if moves and moves.section in templates() and moves.text == "W" else ""
    return DIAGONAL_MOVES.get(piece.kind, "")


def read_goal(game: ImportedGame) -> dict[str, Any]:
    keys = game.keys
    white, black = keys.sides("flagRegion", set(), set())
    flagged = {
        side: {piece.letter for kind in game.settings.sets["flagPiece"][side] for piece in game.of_kind(kind)}
        for side in (WHITE, BLACK)
    }
    owned = {
        side: {piece.letter for piece in game.used if side in piece.owners} & flagged[side]
        for side in (WHITE, BLACK)
    }
    wins = {side: owned[side] if region else set() for side, region in ((WHITE, white), (BLACK, black))}
    letters = wins[WHITE] | wins[BLACK]
    if not letters:
        return {}
    for side, name in ((WHITE, "White"), (BLACK, "Black")):
        others = {piece.letter for piece in game.used if side in piece.owners and piece.letter in letters}
        if others - wins[side]:
            key = f"flagRegion{name}" if not (white, black)[side] else f"flagPiece{name}"
            raise keys.error(key, "gives only the other side a goal for these pieces, which is not supported")
    pieces = "".join(piece.ours for piece in game.used if piece.letter in letters)
    if not white:
        white = keys.mirrored(black)
    black = black or keys.mirrored(white)
    part: dict[str, Any] = {"pieces": pieces, "squares": game.named(white)}
    part |= {"black": game.named(black)} if white != keys.mirrored(black) else {}
    return part | _goal_wins(game, letters)


def _goal_wins(game: ImportedGame, letters: set[str]) -> dict[str, Any]:
    """When a piece on its goal wins, if not at once."""
    keys = game.keys
    moves_on, safe = keys.flag("flagMove"), keys.flag("flagPieceSafe")
    royal = game.king is not None and game.king.letter in letters
    if moves_on and safe:
        raise keys.error("flagPieceSafe", "is not supported together with flagMove")
    if safe and royal:
        raise keys.error("flagPieceSafe", "is supported only for pieces that are not royal")
    if moves_on and not royal:
        if game.king:
            raise keys.error("flagMove", "is supported only for the king, or in games without kings")
        return {"wins": "held"}
    return {"reply": True} if moves_on else {"wins": "safe"} if safe else {}


def read_check_limit(game: ImportedGame) -> int:
    """The number of checks that wins; one if the start does not give it. If the start gives another number
    for each side, it is the greater one: `written_start` has both."""
    keys = game.keys
    if not keys.flag("checkCounting"):
        return 0
    counts = (game.checks or "1+1").split("+")
    if len(counts) != 2 or not set(counts) <= set("123456789"):
        raise keys.error("startFen", f"counts of checks {game.checks!r} should be like '3+3'")
    return max(map(int, counts))


def read_explosion(game: ImportedGame) -> dict[str, Any]:
    """The pieces that a capture explodes. Pawns of chess are spared."""
    keys = game.keys
    if not keys.flag("blastOnCapture"):
        return {}
    if game.king is not None and game.king.kind == KING:
        raise keys.error("blastOnCapture", "is supported only if kings are commoners, lost by extinction")
    immune = letters_in(game, "blastImmuneTypes")
    part = {"spared": "".join(piece.ours for piece in game.of_kind("pawn"))}
    return part | ({"immune": immune} if immune else {})


def letters_in(game: ImportedGame, key: str) -> str:
    """The letters of the pieces in use of the kinds in a key."""
    return "".join(piece.ours for kind in game.settings.sets[key][WHITE] for piece in game.of_kind(kind))


def read_walls(game: ImportedGame) -> dict[str, Any]:
    """Where moves put walls."""
    keys = game.keys
    rule = keys.choice("wallingRule", ("none", *WALL_RULES), "none")
    white, black = keys.sides("wallingRegion", keys.everywhere, keys.everywhere)
    if rule == "none":
        return {}
    if white != black:
        raise keys.error("wallingRegionWhite", "differs between the sides, which is not supported")
    if not white:
        raise keys.error("wallingRegionWhite", "has no square for a wall, which is not supported")
    return {"rule": rule} | ({"squares": game.named(white)} if white != keys.everywhere else {})


def read_kings(game: ImportedGame) -> str:
    """The side that alone has a king, or nothing."""
    king = game.king
    if king is None:
        return ""
    stands = [letter in game.board + game.hands for letter in (king.ours, king.letter)]
    return {(True, False): "white", (False, True): "black"}.get((stands[0], stands[1]), "")


def read_extinction(game: ImportedGame) -> dict[str, Any]:
    """`bare_king` or `extinction` of our file, by its name; empty without such a rule."""
    if bare := _read_bare_king(game):
        return {"bare_king": bare}
    keys, settings = game.keys, game.settings
    value, types = keys.text("extinctionValue", "none"), settings.sets["extinctionPieceTypes"][0]
    if keys.flag("extinctionPseudoRoyal") and (read_co_royal(game) or read_last_royal(game)):
        return {}  # they are never taken, or not the last ones
    if value == "none" or not types or (game.king and game.king.kind in types):
        return {}
    if types != settings.sets["extinctionPieceTypes"][1]:
        raise settings.error("extinctionPieceTypes", "differs between the sides, which is not supported")
    if keys.flag("extinctionClaim"):
        raise keys.error("extinctionClaim", "is supported only if a bare king loses")
    owned = {side: {piece.kind for piece in game.used if side in piece.owners} for side in (WHITE, BLACK)}
    letters = [piece.ours for kind in types if kind != ALL for piece in game.of_kind(kind)]
    if not letters and ALL not in types:
        return {}
    if any(kind != ALL and not (kind in owned[WHITE] and kind in owned[BLACK]) for kind in types):
        raise settings.error("extinctionPieceTypes", "names pieces that one side never has: not supported")
    left = keys.number("extinctionPieceCount", 0, 0, 20)
    rule: dict[str, Any] = {"pieces": "all" if ALL in types else "".join(letters), "result": value}
    opponent = keys.number("extinctionOpponentPieceCount", 0, 0, 20)
    rule |= {"opponent": opponent} if opponent else {}
    return {"extinction": rule | ({"left": left} if left else {})}


def read_co_royal(game: ImportedGame) -> str:
    """The letters of the kinds that are royal besides the king, however many a side has of them."""
    keys, types = game.keys, game.settings.sets["extinctionPieceTypes"]
    king = game.king
    alike = types[0] == types[1] and ALL not in types[0] and king is not None and king.kind not in types[0]
    most = keys.number("extinctionPieceCount", 0, 0, 256)
    if not keys.flag("extinctionPseudoRoyal") or not alike or keys.flag("dupleCheck"):
        return ""
    if most < keys.files * keys.ranks:
        return ""
    return letters_in(game, "extinctionPieceTypes")


def read_last_royal(game: ImportedGame) -> dict[str, Any]:
    """The kinds that are royal while a side has few of them, in a game without other royal pieces."""
    keys, types = game.keys, game.settings.sets["extinctionPieceTypes"]
    alike = types[0] == types[1] and types[0] and ALL not in types[0]
    if not keys.flag("extinctionPseudoRoyal") or keys.flag("blastOnCapture") or game.king or not alike:
        return {}
    pieces = letters_in(game, "extinctionPieceTypes")
    most = keys.number("extinctionPieceCount", 0, 0, 256) + 1
    if not pieces or most > 20:
        return {}
    part: dict[str, Any] = {"pieces": pieces}
    part |= {"most": most} if most > 1 else {}
    part |= {"duple": True} if keys.flag("dupleCheck") else {}
    made = set(game.forms.values()) & {piece.lower() for piece in pieces}
    return part | ({"promotion_saves": False} if made else {})


def _read_bare_king(game: ImportedGame) -> dict[str, Any]:
    """The loss of a bare king, if the keys of extinction define it."""
    keys = game.keys
    value = keys.choice("extinctionValue", ("loss", "win", "draw", "none"), "none")
    counts = {
        key: keys.number(key, 0, 0, 256) for key in ("extinctionPieceCount", "extinctionOpponentPieceCount")
    }
    reply, royal = keys.flag("extinctionClaim"), keys.flag("extinctionPseudoRoyal")
    types = game.settings.sets["extinctionPieceTypes"][0]
    is_king = game.king is not None and [game.king.kind] == types
    # They are royal even without a result by extinction
    several = read_co_royal(game) or read_last_royal(game)
    if royal and any(map(game.of_kind, types)) and not is_king and not several:
        raise keys.error("extinctionPseudoRoyal", "several royal pieces are not supported")
    if value == "none" or not types or royal:
        return {}
    found = {"extinctionValue": value, "extinctionPieceTypes": "".join(types)}
    found |= {key: str(number) for key, number in counts.items()}
    if found != BARE_KING or game.king is None:
        return {}
    if game.drops:
        raise keys.error("extinctionPieceCount", "counts pieces in hand as well, which is not supported")
    return {"result": "loss", "spared": "", "reply": reply}


def read_end(game: ImportedGame, castles: bool) -> dict[str, Any]:
    keys = game.keys
    stalemate = keys.choice("stalemateValue", ("draw", "loss", "win"), "draw")
    if keys.flag("stalematePieceCount") and stalemate != "draw":
        if stalemate == "loss":
            raise keys.error("stalematePieceCount", "is supported only with stalemateValue = win")
        stalemate = FEWER
    checkmate = keys.choice("checkmateValue", ("loss", "win", "draw"), "loss")
    if checkmate == "draw":
        raise keys.error("checkmateValue", "is not supported: mate loses or wins here")
    part: dict[str, Any] = {"checkmate": checkmate, "stalemate": stalemate}
    moves, times = keys.number("nMoveRule", 50, 0, 1000), keys.number("nFoldRule", 3, 0, 9)
    if times == 1:
        raise keys.error("nFoldRule", "should be 0 or from 2 to 9")
    value = keys.choice("nFoldValue", ("draw", "loss", "win"), "draw")
    if keys.flag("nFoldValueAbsolute"):
        value = {"draw": "draw", "loss": "black", "win": "white"}[value]
    repetition: dict[str, Any] = {"times": times, "result": value}
    if keys.flag("perpetualCheckIllegal"):
        repetition["perpetual_check"] = "loss"
    compares = ["castling"] * castles
    compares += ["en_passant"] * any(piece.extra.get("en_passant") for piece in game.used)
    if compares:
        repetition["compares"] = compares
    part["repetition"] = repetition
    return part | ({"quiet_moves": moves} if moves else {})
