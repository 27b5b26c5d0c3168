"""Games for the rule tests: the engine with the referee's interface, and either of them mirrored. The
mirrored game rotates the board and swaps the colours, so that a test written for White holds for Black as
well."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import surajang
from surajang.engine.definition import catalogue
from surajang.engine.kernel.bitboard import Bits
from surajang.engine.kernel.facts import Facts, Table
from surajang.tests.support.referee import START_FEN, Referee

DATA = Path(__file__).parents[1] / "data"
# Those that the engine is for
SEED_GAMES = ("pandemonium", "pandemonium-vchess", "crazyhouse", "janggi", "chaotic", "chess")
# Games with a network
SEARCHED_GAMES = tuple(sorted(path.stem for folder in catalogue.SHIPPED for path in folder.glob("*.network")))


def _is_symmetric(game: str) -> bool:
    """Whether both sides have a king, or none has, and the goals of one mirror those of the other."""
    description = catalogue.load(game)
    goal, files, last = description.goal, description.files, description.ranks - 1
    if description.kings or goal is None:
        return not description.kings
    turned = {(last - square // files) * files + square % files for square in goal.squares}
    return turned == set(goal.black or goal.squares)


# Games whose search takes no branch of the rules that those of the others, and of GATHERED, do not take
INTERPRETED_SEARCHES = (
    *("capablanca", "capahouse", "euroshogi", "gothic", "grand", "horde", "knightmate", "makruk"),
    *("minixiangqi", "shako"),
)
PLAYED_GAMES = tuple(game for game in SEARCHED_GAMES if game not in INTERPRETED_SEARCHES)  # by compiled code
SYMMETRIC_GAMES = tuple(game for game in PLAYED_GAMES if _is_symmetric(game))
# Games made of rules of several others, whose code is compiled in place of theirs; each extends the one named
GATHERED = {
    # Of grand chess and minixiangqi, also for the search
    "chess": """
[pieces]
N = { name = "Horse", moves = "nN", value = 250 }
[promotion]
zone = [7, 8]
mandatory = { P = [8] }
limit = "captured"
[end]
dead_positions = false
""",
    # Of suicide, rifle, Gridolina and grasshopper chess
    "suicide": """
cells = { files = 2, ranks = 2 }
rifle_captures = true
[pieces]
P = { moves = "mfFcfW" }
N = { name = "Grasshopper", moves = "gQ" }
""",
    # Of Andernach, Capablanca random and pawnback chess, and shatranj
    "andernach": """
[pieces]
P = { moves = "fbmWfcF", barred = [1] }
[castling]
free = true
[bare_king]
result = "loss"
reply = true
[end]
dead_positions = false
""",
    # Of Anti-Andernach, nocastle10 and makpong
    "antiandernach": """
checked_king = "captures"
[castling]
after = 10
""",
    # Of Cambodian chess and sittuyin
    "cambodian": """
[promotion]
on = ["stay"]
zone = false
mandatory = false
plus = {}
last = "P"
squares = { P = ["a8", "b7", "c6", "d5", "e5", "f6", "g7", "h8"] }
""",
    # Of Duck chess and dobutsu
    "duck": """
[goal]
pieces = "K"
squares = ["a8-h8"]
safe = true
""",
}


def gathered(name: str) -> str:
    """The TOML file of a game of GATHERED."""
    return f'extends = "{name}"\nname = "gathered-{name}"\ntitle = "Gathered"\n{GATHERED[name]}'


# Of the others, tests over all games compile only the moves, and only where these take a branch of the rules
# that no other game takes: `branches` lists them, and `test_shipped_games` compares. Python runs the rest.
COMPILED_GAMES = frozenset(
    {
        *("checkless", "coregal", "losers", "micro", "selfcapture", "shouse", "spartan", "torishogi"),
        "twokingssymmetric",
    }
)


def branches(facts: object, path: str = "") -> Iterator[tuple[str, int]]:
    """What compiled code asks of facts before it takes a branch, with the answers: whether a number is below,
    at or above 0, whether there are none, one or several facts of a kind, and the width of bitboards."""
    if isinstance(facts, Facts):
        for name, value in facts.facts.items():
            yield from branches(value, f"{path}.{name}")
    elif isinstance(facts, Bits | Table):
        yield "width", facts.width
    elif isinstance(facts, tuple):
        yield path, min(len(facts), 2)
        for value in facts:
            yield from branches(value, path)
    elif isinstance(facts, int):
        yield path, (facts > 0) - (facts < 0)


def stored_positions(variant: str) -> list[dict]:
    """Positions of a game with their `fen`, `moves` (all legal ones, sorted) and `perft2` or None."""
    return [json.loads(line) for line in (DATA / f"legal_{variant}.jsonl").read_text().splitlines()]


def texts(position: surajang.Position) -> list[str]:
    """The legal moves as text, sorted."""
    return sorted(str(move) for move in position.legal_moves())


def snapshot(position):
    """All visible facts about a position."""
    return (
        position.fen(),
        texts(position),
        position.is_check(),
        position.result(),
        position.key,
        position.repetition_key,
        position.hand(0),
        position.hand(1),
        position.ply,
    )


class EngineGame:
    """A game of Pandemonium played by the engine, with moves as text."""

    def __init__(self, fen: str | None = None) -> None:
        self.position = surajang.Position("pandemonium", fen)

    def legal_moves(self) -> list[str]:
        return texts(self.position)

    def push(self, text: str) -> None:
        self.position.push(text)

    def pop(self) -> None:
        self.position.pop()

    def fen(self) -> str:
        return self.position.fen()

    def is_check(self) -> bool:
        return self.position.is_check()

    def result(self) -> tuple[str, str] | None:
        result = self.position.result()
        return result and (result.score, result.reason)


def mirror_move(text: str) -> str:
    """The same move on the board turned over: rank 1 becomes rank 10."""
    mirrored, rank = "", ""
    for character in text + " ":
        if character.isdigit():
            rank += character
            continue
        if rank:
            mirrored += str(11 - int(rank))
            rank = ""
        mirrored += character
    return mirrored.rstrip()


def mirror_fen(fen: str) -> str:
    """The same position with the board turned over and the colours swapped; counters stay."""
    placement, turn, castling, crossed, *counters = fen.split()
    board, hands = placement.rstrip("]").split("[")
    board = "/".join(reversed(board.swapcase().split("/")))
    hands = "".join(sorted(hands.swapcase(), key=str.islower))
    castling = "".join(sorted(castling.swapcase(), key="KQkq-".index))
    crossed = mirror_move(crossed)
    if len(crossed) == 4:  # ascending, on the new board too
        crossed = crossed[2:] + crossed[:2]
    return " ".join([f"{board}[{hands}]", "b" if turn == "w" else "w", castling, crossed, *counters])


def mirrored(game: type) -> type:
    """The class of games like `game` that are played on the mirrored board."""

    class Mirrored:
        def __init__(self, fen: str | None = None) -> None:
            self.game = game(mirror_fen(fen or START_FEN))

        def legal_moves(self) -> list[str]:
            return sorted(mirror_move(text) for text in self.game.legal_moves())

        def push(self, text: str) -> None:
            self.game.push(mirror_move(text))

        def pop(self) -> None:
            self.game.pop()

        def fen(self) -> str:
            return mirror_fen(self.game.fen())

        def is_check(self) -> bool:
            return self.game.is_check()

        def result(self) -> tuple[str, str] | None:
            result = self.game.result()
            if result is None:
                return None
            score, reason = result
            swap = {"1-0": "0-1", "0-1": "1-0", "White": "Black", "Black": "White"}
            words = [swap.get(word, word) for word in reason.split()]
            return swap.get(score, score), " ".join(words)

    return Mirrored


# Every rule is asked of both implementations and for both colours.
GAMES = {
    "referee-white": Referee,
    "referee-black": mirrored(Referee),
    "engine-white": EngineGame,
    "engine-black": mirrored(EngineGame),
}


def setup(men: str, hands: str = "", turn: str = "w", crossed: str = "-") -> str:
    """The FEN of men written as "Ke1 Ra1 ke10 pd5"; it claims no castling."""
    where = {man[1:]: man[0] for man in men.split()}
    assert len(where) == len(men.split()), "two men on one square"
    ranks = []
    for rank in range(10, 0, -1):
        row = "".join(where.pop(f"{file}{rank}", " ") for file in "abcdefghij")
        ranks.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
    assert not where, f"no such square: {where}"
    return f"{'/'.join(ranks)}[{hands}] {turn} - {crossed} 0 1"
