"""The files of puzzles: EPD, PGN and CSV."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from ...bench.suites.epd import write_entries
from ...engine.notation.game_tree import Game
from .puzzle import Puzzle

COLUMNS = ("id", "variant", "fen", "moves", "san", "goal", "themes", "length", "nodes")


def write_puzzles(path: Path, puzzles: Sequence[Puzzle], heading: str) -> list[Path]:
    """Writes puzzles to the EPD file `path`, and to a PGN and a CSV file of the same name; returns the paths.
    Raises OSError."""
    games, sheet = path.with_suffix(".pgn"), path.with_suffix(".csv")
    write_entries(path, puzzles, heading)
    games.write_text("\n\n".join(str(as_game(puzzle)) for puzzle in puzzles) + "\n", encoding="utf-8")
    sheet.write_text(as_csv(puzzles), encoding="utf-8", newline="")
    return [path, games, sheet]


def as_game(puzzle: Puzzle) -> Game:
    """A puzzle as a game in PGN: its position, the solution as the moves, goal and themes in a comment."""
    headers = {"Event": f"Puzzle: {puzzle.what}", "Site": puzzle.name}
    game = Game(puzzle.variant, puzzle.fen, headers)
    game.comment = f"{puzzle.what}; {', '.join(puzzle.themes)}; found with {puzzle.nodes} nodes"
    game.add_line(puzzle.moves)
    return game


def as_csv(puzzles: Sequence[Puzzle]) -> str:
    """Puzzles as a table with the COLUMNS; moves and themes are separated by spaces and commas."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for puzzle in puzzles:
        san = " ".join(node.san() for node in as_game(puzzle).mainline())
        themes, moves = ", ".join(puzzle.themes), " ".join(puzzle.moves)
        row = (puzzle.name, puzzle.variant, puzzle.fen, moves, san, puzzle.goal, themes)
        writer.writerow((*row, puzzle.length, puzzle.nodes))
    return text.getvalue()
