"""A file of puzzles for tests of the board, as `surajang puzzles` writes it."""

from surajang.engine.variant import CHESS, Variant
from surajang.study.puzzles.puzzle import MATE, Puzzle, as_game

CRAZYHOUSE = Variant("crazyhouse")
TWO_MATES, LADDER, PROMOTION, DROP = range(4)  # places in `PUZZLES`
PUZZLES = (
    (CHESS, "6k1/5ppp/8/8/8/8/8/KQ2R3 w - - 0 1", ("e1e8",)),  # b1b8 mates as well
    (CHESS, "1r5k/r7/8/8/8/8/8/7K b - - 0 1", ("a7a2", "h1g1", "b8b1")),
    (CHESS, "7k/P7/6K1/8/8/8/8/8 w - - 0 1", ("a7a8q",)),
    (CRAZYHOUSE, "6k1/5ppp/8/8/8/8/8/K7[R] w - - 0 1", ("R@e8",)),
)


def puzzle_file(path):
    """Writes PUZZLES to a PGN file and returns its text."""
    puzzles = [
        Puzzle(variant, f"game {number}", fen, moves, MATE, ("test",), 400)
        for number, (variant, fen, moves) in enumerate(PUZZLES, 1)
    ]
    text = "\n\n".join(str(as_game(puzzle)) for puzzle in puzzles) + "\n"
    path.write_text(text, encoding="utf-8")
    return text
