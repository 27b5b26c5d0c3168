"""PGN for the board, read and written: games with variations, comments, marks and `%eval`.

`match.pgn` reads and writes the games of matches, which have no variations.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from ..engine.game import catalogue
from ..engine.position import FenError
from ..match.records.pgn import (
    TOKEN,
    VARIANT_TAGS,
    PgnError,
    comment_words,
    escape,
    foreign_board,
    why_unreadable,
    wrap,
)
from ..protocol.cecp.start import NAMES as XBOARD_NAMES
from ..protocol.uci.notation import ALIASES
from .chances import with_chance
from .tree import ROOT, Node, Tree
from .view import read_label

if TYPE_CHECKING:
    from ..engine.position import Move, Position

GLYPHS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
NUMBERS = {glyph: number for number, glyph in GLYPHS.items()}
BETTER = re.compile(r"\s*\(better: ([^()]+)\)")
_EVAL = re.compile(r"\[%eval\s+(#?)([+-]?\d+(?:\.\d+)?)(?:,(\d+))?\s*\]")
_CLOCK = re.compile(r"\[%clk\s+(\d+):(\d+):(\d+(?:\.\d+)?)\s*\]")
_COMMAND = re.compile(r"\[%\w+[^\]]*\]")


@dataclass
class GameText:
    """A game as its text has it: tags and tokens (kind, line, text). `line` is where it begins, from 1."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    tokens: list[tuple[str, int, str]] = field(default_factory=list)
    score: str = "*"


def split_games(text: str) -> Iterator[GameText]:
    """The games of a PGN text; the moves are not checked. Raises PgnError."""
    game: GameText | None = None
    line, ended = 1, False
    depths: list[int] = []  # lines of the variations that are open
    text = re.sub(r"(?m)^%.*", "", text.removeprefix("\ufeff"))
    for token in TOKEN.finditer(text):
        kind, word = token.lastgroup, token[0]
        assert kind is not None  # every branch of TOKEN has a name
        if kind in ("open", "other") or (kind == "move" and word.startswith("[")):
            raise PgnError(line, why_unreadable(kind, text[token.start() :].split("\n")[0][:40]))
        if kind == "tag" and depths:
            raise PgnError(depths[-1], "'(' begins a variation that never ends")
        if kind not in ("space", "number"):
            begins = kind in ("tag", "move", "result") and not depths
            if begins and (game is None or ended or (kind == "tag" and game.tokens)):
                if game is not None:
                    yield game
                game, ended = GameText(line), False
            if game is None:
                game = GameText(line)
            if kind == "begin":
                depths.append(line)
            elif kind == "end":
                if not depths:
                    raise PgnError(line, "')' ends a variation that was never begun")
                depths.pop()
            if kind == "tag":
                game.tags[token["name"]] = re.sub(r"\\(.)", r"\1", token["value"])
            elif kind == "result":
                if not depths:
                    game.score, ended = word, True
            else:
                game.tokens.append((kind, line, word))
        line += word.count("\n")
    if depths:
        raise PgnError(depths[-1], "'(' begins a variation that never ends")
    if game is not None:
        yield game


def variant_of(game: GameText, current: str) -> str:
    """The name of the game that a `GameText` is of; `current` where it does not say. Raises PgnError."""
    name = game.tags.get("Variant")
    if name is None:
        return current
    folded = name.strip().casefold()
    xboard = {theirs.casefold(): ours for ours, theirs in XBOARD_NAMES.items()}
    known = {own.casefold(): own for own in catalogue.available()}
    found = known.get(folded) or ALIASES.get(folded) or xboard.get(folded)
    if found is None and folded in ("standard", "normal", "from position", "chess"):
        found = "chess"
    if found is None:
        raise PgnError(
            game.line, f"the game {name!r} is not known; known are {', '.join(sorted(known.values()))}"
        )
    return found


def build_tree(game: GameText, variant: str) -> Tree:
    """The `Tree` of a `GameText`, on its last move of the main line. Raises PgnError for what is illegal.

    A game without a Variant tag is read as chess if it cannot be read as `variant`."""
    try:
        return _build(game, variant)
    except PgnError:
        if "Variant" in game.tags or variant == "chess":
            raise
        try:
            return _build(game, "chess")
        except PgnError:
            pass
        raise


def _build(game: GameText, variant: str) -> Tree:
    try:
        tree = Tree(variant, game.tags.get("FEN"), game.tags)
    except FenError as error:
        raise PgnError(game.line, str(error)) from None
    tree.tags["Result"] = game.tags.get("Result", game.score)
    branches: list[int] = []  # nodes to go back to after a variation
    for kind, line, word in game.tokens:
        if kind == "move":
            _play(tree, line, word)
        elif kind == "mark":
            node = tree.nodes[tree.node]
            node.glyph = GLYPHS.get(int(word[1:]), "") if word[0] == "$" else word
        elif kind == "comment":
            _annotate(tree, word)
        elif kind == "begin":
            if tree.node == ROOT:
                raise PgnError(line, "a variation comes before any move")
            branches.append(tree.node)
            parent = tree.nodes[tree.node].parent
            assert parent is not None
            tree.goto(parent)
        elif kind == "end":
            tree.goto(branches.pop())
    tree.goto((tree.main_line() or [ROOT])[-1])
    return tree


def _play(tree: Tree, line: int, word: str) -> None:
    position = tree.position
    if position.result() is not None and not position.legal_moves():
        raise PgnError(line, f"move {word!r}: the game is over")
    try:
        move = _read_move(position, word)
        tree.play(str(move))
    except ValueError as error:
        raise PgnError(line, f"move {word!r}: {error}") from None


def _read_move(position: "Position", word: str) -> "Move":
    """The legal move that a word of a PGN spells. Raises ValueError."""
    try:
        return position.parse_move(word)
    except ValueError:
        board = foreign_board(position.variant, position.fen())
        if board is None:
            return read_label(position, word)
        return position.parse_move(board.parse_san(word).uci())


def _annotate(tree: Tree, word: str) -> None:
    """Takes a comment: scores and clocks become fields, the rest stays text."""
    node = tree.nodes[tree.node]
    text = word[1:-1] if word.startswith("{") else word[1:]
    if match := _EVAL.search(text):
        value = {"mate": int(float(match[2]))} if match[1] else {"cp": round(100 * float(match[2]))}
        if match[3]:
            value["depth"] = int(match[3])
        node.eval = with_chance(value, tree.position.description)
    if match := _CLOCK.search(text):
        node.clock = 3600 * int(match[1]) + 60 * int(match[2]) + float(match[3])
    if match := BETTER.search(text):
        node.best = match[1]
    text = " ".join(BETTER.sub("", _COMMAND.sub("", text)).split())
    if text and text != "book":
        node.comment = f"{node.comment} {text}".strip()


def board_pgn(tree: Tree) -> str:
    """The tree as PGN: the main line with variations, marks, comments and scores."""
    tags = {
        "Event": "?",
        "Site": "?",
        "Date": f"{date.today():%Y.%m.%d}",
        "Round": "?",
        "White": "?",
        "Black": "?",
    }
    tags |= {name: str(value) for name, value in tree.tags.items()}
    tags["Result"] = tree.tags.get("Result") or "*"
    if name := VARIANT_TAGS.get(tree.variant, tree.variant):
        tags["Variant"] = name
    if tree.start_fen != catalogue.load(tree.variant).start_fen:
        tags |= {"SetUp": "1", "FEN": tree.start_fen}
    lines = [f'[{name} "{escape(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *wrap([*_words(tree), tags["Result"]]), "", ""])


def _words(tree: Tree) -> Iterator[str]:
    """The movetext of a tree, word by word, without recursion: games may be long."""
    fields = tree.start_fen.split()
    first, number = fields[1] == "b", int(fields[5])
    yield from comment_words(_comment(tree.nodes[ROOT]))
    # ("line", node, ...): what follows the node; ("branch", node, ...): a variation that begins with it;
    # ("word", text, ...)
    stack: list[tuple[str, int | str, int, bool]] = [("line", ROOT, 0, True)]
    while stack:
        kind, item, ply, numbered = stack.pop()
        if isinstance(item, str):  # a word
            yield item
            continue
        parent = item if kind == "line" else tree.nodes[item].parent
        assert parent is not None  # no variation begins with the root
        children = tree.nodes[parent].children
        if not children:
            continue
        child = tree.nodes[children[0] if kind == "line" else item]
        half = ply + first
        yield from _move_words(tree, child, number + half // 2, half % 2, numbered)
        if kind == "branch":
            stack += [("word", ")", 0, False), ("line", child.id, ply + 1, bool(_comment(child)))]
        else:
            stack.append(("line", child.id, ply + 1, bool(children[1:] or _comment(child))))
            stack += [("branch", other, ply, True) for other in reversed(children[1:])]


def _move_words(tree: Tree, node: Node, number: int, black: int, numbered: bool) -> Iterator[str]:
    """The move of `node` with its number, mark and comment."""
    assert node.parent is not None
    opened = "( " if node.id not in tree.nodes[node.parent].children[:1] else ""
    if not black:
        yield f"{opened}{number}."
    elif numbered or opened:
        yield f"{opened}{number}..."
    yield _spelled(tree, node)
    if node.glyph in NUMBERS:
        yield f"${NUMBERS[node.glyph]}"
    yield from comment_words(_comment(node))


def _spelled(tree: Tree, node: Node) -> str:
    """SAN in games where PGN has one, our notation in others."""
    if tree.variant not in VARIANT_TAGS:
        return node.move
    label = node.label
    return f"P{label}" if label.startswith("@") else label


def _comment(node: Node) -> str:
    """What the comment on a move says, "" for nothing."""
    parts = []
    if node.eval and "over" not in node.eval:
        depth = f",{node.eval['depth']}" if node.eval.get("depth") else ""
        mate = "mate" in node.eval
        value = f"#{node.eval['mate']}" if mate else f"{node.eval['cp'] / 100:.2f}"
        parts.append(f"[%eval {value}{depth}]")
    if node.clock is not None:
        seconds = int(node.clock)
        parts.append(f"[%clk {seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}]")
    parts += [f"(better: {node.best})"] if node.best else []
    parts += [node.comment] if node.comment else []
    return " ".join(parts)
