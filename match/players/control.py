"""The limits of an engine, in the notation of match runners: `40/60+0.5`, `5+0.05`, `st=1`, `nodes=5000`."""

import math
import re
from dataclasses import dataclass

_CLOCK = re.compile(
    r"(?:(?P<moves>\d+)/)?(?:(?P<minutes>\d+):)?(?P<base>\d+(?:\.\d+)?)(?:\+(?P<increment>\d+(?:\.\d+)?))?"
)

SPARE_SECONDS, SPARE_SHARE = 0.5, 0.2  # the least of both is left of a byoyomi


@dataclass(frozen=True)
class TimeControl:
    """The limits of an engine; seconds throughout. At least one of `base`, `movetime`, `nodes` and `depth`
    is set.

    `base` seconds for each period of `moves` moves (0: for the whole game) with `increment` seconds a move,
    and `byoyomi` seconds for each move after these; or `movetime` seconds for every move. `nodes` and `depth`
    (plies) limit each move, beside a clock or alone.
    """

    base: float | None = None
    increment: float = 0.0
    moves: int = 0
    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None
    byoyomi: float = 0.0

    def __post_init__(self) -> None:
        if self.base is None and self.movetime is None and self.nodes is None and self.depth is None:
            raise ValueError("a time control needs a clock, a time for each move, nodes or depth")
        if self.base is not None and self.movetime is not None:
            raise ValueError("a time control has a clock or a time for each move, not both")
        for name, number in vars(self).items():
            if number is not None and not -math.inf < number < math.inf:
                raise ValueError(f"{name} {number} should be a finite number")
        for name, least in (("nodes", 1), ("depth", 1), ("moves", 0), ("increment", 0), ("byoyomi", 0)):
            number = getattr(self, name)
            if number is not None and number < least:
                raise ValueError(f"{name} {number} should be at least {least}")
        for name in ("base", "movetime"):
            seconds = getattr(self, name)
            if seconds is not None and seconds <= 0 and not (self.byoyomi and seconds == 0):
                raise ValueError(f"{name} {seconds:g} should be more than 0 seconds")

    @property
    def timed(self) -> bool:
        """Whether time can run out."""
        return self.base is not None or self.movetime is not None

    @property
    def each(self) -> float:
        """The seconds that come back at each move."""
        return self.increment + self.byoyomi

    def movetime_in_byoyomi(self, left: float) -> float | None:
        """The seconds for a move of a player who has `left` seconds besides the byoyomi, less a reserve; None
        if that is more than nothing."""
        if left > 0 or not self.byoyomi:
            return None
        return left + self.byoyomi - min(SPARE_SECONDS, SPARE_SHARE * self.byoyomi)

    def moves_to_go(self, made: int) -> int | None:
        """Moves to the next time control for a player who has `made` that many; None for the rest of the
        game."""
        return self.moves - made % self.moves if self.moves else None

    def __str__(self) -> str:
        """As the PGN tag TimeControl writes it, with limits of nodes and depth added."""
        words = []
        if self.base is not None:
            period = f"{self.moves}/" if self.moves else ""
            increment = f"+{self.increment:g}" if self.increment else ""
            parts = [f"{period}{self.base:g}{increment}"] * bool(self.base)
            parts += [f"1/{self.byoyomi:.10g}"] * bool(self.byoyomi)
            words.append(":".join(parts))
        if self.movetime is not None:
            words.append(f"st={self.movetime:g}")
        words += [f"{name}={getattr(self, name)}" for name in ("nodes", "depth") if getattr(self, name)]
        return " ".join(words)


def parse_clock(text: str) -> tuple[int, float, float]:
    """(moves, base, increment) of a clock like `40/60+0.5`, `1:30+1` or `5+0.05`. Raises ValueError."""
    match = _CLOCK.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is not a clock; clocks look like '5+0.05', '40/60' or '1:30+1'")
    base = 60 * int(match["minutes"] or 0) + float(match["base"])
    return int(match["moves"] or 0), base, float(match["increment"] or 0)
