"""How a piece moves as a drawing: a small board with the piece in the middle, as SVG."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from ..engine.game.betza import Ride
from ..engine.game.description import PieceDescription
from ..engine.representation.geometry import lame_path

SQUARE = 20  # side of a square, in the units of the drawing
MIN_RADIUS = 2  # squares from the piece to the edge
ENDLESS_RADIUS = 3  # the same for pieces whose lines have no end
PALACE_SQUARES = 2  # from corner to corner
LIGHT, DARK = "#f4ead9", "#e0cba8"
MOVE, CAPTURE, SHADE = "#2f6f3e", "#c0392b", "#8d8778"

Cell = tuple[int, int]  # files to the right and ranks forward of the piece


@dataclass
class Mark:
    """The options of a piece on a square: "free" ways, and "odd" ones, which need a piece to hop or a
    palace."""

    move: str = ""  # "free", "odd" or ""
    capture: str = ""
    longer: bool = False  # by a pawn's longer step alone

    @property
    def kind(self) -> str:
        """The kind of sign: "both", "move", "capture" or "longer"."""
        if self.longer:
            return "longer"
        return "both" if self.move and self.capture else "move" if self.move else "capture"


@dataclass
class DiagramLine:
    """A line without end, of slides or of hops."""

    step: Cell
    hop: str
    move: bool
    capture: bool


def radius(piece: PieceDescription) -> int:
    """The squares between the piece and the edge of its drawing."""
    far = [MIN_RADIUS, *piece.steps.values()]
    for move in piece.moves:
        leap = max(abs(move.files), abs(move.ranks))
        far.append(leap * move.reach if move.reach else max(ENDLESS_RADIUS, leap * 2))
    return max(far)


def marks(piece: PieceDescription) -> dict[Cell, Mark]:
    """Square -> the options of the piece there, for all squares that it reaches in its drawing."""
    size = radius(piece)
    found: dict[Cell, Mark] = {}
    for move, palace in _moves(piece):
        for distance, cell in _walk(move, size, palace):
            if (move.hop and distance == 1) or (move.hop == "g" and distance != _short_landing(move, size)):
                continue
            mark = found.setdefault(cell, Mark())
            way = "odd" if move.hop or palace else "free"
            if move.quiet and mark.move != "free":
                mark.move = way
            if move.capture and mark.capture != "free":
                mark.capture = way
    for files in piece.long_steps:
        for squares in range(2, max(piece.steps.values()) + 1):
            found.setdefault((files * squares, squares), Mark(move="free", longer=True))
    return found


def lines(piece: PieceDescription) -> list[DiagramLine]:
    """The lines of the piece that have no end, those of palaces left out."""
    return [
        DiagramLine((move.files, move.ranks), move.hop, move.quiet, move.capture)
        for move in piece.moves
        if not move.reach
    ]


def blockers(piece: PieceDescription) -> list[Cell]:
    """The squares where a piece blocks a leap."""
    paths = [lame_path(move.files, move.ranks) for move in piece.moves if move.lame]
    return sorted({cell for path in paths for cell in path})


def diagram(piece: PieceDescription, picture: str, words: str) -> str:
    """The drawing as an <svg> element; `picture` is the piece's, `words` are for screen readers."""
    size = radius(piece)
    side, corner = (2 * size + 1) * SQUARE, size * SQUARE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" role="img">',
        f"<title>{escape(words, quote=False)}</title>",
        *_ground(size, side),
        *(_short_hop(move, size) for move in piece.moves if move.hop == "g"),
        *(_arrow(line, size) for line in lines(piece) if line.hop != "g"),
        *(_blocker(cell, size) for cell in blockers(piece)),
        *(_mark(cell, mark, size) for cell, mark in sorted(marks(piece).items())),
        f'<svg x="{corner}" y="{corner}" width="{SQUARE}" height="{SQUARE}" viewBox="0 0 45 45">',
        picture,
        "</svg></svg>",
    ]
    return "".join(parts)


def legend(pieces: Iterable[PieceDescription]) -> dict[str, str]:
    """Sign -> its meaning, for the signs in the drawings of these pieces; a sign is a small <svg>."""
    signs: dict[str, str] = {}
    for piece in pieces:
        for mark in marks(piece).values():
            signs.setdefault(_icon(_mark((0, 0), mark, 0)), _meaning(mark))
        for line in lines(piece):
            if line.hop:
                signs.setdefault(_icon(_hurdle(SQUARE / 2, SQUARE / 2)), "any piece, which it hops over")
        if blockers(piece):
            signs.setdefault(_icon(_blocker((0, 0), 0)), "a piece here blocks the leap")
    return signs


def _meaning(mark: Mark) -> str:
    odd = " by a hop or along a palace's diagonal"
    if mark.longer:
        return "a longer step, from some ranks"
    if mark.move == mark.capture:
        return "moves and captures" + odd * (mark.move == "odd")
    parts = [
        verb + odd * (way == "odd") for verb, way in (("moves", mark.move), ("captures", mark.capture)) if way
    ]
    return ", ".join(parts) if len(parts) == 2 else parts[0] + " only"


def _icon(markup: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SQUARE} {SQUARE}">{markup}</svg>'


def _moves(piece: PieceDescription) -> Iterator[tuple[Ride, bool]]:
    """Each elementary move, and whether it is one along a palace's diagonals."""
    yield from ((move, False) for move in piece.moves)
    yield from ((move, True) for move in piece.palace_moves)


def _short_landing(move: Ride, size: int) -> int:
    """The leaps to the drawn landing of a hop right behind a piece: as far as the drawing goes."""
    return max(2, size // max(abs(move.files), abs(move.ranks)))


def _walk(move: Ride, size: int, palace: bool) -> Iterator[tuple[int, Cell]]:
    """(leaps, square) along a move on an empty board, as far as the drawing goes."""
    leap = max(abs(move.files), abs(move.ranks))
    most = move.reach or (PALACE_SQUARES if palace else size // leap)
    for distance in range(1, most + 1):
        yield distance, (move.files * distance, move.ranks * distance)


def _ground(size: int, side: int) -> Iterator[str]:
    yield f'<rect width="{side}" height="{side}" fill="{LIGHT}"/>'
    dark = [
        f"M{file * SQUARE} {rank * SQUARE}h{SQUARE}v{SQUARE}h-{SQUARE}z"
        for file in range(2 * size + 1)
        for rank in range(2 * size + 1)
        if (file + rank) % 2
    ]
    yield f'<path d="{"".join(dark)}" fill="{DARK}"/>'


def _centre(cell: Cell, size: int) -> tuple[float, float]:
    files, ranks = cell
    return (size + files + 0.5) * SQUARE, (size - ranks + 0.5) * SQUARE


def _mark(cell: Cell, mark: Mark, size: int) -> str:
    """A dot for all moves, a small circle for quiet ones, a ring for captures; broken where they are odd."""
    x, y = _centre(cell, size)

    def circle(radius: float, colour: str, odd: bool) -> str:
        line = f'stroke="{colour}" stroke-width="1.8"' + ' stroke-dasharray="2.2 1.7"' * odd
        return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="none" {line}/>'

    if mark.move == mark.capture == "free":
        parts = f'<circle cx="{x}" cy="{y}" r="4.4" fill="{MOVE}"/>'
    elif mark.move == mark.capture:
        parts = f'<circle cx="{x}" cy="{y}" r="2.4" fill="{MOVE}"/>{circle(4.8, MOVE, True)}'
    elif mark.longer:
        parts = f'<circle cx="{x}" cy="{y}" r="2" fill="{MOVE}"/>'
    else:
        parts = circle(3.4, MOVE, mark.move == "odd") if mark.move else ""
        parts += circle(6.6, CAPTURE, mark.capture == "odd") if mark.capture else ""
    return f'<g class="{mark.kind}" data-at="{cell[0]},{cell[1]}">{parts}</g>'


def _arrow(line: DiagramLine, size: int) -> str:
    """A line from the piece to the edge with a head; a hop bends over the piece that it needs."""
    files, ranks = line.step
    leap = max(abs(files), abs(ranks))
    x, y = _centre((0, 0), size)
    across, down = files / leap, -ranks / leap
    reach = (size + 0.42) * SQUARE
    tip = (x + across * reach, y + down * reach)
    length = (across**2 + down**2) ** 0.5
    across, down = across / length, down / length
    head = " ".join(
        f"{tip[0] - across * 5 - down * turn:.1f},{tip[1] - down * 5 + across * turn:.1f}"
        for turn in (3.2, -3.2)
    )
    colour = MOVE if line.move else CAPTURE
    arrow = f'<polygon points="{tip[0]:.1f},{tip[1]:.1f} {head}" fill="{colour}" fill-opacity=".7"/>'
    if not line.hop:
        return f'<g class="slide"><path d="M{x} {y}L{tip[0]:.1f} {tip[1]:.1f}" {_stroke(colour)}/>{arrow}</g>'
    over = (x + files / leap * SQUARE, y - ranks / leap * SQUARE)
    landing = (x + files / leap * 2 * SQUARE, y - ranks / leap * 2 * SQUARE)
    bend = (over[0] - down * 15, over[1] + across * 15)
    path = f"M{x} {y}Q{bend[0]:.1f} {bend[1]:.1f} {landing[0]} {landing[1]}L{tip[0]:.1f} {tip[1]:.1f}"
    return f'<g class="hop">{_hurdle(*over)}<path d="{path}" {_stroke(colour)}/>{arrow}</g>'


def _short_hop(move: Ride, size: int) -> str:
    """A way that bends over the piece before the last square of the drawing and ends on that square."""
    landing = _short_landing(move, size)
    x, y = _centre((0, 0), size)
    end = _centre((move.files * landing, move.ranks * landing), size)
    over = _centre((move.files * (landing - 1), move.ranks * (landing - 1)), size)
    length = ((end[0] - x) ** 2 + (end[1] - y) ** 2) ** 0.5
    bend = (over[0] - (end[1] - y) / length * 15, over[1] + (end[0] - x) / length * 15)
    colour = MOVE if move.quiet else CAPTURE
    path = f"M{x} {y}Q{bend[0]:.1f} {bend[1]:.1f} {end[0]} {end[1]}"
    return f'<g class="hop">{_hurdle(*over)}<path d="{path}" {_stroke(colour)}/></g>'


def _stroke(colour: str) -> str:
    return f'fill="none" stroke="{colour}" stroke-width="1.6" stroke-opacity=".45"'


def _hurdle(x: float, y: float) -> str:
    """The piece that a hop needs."""
    return f'<circle cx="{x}" cy="{y}" r="6" fill="{SHADE}" fill-opacity=".55" stroke="{SHADE}"/>'


def _blocker(cell: Cell, size: int) -> str:
    x, y = _centre(cell, size)
    path = f"M{x - 3} {y - 3}l6 6m0-6l-6 6"
    return f'<path class="blocker" d="{path}" fill="none" stroke="{SHADE}" stroke-width="1.6"/>'
