"""`bench`: the time of searches of fixed positions of the current game, with the syntax of Stockfish's
command.

With a depth limit and one thread the nodes are the same in every run: their sum is a signature of the
program."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ...engine.game.text_files import decode
from ...search.time_management import Limit
from ..session.resources import HASH_MB, THREADS, memory_left
from ..session.task import Task
from ..wire.arguments import RefusedError, whole

if TYPE_CHECKING:
    from ...engine.position import Move, Position
    from ...search.engine import Info, Stop

    EvalFile = str | Literal[False] | None

MAX_HASH_MB, MAX_THREADS, MAX_LIMIT = 1 << 20, 1024, 10**8
SUITE, CURRENT = "default", "current"  # names of positions; anything else is a file
KINDS = ("depth", "nodes", "movetime")  # of the limit: plies, nodes, milliseconds


class Order(NamedTuple):
    """The arguments of `bench`. Without a `limit`, each position of the suite has its own depth, and other
    positions are searched to the depth of the game's start."""

    hash_mb: int = HASH_MB
    threads: int = THREADS
    limit: int | None = None
    positions: str = SUITE
    kind: str = "depth"

    def search_limit(self, depth: int) -> Limit:
        """The limit of each search; `depth` is the position's own depth in plies."""
        if self.limit is None or self.kind == "depth":
            return Limit(depth=self.limit or depth)
        return Limit(nodes=self.limit) if self.kind == "nodes" else Limit(time=self.limit / 1000)


def read_order(text: str) -> Order:
    """The words after `bench`: megabytes, threads, limit, positions, kind of limit, all of them optional.
    Raises RefusedError."""
    words = text.split()
    if len(words) > len(Order._fields):
        raise RefusedError(
            "bench takes at most: MEGABYTES THREADS LIMIT default|current|FILE depth|nodes|movetime"
        )
    given = dict(zip(Order._fields, words, strict=False))
    found: dict[str, Any] = dict(given)
    for name, most in (("hash_mb", MAX_HASH_MB), ("threads", MAX_THREADS), ("limit", MAX_LIMIT)):
        if name in given:
            found[name] = whole(given[name], 1, most)
    order = Order(**found)
    if order.kind not in KINDS:
        raise RefusedError(f"the limit is not one of: {', '.join(KINDS)}")
    if order.hash_mb > memory_left():
        raise RefusedError("this machine does not have so much memory")
    return order


def bench_positions(order: Order, position: Position) -> list[tuple[Position, int]]:
    """The positions of the `order`, each with its own depth in plies; `position` is the current one. Raises
    RefusedError."""
    from ...engine.bench_positions import items_of
    from ...engine.position import Position

    if order.positions == SUITE:
        return [(item.position, item.search) for item in items_of(position.variant)]
    depth = items_of(position.variant)[0].search
    if order.positions == CURRENT:
        return [(position.copy(), depth)]
    try:
        lines = decode(Path(order.positions).expanduser().read_bytes()).splitlines()
        fens = [line for line in lines if line.strip() and not line.startswith("#")]
        found = [(Position(position.variant, fen), depth) for fen in fens]
    except (OSError, RuntimeError, ValueError) as error:
        raise RefusedError(f"{order.positions}: {getattr(error, 'strerror', None) or error}") from None
    if not found:
        raise RefusedError(f"{order.positions}: there is no position in it")
    return found


class Bench(Task):
    """Searches the positions one after the other with a separate engine that is cleared each time.
    `tell_info` and `tell_best` turn its reports and moves into lines; `eval_file` is as for `Engine`."""

    def __init__(
        self,
        post: Callable[[object], None],
        order: Order,
        positions: Sequence[tuple[Position, int]],
        tell_info: Callable[[Info], str],
        tell_best: Callable[[tuple[Move, ...]], str],
        eval_file: EvalFile = None,
    ) -> None:
        self._order, self._positions = order, positions
        self._tell_info, self._tell_best = tell_info, tell_best
        self._eval_file = eval_file
        self._flag: Stop | None = None  # the Stop of the current search
        self._started = time.monotonic()
        super().__init__(post)

    def stop(self) -> None:
        """Ends the current search within milliseconds; its nodes do not count."""
        super().stop()
        if self._flag:
            self._flag.set()

    def _work(self) -> None:
        from ...search.engine import Engine, Stop

        order = self._order
        engine = Engine(self._positions[0][0].variant, order.hash_mb, order.threads, self._eval_file)
        for number, (position, depth) in enumerate(self._positions, 1):
            self._flag = Stop()
            if self.stopped:
                break
            engine.clear()
            self._tell("", f"Position: {number}/{len(self._positions)} ({position.fen()})")
            result = engine.play(
                position,
                order.search_limit(depth),
                on_info=lambda info: self._tell(self._tell_info(info)),
                stop=self._flag,
            )
            if self.stopped:
                break
            self._tell(self._tell_best(result.pv), nodes=result.nodes)
        engine.close()

    def summary(self) -> list[str]:
        """Milliseconds, nodes and nodes a second, as Stockfish sums them up."""
        milliseconds = max(1, round(1000 * (time.monotonic() - self._started)))
        return [
            "",
            "===========================",
            f"Total time (ms) : {milliseconds}",
            f"Nodes searched  : {self.nodes}",
            f"Nodes/second    : {1000 * self.nodes // milliseconds}",
        ]
