"""How many of Fairy-Stockfish's games can be played here, each compared with Fairy-Stockfish move by move.

Legal moves are the measure: leaves from the start, and the moves at every position of games at random.
"""

import random
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import click

from ...engine.foreign.importing import import_game
from ...engine.foreign.ini import read_file, templates
from ...engine.game.description import VariantError
from ...engine.moving.perft import perft
from ...engine.position import Position
from ...protocol.uci.notation import UciNotation
from ..shared.console import say

LONGEST = 150  # plies of a game at random
SHOWN = 3  # moves that a line tells of a difference
EXACT, DIFFERENT, REFUSED = "exact", "different", "refused"


@dataclass(frozen=True)
class Finding:
    """What became of a game: `verdict` is EXACT, DIFFERENT or REFUSED, `text` the sentence for it."""

    name: str
    verdict: str
    text: str


class PyffishReferee:
    """Fairy-Stockfish, as the module `pyffish` has it, for one game."""

    def __init__(self, pyffish, name):
        self._pyffish, self._name = pyffish, name
        self.start = pyffish.start_fen(name)

    def moves(self, fen, played=()):
        """The legal moves, as text, after some moves from a position."""
        return self._pyffish.legal_moves(self._name, fen, list(played))

    def leaves(self, fen, depth, played=()):
        """The leaves of the tree of legal moves, `depth` plies below, at least one."""
        moves = self.moves(fen, played)
        if depth == 1:
            return len(moves)
        return sum(self.leaves(fen, depth - 1, (*played, move)) for move in moves)

    def mates_by_drop(self, fen, move):
        """Whether a move is a drop that mates: Fairy-Stockfish calls it legal, and lost."""
        return (
            move[1:2] == "@"
            and self._pyffish.gives_check(self._name, fen, [move])
            and not self._pyffish.legal_moves(self._name, fen, [move])
        )


def compare(path, referee, games, depth):
    """How the game in a TOML file differs from the referee's, or None; and how many positions agree."""
    position = Position(str(path))
    notation = UciNotation(position.description)
    for plies in range(1, depth + 1):
        ours, theirs = perft(position, plies), referee.leaves(referee.start, plies)
        if ours != theirs:
            return f"perft {plies} of the start is {ours} here, {theirs} there", 0
    chance, compared = random.Random(str(path.stem)), 0
    for _ in range(games):
        position = Position(str(path))
        while position.ply < LONGEST:
            if difference := _difference(position, notation, referee):
                return difference, compared
            compared += 1
            if position.result() is not None:
                break
            position.push(chance.choice(sorted(map(str, position.legal_moves()))))
    return None, compared


def _difference(position, notation, referee):
    """How the legal moves of a position differ, or None."""
    fen = notation.write_fen(position.fen())
    ours = {notation.write_move(move) for move in position.legal_moves()}
    theirs = set(referee.moves(fen))
    if any(piece.no_drop_mate for piece in position.description.pieces):
        theirs -= {move for move in theirs - ours if referee.mates_by_drop(fen, move)}
    if ours == theirs:
        return None
    only = [f"{who} alone {' '.join(sorted(moves)[:SHOWN])}" for who, moves in _split(ours, theirs) if moves]
    return f"{fen}: {', '.join(only)}"


def _split(ours, theirs):
    return ("here", ours - theirs), ("there", theirs - ours)


def examine(name, sections, file, pyffish, folder, games, depth):
    """The `Finding` on one game; its file is written to `folder`."""
    try:
        imported = import_game(name, sections, file)
        path = folder / f"{imported.name}.toml"
        path.write_text(imported.toml, encoding="utf-8")
        if name not in pyffish.variants():
            return Finding(name, REFUSED, "Fairy-Stockfish does not know it")
        difference, compared = compare(path, PyffishReferee(pyffish, name), games, depth)
    except (VariantError, ValueError) as error:
        return Finding(name, REFUSED, str(error))
    if difference:
        return Finding(name, DIFFERENT, difference)
    left = f"; left out: {', '.join(imported.left_out)}" if imported.left_out else ""
    return Finding(name, EXACT, f"{compared} positions{left}")


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.argument("names", nargs=-1)
@click.option(
    "--games", type=click.IntRange(0), default=300, show_default=True, help="Games at random of each."
)
@click.option("--depth", type=click.IntRange(1, 4), default=3, show_default=True, help="Plies of perft.")
def main(file, names, games, depth):
    """Import the games of FILE (variants.ini; "-" for Fairy-Stockfish's own), compare each with pyffish.

    It says of each game whether it is exact, different, or refused and why. It fails if one is different.
    """
    try:
        import pyffish
    except ImportError:
        raise click.UsageError("needs the module pyffish: pip install pyffish") from None
    try:
        sections = {} if file is None or str(file) == "-" else read_file(file)
    except VariantError as error:
        raise click.BadParameter(str(error), param_hint="FILE") from None
    if sections:
        pyffish.load_variant_config(file.read_text(encoding="utf-8-sig"))
    known = sections or {name: None for name in templates() if name in pyffish.variants()}
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name!r} is none of {', '.join(known)}", param_hint="NAMES")
    counts = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name in names or known:
            finding = examine(
                name, sections, file.name if sections else "templates", pyffish, Path(folder), games, depth
            )
            counts[finding.verdict] += 1
            say(f"{finding.name:<20} {finding.verdict:<10} {finding.text}")
    say(", ".join(f"{counts[verdict]} {verdict}" for verdict in (EXACT, DIFFERENT, REFUSED)))
    if counts[DIFFERENT]:
        raise SystemExit(1)
