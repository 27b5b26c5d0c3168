"""The board that all pages of a run see, and the messages about it."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Hashable, Sequence

from ..engine.game.description import Description
from ..engine.notation.scanning import GameText
from ..engine.pictures.piece_set import picture_set
from ..engine.variant import Variant
from ..match.players.spec import EngineSpec
from .engines import Engines
from .game_message import game_message, titles
from .tree import Node, Tree
from .view import view


class Channel:
    """The way to one page: messages in order, and of those with the same key only the latest. So no queue
    grows if a page is slow or an engine reports much."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, object] = {}
        self._numbers = itertools.count()
        self._ready = asyncio.Event()

    def send(self, message: object, key: Hashable = None) -> None:
        """Sends a message as soon as the page receives it. It replaces a waiting one with the same `key`, but
        is sent last."""
        key = next(self._numbers) if key is None else key
        self._waiting.pop(key, None)
        self._waiting[key] = message
        self._ready.set()

    async def take(self) -> list[object]:
        """Waits for messages and returns all of them."""
        await self._ready.wait()
        self._ready.clear()
        messages, self._waiting = list(self._waiting.values()), {}
        return messages


class SharedBoard:
    """Tree, game, engines and pages. `specs` are the engines of the command line, the first is the default.
    `load` must be called first. `followers` are called when another position is on the board; `cancels` end
    running work before the tree is replaced."""

    def __init__(self, specs: Sequence[EngineSpec]) -> None:
        self.channels: set[Channel] = set()
        self.engines = Engines(specs)
        self.games: list[GameText] = []  # of the last PGN
        self.chosen = 0  # which of them is on the board
        self.problem = ""  # errors of the game on the board
        self.titles: list[dict[str, str]] = []  # name and title of every game
        self.followers: list[Callable[[], None]] = []
        self.cancels: list[Callable[[], Awaitable[None] | None]] = []
        self._tree: Tree | None = None

    @property
    def tree(self) -> Tree:
        """The tree on the board. `load` makes the first one."""
        assert self._tree is not None
        return self._tree

    @property
    def description(self) -> Description:
        """The game on the board."""
        return self.tree.position.description

    @property
    def variant(self) -> Variant:
        """The name of the game on the board."""
        return Variant(self.description.name)

    async def load(self, variant: Variant, start: str | None = None) -> None:
        """Begins a new tree in a game, from the FEN `start` or the usual one. Raises ValueError."""
        await self.set_tree(await asyncio.to_thread(self._new_tree, variant, start))

    def _new_tree(self, variant: Variant, start: str | None) -> Tree:
        """In a thread: the game's code may have to be compiled first."""
        if self._tree is None or variant != self._tree.variant:
            self.tell({"type": "notice", "text": f"Preparing {variant.description.title} ..."}, "notice")
        tree = Tree(variant, start)
        view(tree.position)
        picture_set(tree.position.description)  # kept from now on
        self.titles = self.titles or titles()
        return tree

    async def set_tree(self, tree: Tree) -> None:
        """Puts another tree on the board; running work of the engines ends."""
        await self.quiet()
        before, self._tree, self.problem = self._tree, tree, ""
        self.engines.choose(self.description)
        self.tell({"type": "notice", "text": "; ".join(tree.position.notes)}, "notice")
        if before is None or before.position.description is not self.description:
            self.tell(game_message(self.description))
        self.tell_tree()
        self.tell_state()

    def busy(self) -> str:
        """The current game, as a sentence; "" for none."""
        return ""

    async def quiet(self) -> None:
        """Ends play, review and watching."""
        for cancel in self.cancels:
            if (ending := cancel()) is not None:
                await ending

    def make(self, text: str, main: bool = False, **fields: object) -> Node:
        """Plays a move on the board, sets `fields` of its node and tells the pages. Returns the node. Raises
        MoveError."""
        node, new = self.tree.play(text, main)
        for name, value in fields.items():
            setattr(node, name, value)
        if new or fields:
            self.tell_move(node)
        self.tell_state()
        return node

    # Messages to the pages

    def tell(self, message: object, key: Hashable = None) -> None:
        """Sends a message to every page; of those with the same `key` only the latest counts."""
        for channel in self.channels:
            channel.send(message, key)

    def tell_tree(self) -> None:
        """Sends the tree."""
        self.tell(self.tree_message())

    def tree_message(self) -> dict[str, object]:
        return {"type": "tree"} | self.tree.as_json()

    def tell_state(self) -> None:
        """Sends the position on the board, and calls the followers."""
        self.tell(self.state_message())
        for follow in self.followers:
            follow()

    def state_message(self) -> dict[str, object]:
        return {"type": "state", "node": self.tree.node} | view(self.tree.position)

    def tell_nodes(self, *nodes: Node) -> None:
        """Sends nodes that have changed or are new."""
        self.tell({"type": "nodes", "nodes": [node.as_json() for node in nodes]})

    def tell_move(self, node: Node) -> None:
        """Sends the node of a move, and the one before it."""
        assert node.parent is not None
        self.tell_nodes(self.tree.nodes[node.parent], node)

    def failed(self, text: str) -> None:
        """Reports an error of an engine to every page."""
        self.tell({"type": "error", "where": "engine", "text": text})

    def games_message(self, fresh: bool = False) -> dict[str, object]:
        """The list of the games of the last PGN; `fresh` if it was opened just now."""
        names = ("White", "Black", "Result", "Round", "Variant")
        rows = [{name: game.headers.get(name, "") for name in names} for game in self.games]
        return {"type": "games", "games": rows, "fresh": fresh}
