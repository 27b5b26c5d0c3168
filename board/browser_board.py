"""The single game that all pages of a run see, and the requests of the pages."""

import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from ..engine.game.description import VariantError
from ..match.players.player import PlayerError
from ..match.players.spec import EngineSpec
from .analysis import AnalysisController
from .compile_ahead import CompileAhead
from .eval_view import EvalController
from .game_message import game_message
from .game_search import GameSearch
from .handlers import Requests
from .play import PlayController
from .puzzles import PuzzleController
from .requests import RequestError
from .review import Review
from .shared_board import Channel, SharedBoard
from .tree import Tree
from .undo import NEW_TREES, Undo
from .watch import WatchController

# request -> part of the page for its errors
WHERE = {
    "fen": "fen",
    "setup": "setup",
    "pgn": "pgn",
    "choose": "pgn",
    "puzzles": "puzzles",
    "puzzle": "puzzles",
}


class BrowserBoard(SharedBoard):
    """The board of a run with all actions of pages. `folder` is a match to watch, or None; `now` is the clock
    of games, in seconds."""

    def __init__(
        self,
        specs: Sequence[EngineSpec],
        folder: Path | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(specs)
        self.analysis, self.eval_view = AnalysisController(self), EvalController(self)
        self.play = PlayController(self, now)
        self.review = Review(self, self.analysis, self.play)
        self.watch = WatchController(self, self.analysis, folder)
        self.puzzles = PuzzleController(self)
        self.search, self.ahead = GameSearch(self), CompileAhead(self)
        self.requests = Requests(self, self.play, self.puzzles)
        self.undo = Undo(self, lambda: self.busy() or self.puzzles.busy())
        self.followers += [self.analysis.follow, self.watch.follow_tree, self.search.follow]
        self.cancels += [self.play.cancel, self.review.cancel, self.watch.cancel, self.puzzles.cancel]
        self.cancels.append(self.ahead.cancel)
        self.engines.on_start = self.ahead.cancel
        self._handlers: dict[str, Callable[[dict[str, Any]], Awaitable[dict[str, object] | None]]] = {
            name.removeprefix("on_"): getattr(part, name)
            for part in self._parts()
            for name in dir(part)
            if name.startswith("on_")
        }

    def _parts(self) -> tuple[object, ...]:
        desks = (self.analysis, self.eval_view, self.play, self.review, self.watch, self.puzzles)
        return (self.requests, self.search, self.undo, *desks)

    def busy(self) -> str:
        if self.play.active:
            return "A game is being played."
        return "Two engines are playing." if self.watch.running else ""

    async def set_tree(self, tree: Tree) -> None:
        """As that of `SharedBoard`; the engine of another game is compiled from now on."""
        other = self._tree is not None and self._tree.variant != tree.variant
        await super().set_tree(tree)
        if other:
            await self.ahead.begin(tree.variant)

    def attach(self) -> Channel:
        """A `Channel` for a new page, with all messages that the page needs to show the game."""
        channel = Channel()
        self.channels.add(channel)
        self.play.page_came()
        rivals = [spec.name for spec in self.engines.rivals]
        welcome = {"type": "welcome", "games": self.titles, "engines": self.engines.names(), "rivals": rivals}
        channel.send(welcome)
        channel.send(game_message(self.description))
        channel.send(self.tree_message())
        channel.send(self.state_message())
        for message in self.analysis.messages():
            channel.send(message)
        for part in (self.play, self.review, self.watch, self.puzzles, self.undo, self.ahead):
            channel.send(part.message())
        channel.send(self.watch.live_message(), "live")
        if self.games:
            channel.send(self.games_message())
            channel.send({"type": "chosen", "number": self.chosen})
        if self.problem:
            channel.send({"type": "error", "where": "pgn", "text": self.problem})
        return channel

    async def detach(self, channel: Channel) -> None:
        """Removes a page. After the last one the engines stop, and soon a person's clock."""
        self.channels.discard(channel)
        if not self.channels:
            self.play.page_left()
            self.analysis.pause()
            await self.review.cancel()

    async def handle(self, channel: Channel, message: Any) -> None:
        """Carries out a message of a page, parsed JSON; its errors go to that page only."""
        try:
            kind: Any = message.get("type") if isinstance(message, dict) else None
            handler = self._handlers.get(kind)
            if handler is None:
                raise RequestError(f"{kind!r} is not a request")
            if kind in NEW_TREES and not message.get("sure") and (busy := self.busy()):
                channel.send({"type": "confirm", "request": kind, "text": busy})
                return
            reply = await self.undo.recorded(kind, handler, message)
            if reply is not None:
                channel.send(reply)
        except RequestError as error:
            channel.send({"type": "error", "where": error.where, "text": str(error)})
        except PlayerError as error:
            channel.send({"type": "error", "where": "engine", "text": str(error)})
        except (VariantError, ValueError) as error:
            where = WHERE.get(message["type"], "move")
            channel.send({"type": "error", "where": where, "text": str(error)})
        except (AttributeError, LookupError, TypeError) as error:
            channel.send({"type": "error", "where": "general", "text": f"cannot do that: {error!r}"})

    async def close(self) -> None:
        """Ends everything that runs."""
        await self.quiet()
        await self.analysis.close()
        await self.eval_view.close()
        self.engines.close()
