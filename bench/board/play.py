"""A game of a person against an engine, or of two persons: sides, level, clocks, offers, and how it ends."""

import asyncio
import random
import time

from ...engine.position import COLOURS, DRAW, LOSS_OF
from ..players.player import PlayerError
from .chances import with_chance
from .opponent import CecpOpponent, Resigned, UciOpponent
from .requests import RequestError

PERSON, ENGINE = "person", "engine"
DRAW_PLIES, DRAW_CENTIPAWNS = 20, 30  # before the engine takes a draw, and what it may then give away
MOST_CRASHES = 2  # of an engine in one move


class PlayDesk:
    """The game that is being played, if any. Only the last move of it can be answered."""

    def __init__(self, session):
        self._session = session
        self.active, self.result = False, None
        self.sides = [PERSON, ENGINE]
        self.level, self.number = 1500, 0
        self.base = self.increment = 0.0
        self.left = None  # seconds of both sides at `_since`, None without clocks
        self._since = None
        self._tip = 0
        self._task = self._flag = None
        self._opponent = None
        self._scores = {}  # side -> centipawns in White's view, the last that the engine told
        self._offer = ""

    def message(self):
        """What the page shows of the game; `left` are seconds as they stand now."""
        return {
            "type": "play",
            "active": self.active,
            "sides": self.sides,
            "level": self.level,
            "engine": self.number,
            "base": self.base,
            "increment": self.increment,
            "left": self._left_now(),
            "ticking": self._since is not None,
            "result": self.result,
            "tip": self._tip,
            "thinking": self._task is not None and not self._task.done(),
            "offer": self._offer,
        }

    def _tell(self):
        self._session.tell(self.message())

    # Requests

    async def on_play(self, message):
        """Begins a game on the position on the board: sides, level (null: full), engine, base, increment."""
        sides = list(message["sides"])
        if len(sides) != 2 or any(side not in (PERSON, ENGINE) for side in sides):
            raise RequestError("sides should be 'person' or 'engine'")
        session = self._session
        if session.tree.position.result() is not None:
            raise RequestError("the game on the board is over; start a new one, or go back")
        base, increment = (max(0.0, float(message.get(key) or 0)) for key in ("base", "increment"))
        if base > 86_400 or increment > 3_600:
            raise RequestError("a clock has at most a day, and an hour for each move")
        number = int(message.get("engine") or 0)
        if not 0 <= number < len(session.engines.specs):
            raise RequestError(f"there is no engine {number}")
        await session.quiet()
        level = message.get("level")
        self.level = None if level is None else int(level)
        self.sides, self.number, self.base, self.increment = sides, number, base, increment
        self.left = [self.base, self.base] if self.base else None
        self._since, self.result, self._offer, self._scores = None, None, "", {}
        self.active, self._tip = True, session.tree.node
        names = self._names()
        session.tree.tags |= {"White": names[0], "Black": names[1], "Result": "*"}
        session.tell_tree()
        self._opponent = self._make_opponent() if ENGINE in sides else None
        self._next()

    def _names(self):
        own = self._session.engines.specs[self.number].name
        level = "" if self.level is None else f" ({self.level})"
        return ["You" if side == PERSON else own + level for side in self.sides]

    def _make_opponent(self):
        engines = self._session.engines
        spec = engines.specs[self.number]
        if spec.protocol == "cecp":
            return CecpOpponent(spec, self._session.description)
        return UciOpponent(engines, self.number, self.level)

    async def on_resign(self, message):
        """The person to move, or the only one, gives up."""
        self._refuse_idle()
        turn = self._session.tree.position_at(self._tip).turn
        side = turn if self.sides[turn] == PERSON else 1 - turn
        self._end(LOSS_OF[side], f"{COLOURS[side]} resigns")

    async def on_draw(self, message):
        """Two persons agree; an engine takes a draw when it thinks itself no better."""
        self._refuse_idle()
        if ENGINE not in self.sides:
            self._end(DRAW, "Draw by agreement")
            return
        side = self.sides.index(ENGINE)
        score = self._scores.get(side)
        position = self._session.tree.position_at(self._tip)
        fair = score is not None and (-score if side else score) <= DRAW_CENTIPAWNS
        if fair and position.ply >= DRAW_PLIES:
            self._end(DRAW, "Draw by agreement")
            return
        self._offer = f"{COLOURS[side]} declines the draw"
        self._tell()

    async def on_takeback(self, message):
        """Takes back to the last position in which a person is to move."""
        self._refuse_idle()
        path = self._session.tree.path(self._tip)
        if not path:
            raise RequestError("there is no move to take back")
        self._halt()
        tree = self._session.tree
        tree.goto(self._tip)
        while path:
            removed = path.pop()
            tree.goto(tree.nodes[removed].parent)
            tree.delete(removed)
            if self.sides[tree.position.turn] == PERSON:
                break
        self._tip = tree.node
        self._session.tell_tree()
        self._session.tell_state()
        self._next()

    async def on_stop_play(self, message):
        """Ends the game without a result; analysis may go on from there."""
        self.cancel()

    def _refuse_idle(self):
        if not self.active:
            raise RequestError("no game is being played")

    # Moves

    async def move(self, text):
        """Plays a person's move. Raises MoveError, RequestError."""
        session = self._session
        if session.tree.node != self._tip:
            raise RequestError("the game goes on at its last move")
        if self.sides[session.tree.position.turn] != PERSON:
            raise RequestError("it is the engine's turn")
        session.tree.position.parse_move(text)
        self._make(text)

    def _make(self, text):
        """Plays a move of the game at its tip, and lets the other side begin."""
        session, turn = self._session, self._session.tree.position.turn
        fields = {}
        self._stop_flag()
        if self.left is not None:
            left = self._left_now()
            if self._since is not None:
                left[turn] += self.increment
            self.left, self._since = left, time.monotonic()
            fields["clock"] = round(left[turn], 1)
        self._offer = ""
        self._tip = session.make(text, main=True, **fields).id
        self._next()

    def _next(self):
        """Ends the game if it is over, else sets the clock and the engine going."""
        session = self._session
        position = session.tree.position_at(self._tip)
        if result := position.result():
            self._end(result.score, result.reason)
            return
        if self.left is not None and self._since is not None:
            delay = max(0.0, self._left_now()[position.turn])
            self._flag = asyncio.get_running_loop().call_later(delay, self._fall, position.turn)
        if self.sides[position.turn] == ENGINE:
            self._task = asyncio.create_task(self._think(position))
        self._tell()

    async def _think(self, position):
        choices = [move for move in position.legal_moves() if move.is_choice]
        if choices:
            self._played(position, str(random.choice(choices)))
            return
        for attempt in range(MOST_CRASHES + 1):
            try:
                text = await self._opponent.move(
                    position, self._left_now(), self.increment, lambda info: self._hear(position, info)
                )
                position.parse_move(text or "")
                self._played(position, text)
                return
            except Resigned as claim:
                self._end(LOSS_OF[position.turn], f"{COLOURS[position.turn]} resigns: {claim}")
                return
            except (PlayerError, ValueError) as error:
                if attempt == MOST_CRASHES:
                    self._session.failed(f"{error}; the game stops here")
                    self.cancel()
                    return
                self._session.failed(f"{error}; it is started anew")
                self._opponent.close()
                await asyncio.sleep(0.3)

    def _hear(self, position, info):
        if "cp" in info or "mate" in info:
            cp = info.get("cp")
            self._scores[position.turn] = cp if cp is not None else 10_000 * (1 if info["mate"] > 0 else -1)
            self._last = with_chance(
                {key: info[key] for key in ("cp", "mate", "depth") if key in info}, position.description
            )

    def _played(self, position, text):
        """Plays the engine's move, even if a page looks at an earlier position."""
        if not self.active:
            return
        self._task = None
        tree = self._session.tree
        if tree.node != self._tip:
            tree.goto(self._tip)
        self._make(text)

    # Clocks and ends

    def _left_now(self):
        """Seconds left of both sides, None without clocks."""
        if self.left is None:
            return None
        left = list(self.left)
        if self._since is not None and self.active:
            turn = self._session.tree.position_at(self._tip).turn
            left[turn] = max(0.0, left[turn] - (time.monotonic() - self._since))
        return left

    def _fall(self, side):
        """The clock of a side has run down."""
        if self.active and self._left_now()[side] <= 0.05:
            self._end(LOSS_OF[side], f"{COLOURS[side]} loses on time")

    def _stop_flag(self):
        if self._flag:
            self._flag.cancel()
        self._flag = None

    def _end(self, score, reason):
        self.left = self._left_now()
        self._since = None
        self.result = {"score": score, "reason": reason}
        self._session.tree.tags |= {"Result": score, "Termination": reason}
        self._halt()
        self.active = False
        self._tell()

    def _halt(self):
        """Ends the engine's search and the clock's alarm."""
        self._stop_flag()
        task, self._task = self._task, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()
            if self._opponent:
                self._opponent.stop()

    def cancel(self):
        """Ends the game without a result."""
        self.left = self._left_now()
        self._halt()
        if self._opponent:
            self._opponent.close()
        self._opponent, self._since, self.result, self.left = None, None, None, None
        if self.active:
            self.active = False
            self._tell()
