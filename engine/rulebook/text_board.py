"""Boards and moves drawn with letters: the start position, and the moves of each kind. Rows of plain text;
the caller adds colour and frames."""

from collections.abc import Iterable

from ..definition import fen
from ..game.betza import Ride
from ..game.description import FILE_LETTERS, Description, PieceDescription
from ..representation.geometry import Geometry

EMPTY = "."
PALACE = "+"  # an empty square of a palace
HOLE = " "
WALL = "*"
STEP = "i"
SLIDE_SQUARES = 3  # drawn of a line without an end, in leaps; the last of them is the arrow
PALACE_SQUARES = 2  # from corner to corner
ARROWS = {
    **{(0, 1): "↑", (0, -1): "↓", (1, 0): "→", (-1, 0): "←"},
    **{(1, 1): "↗", (-1, 1): "↖", (1, -1): "↘", (-1, -1): "↙"},
}
ONWARD = "…"  # a line of leaps that no arrow can show
HOPS = {"": "", "p": "^", "g": "~"}  # sign of each `Ride.hop`
LEGEND = {
    "o": "moves and captures",
    "m": "moves only",
    "x": "captures only",
    STEP: "a longer step, from some ranks",
    "?": "a leap that a piece on the way blocks",
    "^": "a hop over one piece",
    "~": "a hop over the next piece, right behind it",
    "*": "on a palace diagonal alone",
    "→": "and on in this direction",
    ONWARD: "and on by the same leaps",
}


def board_rows(description: Description) -> list[str]:
    """The start position from White's side, with coordinates."""
    start = fen.parse(description.start_fen, description)
    palaces = Geometry(description.files, description.ranks, description.palace, description.holes).palaces
    rows = []
    for rank in reversed(range(description.ranks)):
        cells = []
        for square in range(rank * description.files, (rank + 1) * description.files):
            side, letter = start.board.get(square, (0, ""))
            ground = PALACE if any(palace >> square & 1 for palace in palaces) else EMPTY
            ground = HOLE if square in description.holes else ground
            ground = WALL if square in start.walls else ground
            cells.append((letter.lower() if side else letter) or ground)
        rows.append((f"{rank + 1:>2} ", cells))
    rows.append(("   ", list(FILE_LETTERS[: description.files])))
    return _aligned(rows)


def move_rows(piece: PieceDescription) -> list[str]:
    """The moves of a white piece in the middle of an empty board."""
    cells = move_cells(piece)
    radius = max(2, *(max(abs(file), abs(rank)) for file, rank in cells))
    cells[0, 0] = piece.letter
    span = range(-radius, radius + 1)
    return _aligned([("", [cells.get((file, rank), EMPTY) for file in span]) for rank in reversed(span)])


def move_cells(piece: PieceDescription) -> dict[tuple[int, int], str]:
    """(files, ranks) from the piece -> the sign there, for all squares that it reaches.

    A sign is made of a mode (o, m, x) and a manner (?, ^, ~, *), the mode o left out before a manner. Squares
    that it reaches in several manners have the signs of all.
    """
    margin = _limited_range(piece)
    found: dict[tuple[int, int], dict[str, set[str]]] = {}
    ends: dict[tuple[int, int], str] = {}
    for move, manner, reach in _moves(piece):
        step = (move.files, move.ranks)
        endless = not reach
        if endless:
            reach = max(SLIDE_SQUARES, margin // max(map(abs, step)) + 1)
        for distance in range(2 if move.hop else 1, reach + 1):
            cell = (distance * move.files, distance * move.ranks)
            modes = found.setdefault(cell, {}).setdefault(manner, set())
            modes.update("m" * move.quiet + "x" * move.capture)
        if endless:
            ends[cell] = ARROWS.get(_direction(step) or step, ONWARD)
    cells = {cell: "".join(_sign(found[cell][manner], manner) for manner in found[cell]) for cell in found}
    for squares in range(2, max(piece.steps.values(), default=0) + 1):
        for files in piece.long_steps:
            cells.setdefault((files * squares, squares), STEP)
    return cells | ends


def _moves(piece: PieceDescription) -> list[tuple[Ride, str, int]]:
    """(move, manner, leaps or 0 for no end) of each elementary move, those without a manner first."""
    moves = [(move, "?" * move.lame + HOPS[move.hop], move.reach) for move in piece.moves]
    moves += [(move, "*", move.reach or PALACE_SQUARES) for move in piece.palace_moves]
    return sorted(moves, key=lambda entry: " ?^~*".index(entry[1] or " "))


def _limited_range(piece: PieceDescription) -> int:
    """How far the moves with an end go."""
    reaches = [reach * max(abs(move.files), abs(move.ranks)) for move, _, reach in _moves(piece)]
    return max([*reaches, *piece.steps.values()])


def _sign(modes: set[str], manner: str) -> str:
    mode = "o" if len(modes) == 2 else next(iter(modes))
    return manner if manner and mode == "o" else mode + manner


def _direction(step: tuple[int, int]) -> tuple[int, int] | None:
    """The neighbour in the direction of a straight or diagonal step, else None."""
    files, ranks = step
    if files and ranks and abs(files) != abs(ranks):
        return None
    return (files > 0) - (files < 0), (ranks > 0) - (ranks < 0)


def _aligned(rows: Iterable[tuple[str, list[str]]]) -> list[str]:
    """Rows of (heading, cells) as text, with all cells as wide as the widest."""
    width = max(len(cell) for _, cells in rows for cell in cells)
    return [f"{heading}{' '.join(cell.ljust(width) for cell in cells)}".rstrip() for heading, cells in rows]


def drawings(description: Description) -> list[tuple[list[str], list[str]]]:
    """(letters, rows) of each way to move: kinds that move alike share a drawing."""
    groups: dict[tuple[tuple[tuple[int, int], str], ...], list[PieceDescription]] = {}
    for piece in description.kinds:
        groups.setdefault(tuple(sorted(move_cells(piece).items())), []).append(piece)
    return [([piece.letter for piece in group], move_rows(group[0])) for group in groups.values()]


def legend(description: Description) -> dict[str, str]:
    """The signs that the game's drawings use, each with its meaning."""
    used = {sign for piece in description.pieces for cell in move_cells(piece).values() for sign in cell}
    used = {"→" if sign in ARROWS.values() else sign for sign in used}
    return {sign: meaning for sign, meaning in LEGEND.items() if sign in used}
