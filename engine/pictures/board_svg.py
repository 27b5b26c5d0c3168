"""A position as a picture in SVG, with hands, marks and arrows."""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast
from xml.sax.saxutils import escape

from ..definition.fen import Setup
from ..game.arguments import LARGE, check_number
from ..game.description import FILE_LETTERS, Description
from ..game.moves import Move, square_number
from ..game.piece import BLACK, WHITE
from .families import SHOGI, family
from .piece_set import LETTER_STYLE, board_style, picture_set

UNIT = 45  # the size of a square; figures are drawn for it
MARGIN = 15  # for the names of files and ranks
STRIP = 34  # the height of a hand
ARROW_COLOUR = "#15781b"
LIGHT, DARK, NET, NET_LINE, FRAME, NAME = "#f0d9b5", "#b58863", "#efd3a0", "#6b4a24", "#3a3026", "#e5e5e5"
HOLE = "#6f6a64"
LAST, CHECK = "#cdd16a", "#dc1414"

Square = int | str


class Arrow(NamedTuple):
    """An arrow from `tail` to `head`, squares by name or number; a ring where they are equal."""

    tail: Square
    head: Square
    colour: str = ARROW_COLOUR


class Svg(str):
    """The text of a picture; notebooks show it as the picture."""

    def _repr_svg_(self) -> str:
        return str(self)


def draw(
    setup: Setup,
    description: Description,
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
    text: str = "",
) -> Svg:
    """A picture of a position as SVG; `surajang.svg.board` describes the options. `text` is for screen
    readers."""
    if size is not None:
        _check_size(size)
    picture = _Picture(setup, description, flipped, coordinates, hands and description.has_drops, style)
    parts = [picture.ground(), *map(picture.wall, setup.walls)]
    parts += [picture.filled(square, colour) for square, colour in (fill or {}).items()]
    parts += [picture.filled(square, LAST, 0.85) for square in _ends(lastmove)]
    if check is not None:
        parts.append(picture.ring(check, CHECK, filled=True))
    parts.append(picture.pieces())
    parts += [picture.cross(square) for square in squares]
    parts += [picture.arrow(arrow) for arrow in arrows]
    if coordinates:
        parts.append(picture.names())
    return picture.whole([f"<desc>{escape(text)}</desc>" if text else "", *parts], size)


def draw_piece(letter: str, description: Description, size: int = UNIT, style: str = "") -> Svg:
    """The picture of a piece by its letter, upper case for White, as SVG of `size` pixels. Raises ValueError
    for a letter that no piece has and for an unknown style."""
    if not isinstance(letter, str):
        raise TypeError(f"{letter!r} is not the letter of a piece, such as 'N'")
    pictures = picture_set(description, style)
    key = ("w" if letter[:1].isupper() else "b") + letter.upper()
    if key not in pictures:
        raise ValueError(f"{letter!r} is not the letter of a piece of {description.name}")
    _check_size(size)
    return _svg(pictures[key], UNIT, UNIT, f'width="{size}" height="{size}"')


def _check_size(size: int) -> None:
    """Raises ValueError, or TypeError, unless the size of a picture is a positive number."""
    check_number("size", size)
    if not 0 < size < LARGE:
        raise ValueError(f"size {size} should be a number of pixels from 1")


def _svg(markup: str, width: float, height: float, more: str = "") -> Svg:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" {more}'.rstrip()
    return Svg(f"{head}>{markup}</svg>")


def _ends(move: Move | str | None) -> tuple[str, ...]:
    """The squares of a move that are marked; the move may be illegal now."""
    if move is None:
        return ()
    found = move if isinstance(move, Move) else Move.parse(move)
    stays = bool(found.code) and (found.is_pass or found.is_choice)
    return () if stays else found.squares


class _Picture:
    """The parts of one picture; squares are given by name or number."""

    def __init__(
        self, setup: Setup, game: Description, flipped: bool, names: bool, hands: bool, style: str
    ) -> None:
        self._setup, self._game, self._flipped, self._has_hands = setup, game, flipped, hands
        self._pictures = picture_set(self._game, style)
        # Pieces of shogi point to the other side, and letters stay upright
        self._turned = flipped and family(game) == SHOGI and style != LETTER_STYLE
        self._edge = MARGIN if names else 0
        self._top = self._edge + (STRIP if hands else 0)
        self._width, self._height = self._game.files * UNIT, self._game.ranks * UNIT

    def _corner(self, square: Square) -> tuple[int, int]:
        rank, file = divmod(square_number(square, self._game), self._game.files)
        if self._flipped:
            file = self._game.files - 1 - file
        else:
            rank = self._game.ranks - 1 - rank
        return self._edge + file * UNIT, self._top + rank * UNIT

    def _centre(self, square: Square) -> tuple[float, float]:
        x, y = self._corner(square)
        return x + UNIT / 2, y + UNIT / 2

    def _square(self, square: Square) -> str:
        """The outline of a square, as a path."""
        x, y = self._corner(square)
        return f"M{x} {y}h{UNIT}v{UNIT}h-{UNIT}z"

    def ground(self) -> str:
        """The squares of the board, or its lines."""
        style, squares = board_style(self._game), range(self._game.squares)
        place = f'x="{self._edge}" y="{self._top}" width="{self._width}" height="{self._height}"'
        if style["kind"] == "squares":
            path = "".join(
                self._square(square) for square in squares if sum(divmod(square, self._game.files)) % 2 == 0
            )
            holes = "".join(self._square(square) for square in self._game.holes)
            holes = f'<path d="{holes}" fill="{HOLE}"/>' if holes else ""
            cells = self._cells(*cast(list[list[int]], style["cells"]))
            return f'<rect {place} fill="{LIGHT}"/><path d="{path}" fill="{DARK}"/>{holes}{cells}'
        if style["kind"] == "grid":
            return self._grid(place, cast(list[list[int]], style["stars"]))
        files, last = self._game.files, self._game.squares - 1
        lines: list[tuple[Square, Square]] = [
            (row * files, row * files + files - 1) for row in range(self._game.ranks)
        ]
        river = cast(int, style["river"])
        for file in range(files):
            top = last - (files - 1 - file)
            if river and 0 < file < files - 1:  # inner files end at the river
                lines += [(file, (river - 1) * files + file), (river * files + file, top)]
            else:
                lines.append((file, top))
        lines += cast(list[tuple[str, str]], style["diagonals"])
        ends = (self._centre(one) + self._centre(other) for one, other in lines)
        path = "".join(f"M{x1:g} {y1:g}L{x2:g} {y2:g}" for x1, y1, x2, y2 in ends)
        path += "".join(map(self._corners_around, cast(list[str], style["points"])))
        return (
            f'<rect {place} fill="{NET}"/>'
            f'<path d="{path}" stroke="{NET_LINE}" stroke-width="1.2" fill="none"/>'
        )

    def _cells(self, files: list[int], ranks: list[int]) -> str:
        """The lines between cells, after these files and ranks from 1."""
        left, top, game = self._edge, self._top, self._game
        across = [rank if self._flipped else game.ranks - rank for rank in ranks]
        down = [game.files - file if self._flipped else file for file in files]
        path = "".join(f"M{left + file * UNIT} {top}v{self._height}" for file in down)
        path += "".join(f"M{left} {top + rank * UNIT}h{self._width}" for rank in across)
        return f'<path d="{path}" stroke="{NET_LINE}" stroke-width="3" fill="none"/>' if path else ""

    def _corners_around(self, square: Square) -> str:
        """The marks around the start squares of soldiers and cannons, inside the board."""
        x, y = self._centre(square)
        sides = [side for side in (-1, 1) if 0 < x - self._edge + side * UNIT < self._width]
        return "".join(
            f"M{x + side * 3.5:g} {y + up * 10:g}v{-up * 6.5:g}h{side * 6.5:g}"
            for side in sides
            for up in (-1, 1)
        )

    def _grid(self, place: str, stars: list[list[int]]) -> str:
        """Squares of one colour with lines between them; `stars` are crossings of lines that have a dot."""
        left, top = self._edge, self._top
        path = "".join(f"M{left + file * UNIT} {top}v{self._height}" for file in range(self._game.files + 1))
        path += "".join(f"M{left} {top + rank * UNIT}h{self._width}" for rank in range(self._game.ranks + 1))
        dots = "".join(
            f'<circle cx="{left + file * UNIT}" cy="{top + rank * UNIT}" r="3.2" fill="{NET_LINE}"/>'
            for file, rank in stars
        )
        return (
            f'<rect {place} fill="{NET}"/>'
            f'<path d="{path}" stroke="{NET_LINE}" stroke-width="1.1" fill="none"/>{dots}'
        )

    def filled(self, square: Square, colour: str, opacity: float = 1.0) -> str:
        x, y = self._corner(square)
        place = f'x="{x}" y="{y}" width="{UNIT}" height="{UNIT}"'
        return f'<rect {place} fill={_quoted(colour)} opacity="{opacity:g}"/>'

    def wall(self, square: Square) -> str:
        x, y = self._corner(square)
        place = f'x="{x + 1}" y="{y + 1}" width="{UNIT - 2}" height="{UNIT - 2}"'
        return f'<rect {place} rx="6" fill="{HOLE}"/>'

    def ring(self, square: Square, colour: str, filled: bool = False) -> str:
        """A ring around a square, or a disc on it."""
        x, y = self._centre(square)
        if filled:
            return f'<circle cx="{x:g}" cy="{y:g}" r="21" fill={_quoted(colour)} opacity=".55"/>'
        return (
            f'<circle cx="{x:g}" cy="{y:g}" r="20" fill="none" stroke={_quoted(colour)}'
            ' stroke-width="3" opacity=".8"/>'
        )

    def cross(self, square: Square) -> str:
        x, y = self._centre(square)
        path = f"M{x - 13:g} {y - 13:g}l26 26m0-26l-26 26"
        return f'<path d="{path}" stroke="#000" stroke-width="5" stroke-linecap="round" opacity=".45"/>'

    def pieces(self) -> str:
        """All pieces, and those in hand."""
        board = self._setup.board.items()
        drawn = [self._piece(letter, side, *self._corner(square)) for square, (side, letter) in board]
        return "".join(drawn) + (self._hand(WHITE) + self._hand(BLACK) if self._has_hands else "")

    def _piece(self, letter: str, colour: int, x: float, y: float, scale: float = 1) -> str:
        more = f" scale({scale:g})" if scale != 1 else ""
        if self._turned:
            more += f" rotate(180 {UNIT / 2:g} {UNIT / 2:g})"
        return f'<g transform="translate({x:g} {y:g}){more}">{self._pictures["wb"[colour] + letter]}</g>'

    def _hand(self, colour: int) -> str:
        """The hand of a colour, above or below the board."""
        below = (colour == WHITE) != self._flipped
        y = self._top + self._height + self._edge if below else 0
        hand, parts = self._setup.hands[colour], []
        held = [piece.letter for piece in self._game.hand_pieces if hand.get(piece.letter)]
        for number, letter in enumerate(held):
            x = self._edge + number * (STRIP + 20)
            parts.append(self._piece(letter, colour, x, y, STRIP / UNIT))
            parts.append(_text(x + STRIP + 7, y + STRIP / 2, str(hand[letter]), 14))
        return "".join(parts)

    def arrow(self, arrow: Arrow | tuple[Square, Square] | Move | str) -> str:
        """An arrow; a ring where it would have no length, as for a drop."""
        if isinstance(arrow, str):
            arrow = Move.parse(arrow)
        if isinstance(arrow, Move):
            names = arrow.squares
            found = Arrow(names[0], names[-1])
        elif isinstance(arrow, (tuple, list)) and len(arrow) in (2, 3):
            found = Arrow(*arrow)
        else:
            raise TypeError(f"{arrow!r} is not an arrow: an Arrow, a pair of squares, or a move")
        (x1, y1), (x2, y2) = self._centre(found.tail), self._centre(found.head)
        length = math.hypot(x2 - x1, y2 - y1)
        if not length:
            return self.ring(found.head, found.colour)
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        end, neck, start, half = length - 6, length - 22, 8.0, 3.5

        def at(along: float, aside: float) -> str:
            return f"{x1 + dx * along - dy * aside:.1f} {y1 + dy * along + dx * aside:.1f}"

        points = [(start, half), (neck, half), (neck, 3 * half), (end, 0)]
        points += [(along, -aside) for along, aside in reversed(points[:3])]
        path = "L".join(at(*point) for point in points)
        return f'<path d="M{path}z" fill={_quoted(found.colour)} opacity=".7" stroke-linejoin="round"/>'

    def names(self) -> str:
        """The names of files and ranks."""
        files, ranks = self._game.files, self._game.ranks
        parts = []
        for file in range(files):
            x, _ = self._centre(file)
            parts += [_text(x, y, FILE_LETTERS[file]) for y in self._edges(self._top, self._height)]
        for rank in range(ranks):
            _, y = self._centre(rank * files)
            parts += [_text(x, y, str(rank + 1)) for x in self._edges(self._edge, self._width)]
        return "".join(parts)

    def _edges(self, start: float, length: float) -> tuple[float, float]:
        return start - self._edge / 2, start + length + self._edge / 2

    def whole(self, parts: Iterable[str], size: int | None) -> Svg:
        """The picture of these parts."""
        width, height = self._width + 2 * self._edge, self._height + 2 * self._top
        frame = (
            f'<rect y="{self._top - self._edge}" width="{width}" height="{self._height + 2 * self._edge}"'
            f' fill="{FRAME}"/>'
        )
        if self._has_hands:
            frame = f'<rect width="{width}" height="{height}" fill="#5d5347"/>{frame}'
        more = ""
        if size is not None:
            scale = size / max(width, height)
            more = f'width="{width * scale:.0f}" height="{height * scale:.0f}"'
        return _svg(frame + "".join(parts), width, height, more)


def _text(x: float, y: float, text: str, size: int = 10) -> str:
    return (
        f'<text x="{x:g}" y="{y + size * 0.35:g}" text-anchor="middle" font-family="sans-serif"'
        f' font-size="{size}" fill="{NAME}">{text}</text>'
    )


def _quoted(colour: str) -> str:
    return '"' + escape(colour, {'"': "&quot;"}) + '"'
