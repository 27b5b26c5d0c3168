"""Learning a game from Python: `run` does the same as `surajang learn`."""

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ...engine.variant import Variant
from ...eval.network.file import LANES
from ...eval.network.installing import install as install_network
from ...match.players.control import parse_clock
from ...match.results.sprt import parse_sprt
from ...match.workers.options import own_file
from ...protocol.terminal.command_options import check_argument, check_arguments
from .generations import (
    Generation,
    InterruptedRunError,
    LearningError,
    LearningPlan,
    LearningResources,
    Loop,
    folder_lock,
    generations_in,
    open_folder,
    run_command,
    seconds_each,
)
from .learn_options import GENERATIONS, NODES, POSITIONS, Generations, Hours, PlanOptions, Processes
from .learn_report import write_report
from .learned_match import MatchOutcome

FACTOR_GAMES, MATCH_GAMES, MATCH_NODES = 600, 200, 4000
CLOCK, SPRT, PLIES = "2+0.02", "elo0=0 elo1=30", 8


@dataclass(frozen=True)
class GenerationResult:
    """A generation of a run: its `network`, whether it was `kept`, the reason, its matches at equal nodes and
    by the clock against the best network before, and the path where the engine finds it (`installed`)."""

    number: int
    network: Path
    kept: bool
    reason: str
    at_nodes: MatchOutcome
    by_clock: MatchOutcome
    installed: Path | None


@dataclass(frozen=True)
class LearningResult:
    """The result of a run: its generations in order, and the path of its `report` in Markdown."""

    variant: Variant
    folder: Path
    generations: tuple[GenerationResult, ...]
    report: Path

    @property
    def networks(self) -> tuple[Path, ...]:
        """The networks that were kept, the best one last."""
        return tuple(each.network for each in self.generations if each.kept)

    @property
    def network(self) -> Path | None:
        """The best network, or None if none was better than the hand-written evaluation."""
        return self.networks[-1] if self.networks else None


def run(
    variant: str,
    *,
    out: str | Path | None = None,
    generations: int = GENERATIONS,
    hours: float | None = None,
    positions: int = POSITIONS,
    growth: float = 1.0,
    nodes: int = NODES,
    plies: int = PLIES,
    hidden: int | None = None,
    king_buckets: int | None = None,
    epochs: float | None = None,
    factor_games: int = FACTOR_GAMES,
    games: int = MATCH_GAMES,
    match_nodes: int = MATCH_NODES,
    tc: str = CLOCK,
    sprt: str = SPRT,
    seed: int = 1,
    concurrency: int = 1,
    cluster: str | None = None,
    install: bool = True,
    progress: Callable[[str], object] | None = None,
    on_generation: Callable[[GenerationResult], object] | None = None,
) -> LearningResult:
    """Trains networks for a game, generation after generation, in the folder `out` (`learn-NAME`).

    The other arguments have the meaning of the option of `surajang learn` with the same name. With `install`,
    the engine uses each network that is kept. `progress` is called with a sentence at the start and end of
    phases, `on_generation` with each result. The same call resumes an interrupted run: Ctrl-C raises
    KeyboardInterrupt, and the folder keeps all finished work.

    Raises VariantError, LearningError for settings that do not fit, and OSError; TypeError or ValueError for
    an argument of another type or a number that is out of range."""
    variant = Variant(variant)
    settings: dict[str, Any] = {
        "positions": positions,
        "nodes": nodes,
        "plies": plies,
        "hidden": hidden,
        "epochs": epochs,
        "games": games,
        "match_nodes": match_nodes,
        "tc": tc,
        "sprt": sprt,
        "seed": seed,
        "king_buckets": king_buckets,
        "growth": growth,
        "factor_games": factor_games,
    }
    check_arguments(PlanOptions, **settings)
    check_argument("generations", Generations, generations)
    check_argument("hours", Hours, hours)
    check_argument("concurrency", Processes, concurrency)
    plan = make_plan(variant=variant, toml=own_file(variant), **settings)
    folder = Path(out) if out is not None else default_folder(variant)
    plan = open_folder(folder, plan)
    resources = LearningResources(concurrency, cluster, seconds_each(folder, generations, hours))
    quietly = partial(run_command, output=subprocess.DEVNULL)
    loop = Loop(folder, plan, resources, progress or (lambda text: None), quietly)
    try:
        with folder_lock(folder):
            for generation in run_generations(loop, generations, install):
                if on_generation is not None:
                    on_generation(result_of(generation))
    except InterruptedRunError:
        raise KeyboardInterrupt from None
    finished = tuple(result_of(each) for each in generations_in(folder) if each.verdict)
    return LearningResult(variant, folder, finished, write_report(folder, plan))


def default_folder(variant: Variant) -> Path:
    """The default folder of a run."""
    return Path(f"learn-{Path(variant).stem if Path(variant).suffix else variant}")


def make_plan(**settings: object) -> LearningPlan:
    """The `LearningPlan` of these fields. Raises PlanError for values that would fail later."""
    plan = LearningPlan(**settings)  # type: ignore[arg-type]  # as the fields are
    if (plan.hidden or 0) % LANES:
        raise PlanError("hidden", f"{plan.hidden} is not a multiple of {LANES}")
    if plan.games % 2:
        raise PlanError("games", f"{plan.games} is odd, but every opening is played with both colours")
    for name, parse in (("sprt", parse_sprt), ("tc", parse_clock)):
        try:
            parse(getattr(plan, name))
        except ValueError as error:
            raise PlanError(name, str(error)) from None
    return plan


class PlanError(LearningError):
    """A setting with a wrong value: its `name` and the `reason`."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name, self.reason = name, reason

    def __reduce__(self) -> "tuple[type[PlanError], tuple[str, str]]":
        return type(self), (self.name, self.reason)


def run_generations(loop: Loop, count: int, install: bool) -> Iterator[Generation]:
    """Makes all generations up to that number that are not finished. Installs those that are kept and writes
    the report after each. The caller holds the lock of the folder. Raises LearningError, InterruptedRunError,
    NetworkError, OSError."""
    for number in range(1, count + 1):
        generation = loop.run_generation(number)
        if generation.is_kept() and install and "installed" not in generation.state:
            path = install_network(generation.player, loop.plan.variant)
            generation.note("installed", path=str(path))
            loop.tell(f"generation {number}: accepted; the engine uses it from now on: {path}")
        loop.tell(f"the report is {write_report(loop.folder, loop.plan)}")
        yield generation


def result_of(generation: Generation) -> GenerationResult:
    """The result of a generation that is finished."""
    state, verdict = generation.state, generation.verdict or {}
    installed = state.get("installed", {}).get("path")
    return GenerationResult(
        generation.number,
        generation.player if generation.is_kept() else generation.network,
        generation.is_kept(),
        str(verdict.get("reason", "")),
        MatchOutcome(**state["match_at_nodes"]),
        MatchOutcome(**state["match_by_clock"]),
        Path(installed) if installed else None,
    )
