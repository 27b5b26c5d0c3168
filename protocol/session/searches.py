"""The searches of a session: for the engine's move, in the other side's time, and for an analysis."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ...search.levels import DEFAULT_ELO, FULL_SKILL, level_for
from ...search.time_management import Limit
from .clock import MIN_CLOCK_S, EngineClock
from .game import GameInProgress
from .search_thread import SearchRequest, SearchThread

if TYPE_CHECKING:
    from ...engine.game.moves import Move
    from ...engine.position import Position
    from ...search.engine import Engine, Info

CLOCK_SLACK = 1.1  # keep a ponder result if the real clock is at least 1 / 1.1 of the one it was planned for
DRAW_DEPTH = 8  # plies; a shallower search is no ground for a draw
DRAW_SCORE = 0  # centipawns; a draw is accepted when the engine saw itself no better than this
MOVE, PONDERING, ANALYSIS = "move", "pondering", "analysis"  # what a pause may interrupt


def ends_game(position: "Position", move: "Move") -> bool:
    """Whether a game is over after `move`."""
    after = position.copy()
    after.push(move)
    return after.result() is not None


class SearchControl:
    """The searches of a `GameInProgress` under its `EngineClock`. `post` takes InfoReported, RootMoveStarted
    and Finished from the threads of searches."""

    def __init__(self, game: GameInProgress, clock: EngineClock, post: Callable[[object], None]) -> None:
        self._game, self._clock, self._post = game, clock, post
        self.engine: Engine = None  # type: ignore[assignment]  # until the first game is loaded
        self.search: SearchThread | None = None  # of the move that the engine is to make, or of an analysis
        self.pondering: SearchThread | None = None  # in the other side's time
        self.may_ponder = False
        self.expected: Move | None = None  # the other side's reply to the engine's last move
        self.interrupted: str | None = None  # what a pause has ended: MOVE, PONDERING or ANALYSIS
        self.multipv = 1
        self.limit_strength = False
        self.elo = DEFAULT_ELO  # what `limit_strength` makes of the engine
        self.skill = FULL_SKILL  # counts while `limit_strength` does not
        self._judgement: Info | None = None  # the last report of the engine about a move of its own
        self.has_analysed = False  # whether the last search was an analysis
        self.game_ended = False  # by the move that the last search has found
        self.other_clock: float | None = None  # the seconds that the other side has, where the GUI tells them

    @property
    def thinking(self) -> bool:
        """Whether the engine searches for its move."""
        return self.search is not None and not self.search.held

    @property
    def deciding(self) -> bool:
        """Whether the engine is about to move, now or after a pause."""
        return self.thinking or self.interrupted == MOVE

    def minds(self, search: SearchThread | None) -> bool:
        """Whether events of that search still matter."""
        return search is not None and search in (self.search, self.pondering)

    def forget(self) -> None:
        """Resets the state for another game."""
        self._judgement = self.expected = None
        self.game_ended = False

    def await_game(self) -> None:
        """Records that a game, and its clocks, will begin soon."""
        self.has_analysed, self.other_clock = False, None

    # Searches

    def think(self, spent: float = 0.0) -> None:
        """Begins the search for the side to move; posts InfoReported and Finished. If the engine pondered on
        this position, that search continues in the engine's own time. `spent` seconds of the move were used
        before."""
        self.interrupted = None
        self._clock.begin_move(spent)
        limit, searchmoves = self._clock.limit(self._game.position), self._game.searchmoves() or None
        request = SearchRequest(limit, searchmoves, self.multipv)
        pondered, self.pondering = self.pondering, None
        if pondered and not pondered.done and self._serves(pondered, request):
            pondered.hit()
            self.search = pondered
            return
        if pondered:
            pondered.stop()
        self.search = self._search(self._game.position, request)

    def ponder(self) -> bool:
        """Begins to search the reply to the expected move, if pondering is on and there is one; returns
        whether it has begun. The engine's clock does not run meanwhile, so the limits of that search are
        known."""
        game = self._game
        if not self.may_ponder or game.over or self.search or self.expected is None or game.on_move:
            return False
        if game.engine_side is None:
            return False
        reply = game.position.copy()
        reply.push(self.expected)
        if reply.result() is None:
            self.stop_pondering()
            request = SearchRequest(self._clock.limit(reply), multipv=self.multipv)
            self.pondering = self._search(reply, request, held=True)
        return self.pondering is not None

    def analyse(self) -> None:
        """Searches the current position until it is stopped, unless it has no moves."""
        chosen = self._game.searchmoves()
        if chosen or (chosen is None and self._game.position.legal_moves()):
            self.go(Limit(), chosen, held=True, at_full_strength=True)

    def go(
        self,
        limit: Limit,
        searchmoves: "tuple[Move, ...] | None" = None,
        held: bool = False,
        at_full_strength: bool = False,
    ) -> None:
        """Begins a search of all moves, or of the `searchmoves`; a `held` one continues until it is hit or
        stopped. Posts InfoReported and Finished."""
        request = SearchRequest(self._clock.without_delay(limit), searchmoves, self.multipv)
        self.search = self._search(self._game.position, request, held, at_full_strength)

    def _search(
        self, position: "Position", request: SearchRequest, held: bool = False, at_full_strength: bool = False
    ) -> SearchThread:
        self.engine.move_overhead = self._clock.overhead
        self.has_analysed, self.game_ended = held and not request.is_bounded, False
        return SearchThread(
            self.engine,
            position.copy(),
            request,
            self._post,
            held=held,
            by_processor=self._clock.control.node_rate is not None,
            level=None if at_full_strength else level_for(self.limit_strength, self.elo, self.skill),
        )

    def _serves(self, pondered: SearchThread, request: SearchRequest) -> bool:
        """Whether the ponder search is for this position and this request."""
        here, there = self._game.position, pondered.position
        if (here.start_fen, here.moves) != (there.start_fen, there.moves):
            return False
        clock, expected = request.limit.clock, pondered.request.limit.clock
        if replace(request, limit=replace(request.limit, clock=expected)) != pondered.request:
            return False
        if clock is None or expected is None:
            return clock is expected
        fits = clock.increment == expected.increment and clock.moves_to_go == expected.moves_to_go
        return bool(fits and expected.remaining <= clock.remaining * CLOCK_SLACK + MIN_CLOCK_S)

    # Ends of searches

    def abandon(self) -> None:
        """Ends the current searches, if any, and discards them."""
        search, self.search, self.interrupted = self.search, None, None
        if search:
            search.stop()
        self.stop_pondering()

    def pause(self) -> None:
        """Ends all thinking until `resume`; the results so far stay in the table. No clock runs."""
        search, pondering = self.search, self.pondering is not None
        if search is None and not pondering:
            return
        self.abandon()
        if search is None:
            self.interrupted = PONDERING
        elif search.held:
            self.interrupted = ANALYSIS
        else:
            self._clock.interrupt_move(search)
            self.interrupted = MOVE

    def resume(self) -> None:
        """Continues with the engine's move, or with pondering, if `pause` has interrupted it; its owner
        restarts an analysis."""
        interrupted, self.interrupted = self.interrupted, None
        if interrupted == MOVE:
            self.think(self._clock.spent)
        elif interrupted == PONDERING:
            self.ponder()

    def conclude(self) -> "tuple[tuple[Move, ...], SearchThread]":
        """Ends the current search; returns the move to play with its line, and the search.

        The line is empty if there was no move. For a failed search it is the last report, or any legal move,
        and `error` has the reason."""
        search, self.search = self.search, None
        assert search is not None
        search.stop()
        moves = search.request.searchmoves or search.position.legal_moves()
        line = search.line if search.line and search.line[0] in moves else tuple(moves[:1])
        self.game_ended = not line or ends_game(search.position, line[0])
        return line, search

    def finish(self) -> "tuple[Move | None, SearchThread]":
        """Ends the current search, makes its move, and returns the move, or None, and the search."""
        line, search = self.conclude()
        if not line:
            return None, search
        self._clock.end_move(search, self._game.position.ply)
        self._judgement = search.last_info
        self._game.push(line[0])
        replies = self._game.position.legal_moves()
        self.expected = next((move for move in line[1:2] if move in replies), None)
        return line[0], search

    def set_aside(self, search: SearchThread) -> None:
        """Discards a search that has failed before its own time."""
        if search is self.pondering:
            self.pondering = None
        if search is self.search:
            self.search = None

    def set_pondering(self, wanted: bool) -> None:
        """Sets whether the engine thinks in the other side's time from now on."""
        self.may_ponder = wanted
        if not wanted:
            self.stop_pondering()

    def stop_pondering(self) -> None:
        """Ends the ponder search, if any."""
        pondered, self.pondering = self.pondering, None
        if pondered:
            pondered.stop()

    # Results of searches

    def clear(self) -> None:
        """Clears the search memory. Raises ValueError while the engine is to move."""
        if self.search:
            raise ValueError("not while thinking")
        self.stop_pondering()
        if self.engine:
            self.engine.clear()

    def give_score(self, centipawns: int, mate: int | None, depth: int) -> None:
        """Sets the score of the current position, for the side to move, in searches up to a depth."""
        from ...search.engine import Score

        self.abandon()
        self.engine.give_score(self._game.position, Score(centipawns, mate), depth)

    def accepts_draw(self) -> bool:
        """Whether the engine accepts a draw now: if a deep search scored it no better than even."""
        info = (self.search and self.search.last_info) or self._judgement
        if self._game.engine_side is None or info is None or info.depth < DRAW_DEPTH:
            return False
        if info.score.mate is not None:
            return info.score.mate < 0
        return info.score.centipawns <= DRAW_SCORE
