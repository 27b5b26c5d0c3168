"""Openings by search: a tree of good lines from the start, and traps that games fell for."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from ...engine.position import Position, played
from ...engine.variant import Variant
from ...search.engine import Engine, Info, Limit
from .study_game import LINE_PLIES, StudyGame

NODES, NODES_A_GAME = 20_000, 100  # of each line of a search: that many for each game of the study, at most
WIDTHS = (8, 3, 3)  # moves of a position by ply, for which the search gives scores
BRANCHES = (4, 2)  # of these moves, how many are searched on
CONTINUATION = 6  # plies of a line at most, with those of the search's best play
MOST_SCORE = 2_000  # centipawns: greater scores and mates count as this
TRAP_LOSS = 150  # centipawns that the move of a trap loses against the best one
MOST_CHECKED = 12  # moves of games that are searched to prove a trap
MOST_TRAPS = 5


@dataclass(frozen=True)
class TreeLine:
    """A line of the opening tree in SAN. `score` is in centipawns, White's view, within MOST_SCORE;
    `continuation` is the best play after `moves` by the same search. `margin` is what the second-best reply
    loses against the best one, None where replies were not searched."""

    moves: tuple[str, ...]
    score: int
    continuation: tuple[str, ...]
    margin: int | None = None


@dataclass(frozen=True)
class Trap:
    """A line in SAN whose last move loses `loss` centipawns against the best move, by searches; `refutation`
    is the best reply. `games` games fell for it."""

    moves: tuple[str, ...]
    refutation: str
    loss: int
    games: int


def opening_tree(
    variant: Variant, engine: Engine, nodes: int = NODES, stop: Callable[[], bool] = lambda: False
) -> list[TreeLine]:
    """The best lines from the start, the best moves of a position first, each before the lines below it.
    `stop` may end the searches; without one there are no lines."""
    position = Position(variant)
    return [] if position.result() or stop() else _lines(position, engine, nodes, (), stop)


def mate_from_start(variant: Variant, engine: Engine, stop: Callable[[], bool] = lambda: False) -> int | None:
    """In how many moves the side to move at the start mates by force, below 0 if it is mated; None if
    a search finds neither, or `stop` prevents it."""
    position = Position(variant)
    found = [] if position.result() or stop() else _analysed(position, engine, NODES, 1)
    return found[0].score.mate if found else None


def _lines(
    position: Position, engine: Engine, nodes: int, before: tuple[str, ...], stop: Callable[[], bool]
) -> list[TreeLine]:
    """The lines of a position, the best for its side first. A move that ends the tree has the score of its
    search, any other one that of the best reply, by a search behind it."""
    ply, groups = len(before), []
    for number, info in enumerate(_analysed(position, engine, nodes, WIDTHS[ply])):
        san = san_of(position, [move.text for move in info.pv], CONTINUATION - ply)
        line, below = TreeLine((*before, san[0]), _white(info, position.turn), san[1:]), []
        position.push(info.pv[0])
        if ply < len(BRANCHES) and not position.result() and not stop():
            if number < BRANCHES[ply]:
                below = _lines(position, engine, nodes, line.moves, stop)
            line = _with_reply(line, position, engine, nodes, below)
        position.pop()
        groups.append([line, *below])
    groups.sort(key=lambda group: group[0].score, reverse=not position.turn)
    return [line for group in groups for line in group]


def _with_reply(
    line: TreeLine, position: Position, engine: Engine, nodes: int, below: Sequence[TreeLine]
) -> TreeLine:
    """A line with the score and the continuation of the best reply in the position behind it: the first of
    the lines `below`, or that of a search."""
    if below:
        best = below[0]
        found = best.score, (best.moves[-1], *best.continuation)
    else:
        info = _analysed(position, engine, nodes, 1)[0]
        most = CONTINUATION - len(line.moves)
        found = _white(info, position.turn), san_of(position, [move.text for move in info.pv], most)
    return TreeLine(line.moves, *found, _margin(line.moves, below))


def _margin(moves: Sequence[str], below: Sequence[TreeLine]) -> int | None:
    """What the second-best of the replies to a line loses."""
    replies = [line.score for line in below if len(line.moves) == len(moves) + 1]
    return abs(replies[0] - replies[1]) if len(replies) > 1 else None


def _analysed(position: Position, engine: Engine, nodes: int, width: int) -> list[Info]:
    engine.clear()  # so that the result depends on the position alone
    lines = min(width, len(position.legal_codes()))
    found = engine.analyse(position, Limit(nodes=nodes * lines), multipv=lines)
    return [info for info in found if info.pv]


def _white(info: Info, turn: int) -> int:
    score = max(-MOST_SCORE, min(MOST_SCORE, info.score.centipawns))
    return -score if turn else score


def san_of(position: Position, moves: Sequence[str], most: int) -> tuple[str, ...]:
    """The first `most` of legal moves from a position, in SAN."""
    copy, found = position.copy(), []
    for move in moves[:most]:
        found.append(copy.san(move))
        copy.push(move)
    return tuple(found)


def find_traps(
    variant: Variant,
    games: Mapping[Any, Sequence[StudyGame]],
    engine: Engine,
    nodes: int = NODES,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Trap, ...]:
    """Traps within LINE_PLIES plies: moves that games chose by search, after which their own scores fell, and
    which two further searches prove to lose. Those that most games fell for come first. `stop` may end the
    searches early."""
    first = Position(variant).turn
    fallen = Counter(chain.from_iterable(_falls(game, first) for game in chain(*games.values())))
    checked = sorted(fallen.items(), key=lambda item: (-item[1], item[0]))[:MOST_CHECKED]
    found: list[Trap] = []
    for moves, count in checked:
        if len(found) == MOST_TRAPS or stop():
            break
        if trap := _proved(variant, moves, count, engine, nodes):
            found.append(trap)
    return tuple(found)


def _falls(game: StudyGame, first: int) -> list[tuple[str, ...]]:
    """The beginnings of a game that end with a move after which the mover's score falls; `first` is the side
    that begins."""
    found = []
    for ply in range(game.opening, min(LINE_PLIES, game.plies - 1)):
        before, after = game.scores[ply], game.scores[ply + 1]
        if before is None or after is None:
            continue
        sign = -1 if (first + ply) % 2 else 1
        if (before - after) * sign >= TRAP_LOSS:
            found.append(game.moves[: ply + 1])
    return found


def _proved(variant: Variant, moves: Sequence[str], games: int, engine: Engine, nodes: int) -> Trap | None:
    """The trap of a line whose last move loses enough, else None."""
    line, position = san_of(Position(variant), moves, len(moves)), played(variant, moves[:-1])
    best = _analysed(position, engine, nodes, 1)
    turn = position.turn
    position.push(moves[-1])
    reply = [] if position.result() else _analysed(position, engine, nodes, 1)
    if not best or not reply:
        return None
    loss = (_white(best[0], turn) - _white(reply[0], position.turn)) * (-1 if turn else 1)
    if loss < TRAP_LOSS:
        return None
    return Trap(line, san_of(position, [reply[0].pv[0].text], 1)[0], loss, games)
