"""Figures of pieces as SVG in a box of 45 x 45: cburnett's set from python-chess, and additions.

The drawings of this program are in `art`. `piece_set` assigns figures to the pieces of a game.
"""

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import chess.svg

from ..game.picture_names import PictureName
from .glyphs import GLYPHS

CBURNETT = {"king": "K", "queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": "P"}
# Figures made of cburnett's knight and a drawing before it: (drawing, where the knight stands).
HORSED = {
    "chancellor": ("tower", "translate(4.5 -3.6) scale(.8)"),
    "archbishop": ("ribbon", "translate(4.5 -3.6) scale(.8)"),
    "general": ("rings", "translate(5.5 3.6) scale(.74)"),
}
GOLD, DEEP_GOLD = "#ffd24a", "#e8a90c"
SLATE = "#5f7183"  # behind small white and golden figures
WOOD, WOOD_EDGE = "#f7e6bd", "#8a5a20"
OCTAGON_INKS = {"w": "#0f4fa8", "b": "#c01a1a"}  # Cho is blue, Han is red
# The figures that stand for Janggi's pieces in its western style.
WESTERN = {
    "king": "king",
    "advisor": "queen",
    "chariot": "rook",
    "horse": "knight",
    "elephant": "elephant",
    "cannon": "cannon",
    "soldier": "pawn",
}


class Ink(NamedTuple):
    """The colours of a figure: its body, its outline, and lines on the body."""

    body: str
    outline: str
    detail: str


INKS = {
    ("w", False): Ink("#fff", "#000", "#000"),
    ("b", False): Ink("#000", "#000", "#fff"),
    ("w", True): Ink(GOLD, "#000", "#000"),
    ("b", True): Ink("#000", DEEP_GOLD, GOLD),
}


def draw(name: PictureName, colour: str, letter: str) -> str:
    """The markup of a picture for "w" or "b"; `letter` is what a token shows."""
    figure, gilded, badge = name
    if figure == "token":
        return token(letter, colour, gilded)
    if figure.startswith("octagon "):
        return octagon(figure.removeprefix("octagon "), colour, gilded)
    ink = INKS[colour, gilded]
    markup = plain(figure, colour, ink)
    if not badge:
        return markup
    if figure == "queen":
        return _crowned(badge, colour, ink)
    return f'<g transform="translate(-1 -.5) scale(.92)">{markup}</g>{_badge(badge, colour, ink)}'


def plain(figure: str, colour: str, ink: Ink) -> str:
    """A figure without a badge, in the given colours."""
    if figure in CBURNETT:
        return _cburnett(CBURNETT[figure], colour, ink)
    if figure == "amazon":
        return plain("queen", colour, ink) + _badge("knight", colour, ink)
    if figure in HORSED:
        base, place = HORSED[figure]
        knight = f'<g transform="{place}">{_cburnett("N", colour, ink)}</g>'
        crown = _drawing("cross", ink) if figure == "general" else ""
        return crown + knight + _drawing(base, ink)
    return _drawing(figure, ink)


def token(letter: str, colour: str, gilded: bool) -> str:
    """A disc with a letter, with a golden ring if a promotion made the piece."""
    body, line = ("#fdfaf2", "#1c1c1c") if colour == "w" else ("#262626", "#f4f4f4")
    ring = f'<circle cx="22.5" cy="22.5" r="18.6" fill="none" stroke="{DEEP_GOLD}" stroke-width="3.4"/>'
    return (
        f'<circle cx="22.5" cy="22.5" r="20" fill="{body}" stroke="#000" stroke-width="1.5"/>'
        f"{ring if gilded else ''}"
        f'<text x="22.5" y="30.5" text-anchor="middle" font-family="sans-serif" font-weight="bold"'
        f' font-size="22" fill="{line}">{letter}</text>'
    )


def octagon(name: str, colour: str, gilded: bool) -> str:
    """A piece of Janggi: its octagon with its character."""
    radius, *strokes = GLYPHS[name]
    scale = radius * 1.24 / 100
    width = 8.5 if name in ("soldier", "advisor") else 7.6
    drawn = character(strokes["wb".index(colour)], OCTAGON_INKS[colour], scale, width=width)
    return _octagon_ground(radius, colour, gilded) + drawn


def western_octagon(name: str, colour: str, gilded: bool) -> str:
    """A piece of Janggi: its octagon with a figure in place of the character."""
    radius = GLYPHS[name][0]
    hue = OCTAGON_INKS[colour]
    figure = plain(WESTERN[name], "b", Ink(hue, hue, WOOD))
    return _octagon_ground(radius, colour, gilded) + scaled(figure, radius * 1.56 / 45)


def character(strokes: str, ink: str, scale: float, y: float = 22.5, width: float = 8) -> str:
    """The strokes of a character, whose middle is at the height `y`."""
    return (
        f'<path transform="translate({22.5 - 50 * scale:.2f} {y - 50 * scale:.2f}) scale({scale:.3f})"'
        f' d="{strokes}" fill="none" stroke="{ink}" stroke-width="{width}" stroke-linecap="round"'
        ' stroke-linejoin="round"/>'
    )


def scaled(markup: str, scale: float, y: float = 22.5) -> str:
    """A smaller picture, whose middle is at the height `y`."""
    place = f"translate({22.5 - 22.5 * scale:.2f} {y - 22.5 * scale:.2f}) scale({scale:.3f})"
    return f'<g transform="{place}">{markup}</g>'


def _octagon_ground(radius: float, colour: str, gilded: bool) -> str:
    def corners(size: float) -> str:
        short = size * 0.41
        around = [(short, -size), (size, -short), (size, short), (short, size)]
        around += [(-x, -y) for x, y in around]
        return " ".join(f"{22.5 + x:.2f},{22.5 + y:.2f}" for x, y in around)

    return (
        f'<polygon points="{corners(radius)}" fill="{GOLD if gilded else WOOD}" stroke="{WOOD_EDGE}"'
        ' stroke-width="1.6"/>'
        f'<polygon points="{corners(radius - 2.2)}" fill="none" stroke="{OCTAGON_INKS[colour]}"'
        ' stroke-width=".7" stroke-opacity=".55"/>'
    )


def _crowned(figure: str, colour: str, ink: Ink) -> str:
    """A figure below a queen's crown, for a piece that has been promoted to a queen, in its own colour."""
    crown = plain("queen", colour, ink)
    return (
        f'<g transform="translate(4 8.1) scale(.82)">{plain(figure, colour, ink)}</g>'
        f'<g transform="translate(11.2 -1.6) scale(.5)">{crown}</g>'
    )


def _badge(figure: str, colour: str, ink: Ink) -> str:
    """A small figure in the colour of its side, on a disc in the lower right corner."""
    ground = SLATE if colour == "w" else ink.detail
    return (
        f'<circle cx="31.5" cy="31.5" r="12.6" fill="{ground}" stroke="#000" stroke-width="1.2"/>'
        f'<g transform="translate(19.1 19.1) scale(.55)">{plain(figure, colour, ink)}</g>'
    )


@cache
def _cburnett(letter: str, colour: str, ink: Ink) -> str:
    """A piece of python-chess's set in the given colours, without ids and style attributes."""
    markup = chess.svg.PIECES[letter if colour == "w" else letter.lower()]
    markup = re.sub(r' (?:id|class)="[^"]*"', "", markup)
    markup = re.sub(r'style="fill:(\S+?); stroke:(\S+?);"', r'fill="\1" stroke="\2"', markup)
    bodies = ("#fff", "#ffffff") if colour == "w" else ("#000", "#000000")

    def painted(match: re.Match[str]) -> str:
        attribute, old = match[1], match[2]
        if attribute == "fill":
            new = ink.body if old in bodies else ink.detail
        else:
            new = ink.outline if old in ("#000", "#000000") else ink.detail
        return f'{attribute}="{new}"'

    return re.sub(r'(fill|stroke)="(#\w+)"', painted, markup)


@cache
def _drawing(name: str, ink: Ink) -> str:
    """A drawing of this program in the given colours."""
    text = (files(__package__) / "art" / f"{name}.svg").read_text(encoding="utf-8")
    inner = text.split("</style>", 1)[1].rsplit("</svg>", 1)[0]
    classes = {
        "body": f'fill="{ink.body}" stroke="{ink.outline}"',
        "line": f'fill="none" stroke="{ink.detail}"',
        "edge": f'fill="none" stroke="{ink.outline}"',
        "dot": f'fill="{ink.detail}"',
    }
    inner = re.sub(r'class="(\w+)"', lambda match: classes[match[1]], inner)
    inner = re.sub(r"\s+", " ", inner).replace("> <", "><").strip()
    return f'<g stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">{inner}</g>'
