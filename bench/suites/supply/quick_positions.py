"""Positions for the benchmarks of a game, from games that the engine plays against itself."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ....engine.movegen.perft import MAX_PERFT_DEPTH
from ....engine.position import FenError, Position, played
from ....engine.variant import Variant
from ....match.openings.opening_files import load_openings
from ....match.openings.openings import ends_at_once
from ....search.engine import Engine, Info

GAMES = 10  # that are played
GAME_NODES = 600  # of each move
MOST_PLIES = 160  # of a game
SAMPLES = 14  # positions of each game that may be chosen
SEARCH_NODES = 120_000  # that the search of a position may take: about a tenth of a second
LEAVES = 5_000_000  # that perft may count
MOST_DEPTH = 24  # plies of a search
LEAST_MOVES = 5  # legal moves of a position; FEW where none of its kind has so many
FEW = 2
FULL_HAND = 3  # pieces in each hand
MOST_CLOCK = 40  # plies without progress before a position, so that no search sees the draw
HASH_MB = 16
HEADING = "the start, and positions of games that the engine played against itself."


@dataclass(frozen=True)
class PlayedPosition:
    """A position of a game: its number, and how much of the game lies before it."""

    variant: Variant
    game: int
    share: float
    fen: str

    @cached_property
    def position(self) -> Position:
        return Position(self.variant, self.fen)

    @cached_property
    def moves(self) -> int:
        """Legal moves."""
        return len(self.position.legal_moves())

    @cached_property
    def forcing(self) -> int:
        """Legal captures and checks."""
        position = self.position
        return sum(position.is_capture(move) or position.gives_check(move) for move in position.legal_moves())

    @cached_property
    def pieces(self) -> int:
        """Pieces on the board."""
        return sum(letter.isalpha() for letter in self.fen.split()[0].partition("[")[0])

    @cached_property
    def smaller_hand(self) -> int:
        """Pieces in the smaller of both hands."""
        return min(sum(self.position.hand(colour).values()) for colour in (0, 1))


# Name of a kind, which positions may be of it, and the order in which they are tried.
KINDS: tuple[tuple[str, Callable[[PlayedPosition], bool], Callable[[PlayedPosition], float]], ...] = (
    ("middle game", lambda each: 0.2 < each.share < 0.6, lambda each: abs(each.share - 0.35)),
    ("sharp attack", lambda each: each.share > 0.2, lambda each: -each.forcing),
    ("middle game, wide open", lambda each: 0.2 < each.share < 0.8, lambda each: -each.moves),
    ("middle game, full hands", lambda each: each.smaller_hand >= FULL_HAND, lambda each: -each.smaller_hand),
    ("in check", lambda each: each.position.is_check(), lambda each: -each.moves),
    ("end game", lambda each: each.share > 0.6, lambda each: each.pieces),
    ("quiet end", lambda each: each.share > 0.4, lambda each: each.forcing / each.moves - each.share),
)


def save_quick_positions(variant: Variant, openings: Path, path: Path) -> int:
    """Writes the list of positions of a game, whose games begin with the suite `openings`; returns how many
    it has."""
    engine = Engine(variant, hash_mb=HASH_MB)
    games = list(played_games(variant, openings, engine))
    lines = [line_of(PlayedPosition(variant, -1, 0.0, variant.description.start_fen), "start", engine)]
    lines += [line for line in chosen_lines(games, engine) if line]
    heading = f"# {variant.description.title}: {HEADING}"
    path.write_text("".join(f"{line}\n" for line in (heading, *lines)), encoding="utf-8")
    return len(lines)


def played_games(variant: Variant, openings: Path, engine: Engine) -> Iterator[list[PlayedPosition]]:
    """Yields the candidates of each game, the one after the opening first."""
    chance = random.Random(1)
    for number, opening in enumerate(load_openings(openings, variant)[:GAMES]):
        position = played(variant, opening.moves, opening.fen)
        engine.clear()
        fens = [position.fen()]
        while position.result() is None and len(fens) < MOST_PLIES:
            best = engine.play(position, nodes=GAME_NODES).move
            assert best is not None
            position.push(best)
            fens.append(position.fen())
        places = sorted(chance.sample(range(1, len(fens)), min(SAMPLES, len(fens) - 1)))
        found = [PlayedPosition(variant, number, place / len(fens), fens[place]) for place in (0, *places)]
        yield [each for each in found if is_usable(each)]


def is_usable(candidate: PlayedPosition) -> bool:
    """Whether the FEN is complete, the game goes on, and no move ends it."""
    try:
        position = candidate.position
    except FenError:
        return False
    if position.fen() != candidate.fen or position.halfmove_clock > MOST_CLOCK:
        return False
    return not ends_at_once(position)


def chosen_lines(games: list[list[PlayedPosition]], engine: Engine) -> Iterator[str | None]:
    """Yields a line for each kind, None for one without a position. No position comes twice, and where it can
    be each is of another game."""
    after_openings = [game[0] for game in games if game and game[0].share == 0]
    later = [each for game in games for each in game if each.share > 0]
    used: list[PlayedPosition] = []

    def line(name: str, found: list[PlayedPosition], order: Callable[[PlayedPosition], float]) -> str | None:
        for least in (LEAST_MOVES, FEW):
            for each in sorted(
                found, key=lambda each: (each.game in {old.game for old in used}, order(each))
            ):
                if each.moves < least or each.fen in {old.fen for old in used}:
                    continue
                if made := line_of(each, name, engine):
                    used.append(each)
                    return made
        return None

    yield line("opening", after_openings, lambda each: each.game)
    for name, fits, order in KINDS:
        quiet = name != "in check"
        yield line(name, [each for each in later if fits(each) and each.position.is_check() != quiet], order)


def line_of(candidate: PlayedPosition, name: str, engine: Engine) -> str | None:
    """The line of a position with the depths that suit it; None for one with a mate that is not the start."""
    depth = 1

    def note(info: Info) -> None:
        nonlocal depth
        if not info.bound and info.nodes < SEARCH_NODES:
            depth = max(depth, info.depth)

    engine.clear()
    result = engine.play(candidate.position, nodes=SEARCH_NODES, depth=MOST_DEPTH, on_info=note)
    if result.score.mate is not None and name != "start":
        return None
    return f'{candidate.fen} ; id "{name}" ; search {depth} ; perft {perft_depth(candidate.position)}'


def perft_depth(position: Position) -> int:
    """The plies to which perft counts at most about LEAVES."""
    before, leaves, depth = 1, position.perft(1), 1
    while depth < MAX_PERFT_DEPTH and leaves * leaves <= LEAVES * before:
        before, leaves, depth = leaves, position.perft(depth + 1), depth + 1
    return depth
