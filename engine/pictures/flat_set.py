"""A second set of figures for games like chess: flat shapes, drawn for this program."""

from ..game.picture_names import PictureName
from . import figures
from .figures import DEEP_GOLD, GOLD, Ink

SHAPES = {
    "pawn": "M22.5 9a5.5 5.5 0 0 1 3.6 9.7L30 33h3v6H12v-6h3l3.9-14.3A5.5 5.5 0 0 1 22.5 9z",
    "rook": "M11 9h5v4h4V9h5v4h4V9h5v9l-4 3v11h4v7H11v-7h4V21l-4-3z",
    "bishop": "M22.5 5c5 4 9 9 9 14 0 4-2 7-4 9l3 4h4v7h-24v-7h4l3-4c-2-2-4-5-4-9 0-5 4-10 9-14z",
    "knight": "M13 39h22c0-14-1-24-14-29l-2-4-3 5-2 1-6 11 2 4 4-1 3-3 3 1c0 5-7 7-7 15z",
    "queen": "M8 12l6 9 3-13 5.5 12L28 8l3 13 6-9-4 20h1v7H11v-7h1z",
    "king": "M20.5 4h4v4h4v4h-4v4c8-2 14 2 12 8l-4 9h2v6h-24v-6h2l-4-9c-2-6 4-10 12-8v-4h-4V8h4z",
}
BODIES = {"w": ("#f8f4ea", "#4a4338", "#4a4338"), "b": ("#45413c", "#15130f", "#f0e9dc")}


def flat(name: PictureName, colour: str, letter: str) -> str:
    """The flat picture for "w" or "b"; figures without a flat shape keep their usual one."""
    body, edge, detail = BODIES[colour]
    if name.badge or name.figure == "token" or name.figure.startswith("octagon"):
        return figures.draw(name, colour, letter)
    if name.gilded:
        body, edge, detail = (GOLD, edge, edge) if colour == "w" else (body, DEEP_GOLD, GOLD)
    shape = SHAPES.get(name.figure)
    if shape is None:
        return figures.plain(name.figure, colour, Ink(body, edge, detail))
    return f'<path d="{shape}" fill="{body}" stroke="{edge}" stroke-width="1.7" stroke-linejoin="round"/>'
