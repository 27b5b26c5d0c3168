"""Games written as PGN: tags, moves in SAN with variations, glyphs and comments."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, TextIO

from ..game.moves import Move
from . import san
from .glyphs import check_nags
from .headers import RESULTS, Headers, escape, single_line
from .nulls import NULL, played

if TYPE_CHECKING:
    from ..position import Position

_COMMAND = re.compile(r"\[%\w+[^][]*\]")
WIDTH = 79  # columns; PGN asks for lines of less than 80

Words = Iterator["str | Words"]  # words of a line, and the words of variations in it


class WrittenNode(Protocol):
    """The part of `GameNode` that the exporters use; its module imports this one."""

    move: Move | None
    comment: str
    starting_comment: str
    nags: set[int]

    @property
    def parent(self) -> "WrittenNode | None": ...

    @property
    def variations(self) -> "Sequence[WrittenNode]": ...

    def is_main_variation(self) -> bool: ...


class WrittenGame(WrittenNode, Protocol):
    """The part of `Game` that the exporters use."""

    headers: Headers

    def position(self) -> "Position": ...

    def first_ply(self) -> int: ...


class StringExporter:
    """Writes games: `accept` of a `Game` takes it, or `export` takes the game. Lines have at most `columns`
    characters where words allow it; None puts all moves on one line."""

    def __init__(
        self,
        *,
        columns: int | None = WIDTH,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        self.columns, self.headers, self.comments, self.variations = columns, headers, comments, variations

    def export(self, game: WrittenGame) -> str:
        """The game as PGN, without a line end. Raises VariantError or FenError where its tags make no
        position."""
        lines = (
            [f'[{name} "{escape(value)}"]' for name, value in game.headers.items()] if self.headers else []
        )
        result = game.headers.get("Result", "*")
        words = [*self._words(game), result if result in RESULTS else "*"]
        moves = wrap(words, self.columns) if self.columns else [" ".join(words)]
        return "\n".join([*lines, "", *moves] if lines else moves)

    def _words(self, game: WrittenGame) -> Iterator[str]:
        """The words of the moves. Lines stand on a stack, as variations may be nested deeply."""
        yield from self._comment(game.comment)
        if not game.variations:
            return
        stack: list[Words] = [self._line(game.variations[0], game.position(), game.first_ply())]
        while stack:
            for word in stack[-1]:
                if isinstance(word, str):
                    yield word
                else:
                    stack.append(word)
                    break
            else:
                stack.pop()

    def _line(self, node: WrittenNode, position: "Position", ply: int) -> Words:
        """The words of a node's move, played in `position`, and of what follows."""
        following: WrittenNode | None = node
        numbered = True
        while following is not None:
            node = following
            following = node.variations[0] if node.variations else None
            assert node.move is not None and node.parent is not None
            if self.comments:
                yield from self._comment(node.starting_comment)
            others = node.parent.variations[1:] if self.variations and node.is_main_variation() else []
            before = position.copy() if others else position
            text = san.PASS_TEXT if node.move == NULL else san.label(position, node.move)
            position = played(position, node.move)
            mark = "" if node.move == NULL else san.check_mark(position)
            number = f"{ply // 2 + 1}. " if ply % 2 == 0 else f"{ply // 2 + 1}... " if numbered else ""
            yield f"{number}{text}{mark}"
            check_nags(node.nags)
            yield from (f"${nag}" for nag in sorted(node.nags))
            said = list(self._comment(node.comment))
            yield from said
            for other in others:
                yield "("
                yield self._line(other, before.copy(), ply)
                yield ")"
            numbered, ply = bool(said or others), ply + 1

    def _comment(self, text: str) -> list[str]:
        return comment_words(text) if self.comments else []


class FileExporter(StringExporter):
    """Writes games to a handle, each followed by an empty line."""

    def __init__(self, handle: TextIO, **options: bool) -> None:
        super().__init__(**options)
        self._handle = handle

    def export(self, game: WrittenGame) -> str:
        """Writes a game, and returns its text."""
        text = f"{super().export(game)}\n\n"
        self._handle.write(text)
        return text


def comment_words(text: str) -> list[str]:
    """The words of a comment. Commands like `[%clk 0:01:02]` are not broken, nor is a line before [, % and ;,
    which have other meanings at the start of a line."""
    text = single_line(text.replace("{", "(").replace("}", ")"))
    text = _COMMAND.sub(lambda command: command[0].replace(" ", "\0"), text)
    text = re.sub(r"\s+(?=[\[%;])", "\0", text)
    return [word.replace("\0", " ") for word in f"{{{text}}}".split(" ")] if text else []


def wrap(words: Iterable[str], columns: int = WIDTH) -> list[str]:
    """The words in lines of at most so many columns; a longer word has a line of its own."""
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > columns:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]
