"""Speed of the move generator: leaves per second of perft, the last ply counted in bulk."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

import click

from ...engine.bench_positions import Item, items_of
from ...engine.movegen.perft import MAX_PERFT_DEPTH
from ...engine.variant import Variant
from ...protocol.terminal.command_options import Option, RenamedOption, with_options
from ...protocol.terminal.console import say
from ...protocol.terminal.options import variant_option
from .engines_under_test import generators
from .options import Against, Fen, Report
from .repeat import carry_out, work_of
from .result import LEAVES, TOTAL, BenchmarkResult, adding, per_second

# Games that other engines play, each with a depth that takes some seconds.
RIVAL_GAMES = {
    "chess": 6,
    "crazyhouse": 6,
    "janggi": 5,
    "capablanca": 5,
    "capahouse": 5,
    "grand": 4,
    "shako": 4,
}


def starts() -> list[Item]:
    """The start positions of the games in RIVAL_GAMES."""
    return [
        replace(items_of(Variant(game))[0], name=game, perft=depth) for game, depth in RIVAL_GAMES.items()
    ]


def tell_other_counts(outcome: BenchmarkResult) -> None:
    """Names the positions for which the contenders count different numbers of leaves."""
    for line in outcome.lines():
        counts = {who: set(outcome.values(line, who, "leaves").values()) for who in outcome.contenders}
        if line != TOTAL and len(set.union(*counts.values())) > 1:
            told = ", ".join(f"{who} {min(of):,}" for who, of in counts.items())
            say(f"Other leaves in {line}: {told}")


def measure_perft(
    name: str,
    game: str,
    items: Sequence[Item],
    depths: Mapping[Item, int],
    counters: Sequence[Callable[[], Any]],
    report: Report,
) -> BenchmarkResult:
    """Measures the leaves per second of perft, each item to its depth. `counters` make contenders that have
    `perft(item, depth)`; the rest is as in `carry_out`."""

    def measure(who: Any, item: Item, run: int) -> dict[str, dict[str, float]]:
        return {item.name: per_second("leaves", *who.perft(item, depths[item]))}

    positions = {item.name: f"{item.fen} ; depth {depths[item]}" for item in items}
    outcome = BenchmarkResult(name, game, {}, positions, (LEAVES,))
    return carry_out(outcome, items, counters, measure, add=adding("leaves"), sign="leaves", report=report)


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    fen: Fen = None,
    report: Report,
    depth: Annotated[
        int | None, Option("Plies; by default suited to each position.", least=1, most=MAX_PERFT_DEPTH)
    ] = None,
    every: Annotated[
        bool,
        Option(
            "Count the starts of all games that other engines play.", "--all", "--suite", cls=RenamedOption
        ),
    ] = False,
    against: Against = None,
) -> None:
    """Measure the speed of the move generator on one core, in leaves of perft per second."""
    if every and fen:
        raise click.UsageError("--all counts the starts of games; it cannot be combined with --fen")
    items = starts() if every else work_of(variant, fen)
    depths = {item: depth or item.perft for item in items}
    outcome = measure_perft("perft", "all" if every else variant, items, depths, generators(against), report)
    tell_other_counts(outcome)
