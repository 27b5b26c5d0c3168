"""Moves, positions and results in CECP, and which side the engine plays."""

import re
from collections import Counter
from collections.abc import Callable

from ...engine.game.moves import MoveError
from ..session.game import BLACK, WHITE
from ..wire.arguments import RefusedError
from ..wire.stdio import excerpt
from .analysis import why_illegal
from .notation import PASS, Spelled
from .offers import RESIGNATION
from .parts import Parts
from .setting_up import passes
from .start import Start

_HOLDING = re.compile(r"\[([A-Za-z]*)\]\s*\[([A-Za-z]*)\](?:\s+[WwBb][A-Za-z])?", re.ASCII)


def read_holding(text: str) -> tuple[Counter[str], Counter[str]]:
    """White's and Black's hand, letter to count, from `[PPR] [q]`; the last acquisition may follow. Raises
    RefusedError."""
    match = _HOLDING.fullmatch(text)
    if not match:
        raise RefusedError("holding needs two hands in brackets")
    return Counter(match[1].upper()), Counter(match[2].upper())


class Play(Spelled):
    """The game of a conversation, between the engine and the GUI. `confess` reports errors of searches."""

    def __init__(self, parts: Parts, start: Start, confess: Callable[[Exception], None]) -> None:
        self._session = parts.session
        self._game = parts.session.game
        self._search_control = parts.session.search_control
        self._start, self._move_effects, self._analysis = start, parts.move_effects, parts.analysis
        self._setting_up, self._thoughts, self._limits = parts.setting_up, parts.thoughts, parts.limits
        self._offers, self._write, self._remark = parts.offers, parts.write_line, parts.remark
        self._confess = confess

    # Moves and positions

    def usermove(self, argument: str) -> None:
        """Makes a move of the user, or a part of one; the engine may reply."""
        if self._search_control.deciding:
            self._illegal("not your turn", argument)
            return
        try:
            if not self._move_effects.makes(PASS if self._notation.is_pass(argument) else argument):
                move = self._move_effects.whole(argument)
                self._game.push(self._notation.read_move(move, self._session.position))
                self._move_effects.moved()
        except MoveError as error:
            self._illegal(why_illegal(self._session, self._notation, argument, error), argument)
            return
        if self._analysis.active:
            self._session.abandon()
        else:
            self._go_on()
        self._move_effects.advise()

    def setboard(self, argument: str) -> None:
        """Sets the position, or makes the pass that leads to it."""
        if self._is_pass(argument):
            self.usermove(PASS)
        else:
            self._setting_up.set_position(argument)

    def undo(self, argument: str) -> None:
        """Takes back a half move."""
        self._take_back(1)

    def remove(self, argument: str) -> None:
        """Takes back a move of each side."""
        self._take_back(2)

    def holding(self, argument: str) -> None:
        """Compares the hands with those of a chess server."""
        hands = read_holding(argument)
        if self._session.ready and self._start.wanted is not None:
            position = self._session.position
            if [dict(hand) for hand in hands] != [position.hand(side) for side in (WHITE, BLACK)]:
                self._remark(f"other hands than those of the position: {position.fen()}")

    def result(self, argument: str) -> None:
        """The GUI has ended the game."""
        self._session.end()

    def draw(self, argument: str) -> None:
        """Accepts a draw by offering one."""
        if self._search_control.accepts_draw():
            self._write("offer draw")

    # Who plays

    def force(self, argument: str) -> None:
        """The engine plays neither side."""
        self._session.force()

    def go(self, argument: str) -> None:
        """The engine plays the side to move."""
        self._analysis.end()
        self._session.abandon()
        self._game.over = False
        self._game.engine_side = self._move_effects.turn
        self._go_on()

    def playother(self, argument: str) -> None:
        """The engine plays the side that is not to move."""
        self._session.abandon()
        self._game.engine_side = 1 - self._move_effects.turn

    def make_move(self) -> None:
        """Makes the engine's move and its consequences."""
        move, search = self._search_control.finish()
        if search.error:
            self._confess(search.error)
        offer = self._offers.judge(search.last_info, self._session.position.ply)
        if offer:
            self._write(offer)
        if offer == RESIGNATION and move is not None:
            self._session.take_back(1)  # the GUI is not told about the move
            self._session.end()
            return
        if move is not None:
            for line in self._move_effects.lines(move):
                self._write(line)
            self._move_effects.moved()
        self._limits.take_cores()
        if move is None:
            self._claim_result()
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Continues after a move, or a part of its move_effects."""
        if self._move_effects.carry_on() and not self._claim_result():
            if self._game.on_move:
                self._search_control.think()
            elif self._search_control.ponder():
                self._thoughts.hint()

    def _claim_result(self) -> bool:
        """Claims the result if the game has ended by rule; returns whether it has."""
        result = self._game.result()
        if result:
            self._session.end()
            self._write(f"{result.score} {{{result.reason}}}")
        return bool(result)

    def _is_pass(self, fen: str) -> bool:
        """Whether the position is the one after a pass: XBoard reports a pass to a playing engine in this
        way."""
        if self._move_effects.passes(fen):
            return True
        plays = self._game.engine_side is not None and not self._search_control.deciding
        return plays and passes(self._session.position, fen)

    def _take_back(self, count: int) -> None:
        try:
            self._move_effects.take_back(count)
        except ValueError as error:
            raise RefusedError(str(error)) from None

    def _illegal(self, reason: str, text: str) -> None:
        self._write(f"Illegal move ({reason}): {excerpt(text)}")
