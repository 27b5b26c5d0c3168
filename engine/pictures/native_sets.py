"""Native pieces: pentagons of shogi, discs of xiangqi, turned pieces of makruk; by the pieces' names."""

from ..game.description import REVERTING, PieceDescription
from ..game.picture_names import FIGURES, PictureName
from . import figures
from .families import MAKRUK, SHOGI, XIANGQI
from .figures import WOOD, WOOD_EDGE, Ink
from .strokes import SHOGI as SHOGI_STROKES
from .strokes import SHOGI_PAIRS
from .strokes import XIANGQI as XIANGQI_STROKES

PAIR = 2  # characters on a piece
SHOGI_INK, SHOGI_RED = "#1d1a16", "#b3201a"
DISC_INKS = {"w": "#b3201a", "b": "#1f2a24"}
SHOGI_SIZES = {
    "king": 1.0,
    "rook": 0.97,
    "bishop": 0.97,
    "dragon": 0.97,
    "horse": 0.97,
    "pawn": 0.86,
    "tokin": 0.86,
}
SHOGI_SIZE = 0.92
# The base of a promoted piece of shogi, for figures.
BASES = {"dragon": "rook", "horse": "bishop", "tokin": "pawn"}
XIANGQI_FIGURES = {
    "general": "king",
    "advisor": "bishop",
    "elephant": "elephant",
    "horse": "knight",
    "chariot": "rook",
    "cannon": "cannon",
    "soldier": "pawn",
}
LANCE = '<path d="M22.5 5l7 11h-4.5v23h-5V16h-4.5z" fill="{0}" stroke="{0}" stroke-linejoin="round"/>'
# Turned pieces of makruk: the right half of each outline, from the top to the base, which is mirrored.
MAKRUK_PROFILES: dict[str, list[tuple[float, float]]] = {
    "khun": [(0, 4), (2, 9), (4, 12), (3, 15), (7, 19), (5, 22), (10, 28), (8, 31), (14, 38), (14, 41)],
    "met": [(0, 13), (2, 17), (5, 20), (3.5, 23), (9, 29), (7, 32), (12, 38), (12, 41)],
    "khon": [(0, 9), (4, 12), (7, 18), (6, 22), (9, 27), (6, 30), (11, 35), (13, 39), (13, 41)],
    "ruea": [(11, 22), (13, 25), (11, 28), (12, 34), (16, 38), (16, 41)],
    "bia": [(0, 25), (5, 26), (8, 30), (6, 33), (10, 38), (10, 41)],
}


def draws(family: str) -> bool:
    """Whether a family has a native set."""
    return family in (SHOGI, XIANGQI, MAKRUK)


def native(family: str, piece: PieceDescription, name: PictureName, colour: str, characters: int) -> str:
    """The native picture of a piece for "w" or "b", with so many `characters`, or with a figure for 0. `name`
    is its picture in other sets, used for pieces that are unknown to the family."""
    kind = kind_of(piece)
    if family == SHOGI:
        return _pentagon(kind, piece, name, colour, characters)
    if family == XIANGQI:
        return _disc(kind, piece, name, colour, bool(characters))
    if kind in MAKRUK_PROFILES:
        return _turned(kind, colour, piece)
    return figures.draw(PictureName("knight") if kind == "ma" else name, colour, piece.letter)


def kind_of(piece: PieceDescription) -> str:
    """The kind by the piece's name: "gold" for a Gold General, "dragon" for a Dragon King."""
    name = piece.name.lower().removesuffix(" general").removesuffix(" king")
    return "horse" if name == "dragon horse" else name


def _character(strokes: tuple[str, ...], colour: str, ink: str, scale: float, y: float = 22.5) -> str:
    return figures.character(strokes[-1] if colour == "b" else strokes[0], ink, scale, y)


def _figure(figure: str, ink: str, scale: float, y: float) -> str:
    """A figure in one colour on wood."""
    markup = LANCE.format(ink) if figure == "lance" else figures.plain(figure, "b", Ink(ink, ink, WOOD))
    return figures.scaled(markup, scale, y)


def _pentagon(kind: str, piece: PieceDescription, name: PictureName, colour: str, characters: int) -> str:
    """A piece of shogi, red if a promotion made it; those of the other side point down."""
    ink = SHOGI_RED if piece.promoted else SHOGI_INK
    letter = piece.letter.removesuffix(REVERTING)
    base = BASES.get(kind, kind.removeprefix("promoted "))
    if characters == PAIR and kind in SHOGI_PAIRS:
        upper, lower = SHOGI_PAIRS[kind]
        inside = _character(upper, colour, ink, 0.165, 17.5) + _character(lower, colour, ink, 0.165, 34)
    elif characters and kind in SHOGI_STROKES:
        inside = _character(SHOGI_STROKES[kind], colour, ink, 0.25, 25.5)
    elif base == "lance" or (kind in SHOGI_STROKES and base in FIGURES):
        inside = _figure(base, ink, 0.62, 25.5)
    elif name.figure == "token":
        inside = (
            f'<text x="22.5" y="34" text-anchor="middle" font-family="sans-serif" font-weight="bold"'
            f' font-size="22" fill="{ink}">{letter}</text>'
        )
    else:
        inside = figures.scaled(figures.draw(name, "b", letter), 0.58, 26)
    size = SHOGI_SIZES.get(kind, SHOGI_SIZE)
    shift = 22.5 * (1 - size)
    edge = SHOGI_RED if piece.promoted and not characters else WOOD_EDGE
    body = (
        f'<path d="M22.5 2L36 8.5L41.5 43H3.5L9 8.5z" fill="{WOOD}" stroke="{edge}" stroke-width="1.4"'
        f' stroke-linejoin="round"/>{inside}'
    )
    turn = "" if colour == "w" else "rotate(180 22.5 22.5) "
    return f'<g transform="{turn}translate({shift:.2f} {shift:.2f}) scale({size})">{body}</g>'


def _disc(kind: str, piece: PieceDescription, name: PictureName, colour: str, characters: bool) -> str:
    ink = DISC_INKS[colour]
    if characters and kind in XIANGQI_STROKES:
        inside = _character(XIANGQI_STROKES[kind], colour, ink, 0.235)
    elif kind in XIANGQI_FIGURES:
        inside = _figure(XIANGQI_FIGURES[kind], ink, 0.64, 22.2)
    else:
        inside = figures.scaled(figures.draw(name, "b", piece.letter.removesuffix(REVERTING)), 0.6)
    return (
        f'<circle cx="22.5" cy="22.5" r="20" fill="{WOOD}" stroke="{WOOD_EDGE}" stroke-width="1.5"/>'
        f'<circle cx="22.5" cy="22.5" r="17.2" fill="none" stroke="{ink}" stroke-width="1.1"/>{inside}'
    )


def _turned(kind: str, colour: str, piece: PieceDescription) -> str:
    """A piece of makruk, turned like wood."""
    body, line, detail = ("#fff", "#000", "#000") if colour == "w" else ("#000", "#000", "#fff")
    half = MAKRUK_PROFILES[kind]
    right = " ".join(f"{22.5 + x:g},{y:g}" for x, y in half)
    left = " ".join(f"{22.5 - x:g},{y:g}" for x, y in reversed(half))
    wide, base = half[-2]
    rings = f"M{22.5 - wide + 1:g} {base:g}H{22.5 + wide - 1:g}"
    narrow = half[-4]
    rings += f"M{22.5 - narrow[0]:g} {narrow[1]:g}H{22.5 + narrow[0]:g}"
    gold = '<circle cx="22.5" cy="12" r="3.4" fill="#ffd24a" stroke="#000"/>' if piece.promoted else ""
    return (
        f'<polygon points="{right} {left}" fill="{body}" stroke="{line}" stroke-width="1.5"'
        f' stroke-linejoin="round"/>'
        f'<path d="{rings}" stroke="{detail}" stroke-width="1.3" fill="none"/>{gold}'
    )
