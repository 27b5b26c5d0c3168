"""Checks how many of Fairy-Stockfish's games can be played here, each compared with Fairy-Stockfish: leaves
from the start, and the legal moves at every position of random games."""

import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import click

from ...engine.fairy_ini.importing import import_game
from ...engine.fairy_ini.ini import IniFile, read_file, templates
from ...engine.game.description import FILE_LETTERS, VariantError
from ...engine.game.text_files import decode
from ...engine.position import Move, Position
from ...match.workers.options import interruptible_workers, workers
from ...match.workers.pool import WorkersError
from ...protocol.terminal.command_options import Option, told_errors, with_options
from ...protocol.terminal.console import say
from ...protocol.uci.notation import UciNotation

LONGEST = 150  # plies of a random game
SHOWN = 3  # moves of a difference shown in a line
CHANCES = {"castling": 6, "promotion": 5, "drop": 4, "advance": 4, "capture": 2, "quiet": 4, "pass": 1}
EXACT, DIFFERENT, REFUSED = "exact", "different", "refused"


@dataclass(frozen=True)
class Finding:
    """The result for a game: `verdict` is EXACT, DIFFERENT or REFUSED, `text` a sentence on it."""

    name: str
    verdict: str
    text: str


class PyffishReferee:
    """Fairy-Stockfish, by the module `pyffish`, for one game."""

    def __init__(self, pyffish: Any, name: str) -> None:
        self._pyffish, self._name = pyffish, name
        self.start: str = pyffish.start_fen(name)

    def moves(self, fen: str, played: Sequence[str] = ()) -> list[str]:
        """The legal moves, as text, after some moves from a position."""
        moves: list[str] = self._pyffish.legal_moves(self._name, fen, list(played))
        return moves

    def leaves(self, fen: str, depth: int, played: Sequence[str] = ()) -> int:
        """The leaves of the tree of legal moves, `depth` plies below, at least one."""
        moves = self.moves(fen, played)
        if depth == 1:
            return len(moves)
        return sum(self.leaves(fen, depth - 1, (*played, move)) for move in moves)

    def mates_by_drop(self, fen: str, move: str) -> bool:
        """Whether a move is a drop that mates; Fairy-Stockfish treats it as legal and losing."""
        return (
            move[1:2] == "@"
            and self._pyffish.gives_check(self._name, fen, [move])
            and not self._pyffish.legal_moves(self._name, fen, [move])
        )


def leaves(position: Position, depth: int) -> int:
    """The leaves of the tree of legal moves, `depth` plies below, at least one. Few plies are counted sooner
    than `perft` is compiled."""
    if depth == 1:
        return len(position.legal_moves)
    count = 0
    for move in list(position.legal_moves):
        position.push(move)
        count += leaves(position, depth - 1)
        position.pop()
    return count


def compare(
    path: Path, referee: PyffishReferee, games: int, depth: int, longest: int = LONGEST
) -> tuple[str | None, int]:
    """(how the game in a TOML file differs from the referee's, or None; how many positions agree), from the
    leaves of the start and random games of at most `longest` plies."""
    position = Position(str(path))
    notation = UciNotation(position.description)
    for plies in range(1, depth + 1):
        ours, theirs = leaves(position, plies), referee.leaves(referee.start, plies)
        if ours != theirs:
            return f"perft {plies} of the start is {ours} here, {theirs} there", 0
    chance, compared = random.Random(str(path.stem)), 0
    for _ in range(games):
        position = Position(str(path))
        while position.ply < longest and not _ended_by_pass(position):
            replies = referee.moves(notation.write_fen(position.fen()))
            if found := difference(position, notation, referee, replies):
                return found, compared
            compared += 1
            if position.result() is not None:
                break
            position.push(chosen(chance, position))
    return None, compared


def _ended_by_pass(position: Position) -> bool:
    """Whether a pass has ended the game, by a rule on two positions that a FEN does not tell the referee."""
    last = list(position.moves)[-1:]
    return position.result() is not None and any(move.is_pass for move in last)


def chosen(chance: random.Random, position: Position) -> str:
    """A random legal move: its kind is drawn first, so that rare kinds occur."""
    kinds: dict[str, list[str]] = {}
    for move in position.legal_moves:
        kinds.setdefault(_kind(position, move), []).append(str(move))
    names = sorted(kinds)
    (kind,) = chance.choices(names, [CHANCES[name] for name in names])
    return chance.choice(sorted(kinds[kind]))


def _kind(position: Position, move: Move) -> str:
    source = move.from_square
    if source is None or move.is_pass or move.is_choice:
        return "drop" if move.is_drop else "pass"
    if move.is_castling or move.is_promotion:
        return "castling" if move.is_castling else "promotion"
    if position.letter_at(move.to_square):
        return "capture"
    piece = position.description.piece((position.letter_at(source) or "").upper())
    return "advance" if piece.only_forward else "quiet"


def difference(
    position: Position, notation: UciNotation, referee: PyffishReferee, theirs: Iterable[str]
) -> str | None:
    """The difference between the legal moves of a position and `theirs`, or None."""
    ours = {notation.write_move(move) for move in position.legal_moves}
    found = _castled(position, set(theirs))
    if ours == found:
        return None
    fen = notation.write_fen(position.fen())
    if any(piece.no_drop_mate for piece in position.description.pieces):
        found -= {move for move in found - ours if referee.mates_by_drop(fen, move)}
        if ours == found:
            return None
    split = {"here": ours - found, "there": found - ours}
    only = [f"{who} alone {' '.join(sorted(moves)[:SHOWN])}" for who, moves in split.items() if moves]
    return f"{fen}: {', '.join(only)}"


def _castled(position: Position, moves: set[str]) -> set[str]:
    """`moves` with our spelling of castling; games of shuffled pieces write it as a capture of the rook."""
    description = position.description
    if description.castling_free:
        return moves
    castles = {str(move) for move in position.legal_moves if move.is_castling}
    rank = description.castling_rank
    rank = rank if position.turn == 0 else description.ranks + 1 - rank
    for wing in description.castling:
        king, rook, target = (f"{FILE_LETTERS[file]}{rank}" for file in (wing.king, wing.rook, wing.king_to))
        if king + target in castles and king + rook in moves - castles:
            moves = moves - {king + rook} | {king + target}
    return moves


@dataclass(frozen=True)
class Examination:
    """Examines games of a file, in any process; without a file those that are built into Fairy-Stockfish."""

    file: Path | None
    games: int
    depth: int

    def __call__(self, name: str) -> Finding:
        """The `Finding` on the game of that name."""
        pyffish = loaded(self.file)
        try:
            imported = import_game(name, games_of(self.file))
            if name not in pyffish.variants():
                return Finding(name, REFUSED, "Fairy-Stockfish does not know it")
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / f"{imported.name}.toml"
                path.write_text(imported.toml, encoding="utf-8")
                found, compared = compare(path, PyffishReferee(pyffish, name), self.games, self.depth)
        except (VariantError, ValueError) as error:
            return Finding(name, REFUSED, str(error))
        if found:
            return Finding(name, DIFFERENT, found)
        left = f"; left out: {', '.join(imported.left_out)}" if imported.left_out else ""
        return Finding(name, EXACT, f"{compared} positions{left}")


@cache
def games_of(file: Path | None) -> IniFile:
    """A file of games, or an empty one. Raises VariantError."""
    return IniFile("templates") if file is None else read_file(file)


@cache
def loaded(file: Path | None) -> Any:
    """The module `pyffish`, which has read the file. Raises ImportError without it."""
    import pyffish

    if file is not None:
        pyffish.load_variant_config(decode(file.read_bytes()))
    return pyffish


def names_in(file: Path | None) -> list[str]:
    """The games of a file, or those that are built into Fairy-Stockfish. Raises VariantError, ImportError."""
    if sections := games_of(file).sections:
        return list(sections)
    known = loaded(file).variants()
    return [name for name in templates() if name in known]


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.argument("names", nargs=-1)
@with_options
def main(
    file: Path | None,
    names: tuple[str, ...],
    games: Annotated[int, Option("Random games of each game.", least=0)] = 300,
    depth: Annotated[int, Option("Plies of perft.", least=1, most=4)] = 3,
    concurrency: Annotated[int, Option("Number of processes.", least=1)] = 1,
) -> None:
    """Import the games of FILE and compare each with Fairy-Stockfish, by the module pyffish.

    FILE is a variants.ini, or "-" for Fairy-Stockfish's built-in games. For each game the command prints
    whether it is exact, different, or refused and why. Exit code 1 if one is different.
    """
    file = None if file is None or str(file) == "-" else file
    try:
        known = names_in(file)
    except ImportError:
        raise click.UsageError("needs the module pyffish: pip install pyffish") from None
    except VariantError as error:
        raise click.BadParameter(str(error), param_hint="FILE") from None
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(known)}", param_hint="NAMES")
    counts: Counter[str] = Counter()
    with told_errors(failures=(WorkersError,)):
        for finding in _findings(Examination(file, games, depth), names or known, concurrency):
            counts[finding.verdict] += 1
            say(f"{finding.name:<20} {finding.verdict:<10} {finding.text}")
    say(", ".join(f"{counts[verdict]} {verdict}" for verdict in (EXACT, DIFFERENT, REFUSED)))
    if counts[DIFFERENT]:
        raise SystemExit(1)


def _findings(work: Examination, names: Sequence[str], concurrency: int) -> Iterator[Finding]:
    """The findings on games: in order, or with several processes as they finish. Raises WorkersError."""
    if concurrency == 1:
        yield from map(work, names)
        return
    loss = "a process that compared games was killed; perhaps the memory is too small for that many"
    with interruptible_workers(workers(None, concurrency, processes=True), loss) as pool:
        for _, finding in pool.run(work, names):
            yield finding
