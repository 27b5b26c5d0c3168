"""`surajang bench networks`: shows how networks were trained, as their files record it."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from ...engine.definition.catalogue import SHIPPED
from ...eval.network.file import SUFFIX, Network, NetworkError, game_of, load_network
from ...eval.network.output_buckets import BOARD
from ...protocol.terminal.command_options import FILE, told_errors
from ...protocol.terminal.options import told_unknown_game, variant_file_option
from ..self_play.score_units import SEARCH_FACTOR
from .averaging import AVERAGE_OF

COLUMNS = ("game", "inputs", "neurons", "king buckets", "search factor", "positions", "size, kB")
TRAINING = (  # keys that `bench train` always writes
    *("program", "begun_with", "data", "positions", "held_out", "lambda", "decay", "power", "scale"),
    *("epochs_made", "epochs", "best_epoch", "rate", "final_rate", "batch", "seed", "threads"),
    *("loss", "held_out_loss", "rounding"),
)


@click.command()
@variant_file_option
@click.argument("files", nargs=-1, type=FILE)
@click.option("--markdown", is_flag=True, help="Print one table in Markdown, a row per network.")
def main(files: tuple[Path, ...], markdown: bool) -> None:
    """Show how networks were trained: those in FILES, or those that come with the games."""
    with told_errors(NetworkError, failures=()), told_unknown_game():
        networks = [(path, _read(path)) for path in files or shipped_networks()]
    if markdown:
        click.echo(summary(networks), nl=False)
        return
    console = Console(markup=False, highlight=False)
    for path, network in networks:
        table = Table(title=f"{path.name} ({path.stat().st_size:,} bytes)", show_header=False)
        for name, value in facts_of(network):
            table.add_row(name, value)
        console.print(table)


def shipped_networks() -> list[Path]:
    """The files of the networks that come with the games, by name."""
    return sorted(
        (path for folder in SHIPPED for path in folder.glob(f"*{SUFFIX}")), key=lambda path: path.name
    )


def _read(path: Path) -> Network:
    return load_network(path, game_of(path))


def facts_of(network: Network) -> Iterator[tuple[str, str]]:
    """Yields (name, value) for each fact in a network's file. Training metadata that `surajang bench train`
    did not write are shown as they are."""
    told = network.metadata
    yield "game", network.variant
    yield "inputs, neurons", f"{len(network.input_weights) // network.king_bucket_count:,}, {network.hidden}"
    if network.king_buckets is not None:
        yield "king buckets", str(network.king_bucket_count)
    if network.output_buckets != BOARD:
        yield "output buckets by", network.output_buckets
    if SEARCH_FACTOR in told:
        yield "search factor", str(told[SEARCH_FACTOR])
    if AVERAGE_OF in told:
        yield "average of", ", ".join(f"{share:g} of {name}" for name, share in told[AVERAGE_OF])
    if not set(TRAINING) <= set(told):
        yield "training metadata", json.dumps(told) if told else "none"
        return
    yield "trained by", str(told["program"])
    yield "initialised from", str(told["begun_with"] or "random weights")
    for number, data in enumerate(told["data"], 1):
        yield f"games {number}", _games(data)
    yield "positions", f"{told['positions']:,} learned from, {told['held_out']:,} held out"
    names = ("lambda", "decay", "power", "scale")
    target = ", ".join(f"{name} {told[name]:g}" for name in names)
    if told.get("result_share"):
        target += f", at the end {told['result_share']:g} parts result"
    yield "target", target
    yield "epochs", f"{told['epochs_made']:g} of {told['epochs']:g}, the best is {told['best_epoch']:g}"
    rates = f"rate {told['rate']:g} to {told['final_rate']:g}, batches of {told['batch']:,}"
    if "weight_decay" in told:  # old networks were trained without it
        rates += f", weight decay {told['weight_decay']:g}"
    if told.get("average"):
        rates += f", weights averaged over the last {told['average']:g}"
    yield "Adam", f"{rates}, seed {told['seed']}, threads {told['threads']}"
    yield "error", f"{told['loss']:.6f}, held out {told['held_out_loss']:.6f}"
    yield "rounding", f"{told['rounding']['mean']:g} on average, at most {told['rounding']['most']:g}"


def _games(data: dict[str, Any]) -> str:
    """The settings of a file of games as text."""
    limit = f"{data['nodes']} nodes" if data.get("nodes") else f"depth {data.get('depth')}"
    made = f"{data['games']:,} games, {data['positions']:,} positions, {limit} a move"
    by = f", by {data['player']}" if "player" in data else ""  # missing in old networks
    return f"{made}, {data['plies']} random plies, seed {data['seed']}{by}"


def summary(networks: Sequence[tuple[Path, Network]]) -> str:
    """A table in Markdown, one row per network. Positions are those trained on and those held out."""
    rows = [COLUMNS, ("---",) * len(COLUMNS)]
    for path, network in networks:
        told = network.metadata
        positions = told.get("positions", 0) + told.get("held_out", 0)
        shape = (f"{len(network.input_weights) // network.king_bucket_count:,}", str(network.hidden))
        factor = str(told.get(SEARCH_FACTOR, 1))
        size = f"{path.stat().st_size / 1000:,.0f}"
        rows.append((network.variant, *shape, str(network.king_bucket_count), factor, f"{positions:,}", size))
    return (
        "".join(f"| {' | '.join(row)} |\n" for row in rows).replace("| --- ", "|---").replace("--- |", "---|")
    )
