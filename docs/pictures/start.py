"""Draws the start position of a game: `.venv/bin/python docs/pictures/start.py FILE.toml OUT.svg`.

A page is drawn by its first TOML block: `start.py README.md docs/pictures/camelhouse.svg`.
"""

import re
import sys
from pathlib import Path

from surajang.board.pictures import picture_set
from surajang.engine.definition.catalogue import parse
from surajang.engine.game.description import Description

SQUARE = 45  # units of the pictures
GROUNDS = ("#b58863", "#f0d9b5")


def board(description: Description) -> str:
    """The board with the pieces of the start position, White below, as an SVG."""
    pictures, files, ranks = picture_set(description), description.files, description.ranks
    parts = []
    for row, text in enumerate(description.start_fen.split()[0].split("[")[0].split("/")):
        letters = re.sub(r"\d+", lambda count: " " * int(count[0]), text)
        for column, letter in enumerate(letters):
            x, y = column * SQUARE, row * SQUARE
            ground = GROUNDS[(ranks - 1 - row + column) % 2]
            parts.append(f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{ground}"/>')
            if letter != " ":
                key = ("w" if letter.isupper() else "b") + letter.upper()
                parts.append(f'<g transform="translate({x} {y})">{pictures[key]}</g>')
    width, height = files * SQUARE, ranks * SQUARE
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>\n'


def main() -> None:
    """Draws the game of the file that the command line names."""
    source, target = map(Path, sys.argv[1:3])
    text = source.read_text(encoding="utf-8")
    if source.suffix == ".md":
        text = re.search(r"^```toml\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)[1]
    target.write_text(board(parse(text, source.name)), encoding="utf-8")


if __name__ == "__main__":
    main()
