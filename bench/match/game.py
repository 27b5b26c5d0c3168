"""The referee: one game between two players, from the opening to its result.

The referee plays every move on its own `Position` and trusts no player. A player that does something wrong
loses the game; nothing that it does raises an exception here.
"""

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ...engine.position import COLOURS, LOSS_OF, MoveError, Position
from ...protocol.wire.stdio import excerpt
from ..players import player as failures
from .model import GameResult, MoveRecord, Record, Termination

if TYPE_CHECKING:
    from ...engine.game.description import Description


KINDS = (  # what a failing player counts as; the first that fits
    (failures.StartError, Termination.START),
    (failures.CrashError, Termination.CRASH),
    (failures.DisconnectError, Termination.DISCONNECT),
    (failures.StallError, Termination.STALL),
    (failures.PlayerError, Termination.PROTOCOL),
)
LEAST_CLOCK = 0.001  # seconds; what an engine is told that lives on the margin


class GameOver(Exception):  # noqa: N818 - no error, but an end
    """The end of a game, wherever it is found."""

    def __init__(self, score, reason: str, termination=Termination.NORMAL, fault=None) -> None:
        super().__init__(reason)
        self.score, self.reason, self.termination, self.fault = score, reason, termination, fault


class PlayerClock:
    """The time of one player: `left` seconds, None without a clock."""

    def __init__(self, control, margin) -> None:
        self.left = control.base
        self._control, self._margin, self._made = control, margin, 0

    @property
    def told(self):
        """The seconds left that the player hears of."""
        return None if self.left is None else max(self.left, LEAST_CLOCK)

    def spend(self, seconds: float):
        """Takes the time of one move and adds what comes after it. Returns whether it was in time."""
        control = self._control
        self._made += 1
        if control.movetime is not None:
            return seconds <= control.movetime + self._margin
        if self.left is None:
            return True
        self.left -= seconds
        in_time = self.left >= -self._margin
        self.left += control.increment
        if control.moves and self._made % control.moves == 0:
            self.left += control.base
        return in_time


class Referee:
    """Plays one game; `play_game` is the way in."""

    def __init__(self, game, players, controls, description: "Description", rules) -> None:
        self.game, self.players, self.controls, self.rules = game, players, controls, rules
        self.position = Position(description.name, game.opening.fen)
        for move in game.opening.moves:
            self.position.push(move)
        self.clocks = [PlayerClock(control, rules.margin) for control in controls]
        self.plies: list[MoveRecord] = []
        self._elsewhere = 0.0  # seconds that belong to the engines

    def play(self, on_ply):
        """The Record of the whole game."""
        started, begin = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
        try:
            self._set_up()
            while True:
                self._end_by_rule()
                self._end_by_adjudication()
                self._ponder()
                self._one_move()
                on_ply(self.position, self.plies[-1], [clock.left for clock in self.clocks])
        except GameOver as end:
            over = end
        self._tell_end(over)
        seconds = time.monotonic() - begin
        return Record(
            self.game,
            over.score,
            over.reason,
            over.termination,
            self.plies,
            None if over.fault is None else self._number(over.fault),
            started,
            round(seconds, 6),
            round(max(seconds - self._elsewhere, 0.0), 6),
        )

    def _number(self, colour):
        return (self.game.white, self.game.black)[colour]

    def _forfeit(self, colour, reason, termination):
        return GameOver(LOSS_OF[colour], reason, termination, colour)

    def _ask(self, colour, question, *arguments):
        """What the player's method `question` returns; its failure ends the game."""
        try:
            return getattr(self.players[colour], question)(*arguments)
        except failures.PlayerError as error:
            raise self._forfeit(colour, *failure(colour, error)) from None

    def _set_up(self):
        begin = time.monotonic()
        for colour in (0, 1):
            own, other = self.controls[colour], self.controls[1 - colour]
            self._ask(colour, "new_game", self.position, own, other, colour)
        self._elsewhere += time.monotonic() - begin

    def _end_by_rule(self):
        result = self.position.result()
        if result:
            raise GameOver(result.score, result.reason)

    def _end_by_adjudication(self):
        verdict = self.rules.verdict(self.position, self.plies)
        if verdict:
            raise GameOver(*verdict, Termination.ADJUDICATION)

    def _ponder(self):
        """Tells the player who has moved that it may think in the other's time."""
        if self.plies:
            other = self.position.turn
            clock, other_clock = self.clocks[1 - other].told, self.clocks[other].told
            self._ask(1 - other, "ponder", self.position, clock, other_clock)

    def _one_move(self):
        """One answer of the player to move, judged."""
        turn = self.position.turn
        clock, other = self.clocks[turn], self.clocks[1 - turn]
        answer = self._ask(turn, "think", self.position, clock.told, other.told)
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

    def _claimed(self, turn, answer):
        """The end of a game in which the player to move claims something: only a resignation can be right,
        because every result by rule has been looked for before it was asked."""
        colour, own_loss = COLOURS[turn], answer.claim == LOSS_OF[turn]
        if answer.claim == "resign" or (own_loss and "resign" in answer.text.lower()):
            return GameOver(LOSS_OF[turn], f"{colour} resigns")
        if answer.claim is None:
            text = f": {answer.text}" if answer.text else ""
            return self._forfeit(turn, f"{colour} makes no move{text}", Termination.PROTOCOL)
        text = f" {{{answer.text}}}" if answer.text else ""
        return self._forfeit(
            turn, f"{colour} claims {answer.claim}{text}, but the game goes on", Termination.CLAIM
        )

    def _tell_end(self, over):
        """Tells both players, except one that has failed. One that fails here has played its game: whoever
        keeps the players finds out."""
        begin = time.monotonic()
        for colour, player in enumerate(self.players):
            if colour != over.fault:
                try:
                    player.end_game(self.position, over.score, over.reason)
                except failures.PlayerError:
                    continue
        self._elsewhere += time.monotonic() - begin


def play_game(
    game, players, controls, description: "Description", rules, on_ply=lambda position, ply, clocks: None
):
    """The Record of a `MatchGame` between `players`, White's and Black's, under their `TimeControl`s.

    `description` is the game's `Description`, `rules` the match's `AdjudicationRules`. After every move
    `on_ply` is called with the referee's position (to be looked at only), the MoveRecord and the seconds
    left to White and Black (None without a clock). A player at `fault` must not play on:
    the state of its process is unknown. Raises FenError or MoveError for an opening that does not fit the
    game.
    """
    return Referee(game, players, controls, description, rules).play(on_ply)


def failure(colour: int, error):
    """(reason, termination) for a PlayerError of the engine of that colour."""
    kind = next(kind for error_class, kind in KINDS if isinstance(error, error_class))
    return f"{COLOURS[colour]} fails ({kind}): {error}", kind


def no_start(game, colour: int, error):
    """The Record of a game that could not begin, because the engine of that colour did not start."""
    reason = f"{COLOURS[colour]} fails ({Termination.START}): {error}"
    number = (game.white, game.black)[colour]
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return Record(game, GameResult(LOSS_OF[colour]), reason, Termination.START, fault=number, started=started)


def _ply(move, answer):
    """The MoveRecord of a move that has been made."""
    thinking = answer.thinking
    if thinking is None:
        return MoveRecord(str(move), round(answer.seconds, 6))
    score = thinking.score if thinking.mate is None else None
    seconds, depth, nodes = answer.seconds, thinking.depth, thinking.nodes
    return MoveRecord(str(move), round(seconds, 6), score, thinking.mate, depth, nodes, thinking.seconds)
