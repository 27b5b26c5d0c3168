"""What a GUI allows for the moves of a game: a clock, seconds a move, a depth, or nodes for seconds."""

from dataclasses import dataclass


@dataclass
class TimeControl:
    """How long the engine may think. Seconds throughout."""

    moves: int = 40  # in each session; 0 when `base` is for the whole game
    base: float = 300.0
    increment: float = 0.0
    per_move: float | None = None  # set: this long for every move, and no clock; 0: what the clock has
    depth: int | None = None  # plies, beside either
    node_rate: int | None = None  # set: so many nodes count as a second; 0: seconds of the processor
    since: int = 0  # half moves of the game that were made when `moves` was told

    def moves_to_go(self, ply):
        """Moves until more time comes for the side to move, `ply` half moves after the start."""
        return self.moves - max(0, ply - self.since) // 2 % self.moves if self.moves else None

    def nodes(self, seconds):
        """The nodes that count as so many seconds, at least 1."""
        return max(1, int(seconds * self.node_rate))
