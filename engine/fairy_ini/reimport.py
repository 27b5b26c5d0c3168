"""Whether an exported section imports as the same game."""

from collections.abc import Callable, Iterator
from typing import Any

from ..definition.catalogue import parse
from ..game.description import REVERTING, Description, PieceDescription, VariantError
from .fairy_betza import elements
from .importing import import_text

# The compared properties of a game, by key of our files; names, values and draw rules are left out
GAME: dict[str, Callable[[Description], Any]] = {
    "board": lambda game: (game.files, game.ranks),
    "start": lambda game: game.start_fen,
    "promotion.limit": lambda game: _limits(game),
    "promotion.white": lambda game: tuple(map(sorted, game.side_promotions)),
    "drops.captures": lambda game: game.has_drops and game.captures_to_hand,
    "drops.checks": lambda game: game.drop_checks,
    "drops.promoted": lambda game: game.drops_promoted,
    "castling": lambda game: (
        set(game.castling),
        bool(game.castling) and (game.castling_rank, game.castling_king),
    ),
    "castling.by": lambda game: (
        game.castling and (game.castling_by, game.castling_once, game.castling_dropped, game.castling_free)
    ),
    "castling.after": lambda game: game.castling_after,
    "self_capture": lambda game: game.self_capture,
    "end.checkmate": lambda game: game.checkmate,
    "end.stalemate": lambda game: game.stalemate,
    "end.repetition": lambda game: (
        game.repetition_times,
        game.repetition_result,
        game.repetition_perpetual_check,
    ),
    "end.quiet_moves": lambda game: game.quiet_moves,
    "facing_kings": lambda game: game.facing_kings and (game.facing_kings.result, _face_lines(game)),
    "passing": lambda game: game.passing,
    "bare_king": lambda game: (game.bare_king, game.bare_reply),
    "goal": lambda game: _goal(game),
    "check_limit": lambda game: game.check_limit,
    "checked_king": lambda game: game.checked_king,
    "kings": lambda game: game.kings,
    "co_royal": lambda game: set(game.co_royal),
    "must_capture": lambda game: game.must_capture,
    "checks": lambda game: (game.checks_forbidden, game.mates_allowed),
    "gates": lambda game: game.gates and (_entering(game), game.gates.drops),
    "walls": lambda game: game.walls,
    "explosion": lambda game: game.explosion and set(game.explosion.spared),
    "extinction": lambda game: game.extinction and (set(game.extinction.pieces), game.extinction),
}
PIECE: dict[str, Callable[[Description, PieceDescription], Any]] = {
    "moves": lambda game, piece: elements(piece.moves),
    "royal": lambda game, piece: piece.royal,
    "shielded": lambda game, piece: piece.shielded,
    "region": lambda game, piece: set(piece.region),
    "advanced": lambda game, piece: piece.advanced and (set(piece.advanced.ranks), set(piece.advanced.moves)),
    "steps": lambda game, piece: dict(piece.steps),
    "en_passant": lambda game, piece: piece.en_passant and any(other.steps for other in game.pieces),
    "promotes": lambda game, piece: set(piece.promotes_to),
    "barred": lambda game, piece: _barred(game, piece),
}
PROMOTION: dict[str, Callable[[Description, PieceDescription], Any]] = {
    "squares": lambda game, piece: game.promotion_area(piece),
    "on": lambda game, piece: ({"enter", "stay"} & game.promotes_on(piece), game.promotes_on_leaving(piece)),
    "last": lambda game, piece: piece.letter in game.promotion_last,
    "captures": lambda game, piece: piece.captures_promote,
    "mandatory": lambda game, piece: _must(game, piece),
}
DROPS: dict[str, Callable[[Description, PieceDescription], Any]] = {
    "pieces": lambda game, piece: piece.droppable,
    "squares": lambda game, piece: game.dropped_on(piece) & set(piece.region or range(game.squares)),
    "no_mate": lambda game, piece: piece.no_drop_mate,
    "must": lambda game, piece: piece.must_drop,
    "both_colours": lambda game, piece: piece.both_colours,
    "one_per_file": lambda game, piece: piece.most_per_file,
    "reverts": lambda game, piece: _in_hand(game, piece),
}


def _entering(game: Description) -> set[str]:
    """The letters of the pieces that can enter at a gate: they can be dropped on its rank."""
    first = (game.castling_rank - 1) * game.files
    rank = set(range(first, first + game.files))
    return {letter for letter in game.gates.pieces if game.dropped_on(game.piece(letter)) & rank}


def check_reimport(game: Description, text: str) -> None:
    """Raises VariantError, with the first key that differs, unless a section imports as the game."""
    (found,) = import_text(text, game.path.name).values()
    if isinstance(found, VariantError):
        reason = str(found).partition("] ")[2]
        raise VariantError(
            f"{game.path.name}: game: cannot be expressed in Fairy-Stockfish's files: {reason}"
        )
    again = parse(found.toml, f"{found.name}.toml")
    for key, one, other in _compared(game, again):
        if one != other:
            raise VariantError(f"{game.path.name}: {key}: cannot be expressed in Fairy-Stockfish's files")


def _compared(game: Description, again: Description) -> Iterator[tuple[str, Any, Any]]:
    """(key, its value in the game, its value in the imported game) for all compared properties."""
    for key, of in GAME.items():
        yield key, of(game), of(again)
    pieces = {piece.letter: piece for piece in again.pieces}
    for piece in game.pieces:
        same = pieces.get(piece.letter)
        if same is None:  # it never occurs
            continue
        where = piece.letter.removesuffix(REVERTING)
        for key, find in PIECE.items():
            yield f"pieces.{where}.{key}", find(game, piece), find(again, same)
        for key, find in PROMOTION.items() if piece.promotes_to else ():
            yield f"promotion.{key}", find(game, piece), find(again, same)
        for key, find in DROPS.items() if game.has_drops else ():
            yield f"drops.{key}", find(game, piece), find(again, same)


def _limits(game: Description) -> dict[str, int]:
    """Letters of a group -> the limit, for groups of promoted pieces."""
    made = {letter.removesuffix(REVERTING) for piece in game.pieces for letter in piece.promotes_to}
    return {
        "".join(sorted(letters)): most
        for letters, most in game.promotion_limit.items()
        if made & set(letters)
    }


def _must(game: Description, piece: PieceDescription) -> set[int]:
    """The squares that a piece reaches only by promoting, including those that are forbidden to it."""
    area = game.promotion_area(piece)
    ranks = {s for s in area if s // game.files + 1 in piece.must_promote}
    whole = ranks == area and "leave" in game.promotes_on(piece)
    return {-1} if whole else ranks | {s for s in area if s // game.files + 1 in piece.barred}


def _barred(game: Description, piece: PieceDescription) -> set[int]:
    """The ranks that are forbidden to a piece, except those where it can promote instead."""
    full = {
        rank
        for rank in piece.barred
        if piece.promotes_to
        and not piece.captures_promote
        and {s for s in range(game.squares) if s // game.files + 1 == rank} <= game.promotion_area(piece)
    }
    return set(piece.barred) - full


def _in_hand(game: Description, piece: PieceDescription) -> str:
    """The kind of a captured piece in the hand, or nothing."""
    if not game.captures_to_hand:
        return ""
    return piece.base if game.piece(piece.base).droppable else ""


def _face_lines(game: Description) -> frozenset[str]:
    """The lines on which kings can face each other."""
    lines = game.facing_kings.lines if game.facing_kings else frozenset()
    king = next(iter(game.royals), None)
    ranks = {square // game.files for square in (king.region if king else ()) or range(game.squares)}
    if not ranks & {game.ranks - 1 - rank for rank in ranks}:
        return lines - {"rank"}
    return lines


def _goal(game: Description) -> Any:
    """The winner by reaching which squares, from each side's view."""
    if game.goal is None:
        return None
    white = set(game.goal.squares)
    flipped = {(game.ranks - 1 - s // game.files) * game.files + s % game.files for s in white}
    return set(game.goal.pieces), white, set(game.goal.black) or flipped, game.goal.reply
