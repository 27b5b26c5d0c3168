"""Best moves from fast games of the engine against itself.

A game's searches are short. If the score of a move differs strongly from that of the next one, one of the two
movers was mistaken; such positions are examined first."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..collecting import Moment
from ..judged_source import LEFT_OUT, JudgedSource, with_counts

if TYPE_CHECKING:
    from .best_move_file import BestMove
    from .judging import MoveJudge

FIRST_PLY = 12  # of a game from which positions are examined
EXAMINED = 12  # positions of a game
PER_GAME = 3  # best moves of a game
APART = 8  # plies between two of them
DECIDED = 600  # centipawns by the game's own search
EARLY, UNSCORED, WON, CALM, NEAR = "early", "unscored", "decided", "calm", "near another"


@dataclass(frozen=True)
class MoveFinder(JudgedSource):
    """Plays one of the games that `work` describes and returns its best moves, with a comment that counts
    what was left out; any process may call it.

    The deep search has so many `nodes`; `margin` in centipawns; `evaluation` is the digest of that by which
    it searches."""

    nodes: int
    margin: int
    evaluation: str

    def __hash__(self) -> int:
        return hash((self.work, self.nodes, self.margin, self.evaluation))

    @property
    def heading(self) -> str:
        """The settings, as the first line of a journal has them."""
        games = super().heading
        return f"{games}, then {self.nodes} nodes, margin {self.margin}, evaluation {self.evaluation}"

    def __call__(self, number: int) -> Iterable[object]:
        """The `BestMove`s of game `number`, at most PER_GAME, and a line LEFT_OUT. Raises GamesError if it
        cannot be begun, or if this process has another evaluation."""
        moments = self.moments(number)
        judge = self.judge()
        left_out: Counter[str] = Counter()
        kept: dict[int, BestMove] = {}  # by ply
        for moment in examined(moments, left_out):
            if len(kept) == PER_GAME or any(abs(moment.ply - ply) < APART for ply in kept):
                left_out[NEAR] += 1
                continue
            verdict = judge.examine(moment.position, f"game {number}, ply {moment.ply}")
            if isinstance(verdict, str):
                left_out[verdict] += 1
            else:
                kept[moment.ply] = verdict
        return with_counts(kept, left_out)

    def new_judge(self) -> "MoveJudge":
        """A judge with the searches of these settings."""
        from .judging import MoveJudge

        return MoveJudge(self.variant, self.nodes, self.margin)


def examined(moments: list[Moment], left_out: Counter[str]) -> list[Moment]:
    """The positions worth a search, at most EXAMINED, those with the largest changes of score first; counts
    the others in `left_out`."""
    changes: dict[int, int] = {}  # by ply
    for moment, following in zip(moments, [*moments[1:], None], strict=True):
        if moment.ply < FIRST_PLY:
            left_out[EARLY] += 1
        elif moment.score is None or following is None or following.score is None:
            left_out[UNSCORED] += 1
        elif abs(moment.score) >= DECIDED:
            left_out[WON] += 1
        else:
            changes[moment.ply] = abs(following.score - moment.score)
    plies = sorted(changes, key=lambda ply: (-changes[ply], ply))
    left_out[CALM] += len(plies[EXAMINED:])
    return [moments[ply] for ply in plies[:EXAMINED]]


def counts_of(lines: Iterable[str]) -> Counter[str]:
    """Reason -> how many positions were left out for it, from the lines of a journal."""
    counts: Counter[str] = Counter()
    for line in lines:
        if line.startswith(LEFT_OUT):
            for part in line.removeprefix(LEFT_OUT).split(", "):
                count, _, why = part.partition(" ")
                counts[why] += int(count)
    return counts
