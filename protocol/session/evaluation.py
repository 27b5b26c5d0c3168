"""The choice of the evaluation: a network, or the hand-written evaluation."""

from .game import GameInProgress
from .loading import Loader
from .searches import SearchControl


class Evaluation:
    """The user's choice of an evaluation. The current game continues with another one after it is loaded.
    Both methods raise ValueError while the engine is to move."""

    def __init__(self, game: GameInProgress, search_control: SearchControl, loader: Loader) -> None:
        self._game, self._search_control, self._loader = game, search_control, loader

    def use_network(self, wanted: bool) -> None:
        """Sets whether a network evaluates, if there is one."""
        self._choose(wanted, self._loader.eval_file)

    def use_file(self, path: str) -> None:
        """Sets the network; the one that comes with the game if the path is empty."""
        self._choose(self._loader.use_network, path)

    def _choose(self, use_network: bool, eval_file: str) -> None:
        if self._search_control.search:
            raise ValueError("not while thinking")
        if self._loader.evaluate_by(use_network, eval_file):
            self._search_control.stop_pondering()
            if self._loader.variant is not None:
                self._loader.again()
            elif self._game.variant is not None:
                self._loader.begin(self._game.variant, self._game.position)
