"""Compiles what a run of `surajang learn` needs before it begins: then its parts only load code."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from ...engine.kernel.compiler import compile_ahead
from ...engine.variant import Variant
from ...eval.network.features import MAX_FEATURES, features_for
from ...eval.network.file import Network, load_network, random_network, save_network
from ...eval.network.vectors import shape_of
from ...protocol.terminal.progress import CompileAll, compile_together, compiling
from ..self_play.duel_games import entry_points
from ..self_play.generator import compile_all
from ..training.sizes import size_for
from ..training.survey import HELD_OUT
from ..training.train_command import compile_training
from .generations import REMEMBERED, LearningPlan

Work = tuple[str, CompileAll]  # a name, and what compiles it


def compile_run(plan: LearningPlan, best: Path | None, generations: int, cluster: str | None) -> None:
    """Compiles the code of a run's parts with one progress bar, for the network `best` that plays first and
    for those of new generations. A cluster compiles what it plays. Raises NetworkError, VariantError."""
    with TemporaryDirectory() as folder:
        training: Work = (f"{plan.variant}: training", partial(compile_training, plan.variant))
        if cluster:
            works = [training]
        else:
            works = [training, *_first(plan.variant, best), *_later(plan, generations, Path(folder))]
        compile_together(works, "part")


def _first(variant: Variant, best: Path | None) -> list[Work]:
    """The works for games and matches of the network that plays first, or of the hand-written evaluation."""
    player = load_network(best, variant) if best else None
    return [
        (f"{variant}: games", partial(compile_all, variant, player)),
        (f"{variant}: matches", compiling(variant, str(best) if best else False)),
    ]


def _later(plan: LearningPlan, generations: int, folder: Path) -> list[Work]:
    """The works for the networks that will be trained. Code depends on the size of a network and not on its
    weights, so networks of random weights in the folder stand for them."""
    sizes = network_sizes(plan, generations)
    works: list[Work] = []
    for hidden, king_buckets in dict.fromkeys(sizes):
        network = random_network(plan.variant, hidden, 1, king_buckets)
        path = folder / f"{hidden}-{king_buckets}.network"
        save_network(path, network)
        name = f"{plan.variant}: network of {hidden} neurons"
        works.append((f"{name}, matches", compiling(plan.variant, str(path))))
        if (hidden, king_buckets) in sizes[:-1]:  # a generation after it plays by it
            works.append((f"{name}, games", partial(compile_all, plan.variant, network)))
        if plan.factor_games:
            works.append((f"{name}, duels", partial(_compile_duels, network)))
    return works


def network_sizes(plan: LearningPlan, generations: int) -> list[tuple[int, int]]:
    """(neurons, king buckets) of the network of each generation. Where the plan leaves them to the number of
    positions, a time limit may make a smaller one."""
    found, most = [], MAX_FEATURES // features_for(plan.variant).count
    for number in range(1, generations + 1):
        positions = sum(map(plan.positions_of, range(max(1, number - REMEMBERED + 1), number + 1)))
        size = size_for(plan.variant, round(positions * (1 - 1 / HELD_OUT)))
        king_buckets = plan.king_buckets or size.king_buckets
        found.append((plan.hidden or size.hidden, max(1, min(king_buckets, most))))
    return found


def _compile_duels(network: Network, progress: Callable[[int, int, str], object]) -> None:
    """Compiles the duels of a network with itself."""
    shape = shape_of(network)
    compile_ahead(entry_points(network.variant, shape, shape), progress)
