"""Takes the pictures of games' pieces: `.venv/bin/python docs/pictures/sheets.py [NAME ...]`.

Writes `pieces-NAME.png` beside this file; without a NAME for the games in `docs/own-game/pictures.md`. Needs
Debian's `chromium` and ImageMagick's `convert`.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from surajang.engine.definition.catalogue import load
from surajang.engine.game.description import Description, PieceDescription
from surajang.engine.pictures.piece_set import board_style, picture_set, styles

FOLDER = Path(__file__).parent
SQUARE = 56  # pixels
NAME_ROOM = 18
FRAME = 200  # more than the window has around the page
TEXT = 'text-anchor="middle" font-family="sans-serif" font-size="10"'
GROUNDS = {"squares": ("#f0d9b5", "#b58863"), "lines": ("#e9c98f", "#e9c98f"), "grid": ("#e9c98f", "#e9c98f")}


def sheet(description: Description, style: str) -> tuple[str, int, int]:
    """A row of each colour with the names below, as an SVG; and its width and height in pixels."""
    pictures = picture_set(description, style)
    grounds = GROUNDS[str(board_style(description)["kind"])]
    parts = []
    for row, colour in enumerate("wb"):
        for column, piece in enumerate(description.pieces):
            x, y = column * SQUARE, row * SQUARE
            ground = grounds[(row + column) % 2]
            parts.append(f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{ground}"/>')
            place = f'x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" viewBox="0 0 45 45"'
            parts.append(f"<svg {place}>{pictures[colour + piece.letter]}</svg>")
    for column, piece in enumerate(description.pieces):
        middle, below = column * SQUARE + SQUARE // 2, 2 * SQUARE + 13
        parts.append(f'<text x="{middle}" y="{below}" {TEXT}>{_label(piece)}</text>')
    return "".join(parts), len(description.pieces) * SQUARE, 2 * SQUARE + NAME_ROOM


def _label(piece: PieceDescription) -> str:
    """Letter and name as far as there is room."""
    if len(piece.name) < 8:
        return f"{piece.letter} {piece.name}"
    return piece.name if len(piece.name) < 11 else piece.letter


def take(description: Description) -> None:
    """Writes the picture of one game: all its styles but the letters."""
    sheets = [sheet(description, style) for style in styles(description) if style != "letters"]
    width, height = sheets[0][1], sum(height for _, _, height in sheets)
    body = "".join(
        f'<svg style="display:block" width="{width}" height="{high}">{markup}</svg>'
        for markup, _, high in sheets
    )
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "sheet.html"
        page.write_text(f'<body style="margin:0;background:#fff">{body}', encoding="utf-8")
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        options += [f"--window-size={max(width, 600)},{height + FRAME}", f"--user-data-dir={folder}/profile"]
        target = FOLDER / f"pieces-{description.name}.png"
        command = ["chromium", *options, f"--screenshot={target}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True)
        crop = [
            "convert",
            str(target),
            "-crop",
            f"{width}x{height}+0+0",
            "+repage",
            "-colors",
            "64",
            "-strip",
            str(target),
        ]
        subprocess.run(crop, check=True)


def main() -> None:
    """Takes the pictures of the games that the command line names, or of those that the page shows."""
    page = (FOLDER.parent / "own-game" / "pictures.md").read_text(encoding="utf-8")
    names = sys.argv[1:] or re.findall(r"pieces-([a-z0-9-]+)\.png", page)
    for name in names:
        take(load(name))


if __name__ == "__main__":
    main()
