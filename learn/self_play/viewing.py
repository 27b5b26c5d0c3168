"""Games and positions of a file as text."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import SupportsInt

from ...engine.game.moves import spell
from ...engine.position import Position
from ...engine.variant import Variant
from .compiled_games import ENDINGS, NO_SCORE, SelfPlayedGame
from .games_file import GamesError, GamesReader
from .positions import Replay
from .starts import start_of

SCORES = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
POINTS = {1: "1", 0: "0.5", -1: "0"}


def position_after(variant: Variant, moves: Iterable[SupportsInt], start: Position | None = None) -> Position:
    """The `Position` after moves, given as codes, from a `start` or from the game's own. Raises MoveError for
    an illegal one."""
    position = Position(variant) if start is None else start.copy()
    for code in moves:
        position.push(spell(int(code), position.description))
    return position


def nth_game(path: str | Path, number: int) -> tuple[Position, SelfPlayedGame]:
    """(start, `SelfPlayedGame`) of the game with that number in a file. Raises GamesError without one."""
    with GamesReader(path) as reader:
        variant, count = reader.header.variant, 0
        reader.refuse_other(variant)
        for chunk in reader.chunks():
            count += len(chunk.numbers)
            if number < count:
                game = next(islice(chunk.games(), number - int(chunk.numbers[0]), None))
                return start_of(variant, game.number, reader.header.starts), game
    raise GamesError(f"{path}: there is no game {number}: the file has {count} games, from 0")


def game_lines(path: str | Path, number: int) -> Iterator[str]:
    """Yields a heading, and a line for each ply of a game: move, score and position before the move. Raises
    GamesError."""
    position, game = nth_game(path, number)
    yield (
        f"{position.description.title}, game {number}: {SCORES[game.result]} by {ENDINGS[game.ending]}, "
        f"{len(game.moves)} plies, {game.opening} of them random; scores in centipawns, White's"
    )
    for ply, (code, score) in enumerate(zip(game.moves, game.scores, strict=True)):
        move = spell(int(code), position.description)
        told = "-" if score == NO_SCORE else f"{score:+d}"
        yield f"{ply:>4}  {move!s:<7} {told:>7}  {position.fen()}"
        position.push(move)
    result = position.result()
    yield f"{len(game.moves):>4}  {'':<15}  {position.fen()}" + (f"  {result.reason}" if result else "")


def position_lines(path: str | Path, first: int, last: int) -> Iterator[str]:
    """Yields the quiet positions of a file from `first` to `last` as FEN ; score ; points, both White's.
    Raises GamesError if there are fewer."""
    with GamesReader(path) as reader:
        variant, seen = reader.header.variant, 0
        reader.refuse_other(variant)
        replay = Replay(variant, starts=reader.header.starts)
        for chunk in reader.chunks():
            batch = replay.batch(chunk, path)
            wanted = range(max(0, first - seen), min(len(batch.plies), last + 1 - seen))
            games = list(chunk.games()) if wanted else []
            for index in wanted:
                game = games[int(batch.games[index] - chunk.numbers[0])]
                start = start_of(variant, game.number, reader.header.starts)
                fen = position_after(variant, game.moves[: batch.plies[index]], start).fen()
                yield f"{fen} ; {batch.scores[index]} ; {POINTS[int(batch.results[index])]}"
            seen += len(batch.plies)
            if seen > last:
                return
    raise GamesError(
        f"{path}: there is no position {max(first, seen)}: the file has {seen} quiet ones, from 0"
    )
