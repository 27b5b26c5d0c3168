"""`surajang bench train`: trains a network for a game on games of the engine against itself."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click

from ... import __version__
from ...engine.game.description import VariantError
from ...engine.kernel.compiler import compile_ahead
from ...engine.rules import has_drops
from ...engine.variant import Variant
from ...eval.network.features import features_for
from ...eval.network.file import (
    LANES,
    MAX_HIDDEN,
    MAX_KING_BUCKETS,
    Network,
    NetworkError,
    load_network,
    save_network,
)
from ...eval.network.output_buckets import BUCKET_KINDS, HANDS
from ...match.records.locked_file import added_to
from ...match.results.plot_option import plot_option
from ...match.workers.machine import sources
from ...protocol.terminal.command_options import (
    NEW_FILE,
    FiniteRange,
    Option,
    RenamedOption,
    told_errors,
    with_options,
)
from ...protocol.terminal.options import variant_option
from ...protocol.terminal.progress import compiled_with_bar, counted
from ..self_play.games_file import GamesError
from ..self_play.score_units import player_units, rescaled, search_factor, units_of
from . import decoding, training
from .checkpoint import TrainingError, load
from .decoding import Targets
from .quantisation import dequantise, quantise, rounding_errors, with_scale
from .recipe import Epoch, Recipe
from .sizes import size_for
from .survey import Survey, fitted_scale, games_files, refuse_other_files, scale_of_results, survey
from .training import LEVEL_EPOCHS, Training, train
from .training_set import TrainingSet

BLEND, DECAY, POWER = 0.0, 0.93, 2.5
# Multiples of the scale that predicts the results of decisive games best.
SCALE_OF_RESULTS, SCALE_WITH_DROPS = 1.2, 2
MOST_SCALE = 2000.0  # centipawns that a logit of 1 may be worth; scores of poor games predict nothing
# The decay is constant up to so many positions, then falls.
WEIGHT_DECAY, WEIGHT_DECAY_POSITIONS = 5.0, 3_000_000
CHECKPOINT, CURVES = ".checkpoint", ".jsonl"  # suffixes of the network's file name
SEARCH_FACTORS = FiniteRange(0.1, 10)
BY_POSITIONS = "by the number of positions"
_DATA = click.Path(exists=True, path_type=Path)


Hidden = Annotated[
    int | None, Option(f"Neurons of the network.  [default: {BY_POSITIONS}]", least=LANES, most=MAX_HIDDEN)
]
KingBuckets = Annotated[
    int | None,
    Option(
        f"King buckets: places of the own king that have separate weights.  [default: {BY_POSITIONS}]",
        *("--king-buckets", "--zones"),
        cls=RenamedOption,
        least=1,
        most=MAX_KING_BUCKETS,
    ),
]
POSITIVE = FiniteRange(0, min_open=True)
_share = partial(Option, least=0, most=1, show_default=True)


@dataclass(frozen=True)
class TrainingOptions:
    """The options of a `Recipe` besides its positions; None means that the positions decide."""

    hidden: Hidden = None
    king_buckets: KingBuckets = None
    output_buckets: Annotated[
        str | None,
        Option(
            "What selects the output bucket: pieces on the board or in the hands.  [default: board]",
            type=click.Choice(BUCKET_KINDS),
        ),
    ] = None
    epochs: Annotated[
        float | None,
        Option(f"Passes over the positions, such as 1.5.  [default: {BY_POSITIONS}]", type=POSITIVE),
    ] = None
    positions_seen: Annotated[
        int | None,
        Option("Length as a number of positions instead, each counted as often as it is used.", least=1),
    ] = None
    blend: Annotated[
        float, _share("Share of the score in the target; the rest is the TD target.", "--lambda")
    ] = BLEND
    decay: Annotated[
        float, _share("Weight of each next ply's score in the TD target; with 1 the target is the result.")
    ] = DECAY
    result_share: Annotated[
        float, _share("Share of the result in the target at the end; it grows from 0.")
    ] = 0.0
    average: Annotated[
        float, _share("Last part of the training over which the weights are averaged, such as 0.25.")
    ] = 0.0
    power: Annotated[
        float, Option("Power of the difference of chances that is the error.", least=1, most=4)
    ] = POWER
    scale: Annotated[
        float | None,
        Option(
            "Centipawns of the logistic curve by which scores become chances."
            f"  [default: {SCALE_OF_RESULTS} times that by which the scores predict who wins decisive games,"
            f" {SCALE_WITH_DROPS} times in games with drops]",
            least=10,
            most=10_000,
        ),
    ] = None
    rate: Annotated[float, Option("First learning rate of Adam.", least=1e-6, most=1)] = 1e-3
    weight_decay: Annotated[
        float | None,
        Option(
            "Decay of an input's own weights (without its groups' weights) in each step, times the rate."
            f"  [default: {WEIGHT_DECAY:g} up to {WEIGHT_DECAY_POSITIONS // 1_000_000} million positions,"
            " then less in proportion]",
            least=0,
            most=100,
        ),
    ] = None
    search_factor: Annotated[
        float | None,
        Option(
            "Factor for its scores before they are compared with search margins. Displayed scores stay"
            " the same.  [default: that of the network to begin with, else of the last that played the games,"
            " else 1]",
            type=SEARCH_FACTORS,
        ),
    ] = None
    threads: Annotated[int, Option("Number of threads.", least=1, most=256)] = 1
    seed: Annotated[int, Option("Random seed.", least=0, most=2**63 - 1)] = 1


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    data: Annotated[
        tuple[Path, ...],
        Option("A file of games, or a folder of them; can be repeated.", multiple=True, type=_DATA),
    ],
    out: Annotated[Path, Option("The network's file.", type=NEW_FILE)],
    options: TrainingOptions,
    earlier: Annotated[
        str | None, Option("A network to begin with.", "--from", type=click.Path(exists=True, dir_okay=False))
    ] = None,
    resume: Annotated[bool, Option("Resume an interrupted run.")] = False,
    plot: Annotated[Path | None, plot_option("Draw the curves: PNG, SVG, PDF.")] = None,
) -> None:
    """Train a network on games that `surajang bench data` has played.

    One game in twenty is held out for testing; with more than twenty million positions fewer,
    about a million positions of them. Games are read again in every epoch, so their number costs no memory.
    The curves are kept beside the network as JSON lines, and a checkpoint while the run lasts."""
    if options.epochs is not None and options.positions_seen is not None:
        raise click.UsageError("--epochs cannot be combined with --positions-seen: both set the length")
    usage, failures = (GamesError, NetworkError, TrainingError, VariantError), (ImportError, OSError)
    with told_errors(*usage, failures=failures):
        begin = _weights_before(earlier, variant, options)
        recipe = _recipe(options, begin)
        _refuse_unfit(recipe, variant, out, resume)
        files = games_files(data)
        if out.exists() and any(out.samefile(each) for each in files):
            raise click.BadParameter(f"'{out}' is a file of --data, which would be lost", param_hint="--out")
        refuse_other_files(files, variant)
        with added_to(_beside(out, CURVES), TrainingError):  # for this process alone
            games = _surveyed(variant, files, out, begin, resume)
            training = _prepared(games, recipe, begin, options)
            if resume:
                training.load(_beside(out, CHECKPOINT))
            if not _run(training, out):
                raise click.ClickException(f"ended early; --resume continues from {_beside(out, CHECKPOINT)}")
            _finish(training, out, plot, earlier, begin, options.search_factor)


def _beside(out: Path, suffix: str) -> Path:
    return out.with_name(out.name + suffix)


def _weights_before(path: str | None, variant: Variant, options: TrainingOptions) -> Network | None:
    """The `Network` to begin with, or None. Raises NetworkError if its form differs from the `options`."""
    if path is None:
        return None
    network = load_network(path, variant)
    form = {"hidden": network.hidden, "output_buckets": network.output_buckets}
    if network.king_buckets is not None:  # otherwise its weights are copied to each king bucket
        form["king_buckets"] = network.king_bucket_count
    for name, found in form.items():
        if (wanted := getattr(options, name)) not in (None, found):
            option = name.replace("_", "-")
            raise NetworkError(f"{path}: it has --{option} {found}, not {wanted}")
    return network


def _recipe(options: TrainingOptions, begin: Network | None) -> Recipe:
    """The recipe of the options, and of the network to begin with for the form. Values that neither sets are
    0."""
    chosen = {name: value for name in Recipe._fields if (value := getattr(options, name, None)) is not None}
    if begin is not None:
        form = {"hidden": begin.hidden, "output_buckets": begin.output_buckets}
        chosen |= form if begin.king_buckets is None else form | {"king_buckets": begin.king_bucket_count}
        chosen = {"king_buckets": 1} | chosen
    return Recipe(**{"hidden": 0, "king_buckets": 0} | chosen | {"final_rate": 0.01 * options.rate})


def _refuse_unfit(recipe: Recipe, variant: Variant, out: Path, resume: bool) -> None:
    """Raises BadParameter, before anything is read, for options that would fail at the end."""
    if recipe.hidden % LANES:
        raise click.BadParameter(f"{recipe.hidden} is not a multiple of {LANES}", param_hint="--hidden")
    if recipe.output_buckets == HANDS and not features_for(variant).hand_kinds:
        raise click.BadParameter(f"{variant!r} has no hands", param_hint="--output-buckets")
    if not out.parent.is_dir():
        raise click.BadParameter(f"{out.parent} is not a folder", param_hint="--out")
    checkpoint = _beside(out, CHECKPOINT)
    if resume and not checkpoint.exists():
        raise click.BadParameter(f"there is no {checkpoint}", param_hint="--resume")
    if not resume and checkpoint.exists():
        raise click.BadParameter(
            f"{checkpoint} belongs to an interrupted run: resume it with --resume, or delete the file",
            param_hint="--resume",
        )


def default_weight_decay(positions: int) -> float:
    """The weight decay for that many training positions.

    It falls in proportion to more positions, so that weights forget over the same number of epochs: Wang and
    Aitchison, How to set AdamW's weight decay as you scale model and dataset size, 2024."""
    return WEIGHT_DECAY * min(1.0, WEIGHT_DECAY_POSITIONS / max(1, positions))


def compile_training(variant: Variant, progress: Callable[[int, int, str], object]) -> None:
    """Compiles the code for training on games of this variant, or loads it from the cache."""
    compile_ahead([*decoding.entry_points(variant), *training.entry_points(variant)], progress)


def _surveyed(variant: Variant, files: list[Path], out: Path, begin: Network | None, resume: bool) -> Survey:
    """The `Survey` of files of games; a resumed run uses the games that it began with. Raises GamesError,
    TrainingError."""
    sizes = None
    if resume:
        path = _beside(out, CHECKPOINT)
        sizes = _sizes_before(files, load(path, ())[0], path)
        files = list(sizes)
    compiled_with_bar(variant, partial(compile_training, variant))
    total = sum(sizes.values()) if sizes else sum(path.stat().st_size for path in files)
    with counted("bytes", 0, total, "positions") as progress:
        return survey(files, variant, player_units(variant, begin), sizes, progress)


def _sizes_before(files: Sequence[Path], state: dict[str, Any], checkpoint: Path) -> dict[Path, int]:
    """The files that a run began with, and their sizes then: they may have grown, and other files may be new.
    Raises TrainingError if one is missing."""
    known = {str(path.resolve()): path for path in files}
    begun = state.get("files")
    if not isinstance(begun, list) or not all(isinstance(each, list) and len(each) == 2 for each in begun):
        raise TrainingError(f"{checkpoint}: not a readable checkpoint: it does not say its files")
    missing = [name for name, _ in begun if name not in known]
    if missing:
        raise TrainingError(f"{checkpoint}: the run was begun with {', '.join(missing)}, too")
    return {known[name]: size for name, size in begun}


def _prepared(games: Survey, recipe: Recipe, begin: Network | None, options: TrainingOptions) -> Training:
    """The `Training` on surveyed games. The number of positions decides the sizes, the length, the scale and
    the weight decay that the `options` leave open. Raises GamesError."""
    variant, scale, weight_decay = games.variant, options.scale, options.weight_decay
    if scale is None:
        by_results = min(MOST_SCALE, scale_of_results(games.counted))
        factor = SCALE_WITH_DROPS if has_drops(variant.rules) else SCALE_OF_RESULTS
        scale = float(round(factor * by_results))
    found = TrainingSet(games, Targets(recipe.blend, scale, recipe.decay), recipe.output_buckets)
    if weight_decay is None:
        weight_decay = round(default_weight_decay(found.positions), 3)
    size, epochs = size_for(variant, found.positions), options.epochs
    if options.positions_seen is not None:
        epochs = options.positions_seen / found.positions
    recipe = recipe._replace(
        scale=scale,
        weight_decay=weight_decay,
        hidden=recipe.hidden or size.hidden,
        king_buckets=recipe.king_buckets or size.king_buckets,
        epochs=epochs or size.epochs,
    )
    held_out, fitted = len(found.held_out.targets), fitted_scale(games.counted)
    click.echo(
        f"{found.positions:,} positions to learn from, {held_out:,} held out; scores mean results by a scale"
        f" of {fitted:.0f} centipawns, the targets use {scale:.0f}, weight decay {weight_decay:g};"
        f" {recipe.hidden} neurons, {recipe.king_buckets} king bucket(s), {recipe.epochs:g} epochs"
    )
    if begin is None:
        return training.Training(found, recipe)
    weights = dequantise(begin, units_of(scale, variant, begin))
    return training.Training(found, recipe, weights, begin.king_buckets)


def _run(training: Training, out: Path) -> bool:
    """Trains with progress; returns whether the run is complete."""

    def tell_epoch(epoch: Epoch) -> None:
        _write_curves(training.history, _beside(out, CURVES))
        click.echo(
            f"epoch {epoch.epoch:g} of {training.recipe.epochs:g}: error {epoch.loss:.6f}, held out"
            f" {epoch.held_out:.6f}, rate {epoch.rate:.1e}"
        )

    begun = training.positions
    with counted("training", begun, training.all_positions, "positions") as progress:
        return train(
            training,
            _beside(out, CHECKPOINT),
            lambda positions: progress(positions, positions - begun),
            tell_epoch,
            lambda text: click.echo(text, err=True),
        )


def _write_curves(history: Sequence[Epoch], path: Path) -> None:
    """Writes the current curves; after a failure the next epoch tries again."""
    try:
        path.write_text("".join(json.dumps(epoch._asdict()) + "\n" for epoch in history))
    except OSError as error:
        click.echo(f"{path}: the curves cannot be written: {error.strerror}", err=True)


def _metadata(training: Training, earlier: str | None) -> dict[str, Any]:
    """The metadata of a network, which are stored in its file."""
    best = min(training.history, key=lambda epoch: epoch.held_out)
    recipe = training.recipe._asdict()
    return {
        "program": f"Surajang {__version__} (sources {sources()})",
        "data": [file.facts for file in training.data.survey.files],
        "positions": training.data.positions,
        "held_out": len(training.data.held_out.targets),
        "held_out_games": f"1 of {training.data.survey.modulus}",
        **{("lambda" if name == "blend" else name): value for name, value in recipe.items()},
        "stops_after": LEVEL_EPOCHS,
        "epochs_made": training.history[-1].epoch,
        "best_epoch": best.epoch,
        "loss": best.loss,
        "held_out_loss": best.held_out,
        "begun_with": earlier and Path(earlier).name,
    }


def _finish(
    training: Training,
    out: Path,
    plot: Path | None,
    earlier: str | None,
    begin: Network | None,
    factor: float | None,
) -> None:
    """Writes the network and the picture, and prints the results.

    Displayed scores use the centipawns that predict the results of its games best, not those of its training
    scale; in the search they are multiplied by `factor`."""
    metadata, recipe = _metadata(training, earlier), training.recipe
    variant = training.data.variant
    units = units_of(recipe.scale, variant, begin)
    form = (training.king_buckets, recipe.output_buckets)
    network = quantise(training.best, variant, recipe.hidden, units, metadata, *form)
    mean, most = rounding_errors(training, network, recipe.scale)
    metadata["rounding"] = {"mean": round(mean, 3), "most": round(most, 2)}
    results = min(MOST_SCALE, fitted_scale(training.data.survey.counted))
    network = with_scale(network, units_of(results, variant, begin))
    metadata["units"] = network.scale
    if factor is None:
        factor = search_factor(begin.metadata if begin else training.data.survey.files[-1].facts)
    try:
        save_network(out, network if factor == 1 else rescaled(network, factor))
    except OSError as error:
        then = f"--resume continues from {_beside(out, CHECKPOINT)}"
        raise click.ClickException(f"{out}: cannot be written: {error.strerror}; {then}") from None
    if plot is not None:
        from .training_plots import plot_training

        plot_training(training.history, plot, f"{variant}, {recipe.hidden} neurons")
    _beside(out, CHECKPOINT).unlink(missing_ok=True)
    click.echo(
        f"{out}: {recipe.hidden} neurons, best after epoch {metadata['best_epoch']}, held-out error"
        f" {metadata['held_out_loss']:.6f}; rounding errors are {mean:.2f} centipawns, at most {most:.1f}"
    )
