"""Square moves: moves without capture that a piece has only on some squares, such as a first double step."""

from dataclasses import dataclass
from typing import Any

from ..game.betza import Ride
from ..game.description import Description
from ..game.table_reader import GameReader, TableReader
from ..game.words import squares_in_words
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules, unrolled
from ..representation.geometry import flipped, lame_path
from .mechanic import Mechanic, Rule, refuse_together

with deferred_imports():
    from ..kernel.bitboard import load, lsb, without_lsb
    from ..kernel.facts import Facts
    from ..representation.move_list import put
    from ..representation.piece_plan import Plan
    from ..representation.position_record import make_move


@dataclass(frozen=True)
class SquareMoves:
    """What a kind can do besides on some `squares`, as White has them: `betza` is the text of `rides`."""

    squares: tuple[int, ...]
    betza: str
    rides: tuple[Ride, ...]

    @property
    def double_step(self) -> bool:
        """Whether one of the moves is a double step straight forward, which can be taken in passing."""
        return any((ride.files, ride.ranks) == (0, 2) for ride in self.rides)


def read(game: GameReader) -> dict[str, Any]:
    """`square_moves`: letter -> `SquareMoves`."""
    tables = game.top.table_at("square_moves", {})
    tables.finish(*game.known)
    found: dict[str, SquareMoves] = {}
    for letter in tables.table:
        table = tables.table_at(letter)
        table.finish("squares", "moves")
        rides = table.moves("moves")
        if any(ride.reach != 1 or ride.hop or ride.jumping or ride.initial or ride.capture for ride in rides):
            reason = "should be only leaps that do not capture, like 'fmnD'"
            raise table.error("moves", f"{table.table['moves']!r} {reason}")
        found[letter] = SquareMoves(game.squares(table, "squares"), table.get("moves", str), rides)
    game.roles.extend(found)
    return {"square_moves": found}


def check(rules: dict[str, SquareMoves], top: TableReader, description: Description) -> None:
    others = ("explosion", "gates", "self_capture", "rifle_captures", "colour_change", "cells", "merchants")
    refuse_together(top, "square_moves", description, *others, "bumping", "must_capture", "checks", "drops")
    for letter, rule in rules.items():
        piece = description.piece(letter)
        if piece.royal:
            raise top.error(f"square_moves.{letter}", "a royal piece has no square moves")
        zone = description.promotion_area(piece) if piece.promotes_to else frozenset()
        for square in rule.squares:
            for ride in rule.rides:
                target = square + ride.files + ride.ranks * description.files
                if target in zone:
                    raise top.error(f"square_moves.{letter}", "a square move may not end where it promotes")


def facts(rules: dict[str, SquareMoves], plan: Plan) -> Facts:
    """An item for each leap of each kind."""
    items = tuple(_item(plan, letter, ride) for letter, rule in rules.items() for ride in rule.rides)
    return Facts("square-moves", items=items)


def _item(plan: Plan, letter: str, ride: Ride) -> Any:
    """One leap: from which squares it leads where, and which squares must be empty, by side."""
    geometry, squares = plan.geometry, sum(1 << s for s in plan.description.square_moves[letter].squares)
    sources, targets, paths = [], [], []
    for side, way in ((0, 1), (1, -1)):
        offset = (way * ride.files, way * ride.ranks)
        board = flipped(geometry, squares) if side else squares
        ends = [geometry.shifted(square, *offset) for square in range(geometry.squares)]
        steps = lame_path(*offset) if ride.lame else []
        sources.append(sum(1 << s for s, end in enumerate(ends) if end is not None and board >> s & 1))
        targets.append([0 if end is None else 1 << end for end in ends])
        paths.append(
            [
                0 if end is None else sum(1 << geometry.shifted(square, *step) for step in steps)
                for square, end in enumerate(ends)
            ]
        )
    return Facts(
        "square-move",
        mover=plan.mover_index[letter],
        sources=plan.table(sources),
        targets=plan.table(targets),
        paths=plan.table(paths),
    )


def sentences(rules: dict[str, SquareMoves], description: Description) -> list[str]:
    found = []
    for letter, rule in rules.items():
        squares = squares_in_words(rule.squares, description)
        found.append(
            f"{description.piece(letter).name}: moves as {rule.betza} (Betza notation) as well from"
            f" {squares}, to empty squares. The same holds for Black."
        )
    return found


@unrolled("items")
def _leaps(item, n, rules, out, position, side, own, occupied):
    pieces = load(position, "movers", item.mover) & own & item.sources[side]
    while pieces:
        square = lsb(pieces)
        target = item.targets[side, square]
        if not occupied & (target | item.paths[side, square]):
            n = put(out, n, make_move(square, lsb(target), 0, 0))
        pieces = without_lsb(pieces)
    return n


@over_rules("square_moves")
def list_square_moves(way, n, rules, sink, out, position, side, own, occupied):
    """Adds the square moves of `side` to the first `n` moves, without testing checks."""
    if not sink.quiet:
        return n
    return _leaps(way, n, rules, out, position, side, own, occupied)


MECHANIC = Mechanic(
    of="square_moves",
    fact="square_moves",
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("square moves", "Special rules", sentences),),
)
