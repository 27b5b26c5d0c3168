"""The one game that all pages of a run see: its tree, its position, and what pages ask to be done with it."""

import asyncio

from ...engine.game import catalogue
from ...engine.game.description import VariantError
from ...protocol.uci.outlook import outlook_of
from ..players.player import PlayerError
from .analysis import AnalysisDesk
from .channel import Channel
from .engines import Engines
from .handlers import Requests
from .pgn import GameText
from .pictures import board_style, picture_set, styles
from .play import PlayDesk
from .requests import RequestError
from .review import Review
from .tree import Tree
from .view import view
from .watch import WatchDesk


class BoardSession:
    """The state of a run. `specs` are the engines that the command line named, the first the default;
    `folder` a match to watch, or None. `load` comes before anything else."""

    def __init__(self, specs, folder=None):
        self.channels = set()
        self.description = None
        self.tree = None
        self.games: list[GameText] = []  # of the last PGN
        self._titles = []  # name and title of every game
        self.engines = Engines(specs)
        self.analysis, self.play = AnalysisDesk(self), PlayDesk(self)
        self.review, self.watch = Review(self), WatchDesk(self, folder)
        self.requests = Requests(self)
        self._handlers = {
            name.removeprefix("on_"): getattr(part, name)
            for part in (self.requests, self.analysis, self.play, self.review, self.watch)
            for name in dir(part)
            if name.startswith("on_")
        }

    # Games

    async def load(self, variant, start=None):
        """Begins a new tree in a game, from the FEN `start` or the usual one. Raises ValueError."""
        tree = await asyncio.to_thread(self._new_tree, variant, start)
        await self.set_tree(tree)

    def _new_tree(self, variant, start):
        """In a thread: the game's code may have to be compiled first."""
        if self.description is None or variant != self.description.name:
            self.tell({"type": "notice", "text": f"Preparing {catalogue.load(variant).title} ..."}, "notice")
        tree = Tree(variant, start)
        view(tree.position)
        picture_set(tree.position.description)  # kept from now on
        if not self._titles:
            self._titles = [{"name": name, "title": _title(name)} for name in catalogue.available()]
        return tree

    async def set_tree(self, tree):
        """Puts another tree on the board; whatever the engines do ends."""
        await self.quiet()
        description = catalogue.load(tree.variant)
        other = description is not self.description
        self.tree, self.description = tree, description
        self.engines.choose(description)
        self.tell({"type": "notice", "text": ""}, "notice")
        if other:
            self.tell(self.game_message())
        self.tell_tree()
        self.tell_state()

    async def quiet(self):
        """Ends play, review and watching."""
        self.play.cancel()
        await self.review.cancel()
        await self.watch.cancel()

    def game_message(self):
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
            "setup": bool(game.setup_swaps),
            "passing": game.passing,
            "outlook": [outlook.margin, outlook.spread],
        }

    # Pages

    def attach(self):
        """A `Channel` for a new page, with all that it needs to show the game."""
        channel = Channel()
        self.channels.add(channel)
        channel.send({"type": "welcome", "games": self._titles, "engines": self.engines.names()})
        channel.send(self.game_message())
        channel.send(self.tree_message())
        channel.send(self.state_message())
        for part in (self.analysis, self.play, self.review, self.watch):
            channel.send(part.message())
        if self.games:
            channel.send(self.games_message())
        return channel

    async def detach(self, channel):
        """Forgets a page. With the last one the engines stop."""
        self.channels.discard(channel)
        if not self.channels:
            self.analysis.pause()
            await self.review.cancel()

    def tell(self, message, key=None):
        """Sends a message to every page; of those with one `key` only the latest counts."""
        for channel in self.channels:
            channel.send(message, key)

    def tell_tree(self):
        self.tell(self.tree_message())

    def tree_message(self):
        return {"type": "tree"} | self.tree.as_json()

    def tell_state(self):
        """Sends the position on the board, and lets the analysis follow it."""
        self.tell(self.state_message())
        self.analysis.follow()

    def state_message(self):
        return {"type": "state", "node": self.tree.node} | view(self.tree.position)

    def tell_nodes(self, *nodes):
        """Sends nodes that have changed or are new."""
        self.tell({"type": "nodes", "nodes": [node.as_json() for node in nodes]})

    def failed(self, text):
        """Tells every page that something went wrong with an engine."""
        self.tell({"type": "error", "where": "engine", "text": text})

    async def handle(self, channel, message):
        """Does what a page asks; whatever is wrong with that is told to it alone."""
        try:
            kind = message.get("type") if isinstance(message, dict) else None
            handler = self._handlers.get(kind)
            if handler is None:
                raise RequestError(f"{kind!r} is nothing that can be asked for")
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

    def make(self, text, main=False, **fields):
        """Plays a move on the board and tells the pages. Returns the node. Raises MoveError."""
        node, new = self.tree.play(text, main)
        for name, value in fields.items():
            setattr(node, name, value)
        if new or fields:
            parent = self.tree.nodes[node.parent]
            self.tell_nodes(parent, node)
        self.tell_state()
        return node

    def games_message(self):
        names = ("White", "Black", "Result", "Round", "Variant")
        rows = [{name: game.tags.get(name, "") for name in names} for game in self.games]
        return {"type": "games", "games": rows}

    async def close(self):
        """Ends everything that runs."""
        await self.quiet()
        await self.analysis.close()
        self.engines.close()


def _title(name):
    try:
        return catalogue.load(name).title
    except VariantError:
        return name
