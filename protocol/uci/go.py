"""The command `go` of UCI: which limits its words set."""

import re
from dataclasses import dataclass, field

from ..wire.arguments import RefusedError

MOST = 10**12  # whatever is counted
COUNTS = ("movestogo", "depth", "nodes", "mate", "perft")
TIMES = ("wtime", "btime", "winc", "binc", "movetime")  # milliseconds
FLAGS = ("infinite", "ponder")
SEARCHMOVES = "searchmoves"
KEYWORDS = (*COUNTS, *TIMES, *FLAGS, SEARCHMOVES)


@dataclass
class Go:
    """What a `go` asks for: numbers and flags by their words, and moves as they were spelled."""

    numbers: dict = field(default_factory=dict)
    flags: set = field(default_factory=set)
    moves: list | None = None  # None: all
    unknown: list = field(default_factory=list)  # words that mean nothing

    @property
    def endless(self):
        """Whether only the GUI ends the search: it was said so, or nothing else."""
        limits = {"movetime", "depth", "nodes", "mate", "wtime", "btime"} & self.numbers.keys()
        return "infinite" in self.flags or not limits

    def limits(self, turn, movetime):
        """The keywords of `Engine.play` for the side to move, 0 for White; `movetime` turns seconds for a
        move into seconds to search. Raises RefusedError when the mover's clock is missing."""
        from ...search.engine import Clock

        numbers, own = self.numbers, "wb"[turn]
        found = {name: max(1, numbers[name]) for name in ("depth", "nodes", "mate") if name in numbers}
        if "movetime" in numbers:
            found["movetime"] = movetime(max(0, numbers["movetime"]) / 1000)
        elif f"{own}time" in numbers:
            remaining, increment = (max(0, numbers.get(own + name, 0)) / 1000 for name in ("time", "inc"))
            found["clock"] = Clock(remaining, increment, numbers.get("movestogo") or None)
        elif {"wtime", "btime"} & numbers.keys():
            raise RefusedError(f"{own}time is missing, the clock of the side to move")
        return found


def read_go(text):
    """The `Go` that the words after `go` make. Words without a meaning are skipped. Raises RefusedError for
    a word that lacks its number."""
    go, words = Go(), text.split()
    while words:
        word = words.pop(0)
        if word == SEARCHMOVES:
            go.moves = []
            while words and words[0] not in KEYWORDS:
                go.moves.append(words.pop(0))
        elif word in FLAGS:
            go.flags.add(word)
        elif word in KEYWORDS:
            go.numbers[word] = _number(word, words.pop(0) if words else "")
        else:
            go.unknown.append(word)
    return go


def _number(word, text):
    """The whole number after `word`. Only clocks may fall below 0."""
    if not re.fullmatch(r"-?\d{1,18}", text, re.ASCII):
        raise RefusedError(f"{word} needs a whole number" + (f", not {text[:20]!r}" if text else ""))
    number = int(text)
    if number < 0 and word not in TIMES:
        raise RefusedError(f"{word} {number} is less than nothing")
    return min(number, MOST)
