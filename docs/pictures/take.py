"""Takes the picture of XBoard in the README: `.venv/bin/python docs/pictures/take.py`.

The engine plays Pandemonium against itself on a virtual screen. Needs xboard, Xvfb, xdotool and
ImageMagick's `import`.
"""

import subprocess
import tempfile
import time
from pathlib import Path

from surajang.tests.support import xboard

PICTURE = Path(__file__).with_name("xboard.png")
SECONDS = 75  # from the start of XBoard to the picture
BOARD = ("-boardSize", "Medium", "-showCoords", "true", "-highlightLastMove", "true")


def main() -> None:
    """Plays, takes the picture of XBoard's window, and ends XBoard."""
    with tempfile.TemporaryDirectory() as folder, xboard.screen() as display:
        pgn = Path(folder) / "game.pgn"
        options = xboard.match("pandemonium", 1, 20, 0.2, pgn)
        with xboard.xboard(Path(folder), display, *options, *BOARD):
            time.sleep(SECONDS)
            found = subprocess.run(
                ["xdotool", "search", "--onlyvisible", "--class", "xboard"],
                env={"DISPLAY": display, "PATH": "/usr/bin:/bin"},
                capture_output=True,
                text=True,
                check=True,
            )
            window = found.stdout.split()[0]
            command = ["import", "-display", display, "-window", window, "-strip", str(PICTURE)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
