"""The command `go` of UCI: the limits in its words."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ...search.time_management import Clock, Limit
from ..wire.arguments import RefusedError

MOST = 10**12  # of any count or time
COUNTS = ("movestogo", "depth", "nodes", "mate", "perft")
TIMES = ("wtime", "btime", "winc", "binc", "movetime")  # milliseconds
FLAGS = ("infinite", "ponder")
SEARCHMOVES = "searchmoves"
KEYWORDS = (*COUNTS, *TIMES, *FLAGS, SEARCHMOVES)
LIMITS = ("movetime", "depth", "nodes", "mate", "wtime", "btime")
FALLBACK_S = 1.0  # the time of a search whose limits could not be read


@dataclass
class Go:
    """The request of a `go` command: numbers and flags by their words, and moves in the GUI's spelling."""

    numbers: dict[str, int] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    moves: list[str] | None = None  # None: all
    faults: list[str] = field(default_factory=list)  # sentences about ignored words
    unread: set[str] = field(default_factory=set)  # words whose number is missing or makes no sense

    @property
    def endless(self) -> bool:
        """Whether only the GUI ends the search: it said so, or set no limit, not even an unreadable one."""
        return "infinite" in self.flags or not (self.unread or self.numbers.keys() & set(LIMITS))

    def other_clock(self, turn: int) -> float | None:
        """The seconds on the clock of the side that is not to move; None if they are not given."""
        milliseconds = self.numbers.get(f"{'wb'[1 - turn]}time")
        return None if milliseconds is None else max(0, milliseconds) / 1000

    def limit(self, turn: int, movetime: Callable[[float], float]) -> Limit:
        """The limit for the side to move, 0 for White; `movetime` converts the time for a move to search
        time. A search that is not endless has a limit."""
        numbers, own = self.numbers, "wb"[turn]
        counts = {name: max(1, number) for name, number in numbers.items()}
        limit = Limit(depth=counts.get("depth"), nodes=counts.get("nodes"), mate=counts.get("mate"))
        if "movetime" in numbers:
            limit = replace(limit, time=movetime(max(0, numbers["movetime"]) / 1000))
        elif f"{own}time" in numbers:
            remaining, increment = (max(0, numbers.get(own + name, 0)) / 1000 for name in ("time", "inc"))
            limit = replace(limit, clock=Clock(remaining, increment, numbers.get("movestogo") or None))
        elif {"wtime", "btime"} & numbers.keys():
            self.faults.append(f"{own}time is missing, the clock of the side to move")
        if limit == Limit() and not self.endless:
            limit = Limit(time=movetime(FALLBACK_S))
            self.faults.append(f"no limit is left; the search takes {FALLBACK_S:g} s")
        return limit


def read_go(text: str) -> Go:
    """The `Go` of the words after `go`. Unknown words, and words with invalid numbers, are ignored and named
    in `faults`. Raises RefusedError if no word is valid."""
    go, words = Go(), text.split()
    if words and not set(words) & set(KEYWORDS):
        raise RefusedError(f"go should be followed by some of: {', '.join(KEYWORDS)}; or by nothing")
    while words:
        word = words.pop(0)
        if word == SEARCHMOVES:
            go.moves = []
            while words and words[0] not in KEYWORDS:
                go.moves.append(words.pop(0))
            if not go.moves:
                go.moves = None
                go.unread.add(word)
                go.faults.append("searchmoves needs moves; it is left out")
        elif word in FLAGS:
            go.flags.add(word)
        elif word in KEYWORDS:
            number = words.pop(0) if words and words[0] not in KEYWORDS else ""
            if fault := _fault(word, number):
                go.unread.add(word)
                go.faults.append(f"{fault}; it is left out")
            else:
                go.numbers[word] = min(int(number), MOST)
        else:
            go.faults.append(f"go does not know '{word[:60]}'; it is skipped")
    return go


def _fault(word: str, text: str) -> str:
    """The fault of the number after `word`; empty if there is none. Only times may be negative."""
    if not re.fullmatch(r"-?\d{1,100}", text, re.ASCII):
        return f"{word} needs a whole number" + (f", not '{text[:20]}'" if text else "")
    if text.startswith("-") and int(text) and word not in TIMES:
        return f"{word} {text} is less than 0"
    if word == "mate" and not int(text):
        return "mate needs a number of moves from 1"
    return ""
