"""Analysis of the position on the board: lines as they come, until a page says stop or all pages are gone."""

import asyncio
import contextlib

from ...engine.position import Position
from ..players.player import PlayerError
from .chances import with_chance
from .view import label_of

SEND_SECONDS = 0.12  # between two reports to the pages
MOST_LINES, LABELLED = 5, 12  # lines; moves of a line that are told
RESTART_SECONDS = 1.0  # before an engine that crashed is started anew
MOST_CRASHES = 3  # in a row


class AnalysisDesk:
    """The analysing engine of a session."""

    def __init__(self, session):
        self._session = session
        self.on, self.lines, self.number, self.threat = False, 1, 0, False
        self._lines, self._node = {}, None
        self._wake = asyncio.Event()
        self._task = self._sending = None
        self._engine = None
        self._status = ""
        self._crashes = 0
        self._best = None

    def message(self):
        """What the engine box shows."""
        return {
            "type": "analysis",
            "on": self.on,
            "lines": self.lines,
            "engine": self.number,
            "threat": self.threat,
            "status": self._status,
            "node": self._node,
            "infos": [_told(self._lines[key]) for key in sorted(self._lines)],
        }

    async def on_analyse(self, message):
        """Switches analysis on or off and sets lines, engine and whether the threat is looked for."""
        self.lines = max(1, min(MOST_LINES, int(message.get("lines", self.lines))))
        number = int(message.get("engine", self.number))
        if not 0 <= number < len(self._session.engines.specs):
            raise ValueError(f"there is no engine {number}")
        self.number = self._session.engines.first_uci(number)
        self.threat = bool(message.get("threat", self.threat))
        self.on = bool(message.get("on", self.on))
        self._crashes = 0
        self._restart()
        self._session.tell(self.message())

    def follow(self):
        """Searches the position that is now on the board, if analysis is on."""
        if self._node != self._session.tree.node:
            self.threat = False
        if self.on:
            self._restart()

    def pause(self):
        """Stops, as if a page had said so."""
        self.on = False
        self._restart()

    def _restart(self):
        self._lines, self._status = {}, ""
        if self._task is None and self.on:
            self._task = asyncio.create_task(self._run())
        self._wake.set()
        if self._engine is not None:
            self._engine.stop()

    async def close(self):
        """Ends the search."""
        self.on = False
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self):
        """Searches whatever position is wanted, one after the other."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            if not self.on:
                self._report()
                continue
            try:
                await self._search()
                self._crashes = 0
            except PlayerError as error:
                self._engine = None
                if not self._wake.is_set():
                    await self._recover(error)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                self._tell_status(f"analysis failed: {error}")

    async def _recover(self, error):
        """Starts the engine anew, but not for ever."""
        self._crashes += 1
        if self._crashes >= MOST_CRASHES:
            self.on = False
            self._tell_status(f"{error}; it failed {self._crashes} times and stays off")
            return
        self._session.failed(f"{error}; it is started anew")
        await asyncio.sleep(RESTART_SECONDS)
        self._wake.set()

    async def _search(self):
        session = self._session
        node, position, threat = session.tree.node, session.tree.position.copy(), self.threat
        self._node = node
        if position.result() is not None:
            self._tell_status("the game is over")
            return
        if any(move.is_choice for move in position.legal_moves()):
            self._tell_status("an arrangement has to be chosen first")
            return
        if threat:
            try:
                position = Position(position.variant, flipped_turn(position))
            except ValueError:
                self.threat = False
                self._tell_status("no threat can be shown while the king is in check")
                return
        self._tell_status("the engine starts ..." if self._engine is None else "")
        self._engine = engine = await session.engines.get("analysis", self.number)
        if self._wake.is_set():
            return
        self._tell_status("")

        def on_info(info):
            if not self._wake.is_set():
                self._take(position, info)

        options = [("MultiPV", 1 if threat else self.lines), ("UCI_AnalyseMode", "true")]
        await engine.search(position, "infinite", options, on_info)
        self._report()

    def _take(self, position, info):
        """Keeps a line for the next report; a mere bound only where nothing better is known."""
        number = info["multipv"]
        if info.get("bound") and number in self._lines:
            return
        info = with_chance(info, position.description) | {"position": position}
        self._lines[number] = info
        if number == 1 and not self.threat and not info.get("bound"):
            self._keep(info)
        if self._sending is None:
            self._sending = asyncio.get_running_loop().call_later(SEND_SECONDS, self._report)

    def _keep(self, info):
        """Remembers the score in the tree, so that graph and PGN have it."""
        node = self._session.tree.nodes.get(self._node)
        if node and info["depth"] >= (node.eval or {}).get("depth", 0):
            kept = ("cp", "mate", "depth", "chance")
            node.eval = {name: info[name] for name in kept if name in info}

    def _report(self):
        if self._sending:
            self._sending.cancel()
        self._sending = None
        self._session.tell(self.message(), "analysis")

    def _tell_status(self, text):
        self._status = text
        self._report()

    async def on_appraise(self, message):
        """What the position is worth without a search, as the engine tells it."""
        session = self._session
        number = session.engines.first_uci(self.number)
        engine = await session.engines.get("appraisal", number)
        lines = await engine.appraisal(session.tree.position.copy())
        return {"type": "appraisal", "node": session.tree.node, "text": "\n".join(lines)}


def _told(info):
    """A line as the pages get it; its moves are spelled only now, for most lines are never sent."""
    position = info.pop("position", None)
    if position is not None:
        info["labels"], info["pv"], info["squares"] = spelled(position, info["pv"])
    return info


def flipped_turn(position):
    """The FEN with the other side to move and nothing to capture in passing."""
    board, turn, castling, _, *rest = position.fen().split()
    return " ".join([board, "b" if turn == "w" else "w", castling, "-", *rest])


def spelled(position, texts):
    """(labels, moves, squares) of a line as far as it is legal, at most LABELLED moves; `squares` are those
    of the first: (from or None, to, letter of a drop or None)."""
    position = position.copy()
    labels, moves, squares = [], [], None
    for text in texts[:LABELLED]:
        try:
            move = position.parse_move(text)
        except ValueError:
            break
        if squares is None:
            squares = (move.from_square, move.to_square, str(move)[0] if move.is_drop else None)
        labels.append(label_of(position, move))
        position.push(move)
        moves.append(str(move))
    return labels, moves, squares
