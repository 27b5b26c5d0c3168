"""Betza notation: converts a text such as "fmWfceF" to elementary moves.

Follows the notation of XBoard's `piece` commands (Betza 2.0, H. G. Muller,
https://www.gnu.org/software/xboard/Betza.html): atoms, directions, modes, ranges, lame leapers and hoppers;
not moves of several different legs, castling or drops. `geometry` applies the moves to a board."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .fen_error import shown

ATOMS = {
    "W": (0, 1),
    "F": (1, 1),
    "D": (0, 2),
    "N": (1, 2),
    "A": (2, 2),
    "H": (0, 3),
    "C": (1, 3),
    "Z": (2, 3),
    "G": (3, 3),
}
COMPOUNDS = {"K": "WF", "R": "W", "B": "F", "Q": "WF"}
SLIDING_COMPOUNDS = "RBQ"
MAX_DIGITS = 2  # largest range; no board needs more
DIRECTIONS = "fblrsvh"
MODES = "mcnjpgie"
_TERM = re.compile(r"([a-z]*)([A-Z])(\2?)(\d*)")


class BetzaError(ValueError):
    """A text that is not Betza notation, or uses an unsupported part of it."""


@dataclass(frozen=True, order=True)
class Ride:
    """One elementary move: a leap, repeated up to `reach` times (0: without limit) in one direction.

    `files` and `ranks` are one leap as the mover sees it, right and forward positive. `quiet` and `capture`
    say whether it may end on empty squares and on enemies. `lame` leaps are blocked by a piece in between,
    `jumping` ones need one there. `hop` is "" or "p" (over exactly one piece, to any square behind) or "g"
    (to the square right behind it). `initial` moves need a piece that has not moved, `en_passant` ones
    capture en passant."""

    files: int
    ranks: int
    reach: int = 1
    quiet: bool = True
    capture: bool = True
    lame: bool = False
    jumping: bool = False
    hop: str = ""
    initial: bool = False
    en_passant: bool = False


def parse(text: str) -> tuple[Ride, ...]:
    """The elementary moves of `text`, sorted and without duplicates. Raises BetzaError that quotes the wrong
    part."""
    if not isinstance(text, str) or not text:
        raise BetzaError(f"{shown(text)} is not Betza notation: it should look like 'R' or 'fmWfcF'")
    rides: set[Ride] = set()
    position = 0
    while position < len(text):
        match = _TERM.match(text, position)
        if not match:
            raise BetzaError(
                f"{shown(text)}: cannot read {shown(text[position:])} (an atom is a capital letter)"
            )
        rides.update(_term(text, *match.groups()))
        position = match.end()
    return tuple(sorted(rides))


def _term(text: str, modifiers: str, letter: str, doubled: str, digits: str) -> Iterator[Ride]:
    """The moves of one term: modifiers, atom, doubling and range."""
    if letter not in ATOMS and letter not in COMPOUNDS:
        known = "".join(sorted(set(ATOMS) | set(COMPOUNDS)))
        raise BetzaError(f"{shown(text)}: unknown atom {shown(letter)} (known: {known})")
    for modifier in modifiers:
        if modifier not in DIRECTIONS + MODES:
            raise BetzaError(f"{shown(text)}: modifier {shown(modifier)} is not supported")
    if len(digits) > MAX_DIGITS:
        raise BetzaError(f"{shown(text)}: {shown(digits)} is farther than any board reaches")
    directions = "".join(m for m in modifiers if m in DIRECTIONS)
    modes = {m for m in modifiers if m in MODES}
    reach = int(digits or (0 if doubled or letter in SLIDING_COMPOUNDS else 1))
    quiet, capture = "m" in modes, bool(modes & {"c", "e"})
    if not (quiet or capture):
        quiet = capture = True
    for files, ranks in sorted(_leaps(text, letter, directions)):
        yield Ride(
            files,
            ranks,
            reach,
            quiet,
            capture and not ("e" in modes and "c" not in modes),
            lame="n" in modes,
            jumping="j" in modes,
            hop="p" if "p" in modes else "g" if "g" in modes else "",
            initial="i" in modes,
            en_passant="e" in modes,
        )


def _leaps(text: str, letter: str, directions: str) -> set[tuple[int, int]]:
    """The leaps of an atom or compound in the given directions."""
    every: set[tuple[int, int]] = set()
    for small, big in (ATOMS[atom] for atom in COMPOUNDS.get(letter, letter)):
        pairs = ((small, big), (big, small))
        every |= {(f * a, r * b) for a, b in pairs for f in (-1, 1) for r in (-1, 1)}
    if not directions:
        return every
    if all(0 in leap for leap in every):
        return {leap for leap in every if any(_orthogonal(leap, d, text) for d in directions)}
    chosen: set[tuple[int, int]] = set()
    for group in direction_groups(directions):
        chosen |= {leap for leap in every if _towards(leap, group, letter, text)}
    if not chosen:
        raise BetzaError(f"{shown(text)}: the directions {shown(directions)} leave no move")
    return chosen


def _orthogonal(leap: tuple[int, int], direction: str, text: str) -> bool:
    files, ranks = leap
    if direction == "h":
        raise BetzaError(f"{shown(text)}: 'h' makes no sense for an orthogonal atom")
    return {"f": ranks > 0, "b": ranks < 0, "r": files > 0, "l": files < 0, "s": files != 0, "v": ranks != 0}[
        direction
    ]


def direction_groups(directions: str) -> list[str]:
    """Splits directions into single letters and pairs that together mean one direction ("fr", "ff")."""
    groups, i = [], 0
    while i < len(directions):
        pair = directions[i : i + 2]
        vertical = sum(d in "fbv" for d in pair)
        together = len(pair) == 2 and (pair[0] == pair[1] or "h" in pair or vertical == 1)
        groups.append(pair if together else directions[i])
        i += 2 if together else 1
    return groups


def _towards(leap: tuple[int, int], group: str, letter: str, text: str) -> bool:
    """Whether a leap of an atom that is not orthogonal belongs to a direction group.

    Diagonal atoms: one letter takes both leaps on that side, two letters the one in between. Kings and
    queens: one letter takes the straight move, two letters the diagonal one. Oblique atoms: one letter takes
    the narrow pair on that side, as does a doubled one; of two letters the second is the longer coordinate;
    with "h" a letter takes half of the board. "s" and "v" mean both sides."""
    files, ranks = leap
    half = "h" in group
    letters = set(group) - {"h"}
    if not letters:
        raise BetzaError(f"{shown(text)}: 'h' must follow or precede a direction")
    sides = {"f": ranks > 0, "b": ranks < 0, "r": files > 0, "l": files < 0}
    sides |= {"s": files != 0, "v": ranks != 0}
    if not all(sides[direction] for direction in letters):
        return False
    if letter in COMPOUNDS and len(COMPOUNDS[letter]) > 1:
        return (0 in leap) == (len(letters) == 1)
    if half or abs(files) == abs(ranks):
        return True
    return (abs(ranks) > abs(files)) == (group[-1] in "fbv")


def unplayed_modes(move: Ride) -> str | None:
    """The kind of move that the compiled generators do not support, in words, or None."""
    if move.jumping:
        return "leapers that need a piece to jump"
    if move.hop and move.reach == 1:
        return "hoppers that go one square"
    if move.lame and move.reach != 1:
        return "lame riders"
    return None
