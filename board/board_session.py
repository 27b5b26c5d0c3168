"""The one game that all pages of a run see: its tree, its position, and the requests of the pages."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from ..engine.game import catalogue
from ..engine.game.description import VariantError
from ..engine.notation.scanning import GameText
from ..match.players.player import PlayerError
from ..protocol.uci.wdl import outlook_of
from .analysis import AnalysisDesk
from .channel import Channel
from .engines import Engines
from .eval_view import EvalDesk
from .handlers import Requests, with_setup
from .pictures import board_style, picture_set, styles
from .play import PlayDesk
from .requests import RequestError
from .review import Review
from .tree import Tree
from .view import view
from .watch import WatchDesk

if TYPE_CHECKING:
    from pathlib import Path

    from ..engine.game.description import Description
    from ..match.players.spec import EngineSpec
    from .tree import Node


class BoardSession:
    """The state of a run. `specs` are the engines that the command line named, the first the default;
    `folder` a match to watch, or None; `now` the clock of games, in seconds. `load` comes before anything
    else."""

    def __init__(
        self,
        specs: "Sequence[EngineSpec]",
        folder: "Path | None" = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.channels: set[Channel] = set()
        self._description: Description | None = None
        self._tree: Tree | None = None
        self.games: list[GameText] = []  # of the last PGN
        self.problem = ""  # what could not be read of the game on the board
        self._titles: list[dict[str, str]] = []  # name and title of every game
        self.engines = Engines(specs)
        self.analysis, self.eval_view = AnalysisDesk(self), EvalDesk(self)
        self.play = PlayDesk(self, now)
        self.review, self.watch = Review(self), WatchDesk(self, folder)
        self.requests = Requests(self)
        self._handlers: dict[str, Callable[[dict[str, Any]], Awaitable[dict[str, object] | None]]] = {
            name.removeprefix("on_"): getattr(part, name)
            for part in (self.requests, self.analysis, self.eval_view, self.play, self.review, self.watch)
            for name in dir(part)
            if name.startswith("on_")
        }

    @property
    def tree(self) -> Tree:
        """The tree on the board. `load` makes the first one."""
        assert self._tree is not None
        return self._tree

    @property
    def description(self) -> "Description":
        """The game on the board. `load` chooses the first one."""
        assert self._description is not None
        return self._description

    # Games

    async def load(self, variant: str, start: str | None = None) -> None:
        """Begins a new tree in a game, from the FEN `start` or the usual one. Raises ValueError."""
        tree = await asyncio.to_thread(self._new_tree, variant, start)
        await self.set_tree(tree)

    def _new_tree(self, variant: str, start: str | None) -> Tree:
        """In a thread: the game's code may have to be compiled first."""
        if self._description is None or variant != self._description.name:
            self.tell({"type": "notice", "text": f"Preparing {catalogue.load(variant).title} ..."}, "notice")
        tree = Tree(variant, start)
        view(tree.position)
        picture_set(tree.position.description)  # kept from now on
        if not self._titles:
            self._titles = [{"name": name, "title": _title(name)} for name in catalogue.available()]
        return tree

    async def set_tree(self, tree: Tree) -> None:
        """Puts another tree on the board; whatever the engines do ends."""
        await self.quiet()
        description = catalogue.load(tree.variant)
        other = description is not self._description
        self._tree, self._description, self.problem = tree, description, ""
        self.engines.choose(description)
        self.tell({"type": "notice", "text": "; ".join(tree.position.notes)}, "notice")
        if other:
            self.tell(self.game_message())
        self.tell_tree()
        self.tell_state()

    async def quiet(self) -> None:
        """Ends play, review and watching."""
        self.play.cancel()
        await self.review.cancel()
        await self.watch.cancel()

    def game_message(self) -> dict[str, object]:
        """What the page needs to know of the game."""
        game = self.description
        pieces = [
            {"letter": piece.letter, "name": piece.name, "royal": piece.royal, "promoted": piece.promoted}
            for piece in game.pieces
        ]
        outlook, style = outlook_of(game), board_style(game)
        return {
            "type": "game",
            "variant": game.name,
            "title": game.title,
            "files": game.files,
            "ranks": game.ranks,
            "startFen": game.start_fen,
            "pieces": pieces,
            "hand": [piece.letter for piece in game.hand_pieces],
            "pictures": {style: picture_set(game, style) for style in styles(game)},
            "style": style["kind"],
            "diagonals": style["diagonals"],
            "setup": with_setup(game) is not None,
            "passing": game.passing,
            "outlook": [outlook.margin, outlook.spread],
        }

    # Pages

    def attach(self) -> Channel:
        """A `Channel` for a new page, holding all that the page needs to show the game."""
        channel = Channel()
        self.channels.add(channel)
        self.play.page_came()
        channel.send({"type": "welcome", "games": self._titles, "engines": self.engines.names()})
        channel.send(self.game_message())
        channel.send(self.tree_message())
        channel.send(self.state_message())
        for part in (self.analysis, self.play, self.review, self.watch):
            channel.send(part.message())
        channel.send(self.watch.live_message(), "live")
        if self.games:
            channel.send(self.games_message())
        if self.problem:
            channel.send({"type": "error", "where": "pgn", "text": self.problem})
        return channel

    async def detach(self, channel: Channel) -> None:
        """Forgets a page. With the last one the engines stop, and soon a person's clock."""
        self.channels.discard(channel)
        if not self.channels:
            self.play.page_left()
            self.analysis.pause()
            await self.review.cancel()

    def tell(self, message: object, key: Hashable = None) -> None:
        """Sends a message to every page; of those with the same `key` only the latest counts."""
        for channel in self.channels:
            channel.send(message, key)

    def tell_tree(self) -> None:
        self.tell(self.tree_message())

    def tree_message(self) -> dict[str, object]:
        return {"type": "tree"} | self.tree.as_json()

    def tell_state(self) -> None:
        """Sends the position on the board, and lets the analysis follow it."""
        self.tell(self.state_message())
        self.analysis.follow()

    def state_message(self) -> dict[str, object]:
        return {"type": "state", "node": self.tree.node} | view(self.tree.position)

    def tell_nodes(self, *nodes: "Node") -> None:
        """Sends nodes that have changed or are new."""
        self.tell({"type": "nodes", "nodes": [node.as_json() for node in nodes]})

    def failed(self, text: str) -> None:
        """Tells every page that something went wrong with an engine."""
        self.tell({"type": "error", "where": "engine", "text": text})

    async def handle(self, channel: Channel, message: Any) -> None:
        """Does what a page asks in a message, parsed JSON; only that page hears of errors in it."""
        try:
            kind: Any = message.get("type") if isinstance(message, dict) else None
            handler = self._handlers.get(kind)
            if handler is None:
                raise RequestError(f"{kind!r} is not a request")
            reply = await handler(message)
            if reply is not None:
                channel.send(reply)
        except RequestError as error:
            channel.send({"type": "error", "where": error.where, "text": str(error)})
        except PlayerError as error:
            channel.send({"type": "error", "where": "engine", "text": str(error)})
        except (VariantError, ValueError) as error:
            where = {"fen": "fen", "setup": "setup", "pgn": "pgn", "choose": "pgn"}.get(
                message["type"], "move"
            )
            channel.send({"type": "error", "where": where, "text": str(error)})
        except (AttributeError, LookupError, TypeError) as error:
            channel.send({"type": "error", "where": "general", "text": f"cannot do that: {error!r}"})

    # The tree and the games of a PGN

    def make(self, text: str, main: bool = False, **fields: object) -> "Node":
        """Plays a move on the board, sets `fields` of its node and tells the pages. Returns the node. Raises
        MoveError."""
        node, new = self.tree.play(text, main)
        for name, value in fields.items():
            setattr(node, name, value)
        if new or fields:
            assert node.parent is not None
            parent = self.tree.nodes[node.parent]
            self.tell_nodes(parent, node)
        self.tell_state()
        return node

    def games_message(self) -> dict[str, object]:
        names = ("White", "Black", "Result", "Round", "Variant")
        rows = [{name: game.headers.get(name, "") for name in names} for game in self.games]
        return {"type": "games", "games": rows}

    async def close(self) -> None:
        """Ends everything that runs."""
        await self.quiet()
        await self.analysis.close()
        await self.eval_view.close()
        self.engines.close()


def _title(name: str) -> str:
    try:
        return catalogue.load(name).title
    except VariantError:
        return name
