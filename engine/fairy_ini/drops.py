"""Drop rules of Fairy-Stockfish's files, as a part of our file."""

from typing import Any

from .draft import ImportedGame, Piece
from .settings import ALL

MOST_DOUBLED = 16


def read_drops(game: ImportedGame) -> dict[str, Any]:
    """The part of our file; empty without drops. Raises VariantError."""
    keys = game.keys
    dropped = [piece for piece in game.used if _is_dropped(game, piece)] if game.drops else []
    if not dropped:
        return {}
    part: dict[str, Any] = {"pieces": _letters(dropped)}
    part |= {} if game.returns else {"captures": False}
    part |= _duty(game, dropped) if keys.flag("mustDrop") else {}
    part |= _both_colours(game, dropped) if keys.flag("dropOppositeColoredBishop") else {}
    doubled = _doubled(game, dropped)
    part |= _places(game, dropped, doubled)
    if not keys.flag("dropChecks", True):
        part["checks"] = "never"
    elif keys.flag("shogiPawnDropMateIllegal"):
        pawns = [piece.ours for piece in dropped if piece.kind == "shogiPawn"]
        part |= {"no_mate": pawns[0]} if pawns else {}
    part |= _promoted(game, dropped) if keys.flag("dropPromoted") else {}
    files = {letter.upper(): most for letter, most in doubled.items() if most}
    part |= {"one_per_file": files} if files else {}
    return part | ({"reverts": True} if _reverts(game) else {})


def read_gates(game: ImportedGame, drops: dict[str, Any]) -> dict[str, Any]:
    """Gates for the pieces in hand; empty without them. Raises VariantError."""
    keys = game.keys
    if keys.flag("cambodianMoves") and keys.flag("gating"):
        return {}
    if keys.flag("gating") != game.gates:
        key = "seirawanGating" if game.gates else "gating"
        raise keys.error(key, "is supported only where both gating and seirawanGating are true")
    if not game.gates or not drops:
        return {}
    return {"pieces": drops["pieces"]} | ({"drops": True} if keys.flag("pieceDrops") else {})


def _reverts(game: ImportedGame) -> bool:
    """Whether a captured promoted piece reverts to its base form in the hand."""
    return game.returns and not game.keys.flag("dropLoop") and not game.keys.flag("pieceDemotion")


def _is_only_made(game: ImportedGame, piece: Piece) -> bool:
    """Whether a piece occurs only by promotion."""
    start = (game.board + game.hands).lower()
    return piece.letter not in start and any(piece.letter in made for made in game.targets.values())


def _letters(pieces: list[Piece]) -> str:
    return "".join(piece.ours for piece in pieces)


def _is_dropped(game: ImportedGame, piece: Piece) -> bool:
    if piece.letter in game.forms.values() or (_reverts(game) and _is_only_made(game, piece)):
        return False
    comes = game.returns or game.keys.flag("twoBoards")
    return piece.letter in game.hands.lower() or (comes and not piece.royal)


def _duty(game: ImportedGame, dropped: list[Piece]) -> dict[str, str]:
    """Drops that are mandatory."""
    (kind,) = game.settings.sets["mustDropType"][0] or (ALL,)
    must = [piece for piece in dropped if kind in (piece.kind, ALL)]
    if any(piece.royal for piece in dropped if piece not in must):
        reason = "has a king in hand that need not be dropped, which is not supported"
        raise game.keys.error("startFen", reason)
    return {"must": _letters(must)} if must else {}


def _both_colours(game: ImportedGame, dropped: list[Piece]) -> dict[str, str]:
    """Bishops that must be dropped on squares of both colours."""
    bishops = [piece for piece in dropped if piece.kind == "bishop"]
    if bishops and len(game.of_kind("bishop")) > 1:
        reason = "counts promoted bishops as well, which is not supported"
        raise game.keys.error("dropOppositeColoredBishop", reason)
    return {"both_colours": _letters(bishops)} if bishops else {}


def _doubled(game: ImportedGame, dropped: list[Piece]) -> dict[str, int]:
    """The piece of which only a limited number may be dropped on a file."""
    most = game.keys.number("dropNoDoubledCount", 1, 0, MOST_DOUBLED)
    found: dict[str, int] = {}
    for kind in game.settings.sets["dropNoDoubled"][0]:
        pieces = game.of_kind(kind)
        made = {letter for targets in game.targets.values() for letter in targets}
        if most and (len(pieces) > 1 or (pieces and pieces[0].letter in made)):
            reason = "counts promoted pieces as well, which is not supported"
            raise game.settings.error("dropNoDoubled", reason)
        found |= {piece.letter: most for piece in pieces if piece in dropped}
    return found


def _squares(game: ImportedGame, piece: Piece, doubled: dict[str, int]) -> set[int]:
    """The squares, for White, where the square keys allow drops of a piece."""
    keys = game.keys
    rook_drops = keys.flag("sittuyinRookDrop")
    first, late = keys.flag("firstRankPawnDrops"), keys.flag("promotionZonePawnDrops")
    region = game.shared(piece, "dropRegion", keys.everywhere, keys.everywhere)
    if piece.kind == "pawn":
        region -= set() if late else game.zone(piece)
        region -= set() if first else keys.rank_squares(1)
    if piece.kind == "rook" and rook_drops:
        region &= keys.rank_squares(1)
    if keys.flag("immobilityIllegal"):
        region -= game.stuck_squares(piece)
    region = region - keys.rank_squares(*piece.extra.get("barred", ()))
    return set() if doubled.get(piece.letter) == 0 else region


def _places(game: ImportedGame, dropped: list[Piece], doubled: dict[str, int]) -> dict[str, Any]:
    """The drop squares of pieces: by ranks or, if ranks cannot describe them, by squares."""
    keys = game.keys
    forbidden, only = {}, {}
    for piece in dropped:
        free = _squares(game, piece, doubled)
        open_ranks = keys.touched(free)
        taboo = sorted(set(range(1, keys.ranks + 1)) - set(open_ranks))
        if len(free) != len(open_ranks) * keys.files:
            only[piece.ours] = game.named(free)
        elif taboo:
            forbidden[piece.ours] = taboo
    return ({"forbidden": forbidden} if forbidden else {}) | ({"squares": only} if only else {})


def _promoted(game: ImportedGame, dropped: list[Piece]) -> dict[str, Any]:
    """Pieces that are dropped in their promoted form."""
    keys = game.keys
    if not any(piece.letter in game.forms for piece in dropped):
        return {}
    if keys.flag("immobilityIllegal"):
        for piece in dropped:
            form = game.pieces[game.forms.get(piece.letter, piece.letter)]
            if game.stuck_squares(piece) != game.stuck_squares(form):
                reason = f"{piece.letter!r} and its promoted form are stuck on other squares: not supported"
                raise keys.error("dropPromoted", reason)
    return {"promoted": True}
