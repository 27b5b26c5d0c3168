"""The loop of learning: each generation plays games with the best network, trains a new one, and plays
matches that decide whether it is kept.

A run is one folder, with a folder for each generation. Each phase of a generation is a command of Surajang
that can be interrupted and resumed. Its result is written to the generation's `state.json` when the phase
ends. So a run can be killed at any time, and the same command resumes it."""

import json
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ...engine.game.replaced_file import replacing
from ...engine.game.text_files import fault_of
from ...engine.variant import Variant
from ...eval.network.file import NetworkError, load_network
from ...match.records.locked_file import open_to_add
from ...match.results.sprt import parse_sprt
from ...match.workers.options import own_file
from ...protocol.terminal.interrupts import handled
from ..self_play.score_units import SEARCH_FACTOR, search_factor
from .factor_search import duel_outcome, tried_factors
from .learned_match import NO_GAMES, MatchOutcome, outcome_of

PLAN, STATE, REPORT = "learn.json", "state.json", "report.md"
LOCK = "learn.lock"
GAMES, NETWORK, CURVES = "data.games", "network.network", "curves.png"
FIXED, CLOCK, FACTORS = "match-nodes", "match-clock", "factors"
FACTOR_SPRT = "elo0=0 elo1=20"  # for a search factor against the best one so far
REMEMBERED = 3  # a network is trained on the games of so many generations
SURE = 0.95  # likelihood of superiority at which a match at fixed nodes without a decision is a win
DATA_SHARE = 0.7  # share of a generation's time that self-play may take
HOUR = 3600  # seconds
Run = Callable[[list[str], float | None], bool]  # see `Loop`


class LearningError(ValueError):
    """A run that cannot begin or continue; the text gives the reason."""


class InterruptedRunError(Exception):
    """A signal ended the run; the folder keeps all finished work."""


@dataclass(frozen=True)
class LearningPlan:
    """The settings of a run, which stay the same when it is resumed.

    The first generation plays games at `nodes` a move, with `plies` random moves first, until it has
    `positions` quiet positions. Each later generation makes `growth` times as many. A network of `hidden`
    neurons and `king_buckets` trains for `epochs`; None chooses the value by the number of positions. Two
    matches of up to `games` each follow, at `match_nodes` a move and with the clock `tc`; `sprt` ends them
    early. After a network is kept, duels of up to `factor_games` games each find its search factor. `toml` is
    the text of the game's file if the game is the user's own."""

    variant: Variant
    positions: int
    nodes: int
    plies: int
    hidden: int | None
    epochs: float | None
    games: int
    match_nodes: int
    tc: str
    sprt: str
    seed: int
    toml: str | None = None
    king_buckets: int | None = None
    growth: float = 1.0
    factor_games: int = 0

    def positions_of(self, number: int) -> int:
        """The number of positions of a generation."""
        return round(self.positions * self.growth ** (number - 1))


@dataclass(frozen=True)
class LearningResources:
    """Settings that may change when a run is resumed: `concurrency` processes for games and threads for
    training, the scheduler of a Dask `cluster`, and `seconds` for each generation (None for no limit)."""

    concurrency: int = 1
    cluster: str | None = None
    seconds: float | None = None


def write_json(path: Path, data: Mapping[str, object]) -> None:
    """Writes a JSON file atomically. Raises OSError."""
    with replacing(path, synced=True) as file:
        file.write(f"{json.dumps(data, indent=1)}\n".encode())


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises LearningError if the file is damaged."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise LearningError(f"{path}: cannot be read: {fault_of(error)}") from None
    if not isinstance(data, dict):
        raise LearningError(f"{path}: should be a JSON object")
    return data


BEFORE = {"king_buckets": 1, "growth": 1.0, "factor_games": 0}  # older plans lack these keys


def _read_plan(path: Path) -> dict[str, Any]:
    """The plan in a file; older files call king buckets zones. Raises LearningError."""
    found = read_json(path)
    return {"king_buckets" if name == "zones" else name: value for name, value in found.items()}


def open_folder(folder: Path, plan: LearningPlan) -> LearningPlan:
    """Makes the folder of a run, or checks that the folder belongs to the same run. Returns the plan:
    settings that are None get the values of the earlier call. Raises LearningError, OSError."""
    path = folder / PLAN
    if path.exists():
        before = BEFORE | _read_plan(path)
        open_sizes = [name for name in ("hidden", "king_buckets", "epochs") if getattr(plan, name) is None]
        chosen: dict[str, Any] = {name: before.get(name) for name in open_sizes}
        plan = replace(plan, **chosen)
        if "factor_games" not in _read_plan(path):
            plan = replace(plan, factor_games=0)
        wanted = asdict(plan)
        differ = [
            f"{name} {before.get(name)!r}, not {wanted[name]!r}"
            for name in wanted
            if name != "toml" and before.get(name) != wanted[name]
        ]
        if before.get("toml") != wanted["toml"]:
            differ.append("another file of the game")
        if differ:
            raise LearningError(f"{folder} holds a run with {'; '.join(differ)}: choose another --out")
        return plan
    if folder.exists() and any(folder.iterdir()):
        raise LearningError(f"{folder} holds other things: choose another --out")
    folder.mkdir(parents=True, exist_ok=True)
    write_json(path, asdict(plan))
    return plan


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Locks the folder of a run. Raises LearningError if another process has locked it."""
    with open_to_add(folder / LOCK, LearningError):
        yield


class Generation:
    """A generation in its folder: the results of its phases by name, and the paths of its files."""

    def __init__(self, folder: Path, number: int) -> None:
        self.number, self.folder = number, folder / f"generation-{number:02}"
        self.games, self.network = self.folder / GAMES, self.folder / NETWORK
        path = self.folder / STATE
        self.state = read_json(path) if path.exists() else {}

    def note(self, phase: str, **facts: object) -> None:
        """Stores the result of a phase. Raises OSError."""
        self.state[phase] = facts
        write_json(self.folder / STATE, self.state)

    @property
    def verdict(self) -> dict[str, Any] | None:
        """{"kept", "reason"}, or None while the generation is unfinished."""
        return self.state.get("verdict")

    def is_kept(self) -> bool:
        """Whether its network won its matches."""
        return bool(self.verdict and self.verdict["kept"])

    def is_complete(self) -> bool:
        """Whether all phases are over."""
        return "try_factors" in self.state

    def search_factor(self, factor: float = 1.0) -> float:
        """The search factor of its network, which it has from the network that played the games, times
        `factor`."""
        return round(float(self.state["train"].get(SEARCH_FACTOR, 1.0)) * factor, 4)

    @property
    def player(self) -> Path:
        """The network that plays: this generation's, with its search factor."""
        return self.factored(self.state.get("try_factors", {}).get("factor", 1.0))

    def factored(self, factor: float) -> Path:
        """The path of the network with this search factor."""
        return self.network if factor == 1 else self.folder / FACTORS / f"{factor:g}-{NETWORK}"


def seconds_each(folder: Path, count: int, hours: float | None) -> float | None:
    """The seconds for each generation up to number `count` that is not complete, if they share the `hours`;
    None for no limit. Raises LearningError."""
    complete = sum(each.is_complete() for each in generations_in(folder))
    return hours and hours * HOUR / max(1, count - complete)


def generations_in(folder: Path) -> list[Generation]:
    """The generations so far, in order. Raises LearningError."""
    numbers = sorted(int(path.name.rpartition("-")[2]) for path in folder.glob("generation-[0-9]*"))
    return [Generation(folder, number) for number in numbers]


class Loop:
    """A run of a `LearningPlan` in its folder.

    `tell(text)` is called at the start and end of phases. `run(arguments, seconds)` runs a command of
    Surajang and interrupts it after that many seconds (None: never); it returns whether the command finished.
    """

    def __init__(
        self,
        folder: Path,
        plan: LearningPlan,
        resources: LearningResources,
        tell: Callable[[str], object],
        run: Run | None = None,
    ) -> None:
        self.folder, self.plan, self.resources = folder, plan, resources
        self.tell, self._run = tell, run or run_command
        own = plan.variant.description.path if own_file(plan.variant) is not None else None
        self._game = ["--variant-file", str(own)] if own else ["--variant", plan.variant]

    def best(self, before: int) -> Path | None:
        """The last network that was kept before this generation, or None."""
        kept = [each for each in generations_in(self.folder) if each.number < before and each.is_kept()]
        return kept[-1].player if kept else None

    def run_generation(self, number: int) -> Generation:
        """Makes one generation, or finishes an interrupted one, and returns it."""
        generation = Generation(self.folder, number)
        generation.folder.mkdir(exist_ok=True)
        matches = (self._match_at_nodes, self._match_by_clock)
        for phase in (self._play, self._train, *matches, self._judge, self._try_factors):
            name = phase.__name__.strip("_")
            if name not in generation.state:
                phase(generation)
        return generation

    def _places(self) -> list[str]:
        """The options that say where games run."""
        if self.resources.cluster:
            return ["--cluster", self.resources.cluster]
        return ["--concurrency", str(self.resources.concurrency)]

    def _play(self, generation: Generation) -> None:
        plan, best = self.plan, self.best(generation.number)
        positions = plan.positions_of(generation.number)
        self.tell(
            f"generation {generation.number}: {positions:,} positions of games at {plan.nodes} nodes"
            f" a move by {'the best network' if best else 'the hand-written evaluation'}"
        )
        arguments = ["bench", "data", "play", *self._game, "--nodes", str(plan.nodes)]
        arguments += ["--positions", str(positions), "--plies", str(plan.plies)]
        arguments += ["--seed", str(plan.seed + generation.number - 1), "--out", str(generation.games)]
        arguments += ["--eval-file", str(best)] if best else []
        seconds = self.resources.seconds and DATA_SHARE * self.resources.seconds
        started = time.monotonic()
        complete = self._run([*arguments, *self._places()], seconds)
        generation.note("play", complete=complete, seconds=round(time.monotonic() - started, 1))

    def _train(self, generation: Generation) -> None:
        plan = self.plan
        earlier = [each for each in generations_in(self.folder) if each.number <= generation.number]
        files = [each.games for each in earlier[-REMEMBERED:]]
        self.tell(f"generation {generation.number}: training on {len(files)} file(s) of games")
        arguments = ["bench", "train", *self._game]
        for name in ("hidden", "king_buckets", "epochs"):
            if (value := getattr(plan, name)) is not None:
                arguments += [f"--{name.replace('_', '-')}", str(value)]
        for path in files:
            arguments += ["--data", str(path)]
        arguments += ["--seed", str(plan.seed), "--threads", str(self.resources.concurrency)]
        arguments += ["--out", str(generation.network)]
        if can_plot():
            arguments += ["--plot", str(generation.folder / CURVES)]
        if generation.network.with_name(generation.network.name + ".checkpoint").exists():
            arguments.append("--resume")
        started = time.monotonic()
        self._run(arguments, None)
        facts = {"files": len(files), "seconds": round(time.monotonic() - started, 1)}
        generation.note("train", **facts, **self._facts_of(generation.network))

    def _facts_of(self, path: Path) -> dict[str, object]:
        """The training metadata of a network that the report shows."""
        try:
            network = load_network(path, self.plan.variant)
        except NetworkError:
            return {}
        told, form = network.metadata, {"hidden": network.hidden, "king_buckets": network.king_bucket_count}
        facts = {"positions": told.get("positions"), "error": told.get("held_out_loss")}
        return form | facts | {SEARCH_FACTOR: search_factor(told)}

    def _match_at_nodes(self, generation: Generation) -> None:
        self._match(generation, "match_at_nodes", FIXED, f"nodes={self.plan.match_nodes}")

    def _match_by_clock(self, generation: Generation) -> None:
        if not is_won(MatchOutcome(**generation.state["match_at_nodes"])):
            generation.note("match_by_clock", **asdict(NO_GAMES))
            return
        self._match(generation, "match_by_clock", CLOCK, f"tc={self.plan.tc}")

    def _match(self, generation: Generation, phase: str, name: str, limit: str) -> None:
        """Plays a match of the new network against the best one before it."""
        plan, best, folder = self.plan, self.best(generation.number), generation.folder / name
        self.tell(
            f"generation {generation.number}: {plan.games} games at most, {limit},"
            f" against {'the best before' if best else 'the hand-written evaluation'}"
        )
        if (folder / "match.json").exists():
            arguments = ["match", "--resume", str(folder)]
        else:
            shutil.rmtree(folder, ignore_errors=True)
            command = shlex.join([sys.executable, "-m", "surajang"])
            engine = f"cmd={shlex.quote(command)} proto=uci {limit}"
            opponent = f"'option.EvalFile={best.resolve()}'" if best else "'option.Use NNUE=false'"
            arguments = ["match", *self._game, "--games", str(plan.games), "--plies", str(plan.plies)]
            arguments += ["--engine", f"{engine} name=new 'option.EvalFile={generation.network.resolve()}'"]
            arguments += ["--engine", f"{engine} name=before {opponent}"]
            arguments += ["--seed", str(plan.seed + generation.number), "--sprt", plan.sprt]
            arguments += ["--resign", "number=4 score=900", "--out", str(folder)]
        self._run([*arguments, *self._places()], None)
        generation.note(phase, **asdict(outcome_of(folder)))

    def _judge(self, generation: Generation) -> None:
        fixed = MatchOutcome(**generation.state["match_at_nodes"])
        clock = MatchOutcome(**generation.state["match_by_clock"])
        if not is_won(fixed):
            kept, reason = False, f"it did not win at equal nodes: {fixed}"
        elif clock.score < 0.5:
            kept, reason = False, f"it lost by the clock: {clock}"
        else:
            kept, reason = True, f"it won at equal nodes ({fixed}) and did not lose by the clock ({clock})"
        generation.note("verdict", kept=kept, reason=reason)
        self.tell(f"generation {generation.number}: {'kept' if kept else 'rejected'}: {reason}")
        generation.note("judge")

    def _try_factors(self, generation: Generation) -> None:
        """Finds the search factor of a network that was kept, by duels."""
        if not (generation.is_kept() and self.plan.factor_games):
            generation.note("try_factors", factor=1.0)
            return
        (generation.folder / FACTORS).mkdir(exist_ok=True)
        tried = generation.state.setdefault("tried", {})
        won = {float(factor): is_won(MatchOutcome(**outcome)) for factor, outcome in tried.items()}

        def duel(factor: float, best: float) -> bool:
            outcome = self._duel(generation, factor, best)
            tried[f"{factor:g}"] = asdict(outcome)
            generation.note("tried", **tried)
            return is_won(outcome)

        factor = tried_factors(duel, won)
        generation.note("try_factors", factor=factor)
        found, *others = (f"{generation.search_factor(each):g}" for each in (factor, *won))
        self.tell(
            f"generation {generation.number}: search factor {found}, after trials of {', '.join(others)}"
        )

    def _duel(self, generation: Generation, factor: float, best: float) -> MatchOutcome:
        """The outcome of a duel between the search factors `factor` and `best` of a generation's network."""
        plan, path = self.plan, generation.factored(factor)
        ours, other = (f"{generation.search_factor(each):g}" for each in (factor, best))
        self.tell(f"generation {generation.number}: search factor {ours} against {other}")
        words = ["--eval-file", str(generation.network), "--factor", str(factor), "--out", str(path)]
        self._run(["bench", "rescale", *self._game, *words], None)
        log = path.with_suffix(".jsonl")
        log.unlink(missing_ok=True)
        players = [shlex.quote(f"eval={each.resolve()}") for each in (path, generation.factored(best))]
        arguments = ["bench", "duel", *self._game, "--first", players[0], "--second", players[1]]
        arguments += ["--games", str(plan.factor_games), "--nodes", str(plan.match_nodes)]
        arguments += ["--plies", str(plan.plies), "--seed", str(plan.seed + generation.number)]
        self._run([*arguments, "--sprt", FACTOR_SPRT, "--log", str(log), *self._places()], None)
        outcome = duel_outcome(log, parse_sprt(FACTOR_SPRT))
        if outcome is None:
            raise LearningError(f"{log}: the duel's result is missing")
        return outcome


def is_won(outcome: MatchOutcome) -> bool:
    """Whether the result of a match at fixed nodes shows that the new network is stronger."""
    if outcome.decision is not None:
        return outcome.decision == "H1"
    return outcome.superiority >= SURE


def can_plot() -> bool:
    """Whether matplotlib is installed."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def run_command(arguments: Sequence[str], seconds: float | None = None, output: int | None = None) -> bool:
    """Runs a command of Surajang in another process that shows its progress here; `output` is its standard
    output, as in `subprocess`. Returns whether it finished within `seconds`.

    A signal to this process first ends the command; only the main thread receives signals. Raises
    LearningError if the command fails, InterruptedRunError after a signal."""
    noted: list[int] = []

    def pass_on(number: int, frame: object) -> None:
        noted.append(number)
        process.send_signal(signal.SIGTERM)

    command = [sys.executable, "-m", "surajang", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output)
    main = threading.current_thread() is threading.main_thread()
    with handled(pass_on) if main else nullcontext():
        complete = _wait(process, seconds)
    if noted:
        raise InterruptedRunError
    if complete and process.returncode:
        raise LearningError(
            f"`surajang {shlex.join(arguments)}` failed with exit code {process.returncode}; its output"
            " is above"
        )
    return complete


def _wait(process: "subprocess.Popen[bytes]", seconds: float | None) -> bool:
    """Waits for a process; returns whether it ended by itself within that many seconds."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        process.wait()
        return False
    return True
