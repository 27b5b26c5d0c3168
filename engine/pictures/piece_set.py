"""Pictures of a game's pieces as SVG, and how its board looks.

The figures are drawn in `figures`; the page that shows them adds nothing but their size.
"""

from ..game import picture_names
from ..game.description import REVERTING, Description, PieceDescription
from ..game.moves import square_name
from ..game.picture_names import FIGURES, OCTAGONS, PictureName
from ..representation.geometry import Geometry
from . import figures

FIGURE_STYLE, CHARACTER_STYLE, LETTER_STYLE = "figures", "characters", "letters"


def picture_set(description: Description, style: str = "") -> dict[str, str]:
    """Key -> the inner markup of an SVG whose viewBox is "0 0 45 45", for each kind and colour.

    A key is "w" or "b" and the piece's letter as FEN writes it for White: "wR", "bQ~". `style` is one of
    `styles(description)`; the first of them if it is empty. Raises ValueError for another one.
    """
    known = styles(description)
    if style and style not in known:
        raise ValueError(f"{style!r} is not a style of {description.name}'s pictures ({', '.join(known)})")
    names = _names(description, style or known[0])
    pictures = {}
    for piece in description.pieces:
        name, letter = names[piece.letter], piece.letter.removesuffix(REVERTING)
        for colour in "wb":
            if name.figure in OCTAGONS and style == FIGURE_STYLE:
                markup = figures.western_octagon(name.figure.removeprefix("octagon "), colour, name.gilded)
            else:
                markup = figures.draw(name, colour, letter)
            pictures[colour + piece.letter] = markup
    return pictures


def styles(description: Description) -> tuple[str, ...]:
    """The styles in which the game's pieces can be drawn, the usual one first."""
    characters = any(piece.picture in OCTAGONS for piece in description.pieces)
    return (*[CHARACTER_STYLE] * characters, FIGURE_STYLE, LETTER_STYLE)


def board_style(description: Description) -> dict[str, object]:
    """How the board looks, ready for JSON.

    `kind`: "squares", or "lines" where pieces stand on the crossings. `palaces`: the squares of each palace
    by name, White's first. `diagonals`: pairs of squares, the lines drawn across palaces. `styles`: those of
    the pieces.
    """
    palace = description.palace
    if palace is None:
        return {"kind": "squares", "palaces": [], "diagonals": [], "styles": list(styles(description))}
    geometry = Geometry(description.files, description.ranks, palace)
    squares = [(square, square_name(square, description.files)) for square in range(description.squares)]
    palaces = [[name for square, name in squares if board >> square & 1] for board in geometry.palaces]
    diagonals = [pair for inside in palaces for pair in ([inside[0], inside[8]], [inside[2], inside[6]])]
    return {
        "kind": "lines",
        "palaces": palaces,
        "diagonals": diagonals,
        "styles": list(styles(description)),
    }


def _names(description: Description, style: str) -> dict[str, PictureName]:
    """Letter -> picture. Kinds without one of their own, or whose own an earlier kind has, are tokens."""
    found: dict[str, PictureName] = {}
    named = sorted(description.pieces, key=lambda piece: not piece.picture)
    for piece in named:
        gilded = piece.promoted and description.has_drops  # what a capture turns back
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
