"""Draws the start position of a game: `.venv/bin/python docs/pictures/start.py FILE.toml OUT.svg`.

A page is drawn by its first TOML block: `start.py README.md docs/pictures/camelhouse.svg`.
"""

import re
import sys
from pathlib import Path

from surajang.engine.definition import fen
from surajang.engine.definition.catalogue import parse
from surajang.engine.game.description import Description
from surajang.engine.pictures.board_svg import UNIT, draw


def board(description: Description) -> str:
    """The board with the pieces of the start position, White below, as an SVG."""
    setup = fen.parse(description.start_fen, description)
    longer = UNIT * max(description.files, description.ranks)
    return f"{draw(setup, description, coordinates=False, hands=False, size=longer)}\n"


def main() -> None:
    """Draws the game of the file that the command line names."""
    source, target = map(Path, sys.argv[1:3])
    text = source.read_text(encoding="utf-8")
    if source.suffix == ".md":
        text = re.search(r"^```toml\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)[1]
    target.write_text(board(parse(text, source.name)), encoding="utf-8")


if __name__ == "__main__":
    main()
