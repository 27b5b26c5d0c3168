"""Analysis of the position on the board: lines as they are found, until a page stops it or no page is
left."""

import asyncio
from collections.abc import Sequence
from typing import Any

from ..engine.position import Position
from ..match.players.player import PlayerError
from ..protocol.session.game import with_side_to_move
from .async_engine import AsyncEngine
from .cecp_analyst import UnsupportedAnalysisError
from .chances import with_chance
from .requests import RequestError, ended
from .shared_board import SharedBoard
from .uci_analyst import EngineInfo
from .view import label_of, read_label

SEND_SECONDS = 0.12  # between two reports to the pages
RIVAL = "rival"  # the purpose of the second engine
MOST_LINES, LABELLED = 5, 12  # lines; moves of a line that are sent
RESTART_SECONDS = 1.0  # before an engine that crashed is restarted
MOST_CRASHES = 3  # in a row


class AnalysisController:
    """An engine that analyses the position on the board, and the rival with which it is compared. `purpose`
    is the type of its messages."""

    def __init__(self, board: SharedBoard, purpose: str = "analysis") -> None:
        self._board, self._purpose = board, purpose
        self._rival = None if purpose == RIVAL else AnalysisController(board, RIVAL)
        self.compare: int | None = None  # the number of the rival
        self.on, self.lines, self.number, self.threat = False, 1, 0, False
        self._lines: dict[int, EngineInfo] = {}
        self._node: int | None = None
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._sending: asyncio.TimerHandle | None = None
        self._engine: AsyncEngine | None = None
        self._status = ""
        self._crashes = 0

    def message(self) -> dict[str, object]:
        """The content of the engine box."""
        return {
            "type": self._purpose,
            "on": self.on,
            "lines": self.lines,
            "engine": self.number,
            "compare": self.compare,
            "threat": self.threat,
            "status": self._status,
            "node": self._node,
            "infos": [_told(self._lines[key]) for key in sorted(self._lines)],
        }

    async def on_analyse(self, message: dict[str, Any]) -> None:
        """Switches analysis on or off and sets lines, engine, whether to show the threat, and `compare`: the
        number of a second engine, null for none."""
        board = self._board
        self.lines = max(1, min(MOST_LINES, int(message.get("lines", self.lines))))
        self.number = board.engines.number(message, self.number)
        self.on = bool(message.get("on", self.on))
        self.threat = self.on and bool(message.get("threat", self.threat))
        if (compare := message.get("compare", self.compare)) not in (None, *range(len(board.engines.rivals))):
            raise RequestError(f"there is no engine {compare} to compare with")
        self.compare = compare
        self._crashes = 0
        self._restart()
        self._board.tell(self.message())
        self._run_rival()

    def messages(self) -> list[dict[str, object]]:
        """The contents of the engine box: of this engine, and of its rival."""
        return [self.message(), *([self._rival.message()] if self._rival else [])]

    def _run_rival(self) -> None:
        """Starts or stops the rival, as `compare` and this engine are."""
        rival = self._rival
        if rival is None:
            return
        on = self.on and self.compare is not None
        if on or rival.on:
            rival.on, rival.lines, rival.number, rival._crashes = on, self.lines, self.compare or 0, 0
            rival._restart()
            self._board.tell(rival.message())

    def follow(self) -> None:
        """Searches the position that is now on the board, if analysis is on."""
        if self._node != self._board.tree.node:
            self.threat = False
        if self.on:
            self._restart()
        if self._rival:
            self._rival.follow()

    def pause(self) -> None:
        """Stops the analysis, as on a page's request."""
        self.on = self.threat = False
        self._restart()
        self._run_rival()

    def _restart(self) -> None:
        self._lines, self._status = {}, ""
        if self._task is None and self.on:
            self._task = asyncio.create_task(self._run())
        self._wake.set()
        if self._engine is not None:
            self._engine.stop()

    async def close(self) -> None:
        """Ends the search."""
        self.on = False
        await ended(self._task)
        if self._rival:
            await self._rival.close()

    async def _run(self) -> None:
        """Searches the wanted positions, one after the other."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            if not self.on:
                self._report()
                continue
            try:
                await self._search()
                self._crashes = 0
            except UnsupportedAnalysisError as error:
                self._tell_status(str(error))
            except PlayerError as error:
                self._engine = None
                if not self._wake.is_set():
                    await self._recover(error)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                self._tell_status(f"analysis failed: {error}")

    async def _recover(self, error: PlayerError) -> None:
        """Restarts the engine, until it has failed MOST_CRASHES times in a row."""
        self._crashes += 1
        if self._crashes >= MOST_CRASHES:
            self.on = False
            self._tell_status(f"{error}; it failed {self._crashes} times and stays off")
            self._run_rival()
            return
        self._board.failed(f"{error}; it is restarted")
        await asyncio.sleep(RESTART_SECONDS)
        self._wake.set()

    async def _search(self) -> None:
        board = self._board
        node, position, threat = board.tree.node, board.tree.position.copy(), self.threat
        self._node = node
        if position.result() is not None:
            self._tell_status("the game is over")
            return
        if any(move.is_choice for move in position.legal_moves()):
            self._tell_status("an arrangement has to be chosen first")
            return
        if threat:
            try:
                passed = with_side_to_move(position.fen(), 1 - position.turn)
                position = Position(position.variant, passed)
            except ValueError:
                self.threat = False
                self._tell_status("no threat can be shown while the king is in check")
                return
        self._tell_status("the engine starts ..." if self._engine is None else "")
        self._engine = engine = await board.engines.get(self._purpose, self.number)
        if self._wake.is_set():
            return
        self._tell_status("")

        def on_info(info: EngineInfo) -> None:
            if not self._wake.is_set():
                self._take(position, info)

        options = [("MultiPV", 1 if threat else self.lines), ("UCI_AnalyseMode", "true")]
        await engine.search(position, "infinite", options, on_info)
        self._report()

    def _take(self, position: Position, info: EngineInfo) -> None:
        """Stores a line for the next report; a score that is only a bound replaces no line."""
        number = info["multipv"]
        if info.get("bound") and number in self._lines:
            return
        info = with_chance(info, position.description) | {"position": position}
        self._lines[number] = info
        if number == 1 and self._rival and not self.threat and not info.get("bound"):
            self._keep(info)
        if self._sending is None:
            self._sending = asyncio.get_running_loop().call_later(SEND_SECONDS, self._report)

    def _keep(self, info: EngineInfo) -> None:
        """Stores the score in the tree, for the graph and the PGN."""
        assert self._node is not None  # the searched position
        node = self._board.tree.nodes.get(self._node)
        if node and info["depth"] >= (node.eval or {}).get("depth", 0):
            kept = ("cp", "mate", "depth", "chance")
            node.eval = {name: info[name] for name in kept if name in info}

    def _report(self) -> None:
        if self._sending:
            self._sending.cancel()
        self._sending = None
        self._board.tell(self.message(), self._purpose)

    def _tell_status(self, text: str) -> None:
        self._status = text
        self._report()


def _told(info: EngineInfo) -> EngineInfo:
    """A line for the pages; its moves are spelled only now, because most lines are never sent."""
    position = info.pop("position", None)
    if position is not None:
        info["labels"], info["pv"], info["squares"] = spelled(position, info["pv"])
    return info


def spelled(
    position: Position, texts: Sequence[str]
) -> tuple[list[str], list[str], tuple[int | None, int, str | None] | None]:
    """(labels, moves, squares) of a line as far as it is legal, at most LABELLED moves; `squares` are those
    of the first: (from or None, to, letter of a drop or None), or None without a move."""
    position = position.copy()
    labels: list[str] = []
    moves: list[str] = []
    squares = None
    for text in texts[:LABELLED]:
        try:
            move = read_label(position, text)  # some engines write their lines as people do
        except ValueError:
            break
        if squares is None:
            squares = (move.from_square, move.to_square, str(move)[0] if move.is_drop else None)
        labels.append(label_of(position, move))
        position.push(move)
        moves.append(str(move))
    return labels, moves, squares
