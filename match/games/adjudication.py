"""Games that the referee ends before the rules do: by the engines' scores, or by their length. All rules are
off by default, because a game that is played to its end gives more information."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...engine.game_end import COLOURS, DRAW, LOSS_OF

if TYPE_CHECKING:
    from ...engine.position import Position
    from ..records.model import MoveRecord


MATE_SCORE = 100_000  # centipawns; the score of a mate in any number of moves


@dataclass(frozen=True)
class DrawRule:
    """A draw when `move` moves of each side are made, and both engines' last `number` scores are at most
    `score` centipawns away from 0. Moves are counted as in `AdjudicationRules`."""

    number: int = 8
    move: int = 40
    score: int = 10


@dataclass(frozen=True)
class ResignRule:
    """A loss when an engine's last `number` scores are at or below minus `score` centipawns, and the other's
    last ones at or above `score`: the loser and the winner agree."""

    number: int = 4
    score: int = 700


@dataclass(frozen=True)
class AdjudicationRules:
    """How the referee ends games, besides the rules of the game.

    `margin` is the number of seconds by which a clock may be overdrawn, since the messages to and from the
    engine take time, too.
    `max_moves` of each side, after which a game is drawn (0: no limit). Moves are those of the game by the
    position's move number, so that an opening is the same as moves and as a position.
    """

    margin: float = 0.02
    draw: DrawRule | None = None
    resign: ResignRule | None = None
    max_moves: int = 0

    def verdict(self, position: "Position", plies: "Sequence[MoveRecord]") -> tuple[str, str] | None:
        """(score, reason) if the game with `plies` up to `position` is adjudicated, or None."""
        if self.draw and self._agreed_draw(position, plies):
            return DRAW, "Draw by adjudication: the scores of both stay at 0"
        loser = self._loser(position, plies) if self.resign else None
        if loser is not None:
            return LOSS_OF[loser], f"{COLOURS[1 - loser]} wins by adjudication: both scores say so"
        if self.max_moves and game_plies(position) >= 2 * self.max_moves:
            return DRAW, f"Draw by adjudication: {self.max_moves} moves are made"
        return None

    def _agreed_draw(self, position: "Position", plies: "Sequence[MoveRecord]") -> bool:
        rule = self.draw
        assert rule is not None
        if game_plies(position) < 2 * rule.move or len(plies) < 2 * rule.number:
            return False
        values = [value(ply) for ply in plies[-2 * rule.number :]]
        return all(number is not None and abs(number) <= rule.score for number in values)

    def _loser(self, position: "Position", plies: "Sequence[MoveRecord]") -> int | None:
        """The colour that loses by the last scores of both engines, or None."""
        rule = self.resign
        assert rule is not None
        last = [number for ply in plies[-2 * rule.number :] if (number := value(ply)) is not None]
        if len(last) < 2 * rule.number:
            return None
        mover = 1 - position.turn  # who made the last ply
        for loser, losing, winning in ((mover, last[1::2], last[::2]), (1 - mover, last[::2], last[1::2])):
            if max(losing) <= -rule.score and min(winning) >= rule.score:
                return loser
        return None


def game_plies(position: "Position") -> int:
    """The half-moves of the game so far, by the move number of its FEN."""
    return 2 * (int(position.state["fullmoves"]) - 1) + position.turn


def value(ply: "MoveRecord") -> int | None:
    """The score of a ply in centipawns for its mover, mates included; None where the engine gave none."""
    if ply.mate is not None:
        return MATE_SCORE if ply.mate > 0 else -MATE_SCORE
    return ply.score


def settings(text: str, defaults: Mapping[str, int]) -> dict[str, int]:
    """The whole numbers of a text like "number=8 score=10" over `defaults`, a dict that names all of them.
    Raises ValueError quoting the word that is wrong."""
    numbers = dict(defaults)
    for word in text.split():
        name, equals, number = word.partition("=")
        if name not in defaults or not equals:
            raise ValueError(f"{word!r} should be one of {', '.join(f'{key}=...' for key in defaults)}")
        try:
            numbers[name] = int(number)
        except ValueError:
            raise ValueError(f"{number!r} in {word!r} is not a whole number") from None
    return numbers


def parse_draw(text: str) -> DrawRule:
    """The DrawRule of "number=8 move=40 score=10", any of them left out. Raises ValueError."""
    rule = DrawRule(**settings(text, {"number": 8, "move": 40, "score": 10}))
    _refuse_less_than(text, (("number", rule.number, 1), ("move", rule.move, 0), ("score", rule.score, 0)))
    return rule


def parse_resign(text: str) -> ResignRule:
    """The ResignRule of "number=4 score=700", either left out. Raises ValueError."""
    rule = ResignRule(**settings(text, {"number": 4, "score": 700}))
    _refuse_less_than(text, (("number", rule.number, 1), ("score", rule.score, 1)))
    return rule


def _refuse_less_than(text: str, bounds: Iterable[tuple[str, int, int]]) -> None:
    for name, number, least in bounds:
        if number < least:
            raise ValueError(f"{name}={number} in {text!r} should be at least {least}")
