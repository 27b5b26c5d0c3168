"""Attempts at an opening: their settings, their results, and their lines in a journal."""

from enum import StrEnum
from typing import NamedTuple, Self


class Verdict(StrEnum):
    """The result of an attempt."""

    BALANCED = "balanced"
    DECIDED = "decided"  # the game is over, or a move can end it
    CHECK = "check"  # the side to move is in check
    KNOWN = "known"  # an attempt before came to the same position
    MATE = "mate"  # the search sees one
    FAR = "far"  # too far from balance before the search had used its nodes
    UNBALANCED = "unbalanced"  # out of the limit at its end


UNSEARCHED = frozenset({Verdict.DECIDED, Verdict.CHECK, Verdict.KNOWN})  # verdicts that need no search


class Attempt(NamedTuple):
    """The `moves` of a line, and the `score` of its last position in centipawns for the side to move; 0 where
    nothing was searched."""

    verdict: Verdict
    score: int
    moves: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.verdict, f"{self.score:+d}", *self.moves))

    @classmethod
    def parse(cls, text: str) -> Self:
        """The attempt of a line that `str` made. Raises ValueError that quotes another text."""
        try:
            verdict, score, *moves = text.split()
            return cls(Verdict(verdict), int(score), tuple(moves))
        except ValueError:
            raise ValueError(f"{text!r} is not an attempt like 'balanced +12 e2e4 e7e5'") from None


class SuiteSettings(NamedTuple):
    """What attempts depend on: `nodes` of the search that judges, the `limit` in centipawns, which a score
    must stay below on either side, `plies` of a line, one more in every second, and the `seed`."""

    nodes: int = 1_000_000
    limit: int = 60
    plies: int = 8
    seed: int = 1

    def __str__(self) -> str:
        return f"below {self.limit} at {self.nodes} nodes, {self.plies} plies, seed {self.seed}"
