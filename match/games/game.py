"""The referee: one game between two players, from the opening to its result.

The referee plays every move on its own `Position` and trusts no player. A player that commits a fault loses
the game; no fault raises an exception here."""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from ...engine.game.description import Description
from ...engine.game_end import COLOURS, LOSS_OF
from ...engine.position import Move, MoveError, Position, played
from ...protocol.wire.stdio import excerpt
from ..players import player as failures
from ..players.control import TimeControl
from ..records.model import GameResult, MatchGame, MoveRecord, Record, Termination
from .adjudication import AdjudicationRules

KINDS = (  # terminations by the kind of failure; the first that fits
    (failures.StartError, Termination.START),
    (failures.CrashError, Termination.CRASH),
    (failures.DisconnectError, Termination.DISCONNECT),
    (failures.StallError, Termination.STALL),
    (failures.PlayerError, Termination.PROTOCOL),
)
LEAST_CLOCK = 0.001  # seconds that an engine is told when it has only the margin left
OnPly = Callable[[Position, MoveRecord, list[float | None]], None]  # see `play_game`


class GameOver(Exception):  # noqa: N818 - not an error
    """Raised where the end of a game is found."""

    def __init__(
        self, score: str, reason: str, termination: Termination = Termination.NORMAL, fault: int | None = None
    ) -> None:
        super().__init__(reason)
        self.score, self.reason, self.termination, self.fault = score, reason, termination, fault


class PlayerClock:
    """The clock of one player: `left` seconds, None without a clock."""

    def __init__(self, control: TimeControl, margin: float) -> None:
        self.left: float | None = control.base
        self._control, self._margin, self._made = control, margin, 0

    @property
    def told(self) -> float | None:
        """The seconds left besides the byoyomi, as sent to the player."""
        if self.left is None or self._control.byoyomi:
            return self.left
        return max(self.left, LEAST_CLOCK)

    def spend(self, seconds: float) -> bool:
        """Subtracts the time of one move and adds the increment. Returns whether the player was in time."""
        control = self._control
        self._made += 1
        if control.movetime is not None:
            return seconds <= control.movetime + self._margin
        if self.left is None:
            return True
        self.left -= seconds
        in_time = self.left + control.byoyomi >= -self._margin
        if control.byoyomi:
            self.left = max(self.left, 0.0)
        self.left += control.increment
        if control.moves and self._made % control.moves == 0:
            assert control.base is not None
            self.left += control.base
        return in_time


class Referee:
    """Plays one game; made by `play_game`."""

    def __init__(
        self,
        game: MatchGame,
        players: Sequence[failures.Player],
        controls: Sequence[TimeControl],
        description: Description,
        rules: AdjudicationRules,
    ) -> None:
        self.game, self.players, self.controls, self.rules = game, players, controls, rules
        self.position = played(description.name, game.opening.moves, game.opening.fen)
        self.clocks = [PlayerClock(control, rules.margin) for control in controls]
        self.plies: list[MoveRecord] = []
        self._elsewhere = 0.0  # seconds that the engines used

    def play(self, on_ply: OnPly) -> Record:
        """The Record of the whole game."""
        started, begin = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
        try:
            self._set_up()
            while True:
                if result := self.position.result():
                    raise GameOver(result.score, result.reason)
                if verdict := self.rules.verdict(self.position, self.plies):
                    raise GameOver(*verdict, Termination.ADJUDICATION)
                self._ponder()
                self._one_move()
                on_ply(self.position, self.plies[-1], [clock.left for clock in self.clocks])
        except GameOver as end:
            over = end
        self._tell_end(over)
        seconds = time.monotonic() - begin
        return Record(
            self.game,
            GameResult(over.score),
            over.reason,
            over.termination,
            self.plies,
            None if over.fault is None else (self.game.white, self.game.black)[over.fault],
            started,
            round(seconds, 6),
            round(max(seconds - self._elsewhere, 0.0), 6),
        )

    def _forfeit(self, colour: int, reason: str, termination: Termination) -> GameOver:
        return GameOver(LOSS_OF[colour], reason, termination, colour)

    def _ask(self, colour: int, question: str, *arguments: Any) -> Any:
        """Calls the player's method `question`; a PlayerError ends the game."""
        try:
            return getattr(self.players[colour], question)(*arguments)
        except failures.PlayerError as error:
            raise self._forfeit(colour, *failure(colour, error)) from None

    def _set_up(self) -> None:
        begin = time.monotonic()
        for colour in (0, 1):
            own, other = self.controls[colour], self.controls[1 - colour]
            self._ask(colour, "new_game", self.position, own, other, colour)
        self._elsewhere += time.monotonic() - begin

    def _ponder(self) -> None:
        """Tells the player that has moved that it may ponder."""
        if self.plies:
            other = self.position.turn
            clock, other_clock = self.clocks[1 - other].told, self.clocks[other].told
            self._ask(1 - other, "ponder", self.position, clock, other_clock)

    def _one_move(self) -> None:
        """Asks the player to move for its move, checks it and plays it."""
        turn = self.position.turn
        clock, other = self.clocks[turn], self.clocks[1 - turn]
        answer: failures.Answer = self._ask(turn, "think", self.position, clock.told, other.told)
        self._elsewhere += answer.seconds
        if not clock.spend(answer.seconds):
            reason = f"{COLOURS[turn]} loses on time: {answer.seconds:.3f} s for a move"
            raise self._forfeit(turn, reason, Termination.TIME)
        if answer.move is None:
            raise self._claimed(turn, answer)
        try:
            move = self.position.push(answer.move)
        except MoveError as error:
            why = f": {error.reason.removeprefix('is ')}" if error.reason else ""
            reason = f"{COLOURS[turn]}'s move {excerpt(answer.move)} is illegal{why}"
            raise self._forfeit(turn, reason, Termination.ILLEGAL) from None
        self.plies.append(_ply(move, answer))

    def _claimed(self, turn: int, answer: failures.Answer) -> GameOver:
        """The end of a game after a claim of the player to move: only a resignation can be right, because
        results by rule are detected before the player is asked."""
        colour, own_loss = COLOURS[turn], answer.claim == LOSS_OF[turn]
        if answer.claim == "resign" or (own_loss and "resign" in answer.text.lower()):
            return GameOver(LOSS_OF[turn], f"{colour} resigns")
        if answer.claim is None:
            text = f": {answer.text}" if answer.text else ""
            return self._forfeit(turn, f"{colour} makes no move{text}", Termination.PROTOCOL)
        text = f" {{{answer.text}}}" if answer.text else ""
        return self._forfeit(
            turn, f"{colour} claims {answer.claim}{text}, but the game is not over", Termination.CLAIM
        )

    def _tell_end(self, over: GameOver) -> None:
        """Tells both players, except one that has failed. A failure here does not change the result: the
        next use of that player shows it."""
        begin = time.monotonic()
        for colour, player in enumerate(self.players):
            if colour != over.fault:
                try:
                    player.end_game(self.position, over.score, over.reason)
                except failures.PlayerError:
                    continue
        self._elsewhere += time.monotonic() - begin


def play_game(
    game: MatchGame,
    players: Sequence[failures.Player],
    controls: Sequence[TimeControl],
    description: Description,
    rules: AdjudicationRules,
    on_ply: OnPly = lambda position, ply, clocks: None,
) -> Record:
    """The Record of a `MatchGame` between `players`, White's and Black's, under their `TimeControl`s.

    `description` is the game's `Description`, `rules` the match's `AdjudicationRules`. After every move
    `on_ply` is called with the referee's position (which it must not change), the MoveRecord and the seconds
    left to White and Black (None without a clock). A player at `fault` must not be used again, because the
    state of its process is unknown. Raises FenError or MoveError for an opening that does not fit the game.
    """
    return Referee(game, players, controls, description, rules).play(on_ply)


def failure(colour: int, error: failures.PlayerError) -> tuple[str, Termination]:
    """(reason, termination) for a PlayerError of the engine of that colour."""
    kind = next(kind for error_class, kind in KINDS if isinstance(error, error_class))
    return f"{COLOURS[colour]} fails ({kind}): {error}", kind


def no_start(game: MatchGame, colour: int, error: failures.PlayerError) -> Record:
    """The Record of a game that could not begin, because the engine of that colour did not start."""
    reason = f"{COLOURS[colour]} fails ({Termination.START}): {error}"
    number = (game.white, game.black)[colour]
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return Record(game, GameResult(LOSS_OF[colour]), reason, Termination.START, fault=number, started=started)


def _ply(move: Move, answer: failures.Answer) -> MoveRecord:
    thinking = answer.thinking
    if thinking is None:
        return MoveRecord(str(move), round(answer.seconds, 6))
    score = thinking.score if thinking.mate is None else None
    seconds, depth, nodes = answer.seconds, thinking.depth, thinking.nodes
    return MoveRecord(str(move), round(seconds, 6), score, thinking.mate, depth, nodes, thinking.seconds)
