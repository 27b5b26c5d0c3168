"""A game of a person against an engine, or between two persons: sides, level, clocks, offers, the end."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from ..engine.game_end import COLOURS, DRAW, LOSS_OF
from ..engine.position import Position
from ..match.players.control import TimeControl
from ..match.players.player import PlayerError
from .analysis import spelled
from .opponent import LONG_SECONDS, CecpOpponent, Clocks, Resigned, UciOpponent, arrangement
from .requests import RequestError
from .shared_board import SharedBoard
from .uci_analyst import EngineInfo

PERSON, ENGINE = "person", "engine"
DRAW_PLIES, DRAW_CENTIPAWNS = 20, 30  # plies before the engine takes a draw; most that it may be ahead
MOST_CRASHES = 2  # of an engine in one move
HINT_LIMIT = "movetime 700"  # milliseconds
GRACE_SECONDS = 5.0  # without a page before a person's clock stops
MOST_BASE, MOST_INCREMENT, MOST_BYOYOMI = 86_400, 3_600, 14 * 86_400  # seconds
AWAY_NOTE = "Your clock was stopped while no page was open."
PAUSE_NOTE = "Your clock is stopped. It continues with your move."


def read_control(message: dict[str, Any]) -> TimeControl | None:
    """The clock of a request: `base`, `increment` and `byoyomi` (the seconds for each move after the base);
    None without time. Raises RequestError."""
    base, increment, byoyomi = (
        max(0.0, float(message.get(key) or 0)) for key in ("base", "increment", "byoyomi")
    )
    if base > MOST_BASE or increment > MOST_INCREMENT or byoyomi > MOST_BYOYOMI:
        raise RequestError("a clock has at most a day, an hour more for each move, or 14 days of byoyomi")
    return TimeControl(base, increment, byoyomi=byoyomi) if base or byoyomi else None


class PlayController:
    """The current game, if any. Moves are made only after its last one. `now` is a clock in seconds. A
    person's clock runs only while a page is open."""

    def __init__(self, board: SharedBoard, now: Callable[[], float] = time.monotonic) -> None:
        self._board, self._now = board, now
        self.active = False
        self.result: dict[str, str] | None = None
        self.sides = [PERSON, ENGINE]
        self.level: int | None = 1500
        self.number = 0
        self._control: TimeControl | None = None  # None without clocks
        # Seconds of both sides at `_since`, None without clocks; down to -byoyomi for the side to move.
        self.left: list[float] | None = None
        self._since: float | None = None  # by `now`; None while no clock runs
        self._leaving: asyncio.TimerHandle | None = None  # the grace after the last page has gone
        self._away = self._held = False  # no page is open; a person's clock is stopped for that
        self._paused = False  # a person has stopped the clock
        self._note = ""
        self._tip = 0  # the node of the last move
        self._task: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._opponent: UciOpponent | CecpOpponent | None = None
        self._scores: dict[int, int] = {}  # side -> centipawns in White's view, the last that the engine told
        self._offer = ""
        self._hint: asyncio.Task[None] | None = None  # the search for a hint

    def message(self) -> dict[str, object]:
        """The state of the game for the page; `left` are the current seconds."""
        return {
            "type": "play",
            "active": self.active,
            "sides": self.sides,
            "level": self.level,
            "engine": self.number,
            "base": self._control.base if self._control else 0,
            "increment": self._control.increment if self._control else 0,
            "byoyomi": self._byoyomi,
            "left": self._left_now(),
            "ticking": self._since is not None,
            "result": self.result,
            "tip": self._tip,
            "thinking": self._task is not None and not self._task.done(),
            "offer": self._offer,
            "note": PAUSE_NOTE if self._paused else self._note,
            "paused": self._paused,
        }

    @property
    def _byoyomi(self) -> float:
        return self._control.byoyomi if self._control else 0.0

    def _tell(self) -> None:
        self._board.tell(self.message())

    # Requests

    async def on_play(self, message: dict[str, Any]) -> None:
        """Begins a game on the position on the board: sides, level (null: full), engine, base, increment,
        byoyomi (the seconds for each move after the base)."""
        sides = list(message["sides"])
        if len(sides) != 2 or any(side not in (PERSON, ENGINE) for side in sides):
            raise RequestError("sides should be 'person' or 'engine'")
        board = self._board
        if board.tree.position.result() is not None:
            raise RequestError("the game on the board is over; start a new one, or go back")
        control = read_control(message)
        number = board.engines.number(message)
        await board.quiet()
        level = message.get("level")
        self.level = None if level is None else int(level)
        self.sides, self.number = sides, number
        self._control = control
        self.left = [control.base or 0.0] * 2 if control else None
        self._since, self.result, self._offer, self._scores = None, None, "", {}
        self._held = self._paused = False
        self._note = ""
        self.active, self._tip = True, board.tree.node
        names = self._names()
        board.tree.tags.pop("Termination", None)
        tags = {"White": names[0], "Black": names[1], "Result": "*", "TimeControl": str(control or "-")}
        board.tree.tags |= tags
        board.tell_tree()
        self._opponent = self._make_opponent() if ENGINE in sides else None
        self._next()

    def _names(self) -> list[str]:
        own = self._board.engines.specs[self.number].name
        level = "" if self.level is None else f" ({self.level})"
        return ["You" if side == PERSON else own + level for side in self.sides]

    def _make_opponent(self) -> UciOpponent | CecpOpponent:
        engines = self._board.engines
        spec = engines.specs[self.number]
        if spec.protocol == "cecp":
            return CecpOpponent(spec, self._board.description)
        return UciOpponent(engines, self.number, self.level)

    async def on_resign(self, message: dict[str, Any]) -> None:
        """The person to move, or the only one, resigns."""
        self._refuse_idle()
        turn = self._board.tree.position_at(self._tip).turn
        side = turn if self.sides[turn] == PERSON else 1 - turn
        self._end(LOSS_OF[side], f"{COLOURS[side]} resigns")

    async def on_draw(self, message: dict[str, Any]) -> None:
        """Two persons agree; an engine accepts a draw if its score is no better."""
        self._refuse_idle()
        if ENGINE not in self.sides:
            self._end(DRAW, "Draw by agreement")
            return
        side = self.sides.index(ENGINE)
        score = self._scores.get(side)
        position = self._board.tree.position_at(self._tip)
        fair = score is not None and (-score if side else score) <= DRAW_CENTIPAWNS
        if fair and position.ply >= DRAW_PLIES:
            self._end(DRAW, "Draw by agreement")
            return
        self._offer = f"{COLOURS[side]} declines the draw"
        self._tell()

    async def on_takeback(self, message: dict[str, Any]) -> None:
        """Takes back to the last position in which a person is to move."""
        self._refuse_idle()
        path = self._board.tree.path(self._tip)
        if not path:
            raise RequestError("there is no move to take back")
        self._halt()
        self._charge()
        tree = self._board.tree
        tree.goto(self._tip)
        while path:
            removed = path.pop()
            parent = tree.nodes[removed].parent
            assert parent is not None
            tree.goto(parent)
            tree.delete(removed)
            if self.sides[tree.position.turn] == PERSON:
                break
        self._tip = tree.node
        self._board.tell_tree()
        self._board.tell_state()
        self._next()

    async def on_hint(self, message: dict[str, Any]) -> None:
        """Makes an engine search for a person's move; the pages get it when it is found."""
        self._refuse_idle()
        position = self._board.tree.position_at(self._tip)
        if self.sides[position.turn] != PERSON:
            raise RequestError("it is the engine's turn; ask for a hint when it is yours")
        if any(move.is_choice for move in position.legal_moves()):
            raise RequestError("there are no hints for arrangements")
        if self._hint is None or self._hint.done():
            self._hint = asyncio.create_task(self._find_hint(self._tip))

    async def _find_hint(self, node: int) -> None:
        board = self._board
        position = board.tree.position_at(node)
        try:
            engine = await board.engines.get("hint", board.engines.first_uci(self.number))
            options = [("MultiPV", 1), ("UCI_LimitStrength", "false")]
            text = await engine.search(position, HINT_LIMIT, options, lambda info: None)
            move = position.parse_move(text or "")
        except (PlayerError, ValueError) as error:
            board.failed(f"there is no hint: {error}")
            return
        labels, _, squares = spelled(position, [str(move)])
        board.tell({"type": "hint", "node": node, "label": labels[0], "squares": squares})

    async def on_stop_play(self, message: dict[str, Any]) -> None:
        """Ends the game without a result; analysis can continue from there."""
        self.cancel()

    def _refuse_idle(self) -> None:
        if not self.active:
            raise RequestError("no game is being played")

    # Moves

    async def move(self, text: str) -> None:
        """Plays a person's move. Raises MoveError, RequestError."""
        board = self._board
        if board.tree.node != self._tip:
            raise RequestError("the game continues after its last move")
        if self.sides[board.tree.position.turn] != PERSON:
            raise RequestError("it is the engine's turn")
        board.tree.position.parse_move(text)
        self._make(text)

    def _make(self, text: str) -> None:
        """Plays a move of the game at its end, and starts the other side's turn."""
        board, turn = self._board, self._board.tree.position.turn
        fields: dict[str, object] = {}
        self._stop_flag()
        left = self._left_now()
        if left is not None:
            if self._since is not None or self._paused:
                left[turn] = max(0.0, left[turn]) + (self._control.increment if self._control else 0.0)
            self.left, self._since = left, self._now()
            fields["clock"] = round(left[turn], 1)
        self._offer, self._note, self._paused = "", "", False
        self._tip = board.make(text, main=True, **fields).id
        self._next()

    def _next(self) -> None:
        """Ends the game if it is over, otherwise starts the clock and the engine."""
        board = self._board
        position = board.tree.position_at(self._tip)
        if result := position.result():
            self._end(result.score, result.reason)
            return
        if self._away:
            self._hold()
        self._set_flag(position.turn)
        if self.sides[position.turn] == ENGINE:
            self._task = asyncio.create_task(self._think(position))
        self._tell()

    def _set_flag(self, turn: int) -> None:
        """Sets the alarm for the end of the running clock, if one runs."""
        left = self._left_now()
        if left is not None and self._since is not None:
            delay = max(0.0, left[turn] + self._byoyomi)
            self._flag = asyncio.get_running_loop().call_later(delay, self._fall, turn)

    async def _think(self, position: Position) -> None:
        choices = [str(move) for move in position.legal_moves() if move.is_choice]
        if choices:
            spec = self._board.engines.specs[self.number]
            self._played(position, await arrangement(spec, position, choices))
            return
        opponent = self._opponent
        assert opponent is not None
        for attempt in range(MOST_CRASHES + 1):
            try:
                text = await opponent.move(position, self._clocks(), lambda info: self._hear(position, info))
                text = text or ""
                position.parse_move(text)
                self._played(position, text)
                return
            except Resigned as claim:
                self._end(LOSS_OF[position.turn], f"{COLOURS[position.turn]} resigns: {claim}")
                return
            except (PlayerError, ValueError) as error:
                if attempt == MOST_CRASHES:
                    self._board.failed(f"{error}; the game stops here")
                    self.cancel()
                    return
                self._board.failed(f"{error}; it is restarted")
                opponent.close()
                await asyncio.sleep(0.3)

    def _hear(self, position: Position, info: EngineInfo) -> None:
        if "cp" in info or "mate" in info:
            cp = info.get("cp")
            self._scores[position.turn] = cp if cp is not None else 10_000 * (1 if info["mate"] > 0 else -1)

    def _played(self, position: Position, text: str) -> None:
        """Plays the engine's move, even if another position is on the board."""
        if not self.active:
            return
        self._task = None
        tree = self._board.tree
        if tree.node != self._tip:
            tree.goto(self._tip)
        self._make(text)

    # Clocks and ends

    def _clocks(self) -> Clocks | None:
        """The clocks for the engine; None without clocks, and with days for each move."""
        left = self._left_now()
        if left is None or self._control is None or self._byoyomi >= LONG_SECONDS:
            return None
        return Clocks((left[0], left[1]), self._control)

    def _left_now(self) -> list[float] | None:
        """Seconds left of both sides, None without clocks; negative for byoyomi that was used in this
        move."""
        if self.left is None:
            return None
        left = list(self.left)
        if self._since is not None and self.active:
            turn = self._board.tree.position_at(self._tip).turn
            left[turn] = max(-self._byoyomi, left[turn] - (self._now() - self._since))
        return left

    def _charge(self) -> None:
        """Takes the time since the last move from the side that used it, and begins its turn again."""
        left = self._left_now()
        if left is not None:
            self.left = [max(0.0, seconds) for seconds in left]
            self._since = None if self._since is None else self._now()

    async def on_pause(self, message: dict[str, Any]) -> None:
        """Stops the clock of a person to move, until that move or the next such request."""
        self._refuse_idle()
        turn = self._board.tree.position_at(self._tip).turn
        if self.left is None or self.sides[turn] != PERSON:
            raise RequestError("only your own running clock can be stopped")
        if self._since is None and not self._paused:
            raise RequestError("your clock does not run yet")
        self._paused = not self._paused
        if self._paused:
            self.left, self._since = self._left_now(), None
            self._stop_flag()
        else:
            self._since = self._now()
            self._set_flag(turn)
        self._tell()

    # Without a page

    def page_left(self) -> None:
        """After the last page has closed: stops a person's clock, unless a page opens within
        GRACE_SECONDS."""
        if self._leaving is None and not self._away:
            self._leaving = asyncio.get_running_loop().call_later(GRACE_SECONDS, self._leave)

    def _leave(self) -> None:
        self._leaving, self._away = None, True
        if self.active:
            self._hold()

    def page_came(self) -> None:
        """After a page has opened: restarts a stopped clock."""
        if self._leaving is not None:
            self._leaving.cancel()
        self._leaving, self._away = None, False
        if self._held:
            self._held, self._since, self._note = False, self._now(), AWAY_NOTE
            self._set_flag(self._board.tree.position_at(self._tip).turn)

    def _hold(self) -> None:
        """Stops the clock if it is a person's."""
        turn = self._board.tree.position_at(self._tip).turn
        if self._since is not None and self.sides[turn] == PERSON:
            self.left, self._since, self._held = self._left_now(), None, True
            self._stop_flag()

    def _fall(self, side: int) -> None:
        """The clock of a side has expired."""
        left = self._left_now()
        if self.active and left is not None and left[side] + self._byoyomi <= 0.05:
            self._end(LOSS_OF[side], f"{COLOURS[side]} loses on time")

    def _stop_flag(self) -> None:
        if self._flag:
            self._flag.cancel()
        self._flag = None

    def _end(self, score: str, reason: str) -> None:
        self.left = self._left_now()
        self._since, self._held, self._paused = None, False, False
        self.result = {"score": score, "reason": reason}
        self._board.tree.tags |= {"Result": score, "Termination": reason}
        self._halt()
        self.active = False
        self._tell()

    def _halt(self) -> None:
        """Ends the engine's search and the clock's alarm."""
        self._stop_flag()
        task, self._task = self._task, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()
            if self._opponent:
                self._opponent.stop()

    def cancel(self) -> None:
        """Ends the game without a result."""
        self.left = self._left_now()
        self._halt()
        if self._opponent:
            self._opponent.close()
        shown = self.active or self.result is not None or self.left is not None
        self._opponent, self._since, self.result, self.left = None, None, None, None
        self._held = self._paused = self.active = False
        if shown:
            self._tell()
