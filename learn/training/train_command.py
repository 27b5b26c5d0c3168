"""`surajang bench train`: a network for a game, from games of the engine against itself."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ... import __version__
from ...engine.game.description import VariantError
from ...eval.network.file import LANES, MAX_HIDDEN, MAX_ZONES, NetworkError
from ...protocol.terminal.options import variant_option
from ...protocol.terminal.outputs import OutputFile
from ...protocol.terminal.progress import compiled_with_bar, counted
from ..self_play.games_file import GamesError

if TYPE_CHECKING:
    from ...eval.network.file import Network
    from .training import Epoch, Recipe, Training

EPOCHS, HIDDEN, BLEND, DECAY, POWER = 12, 128, 0.0, 0.93, 2.5
# To learn by, times the scale that foretells the results of decisive games.
SCALE_OF_RESULTS, SCALE_WITH_DROPS = 1.2, 2
MOST_SCALE = 2000.0  # centipawns that a logit of 1 may be worth: scores of bad games foretell nothing
WEIGHT_DECAY, WEIGHT_DECAY_POSITIONS = 5.0, 3_000_000  # that decay up to so many positions, then less
CHECKPOINT, CURVES = ".checkpoint", ".jsonl"  # behind the name of the network's file
SEARCH_FACTORS = click.FloatRange(0.1, 10)
_DATA = click.Path(exists=True, path_type=Path)
_OUT = OutputFile()


@click.command()
@variant_option
@click.option(
    "--data", multiple=True, required=True, type=_DATA, help="A file of games, or a folder of them."
)
@click.option("--out", required=True, type=_OUT, help="The network's file.")
@click.option("--hidden", type=click.IntRange(LANES, MAX_HIDDEN), help=f"Neurons.  [default: {HIDDEN}]")
@click.option(
    "--zones",
    type=click.IntRange(1, MAX_ZONES),
    help="Zones of the own king, each with weights of its own for all inputs.  [default: 1]",
)
@click.option("--epochs", default=EPOCHS, show_default=True, type=click.IntRange(1))
@click.option(
    "--lambda",
    "blend",
    default=BLEND,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="How much of what it learns is the score; the rest is the outlook.",
)
@click.option(
    "--decay",
    default=DECAY,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="How much a later score counts in the outlook, ply after ply; with 1 the outlook is the result.",
)
@click.option(
    "--power",
    default=POWER,
    show_default=True,
    type=click.FloatRange(1, 4),
    help="Of the difference of chances that is the error.",
)
@click.option(
    "--scale",
    type=click.FloatRange(10, 10_000),
    help="Centipawns of the logistic curve by which scores become chances."
    f"  [default: {SCALE_OF_RESULTS} times that by which the scores foretell who wins decisive games,"
    f" {SCALE_WITH_DROPS} times in games with drops]",
)
@click.option(
    "--rate", default=1e-3, show_default=True, type=click.FloatRange(1e-6, 1), help="Adam's, first."
)
@click.option(
    "--weight-decay",
    type=click.FloatRange(0, 100),
    help="Of what an input has of its own besides its groups' weights, times the rate with each step."
    f"  [default: {WEIGHT_DECAY:g} up to {WEIGHT_DECAY_POSITIONS // 1_000_000} million positions, then less"
    " in proportion]",
)
@click.option(
    "--search-factor",
    type=SEARCH_FACTORS,
    help="How much its scores count in the search, where margins are of a fixed size; people see the same"
    " scores.  [default: that of the network to begin with, or of the last that played the games, else 1]",
)
@click.option(
    "--threads", default=1, show_default=True, type=click.IntRange(1, 256), help="Number of threads."
)
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**63 - 1), help="Random seed.")
@click.option(
    "--from", "earlier", type=click.Path(exists=True, dir_okay=False), help="A network to begin with."
)
@click.option("--resume", is_flag=True, help="Go on with a run that was ended.")
@click.option("--plot", type=_OUT, help="A picture of the curves: PNG, SVG, PDF.")
def main(
    variant: str,
    data: tuple[Path, ...],
    out: Path,
    hidden: int | None,
    zones: int | None,
    epochs: int,
    blend: float,
    decay: float,
    power: float,
    scale: float | None,
    rate: float,
    weight_decay: float | None,
    search_factor: float | None,
    threads: int,
    seed: int,
    earlier: str | None,
    resume: bool,
    plot: Path | None,
) -> None:
    """Train a network on games that `surajang bench data` has played.

    One game in twenty is not learnt from but tested with. The curves are kept beside the network as JSON
    lines, and a checkpoint while the run lasts."""
    from .training import Recipe, TrainingError

    try:
        begin = _weights_before(earlier, variant, hidden, zones)
        if begin is not None and begin.zones is not None:
            zones = begin.zone_count
        hidden = begin.hidden if begin else hidden or HIDDEN
        recipe = Recipe(
            hidden,
            epochs,
            blend,
            decay,
            power,
            rate,
            0.01 * rate,
            seed=seed,
            threads=threads,
            zones=zones or 1,
        )
        _refuse_unfit(recipe, out, plot, resume)
        training = _prepared(variant, data, recipe, begin, scale, weight_decay)
        if resume:
            training.load(_beside(out, CHECKPOINT))
        if not _run(training, out):
            raise click.ClickException(
                f"ended before its time; --resume goes on from {_beside(out, CHECKPOINT)}"
            )
        _finish(training, out, plot, earlier, begin, search_factor)
    except (GamesError, NetworkError, TrainingError, VariantError) as error:
        raise click.UsageError(str(error)) from None
    except (ImportError, OSError) as error:
        raise click.ClickException(str(error)) from None


def _beside(out: Path, suffix: str) -> Path:
    return out.with_name(out.name + suffix)


def _weights_before(
    path: str | None, variant: str, hidden: int | None, zones: int | None
) -> "Network | None":
    """The `Network` to begin with, or None. Raises NetworkError."""
    if path is None:
        return None
    from ...eval.network.file import load_network

    network = load_network(path, variant)
    if hidden not in (None, network.hidden):
        raise NetworkError(f"{path}: {network.hidden} neurons, but --hidden asks for {hidden}")
    if network.zones is not None and zones not in (None, network.zone_count):
        raise NetworkError(f"{path}: {network.zone_count} zones, but --zones asks for {zones}")
    return network


def _refuse_unfit(recipe: "Recipe", out: Path, plot: Path | None, resume: bool) -> None:
    """Raises BadParameter, before anything is read, for options that would fail at the end."""
    if recipe.hidden % LANES:
        raise click.BadParameter(f"{recipe.hidden} is not a multiple of {LANES}", param_hint="--hidden")
    if not out.parent.is_dir():
        raise click.BadParameter(f"{out.parent} is not a folder", param_hint="--out")
    checkpoint = _beside(out, CHECKPOINT)
    if resume and not checkpoint.exists():
        raise click.BadParameter(f"there is no {checkpoint}", param_hint="--resume")
    if not resume and checkpoint.exists():
        raise click.BadParameter(
            f"{checkpoint} is of a run that was ended: go on with it, or delete it", param_hint="--resume"
        )
    if plot is not None:
        from .training_plots import check_plot

        try:
            check_plot(plot)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--plot") from None


def default_weight_decay(positions: int) -> float:
    """The weight decay for learning from so many positions.

    The epochs over which weights forget stay the same with more positions if it falls as they grow: Wang and
    Aitchison, How to set AdamW's weight decay as you scale model and dataset size, 2024."""
    return WEIGHT_DECAY * min(1.0, WEIGHT_DECAY_POSITIONS / max(1, positions))


def _prepared(
    variant: str,
    data: Sequence[Path],
    recipe: "Recipe",
    begin: "Network | None",
    scale: float | None,
    weight_decay: float | None,
) -> "Training":
    """The `Training` on files of games, by a `scale` and a `weight_decay` or by those that fit them. Raises
    GamesError."""
    from ...engine.kernel.compiler import compile_ahead
    from ...engine.rules import has_drops, rules_for
    from ..self_play import positions
    from . import training, training_set
    from .quantisation import floating
    from .score_units import player_units, units_of

    def compile_all(progress: Callable[[int, int, str], object]) -> None:
        parts = [*positions.entry_points(variant), *training_set.entry_points(variant)]
        compile_ahead([*parts, *training.entry_points(variant)], progress)

    files = training_set.games_files(data)
    compiled_with_bar(variant, compile_all)
    player = player_units(variant, begin)
    if scale is None:
        by_results = min(MOST_SCALE, training_set.scale_of_results(files, variant, player))
        factor = SCALE_WITH_DROPS if has_drops(rules_for(variant)) else SCALE_OF_RESULTS
        scale = float(round(factor * by_results))
    recipe = recipe._replace(scale=scale)
    size = sum(path.stat().st_size for path in files)
    with counted("bytes", 0, size, "positions") as progress:
        found = training_set.read_training_set(
            files, variant, recipe.blend, recipe.scale, recipe.decay, progress=progress, units=player
        )
    if weight_decay is None:
        weight_decay = round(default_weight_decay(len(found.train)), 3)
    recipe = recipe._replace(weight_decay=weight_decay)
    by_results = training_set.fitted_scale(found.scores, found.results)
    click.echo(
        f"{len(found.train):,} positions to learn from, {len(found.held_out):,} held out; scores mean results"
        f" by a scale of {by_results:.0f} centipawns, and are learnt by one of {recipe.scale:.0f} with weight"
        f" decay {weight_decay:g}"
    )
    units = units_of(recipe.scale, variant, begin)
    if begin is None:
        return training.Training(found, recipe)
    return training.Training(found, recipe, floating(begin, units), begin.zones)


def _run(training: "Training", out: Path) -> bool:
    """Trains with progress; returns whether the run came to its end."""
    from .training import train

    def tell_epoch(epoch: "Epoch") -> None:
        _write_curves(training.history, _beside(out, CURVES))
        click.echo(
            f"epoch {epoch.epoch} of {training.recipe.epochs}: error {epoch.loss:.6f}, held out"
            f" {epoch.held_out:.6f}, rate {epoch.rate:.1e}"
        )

    begun = training.positions
    with counted("training", begun, training.all_positions, "positions") as progress:
        return train(
            training,
            _beside(out, CHECKPOINT),
            lambda positions: progress(positions, positions - begun),
            tell_epoch,
        )


def _write_curves(history: "Sequence[Epoch]", path: Path) -> None:
    path.write_text("".join(json.dumps(epoch._asdict()) + "\n" for epoch in history))


def _certificate(training: "Training", earlier: str | None) -> dict[str, Any]:
    """How a network was made, as it is written in its file."""
    from ...match.workers.machine import sources
    from .training import LEVEL_EPOCHS
    from .training_set import HELD_OUT

    best = min(training.history, key=lambda epoch: epoch.held_out)
    recipe = training.recipe._asdict()
    return {
        "program": f"Surajang {__version__} (sources {sources()})",
        "data": training.data.files,
        "positions": len(training.data.train),
        "held_out": len(training.data.held_out),
        "held_out_games": f"1 of {HELD_OUT}",
        **{("lambda" if name == "blend" else name): value for name, value in recipe.items()},
        "stops_after": LEVEL_EPOCHS,
        "epochs_made": len(training.history),
        "best_epoch": best.epoch,
        "loss": best.loss,
        "held_out_loss": best.held_out,
        "begun_with": earlier and Path(earlier).name,
    }


def _factor_before(training: "Training", begin: "Network | None") -> float:
    """The search factor of the network that a training began with, or of the last that played its games."""
    from .score_units import search_factor

    if begin is not None:
        return search_factor(begin.certificate)
    return search_factor(training.data.files[-1])


def _finish(
    training: "Training",
    out: Path,
    plot: Path | None,
    earlier: str | None,
    begin: "Network | None",
    factor: float | None,
) -> None:
    """Writes the network and the picture, and prints the results of the run.

    The network counts in the centipawns that foretell the results of its games best, by whatever scale it
    learnt; in the search, `factor` times as much."""
    from ...eval.network.file import save_network
    from . import training_set
    from .quantisation import counted_in, quantised, rounding_errors
    from .score_units import rescaled, units_of

    certificate, recipe = _certificate(training, earlier), training.recipe
    variant = training.data.variant
    units = units_of(recipe.scale, variant, begin)
    network = quantised(training.best, variant, recipe.hidden, units, certificate, training.zones)
    mean, most = rounding_errors(training, network, recipe.scale)
    certificate["rounding"] = {"mean": round(mean, 3), "most": round(most, 2)}
    results = min(MOST_SCALE, training_set.fitted_scale(training.data.scores, training.data.results))
    network = counted_in(network, units_of(results, variant, begin))
    certificate["units"] = network.scale
    if factor is None:
        factor = _factor_before(training, begin)
    save_network(out, network if factor == 1 else rescaled(network, factor))
    if plot is not None:
        from .training_plots import plot_training

        plot_training(training.history, plot, f"{variant}, {recipe.hidden} neurons")
    _beside(out, CHECKPOINT).unlink(missing_ok=True)
    click.echo(
        f"{out}: {recipe.hidden} neurons, best after epoch {certificate['best_epoch']}, held-out error"
        f" {certificate['held_out_loss']:.6f}; rounding costs {mean:.2f} centipawns, at most {most:.1f}"
    )
