"""A page in Markdown with the rules of one game, for `docs/games`, with the content of `surajang variants
NAME`. The same description always gives the same page."""

from collections.abc import Iterable
from itertools import zip_longest

from ..game.description import Description
from .piece_table import NUMBERS, piece_columns
from .rules import sections
from .text_board import board_rows, drawings, legend

MAX_COLUMNS = 96  # characters of a row of drawings
GAP = 5  # spaces between two drawings


def page(description: Description) -> str:
    """The whole page, with a newline at its end."""
    lines = [
        f"# {description.title}",
        "",
        f"`{description.name}`, {description.files} x {description.ranks}.",
    ]
    if description.source:
        lines[-1] += f" Rules: <{description.source}>"
    lines += ["", "## Start", "", *_fenced(board_rows(description)), "", f"`{description.start_fen}`"]
    lines += ["", "## Pieces", "", *_piece_table(description)]
    lines += ["", "## How they move", "", *_fenced(_drawings_in_rows(description)), ""]
    lines += [f"- `{sign}` {meaning}" for sign, meaning in legend(description).items()]
    for heading, sentences in sections(description).items():
        lines += ["", f"## {heading}", "", *(f"- {sentence}" for sentence in sentences)]
    lines += ["", "Ranks are counted from each side's own first rank. Values are centipawns.", ""]
    lines.append(f"This page is the output of `surajang variants {description.name} --markdown`.")
    return "\n".join(lines) + "\n"


def _fenced(rows: Iterable[str]) -> list[str]:
    return ["```text", *rows, "```"]


def _piece_table(description: Description) -> list[str]:
    columns = piece_columns(description)
    rule = ["---:" if heading in NUMBERS else "---" for heading in columns]
    rows = [list(columns), rule, *zip(*columns.values(), strict=True)]
    return [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows]


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def _drawings_in_rows(description: Description) -> list[str]:
    """The drawings of all pieces, each under its letters, side by side up to MAX_COLUMNS."""
    lines: list[str] = []
    row: list[list[str]] = []
    for letters, drawn in drawings(description):
        block = [" ".join(letters), *drawn]
        if row and _width(row) + GAP + _width([block]) > MAX_COLUMNS:
            lines += [*_side_by_side(row), ""]
            row = []
        row.append(block)
    return lines + _side_by_side(row)


def _width(blocks: list[list[str]]) -> int:
    return sum(max(map(len, block)) for block in blocks) + GAP * (len(blocks) - 1)


def _side_by_side(blocks: list[list[str]]) -> list[str]:
    widths = [max(map(len, block)) for block in blocks]
    rows = zip_longest(*blocks, fillvalue="")
    joined = (
        (" " * GAP).join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
    )
    return [line.rstrip() for line in joined]
