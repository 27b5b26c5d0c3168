"""`surajang bench hunt`: a suite of forced mates from games of the engine against itself."""

from collections.abc import Callable, Iterable
from pathlib import Path

import click

from ...engine.game.catalogue import load
from ...engine.game.description import VariantError
from ...protocol.terminal.options import variant_option
from ...protocol.terminal.progress import compiled_with_bar, tracked
from ..learning.command import self_play, self_play_options
from ..learning.games_file import GamesError
from ..learning.self_play import compile_all, playing
from ..workers.cli import workers
from ..workers.pool import WorkersError
from .hunting import MateHunt
from .journal import MateJournal, MateJournalError
from .suite import Mate, chosen, read_mates, write_mates

NEVER = 1 << 20  # centipawns: no game is adjudicated before the mate


@click.command()
@variant_option
@click.option("--count", default=200, show_default=True, type=click.IntRange(1), help="Mates in the suite.")
@click.option("--games", default=2000, show_default=True, type=click.IntRange(1), help="To play at most.")
@self_play_options
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file.")
def main(
    variant: str,
    count: int,
    games: int,
    nodes: int | None,
    depth: int | None,
    plies: int,
    seed: int,
    eval_file: Path | None,
    concurrency: int,
    cluster: str | None,
    out: Path,
) -> None:
    """Play games of the engine against itself and keep forced mates in 2 to 6 moves, proven by exhaustion.

    All mates of the games stay in a file beside the suite, which is gone on with: the same settings give the
    same suite."""
    journal = out.with_name(f"{out.name}.games")

    def suite() -> list[Mate]:
        return chosen(read_mates(journal, variant), count)

    try:
        hunt = MateHunt(self_play(variant, nodes, depth, plies, seed, eval_file, win_score=NEVER))
        _hunt(hunt, games, journal, cluster, concurrency, enough=lambda: len(suite()) == count)
        mates = suite()
        settings = hunt.heading.removeprefix(f"{variant}, ")
        write_mates(out, mates, f"{load(variant).title}: forced mates from games at {settings}")
    except (MateJournalError, GamesError, VariantError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    except (WorkersError, OSError) as error:
        raise click.ClickException(str(error)) from None
    lengths = ", ".join(f"{number} in {moves}" for moves, number in lengths_of(mates).items())
    click.echo(f"{len(mates)} mates in {out}: {lengths}")


def _hunt(
    hunt: MateHunt,
    games: int,
    path: Path,
    cluster: str | None,
    concurrency: int,
    enough: Callable[[], bool],
) -> None:
    """Plays what is missing of so many games, until `enough()` is true, and adds their mates to a journal.

    Raises MateJournalError, GamesError, VariantError, WorkersError, OSError."""
    with MateJournal(path, hunt) as journal:
        missing = range(journal.tasks, games)
        if not missing or enough():
            return
        if not cluster:
            network = hunt.work.read_network()
            compiled_with_bar(hunt.variant, lambda progress: compile_all(hunt.variant, network, progress))
        with playing(workers(cluster, concurrency, processes=True)) as pool:
            for number, mates in tracked(pool.run(hunt, missing), "games", len(missing)):
                journal.add(number, mates)
                if enough():
                    break


def lengths_of(mates: Iterable[Mate]) -> dict[int, int]:
    """Length in moves -> number of mates."""
    lengths = sorted(mate.moves for mate in mates)
    return {moves: lengths.count(moves) for moves in lengths}
