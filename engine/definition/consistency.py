"""Checks that the parts of a game's file fit together, which no single key can tell."""

from typing import Protocol

from ..game.description import REVERTING, Description, PieceDescription, VariantError


class ErrorMaker(Protocol):
    """What the checks need of a `Reader`: the error for a key of the file."""

    def error(self, key: str, reason: str) -> VariantError: ...


def check_whole(top: ErrorMaker, description: Description) -> None:
    """Refuses a game whose parts contradict each other; `top` makes the VariantError."""
    royals = [piece.letter for piece in description.pieces if piece.royal]
    if len(royals) != 1:
        raise top.error("pieces", f"exactly one kind must be royal, not {len(royals)}")
    if len(description.pieces) > 60:
        raise top.error("pieces", "at most 60 kinds fit, those that promotions make included")
    for piece in description.pieces:
        _check_piece(top, description, piece)
    if sum(piece.no_drop_mate for piece in description.pieces) > 1:
        raise top.error("drops.no_mate", "at most one kind of piece")
    if description.castling and description.piece(description.castling_rook).royal:
        raise top.error("castling.rook", f"{description.castling_rook!r} is royal")
    if description.castling_once and description.castling_by != "position":
        raise top.error("castling.once", "goes with by = 'position' alone")
    if description.promotion_limit and description.has_drops:
        raise top.error("promotion.limit", "does not go with drops: what is captured comes back by itself")
    if not description.captures_to_hand and not description.has_drops:
        raise top.error("drops.captures", "has no effect in a game without drops")
    _check_drops(top, description)
    _check_placing(top, description)
    facing = description.facing_kings
    if facing and facing.result == "illegal" and facing.lasting:
        raise top.error("facing_kings.lasting", "does not go with result = 'illegal'")
    if description.checked_king and (description.merchants or description.bumping):
        raise top.error("checked_king", "does not go with merchants or bumping")
    _check_merchants(top, description)
    _check_pictures(top, description)
    _check_start(top, description)


def _check_piece(top: ErrorMaker, description: Description, piece: PieceDescription) -> None:
    where = f"pieces.{piece.letter}"
    if piece.promotes_to and not description.promotion_area(piece):
        raise top.error("promotion.zone", f"is missing, but {piece.letter!r} promotes")
    if piece.must_promote and not piece.promotes_to:
        raise top.error("promotion.mandatory", f"{piece.letter!r} has no 'promotes'")
    for key, has in (("squares", piece.promotion_squares), ("captures", piece.captures_promote)):
        if has and not piece.promotes_to:
            raise top.error(f"promotion.{key}", f"{piece.letter!r} has no 'promotes'")
    if not set(piece.must_promote) <= set(description.promotion_ranks(piece)):
        raise top.error("promotion.mandatory", f"{piece.letter!r} must promote outside of the zone")
    if piece.must_promote and "enter" not in description.promotes_on(piece):
        raise top.error("promotion.on", f"lacks 'enter', but {piece.letter!r} must promote")
    if (piece.steps or piece.en_passant) and not any(
        (move.files, move.ranks, move.quiet, move.capture) == (0, 1, True, False) for move in piece.moves
    ):
        raise top.error(f"{where}.steps", "only a piece with the move 'fmW' has longer steps")
    if (piece.steps or piece.en_passant) and (is_odd(piece) or piece.palace_moves or piece.restricted):
        raise top.error(f"{where}.steps", "only a piece that steps and leaps alone has longer steps")
    if piece.steps and description.promotes_on_leaving(piece):
        raise top.error(where, "longer steps do not go with promotion on leaving the zone")
    if piece.no_drop_mate and not piece.droppable:
        raise top.error("drops.no_mate", f"{piece.letter!r} cannot be dropped")
    if piece.no_drop_mate and any(move.reach != 1 or move.lame for move in piece.moves):
        raise top.error("drops.no_mate", f"{piece.letter!r} is neither a stepper nor a leaper")
    if piece.most_per_file and not piece.droppable:
        raise top.error("drops.one_per_file", f"{piece.letter!r} cannot be dropped")
    if piece.royal and any(move.lame or move.hop for move in piece.moves):
        raise top.error(f"{where}.moves", "a royal piece steps, leaps or slides")
    if piece.royal and any(move.quiet != move.capture for move in piece.moves):
        raise top.error(f"{where}.moves", "a royal piece captures as it moves")
    if piece.confined and piece.region:
        raise top.error(f"{where}.region", f"{piece.letter!r} is confined to the palace already")
    if piece.steps and piece.advanced:
        raise top.error(f"{where}.advanced", "does not go with longer steps")
    if piece.royal and piece.promotes_to:
        raise top.error(f"{where}.promotes", "a royal piece does not promote")


def _check_drops(top: ErrorMaker, description: Description) -> None:
    """Refuses rules of drops in games without, and those that do not go together."""
    for piece in description.pieces:
        if piece.drop_squares and not piece.droppable:
            raise top.error("drops.squares", f"{piece.letter!r} is not among drops.pieces")
        if piece.droppable and not description.dropped_on(piece):
            raise top.error("drops.squares", f"{piece.letter!r} could be dropped nowhere")
    for name, has in (("checks", description.drop_checks), ("promoted", description.drops_promoted)):
        if not has:
            continue
        if not description.has_drops:
            raise top.error(f"drops.{name}", "has no effect in a game without drops")
        if any(piece.no_drop_mate for piece in description.pieces):
            raise top.error(f"drops.{name}", "does not go with drops.no_mate")
        if any(piece.must_drop for piece in description.pieces):
            raise top.error(f"drops.{name}", "does not go with drops.must")
    if description.drops_promoted and not any(p.droppable and p.promotes_to for p in description.pieces):
        raise top.error("drops.promoted", "has no effect: nothing that is dropped promotes")


def _check_placing(top: ErrorMaker, description: Description) -> None:
    """Refuses drops that must be made beside what they do not go with."""
    for key, letters in (
        ("must", [piece.letter for piece in description.pieces if piece.must_drop]),
        ("both_colours", [piece.letter for piece in description.pieces if piece.both_colours]),
    ):
        for letter in letters:
            if not description.piece(letter).droppable:
                raise top.error(f"drops.{key}", f"{letter!r} is not among drops.pieces")
    dropped = {piece.letter for piece in description.pieces if piece.must_drop}
    royal = next(piece for piece in description.pieces if piece.royal)
    rook = next((piece for piece in description.pieces if piece.letter == description.castling_rook), royal)
    if description.castling_dropped and not (royal.droppable or rook.droppable):
        reason = f"needs {royal.letter!r} or {rook.letter!r} among drops.pieces"
        raise top.error("castling.dropped", reason)
    if description.castling_dropped and description.castling_by != "rights":
        raise top.error("castling.dropped", "goes with by = 'rights' alone")
    others = {
        "drops.no_mate": any(piece.no_drop_mate for piece in description.pieces),
        "passing": description.passing,
        "setup": bool(description.setup_swaps),
        "bare_king": description.bare_king is not None,
    }
    if royal.must_drop:
        others["facing_kings"] = description.facing_kings is not None
        others["castling.by"] = bool(description.castling) and description.castling_by == "position"
    for name, has in others.items():
        if dropped and has:
            raise top.error("drops.must", f"does not go with {name}")


def is_odd(piece: PieceDescription) -> bool:
    """Whether a piece has any move that is not a free leap: it slides, hops or can be blocked."""
    return any(move.reach != 1 or move.lame or move.hop for move in piece.moves)


def _check_merchants(top: ErrorMaker, description: Description) -> None:
    merchants, bumping = description.merchants, description.bumping
    for name, mechanic in (("merchants", merchants), ("bumping", bumping)):
        if mechanic and (description.has_drops or description.castling or description.promotion_zone):
            raise top.error(name, "does not go with drops, castling or promotion")
    if bumping and not merchants:
        raise top.error("bumping", "goes with merchants alone")


def _check_pictures(top: ErrorMaker, description: Description) -> None:
    pictures: dict[str, str] = {}
    for piece in description.pieces:
        if not piece.picture or piece.picture.endswith("token") or piece.letter.endswith(REVERTING):
            continue
        other = pictures.setdefault(piece.picture, piece.letter)
        if other != piece.letter:
            raise top.error(
                f"pieces.{piece.letter}.picture", f"{piece.picture!r} is the picture of {other!r}, too"
            )


def _check_start(top: ErrorMaker, description: Description) -> None:
    from . import fen

    try:
        setup = fen.parse(description.start_fen, description)
    except fen.FenError as error:
        raise top.error("start", str(error)) from None
    try:
        for swaps in ((), *((swap,) for swap in description.setup_swaps), description.setup_swaps):
            fen.parse(
                fen.write(fen.arranged(setup, description, swaps, swaps), "-", description), description
            )
    except fen.FenError as error:
        raise top.error("setup.swaps", str(error)) from None
