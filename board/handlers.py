"""What pages ask of the game on the board: moves, variations, positions, texts."""

import asyncio
import io
from typing import TYPE_CHECKING, Any

from ..engine.game import catalogue, fen
from ..engine.notation.reading import scan_games
from .pgn import board_pgn, build_tree, told, variant_of
from .requests import RequestError
from .rules_card import rules_card
from .view import pieces_of, read_label

if TYPE_CHECKING:
    from ..engine.game.description import Description
    from .host import BoardHost

MOST_TEXT = 20_000_000  # characters of a PGN that a page may send


class Requests:
    """The requests about the tree and the position of a session; each takes the message of a page and returns
    the answer to that page alone, or None."""

    def __init__(self, session: "BoardHost") -> None:
        self._session = session

    # Requests: the tree

    async def on_move(self, message: dict[str, Any]) -> None:
        """Plays a move in the position of a node, in our notation or as people write it."""
        node = message.get("node", self._session.tree.node)
        if node != self._session.tree.node:
            self._session.tree.goto(node)
        move = read_label(self._session.tree.position, str(message["text"]))
        if self._session.play.active:
            await self._session.play.move(str(move))
        else:
            self._session.make(str(move))

    async def on_line(self, message: dict[str, Any]) -> None:
        """Plays moves one after the other from a node: a line of the engine."""
        if self._session.play.active:
            raise RequestError("a game is being played: no other moves can be tried before it ends")
        self._session.tree.goto(message["node"])
        for text in message["moves"]:
            self._session.make(str(text))

    async def on_goto(self, message: dict[str, Any]) -> None:
        if message["node"] != self._session.tree.node:
            self._session.tree.goto(message["node"])
            self._session.tell_state()

    async def on_delete(self, message: dict[str, Any]) -> None:
        self._refuse_in_play()
        self._session.tree.delete(message["node"])
        self._session.tell_tree()
        self._session.tell_state()

    async def on_promote(self, message: dict[str, Any]) -> None:
        self._refuse_in_play()
        self._session.tree.promote(message["node"])
        self._session.tell_tree()

    async def on_comment(self, message: dict[str, Any]) -> None:
        node = self._session.tree.nodes[message["node"]]
        node.comment = str(message["text"]).replace("{", "(").replace("}", ")")
        self._session.tell_nodes(node)

    def _refuse_in_play(self) -> None:
        if self._session.play.active:
            raise RequestError("not while a game is being played")

    async def on_preview(self, message: dict[str, Any]) -> dict[str, object]:
        """The position after moves from a node, for a board on hover. The answer goes to one page."""
        position = self._session.tree.position_at(message["node"])
        last = None
        for text in message["moves"]:
            last = position.push(str(text))
        squares = [] if last is None else [last.from_square, last.to_square]
        return {"type": "preview", "pieces": pieces_of(position), "last": squares, "key": message.get("key")}

    # Requests: positions and games

    async def on_new(self, message: dict[str, Any]) -> None:
        """A new game, on a position or from the start, without players."""
        variant = message.get("variant") or self._session.description.name
        start = message.get("fen") or None
        if start is None and message.get("setup"):
            start = with_setup(catalogue.load(variant))
        await self._session.load(variant, start)

    async def on_fen(self, message: dict[str, Any]) -> None:
        await self._session.load(self._session.description.name, str(message["fen"]))

    async def on_setup(self, message: dict[str, Any]) -> None:
        """The position of the editor: pieces by square, hands, side to move, castling field."""
        game = self._session.description
        board: dict[int, tuple[int, str]] = {}
        for square, letter in message["pieces"].items():
            board[int(square)] = (0 if letter[0].isupper() else 1, letter.upper())
        if len(message["hands"]) != 2:
            raise RequestError("there should be two hands, White's and Black's", "setup")
        hands: Any = tuple(
            {letter: int(n) for letter, n in hand.items() if int(n)} for hand in message["hands"]
        )
        setup = fen.Setup(board=board, hands=hands, side=int(message["turn"]))
        text = fen.write(setup, str(message.get("castling") or "-"), game)
        await self._session.load(game.name, text)

    async def on_pgn(self, message: dict[str, Any]) -> None:
        """Takes a PGN text: lists its games and shows the first."""
        text = str(message["text"])
        if len(text) > MOST_TEXT:
            raise RequestError("the PGN has more than 20 million characters", "pgn")
        games = await asyncio.to_thread(lambda: list(scan_games(io.StringIO(text, newline=None))))
        if not games:
            raise RequestError("there is no game in that text", "pgn")
        self._session.games = games
        self._session.tell(self._session.games_message())
        await self.on_choose({"type": "choose", "number": 0})

    async def on_choose(self, message: dict[str, Any]) -> None:
        """Shows a game of the last PGN, and tells what could not be read of it."""
        number = message["number"]
        if not 0 <= number < len(self._session.games):
            raise RequestError(f"there is no game {number + 1}", "pgn")
        game = self._session.games[number]
        variant = variant_of(game, self._session.description.name)
        tree, errors = await asyncio.to_thread(build_tree, game, variant)
        await self._session.set_tree(tree)
        self._session.tell({"type": "chosen", "number": number})
        if errors:
            self._session.problem = told(errors)
            self._session.tell({"type": "error", "where": "pgn", "text": told(errors)})

    async def on_rules(self, message: dict[str, Any]) -> dict[str, object]:
        """The card with the game's rules."""
        return {
            "type": "rules",
            "card": rules_card(self._session.description, str(message.get("style") or "")),
        }

    async def on_export(self, message: dict[str, Any]) -> dict[str, object]:
        """The PGN of the game on the board."""
        return {
            "type": "exported",
            "pgn": board_pgn(self._session.tree),
            "fen": self._session.tree.position.fen(),
        }


def with_setup(game: "Description") -> str | None:
    """The FEN of a game's start before its setup phase; None for a game that has none, or always begins
    with it."""
    fields = game.start_fen.split()
    if not game.setup_swaps or "S" in fields[2]:
        return None
    fields[2] = "Ss" if fields[2] == "-" else fields[2] + "Ss"
    return " ".join(fields)
