"""Chances of a win, a draw and a loss that stand for a score, as `UCI_ShowWDL` shows them.

For a score x of the side to move, in the engine's centipawns,

    win(x) = 1 / (1 + exp((a - x) / b))        loss(x) = win(-x)        draw(x) = 1 - win(x) - loss(x)

which is Stockfish's formula with a and b that do not depend on the move number. An even position is drawn in
tanh(a / 2b) of the games. WDL_MODELS are the numbers of greatest likelihood for the results of games of the
engine against itself (`surajang bench data play --nodes 400 --plies 8`), of all positions that were searched
with a score of 2,000 centipawns at most: 8,700 games of crazyhouse, 6,200 of Pandemonium, 1,500 of each other
game. Players who think longer draw more often than that.
"""

import math
from typing import NamedTuple

from ..engine.game.description import Description

CERTAIN = 1000  # permille


class WdlModel(NamedTuple):
    """The numbers a and b of a game, in centipawns."""

    margin: float
    spread: float

    def chances(self, centipawns: int, mate: int | None = None) -> tuple[int, int, int]:
        """Permille of a win, a draw and a loss; they add up to 1000. A forced mate is certain."""
        if mate is not None:
            return (CERTAIN, 0, 0) if mate > 0 else (0, 0, CERTAIN)
        win, loss = (round(CERTAIN * self._win(x)) for x in (centipawns, -centipawns))
        return win, CERTAIN - win - loss, loss

    def _win(self, centipawns: float) -> float:
        exponent = (self.margin - centipawns) / self.spread
        return 1 / (1 + math.exp(min(exponent, 700.0)))  # exp of 710 overflows


WDL_MODELS = {
    "chaotic": WdlModel(181, 102),
    "chess": WdlModel(396, 388),
    "crazyhouse": WdlModel(4, 294),
    "janggi": WdlModel(346, 210),
    "pandemonium": WdlModel(8, 292),
    "pandemonium-vchess": WdlModel(5, 315),
}
# Of games without numbers of their own.
WITH_DROPS, WITHOUT_DROPS = WDL_MODELS["crazyhouse"], WDL_MODELS["chess"]


def wdl_model_of(game: Description) -> WdlModel:
    """The `WdlModel` of a game; that of a related game if it has none."""
    return WDL_MODELS.get(game.name, WITH_DROPS if game.has_drops else WITHOUT_DROPS)
