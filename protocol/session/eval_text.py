"""The evaluation of a position as text: its terms, and the contribution of each piece."""

from typing import TYPE_CHECKING

from ...engine.game.description import FILE_LETTERS

if TYPE_CHECKING:
    from ...engine.game.description import Description
    from ...engine.position import Position
    from ...search.engine import Engine


CELL = 7  # characters of a square


def eval_lines(engine: "Engine", position: "Position") -> list[str]:
    """Lines with the static evaluation of a `Position` by an `Engine`, in pawns from White's view."""
    from ...search.eval_trace import trace_eval

    found = trace_eval(engine, position)
    lines = ["What the evaluation loses without a piece, in pawns, White's view:", ""]
    lines += _board(engine.description, position, found.pieces)
    lines += ["", f"{'Hand-written terms':22}{'White':>9}{'Black':>9}{'both':>9}"]
    for name, white, black in found.terms:
        lines.append(f"{name:22}{_pawns(white):>9}{_pawns(black):>9}{_pawns(white - black):>9}")
    lines += ["", f"{'Hand-written':40}{_pawns(found.hand_written):>9}"]
    if found.network is not None:
        lines.append(f"{'Network':40}{_pawns(found.network):>9}")
    lines.append(f"In use: {found.evaluation or 'the hand-written evaluation'}")
    return lines


def _pawns(centipawns: int) -> str:
    return f"{centipawns / 100:+.2f}"


def _board(description: "Description", position: "Position", pieces: dict[int, int]) -> list[str]:
    """The board, a piece and what it adds on each square."""
    edge = "   +" + f"{'-' * CELL}+" * description.files
    lines = [edge]
    for rank in reversed(range(description.ranks)):
        squares = range(rank * description.files, (rank + 1) * description.files)
        names = [position.letter_at(square) or "" for square in squares]
        worth = [_pawns(pieces[square]) if square in pieces else "" for square in squares]
        lines.append(f"{rank + 1:>2} |" + "".join(f"{name:^{CELL}}|" for name in names))
        lines += ["   |" + "".join(f"{text:^{CELL}}|" for text in worth), edge]
    lines.append("    " + " ".join(f"{letter:^{CELL}}" for letter in FILE_LETTERS[: description.files]))
    return lines
