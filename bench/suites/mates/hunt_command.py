"""`surajang bench hunt`: a suite of forced mates from fast games of the engine against itself.

These searches are too short to see most of the mates. A solver that shares nothing with the search examines
the positions that the mover scored well, so that the suite does not consist of mates that the search finds
anyway."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import click

from ....engine.position import Position
from ....engine.variant import Variant
from ....learn.self_play.generator import game_errors
from ....learn.self_play.options import MostGames, SelfPlayOptions
from ....protocol.terminal.command_options import Option, with_options
from ....protocol.terminal.options import variant_option
from ....search.tree.parameters import MATE_BOUND
from ..collecting import GameSource, Out, collect, counted_found, shortage
from .mate_file import LENGTHS, Mate, chosen, read_mates
from .solver import Proof, Solver

NEVER = 1 << 20  # centipawns: no game is adjudicated before the mate
HOPEFUL = 150  # centipawns from which a position is examined
PER_GAME = 3  # mates of a game, of different lengths, the longest ones
MOST_FIRST = 3  # largest number of first moves of a mate; more would be too easy
BOUND_NODES = 600_000  # of the solver for each question about each position
PROOF_NODES = 10_000_000  # of the solver for each question about a mate that is kept


class Candidate(NamedTuple):
    """A position of a game with the moves of a mate in it, perhaps not the shortest. `seen` says that the
    search announced one, `captures` that the solver's first move captures."""

    position: Position
    ply: int
    moves: int
    seen: bool
    captures: bool


@dataclass(frozen=True)
class MateHunt(GameSource):
    """Plays one of the games that `work` describes and returns its mates; any process may call it."""

    def __call__(self, number: int) -> list[Mate]:
        """The `Mate`s of game `number`, at most PER_GAME. Raises GamesError if it cannot be begun."""
        solver = Solver(self.variant)
        candidates = [found for place in self._hopeful(number) if (found := _candidate(solver, *place))]
        kept: dict[int, Mate] = {}  # by length
        for wanted in reversed(LENGTHS):
            fitting = [one for one in candidates if one.moves == wanted]
            for one in sorted(fitting, key=lambda one: (one.seen, one.captures)):
                proof = solver.shortest(one.position, wanted, PROOF_NODES)
                if proof and _is_fit(proof) and proof.moves not in kept:
                    kept[proof.moves] = self._mate(f"game {number}, ply {one.ply}", one.position, proof)
                    break
            if len(kept) == PER_GAME:
                break
        return list(kept.values())

    def _mate(self, name: str, position: Position, proof: Proof) -> Mate:
        first = tuple(map(str, proof.first))
        return Mate(self.variant, name, position.fen(), proof.moves, first, proof.shortest)

    def _hopeful(self, number: int) -> list[tuple[Position, int, bool]]:
        """(position, ply, whether the search announced a mate) of positions that the mover scored HOPEFUL or
        better."""
        return [
            (moment.position, moment.ply, moment.own_score >= MATE_BOUND)
            for moment in self.moments(number)
            if moment.own_score is not None and moment.own_score >= HOPEFUL
        ]


def _is_fit(proof: Proof) -> bool:
    """Whether a mate is of a length that is kept, and begins in few ways."""
    return proof.moves in LENGTHS and len(proof.first) <= MOST_FIRST


def _candidate(solver: Solver, position: Position, ply: int, seen: bool) -> Candidate | None:
    """The `Candidate` for a position; None without a mate, or where history or the counting of moves might
    prevent it."""
    if position.result() or position.may_run_out(2 * max(LENGTHS)):
        return None
    bound = solver.bound(position, max(LENGTHS), BOUND_NODES)
    if bound is None or bound[0] not in LENGTHS:
        return None
    moves, first = bound
    captures = not first.is_drop and position.piece_at(first.to_square) is not None
    return Candidate(position, ply, moves, seen, captures)


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    count: Annotated[int, Option("Mates in the suite.", least=1)] = 200,
    games: MostGames = 2000,
    self_play: SelfPlayOptions,
    out: Out,
) -> None:
    """Play games and keep forced mates in 2 to 6 moves, proven by exhaustion.

    All mates of the games are kept in a file beside the suite. The same command resumes from it, and the same
    settings give the same suite."""

    def suite(journal: Path) -> list[Mate]:
        return chosen(read_mates(journal, variant), count)

    with game_errors(ValueError):
        hunt = MateHunt(self_play.work(variant, win_score=NEVER))
        place = self_play.cluster, self_play.concurrency
        mates = collect(hunt, games, out, *place, suite, count, "forced mates")
    counts = Counter(mate.moves for mate in mates)
    lengths = ", ".join(f"{number} in {moves}" for moves, number in sorted(counts.items()))
    found = counted_found(len(mates), "mates")
    click.echo(f"{found} in {out}{lengths and ': ' + lengths}{shortage(len(mates), count, games)}")
