"""The tree of moves of the game on the board. The server keeps it, so every page shows the same."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace

from ..engine.definition.shuffled_starts import start_number
from ..engine.notation.nulls import NULL, after_null
from ..engine.notation.san import check_mark
from ..engine.position import Position
from ..engine.variant import Variant
from .chances import Eval
from .notations import notations, spelled_in
from .opening_names import OpeningName, opening_of
from .view import label_of

ROOT = 0


def advanced(position: Position, text: str) -> Position:
    """The position after a move: the same object, or another after a null move. Raises MoveError."""
    if text == NULL.text and not any(move.is_pass for move in position.legal_moves()):
        return after_null(position)
    position.push(text)
    return position


@dataclass
class Node:
    """A position in the tree, by the move that led to it.

    `eval` is {"cp" or "mate", "depth", "chance"} in White's view, `clock` the seconds that the mover has
    left. `best` is the line that was better than a mistake and `refutation` the one that punishes it: labels
    with spaces between them. `own` says that a person gave the `glyph`, not a review. `nags` are numbers of
    glyphs besides `glyph`, `shapes` the arrows and circles that a user drew: a letter of `arrows.COLOURS` and
    one or two squares. `opening` is the opening that the position
    belongs to. `notations` are the move in the notations of the game besides SAN, by their names."""

    id: int
    parent: int | None
    move: str = ""
    label: str = ""
    children: list[int] = field(default_factory=list)
    comment: str = ""
    glyph: str = ""
    eval: Eval | None = None
    best: str = ""
    refutation: str = ""
    own: bool = False
    clock: float | None = None
    opening: OpeningName | None = None
    nags: list[int] = field(default_factory=list)
    shapes: list[str] = field(default_factory=list)
    notations: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """The node as the page gets it; what is empty is left out."""
        data = {
            key: value
            for key, value in vars(self).items()
            if key != "own" and value not in ("", None, [], {})
        }
        return data | {"id": self.id}


class Tree:
    """A game from `fen` (the start by default) with variations; the first child of a node is its main line.

    `node` is the number of the position on the board, `position` the `Position` itself, with its history.
    `start` is the number of a shuffled start, None for other positions. Raises FenError."""

    def __init__(
        self, variant: Variant, fen: str | None = None, tags: Mapping[str, str] | None = None
    ) -> None:
        self.variant = variant
        self.tags = dict(tags or {})
        self.position = Position(variant, fen)
        self._start = self.position.copy()
        self._notations = notations(self.position.description)
        self.start = start_number(self.position.description, self.start_fen)
        self.nodes = {ROOT: Node(ROOT, None, opening=opening_of(self.position))}
        self.node = ROOT
        self._next = 1

    def copy(self) -> "Tree":
        """An independent copy of the tree."""
        twin = copy(self)
        twin.tags, twin.position = dict(self.tags), self.position.copy()
        twin.nodes = {
            number: replace(node, children=[*node.children], nags=[*node.nags], shapes=[*node.shapes])
            for number, node in self.nodes.items()
        }
        return twin

    @property
    def start_fen(self) -> str:
        """The position at the root."""
        return self._start.start_fen

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
        if any(self.nodes[number].move == NULL.text for number in (*here, *there)):
            position = self._start.copy()
            for number in there:
                position = advanced(position, self.nodes[number].move)
            return position
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
        text = str(self.position.parse_move(text))
        known = len(self.nodes)
        node = self.add(self.node, self.position, text, main)
        self.position.push(text)
        self.node = node.id
        return node, len(self.nodes) > known

    def add(self, parent: int, position: Position, text: str, main: bool = False) -> Node:
        """The node of a legal move, or a null move, in the position of the node `parent`: an existing one, or
        a new one after the others; with `main` it comes first."""
        siblings = self.nodes[parent].children
        for number in siblings:
            if self.nodes[number].move == text:
                return self.nodes[number]
        spellings, opening = {}, None
        if text == NULL.text:
            label = NULL.text
        else:
            move = position.parse_move(text)
            after = position.copy()
            after.push_legal(move)
            label = label_of(position, move) + check_mark(after)
            spellings, opening = spelled_in(position, move, self._notations), opening_of(after)
        node = Node(self._next, parent, text, label, opening=opening, notations=spellings)
        self._next += 1
        self.nodes[node.id] = node
        siblings.insert(0 if main else len(siblings), node.id)
        return node

    def delete(self, node: int) -> None:
        """Removes a node and its descendants; the board goes to its parent if necessary. Raises KeyError,
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
        number = int(self.start_fen.split()[-1])  # counts of checks may stand before it
        return {
            "variant": self.variant,
            "startFen": self.start_fen,
            "start": self.start,
            "firstTurn": turn,
            "firstNumber": number,
            "tags": self.tags,
            "nodes": [node.as_json() for node in self.nodes.values()],
        }
