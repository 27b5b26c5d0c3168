"""Glyphs of moves and positions, and their numbers in PGN (numeric annotation glyphs)."""

from collections.abc import Iterable

from ..game.arguments import check_range

MOST_NAG = 255  # the greatest number of the standard
GLYPHS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
NUMBERS = {glyph: number for number, glyph in GLYPHS.items()}
SYMBOLS = {  # symbols in place of numbers, after a move or separate
    **{"□": 7, "=": 10, "∞": 13, "⩲": 14, "+=": 14, "+/=": 14, "⩱": 15, "=+": 15, "=/+": 15},
    **{"±": 16, "+/-": 16, "∓": 17, "-/+": 17, "+-": 18, "+\u2212": 18, "-+": 19, "\u2212+": 19},
    **{"⨀": 22, "⊙": 22, "⟳": 32, "→": 36, "↑": 36, "⇄": 132, "⨁": 138, "⌓": 142, "N": 146},
}


def check_nags(nags: Iterable[int]) -> None:
    """Raises TypeError or ValueError, which quotes it, for the first that is no number of a glyph."""
    for nag in nags:
        check_range("a nag", nag, 0)
        if nag > MOST_NAG:
            raise ValueError(f"a nag {nag!r} should be at most {MOST_NAG}")
