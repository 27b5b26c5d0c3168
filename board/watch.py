"""Watching: a game between two engines of the run, or the games of a match in its folder."""

import asyncio
import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..engine.position import Position
from ..engine.variant import Variant
from ..match.games.adjudication import AdjudicationRules
from ..match.games.game import play_game
from ..match.players.client import Client
from ..match.players.control import TimeControl
from ..match.players.player import PlayerError
from ..match.players.spec import EngineSpec
from ..match.players.start import start_player
from ..match.records.journal import CONFIGURATION
from ..match.records.model import GameKey, GameResult, MatchGame, MoveRecord, Opening, Record, Termination
from ..protocol.terminal.console import note
from .analysis import AnalysisController
from .live_boards import LiveBoards
from .match_folder import FolderError, MatchFolder, score_of, tree_of
from .opponent import arrangement
from .play import read_control
from .requests import RequestError
from .shared_board import SharedBoard
from .tree import ROOT, Node, Tree

POLL_SECONDS, LIVE_SECONDS, THINKING_SECONDS = 1.0, 0.25, 0.25


class GameStopped(Exception):  # noqa: N818 - not an error but an end
    """The game of two engines is no longer wanted."""


class WatchController:
    """A game of two engines or a match, if one is watched."""

    def __init__(self, board: SharedBoard, analysis: AnalysisController, folder: Path | None) -> None:
        self._board, self._analysis = board, analysis
        self._match = MatchFolder(folder) if folder else None
        self._task: asyncio.Task[None] | None = None
        self._polling: asyncio.Task[None] | None = None
        self._begun: list[Client] = []  # engines that start, play or have played in this game
        self._players: list[Client] = []  # those that play
        self._stopped = False
        self._control: TimeControl | None = None  # of the game of two engines
        self._clocks: list[float | None] = [None, None]  # seconds left, besides the byoyomi, at `_since`
        self._since: float | None = None  # when the side to move began to think
        self._result: dict[str, str] | None = None
        self._names: list[str] = []
        self._follow = True
        self._shown: int | None = None  # place of the game in the match
        self._live = LiveBoards(folder) if folder else None
        self._following: Following | None = None  # the game in play that is on the large board

    def message(self) -> dict[str, object]:
        """What is watched: engines, clocks, thoughts in White's view; a match with standings and games. `ran`
        are the seconds that the side to move has thought."""
        return {
            "type": "watch",
            "running": self._task is not None,
            "names": self._names,
            "clocks": self._clocks,
            "byoyomi": self._control.byoyomi if self._control else 0,
            "ran": 0 if self._since is None else round(time.monotonic() - self._since, 2),
            "thoughts": self._thoughts(),
            "result": self._result,
            "match": self._match.as_json() if self._match else None,
            "shown": self._shown,
            "follow": self._follow,
        }

    def live_message(self) -> dict[str, object]:
        """The small boards of a match; `shown` is the number of the game that is on the large board."""
        following = self._followed()
        return {
            "type": "live",
            "variant": self.variant,
            "games": self._live.as_json(self._match.names) if self._live and self._match else [],
            "shown": following.number if following else None,
        }

    def _thoughts(self) -> list[dict[str, object]]:
        shown = {"score": "verdict", "depth": "depth", "nodes": "nodes", "nps": "nps", "line": "line"}
        said = [player.thinking.for_white(colour) for colour, player in enumerate(self._players)]
        return [{name: getattr(one, field) for name, field in shown.items()} for one in said]

    # A game of two engines

    async def on_watch(self, message: dict[str, Any]) -> None:
        """Lets two engines play from the position on the board: `engines` by number, a clock as in
        `read_control`."""
        board = self._board
        numbers = [int(number) for number in message["engines"]]
        if len(numbers) != 2 or not all(0 <= number < len(board.engines.specs) for number in numbers):
            raise RequestError("two engines of the list should be named")
        control = read_control(message)
        if control is None:
            raise RequestError("two engines need a clock with more than 0 seconds")
        if board.tree.position.result() is not None:
            raise RequestError("the game on the board is over; start a new one, or go back")
        await board.quiet()
        self._analysis.pause()
        fen = board.tree.position.fen()
        await board.load(board.variant, fen)
        specs = [board.engines.specs[number] for number in numbers]
        self._names = [spec.name for spec in specs]
        if self._names[0] == self._names[1]:
            self._names = [
                f"{name} ({colour})" for name, colour in zip(self._names, ("White", "Black"), strict=True)
            ]
        names = {"White": self._names[0], "Black": self._names[1]}
        board.tree.tags |= names | {"Result": "*", "TimeControl": str(control)}
        board.tell_tree()
        self._control, self._clocks, self._since = control, [control.base] * 2, None
        self._result, self._stopped, self._shown = None, False, None
        self._task = asyncio.create_task(self._run(specs, fen, control))
        board.tell(self.message())

    async def _run(self, specs: list[EngineSpec], fen: str, control: TimeControl) -> None:
        loop, description = asyncio.get_running_loop(), self._board.description
        ticking = asyncio.create_task(self._tell_thoughts())
        try:
            moves = await self._arrange(specs)
            for spec in specs:
                player = await asyncio.to_thread(start_player, spec, description, begun=self._begin)
                self._players.append(player)

            def on_ply(position: Position, ply: "MoveRecord", clocks: Sequence[float | None]) -> None:
                if self._stopped:
                    raise GameStopped
                sign = -1 if position.turn == 0 else 1  # the mover is the other side
                loop.call_soon_threadsafe(self._show, ply, sign, clocks)

            game = MatchGame(0, 0, 0, 1, Opening(fen, moves))
            self._since = time.monotonic()
            record = await asyncio.to_thread(
                play_game, game, self._players, [control, control], description, AdjudicationRules(), on_ply
            )
            if not self._stopped:
                self._result = {"score": record.score, "reason": record.reason}
                self._board.tree.tags |= {"Result": record.score, "Termination": record.reason}
        except GameStopped:
            pass
        except PlayerError as error:
            if not self._stopped:
                self._board.failed(str(error))
        finally:
            ticking.cancel()
            self._since = None
            begun, self._begun, self._players, self._task = self._begun, [], [], None
            for player in begun:
                loop.run_in_executor(None, player.close)
            self._board.tell(self.message())

    def _begin(self, player: Client) -> None:
        """Notes an engine that starts, so that `cancel` can close it. Raises GameStopped."""
        self._begun.append(player)
        if self._stopped:
            raise GameStopped

    async def _arrange(self, specs: list[EngineSpec]) -> tuple[str, ...]:
        """In the setup phase, makes the engines choose their arrangements, and shows them. Returns the moves.
        Raises Stopped."""
        position = self._board.tree.position_at(ROOT)
        moves: list[str] = []
        while choices := [str(move) for move in position.legal_moves() if move.is_choice]:
            text = await arrangement(specs[position.turn], position, choices, self._begin)
            if self._stopped:
                raise GameStopped
            self._show(MoveRecord(text, 0.0), -1 if position.turn else 1, self._clocks)
            position.push(text)
            moves.append(text)
        return tuple(moves)

    async def _tell_thoughts(self) -> None:
        while True:
            await asyncio.sleep(THINKING_SECONDS)
            self._board.tell(self.message(), "watch")

    def _show(self, ply: "MoveRecord", sign: int, clocks: Sequence[float | None]) -> None:
        """Adds a move that was played, and shows it if the position before it is on the board."""
        if self._stopped:
            return
        board, tree = self._board, self._board.tree
        line = [ROOT, *tree.main_line()]
        looking = tree.node
        tree.goto(line[-1])
        node = self._add(ply, sign)
        left = clocks[0 if sign > 0 else 1]  # of the mover
        node.clock = None if left is None else round(left, 1)
        self._clocks, self._since = list(clocks), time.monotonic()
        board.tell_move(node)
        if looking == line[-1]:
            board.tell_state()
        else:
            tree.goto(looking)
        board.tell(self.message(), "watch")

    def _add(self, ply: "MoveRecord", sign: int) -> Node:
        """Plays a move behind the position on the board; returns its node, with the score."""
        node, _ = self._board.tree.play(ply.move, main=True)
        node.eval = score_of(ply, sign, self._board.description)
        return node

    async def on_stop_watch(self, message: dict[str, Any]) -> None:
        """Ends the game of the two engines."""
        await self.cancel()

    async def cancel(self) -> None:
        """Ends the game of two engines, if one runs; the folder is still watched."""
        self._stopped = True
        task = self._task
        if task is not None and task is not asyncio.current_task():
            await asyncio.gather(*(asyncio.to_thread(player.close) for player in self._begun))
            with contextlib.suppress(asyncio.CancelledError):
                await task

    # A match

    async def begin(self) -> None:
        """Reads the folder, if any, shows its last game and looks for new ones. Raises FolderError."""
        if self._match is None:
            return
        if self._match.exists():
            await asyncio.to_thread(self._match.read)
        elif self._match.folder.exists() and any(self._match.folder.iterdir()):
            raise FolderError(f"{self._match.folder} holds no match: there is no {CONFIGURATION}")
        else:
            note(f"{self._match.folder} holds no match yet; the board waits for it")
        if self._match.records:
            await self._show_record(len(self._match.records) - 1)
        self._polling = asyncio.create_task(self._poll())

    @property
    def variant(self) -> Variant | None:
        """The game of the match, None without one or before it begins. Raises FolderError."""
        return self._match.variant() if self._match and self._match.exists() else None

    @property
    def running(self) -> bool:
        """Whether two engines are playing."""
        return self._task is not None

    async def _poll(self) -> None:
        """Looks for finished games and for moves of those in play, until the folder cannot be read."""
        assert self._match is not None
        looked = time.monotonic()
        while True:
            await asyncio.sleep(LIVE_SECONDS)
            if not self._match.exists():
                continue
            try:
                if time.monotonic() - looked >= POLL_SECONDS or self._vanished():
                    looked = time.monotonic()
                    await self._take_finished()
                await self._take_live()
            except FolderError as error:
                self._board.failed(str(error))
                return

    async def _take_finished(self) -> None:
        """Reads the games that have ended. Raises FolderError."""
        assert self._match is not None
        known = len(self._match.records)
        if not await asyncio.to_thread(self._match.read):
            return
        following = self._followed()
        for place in range(known, len(self._match.records)):
            if following and following.key == self._match.keys[place]:
                self._finish(following, place)
        busy = self._followed() or self._board.busy()  # do not replace the game that the user is watching
        if self._follow and not busy and len(self._match.records) > known:
            await self._show_record(len(self._match.records) - 1)
        self._board.tell(self.message(), "watch")

    async def _take_live(self) -> None:
        """Reads the moves of the games in play. Raises FolderError."""
        assert self._match is not None and self._live is not None
        news = await asyncio.to_thread(self._live.read, self._match.variant(), set(self._match.keys))
        if not news:
            return
        following = self._followed()
        live = self._live.find(following.number) if following else None
        if following and live and live.game.key == following.key:
            self._go_on(following, live.plies, live.clocks)
        self._board.tell(self.live_message(), "live")

    def _followed(self) -> "Following | None":
        """The game in play on the large board; None if the board shows something else now."""
        following = self._following
        if following and not following.holds(self._board.tree):
            self._following = following = None
        return following

    def follow_tree(self) -> None:
        """Tells the pages when the game in play is no longer on the large board."""
        if self._following and not self._followed():
            self._board.tell(self.live_message(), "live")

    def _vanished(self) -> bool:
        """Whether the game on the large board is no longer in play."""
        following = self._followed()
        return bool(following and self._live and self._live.find(following.number) is None)

    async def on_watch_live(self, message: dict[str, Any]) -> None:
        """Shows a game in play on the large board, by its `number`, and follows it to its end."""
        live = self._live.find(int(message["number"])) if self._live else None
        if live is None or self._match is None:
            raise RequestError("that game is not being played")
        variant, names = self._match.variant(), self._match.names
        record = Record(live.game, GameResult.UNKNOWN, "", Termination.UNTERMINATED, live.plies)
        tree = await asyncio.to_thread(tree_of, record, variant, names)
        self._shown = None
        await self._board.set_tree(tree)
        self._following = Following(live.game.key, tree, tree.node, [ply.move for ply in live.plies])
        self._board.tell(self.message())
        self._board.tell(self.live_message(), "live")

    def _go_on(
        self, following: "Following", plies: "Sequence[MoveRecord]", clocks: Sequence[float | None]
    ) -> None:
        """Plays the new moves of a game in play; the board follows if it shows the last move."""
        moves, known = [ply.move for ply in plies], len(following.moves)
        if moves[:known] != following.moves:  # the game was begun again, as by --resume
            self._following = None
            return
        board, tree = self._board, self._board.tree
        looking, along = tree.node, tree.node == following.tip
        for ply in plies[known:]:
            tree.goto(following.tip)
            sign = -1 if tree.position.turn else 1
            node = self._add(ply, sign)
            board.tell_move(node)
            following.tip = node.id
        if len(plies) > known:
            left = clocks[1 if tree.position.turn == 0 else 0]  # of the side that moved last
            tree.nodes[following.tip].clock = None if left is None else round(left, 1)
            following.moves = moves
        if along:
            board.tell_state()
        else:
            tree.goto(looking)

    def _finish(self, following: "Following", place: int) -> None:
        """The game on the large board has ended: shows its last moves and its result."""
        assert self._match is not None
        record = self._match.records[place]
        self._go_on(following, record.plies, [None, None])
        following.tree.tags |= {"Result": record.score, "Termination": record.reason}
        self._following, self._shown = None, place
        self._board.tell_tree()
        self._board.tell_state()
        self._board.tell(self.live_message(), "live")

    async def on_watch_game(self, message: dict[str, Any]) -> None:
        """Shows a game of the match by its place in the list; `follow` shows each new one."""
        if self._match is None:
            raise RequestError("no match is watched; name its folder on the command line: --watch FOLDER")
        self._follow = bool(message.get("follow", False))
        number = len(self._match.records) - 1 if self._follow else int(message["number"])
        if not 0 <= number < len(self._match.records):
            raise RequestError("the match has no such game yet")
        await self._show_record(number)
        self._board.tell(self.message())

    async def _show_record(self, number: int) -> None:
        assert self._match is not None
        record = self._match.records[number]
        tree = await asyncio.to_thread(tree_of, record, self._match.variant(), self._match.names)
        self._shown = number
        await self._board.set_tree(tree)


@dataclass
class Following:
    """A game in play that the large board follows: its tree, the node of its last move, its moves so far."""

    key: GameKey
    tree: Tree
    tip: int
    moves: list[str]

    @property
    def number(self) -> int:
        """The number of the game in its match."""
        return self.key[0]

    def holds(self, tree: Tree) -> bool:
        """Whether the tree on the board is still that of the game."""
        return tree is self.tree and self.tip in tree.nodes
