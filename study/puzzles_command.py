"""`surajang puzzles`: puzzles for a game, from games of the engine against itself."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import click

from ..bench.suites.collecting import collect, counted_found, shortage
from ..engine.variant import Variant
from ..learn.self_play.generator import game_errors
from ..learn.self_play.options import Concurrency, MostGames, Plies, Seed
from ..protocol.terminal.command_options import NEW_FILE, Cluster, Option, with_options
from .games.study_options import Count, GameNodes, JudgeNodes
from .puzzles.finding import GAME_NODES, NODES, PLIES, PuzzleFinder
from .puzzles.puzzle import Puzzle, different, read_puzzles, write_puzzles
from .study_command import game_argument


@click.command()
@click.argument("game", metavar="GAME", callback=game_argument)
@with_options
def main(
    game: Variant,
    *,
    count: Count = 20,
    nodes: JudgeNodes = NODES,
    games: MostGames = 2000,
    game_nodes: GameNodes = GAME_NODES,
    plies: Plies = PLIES,
    seed: Seed = 1,
    concurrency: Concurrency = 1,
    cluster: Cluster = None,
    out: Annotated[Path | None, Option("The EPD file.  [default: puzzles-NAME.epd]", type=NEW_FILE)] = None,
) -> None:
    """Make puzzles for GAME, the name of a game or the file of your own: positions with one good move.

    The engine plays games against itself. Two searches agree on each move of a solution. The puzzles are
    written as EPD, and as PGN and CSV beside it. The results of each game are kept in a file beside them: the
    same command resumes from it, and the same settings give the same puzzles."""
    path = out or Path(f"puzzles-{game}.epd")

    def select(journal: Path) -> list[Puzzle]:
        return different(read_puzzles(journal, game), count)

    with game_errors(ValueError):
        finder = PuzzleFinder.of(game, nodes, game_nodes, plies, seed)
        puzzles = collect(finder, games, path, cluster, concurrency, select, count, "puzzles")
        heading = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        written = write_puzzles(path, puzzles, heading)
    kinds = Counter(puzzle.what for puzzle in puzzles)
    summary = ", ".join(f"{number} {what}" for what, number in sorted(kinds.items()))
    found = counted_found(len(puzzles), "puzzles") + (f" ({summary})" if summary else "")
    missing = shortage(len(puzzles), count, games)
    click.echo(f"{found} in {', '.join(map(str, written))}{missing}")
