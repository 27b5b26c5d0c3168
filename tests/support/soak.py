"""The soak: many fast games of the engine against itself, checked by independent judges.

For every game two processes play, one in CECP and one in UCI, and stay from the first game to the last. Every
move and every result is compared with a judge's (`soak_judges`), every clock is measured by this process, and
the resident memory of both engines must not grow. `python -m surajang.tests.support.soak --games 1000` prints
a table and ends with exit code 1 if anything was wrong. With `--journal FILE` finished rounds are stored, and
the same command resumes after them."""

import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

import click
import psutil
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from surajang import Position
from surajang.engine.definition import catalogue
from surajang.engine.variant import Variant
from surajang.match.games.game import PlayerClock
from surajang.match.players import player as contract
from surajang.match.players.cecp import CecpPlayer
from surajang.match.players.control import TimeControl
from surajang.match.players.player import PlayerError
from surajang.match.players.spec import EngineSpec
from surajang.match.players.uci import UciPlayer
from surajang.protocol.wire.spelling import PASSES
from surajang.tests.support.soak_judges import JUDGES, judge_of

OPENING = range(4, 31)  # plies by chance: no two games are alike, and wild positions come to an end soon
WARM = 10  # games until all that an engine keeps has been touched
GROWTH = 0.05  # of the resident memory that is not a leak yet
CONTROLS = (
    TimeControl(base=0.1, increment=0.002),
    TimeControl(nodes=100),
    TimeControl(base=0.3, moves=40),
    TimeControl(movetime=0.01),
    TimeControl(depth=1),
    TimeControl(depth=2),
    TimeControl(base=1, increment=0.01, nodes=200),
    TimeControl(base=0.05, increment=0.005),
)
LOST = ("0-1", "1-0")  # by the colour that loses
HEADINGS = (
    *("game", "protocol", "games", "moves", "won", "drawn", "lost", "cut"),
    *("ms late", "s waited", "MB warm", "MB last", "growth", "faults"),
)
PATIENCE = 600.0  # seconds for an answer: clocks are judged by the time that an engine had a processor
WIDTH = 130  # columns of the table where there is no terminal
CLAIM = re.compile(r"(1-0|0-1|1/2-1/2) \{.*\}")


class Cecp(CecpPlayer):
    """The engine in CECP, whose claims are recorded."""

    def __init__(self, *arguments):
        self._heard = []
        super().__init__(*arguments)

    def new_game(self, *arguments):
        self._heard.clear()
        super().new_game(*arguments)

    def _heed(self, text):
        self._heard.append(text)
        super()._heed(text)

    def error_at_the_end(self, position, judge):
        """The fault of its last output in a finished game, or None."""
        self._process.write(*self._tell(position))
        self.synchronise()
        claims = [claim[1] for claim in map(CLAIM.fullmatch, self._heard) if claim]
        moves = [text for text in self._heard if text.startswith("move ")]
        if claims == [judge.result] and not moves:
            return None
        return f"says {claims + moves} where the rules say {judge.result}"


class Uci(UciPlayer):
    """The engine in UCI."""

    def error_at_the_end(self, position, judge):
        """As in `Cecp`; UCI has no command for a result, but an engine may report that there is no move."""
        self._process.write(self._position(position), "go depth 1")
        answer = self._wait(lambda text: text.startswith("bestmove"), 10).text.split()[1]
        if answer == "(none)" or spelled_out(self._spelling.read_move(answer), judge.moves) in judge.moves:
            return None
        return f"answers {answer} where the rules know {len(judge.moves)} moves"


PROTOCOLS = {"cecp": Cecp, "uci": Uci}


@dataclass
class Side:
    """One engine process, and the figures of its games."""

    protocol: str
    player: object
    games: int = 0
    moves: int = 0
    ends: Counter = field(default_factory=Counter)
    memory: list[int] = field(default_factory=list)  # resident bytes after each game
    slowest: float = 0.0  # seconds by which the worst move went over its time
    waited: float = 0.0  # seconds in which the machine was at other work, while this engine could have run
    faults: list[str] = field(default_factory=list)

    def as_json(self):
        """What `from_json` reads."""
        return {**asdict(Side(**{**vars(self), "player": None})), "ends": dict(self.ends)}

    @classmethod
    def from_json(cls, values):
        """The side of a round that was played before."""
        return cls(**{**values, "ends": Counter(values["ends"])})

    def __add__(self, later):
        """Both rounds together; the memory is that of the `later` processes."""
        added = {
            name: getattr(self, name) + getattr(later, name)
            for name in ("games", "moves", "ends", "waited", "faults")
        }
        slowest = max(self.slowest, later.slowest)
        return Side(self.protocol, None, memory=later.memory, slowest=slowest, **added)


class Journal:
    """The rounds that were played: a JSON object a line in a file, or in memory where `path` is None."""

    def __init__(self, path=None):
        self._path = path
        self.played = {}  # variant -> its sides, all rounds together
        if path and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                found = json.loads(line)
                self._count(found["variant"], list(map(Side.from_json, found["sides"])))

    def games(self, variant):
        """How many games of a variant were played."""
        return max((side.games for side in self.played.get(variant, ())), default=0)

    def add(self, variant, sides):
        """Keeps a round."""
        if self._path:
            line = json.dumps({"variant": variant, "sides": [side.as_json() for side in sides]})
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        self._count(variant, sides)

    def _count(self, variant, sides):
        before = self.played.get(variant)
        pairs = zip(before or (), sides, strict=False)
        self.played[variant] = [one + other for one, other in pairs] if before else sides


def seconds_without_processor(pid):
    """How long the threads of a process and of this one have waited for a processor until now; 0 where the
    system does not tell."""
    files = [
        path for number in (pid, os.getpid()) for path in Path(f"/proc/{number}/task").glob("*/schedstat")
    ]
    waits = 0
    for path in files:
        with suppress(OSError):  # a thread may end meanwhile
            waits += int(path.read_text().split()[1])
    return waits / 1e9


def spelled_out(text, moves):
    """The move of `moves` for a text that marks a change of its piece by a sign, or is a spelling of a pass;
    other text is unchanged."""
    if text in PASSES:
        return next((move for move in moves if move == 2 * move[: len(move) // 2]), text)
    if not text.endswith(("+", "-")):
        return text
    return next((move for move in moves if move[:-1] == text[:-1] and move[-1].isalpha()), text)


class FaultError(Exception):
    """The reason for the end of an unfinished game: (colour, fault)."""


class Duel:
    """The games of one variant. `margin` is the tolerance of clocks in seconds; a game is cut after `longest`
    plies."""

    def __init__(self, variant, sides, seed, longest, margin, judge=judge_of):
        self.variant, self.sides = variant, sides
        self._seed, self._longest, self._margin, self._judge = seed, longest, margin, judge

    def play(self, number):
        """Plays a game, with White in turn; returns whether both engines can play on."""
        generator = random.Random(f"{self._seed} {self.variant} {number}")
        order = self.sides if number % 2 == 0 else self.sides[::-1]
        controls = generator.sample(CONTROLS, 2)
        position, judge = Position(self.variant), self._judge(self.variant)
        try:
            self._open(generator, position, judge)
            self._set_up(order, position, controls)
            score = self._to_the_end(order, position, judge, controls)
            self._hear_the_end(order, position, judge, score)
        except FaultError as fault:
            colour, text = fault.args
            moves = " ".join(map(str, position.moves))
            order[colour].faults.append(f"game {number + 1}: {text}; {controls[colour]}; moves {moves}")
            order[colour].ends["fault"] += 1
        return self._count(order, position)

    def _open(self, generator, position, judge):
        """Moves by chance: the choices of a setup phase, then some of OPENING more."""
        made, wanted = 0, generator.choice(OPENING)
        while made < wanted and judge.result is None:
            made += not any(move.is_choice for move in position.legal_moves())
            self._push(position, judge, generator.choice(sorted(judge.moves)), position.turn)

    def _push(self, position, judge, text, colour):
        """Makes a move on both boards, which must agree whether the game is over now."""
        if text not in judge.moves:
            raise FaultError(colour, f"the move {text} is illegal in {position.fen()}")
        try:
            position.push(text)
        except ValueError as error:
            raise FaultError(colour, f"the board refuses a legal move: {error}") from None
        judge.push(text)
        found, expected = position.result(), judge.result
        if (found and found.score) != expected:
            raise FaultError(colour, f"{found} should be {expected} in {position.fen()}")

    def _ask(self, order, colour, method, *arguments):
        try:
            return getattr(order[colour].player, method)(*arguments)
        except PlayerError as error:
            raise FaultError(colour, f"{type(error).__name__}: {error}") from None

    def _set_up(self, order, position, controls):
        for colour in (0, 1):
            own, other = controls[colour], controls[1 - colour]
            self._ask(order, colour, "new_game", position, own, other, colour)

    def _to_the_end(self, order, position, judge, controls):
        """Plays until the judge ends the game; returns the score, None for a game that is cut."""
        clocks = [PlayerClock(control, self._margin) for control in controls]
        while judge.result is None and position.ply < self._longest:
            turn = position.turn
            told = [clock.told for clock in (clocks[turn], clocks[1 - turn])]
            answer, waited = self._think(order, turn, position, told)
            self._stop_clock(order[turn], turn, clocks[turn], controls[turn], answer.seconds - waited)
            if answer.move is None:
                raise FaultError(turn, f"no move but {answer.claim!r} {answer.text!r} in {position.fen()}")
            self._push(position, judge, spelled_out(answer.move, judge.moves), turn)
        return judge.result

    def _think(self, order, colour, position, told):
        """The answer of an engine, and the seconds of it without a processor, which are not its fault, and
        which are many on a busy machine."""
        side = order[colour]
        before = seconds_without_processor(side.player.pid)
        answer = self._ask(order, colour, "think", position, *told)
        waited = max(0.0, min(seconds_without_processor(side.player.pid) - before, answer.seconds))
        side.waited += waited
        side.moves += 1
        return answer, waited

    def _stop_clock(self, side, colour, clock, control, seconds):
        """Takes the seconds of a move."""
        left = control.movetime if control.movetime is not None else clock.left
        if left is not None:
            side.slowest = max(side.slowest, seconds - left)
        if not clock.spend(seconds):
            raise FaultError(colour, f"time: {seconds:.3f} s for a move with {left:.3f} s left")
        if clock.left is not None:
            clock.left = max(clock.left, 0.0)  # what the margin has forgiven

    def _hear_the_end(self, order, position, judge, score):
        """Both engines get the end of the game; of an end by the rules they must know themselves."""
        for colour in (0, 1):
            if score and (error := self._ask(order, colour, "error_at_the_end", position, judge)):
                raise FaultError(colour, f"it {error} in {position.fen()}")
            self._ask(order, colour, "end_game", position, score or "*", "")
            won = {None: "cut", LOST[colour]: "lost", LOST[1 - colour]: "won"}.get(score, "drawn")
            order[colour].ends[won] += 1

    def _count(self, order, position):
        """Ends the game for both, measures them, and returns whether they answer."""
        for side in order:
            side.games += 1
            try:
                side.player.end_game(position, "*", "")
                side.player.synchronise()
                side.memory.append(psutil.Process(side.player.pid).memory_info().rss)
            except (PlayerError, psutil.Error) as error:
                side.faults.append(f"game {side.games}: it cannot go on: {error}")
                return False
        return True


def growth(memory):
    """The relative growth of memory since the warm-up; None if there were too few games."""
    return memory[-1] / memory[WARM - 1] - 1 if len(memory) >= 2 * WARM else None


def report_growth(side):
    """Adds a fault to a side whose memory has grown too much."""
    grown = growth(side.memory)
    if grown is not None and grown > GROWTH:
        side.faults.append(f"its memory has grown by {100 * grown:.1f} % since game {WARM}")


def start_side(variant, protocol, hash_mb, log):
    """A `Side` whose engine is ready. Raises PlayerError."""
    name = f"{variant}-{protocol}"
    options = (("Hash", str(hash_mb)),)
    spec = EngineSpec(name, ("surajang",), protocol, TimeControl(depth=1), options)
    file = log and Path(log, f"{name}.log")
    player = PROTOCOLS[protocol](spec, spec.resolved(), catalogue.load(variant), file)
    player.introduce()
    return Side(protocol, player)


def compile_apart(variant):
    """Compiles a game in a separate process, because the compiler's memory would hide a leak."""
    command = [sys.executable, "-m", "surajang", "compile", "--variant", variant]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def soak(
    variant, games, *, first=0, seed=1, longest=110, margin=0.02, hash_mb=8, log=None, on_game=lambda: None
):
    """The sides of so many games of a variant, from the number `first` on, after them; their processes have
    ended. Raises PlayerError when an engine does not start."""
    sides = []
    try:
        sides += [start_side(variant, protocol, hash_mb, log) for protocol in PROTOCOLS]
        duel = Duel(variant, sides, seed, longest, margin)
        for number in range(first, first + games):
            on_game()
            if not duel.play(number):
                break
    finally:
        for side in sides:
            side.player.close()
            report_growth(side)
    return sides


def table_of(played):
    """A table of {variant: its sides}."""
    table = Table()
    for name in HEADINGS:
        table.add_column(name, justify="left" if name in HEADINGS[:2] else "right", no_wrap=True)
    for variant, sides in played.items():
        for side in sides:
            table.add_row(variant, side.protocol, *_figures(side))
    return table


def _figures(side):
    ends = [side.ends[end] for end in ("won", "drawn", "lost", "cut")]
    memory = [f"{size / 2**20:.1f}" for size in side.memory]
    grown = growth(side.memory)
    return [
        *map(str, (side.games, side.moves, *ends)),
        f"{1000 * side.slowest:.0f}",
        f"{side.waited:.1f}",
        memory[WARM - 1] if len(memory) >= WARM else "-",
        memory[-1] if memory else "-",
        "-" if grown is None else f"{100 * grown:+.1f} %",
        str(len(side.faults)),
    ]


def rounds(variants, games, size, played):
    """Yields (variant, first game, number of games) in turns of at most `size` games, without those that
    `played` counts for a variant."""
    ends = {
        variant: games // len(variants) + (number < games % len(variants))
        for number, variant in enumerate(variants)
    }
    for start in range(0, max(ends.values(), default=0), size):
        for variant, end in ends.items():
            first = max(start, played(Variant(variant)))
            if first < min(start + size, end):
                yield variant, first, min(start + size, end) - first


def _played(variant, games, **settings):
    """What `soak` returns, or a side with a fault where an engine does not start."""
    compile_apart(variant)
    try:
        return soak(variant, games, **settings)
    except PlayerError as error:
        return [Side("both", None, faults=[f"no start: {error}"])]


@click.command()
@click.option("--games", default=1000, show_default=True, help="Games, spread over the variants.")
@click.option("--variant", "variants", multiple=True, help="Only this game; may be given more than once.")
@click.option("--seed", default=1, show_default=True, help="Of the openings and the limits.")
@click.option("--longest", default=110, show_default=True, help="Plies after which a game is cut.")
@click.option("--margin", default=0.02, show_default=True, help="Seconds that a stopwatch may err.")
@click.option("--hash", "hash_mb", default=8, show_default=True, help="MB of each engine's table.")
@click.option("--log", type=click.Path(path_type=Path), help="A folder for what is said to and by engines.")
@click.option("--journal", type=click.Path(path_type=Path), help="A file of the rounds played; resumed from.")
@click.option("--round", "size", default=25, show_default=True, help="Games of a variant before the next.")
def main(games, variants, seed, longest, margin, hash_mb, log, journal, size):
    """Play fast games of the engine against itself, and check everything from outside."""
    variants = variants or tuple(sorted(JUDGES))
    contract.STALL_SECONDS = contract.GRACE_SECONDS = PATIENCE
    if log:
        log.mkdir(parents=True, exist_ok=True)
    console, played = Console(width=None if sys.stdout.isatty() else WIDTH), Journal(journal)
    columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()]
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("soak", total=games, completed=sum(map(played.games, variants)))
        for variant, first, many in rounds(variants, games, size, played.games):
            progress.update(task, description=variant)
            sides = _played(
                *(variant, many), first=first, seed=seed, longest=longest, margin=margin, hash_mb=hash_mb,
                log=log, on_game=lambda: progress.advance(task),
            )  # fmt: skip
            played.add(variant, sides)
            console.print(table_of({variant: sides}))
            for side in sides:
                for text in side.faults:
                    console.print(f"{variant} {side.protocol}: {text}", markup=False, soft_wrap=True)
    console.print(table_of(played.played))
    faults = sum(len(side.faults) for sides in played.played.values() for side in sides)
    total = sum(map(played.games, played.played))
    console.print(f"{total} games, {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
