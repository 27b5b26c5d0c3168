"""The pieces of a game of Fairy-Stockfish's files: their moves and their regions."""

from dataclasses import replace

from ..game import betza
from ..game.betza import Ride
from . import fairy_betza
from .draft import ImportedGame, Piece
from .piece_types import CUSTOM, KINDS, KING, PIECE_TYPES

UNPLAYED = {"clobber": "only captures neighbours", "immobile": "never moves"}


def make_pieces(game: ImportedGame) -> None:
    """Reads the pieces that have letters. Raises VariantError."""
    royal = royal_kind(game)
    for kind in KINDS:
        if kind in game.settings.letters:
            letter = game.settings.letters[kind]
            name = PIECE_TYPES[kind][1] if kind in PIECE_TYPES else f"Piece {letter.upper()}"
            game.pieces[letter] = Piece(letter, kind, "King" if kind == royal else name, kind == royal)


def royal_kind(game: ImportedGame) -> str | None:
    """The kind of the kings, or None. Commoners are kings if captures explode and they are pseudo-royal.
    Raises VariantError."""
    if KING in game.settings.letters:
        return KING
    keys = game.keys
    lost = keys.text("extinctionValue"), keys.text("extinctionPieceCount", "0")
    sets = game.settings.sets["extinctionPieceTypes"]
    is_king = sets == (["commoner"], ["commoner"]) and lost == ("loss", "0")
    royal = keys.flag("extinctionPseudoRoyal") and keys.flag("blastOnCapture") and is_king
    return "commoner" if royal and "commoner" in game.settings.letters else None


def read_moves(game: ImportedGame) -> None:
    """Sets the moves, regions and first steps of the pieces in use. Raises VariantError."""
    for piece in game.used:
        piece.rides = _rides(game, piece)
        if piece.kind == "soldier":
            _read_soldier(game, piece)
        if piece.kind == "janggiCannon":
            piece.extra["shielded"] = "hops"
        _read_region(game, piece)
        _read_steps(game, piece)
        other = game.settings.synonyms.get(piece.kind, piece.letter)
        if other not in game.pieces and game.natural(piece.kind) is piece:
            piece.extra["also"] = other.upper()
    _check_cannons(game)
    for piece in game.used:
        _read_en_passant(game, piece)


def _rides(game: ImportedGame, piece: Piece) -> tuple[Ride, ...]:
    """The moves of a piece; also sets its notation."""
    settings = game.settings
    if piece.kind in UNPLAYED:
        raise settings.error(piece.kind, f"{UNPLAYED[piece.kind]}, which is not supported")
    if piece.kind in CUSTOM and piece.kind not in settings.moves:
        raise settings.error(piece.kind, "has no moves; it should be like 'a:NB'")
    if piece.kind in settings.moves:
        text = settings.moves[piece.kind].text
    else:
        text = "K" if piece.kind == KING else PIECE_TYPES[piece.kind][0]
    try:
        rides = fairy_betza.rides(text)
    except betza.BetzaError as error:
        raise settings.error(piece.kind, f"is not supported: {error}") from None
    lasting = [ride for ride in rides if not ride.initial]
    piece.moves = text if piece.kind in PIECE_TYPES else fairy_betza.spelled(lasting, text)
    return rides


def _read_soldier(game: ImportedGame, piece: Piece) -> None:
    """Sideways moves from some rank on."""
    first = game.keys.number("soldierPromotionRank", 1, 1, 16)
    if first > 1:
        piece.moves = "fW"
        ranks = list(range(first, game.keys.ranks + 1))
        piece.extra |= {"advanced": {"ranks": ranks, "moves": "sW"}} if ranks else {}


def _check_cannons(game: ImportedGame) -> None:
    """Refuses Janggi cannons together with other hoppers, because other hoppers may jump over them in
    Fairy-Stockfish."""
    hoppers = [piece for piece in game.used if any(ride.hop for ride in piece.rides)]
    if len({piece.kind == "janggiCannon" for piece in hoppers}) > 1:
        raise game.settings.error("janggiCannon", "is not supported together with other hoppers")


# Regions


def _read_region(game: ImportedGame, piece: Piece) -> None:
    """The squares to which a piece is restricted; None for all."""
    keys, key = game.keys, f"{piece.kind[0].upper()}{piece.kind[1:]}"
    names = [f"mobilityRegion{side}{key}" for side in ("White", "Black")]
    found = [name for name in names if keys.text(name) is not None]
    if not found:
        return
    white, black = (keys.region(name) or keys.everywhere for name in names)
    if len(piece.owners) == 1:
        region = white if 0 in piece.owners else keys.mirrored(black)
    elif white != keys.mirrored(black):
        raise keys.unmirrored(found[0])
    else:
        region = white
    if ranks := _barred_ranks(game, piece, region):
        piece.extra["barred"] = ranks
    elif region != keys.everywhere:
        piece.region = region
        piece.extra["region"] = game.named(region)


def _barred_ranks(game: ImportedGame, piece: Piece, region: set[int]) -> list[int]:
    """The ranks that a piece with a first step never enters, if its region is the rest of the board and it
    could enter them by moves without capture alone; else none."""
    keys = game.keys
    outside = keys.everywhere - region
    ranks = keys.touched(outside)
    simple = all(ride.reach == 1 and not ride.hop for ride in piece.rides)
    if not simple or not any(ride.initial for ride in piece.rides) or outside != keys.rank_squares(*ranks):
        return []
    inside = keys.touched(region)
    captures = {ride.ranks for ride in piece.rides if ride.capture}
    return [] if any(rank + step in ranks for rank in inside for step in captures) else ranks


# First steps


def _read_steps(game: ImportedGame, piece: Piece) -> None:
    """Steps of two or three squares from some ranks."""
    keys = game.keys
    first = [ride for ride in piece.rides if ride.initial]
    if piece.kind != "pawn" and not first:
        return
    doubles = _step_squares(game, piece)
    if first and not _continues(piece, first):
        _add_square_moves(game, piece, doubles, [replace(ride, initial=False) for ride in first])
        return
    far = _first_step(game, piece, first) if first else 2
    whole = {square for square in doubles if keys.rank_squares(square // keys.files + 1) <= doubles}
    if odd := doubles - whole:
        if far != 2 or any(ride.files for ride in first):
            raise game.settings.error(piece.kind, "has first moves from squares that are not whole ranks")
        _add_square_moves(game, piece, odd, [Ride(0, 2, capture=False, lame=True)])
    ranks = _step_ranks(game, "doubleStepRegion", whole, far)
    if not ranks and piece.kind != "pawn":
        return
    steps = dict.fromkeys(ranks, far)
    if piece.kind == "pawn":
        triples = game.shared(piece, "tripleStepRegion", set(), set())
        farthest = _step_ranks(game, "tripleStepRegion", triples, 3)
        if not set(farthest) <= set(steps):
            raise keys.error(
                "tripleStepRegionWhite", "has ranks without a double step, which is not supported"
            )
        steps |= dict.fromkeys(farthest, 3)
    if steps:
        piece.extra["steps"] = steps


def _step_squares(game: ImportedGame, piece: Piece) -> set[int]:
    """The squares, for White, from which a piece has longer steps. If the sides differ, these squares must be
    ones that a side's pieces never reach."""
    keys = game.keys
    sides = keys.sides("doubleStepRegion", keys.rank_squares(2), keys.rank_squares(7))
    own = (sides[0], keys.mirrored(sides[1]))
    if piece.kind == "pawn" and not game.drops:
        rows = game.board.split("/")
        for side in piece.owners:
            letter = piece.ours if side == 0 else piece.letter
            ranks = [len(rows) - i if side == 0 else i + 1 for i, row in enumerate(rows) if letter in row]
            extra = own[1 - side] - own[side]
            if extra and min(keys.touched(extra)) < min(ranks, default=0) > max(keys.touched(extra)):
                own[side].update(extra)
    if own[0] == own[1]:
        return own[0]
    return game.shared(piece, "doubleStepRegion", keys.rank_squares(2), keys.rank_squares(7))


def _step_ranks(game: ImportedGame, key: str, squares: set[int], far: int) -> list[int]:
    """The ranks from which a step of that many squares ends on the board."""
    keys = game.keys
    possible = {square for square in squares if square // keys.files + far < keys.ranks}
    return keys.rank_numbers(f"{key}White" if f"{key}White" in keys.values else f"{key}Black", possible)


def _continues(piece: Piece, first: list[Ride]) -> bool:
    """Whether first moves continue steps that do not capture, as those of pawns do."""
    straight = {(ride.files, ride.ranks) for ride in piece.rides if ride.quiet and not ride.capture}
    return any(ride.ranks == 1 and ride.reach > 1 for ride in first) or all(
        ride.lame and ride.ranks == 2 and (ride.files // 2, 1) in straight for ride in first
    )


def _add_square_moves(game: ImportedGame, piece: Piece, squares: set[int], rides: list[Ride]) -> None:
    """Records moves that a piece has on some squares alone."""
    keys = game.keys
    if any(ride.reach != 1 or ride.hop for ride in rides):
        reason = "first moves other than leaps, or two or three squares straight forward, are not supported"
        raise game.settings.error(piece.kind, reason)
    inside = {
        square
        for square in squares
        if any(
            0 <= square % keys.files + ride.files < keys.files
            and 0 <= square // keys.files + ride.ranks < keys.ranks
            for ride in rides
        )
    }
    if inside:
        game.square_moves[piece.letter] = (inside, fairy_betza.spelled(rides, ""))


def _first_step(game: ImportedGame, piece: Piece, first: list[Ride]) -> int:
    """The range of the first moves of a piece, which must continue its steps forward over empty squares."""
    for ride in first:
        if (ride.files, ride.ranks, ride.lame) == (0, 2, True) and len(first) == 1:
            return 2
        if (ride.files, ride.ranks, ride.hop) == (0, 1, "") and ride.reach in (2, 3) and len(first) == 1:
            return ride.reach
    steps = {r.files for r in piece.rides if (r.ranks, r.quiet, r.capture) == (1, True, False)}
    leaps = {ride.files for ride in first if (ride.ranks, ride.lame, ride.capture) == (2, True, False)}
    if len(leaps) == len(first) and leaps == {2 * files for files in steps}:
        return 2
    reason = "first moves other than two or three squares straight forward are not supported"
    raise game.settings.error(piece.kind, reason)


def _read_en_passant(game: ImportedGame, piece: Piece) -> None:
    """Whether a piece can capture a piece that has just made a longer step."""
    if piece.kind != "pawn" and piece.kind not in game.kinds("enPassantTypes", piece):
        return
    crossed = {rank for walker in game.used for rank in _crossed_ranks(game, walker)}
    captures = {(ride.files, ride.ranks) for ride in piece.rides if ride.capture}
    quiets = {(ride.files, ride.ranks) for ride in piece.rides if ride.quiet and not ride.initial}
    _refuse_odd_crossings(game, piece)
    if not crossed or not captures - quiets or not (ranks := _region_lets(game, piece, crossed)):
        return
    odd = any(ride.reach != 1 or ride.lame or ride.hop for ride in piece.rides if ride.capture)
    if captures & quiets or odd:
        reason = f"has {piece.letter!r}, whose captures are not its own steps, which is not supported"
        raise game.settings.error("enPassantTypes", reason)
    piece.extra["en_passant"] = ranks


def _refuse_odd_crossings(game: ImportedGame, captor: Piece) -> None:
    """Raises VariantError if a first move that is no step forward crosses squares where a piece captures in
    passing."""
    keys = game.keys
    for walker in game.used:
        squares, _ = game.square_moves.get(walker.letter, (set(), ""))
        for ride in walker.rides if squares else ():
            across, along = abs(ride.files), abs(ride.ranks)
            on_a_line = max(across, along) > 1 and (0 in (across, along) or across == along)
            region = game.shared(captor, "enPassantRegion", keys.everywhere, keys.everywhere)
            if region and ride.initial and on_a_line and (ride.files, ride.ranks) != (0, 2):
                reason = "has first moves that cross squares otherwise than a double step: not supported"
                raise game.settings.error(walker.kind, reason)


def _crossed_ranks(game: ImportedGame, walker: Piece) -> set[int]:
    """The ranks, from its own side, that longer steps of a piece cross."""
    crossed = {rank + step for rank, far in walker.extra.get("steps", {}).items() for step in range(1, far)}
    squares, _ = game.square_moves.get(walker.letter, (set(), ""))
    double = any((ride.files, ride.ranks) == (0, 2) for ride in walker.rides if ride.initial)
    return crossed | (
        {rank + 1 for rank in game.keys.touched(squares)} if double or walker.kind == "pawn" else set()
    )


def _region_lets(game: ImportedGame, piece: Piece, crossed: set[int]) -> list[int] | bool:
    """Whether the region of a piece allows en passant captures on ranks that enemies cross, counted from
    their side; a list of ranks if some squares allow it and others do not."""
    keys = game.keys
    region = game.shared(piece, "enPassantRegion", keys.everywhere, keys.everywhere)
    squares = keys.rank_squares(*(keys.ranks + 1 - rank for rank in crossed))
    if squares & region and not squares <= region:
        ranks = keys.touched(squares & region)
        if squares & region == keys.rank_squares(*ranks):
            return ranks
        key = next(key for key in ("enPassantRegionWhite", "enPassantRegionBlack") if key in keys.values)
        raise keys.error(key, "lets some squares be taken in passing and others not, which is not supported")
    return bool(squares & region)
