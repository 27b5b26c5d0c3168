"""Plain pictures for any game: a disc with the letter of the piece, in a gold ring if it is promoted."""

from html import escape

INKS = {"w": ("#fdfaf2", "#222", "#222"), "b": ("#2b2b30", "#000", "#f3efe4")}  # disc, edge, letter


def picture_set(description):
    """Key -> the inner markup of an SVG whose viewBox is "0 0 45 45", for each kind and colour.

    A key is "w" or "b" and the piece's letter as FEN writes it for White: "wR", "bQ~"."""
    return {side + piece.letter: _token(side, piece) for side in "wb" for piece in description.pieces}


def _token(side, piece):
    disc, edge, ink = INKS[side]
    ring = "#d9a520" if piece.promoted or piece.letter.endswith("~") else edge
    width = 3 if ring != edge else 1.5
    return (
        f'<circle cx="22.5" cy="22.5" r="18" fill="{disc}" stroke="{ring}" stroke-width="{width}"/>'
        f'<text x="22.5" y="30.5" text-anchor="middle" font-size="23" font-weight="600" '
        f'font-family="sans-serif" fill="{ink}">{escape(piece.letter[0])}</text>'
    )


def board_style(description):
    """ "lines" where pieces stand on the points of a net, as in Janggi, else "squares"."""
    return "lines" if description.palace else "squares"


def rules_card(description):
    """What the page says of a game: title, paragraphs, and each piece with its name and letter."""
    pieces = [{"name": piece.name, "letter": piece.letter, "diagram": ""} for piece in description.pieces]
    return {"title": description.title, "paragraphs": [], "pieces": pieces}
