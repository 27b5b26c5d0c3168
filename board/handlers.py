"""The requests of pages about the game on the board: moves, variations, positions, texts."""

import asyncio
from collections.abc import Sequence
from typing import Any

from ..engine.definition import fen
from ..engine.definition.shuffled_starts import shuffled_start
from ..engine.notation.glyphs import NUMBERS
from ..engine.notation.scanning import GameText, PgnError
from ..engine.pictures.board_svg import draw
from ..engine.position import Position
from ..engine.variant import Variant
from .arrows import checked
from .game_message import random_start, start_before_setup
from .notations import read_move
from .pgn import board_pgn, build_tree, errors_text, games_of, variant_of
from .play import PlayController
from .puzzles import PuzzleController
from .requests import RequestError
from .rules_card import rules_card
from .shared_board import SharedBoard
from .tree import ROOT, Tree, advanced
from .view import pieces_of, read_label

PICTURE_SIZE, FRAME_SIZE = 600, 400  # pixels, the longer side, of a picture and of those of a whole game
MOST_FRAMES = 600  # of a game
MOST_UNREADABLE = 20  # games at the beginning of a PGN that may be skipped because they cannot be shown


def drawn(position: Position, message: dict[str, Any], size: int) -> str:
    """A position as SVG with hands and its last move, as `flipped` and `style` of a message demand."""
    return str(
        draw(
            position.setup(),
            position.description,
            flipped=bool(message.get("flipped")),
            lastmove=str(position.moves[-1]) if position.moves else None,
            size=size,
            style=str(message.get("style") or ""),
            text=str(position),
        )
    )


class Requests:
    """The requests about the tree and the position on the board; each takes the message of a page and returns
    the answer to that page only, or None."""

    def __init__(self, board: SharedBoard, play: PlayController, puzzles: PuzzleController) -> None:
        self._board, self._play, self._puzzles = board, play, puzzles

    # Requests: the tree

    async def on_move(self, message: dict[str, Any]) -> None:
        """Plays a move in the position of a node, in our notation, as people write it, or in a notation of
        the game."""
        node = message.get("node", self._board.tree.node)
        if node != self._board.tree.node:
            self._board.tree.goto(node)
        move = read_move(self._board.tree.position, str(message["text"]))
        if self._play.active:
            await self._play.move(str(move))
        elif self._puzzles.active:
            await self._puzzles.move(str(move))
        else:
            self._board.make(str(move))

    async def on_line(self, message: dict[str, Any]) -> None:
        """Plays moves one after the other from a node: a line of the engine, in our notation or as labels."""
        if self._play.active:
            raise RequestError("a game is being played: no other moves can be tried before it ends")
        self._refuse_in_play()
        self._board.tree.goto(message["node"])
        for text in message["moves"]:
            self._board.make(str(read_label(self._board.tree.position, str(text))))

    async def on_goto(self, message: dict[str, Any]) -> None:
        if message["node"] != self._board.tree.node:
            self._board.tree.goto(message["node"])
            self._board.tell_state()

    async def on_delete(self, message: dict[str, Any]) -> None:
        self._refuse_in_play()
        self._board.tree.delete(message["node"])
        self._board.tell_tree()
        self._board.tell_state()

    async def on_promote(self, message: dict[str, Any]) -> None:
        self._refuse_in_play()
        self._board.tree.promote(message["node"])
        self._board.tell_tree()

    async def on_glyph(self, message: dict[str, Any]) -> None:
        """Marks a move by hand, with a glyph like "!?", or with none."""
        node, glyph = self._board.tree.nodes[message["node"]], str(message["glyph"])
        if glyph and glyph not in NUMBERS:
            raise RequestError(f"{glyph!r} is not a mark of a move; use one of {', '.join(NUMBERS)}")
        if node.id == ROOT:
            raise RequestError("only a move can be marked; go to one first")
        node.glyph, node.own = glyph, bool(glyph)
        self._board.tell_nodes(node)

    async def on_shapes(self, message: dict[str, Any]) -> None:
        """Sets the arrows and circles of a user on a position."""
        node = self._board.tree.nodes[message["node"]]
        node.shapes = checked(message["shapes"])
        self._board.tell_nodes(node)

    async def on_comment(self, message: dict[str, Any]) -> None:
        node = self._board.tree.nodes[message["node"]]
        node.comment = str(message["text"]).replace("{", "(").replace("}", ")")
        self._board.tell_nodes(node)

    def _refuse_in_play(self) -> None:
        if self._play.active:
            raise RequestError("not while a game is being played")
        if self._puzzles.active:
            raise RequestError("not while a puzzle is being solved")

    async def on_preview(self, message: dict[str, Any]) -> dict[str, object]:
        """The position after moves from a node, for a board on hover. The answer goes to one page."""
        position = self._board.tree.position_at(message["node"])
        last = None
        for text in message["moves"]:
            last = position.push(str(text))
        squares = [] if last is None else [last.from_square, last.to_square]
        shown = {"pieces": pieces_of(position), "walls": sorted(position.walls()), "last": squares}
        return {"type": "preview", **shown, "key": message.get("key")}

    # Requests: positions and games

    async def on_new(self, message: dict[str, Any]) -> None:
        """A new game without players, on a position or from the start. If king and rooks castle from any
        files, the start is the one with that `number`, or drawn without a number."""
        variant = Variant(message.get("variant") or self._board.variant)
        start, number = message.get("fen") or None, message.get("number")
        if start is None and message.get("setup"):
            start = start_before_setup(variant.description)
        if start is None and number is not None:
            start = shuffled_start(variant.description, number)
        if start is None:
            start = random_start(variant.description)
        await self._board.load(variant, start)

    async def on_fen(self, message: dict[str, Any]) -> None:
        await self._board.load(self._board.variant, str(message["fen"]))

    async def on_setup(self, message: dict[str, Any]) -> None:
        """The position of the editor: pieces by square, walls, hands, side to move, castling field."""
        game = self._board.description
        board: dict[int, tuple[int, str]] = {}
        for square, letter in message["pieces"].items():
            board[int(square)] = (0 if letter[0].isupper() else 1, letter.upper())
        if len(message["hands"]) != 2:
            raise RequestError("there should be two hands, White's and Black's", "setup")
        hands: Any = tuple(
            {letter: int(n) for letter, n in hand.items() if int(n)} for hand in message["hands"]
        )
        walls = tuple(map(int, message.get("walls") or ()))
        setup = fen.Setup(board=board, hands=hands, side=int(message["turn"]), walls=walls)
        text = fen.write(setup, str(message.get("castling") or "-"), game)
        await self._board.load(self._board.variant, text)

    async def on_pgn(self, message: dict[str, Any]) -> None:
        """Takes a PGN text: lists its games and shows the first that can be shown."""
        games = await asyncio.to_thread(games_of, str(message["text"]), "pgn")
        for number, game in enumerate(games):
            try:
                tree, errors = await self._read(game)
                break
            except ValueError:
                if number == len(games) - 1 or number == MOST_UNREADABLE:
                    raise
        self._board.games = games
        self._board.tell(self._board.games_message(fresh=True))
        await self._show(number, tree, errors)

    async def on_choose(self, message: dict[str, Any]) -> None:
        """Shows a game of the last PGN, and reports its errors."""
        number = message["number"]
        if not 0 <= number < len(self._board.games):
            raise RequestError(f"there is no game {number + 1}", "pgn")
        await self._show(number, *await self._read(self._board.games[number]))

    async def _read(self, game: GameText) -> tuple[Tree, Sequence[PgnError]]:
        variant = variant_of(game, self._board.variant)
        return await asyncio.to_thread(build_tree, game, variant)

    async def _show(self, number: int, tree: Tree, errors: Sequence[PgnError]) -> None:
        await self._board.set_tree(tree)
        self._board.chosen = number
        self._board.tell({"type": "chosen", "number": number})
        if errors:
            self._board.problem = errors_text(errors)
            self._board.tell({"type": "error", "where": "pgn", "text": errors_text(errors)})

    async def on_rules(self, message: dict[str, Any]) -> dict[str, object]:
        """The card with the game's rules."""
        return {"type": "rules", "card": rules_card(self._board.description, str(message.get("style") or ""))}

    async def on_picture(self, message: dict[str, Any]) -> dict[str, object]:
        """The position on the board as SVG, with hands and the last move."""
        tree = self._board.tree
        picture = drawn(tree.position, message, PICTURE_SIZE)
        return {"type": "picture", "kind": message.get("kind"), "svg": picture}

    async def on_frames(self, message: dict[str, Any]) -> dict[str, object]:
        """The positions of the line through the one on the board as SVG, from the start."""
        tree = self._board.tree
        line = [*tree.path(tree.node), *tree.main_line(tree.node)]
        if len(line) >= MOST_FRAMES:
            raise RequestError(f"the game has more than {MOST_FRAMES - 1} moves; go to an earlier variation")
        position = tree.position_at(ROOT)
        moves = [tree.nodes[number].move for number in line]

        def draw_all() -> list[str]:
            pictures, shown = [drawn(position, message, FRAME_SIZE)], position
            for move in moves:
                shown = advanced(shown, move)
                pictures.append(drawn(shown, message, FRAME_SIZE))
            return pictures

        return {"type": "frames", "svgs": await asyncio.to_thread(draw_all)}

    async def on_export(self, message: dict[str, Any]) -> dict[str, object]:
        """The PGN of the game on the board."""
        return {
            "type": "exported",
            "pgn": board_pgn(self._board.tree),
            "fen": self._board.tree.position.fen(),
        }
