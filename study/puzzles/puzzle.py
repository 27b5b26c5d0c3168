"""Puzzles in files, one position a line:

    FEN ; bm h5f7 ; pv h5f7 e8f7 e4e5 ; acn 400 ; c0 "win, capture, sacrifice" ; id "game 12, ply 61"

`pv` is the solution: the moves of the side to move and the replies, `acn` the nodes that a search needs to
find its first move. `c0` names the goal first, then the themes.
"""

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...bench.suites.epd import SuiteEntry, write_entries
from ...engine.bench_positions import matched_lines
from ...engine.notation.game_tree import Game
from ...engine.variant import Variant
from ...search.results import Score

COLUMNS = ("id", "variant", "fen", "moves", "san", "goal", "themes", "length", "nodes")
CURVE = 250 / math.log(73 / 27)  # centipawns: +250 wins 73 of 100 games, see `Score`
MOST = 10_000  # centipawns: greater scores count as so many


def expected(score: Score) -> float:
    """The expected score, 0 to 1, of a score for the side to move."""
    if score.mate is not None:
        return 1.0 if score.mate > 0 else 0.0
    return 1 / (1 + math.exp(-max(-MOST, min(MOST, score.centipawns)) / CURVE))


MATE, WIN, SAVE = "mate", "win", "save"
FORM = 'FEN ; bm MOVE ; pv MOVES ; acn NODES ; c0 "goal, themes" ; id "name"'
_LINE = re.compile(
    r'(?P<fen>[^;]+?) ; bm [^;"]+? ; pv (?P<moves>[^;"]+?) ; acn (?P<nodes>\d+)'
    r' ; c0 "(?P<goal>mate|win|save)(?:, (?P<themes>[^"]*))?" ; id "(?P<name>[^"]+)"'
)


@dataclass(frozen=True)
class Puzzle(SuiteEntry):
    """A position with one good move at each turn of its side.

    `moves` is the solution as text, the solver's moves and the replies in turn; it begins and ends with a
    move of the solver. `goal` is MATE, WIN or SAVE (a draw or a level game), `themes` say what the
    first move and the line are. `nodes` is the number of nodes from which a search plays the first move."""

    moves: tuple[str, ...]
    goal: str
    themes: tuple[str, ...]
    nodes: int

    @property
    def length(self) -> int:
        """The number of the solver's moves."""
        return (len(self.moves) + 1) // 2

    @property
    def what(self) -> str:
        """The goal in words, such as "mate in 2"."""
        return f"mate in {self.length}" if self.goal == MATE else self.goal

    def __str__(self) -> str:
        return " ; ".join(
            [
                self.fen,
                f"bm {self.moves[0]}",
                f"pv {' '.join(self.moves)}",
                f"acn {self.nodes}",
                f'c0 "{", ".join((self.goal, *self.themes))}"',
                f'id "{self.name}"',
            ]
        )


def read_puzzles(path: Path, variant: Variant) -> list[Puzzle]:
    """The puzzles of a file, in its order. Raises ValueError that names file and line and quotes it."""
    return [
        Puzzle(
            variant,
            match["name"],
            match["fen"],
            tuple(match["moves"].split()),
            match["goal"],
            tuple(match["themes"].split(", ")) if match["themes"] else (),
            int(match["nodes"]),
        )
        for _, match in matched_lines(path, _LINE, FORM)
    ]


def different(puzzles: Iterable[Puzzle], count: int) -> list[Puzzle]:
    """The first `count` puzzles of which no two share a position, or the solution and the squares of the
    kings."""
    found: list[Puzzle] = []
    known: set[tuple[object, ...]] = set()
    for puzzle in puzzles:
        kings = puzzle.position.king(0), puzzle.position.king(1)
        names: set[tuple[object, ...]] = {puzzle.place, (puzzle.moves, puzzle.position.turn, kings)}
        if not names & known:
            found.append(puzzle)
        known |= names
        if len(found) == count:
            break
    return found


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
