"""PGN cut into games, line by line: tags, and the text of the moves without a look at them.

A game ends with its result, with the tags of the next one, or before a move number 1 after an empty line.
Only the current game is in memory.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .headers import RESULT, Headers, shown
from .lines import Lines

UNKNOWN_RESULT = "*"
MOST_ERRORS = 20  # of a game

_TAG = re.compile(r'\s*\[\s*(?P<name>[\w+#=:-]+)\s*"(?P<value>(?:[^"\\]|\\.)*)"\s*\]')
_USUAL_TAG = re.compile(r'\[([\w+#=:-]+) "([^"\\\n]*)"\]\s*')
_TAG_BEGIN = re.compile(r'\s*\[\s*(?P<name>[\w+#=:-]+)\s*"')
_ESCAPED = re.compile(r"\\(.)")
_COMMENTS = re.compile(r"\{[^}]*\}?|;.*")
_BRACKETS = re.compile(r"[()]")
_RESULT = re.compile(rf"(?<![^\s).])({RESULT})(?![^\s(])")
_FIRST_MOVE = re.compile(r"\s*1\s*\.(?!\s*[.…])")  # of White


class PgnError(ValueError):
    """An error in a game: `line` of the file from 1, and the `reason`, which quotes the text."""

    def __init__(self, line: int, reason: str) -> None:
        self.line, self.reason = line, reason
        super().__init__(f"line {line}: {reason}")

    def __reduce__(self) -> tuple[type["PgnError"], tuple[int, str]]:
        return PgnError, (self.line, self.reason)


@dataclass
class GameText:
    """A game as its text has it: its tags, and the text of the moves, which begins in `movetext_line`.

    `line` is where the game begins, `result` what the moves end with. `errors` are those of the tags."""

    line: int
    headers: Headers = field(default_factory=Headers)
    movetext: str = ""
    movetext_line: int = 1
    result: str = UNKNOWN_RESULT
    errors: list[PgnError] = field(default_factory=list)


def next_game(lines: Lines, with_moves: bool = True) -> GameText | None:
    """The next game of some lines, None after the last; without `with_moves` its movetext is left out."""
    while True:
        game = _read_tags(lines)
        first = lines.take()
        if not first:
            return game
        if game is not None and first.lstrip()[:1] == "[" and _TAG_BEGIN.match(first) is not None:
            lines.give_back(first)
            return game
        found = game or GameText(lines.number)
        reader = _Movetext(lines, found, with_moves)
        reader.read(first)
        if game is not None or reader.begun or found.errors:  # else a comment before the first game
            return found


def _read_tags(lines: Lines) -> GameText | None:
    """The game of the tags that come next, after empty lines, comments and lines for other programs; None
    where moves or nothing come next."""
    game: GameText | None = None
    separated = False
    while line := lines.take():
        start = line.lstrip()
        if not start:
            separated = game is not None
        elif line[0] == "%" or (game is None and start[0] == ";"):
            continue
        elif start[0] == "[":
            if game is not None and separated and _name_of(line) in game.headers:
                lines.give_back(line)
                break
            game = game or GameText(lines.number)
            if rest := _take_tags(game, line, lines.number):
                lines.give_back(rest)
                break
        else:
            lines.give_back(line)
            break
    return game


def _name_of(line: str) -> str | None:
    match = _TAG.match(line)
    return match["name"] if match else None


def _take_tags(game: GameText, line: str, number: int) -> str:
    """Adds the tags of a line, and returns moves that follow them. What is neither goes to the errors."""
    if match := _USUAL_TAG.fullmatch(line):
        game.headers.set_read(*match.groups())
        return ""
    end = 0
    while match := _TAG.match(line, end):
        game.headers[match["name"]] = _ESCAPED.sub(r"\1", match["value"])
        end = match.end()
    rest = line[end:]
    if not rest.strip():
        return ""
    if end and rest.lstrip()[0] != "[":
        return rest
    if end == 0 and (match := _TAG_BEGIN.match(rest)):  # a value with quotes inside, or not closed
        value = rest[match.end() :].rstrip().removesuffix("]").rstrip().removesuffix('"')
        game.headers[match["name"]] = _ESCAPED.sub(r"\1", value)
    else:
        note(game.errors, number, no_tag(rest))
    return ""


def no_tag(text: str) -> str:
    """The error for a text in brackets that is not a tag."""
    return f"{shown(text)} is not a tag; tags look like '[White \"Surajang\"]'"


def note(errors: list[PgnError], line: int, reason: str) -> None:
    """Adds an error, unless there are MOST_ERRORS already."""
    if len(errors) < MOST_ERRORS:
        errors.append(PgnError(line, reason))


def _is_plain(line: str) -> bool:
    """Whether a line certainly contains only moves; regular expressions take longer."""
    if "{" in line or "(" in line or ")" in line or ";" in line or "%" in line or "[" in line:
        return False
    if "*" in line or "/" in line or not line.isascii() or line.isspace():
        return False
    return not ("-" in line or ":" in line) or _RESULT.search(line) is None


class _Movetext:
    """Reads the lines of one game's moves, up to the line that ends it."""

    def __init__(self, lines: Lines, game: GameText, kept: bool) -> None:
        self.lines, self.game, self.kept = lines, game, kept
        self.parts: list[str] = []
        self.in_comment = self.after_empty = self.begun = False
        self.depth = 0  # variations that are open
        self.settled = False  # nothing is open, and the last line had moves

    def read(self, line: str) -> None:
        """Reads from this line on."""
        self.game.movetext_line = self.lines.number
        while line:
            if self.settled and _is_plain(line):
                self._keep(line)
            elif not self._take(line):
                break
            line = self.lines.take()
        self.game.movetext = "".join(self.parts)

    def _take(self, line: str) -> bool:
        """Takes a line, or gives back the part of the next game. Returns whether the game continues."""
        self.settled = False
        if line.lstrip()[:1] == "[" and (not self.in_comment or self.after_empty):
            if _TAG.match(line) or (not self.in_comment and _TAG_BEGIN.match(line)):
                self.lines.give_back(line)
                return False
            if not self.in_comment:
                note(self.game.errors, self.lines.number, no_tag(line))
                line = "\n"
        empty = line.isspace()
        if empty or (line[0] == "%" and not self.in_comment):
            self._keep(line if empty else "\n")
            self.after_empty = empty or self.after_empty
            return True
        if self.after_empty and self._may_end() and _FIRST_MOVE.match(line):
            self.lines.give_back(line)
            return False
        self.after_empty = False
        return self._take_moves(line)

    def _may_end(self) -> bool:
        return self.begun and not self.in_comment and self.depth == 0

    def _take_moves(self, line: str) -> bool:
        plain = self._masked(line)
        result = _RESULT.search(plain)
        self.begun = self.begun or not plain.isspace()
        if result is None:
            self._keep(line)
            self.settled = self._may_end()
            return True
        self.game.result = result[1]
        rest = plain[result.end() :]
        start = len(plain) - len(rest.lstrip())
        if _FIRST_MOVE.match(rest):  # another game on this line
            self._keep(line[:start])
            self.lines.give_back(line[start:])
            return False
        self._keep(line)
        while self.in_comment and (line := self.lines.take()):
            self._masked(line)
            self._keep(line)
        return False

    def _keep(self, line: str) -> None:
        if self.kept:
            self.parts.append(line)

    def _masked(self, line: str) -> str:
        """The line with comments and variations replaced by spaces."""
        begin = 0
        if self.in_comment:
            begin = line.find("}") + 1
            if not begin:
                return " " * len(line)
            self.in_comment = False
        if "{" not in line and ";" not in line and not self.depth and "(" not in line:
            return " " * begin + line[begin:] if begin else line
        pieces, end = [" " * begin], begin
        for comment in _COMMENTS.finditer(line, begin):
            pieces += [line[end : comment.start()], " " * len(comment[0])]
            end = comment.end()
            self.in_comment = comment[0][0] == "{" and comment[0][-1] != "}"
        pieces.append(line[end:])
        plain = "".join(pieces)
        return self._without_variations(plain) if self.depth or "(" in plain else plain

    def _without_variations(self, plain: str) -> str:
        pieces, end = [], 0
        for bracket in _BRACKETS.finditer(plain):
            between = plain[end : bracket.start()]
            pieces += [" " * len(between) if self.depth else between, " "]
            end = bracket.end()
            self.depth = max(0, self.depth + (1 if bracket[0] == "(" else -1))
        rest = plain[end:]
        return "".join([*pieces, " " * len(rest) if self.depth else rest])


def scan(lines: Lines) -> Iterator[GameText]:
    """The games of some lines, one after the other."""
    while (game := next_game(lines)) is not None:
        yield game
