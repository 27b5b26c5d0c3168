"""The tree of moves of the game on the board. The server keeps it, so every page shows the same."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..engine.position import Position
from .view import label_of

if TYPE_CHECKING:
    from .chances import Eval

ROOT = 0


@dataclass
class Node:
    """A position in the tree, by the move that led to it.

    `eval` is {"cp" or "mate", "depth", "chance"} in White's view; `best` the label of a better move, `clock`
    the seconds that the mover has left."""

    id: int
    parent: int | None
    move: str = ""
    label: str = ""
    children: list[int] = field(default_factory=list)
    comment: str = ""
    glyph: str = ""
    eval: "Eval | None" = None
    best: str = ""
    clock: float | None = None

    def as_json(self) -> dict[str, object]:
        """The node as the page gets it; what is empty is left out."""
        data = {key: value for key, value in vars(self).items() if value not in ("", None, [])}
        return data | {"id": self.id}


class Tree:
    """A game from `fen` (the start by default) with variations; the first child of a node is its main line.

    `node` is the number of the position on the board, `position` the `Position` itself, with its history.
    Raises FenError."""

    def __init__(self, variant: str, fen: str | None = None, tags: Mapping[str, str] | None = None) -> None:
        self.variant = variant
        self.tags = dict(tags or {})
        self.position = Position(variant, fen)
        self.nodes = {ROOT: Node(ROOT, None)}
        self.node = ROOT
        self._next = 1

    @property
    def start_fen(self) -> str:
        """The position at the root."""
        return self.position.start_fen

    def path(self, node: int) -> list[int]:
        """The numbers of nodes from the root, without it, to `node`. Raises KeyError."""
        found = []
        while (parent := self.nodes[node].parent) is not None:
            found.append(node)
            node = parent
        return found[::-1]

    def main_line(self, node: int = ROOT) -> list[int]:
        """The numbers of the nodes behind `node` by first children."""
        found = []
        while self.nodes[node].children:
            node = self.nodes[node].children[0]
            found.append(node)
        return found

    def goto(self, node: int) -> None:
        """Puts the position of a node on the board. Raises KeyError."""
        self.position = self.position_at(node)
        self.node = node

    def position_at(self, node: int) -> Position:
        """The `Position` of a node, with its history. Raises KeyError."""
        here, there = self.path(self.node), self.path(node)
        same = 0
        while same < min(len(here), len(there)) and here[same] == there[same]:
            same += 1
        position = self.position.copy()
        for _ in here[same:]:
            position.pop()
        for number in there[same:]:
            position.push(self.nodes[number].move)
        return position

    def play(self, text: str, main: bool = False) -> tuple[Node, bool]:
        """Plays a legal move on the board; goes to the node of that move if there is one already.

        With `main` a new node becomes the main line. Returns (node, whether it is new). Raises MoveError.
        """
        move = self.position.parse_move(text)
        for number in self.nodes[self.node].children:
            if self.nodes[number].move == str(move):
                self.position.push(move)
                self.node = number
                return self.nodes[number], False
        label = label_of(self.position, move)
        self.position.push(move)
        if self.position.is_check():
            result = self.position.result()
            label += "#" if result and result.score != "1/2-1/2" else "+"
        node = Node(self._next, self.node, str(move), label)
        self._next += 1
        self.nodes[node.id] = node
        siblings = self.nodes[self.node].children
        siblings.insert(0 if main else len(siblings), node.id)
        self.node = node.id
        return node, True

    def delete(self, node: int) -> None:
        """Removes a node and all behind it; the board goes to its parent if it stood there. Raises KeyError,
        ValueError for the root."""
        if node == ROOT:
            raise ValueError("the first position cannot be deleted")
        parent = self.nodes[node].parent
        assert parent is not None
        if node in self.path(self.node):
            self.goto(parent)
        self.nodes[parent].children.remove(node)
        pending = [node]
        while pending:
            pending += self.nodes.pop(pending.pop()).children

    def promote(self, node: int) -> None:
        """Makes the line through a node the main one. Raises KeyError."""
        for number in self.path(node):
            parent = self.nodes[number].parent
            assert parent is not None
            siblings = self.nodes[parent].children
            siblings.remove(number)
            siblings.insert(0, number)

    def as_json(self) -> dict[str, object]:
        """The whole tree for the page."""
        turn = 1 if self.start_fen.split()[1] == "b" else 0
        number = int(self.start_fen.split()[5])
        return {
            "variant": self.variant,
            "startFen": self.start_fen,
            "firstTurn": turn,
            "firstNumber": number,
            "tags": self.tags,
            "nodes": [node.as_json() for node in self.nodes.values()],
        }
