"""Promotion in a game of Fairy-Stockfish's files: the promoted pieces, and the rule of each piece.

Two kinds of promotion share one region. Some pieces promote like pawns of chess, to a choice of others, as
they enter the region (`targets`). Others promote like pieces of shogi, to a form of their own, also as they
leave it (`forms`)."""

from dataclasses import dataclass, field
from typing import Any

from .draft import BOTH, ImportedGame, Piece
from .piece_types import KING

FORM_LETTERS = "tmaexuvwzyjiqocdhfgbklnprs"  # for promoted forms that need one, in this order


def find_promoted(game: ImportedGame) -> None:
    """Records which promoted pieces can occur, and for which side. Raises VariantError."""
    before = -1
    while before != (before := sum(len(piece.owners) for piece in game.used)):
        for piece in game.used:
            if game.returns:
                piece.owners |= BOTH
            for side in piece.owners:
                if _like_pawn(game, piece.kind, side) and _region_of(game, side):
                    for kind in game.settings.sets["promotionPieceTypes"][side]:
                        if kind in game.settings.letters:
                            game.pieces[game.settings.letters[kind]].owners.add(side)
    _find_forms(game)


def _like_pawn(game: ImportedGame, kind: str, side: int) -> bool:
    """Whether pieces of a kind promote to a choice of others."""
    if kind == KING:
        return False
    return kind == "pawn" or kind in game.settings.sets["promotionPawnTypes"][side]


def _region_of(game: ImportedGame, side: int) -> set[int]:
    keys = game.keys
    return keys.sides("promotionRegion", keys.rank_squares(8), keys.rank_squares(1))[side]


def _find_forms(game: ImportedGame) -> None:
    """Records the promoted form of each piece; forms that share a kind, or are already in use, get new
    letters."""
    settings = game.settings
    wanted = {
        piece.letter: settings.promoted[piece.kind]
        for piece in game.used
        if piece.kind in settings.promoted and any(_region_of(game, side) for side in piece.owners)
    }
    wanted |= {
        letter.lower(): settings.promoted[game.pieces[letter.lower()].kind]
        for before, letter in zip(game.board, game.board[1:], strict=False)
        if before == "+"
    }
    in_use = {piece.letter for piece in game.used}
    for base, kind in wanted.items():
        if kind not in settings.letters:
            raise settings.error("promotedPieceType", f"makes a {kind}, which this game does not have")
        _check_form(game, base, kind)
        letter = settings.letters[kind]
        if letter in in_use or list(wanted.values()).count(kind) > 1:
            free = next((x for x in FORM_LETTERS if x not in game.pieces), None)
            if free is None:
                raise settings.error("promotedPieceType", "needs more than 26 letters")
            letter = free
        piece = game.pieces[base]
        name = f"Promoted {piece.name}"
        game.pieces[letter] = Piece(letter, kind, name, owners=set(piece.owners))
        game.forms[base] = letter
    if game.forms and game.returns and game.keys.flag("dropLoop"):
        raise game.keys.error("dropLoop", "is not supported together with promotedPieceType")


def _check_form(game: ImportedGame, base: str, kind: str) -> None:
    """Refuses promoted forms that promote themselves or do not fit on the board."""
    settings, sides = game.settings, game.pieces[base].owners
    if kind in settings.promoted or any(_like_pawn(game, kind, side) for side in sides):
        reason = f"makes {settings.letters[kind]!r}, which promotes itself: not supported"
        raise settings.error("promotedPieceType", reason)
    if game.king and kind == game.king.kind:
        raise settings.error("promotedPieceType", f"makes the royal piece {settings.letters[kind]!r}")


@dataclass
class PromotionRule:
    """The promotion of a piece: `squares` for White, `must` ranks from its own side."""

    made: list[str]
    squares: set[int]
    leaves: bool = False  # as it leaves the zone, too
    captures: bool = False  # by captures alone
    must: set[int] = field(default_factory=set)


def read_promotion(game: ImportedGame) -> dict[str, Any]:
    """The part of our file. Raises VariantError."""
    demotes = game.keys.flag("pieceDemotion")
    rules: dict[str, PromotionRule] = {}
    for piece in game.used:
        if rule := _rule(game, piece):
            rules[piece.letter] = rule
    if demotes:
        if game.targets:
            reason = "is not supported together with promotionPieceTypes"
            raise game.keys.error("pieceDemotion", reason)
        for base, form in game.forms.items():
            if back := _form_rule(game, game.pieces[form], base):
                rules[form] = back
    for piece in game.used:
        _bar(game, piece, rules.get(piece.letter))
    for letter, rule in rules.items():
        game.pieces[letter].extra["promotes"] = "".join(rule.made).upper()
    _check_reversion(game)
    if not rules:
        return {}
    if game.keys.flag("sittuyinPromotion"):
        return _standing(game, rules) | _limit(game, rules) | {"plus": {}}
    return _part(game, rules) | _by_side(game, rules) | _limit(game, rules) | {"plus": _plus(game)}


def _standing(game: ImportedGame, rules: dict[str, PromotionRule]) -> dict[str, Any]:
    """Pawns that promote by moves of their own, to one kind of piece."""
    for letter, rule in rules.items():
        if game.pieces[letter].kind != "pawn" or len(rule.made) > 1 or game.turned:
            raise game.keys.error("sittuyinPromotion", "is supported only for pawns with a single promotion")
    return {
        "squares": {letter.upper(): game.named(rule.squares) for letter, rule in rules.items()},
        "on": ["stay"],
        "last": "".join(rules).upper(),
    }


def _plus(game: ImportedGame) -> dict[str, str]:
    """The promotions that are written with a `+`."""
    return {base.upper(): form.upper() for base, form in game.forms.items()}


def _rule(game: ImportedGame, piece: Piece) -> PromotionRule | None:
    """The promotion of a piece without its mandatory ranks; None if it does not promote."""
    keys = game.keys
    mandatory, captures = keys.flag("mandatoryPawnPromotion", True), keys.flag("piecePromotionOnCapture")
    like_pawn = {_like_pawn(game, piece.kind, side) for side in piece.owners}
    if len(like_pawn) > 1:
        raise game.settings.error("promotionPawnTypes", "differs between the sides, which is not supported")
    form = game.forms.get(piece.letter)
    if piece.letter in game.forms.values() or not (form or True in like_pawn):
        return None
    squares = game.zone(piece)
    if True not in like_pawn:
        return _form_rule(game, piece, form or "")
    if form and (piece.kind != "pawn" or captures):
        reason = f"{piece.letter!r} promotes to a choice of pieces as well, which is not supported"
        raise game.settings.error("promotedPieceType", reason)
    kinds = [kind for kind in _choices(game, piece) if kind in game.settings.letters]
    made = [game.settings.letters[kind] for kind in kinds]
    if made and squares:
        game.targets[piece.letter] = made
    made += [form] if form else []
    if not squares or not made:
        if squares and mandatory:  # it must promote there, and cannot
            ranks = keys.rank_numbers("promotionRegionWhite", squares)
            piece.extra["barred"] = sorted({*piece.extra.get("barred", []), *ranks})
        return None
    return PromotionRule(made, squares, must=set(keys.touched(squares)) if mandatory else set())


def _choices(game: ImportedGame, piece: Piece) -> list[str]:
    """The kinds that a piece may promote to, of both sides together if both have some."""
    sides = [game.settings.sets["promotionPieceTypes"][side] for side in sorted(piece.owners)]
    if all(sides) and len({frozenset(kinds) for kinds in sides}) > 1:
        return list(dict.fromkeys(kind for kinds in sides for kind in kinds))
    return game.kinds("promotionPieceTypes", piece)


def _by_side(game: ImportedGame, rules: dict[str, PromotionRule]) -> dict[str, str]:
    """What each side may promote to, where the sides differ."""
    letters, sides = game.settings.letters, game.settings.sets["promotionPieceTypes"]
    found = ["".join(letters[kind] for kind in kinds if kind in letters) for kinds in sides]
    forms = "".join(game.forms[letter] for letter in rules if letter in game.forms)
    both = all(piece.owners >= BOTH for piece in game.used if piece.letter in game.targets)
    if not game.targets or not both or set(found[0]) == set(found[1]):
        return {}
    white, black = ("".join(dict.fromkeys(side + forms)).upper() for side in found)
    return {"white": white, "black": black}


def _form_rule(game: ImportedGame, piece: Piece, made: str) -> PromotionRule | None:
    """The promotion of a piece of shogi, or of a piece that reverts."""
    squares = game.zone(piece)
    if not squares:
        return None
    must = set(game.keys.touched(squares)) if game.keys.flag("mandatoryPiecePromotion") else set()
    return PromotionRule([made], squares, True, game.keys.flag("piecePromotionOnCapture"), must)


def _bar(game: ImportedGame, piece: Piece, rule: PromotionRule | None) -> None:
    """Records the ranks where a piece would be stuck, if that is illegal."""
    keys = game.keys
    if not keys.flag("immobilityIllegal") or not (stuck := game.stuck_squares(piece)):
        return
    ranks = set(keys.rank_numbers("immobilityIllegal", stuck))
    if rule and not rule.captures and stuck <= rule.squares:
        rule.must |= ranks
    else:
        piece.extra["barred"] = sorted({*piece.extra.get("barred", []), *ranks})


def _part(game: ImportedGame, rules: dict[str, PromotionRule]) -> dict[str, Any]:
    keys = game.keys
    part: dict[str, Any] = {}
    whole = {letter: keys.touched(rule.squares) for letter, rule in rules.items()}
    shapes = {tuple(sorted(rule.squares)) for rule in rules.values()}
    if len(shapes) == 1 and all(len(r.squares) == len(whole[x]) * keys.files for x, r in rules.items()):
        part["zone"] = next(iter(whole.values()))
    else:
        part["squares"] = {letter.upper(): game.named(rule.squares) for letter, rule in rules.items()}
        part |= {"turned": True} if game.turned else {}
    leaving = [letter.upper() for letter, rule in rules.items() if rule.leaves]
    for rule in rules.values():
        for made in rule.made:
            region = game.pieces[made].region
            if region and (rule.leaves or not rule.squares <= region):
                reason = f"makes {made!r} on squares that it may not go to, which is not supported"
                raise game.settings.error("promotedPieceType", reason)
    part["on"] = ["enter", "leave"] if leaving else ["enter"]
    if leaving and len(leaving) < len(rules):
        part["on"] = {letter: ["enter", "leave"] for letter in leaving}
    if captures := "".join(letter.upper() for letter, rule in rules.items() if rule.captures):
        part["captures"] = captures
    if must := {letter.upper(): sorted(rule.must) for letter, rule in rules.items() if rule.must}:
        part["mandatory"] = must
    return part


def _limit(game: ImportedGame, rules: dict[str, PromotionRule]) -> dict[str, Any]:
    """The most pieces of a kind that can exist through promotions, including those from the start."""
    made = {letter for rule in rules.values() for letter in rule.made}
    limits: dict[str, int] = {}
    for kind, most in game.settings.limits.items():
        letters = [piece.letter for piece in game.of_kind(kind)]
        if not most or not made & set(letters):
            continue
        for base, form in game.forms.items():
            free = game.pieces[base].kind == "pawn" or game.keys.flag("mandatoryPiecePromotion")
            if form in letters and free:
                reason = f"does not limit {base!r} as it limits others, which is not supported"
                raise game.settings.error("promotionLimit", reason)
        limits["".join(letters).upper()] = most
    return {"limit": limits} if limits else {}


def _check_reversion(game: ImportedGame) -> None:
    """Checks that all captured promoted pieces revert to one kind, which has to be the first of those that
    promote. Raises VariantError."""
    if not (game.targets and game.returns) or game.keys.flag("dropLoop"):
        return
    kinds = set(game.settings.pawns)
    main = game.natural(kinds.pop() or "") if len(kinds) == 1 else None
    most = set(game.targets.get(main.letter, ())) if main else set()
    if main is None or not all(most.issuperset(made) for made in game.targets.values()):
        reason = "does not define the kind to which a promoted piece reverts, which is not supported"
        raise game.settings.error("promotionPawnTypes", reason)
    game.pieces = {main.letter: main} | game.pieces
