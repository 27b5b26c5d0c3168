"""Small boards of the games in play of a match, from the files in its folder."""

import contextlib
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from ..engine.position import Position
from ..engine.variant import Variant
from ..match.records.live import LiveGame, LiveReader
from ..match.records.model import GameKey, MoveRecord
from .match_folder import reported
from .view import pieces_of

MOST_BOARDS = 8


class LiveBoards:
    """The games in play of the match in a folder; there may be none. `now` gives seconds since 1970."""

    def __init__(self, folder: Path, now: Callable[[], float] = time.time) -> None:
        self._reader, self._now = LiveReader(folder), now
        # Replaced as a whole and never changed, because `read` runs in a thread.
        self._boards: dict[GameKey, tuple[LiveGame, Position]] = {}

    def read(self, variant: Variant, finished: Collection[GameKey]) -> bool:
        """Reads the files; returns whether anything is new. Games of the journal (`finished`) and invalid
        files are skipped."""
        boards: dict[GameKey, tuple[LiveGame, Position]] = {}
        for live in self._reader.read():
            if live.game.key not in finished and len(boards) < MOST_BOARDS:
                with contextlib.suppress(ValueError):
                    boards[live.game.key] = live, self._position(live, variant)
        news = [live for live, _ in boards.values()] != [live for live, _ in self._boards.values()]
        self._boards = boards
        return news

    def _position(self, live: LiveGame, variant: Variant) -> Position:
        """The position on the board of a game, from the last one if the game continues it."""
        moves = [*live.game.opening.moves, *(ply.move for ply in live.plies)]
        _, before = self._boards.get(live.game.key, (live, None))
        if before is not None and [str(move) for move in before.moves] == moves[: before.ply]:
            position = before.copy()
        else:
            position = Position(variant, live.game.opening.fen)
        for move in moves[position.ply :]:
            position.push(move)
        return position

    def find(self, number: int) -> LiveGame | None:
        """The game in play of that number."""
        return next((live for live, _ in self._boards.values() if live.game.number == number), None)

    def as_json(self, names: Sequence[str]) -> list[dict[str, object]]:
        """The data of each game for the page: names, pieces, last move, clocks and scores in White's view.
        `running` are the seconds that the clock of the side to move has run since its opponent's move."""
        return [self._drawn(live, position, names) for live, position in self._boards.values()]

    def _drawn(self, live: LiveGame, position: Position, names: Sequence[str]) -> dict[str, object]:
        last = position.moves[-1] if position.moves else None
        shown = last is not None and not (last.is_pass or last.is_choice)
        return {
            "number": live.game.number,
            "white": names[live.game.white],
            "black": names[live.game.black],
            "ply": position.ply,
            "turn": position.turn,
            "pieces": pieces_of(position),
            "walls": sorted(position.walls()),
            "last": {"from": last.from_square, "to": last.to_square} if last is not None and shown else None,
            "clocks": live.clocks,
            "running": None if live.since is None else round(max(0.0, self._now() - live.since), 2),
            "scores": [score_for(live.plies, position, side) for side in (0, 1)],
        }


def score_for(plies: Sequence[MoveRecord], position: Position, side: int) -> dict[str, int] | None:
    """The last score that the engine of a side reported, in White's view; None without one."""
    own = plies[-1::-2] if position.turn != side else plies[-2::-2]
    return next(filter(None, (reported(ply, -1 if side else 1) for ply in own)), None)
