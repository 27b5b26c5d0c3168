"""Openings of a match: random moves that keep the balance, and selection from a file. `opening_files` and
`polyglot` read files."""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ...engine.definition.shuffled_starts import count_starts, shuffled_start
from ...engine.variant import Variant
from ..records.model import Opening

if TYPE_CHECKING:
    from ...engine.position import Move, Position

Item = TypeVar("Item")

PLIES = 8  # random moves of an opening
MAX_SCORE = 80  # centipawns: how far from balance an opening may be for the side to move
NODES = 5_000  # of the search that judges an opening
STEP_NODES = 1_000  # of the search that judges a move on the way there
STEP_TRIES = 4  # moves among which each is chosen
STEP_ROOM = 2  # on the way scores may be up to so many times MAX_SCORE, because the short search errs
STEP_LOSS = 30  # centipawns that a move may be worse than the best of those tried
PATIENCE = 400  # attempts in a row without a new opening after which a game has no more
HASH_MB = 1
ORDERS = ("sequential", "random")
LEAST_PLIES = 4  # plies that a game from a given position must be able to last


Codes = tuple[int, ...]  # moves as numbers


class BookError(ValueError):
    """Openings that cannot be made or read; for a file, the text names the file and the line."""


def drawn_starts(variant: Variant, count: int, seed: int) -> list[Opening]:
    """`count` starts of a game with castling from any files, each once before one comes again. The same seed
    gives the same starts."""
    game, chance = variant.description, random.Random(seed)
    total = count_starts(game)
    numbers: list[int] = []
    while len(numbers) < count:
        numbers += chance.sample(range(total), min(total, count - len(numbers)))
    return [Opening(shuffled_start(game, number), (), f"Start {number}") for number in numbers]


def generate(
    variant: Variant,
    count: int,
    seed: int,
    plies: int = PLIES,
    max_score: int = MAX_SCORE,
    nodes: int = NODES,
    progress: Callable[[int, int], object] | None = None,
) -> list[Opening]:
    """`count` different openings of `plies` random moves, not counting setup choices where a game begins with
    those.

    Each has a score within `max_score` centipawns for the side to move by a search of `nodes` nodes, no mate
    in sight, no result and no move that ends the game at once. Each move is one of a few random ones that a
    shorter search does not find worse than the others; there are no passes. The same arguments give the same
    openings, and those of a greater `count` begin with those of a smaller one. `progress(done, count)` is
    called as they come. Raises BookError when the game gives no more, VariantError for an unknown game.
    """
    for name, number, least in (("count", count, 1), ("plies", plies, 0), ("nodes", nodes, 1)):
        if number < least:
            raise ValueError(f"{name} {number} should be at least {least}")
    walk = _Walk(variant, seed, plies, max_score, nodes)
    openings: list[Opening] = []
    known: set[int] = set()
    failures = 0
    while len(openings) < count:
        moves, key = walk.attempt()
        if moves is None or key is None or key in known:
            failures += 1
            if failures == PATIENCE:
                raise BookError(
                    f"{variant} gives {len(openings)} different openings of {plies} plies within {max_score} "
                    f"centipawns, and no more in {PATIENCE} attempts; {count} were asked for"
                )
            continue
        failures = 0
        known.add(key)
        name = f"Random {len(openings) + 1} of seed {seed}"
        openings.append(Opening(walk.position.start_fen, moves, name))
        if progress:
            progress(len(openings), count)
    return openings


class _Walk:
    """Random walks from the start of a game in which the score stays balanced."""

    def __init__(self, variant: Variant, seed: int, plies: int, max_score: int, nodes: int) -> None:
        from ...engine.position import Position
        from ...search.engine import Engine

        self.position = Position(variant)
        self.engine = Engine(variant, hash_mb=HASH_MB)
        self.generator = np.random.default_rng(seed)
        self.plies, self.max_score, self.nodes = plies, max_score, nodes

    def attempt(self) -> tuple[tuple[str, ...] | None, int | None]:
        """(moves, key of the position) of a walk; (None, None) for one that does not make an opening."""
        position = self.position
        made = 0
        good = True
        while good and (made < self.plies or any(move.is_choice for move in self.position.legal_moves())):
            good = self._step()
            made += good and not position.moves[-1].is_choice
        good = good and self._is_balanced() and not ends_at_once(position)
        found = (tuple(str(move) for move in position.moves), position.key) if good else (None, None)
        while position.ply:
            position.pop()
        return found

    def _step(self) -> bool:
        """Makes a random move; False if none of those tried keeps the balance."""
        moves = [move for move in self.position.legal_moves() if not move.is_pass]
        tried = [moves[index] for index in self.generator.permutation(len(moves))[:STEP_TRIES]]
        if not any(move.is_choice for move in tried):
            tried = self._sound(tried)
        if tried:
            self.position.push(tried[0])
        return bool(tried)

    def _sound(self, moves: "list[Move]") -> "list[Move]":
        """The moves that keep the balance and are at most STEP_LOSS worse than the best of them."""
        scores: dict[Move, int] = {}
        for move in moves:
            self.position.push(move)
            score = self._score(STEP_NODES)
            self.position.pop()
            if score is not None and abs(score) <= STEP_ROOM * self.max_score:
                scores[move] = -score
        best = max(scores.values(), default=0)
        return [move for move, score in scores.items() if score >= best - STEP_LOSS]

    def _is_balanced(self) -> bool:
        self.engine.clear()  # so that the score depends on the position alone
        score = self._score(self.nodes)
        return score is not None and abs(score) <= self.max_score

    def _score(self, nodes: int) -> int | None:
        """Centipawns for the side to move; None when the game is over or there is a mate."""
        if self.position.result() is not None:
            return None
        score = self.engine.play(self.position, nodes=nodes).score
        return score.centipawns if score.mate is None else None


def ends_at_once(position: "Position") -> bool:
    """Whether the game is over, or a legal move ends it: when kings face each other in Janggi, any move that
    leaves them so."""
    if position.result() is not None:
        return True
    for move in position.legal_moves():
        position.push(move)
        over = position.result() is not None
        position.pop()
        if over:
            return True
    return False


def can_last(position: "Position", plies: int = LEAST_PLIES) -> bool:
    """Whether some line of so many plies does not end the game."""
    if position.result() is not None:
        return False
    if not plies:
        return True
    for move in position.legal_moves():
        position.push(move)
        lasting = can_last(position, plies - 1)
        position.pop()
        if lasting:
            return True
    return False


def pick(openings: Sequence[Item], count: int, order: str = "sequential", seed: int = 0) -> list[Item]:
    """`count` of the openings, in their order or shuffled by `seed`. When they run out they start again,
    shuffled again. Raises ValueError for no openings, or another order."""
    if order not in ORDERS:
        raise ValueError(f"order {order!r} should be {' or '.join(ORDERS)}")
    if not openings:
        raise ValueError("there are no openings to pick from")
    generator = np.random.default_rng(seed)
    picked: list[Item] = []
    while len(picked) < count:
        numbers: Iterable[int] = (
            range(len(openings)) if order == "sequential" else generator.permutation(len(openings))
        )
        picked += [openings[number] for number in numbers]
    return picked[:count]


def codes_of(opening: Opening, variant: Variant) -> Codes:
    """The moves of an opening as numbers. Raises MoveError, and BookError for one that does not begin at the
    start of the game."""
    from ...engine.position import Position

    position = Position(variant)
    if opening.fen != position.start_fen:
        raise BookError(f"the opening {opening.name!r} does not begin at the start of {variant}")
    for move in opening.moves:
        position.push(move)
    return tuple(move.code for move in position.moves)
