"""The static evaluation of the position on the board: the value of each piece, and the rest as text."""

import asyncio
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..engine.game.description import FILE_LETTERS
from ..match.players.player import PlayerError
from .requests import ended
from .shared_board import SharedBoard

_EDGE = re.compile(r"\s*\+[+-]+\s*")
_WORTH = re.compile(r"[+-]?\d+(?:\.\d+)?")


class EvalController:
    """Asks an engine for its static evaluation of positions."""

    def __init__(self, board: SharedBoard) -> None:
        self._board = board
        self._wanted: int | None = None  # the number of the next engine to ask
        self._task: asyncio.Task[None] | None = None

    async def on_trace_eval(self, message: dict[str, Any]) -> None:
        """Makes an engine, by its number, evaluate the position on the board. Every page gets the result,
        with its node. Of requests while the engine is busy only the last counts."""
        self._wanted = self._board.engines.number(message)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while self._wanted is not None:
            number, self._wanted = self._wanted, None
            game = self._board.description
            try:
                self._board.tell(await self._trace_eval(number), "eval")
            except PlayerError as error:
                if game is self._board.description:  # else the engine was closed for another game
                    self._board.failed(str(error))

    async def _trace_eval(self, number: int) -> dict[str, object]:
        """The message for the pages. Raises PlayerError."""
        board = self._board
        if any(move.is_choice for move in board.tree.position.legal_moves()):
            return self._message("an arrangement has to be chosen first")
        engine = await board.engines.get("eval", board.engines.first_uci(number))
        node, position = board.tree.node, board.tree.position.copy()
        found = read_eval_text(
            await engine.eval_trace(position), position.description.files, position.description.ranks
        )
        return self._message(found.title, found.pieces, found.text, node)

    def _message(
        self, title: str, pieces: dict[int, str] | None = None, text: str = "", node: int | None = None
    ) -> dict[str, object]:
        node = self._board.tree.node if node is None else node
        return {"type": "eval", "node": node, "title": title, "pieces": pieces or {}, "text": text}

    async def close(self) -> None:
        """Stops further requests."""
        await ended(self._task)


class EvalText(NamedTuple):
    """An engine's answer to `eval`: `pieces` are square -> value as written, `title` describes the values,
    `text` is the rest."""

    title: str
    pieces: dict[int, str]
    text: str


def read_eval_text(lines: Sequence[str], files: int, ranks: int) -> EvalText:
    """Extracts the drawn board, with a piece and its value on each square, from an engine's answer. Without a
    board in our form or Stockfish's, everything is text."""
    drawn = [
        place for place, line in enumerate(lines) if line.count("|") == files + 1 or _EDGE.fullmatch(line)
    ]
    rows = [lines[place].split("|")[1:-1] for place in drawn if "|" in lines[place]]
    worth = [[cell.strip() for cell in row] for row in rows[1::2]]
    if len(rows) != 2 * ranks or not all(_WORTH.fullmatch(cell) for row in worth for cell in row if cell):
        return EvalText("", {}, "\n".join(lines).strip("\n"))
    pieces = {
        (ranks - 1 - row) * files + file: cell
        for row, cells in enumerate(worth)
        for file, cell in enumerate(cells)
        if cell
    }
    rest = list(lines[drawn[-1] + 1 :])
    if rest and rest[0].split() == list(FILE_LETTERS[:files]):
        del rest[0]
    return EvalText(" ".join(lines[: drawn[0]]).strip(), pieces, "\n".join(rest).strip("\n"))
