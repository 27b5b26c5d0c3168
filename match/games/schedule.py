"""The games of a match, their order, and those still to be played.

Every schedule is a list of `MatchGame`s that depends only on its arguments: game `number` is the same game
each time the match is resumed, and with more openings the existing games keep their numbers. There is one
round for each opening, in which all pairings play that opening, so at any point all pairings have played
about as many games."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from ..records.model import GameResult, MatchGame, Opening, Record, Termination


def round_robin(engines: int, openings: Sequence[Opening]) -> list[MatchGame]:
    """Each engine against each other one, as in `pairings`."""
    return pairings(_circle(engines), openings)


def gauntlet(engines: int, openings: Sequence[Opening]) -> list[MatchGame]:
    """Engine 0 against each of the others, which do not meet, as in `pairings`."""
    return pairings([(0, other) for other in range(1, engines)], openings)


def pairings(pairs: Sequence[tuple[int, int]], openings: Sequence[Opening]) -> list[MatchGame]:
    """The games of these pairings: each opening twice with colours swapped, one game right after the
    other."""
    games: list[MatchGame] = []
    for pair, (opening, (first, second)) in enumerate(product(openings, pairs)):
        for white, black in ((first, second), (second, first)):
            games.append(MatchGame(len(games), pair, white, black, opening))
    return games


def _circle(engines: int) -> list[tuple[int, int]]:
    """All pairings by the circle method: no engine plays again before all others have played."""
    ring: list[int | None] = [*range(engines), *[None] * (engines % 2)]
    pairings = []
    for _ in range(len(ring) - 1):
        for one, other in zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True):
            if one is not None and other is not None:
                pairings.append((min(one, other), max(one, other)))
        ring.insert(1, ring.pop())
    return pairings


def replay_of(game: MatchGame) -> MatchGame:
    """The same game once more with colours swapped."""
    return replace(game, white=game.black, black=game.white, replay=game.replay + 1)


def next_replay(record: Record, most: int) -> MatchGame | None:
    """The replay of a drawn game; None if it was not drawn, or after `most` replays. Without this bound two
    engines that always draw would play forever."""
    return replay_of(record.game) if record.score == GameResult.DRAW and record.game.replay < most else None


def unplayed(games: Sequence[MatchGame], records: Iterable[Record], most_replays: int = 0) -> list[MatchGame]:
    """The games of a schedule that are not in `records`, in order; drawn ones again up to `most_replays`
    times.

    Raises ValueError when a record belongs to no game of the schedule.
    """
    last: dict[int, Record] = {}
    for record in records:
        number = record.game.number
        if not (0 <= number < len(games) and _is_same_game(games[number], record.game)):
            raise ValueError(
                f"game {number + 1} has been played, but is not game {number + 1} of this schedule"
            )
        if record.termination == Termination.UNTERMINATED:
            continue
        if number not in last or record.game.replay > last[number].game.replay:
            last[number] = record
    waiting = [next_replay(last[g.number], most_replays) if g.number in last else g for g in games]
    return [game for game in waiting if game is not None]


def _is_same_game(planned: MatchGame, played: MatchGame) -> bool:
    swapped = played.replay % 2
    white, black = (played.black, played.white) if swapped else (played.white, played.black)
    return replace(played, replay=0, white=white, black=black) == planned
