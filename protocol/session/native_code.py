"""Compiles native code for a game that runs prebuilt code, while no clock runs."""

import time
from typing import TYPE_CHECKING

from .game import GameInProgress
from .searches import SearchControl

if TYPE_CHECKING:
    from ...search.native_code import NativeCompiler

QUIET_S = 2.0  # without a running clock before the compiler starts


class NativeCode:
    """Allows native code to be compiled after a game and in an analysis, and forbids it while a clock
    runs."""

    def __init__(self, game: GameInProgress, search_control: SearchControl) -> None:
        self._game, self._search_control = game, search_control
        self._wanted = True
        self._state: object = None  # the state for which the moment was computed
        self._moment = 0.0  # of time.monotonic
        self._compiler: NativeCompiler | None = None

    def use(self, wanted: bool) -> None:
        """Sets whether native code is compiled at all."""
        self._wanted = wanted

    def update(self, is_ready: bool) -> None:
        """Updates the state; `is_ready`: the current game is loaded."""
        quiet = self._quiet() if is_ready and self._wanted else None
        if quiet is None:
            self.forbid()
            return
        state = quiet, self._search_control.search
        if state != self._state:
            self._state, self._moment = state, time.monotonic() + quiet
        if self._compiler is None:
            from ...search.native_code import NativeCompiler

            self._compiler = NativeCompiler()
        self._compiler.allow(self._search_control.engine, self._moment)

    def forbid(self) -> None:
        """Stops the compiler at once."""
        self._state = None
        if self._compiler:
            self._compiler.forbid()

    def _quiet(self) -> float | None:
        """The seconds after which no clock runs if nothing else happens; None if unknown."""
        search_control = self._search_control
        search = search_control.search or search_control.pondering
        if search:
            return QUIET_S if search.is_analysis else None
        if self._game.over or search_control.game_ended or search_control.has_analysed:
            return QUIET_S
        if search_control.other_clock is None:
            return None
        return QUIET_S + search_control.other_clock  # after that time the opponent has lost on time
