"""What the parts of a session need of it. They cannot import `BoardSession`, which has all this and imports
them."""

from typing import Protocol

from ..engine.game.description import Description
from ..engine.notation.scanning import GameText
from .engines import Engines
from .tree import Node, Tree


class PausableDesk(Protocol):
    """The analysis, as the review and the watching see it."""

    def pause(self) -> None:
        """Stops the analysis."""


class GameDesk(Protocol):
    """The game being played, as other parts see it."""

    @property
    def active(self) -> bool:
        """Whether a game is being played."""

    async def move(self, text: str) -> None:
        """Plays a person's move. Raises MoveError, RequestError."""


class BoardHost(Protocol):
    """The session, as its parts see it."""

    games: list[GameText]
    problem: str

    @property
    def tree(self) -> Tree:
        """The tree on the board."""

    @property
    def description(self) -> Description:
        """The game on the board."""

    @property
    def engines(self) -> Engines:
        """The engines of the run."""

    @property
    def analysis(self) -> PausableDesk:
        """The analysis."""

    @property
    def play(self) -> GameDesk:
        """The game being played."""

    async def load(self, variant: str, start: str | None = None) -> None:
        """Begins a new tree."""

    async def set_tree(self, tree: Tree) -> None:
        """Puts another tree on the board."""

    async def quiet(self) -> None:
        """Ends play, review and watching."""

    def tell(self, message: object, key: str | None = None) -> None:
        """Sends a message to every page."""

    def tell_tree(self) -> None:
        """Sends the tree."""

    def tell_state(self) -> None:
        """Sends the position on the board."""

    def tell_nodes(self, *nodes: Node) -> None:
        """Sends nodes that have changed or are new."""

    def failed(self, text: str) -> None:
        """Tells every page that something went wrong with an engine."""

    def make(self, text: str, main: bool = False, **fields: object) -> Node:
        """Plays a move on the board."""

    def games_message(self) -> dict[str, object]:
        """The list of the games of the last PGN."""
