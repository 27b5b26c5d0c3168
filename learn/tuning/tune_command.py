"""`surajang bench tune`: fits the parameters of the evaluation to games of the engine against itself."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import click
import numpy as np
from rich.table import Table

from ...engine.variant import Variant
from ...eval.terms.weights import weights_path
from ...protocol.terminal.command_options import FILE, Option, with_options
from ...protocol.terminal.console import console, table
from ...protocol.terminal.options import variant_option
from ...protocol.terminal.outputs import OutputFile
from ...protocol.terminal.progress import tracked
from ..self_play.games_file import is_games_file
from ..self_play.generator import game_errors, play_into
from ..self_play.options import SelfPlayOptions
from ..self_play.starts import starts_for
from .fit import Fit, Tuner
from .samples import SampleError, read_games, read_samples

SHARE_HELP = "Share of the search scores in the target; the rest is the games' results."
SINGLE = ("crowd", "weak", "hole", "escape", "shelter", "initiative", "tempo")


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    data: Annotated[
        tuple[Path, ...], Option("A file of games of `surajang bench data`.", type=FILE, multiple=True)
    ] = (),
    games: Annotated[int, Option("Games to play, without --data.", least=1)] = 2000,
    self_play: SelfPlayOptions,
    pull: Annotated[float, Option("Strength of the pull towards the present numbers.", least=0)] = 2e-8,
    share: Annotated[float, Option(SHARE_HELP, least=0, most=1)] = 0.3,
    out: Annotated[
        Path | None,
        Option("The file of weights; by default the one in use.", type=OutputFile(makes_folders=True)),
    ] = None,
) -> None:
    """Fit the numbers of the hand-written evaluation to the results of games, by logistic regression.

    The games are those of --data, or are played now and kept in this folder. The engine uses the fitted
    numbers from then on."""
    out = out or weights_path(variant.description)
    _refuse_unwritable(out)
    with game_errors(SampleError):
        if not data:
            data = (Path(f"{variant}-{self_play.seed}.games"),)
            work = self_play.work(variant, starts_for(variant))
            play_into(data[0], work, games, None, self_play.cluster, self_play.concurrency)
        tuner, fit = _fitted(variant, data, pull, share)
        _replace(out, fit.parameters.as_toml(tuner.description))
    console().print(_table(tuner, fit))
    click.echo(f"The numbers are in {out}")


def _refuse_unwritable(path: Path) -> None:
    """Makes the folder of a file. Raises BadParameter, before the fit, if the file cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise click.BadParameter(f"{path}: cannot be written: {error.strerror}", param_hint="--out") from None


def _fitted(variant: Variant, data: Sequence[Path], pull: float, share: float) -> tuple[Tuner, Fit]:
    """The Tuner with the samples of all files, and its Fit. Raises SampleError, GamesError, VariantError."""
    games = [read_games(path, variant) for path in data if is_games_file(path)]
    texts = [path for path in data if not is_games_file(path)]
    samples = [sample for path in texts for sample in read_samples(path, variant)]
    tuner = Tuner(variant, samples, games, progress=lambda samples: tracked(samples, "positions"))
    return tuner, tuner.fit(progress=lambda steps: tracked(steps, "fitting"), pull=pull, share=share)


def _replace(path: Path, text: str) -> None:
    """Replaces a file atomically, because engines may read it at any time."""
    draft = path.with_name(f"{path.name}.draft")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def _table(tuner: Tuner, fit: Fit) -> Table:
    """The losses and the numbers before and after."""
    title = f"{tuner.description.title}, {len(tuner.points):,} positions"
    shown = table("what", "before", "after", title=title)
    shown.add_row("loss, training", f"{fit.before:.4f}", f"{fit.after:.4f}")
    shown.add_row("loss, held back", f"{fit.held_before:.4f}", f"{fit.held_after:.4f}")
    first, last, description = fit.first, fit.parameters, tuner.description
    for piece, old, new in zip(description.pieces, first.material, last.material, strict=True):
        if not piece.royal:
            shown.add_row(piece.name, f"{old:.0f}", f"{new:.0f}")
    for piece, old, new in zip(description.hand_pieces, first.hand, last.hand, strict=True):
        shown.add_row(f"{piece.name} in hand", f"{old:.0f}", f"{new:.0f}")
    for name in SINGLE:
        old, new = getattr(first, name), getattr(last, name)
        shown.add_row(name, f"{np.round(old, 2)}", f"{np.round(new, 2)}")
    return shown
