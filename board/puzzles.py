"""Puzzles: positions of a PGN file with one right move at each turn of the solver.

Each game of the file has a FEN and the solution as its moves, as `surajang puzzles` writes it."""

import asyncio
import secrets
from pathlib import Path
from typing import Any

from ..engine.game.text_files import fault_of
from ..engine.game_end import LOSS_OF
from ..engine.notation.lines import open_pgn
from ..engine.notation.nulls import NULL
from ..engine.notation.scanning import GameText, PgnError
from ..engine.position import Position
from ..engine.variant import CHESS
from .analysis import spelled
from .pgn import build_tree, games_of, variant_of
from .requests import RequestError
from .shared_board import SharedBoard
from .tree import Tree
from .view import label_of

FILES = "puzzles-*.pgn"  # in the folder of the board, as `surajang puzzles` names them
REPLY_SECONDS = 0.4  # before a reply, so that the solver's move is seen
NONE, SOLVING, SOLVED, SHOWN, LEFT = "none", "solving", "solved", "shown", "left"
EVENT = "Puzzle: "  # before the goal in the tag Event


class PuzzleController:
    """The puzzles of a file, and the one that is being solved. `folder` is that of the offered files."""

    def __init__(self, board: SharedBoard, folder: Path | None = None) -> None:
        self._board, self._folder = board, folder or Path.cwd()
        self._puzzles: list[GameText] = []
        self._name, self._number = "", 0
        self._moves: list[str] = []  # the solution
        self._done = 0  # moves of it that were played
        self._tip = 0  # the node of the last of them
        self._side = 0  # of the solver
        self._state, self._title, self._attempt = NONE, "", ""
        self._wrong = ""  # the last move, if it was wrong
        self._hint = 0  # 1: the piece, 2: the move
        self._missed = False  # there was a wrong move, a hint, or the solution
        self._reply: asyncio.Task[None] | None = None

    @property
    def active(self) -> bool:
        """Whether a puzzle is being solved: moves on the board are answers."""
        return self._state == SOLVING

    def busy(self) -> str:
        """The current puzzle, as a sentence; "" for none."""
        return "A puzzle is being solved." if self.active else ""

    def message(self) -> dict[str, object]:
        """The puzzle for the page. `attempt` differs each time a puzzle begins."""
        return {
            "type": "puzzles",
            "files": sorted(path.name for path in self._folder.glob(FILES)),
            "name": self._name,
            "count": len(self._puzzles),
            "number": self._number,
            "state": self._state,
            "title": self._title,
            "side": self._side,
            "tip": self._tip,
            "attempt": self._attempt,
            "wrong": self._wrong,
            "missed": self._missed,
            "right": self._done > 0,
            "hint": self._hint_message() if self._hint and self.active else None,
        }

    def _tell(self) -> None:
        self._board.tell(self.message())

    # Requests

    async def on_puzzles(self, message: dict[str, Any]) -> None:
        """Opens a file of puzzles and shows the first one: `file` in the board's folder, or `text` and `name`
        of a file that the page has read."""
        name = str(message.get("file") or message.get("name") or "")
        text = await asyncio.to_thread(self._text_of, name) if "file" in message else str(message["text"])
        self._puzzles, self._name = await asyncio.to_thread(games_of, text, "puzzles"), name
        await self._show(0)

    async def on_puzzle(self, message: dict[str, Any]) -> None:
        """Shows a puzzle of the file by its `number`, from 0."""
        number = int(message["number"])
        if not 0 <= number < len(self._puzzles):
            raise RequestError(f"there is no puzzle {number + 1}: the file has {len(self._puzzles)}")
        await self._show(number)

    async def on_puzzle_hint(self, message: dict[str, Any]) -> None:
        """The first hint is the piece to move, the second one the move."""
        self._refuse_idle()
        self._hint, self._missed, self._wrong = min(2, self._hint + 1), True, ""
        self._tell()

    async def on_puzzle_solution(self, message: dict[str, Any]) -> None:
        """Shows the first missing move, and the whole solution in the list of moves."""
        self._refuse_idle()
        self._halt()
        self._state, self._missed, self._wrong = SHOWN, True, ""
        tree = self._board.tree
        tree.goto(self._tip)
        position, node = tree.position.copy(), self._tip
        for text in self._moves[self._done :]:
            node = tree.add(node, position, text).id
            position.push(text)
        self._board.tell_tree()
        self._board.make(self._moves[self._done])
        self._tell()

    async def on_puzzle_leave(self, message: dict[str, Any]) -> None:
        """Ends the puzzle: its position stays on the board, and every move can be tried."""
        self.cancel()

    def cancel(self) -> None:
        """Ends the puzzle, if there is one: another position comes on the board, or moves are tried."""
        self._halt()
        if self._state not in (NONE, LEFT):
            self._state = LEFT
            self._tell()

    def _halt(self) -> None:
        if self._reply is not None:
            self._reply.cancel()
        self._reply = None

    def _refuse_idle(self) -> None:
        if not self.active:
            raise RequestError("no puzzle is being solved")

    # Files

    def _text_of(self, name: str) -> str:
        """The content of a file that the message offers. Raises RequestError."""
        if name not in (path.name for path in self._folder.glob(FILES)):
            raise RequestError(f"there is no file {name!r} of puzzles; open it with the button")
        try:
            with open_pgn(self._folder / name) as file:
                return file.read()
        except (OSError, EOFError) as error:
            raise RequestError(f"{name} cannot be read: {fault_of(error)}") from None

    async def _show(self, number: int) -> None:
        self.cancel()
        self._number, self._state = number, NONE
        self._tell()
        text = self._puzzles[number]
        tree, moves = await asyncio.to_thread(read_puzzle, text)
        await self._board.set_tree(tree)
        event = text.headers.get("Event", "?").removeprefix(EVENT)
        self._title = "" if event == "?" else event
        self._moves, self._done, self._tip = moves, 0, tree.node
        self._state, self._side, self._attempt = SOLVING, tree.position.turn, secrets.token_hex(6)
        self._hint, self._wrong, self._missed = 0, "", False
        self._tell()

    # Moves

    async def move(self, text: str) -> None:
        """Takes a legal move as the answer: plays it and the reply if it is right. Raises RequestError."""
        tree = self._board.tree
        if tree.node != self._tip or tree.position.turn != self._side:
            raise RequestError("the puzzle continues after its last move, when it is your turn")
        expected = text == self._moves[self._done]
        if not expected and not wins_at_once(tree.position, text):
            self._wrong, self._missed = label_of(tree.position, tree.position.parse_move(text)), True
            self._tell()
            return
        self._play(text)
        if not expected or self._done == len(self._moves):
            self._solved()
        else:
            self._reply = asyncio.create_task(self._answer())

    def _play(self, text: str) -> None:
        self._wrong, self._hint, self._done = "", 0, self._done + 1
        self._tip = self._board.make(text).id
        self._tell()

    async def _answer(self) -> None:
        """Plays the reply of the solution, even if another position is on the board."""
        await asyncio.sleep(REPLY_SECONDS)
        tree = self._board.tree
        if tree.node != self._tip:
            tree.goto(self._tip)
        self._play(self._moves[self._done])
        if self._done == len(self._moves):
            self._solved()

    def _solved(self) -> None:
        self._state = SOLVED
        self._tell()

    def _hint_message(self) -> dict[str, object] | None:
        """The piece to move, by its square or its letter in hand; with the second hint the move as well."""
        if self._done == len(self._moves):
            return None
        position = self._board.tree.position_at(self._tip)
        if position.turn != self._side:
            return None
        labels, _, squares = spelled(position, [self._moves[self._done]])
        assert squares is not None  # the move is legal
        origin, target, drop = squares
        whole = self._hint > 1
        return {
            "label": labels[0] if whole else "",
            "from": origin,
            "drop": drop,
            "to": target if whole else None,
        }


def read_puzzle(text: GameText) -> tuple[Tree, list[str]]:
    """The `Tree` of a puzzle with its position alone, and the solution. Without the tag Variant it is of
    chess. Raises PgnError."""
    solved, errors = build_tree(text, variant_of(text, CHESS))
    if errors:
        raise errors[0]
    moves = [solved.nodes[number].move for number in solved.main_line()]
    if not moves or NULL.text in moves:
        raise PgnError(text.line, "a puzzle needs the moves of its solution, without null moves")
    return Tree(solved.variant, solved.start_fen, text.headers), moves


def wins_at_once(position: Position, text: str) -> bool:
    """Whether a legal move ends the game with a win of its side."""
    after = position.copy()
    after.push(text)
    result = after.result()
    return result is not None and result.score == LOSS_OF[1 - position.turn]
