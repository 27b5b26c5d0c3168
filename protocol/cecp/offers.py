"""Resignations and draw offers of the engine by its own scores, if the user has enabled them."""

from typing import TYPE_CHECKING

from ..session.settings import Check, OptionTable

if TYPE_CHECKING:
    from ...search.results import Info

RESIGNATION, DRAW_OFFER = "resign", "offer draw"
LOST, LOST_MOVES = -900, 3  # centipawns, in that many consecutive moves of its own
EVEN, EVEN_MOVES = 10, 8
EARLIEST_DRAW = 80  # half moves
LEAST_DEPTH = 8  # plies; a shallower search proves nothing


class Offers:
    """The scores of the engine's own moves in the game, and the resignation or offer that follows."""

    def __init__(self) -> None:
        self._may_resign = self._may_offer = False
        self.forget()

    def offer(self, settings: OptionTable) -> None:
        """Adds its options to the `OptionTable` of a dialect."""
        settings.add(Check("Resign", False), lambda wanted: setattr(self, "_may_resign", wanted))
        settings.add(Check("Offer draws", False), lambda wanted: setattr(self, "_may_offer", wanted))

    def forget(self) -> None:
        """Resets for another game or position."""
        self._lost = self._even = 0

    def judge(self, info: "Info | None", ply: int) -> str | None:
        """The line to send with a move from a search whose last report is `info`, or None, `ply` half moves
        after the start: RESIGNATION, DRAW_OFFER or nothing."""
        if info is None or info.depth < LEAST_DEPTH:
            self.forget()
            return None
        mate, centipawns = info.score.mate, info.score.centipawns
        self._lost = self._lost + 1 if (mate < 0 if mate is not None else centipawns <= LOST) else 0
        self._even = self._even + 1 if mate is None and abs(centipawns) <= EVEN else 0
        if self._may_resign and self._lost >= LOST_MOVES:
            return RESIGNATION
        if self._may_offer and self._even >= EVEN_MOVES and ply >= EARLIEST_DRAW:
            self._even = 0  # the next offer needs as many moves
            return DRAW_OFFER
        return None
