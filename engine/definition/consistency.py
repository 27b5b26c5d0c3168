"""Checks that combine several keys of a game's file."""

from ..game.description import REVERTING, Description, PieceDescription
from ..game.table_reader import TableReader
from ..mechanics import MECHANICS
from . import fen


def check_whole(top: TableReader, description: Description) -> None:
    """Raises an error from `top` if parts of a game contradict each other."""
    royals = [piece.letter for piece in description.royals]
    ends = (description.extinction, description.goal, description.last_royal, description.stalemate != "draw")
    if not (royals or any(ends)):
        raise top.error(
            "pieces",
            "no kind is royal, so the game needs [extinction], [last_royal], [goal]"
            " or a decisive end.stalemate",
        )
    if len(description.pieces) > 60:
        raise top.error("pieces", "at most 60 kinds fit, including those that promotions make")
    for piece in description.pieces:
        _check_piece(top, description, piece)
    if sum(piece.no_drop_mate for piece in description.pieces) > 1:
        raise top.error("drops.no_mate", "at most one kind of piece")
    _check_castling(top, description, royals)
    if description.castling_once and description.castling_by != "position":
        raise top.error("castling.once", "is only possible with by = 'position'")
    if not description.captures_to_hand and not description.has_drops:
        raise top.error("drops.captures", "has no effect in a game without drops")
    _check_drops(top, description)
    for mechanic in MECHANICS:
        mechanic.check_game(top, description)
    _check_pictures(top, description)
    _check_start(top, description)


def _check_castling(top: TableReader, description: Description, royals: list[str]) -> None:
    for wing in description.castling:
        if wing.piece in (*royals, description.castling_king):
            is_king = "royal" if wing.piece in royals else "the king that castles"
            raise top.error("castling.rook", f"{wing.piece!r} is {is_king}")
    king = description.castling_king
    if description.castling and not king:
        raise top.error(
            "castling.king",
            "is missing: no kind in [pieces] is royal, so the file names the piece that castles",
        )
    if description.castling and royals and king not in royals:
        raise top.error("castling.king", f"{king!r} is not royal, but {royals[0]!r} is")


def _check_piece(top: TableReader, description: Description, piece: PieceDescription) -> None:
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
        (abs(move.files) <= 1, move.ranks, move.quiet, move.capture) == (True, 1, True, False)
        for move in piece.moves
    ):
        raise top.error(f"{where}.steps", "only a piece with the move 'fmW' or 'fmF' has longer steps")
    if (piece.steps or piece.en_passant) and (is_odd(piece) or piece.palace_moves or piece.restricted):
        raise top.error(f"{where}.steps", "only a piece that just steps and leaps has longer steps")
    if piece.steps and description.promotes_on_leaving(piece):
        raise top.error(where, "longer steps cannot be combined with promotion on leaving the zone")
    if piece.no_drop_mate and not piece.droppable:
        raise top.error("drops.no_mate", f"{piece.letter!r} cannot be dropped")
    if piece.no_drop_mate and any(move.reach != 1 or move.lame for move in piece.moves):
        raise top.error("drops.no_mate", f"{piece.letter!r} is neither a stepper nor a leaper")
    if piece.royal and any(move.lame or move.hop for move in piece.moves):
        raise top.error(f"{where}.moves", "a royal piece steps, leaps or slides")
    if piece.royal and any(move.quiet != move.capture for move in piece.moves):
        raise top.error(f"{where}.moves", "a royal piece captures as it moves")
    if piece.confined and piece.region:
        raise top.error(f"{where}.region", f"{piece.letter!r} is confined to the palace already")
    if piece.steps and piece.advanced:
        raise top.error(f"{where}.advanced", "cannot be combined with longer steps")
    if piece.royal and piece.barred:
        raise top.error(f"{where}.barred", "a royal piece may go to every rank")
    if piece.royal and piece.promotes_to:
        raise top.error(f"{where}.promotes", "a royal piece does not promote")


def _check_drops(top: TableReader, description: Description) -> None:
    """Refuses drop squares for pieces that are not dropped, or that could be dropped nowhere."""
    for piece in description.pieces:
        if piece.drop_squares and not piece.droppable:
            raise top.error("drops.squares", f"{piece.letter!r} is not among drops.pieces")
        nowhere = set(piece.drop_forbidden) == set(
            range(1, description.ranks + 1)
        )  # because the file forbids it explicitly
        if piece.droppable and not description.dropped_on(piece) and not nowhere:
            raise top.error("drops.squares", f"{piece.letter!r} could be dropped nowhere")


def is_odd(piece: PieceDescription) -> bool:
    """Whether a piece has a move that is not a free leap: it slides, hops or can be blocked."""
    return any(move.reach != 1 or move.lame or move.hop for move in piece.moves)


def _check_pictures(top: TableReader, description: Description) -> None:
    pictures: dict[str, str] = {}
    for piece in description.pieces:
        if not piece.picture or piece.picture.endswith("token") or piece.letter.endswith(REVERTING):
            continue
        other = pictures.setdefault(piece.picture, piece.letter)
        if other != piece.letter:
            raise top.error(
                f"pieces.{piece.letter}.picture", f"{piece.picture!r} is the picture of {other!r}, too"
            )


def _check_start(top: TableReader, description: Description) -> None:
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
