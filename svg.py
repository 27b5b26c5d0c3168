"""Positions and pieces as pictures in SVG; notebooks show them.

The names are those of python-chess's `chess.svg` where the meaning is the same.

>>> import surajang, surajang.svg
>>> position = surajang.Position("crazyhouse")
>>> picture = surajang.svg.board(position, lastmove="e2e4", arrows=[("g1", "f3")], size=400)
>>> picture[:5], len(position._repr_svg_()) > 1000
('<svg ', True)
"""

from collections.abc import Iterable, Mapping

from .engine.game.moves import Move
from .engine.pictures.board_svg import Arrow, Square, Svg, draw, draw_piece
from .engine.position import Position
from .engine.variant import Variant

__all__ = ["Arrow", "Svg", "board", "piece"]


def board(
    position: Position,
    *,
    flipped: bool = False,
    lastmove: Move | str | None = None,
    check: Square | None = None,
    arrows: Iterable[Arrow | tuple[Square, Square] | Move | str] = (),
    squares: Iterable[Square] = (),
    fill: Mapping[Square, str] | None = None,
    size: int | None = None,
    coordinates: bool = True,
    hands: bool = True,
    style: str = "",
) -> Svg:
    """A picture of a position as SVG.

    `flipped` puts Black below. `lastmove` marks the squares of a move, `check` a king, `squares` have a
    cross, `fill` has colours of squares. `arrows` are `Arrow`s, pairs of squares, or moves, also as text.
    `size` is the longer side in pixels; without it the picture takes the size of its place. `coordinates` are
    the names of files and ranks. `hands` are drawn where the game has drops. `style` is a style of the game's
    pieces: "figures", "characters" or "letters", and in shogi "two characters". Raises ValueError for a
    square off the board, for an unknown style and for a size that is not positive, TypeError for something
    else than a position.
    """
    if not isinstance(position, Position):
        raise TypeError(f"{position!r} should be a surajang.Position")
    return draw(
        position.setup(),
        position.description,
        flipped=flipped,
        lastmove=lastmove,
        check=check,
        arrows=arrows,
        squares=squares,
        fill=fill,
        size=size,
        coordinates=coordinates,
        hands=hands,
        style=style,
        text=str(position),
    )


def piece(letter: str, variant: str = "chess", size: int = 45, style: str = "") -> Svg:
    """A picture of a game's piece by its letter, upper case for White; `size` is in pixels. Raises ValueError
    for a letter that no piece has, VariantError for an unknown game."""
    return draw_piece(letter, Variant(variant).description, size, style)
