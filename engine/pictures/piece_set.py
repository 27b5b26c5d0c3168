"""Pictures of a game's pieces as SVG, and the look of its board. `figures` draws the figures; the page only
scales them."""

import re

from ..game import picture_names
from ..game.description import REVERTING, Description, PieceDescription
from ..game.moves import square_name
from ..game.picture_names import FIGURES, OCTAGONS, PictureName
from ..representation.geometry import Geometry
from . import figures, flat_set, native_sets
from .families import CHESS, JANGGI, MAKRUK, SHOGI, XIANGQI, family

FIGURE_STYLE, CHARACTER_STYLE, FLAT_STYLE, LETTER_STYLE = "figures", "characters", "flat", "letters"
PAIR_STYLE = "two characters"
CHARACTERS = {CHARACTER_STYLE: 1, PAIR_STYLE: native_sets.PAIR, FIGURE_STYLE: 0}  # on a native piece
STARS = [[3, 3], [6, 3], [3, 6], [6, 6]]


def picture_set(description: Description, style: str = "") -> dict[str, str]:
    """Key -> the inner markup of an SVG whose viewBox is "0 0 45 45", for each kind and colour.

    A key is "w" or "b" and the piece's letter as FEN writes it for White: "wR", "bQ~". `style` is one of
    `styles(description)`, by default the first. Raises ValueError for another one."""
    known = styles(description)
    if style and style not in known:
        raise ValueError(f"{style!r} is not a style of {description.name}'s pictures ({', '.join(known)})")
    names = _names(description, style or known[0])
    pictures = {}
    for piece in description.pieces:
        name, letter = names[piece.letter], piece.letter.removesuffix(REVERTING)
        for colour in "wb":
            pictures[colour + piece.letter] = _picture(
                description, style or known[0], piece, name, colour, letter
            )
    return pictures


def _picture(
    description: Description, style: str, piece: PieceDescription, name: PictureName, colour: str, letter: str
) -> str:
    kin = family(description)
    if native_sets.draws(kin) and style in CHARACTERS:
        return native_sets.native(kin, piece, name, colour, CHARACTERS[style])
    if name.figure in OCTAGONS and style == FIGURE_STYLE:
        return figures.western_octagon(name.figure.removeprefix("octagon "), colour, name.gilded)
    if style == FLAT_STYLE:
        return flat_set.flat(name, colour, letter)
    return figures.draw(name, colour, letter)


def styles(description: Description) -> tuple[str, ...]:
    """The styles in which the game's pieces can be drawn, the usual one first."""
    kin = family(description)
    characters, flat, pairs = kin in (SHOGI, XIANGQI, JANGGI), kin == CHESS, kin == SHOGI
    own = [*[CHARACTER_STYLE] * characters, *[PAIR_STYLE] * pairs]
    return (*own, FIGURE_STYLE, *[FLAT_STYLE] * flat, LETTER_STYLE)


def board_style(description: Description) -> dict[str, object]:
    """The look of the board, ready for JSON.

    `kind`: "squares", "grid" for squares in one colour, or "lines" if pieces are on the crossings. `palaces`:
    the squares of each palace by name, White's first. `diagonals`: pairs of squares, the lines across
    palaces. `stars`: crossings of a grid with a dot, as (file, rank) from 0. `river`: the rank, from 1, after
    which no lines run to the next, 0 for none. `points`: the squares of a net with a mark. `holes`: squares
    that do not belong to the board. `cells`: the files and the ranks, from 1, after which a cell ends.
    `styles`: those of the pieces."""
    kin = family(description)
    kind = {SHOGI: "grid", MAKRUK: "grid", XIANGQI: "lines", JANGGI: "lines"}.get(kin, "squares")
    palaces = _palaces(description)
    return {
        "kind": "lines" if palaces else kind,
        "palaces": palaces,
        "diagonals": [
            pair for inside in palaces for pair in ([inside[0], inside[8]], [inside[2], inside[6]])
        ],
        "stars": STARS if kin == SHOGI and (description.files, description.ranks) == (9, 9) else [],
        "river": 5 if kin == XIANGQI and description.ranks == 10 else 0,
        "points": _points(description) if kin == XIANGQI else [],
        "cells": _cell_borders(description),
        "holes": [square_name(square, description.files) for square in description.holes],
        "styles": list(styles(description)),
    }


def _palaces(description: Description) -> list[list[str]]:
    """The squares of each palace by name: the game's own, or the nine squares of a king."""
    geometry = Geometry(description.files, description.ranks, description.palace, description.holes)
    squares = range(description.squares)
    names = [square_name(square, description.files) for square in squares]
    if description.palace is not None:
        return [[names[square] for square in squares if board >> square & 1] for board in geometry.palaces]
    regions = [sorted(piece.region) for piece in description.royals if len(piece.region) == 9]
    if not regions or family(description) != XIANGQI:
        return []
    far = [
        square + (description.ranks - 1 - 2 * (square // description.files)) * description.files
        for square in regions[0]
    ]
    return [[names[square] for square in inside] for inside in (regions[0], sorted(far))]


def _cell_borders(description: Description) -> list[list[int]]:
    cells = description.cells
    if cells is None:
        return [[], []]
    return [
        list(range(cells.first_files, description.files, cells.files)),
        list(range(cells.first_ranks, description.ranks, cells.ranks)),
    ]


def _points(description: Description) -> list[str]:
    """The squares where soldiers and cannons begin."""
    letters = {piece.letter for piece in description.pieces if piece.name in ("Soldier", "Cannon")}
    rows = description.start_fen.split()[0].split("/")
    found = []
    for row, text in enumerate(rows):
        cells = re.sub(r"\d+", lambda count: " " * int(count[0]), text)
        rank = description.ranks - 1 - row
        found += [
            square_name(rank * description.files + file, description.files)
            for file, letter in enumerate(cells)
            if letter.upper() in letters
        ]
    return found


def _names(description: Description, style: str) -> dict[str, PictureName]:
    """Letter -> picture. Kinds without their own picture, or whose picture an earlier kind has, are
    tokens."""
    found: dict[str, PictureName] = {}
    named = sorted(description.pieces, key=lambda piece: not piece.picture)
    for piece in named:
        gilded = piece.promoted and description.has_drops  # reverts when it is captured
        name = PictureName("token", gilded) if style == LETTER_STYLE else _name(piece, gilded)
        if name in found.values() and name.figure != "token":
            name = PictureName("token", gilded)
        found[piece.letter] = name
    return found


def _name(piece: PieceDescription, gilded: bool) -> PictureName:
    """The picture that the file gives, or the figure of the piece's name, or a token."""
    reverting = piece.letter.endswith(REVERTING)
    if piece.picture:
        name = picture_names.parse(piece.picture)
        return name._replace(gilded=name.gilded or reverting)
    figure = piece.name.removeprefix("promoted ").lower() if reverting else piece.name.lower()
    return PictureName(figure if figure in FIGURES else "token", gilded)
