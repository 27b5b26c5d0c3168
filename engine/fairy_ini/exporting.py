"""Writes a game of ours as a section of Fairy-Stockfish's file, if the file format can express it."""

import re
from collections.abc import Iterable

from ..game.description import FEWER, REVERTING, Description, PieceDescription, VariantError
from . import fairy_betza
from .ini import templates
from .reimport import check_reimport

SIDES = ("White", "Black")
NEUTRAL = """
    pawn knight bishop rook queen fers alfil fersAlfil silver aiwok bers archbishop chancellor amazon knibis
    biskni kniroo rookni shogiPawn lance shogiKnight gold dragonHorse cannon janggiCannon soldier horse
    elephant janggiElephant banner wazir commoner centaur
"""


def export(game: Description) -> str:
    """The section for a `Description`, with a newline at its end; it imports as the same game. Raises
    VariantError for rules that the file format cannot express."""
    _refuse(game)
    keys: dict[str, str | int] = {"maxFile": game.files, "maxRank": game.ranks, "pieceToCharTable": "-"}
    keys |= dict.fromkeys(NEUTRAL.split(), "-") | {"king": "-"}
    keys |= _pieces(game)
    keys["startFen"] = _start(game)
    keys |= _promotion(game) | _drops(game) | _gates(game) | _castling(game) | _steps(game)
    keys |= _walls(game) | _special(game) | _end(game)
    lines = [f"{key} = {value}" for key, value in keys.items()]
    # Fairy-Stockfish ignores a section with the name of one of its built-in games
    name = f"surajang-{game.name}" if game.name in templates() else game.name
    text = "\n".join([f"[{name}:chess]", *lines]) + "\n"
    check_reimport(game, text)
    return text


def _refuse(game: Description) -> None:
    """Raises VariantError for mechanics without keys in Fairy-Stockfish's files."""
    for key, has in {
        "merchants": game.merchants,
        "bumping": game.bumping,
        "setup": game.setup_swaps,
        "palace": game.palace,
        "bare_king": game.bare_king is not None and (game.bare_king or not game.bare_reply),
        "facing_kings": game.facing_kings and game.facing_kings.result != "illegal",
        "castling": game.castling and (game.castling_by != "rights" or game.castling_once),
        "castling.mirrored": game.castling_mirrored,
        "drops.checks": game.drop_checks == "always",
        "end.moves": game.move_limit,
        "square_moves": game.square_moves,
        "truce": game.truce,
        "cells": game.cells,
        "colour_change": game.colour_change,
        "first_moves": game.first_moves,
        "rifle_captures": game.rifle_captures,
        "last_royal": game.last_royal,
        "promotion.turned": game.promotion_turned,
        "explosion.immune": game.explosion and game.explosion.immune,
        "extinction.opponent": game.extinction and game.extinction.opponent,
        "goal.wins": game.goal and game.goal.safe != game.goal.held,
    }.items():
        if has:
            raise VariantError(f"{game.path.name}: {key}: cannot be expressed in Fairy-Stockfish's files")


def _error(game: Description, key: str, reason: str) -> VariantError:
    return VariantError(f"{game.path.name}: {key}: {reason}, which Fairy-Stockfish's files cannot express")


def _pieces(game: Description) -> dict[str, str | int]:
    keys: dict[str, str | int] = {}
    number = 0
    for piece in game.kinds:
        letter, moves = piece.letter.lower(), fairy_betza.write(piece.betza)
        if piece.advanced:
            river = list(range(piece.advanced.ranks[0], game.ranks + 1))
            if (piece.betza, list(piece.advanced.ranks)) != ("fW", river):
                raise _error(game, f"pieces.{piece.letter}.advanced", "it is not a soldier")
            key, text = "soldier", letter
            keys["soldierPromotionRank"] = piece.advanced.ranks[0]
        elif piece.royal:
            key, text = "king", f"{letter}:{moves}"
        elif _is_pawn(piece):
            key, text = "pawn", letter
        elif piece.no_drop_mate:
            key, text = "shogiPawn", letter
            if moves != "fW":
                raise _error(game, "drops.no_mate", f"{piece.letter!r} is not a pawn of shogi")
        elif piece.both_colours and moves == "B":
            key, text = "bishop", letter
        elif piece.shielded == "hops" and moves == "pR":
            key, text = "janggiCannon", letter
        else:
            number += 1
            key, text = f"customPiece{number}", f"{letter}:{moves}"
        if key in keys:
            raise _error(game, f"pieces.{piece.letter}", "there are two kinds of pawns")
        keys[key] = text
        if piece.region:
            heading = key[0].upper() + key[1:]
            keys[f"mobilityRegionWhite{heading}"] = _squares(game, piece.region, 0)
            keys[f"mobilityRegionBlack{heading}"] = _squares(game, piece.region, 1)
    return keys


def _is_pawn(piece: PieceDescription) -> bool:
    return piece.betza == "fmWfcF" and bool(piece.promotes_to)


def _squares(game: Description, squares: Iterable[int], side: int) -> str:
    mirrored = [
        s if side == 0 else (game.ranks - 1 - s // game.files) * game.files + s % game.files for s in squares
    ]
    return " ".join(f"{'abcdefghijklmnop'[s % game.files]}{s // game.files + 1}" for s in sorted(mirrored))


def _ranks(game: Description, ranks: Iterable[int], side: int) -> str:
    return " ".join(f"*{rank if side == 0 else game.ranks + 1 - rank}" for rank in sorted(ranks)) or "-"


def _both(game: Description, key: str, ranks: Iterable[int]) -> dict[str, str | int]:
    return {f"{key}White": _ranks(game, ranks, 0), f"{key}Black": _ranks(game, ranks, 1)}


def _forms(game: Description) -> dict[str, str]:
    """Base letter -> letter of its promoted form: the form in the file, or the only kind it promotes to, if
    this is absent from the start."""
    if game.plus is not None:
        return dict(game.plus)
    start = game.start_fen.split(" ")[0].upper()
    return {
        p.letter: p.promotes_to[0]
        for p in game.kinds
        if len(p.promotes_to) == 1
        and not _is_pawn(p)
        and game.piece(p.promotes_to[0]).base == p.letter
        and (p.promotes_to[0] not in start or game.piece(p.promotes_to[0]).promotes_to == (p.letter,))
        and p.droppable >= game.piece(p.promotes_to[0]).droppable
    }


def _start(game: Description) -> str:
    """The start, with promoted pieces written like `+R`."""
    bases = {form: base for base, form in _forms(game).items()}
    board, rest = game.start_fen.split(maxsplit=1)

    def write(letter: re.Match[str]) -> str:
        base = bases.get(letter[0].upper())
        return letter[0] if base is None else f"+{base if letter[0].isupper() else base.lower()}"

    return f"{re.sub('[A-Za-z]', write, board)} {rest}"


def _promotion(game: Description) -> dict[str, str | int]:
    forms = _forms(game)
    demoted = {form for base, form in forms.items() if game.piece(form).promotes_to == (base,)}
    promoting = [piece for piece in game.kinds if piece.promotes_to]
    pawns = [piece for piece in promoting if piece.letter not in {*forms, *demoted} or _is_pawn(piece)]
    made = [[letter.removesuffix(REVERTING) for letter in piece.promotes_to] for piece in pawns]
    targets = {x for piece, row in zip(pawns, made, strict=True) for x in row if x != forms.get(piece.letter)}
    keys: dict[str, str | int] = {"promotionPieceTypes": "".join(sorted(targets)).lower() or "-"}
    # of several the last one is what captured pieces turn back to: the first in our file
    keys["promotionPawnTypes"] = "".join(piece.letter for piece in reversed(pawns)).lower() or "-"
    if game.promotion_limit:
        limits = [f"{letters}:{most}".lower() for letters, most in game.promotion_limit.items() if most]
        keys["promotionLimit"] = " ".join(limits) or "-"
    keys |= _promotion_region(game, promoting)
    if any(piece.captures_promote for piece in promoting):
        if pawns or not all(piece.captures_promote for piece in promoting):
            raise _error(game, "promotion.captures", "some pieces promote only by captures")
        keys["piecePromotionOnCapture"] = "true"
    zone = {rank for piece in promoting for rank in game.promotion_ranks(piece)}
    if any("stay" in game.promotes_on(piece) for piece in promoting):
        keys["sittuyinPromotion"] = "true"
    if pawns:
        if any(map(game.promotes_on_leaving, pawns)):
            raise _error(game, "promotion.on", "pawns promote as they leave the zone")
        keys["mandatoryPawnPromotion"] = str(set(pawns[0].must_promote) == zone).lower()
    others = [piece for piece in promoting if piece not in pawns]
    keys |= _promoted_forms(game, others, forms, demoted)
    if others and all(set(piece.must_promote) == zone for piece in others):
        keys["mandatoryPiecePromotion"] = "true"
    stuck = [piece for piece in promoting if piece.must_promote and set(piece.must_promote) != zone]
    barred = any(piece.barred for piece in game.kinds)
    keys["immobilityIllegal"] = str(bool(stuck) or barred or any(p.no_drop_mate for p in game.kinds)).lower()
    return keys


def _promotion_region(game: Description, promoting: list[PieceDescription]) -> dict[str, str | int]:
    """The squares of the promotion zone, which must be the same for all pieces that promote."""
    areas = set(map(game.promotion_area, promoting))
    if len(areas) > 1:
        raise _error(game, "promotion.squares", "pieces have zones of their own")
    if not areas:
        return _both(game, "promotionRegion", game.promotion_zone) if game.promotion_zone else {}
    zone = game.promotion_ranks(promoting[0])
    (area,) = areas
    if len(area) == len(zone) * game.files:
        return _both(game, "promotionRegion", zone)
    return {f"promotionRegion{name}": _squares(game, area, side) for side, name in enumerate(SIDES)}


def _promoted_forms(
    game: Description, others: list[PieceDescription], forms: dict[str, str], demoted: set[str]
) -> dict[str, str | int]:
    """The promoted forms of pieces other than pawns, and whether captured ones revert."""
    if not forms:
        return {}
    if any(game.promotes_on(piece) != {"enter", "leave"} for piece in others):
        raise _error(game, "promotion.on", "promotion is only on entering the zone")
    if demoted and demoted != set(forms.values()):
        raise _error(game, "pieces", "some promoted pieces revert and others do not")
    keys: dict[str, str | int] = {"pieceDemotion": "true"} if demoted else {}
    return keys | {"promotedPieceType": " ".join(f"{base}:{form}".lower() for base, form in forms.items())}


def _drops(game: Description) -> dict[str, str | int]:
    if not game.has_drops:
        return {"pieceDrops": "false", "capturesToHand": "false"}
    keys: dict[str, str | int] = {"pieceDrops": "true", "capturesToHand": str(game.captures_to_hand).lower()}
    if not any(piece.letter.endswith(REVERTING) for piece in game.pieces):
        made = {letter for piece in game.kinds for letter in piece.promotes_to}
        keys["dropLoop"] = str(any(game.piece(letter).droppable for letter in made)).lower()
    keys |= {"dropChecks": "false"} if game.drop_checks == "never" else {}
    if game.drops_promoted:
        forms = _forms(game)
        if any(piece.droppable and piece.promotes_to and piece.letter not in forms for piece in game.kinds):
            raise _error(game, "drops.promoted", "a piece that can be dropped promotes to several")
        keys["dropPromoted"] = "true"
    keys["shogiPawnDropMateIllegal"] = str(any(piece.no_drop_mate for piece in game.kinds)).lower()
    keys |= _drop_region(game) | _placement(game)
    doubled = {piece.letter: piece.most_per_file for piece in game.kinds if piece.most_per_file}
    if len(set(doubled.values())) > 1:
        raise _error(game, "drops.one_per_file", "files have limits for more than one kind")
    if nowhere := [piece.letter for piece in game.kinds if piece.droppable and not game.dropped_on(piece)]:
        keys |= {"dropNoDoubled": nowhere[0].lower(), "dropNoDoubledCount": 0}
    if doubled:
        keys |= {
            "dropNoDoubled": "".join(doubled).lower(),
            "dropNoDoubledCount": next(iter(doubled.values())),
        }
    for piece in game.kinds:
        if _is_pawn(piece) and piece.droppable:
            ranks = {square // game.files + 1 for square in game.dropped_on(piece)}
            keys["firstRankPawnDrops"] = str(1 in ranks).lower()
            keys["promotionZonePawnDrops"] = str(game.ranks in ranks).lower()
    return keys


def _drop_region(game: Description) -> dict[str, str | int]:
    """The ranks where all pieces may be dropped. Pawns of chess, and pieces that would be stuck, have keys of
    their own."""
    pieces = [piece for piece in game.kinds if game.dropped_on(piece) or not piece.droppable]
    dropped = [piece for piece in pieces if piece.droppable]
    only = {piece.drop_squares for piece in dropped if not _is_pawn(piece)} or {dropped[0].drop_squares}
    if len(only) > 1 or (only != {()} and any(p.drop_forbidden for p in pieces if not _is_pawn(p))):
        raise _error(game, "drops.squares", "pieces are dropped on squares of their own")
    if squares := next(iter(only)):
        return {f"dropRegion{name}": _squares(game, squares, side) for side, name in enumerate(SIDES)}
    taboo = {p.letter: set(p.drop_forbidden) for p in pieces if p.droppable}
    common = set.intersection(*taboo.values())
    for piece in pieces:
        if piece.droppable and not _is_pawn(piece) and taboo[piece.letter] - common - set(piece.must_promote):
            raise _error(game, "drops.forbidden", f"{piece.letter!r} has other ranks than the rest")
    return _both(game, "dropRegion", set(range(1, game.ranks + 1)) - common) if common else {}


def _placement(game: Description) -> dict[str, str | int]:
    """Mandatory drops, and bishops on both colours."""
    keys: dict[str, str | int] = {}
    must = [piece.letter for piece in game.kinds if piece.must_drop]
    if must:
        if len(must) not in (1, len(game.hand_pieces)):
            raise _error(game, "drops.must", "some of the pieces in hand must be dropped")
        keys["mustDrop"] = "true"
        keys |= {"mustDropType": must[0].lower()} if len(must) < len(game.hand_pieces) else {}
    both = [piece for piece in game.kinds if piece.both_colours]
    if both:
        if [piece.betza for piece in both] != ["B"]:
            raise _error(game, "drops.both_colours", "pieces other than bishops must stand on both colours")
        keys["dropOppositeColoredBishop"] = "true"
    return keys


def _walls(game: Description) -> dict[str, str | int]:
    rule = game.walls
    if rule is None:
        return {}
    region = {"wallingRegion": _squares(game, rule.squares, 0)} if rule.squares else {}
    return {"wallingRule": rule.rule, **region}


def _gates(game: Description) -> dict[str, str | int]:
    rule = game.gates
    if rule is None:
        return {}
    return {"gating": "true", "seirawanGating": "true", "pieceDrops": str(rule.drops).lower()}


def _castling(game: Description) -> dict[str, str | int]:
    if not game.castling:
        return {"castling": "false"}
    keys: dict[str, str | int] = {
        "castling": "true",
        "castlingRank": game.castling_rank,
        "castlingRookPieces": "".join(dict.fromkeys(wing.piece for wing in game.castling)).lower(),
        "castlingKingFile": "abcdefghijklmnop"[game.castling[0].king],
    }
    if game.castling_free:
        keys["chess960"] = "true"
    if game.castling_dropped:
        keys["castlingDroppedPiece"] = "true"
    for wing in game.castling:
        name = {"K": "King", "Q": "Queen"}[wing.letter]
        keys[f"castling{name}sideFile"] = "abcdefghijklmnop"[wing.king_to]
        keys[f"castlingRook{name}sideFile"] = "abcdefghijklmnop"[wing.rook]
    return keys


def _steps(game: Description) -> dict[str, str | int]:
    walkers = [piece for piece in game.kinds if piece.steps]
    if not walkers:
        return {"doubleStep": "false"}
    if any(not _is_pawn(piece) or not set(piece.steps.values()) <= {2, 3} for piece in walkers):
        raise _error(game, "pieces", "longer steps than a pawn's of two or three squares")
    triple = [rank for rank, far in walkers[0].steps.items() if far == 3]
    keys = {"doubleStep": "true", **_both(game, "doubleStepRegion", walkers[0].steps)}
    keys |= _both(game, "tripleStepRegion", triple) if triple else {}
    return keys | ({} if walkers[0].en_passant else {"enPassantRegion": "-"})


def _special(game: Description) -> dict[str, str | int]:
    keys: dict[str, str | int] = {"flyingGeneral": "true"} if game.facing_kings else {}
    keys |= {"pass": "true"} if game.passing else {}
    if game.goal:
        kinds = {piece.letter for piece in game.kinds}
        keys["flagPiece"] = "*" if kinds == set(game.goal.pieces) else game.goal.pieces.lower()
        keys["flagRegionWhite"] = _squares(game, game.goal.squares, 0)
        black = game.goal.black
        keys["flagRegionBlack"] = _squares(game, black, 0) if black else _squares(game, game.goal.squares, 1)
        if len(str(keys["flagPiece"])) != 1:
            raise _error(game, "goal.pieces", "several kinds may reach the goal")
    if game.co_royal:
        keys |= {"extinctionValue": "loss", "extinctionPieceTypes": game.co_royal.lower()}
        keys |= {"extinctionPseudoRoyal": "true", "extinctionPieceCount": game.squares}
    if game.checked_king:
        keys["makpongRule"] = "true"
    if game.check_limit:
        keys["checkCounting"] = "true"
    if game.bare_king is not None:
        keys |= {"extinctionValue": "loss", "extinctionPieceTypes": "*", "extinctionPieceCount": 1}
        keys |= {"extinctionOpponentPieceCount": 2, "extinctionClaim": "true"}
    return keys


def _end(game: Description) -> dict[str, str | int]:
    return {
        "checkmateValue": game.checkmate,
        "stalemateValue": "win" if game.stalemate == FEWER else game.stalemate,
        "stalematePieceCount": str(game.stalemate == FEWER).lower(),
        "nMoveRule": game.quiet_moves,
        "nFoldRule": game.repetition_times,
        "nFoldValue": {"white": "win", "black": "loss"}.get(game.repetition_result, game.repetition_result),
        "nFoldValueAbsolute": str(game.repetition_result in ("white", "black")).lower(),
        "perpetualCheckIllegal": str(game.repetition_perpetual_check == "loss").lower(),
    }
