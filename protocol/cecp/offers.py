"""When the engine resigns or offers a draw by its own scores: only where the user has asked for it."""

from typing import TYPE_CHECKING

from ..session.settings import Check, OptionTable

if TYPE_CHECKING:
    from ...search.results import Info

RESIGNATION, DRAW_OFFER = "resign", "offer draw"
LOST, LOST_MOVES = -900, 3  # centipawns, in so many moves of its own in a row
EVEN, EVEN_MOVES = 10, 8
EARLIEST_DRAW = 80  # half moves
LEAST_DEPTH = 8  # plies; a shallower search proves nothing


class Offers:
    """The scores of the engine's own moves in the game, and what follows from them."""

    def __init__(self) -> None:
        self._may_resign = self._may_offer = False
        self.forget()

    def offer(self, settings: OptionTable) -> None:
        """Adds its options to the `OptionTable` of a dialect."""
        settings.add(Check("Resign", False), lambda wanted: setattr(self, "_may_resign", wanted))
        settings.add(Check("Offer draws", False), lambda wanted: setattr(self, "_may_offer", wanted))

    def forget(self) -> None:
        """Another game begins, or another position."""
        self._lost = self._even = 0

    def judge(self, info: "Info | None", ply: int) -> str | None:
        """What to say with a move that was found by a search whose last report is `info`, or None, `ply`
        half moves after the start: RESIGNATION, DRAW_OFFER or nothing."""
        if info is None or info.depth < LEAST_DEPTH:
            self.forget()
            return None
        mate, centipawns = info.score.mate, info.score.centipawns
        self._lost = self._lost + 1 if (mate < 0 if mate is not None else centipawns <= LOST) else 0
        self._even = self._even + 1 if mate is None and abs(centipawns) <= EVEN else 0
        if self._may_resign and self._lost >= LOST_MOVES:
            return RESIGNATION
        if self._may_offer and self._even >= EVEN_MOVES and ply >= EARLIEST_DRAW:
            self._even = 0  # the next offer takes as long
            return DRAW_OFFER
        return None
