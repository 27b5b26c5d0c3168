"""Betza notation in Fairy-Stockfish's dialect and in ours.

They differ in directions before `K` and `Q`: in theirs `fK` is `fWfF`, three squares; in ours, as in XBoard,
one letter selects the straight move, two letters a diagonal one. In theirs, `hr` and `hl` are the four leaps
with one sense of rotation. The atoms `L` and `J` exist only in theirs.

`rides` reads a text as Fairy-Stockfish does, move by move; `spelled` writes such moves in our notation.
`read` and `write` translate a text and keep its form where possible."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..game import betza
from ..game.betza import ATOMS, DIRECTIONS, BetzaError, Ride, direction_groups
from ..game.fen_error import shown

STRAIGHT, DIAGONAL = {"K": "W", "Q": "R"}, {"K": "F", "Q": "B"}
OTHER_LETTERS = {"L": "C", "J": "Z"}
LEAPS = {atom: ((big, small),) for atom, (small, big) in ATOMS.items()} | {
    **{"L": ((3, 1),), "J": ((3, 2),), "K": ((1, 0), (1, 1))},
    **{"R": ((1, 0),), "B": ((1, 1),), "Q": ((1, 0), (1, 1))},
}
RIDERS = "RBQ"
VERTICAL, HORIZONTAL = "fbvh", "rlsh"
LAME = {(2, 1), (2, 2), (3, 2), (2, 0)}  # leaps, longer side first, that a piece in between can block
RIDING = {(1, 0), (1, 1), (2, 1)}
HOPPING = {(1, 0), (1, 1)}
# Directions -> leap of an atom: ranks and files, each as a sign and whether it is the longer coordinate
_SECTORS = (
    ("ff vv rf rv fh rh hr", ((1, True), (1, False))),
    ("bb vv lb lv bh lh hr", ((-1, True), (-1, False))),
    ("rr ss br bs bh rh hr", ((-1, False), (1, True))),
    ("ll ss fl fs fh lh hr", ((1, False), (-1, True))),
    ("rr ss fr fs fh rh hl", ((1, False), (1, True))),
    ("ll ss bl bs bh lh hl", ((-1, False), (-1, True))),
    ("bb vv rb rv bh rh hl", ((-1, True), (1, False))),
    ("ff vv lf lv fh lh hl", ((1, True), (-1, False))),
)
_TERM = re.compile(r"([a-z]*)([A-Z])(\d*)")
LAMED = -1
_KINGLY = re.compile(r"([a-z]*)([KQ])(\d*)")


def rides(text: str) -> tuple[Ride, ...]:
    """The moves that Fairy-Stockfish derives from a text, sorted; first moves are marked `initial`. Raises
    BetzaError for a text that it does not read, and for moves that it reads but does not generate."""
    found: dict[_Move, int] = {}
    place = 0
    while place < len(text):
        match = _TERM.match(text, place)
        if not match or match[2] not in LEAPS:
            raise BetzaError(f"{shown(text)}: Fairy-Stockfish does not read {shown(text[place:])}")
        place = match.end()
        doubled = not match[3] and text[place : place + 1] == match[2]
        place += doubled
        found |= _term(text, match[1], match[2], "0" if doubled else match[3])
    if not found:
        raise BetzaError(f"{shown(text)} leaves no move")
    return _merged(found)


class _Move(NamedTuple):
    """One move of a piece, with Fairy-Stockfish's range: 0 for no limit, LAMED for steps that pieces in
    between block."""

    initial: bool
    way: str  # "step", "ride", "hop"
    files: int
    ranks: int
    capture: bool


def _term(text: str, modifiers: str, letter: str, digits: str) -> dict[_Move, int]:
    """The moves of one term: modifiers, atom and range."""
    for modifier in modifiers:
        if modifier not in "mcpgnie" + DIRECTIONS:
            raise BetzaError(f"{shown(text)}: Fairy-Stockfish does not read {shown(modifier)}")
    if len(digits) > 1:
        raise BetzaError(f"{shown(text)}: Fairy-Stockfish reads one digit, not {shown(digits)}")
    if "e" in modifiers and "c" not in modifiers:
        raise BetzaError(f"{shown(text)}: a capture in passing alone is not supported")
    hops = "p" in modifiers or "g" in modifiers
    way = "hop" if hops else "ride" if letter in RIDERS or digits else "step"
    lame = way == "step" and "n" in modifiers
    distance = int(digits) if digits else 1 if "g" in modifiers else LAMED if lame else 0
    captures = [mode == "c" for mode in "mc" if mode in modifiers] or [False, True]
    pairs = _pairs("".join(m for m in modifiers if m in DIRECTIONS))
    found = {}
    for big, small in LEAPS[letter]:
        if (big, small) not in {"hop": HOPPING, "ride": RIDING}.get(way, LAME if lame else {(big, small)}):
            kinds = {"hop": "hoppers", "ride": "riders"}.get(way, "leapers that can be blocked")
            raise BetzaError(f"{shown(text)}: Fairy-Stockfish makes no moves of {kinds} by {shown(letter)}")
        directions = _split(pairs) if len(LEAPS[letter]) == 1 and small == 0 else pairs
        for names, (up, right) in _SECTORS:
            if not directions or set(names.split()) & set(directions):
                ranks, files = (sign * (big if which else small) for sign, which in (up, right))
                for capture in captures:
                    found[_Move("i" in modifiers, way, files, ranks, capture)] = distance
    return found


def _pairs(letters: str) -> list[str]:
    """Pairs of directions, as Fairy-Stockfish reads them: `fr` together, `f` alone as `ff`."""
    pairs = []
    place = 0
    while place < len(letters):
        one, other = letters[place], letters[place + 1 : place + 2]
        crossed = (one in VERTICAL and other in HORIZONTAL) or (one in HORIZONTAL and other in VERTICAL)
        together = bool(other) and (one == other or crossed)
        pairs.append(one + other if together else one + one)
        place += 2 if together else 1
    return pairs


def _split(pairs: list[str]) -> list[str]:
    """Pairs of directions of a straight atom: each letter counts alone."""
    return [letter * 2 for pair in pairs for letter in (pair if pair[0] != pair[1] else pair[0])]


def _merged(found: dict[_Move, int]) -> tuple[Ride, ...]:
    """Rides of single moves; equal capturing and quiet rides become one."""
    merged: dict[tuple[_Move, int], set[bool]] = {}
    for move, distance in found.items():
        if not (move.initial and move.capture):  # it generates no first captures
            merged.setdefault((move._replace(capture=False), distance), set()).add(move.capture)
    return tuple(
        sorted(
            Ride(
                move.files,
                move.ranks,
                1 if move.way == "step" else 0 if (move.way, distance) == ("hop", 1) else distance,
                quiet=False in kinds,
                capture=True in kinds,
                lame=distance == LAMED,
                hop="" if move.way != "hop" else "g" if distance == 1 else "p",
                initial=move.initial,
            )
            for (move, distance), kinds in merged.items()
        )
    )


def spelled(moves: Iterable[Ride], text: str) -> str:
    """Our notation for moves without first ones: `text`, translated, if it has the same meaning, otherwise a
    longer one."""
    wanted = elements(moves)
    translated = read(text)
    kept = "".join(
        match[1].replace("e", "") + match[2] + match[3]
        for match in re.finditer(r"([a-z]*)([A-Z]{1,2})(\d*)", translated)
        if "i" not in match[1]
    )
    try:
        if kept and elements(betza.parse(kept)) == wanted:
            return kept
    except BetzaError:
        pass
    return "".join(map(_spell, sorted(set(moves))))


def elements(moves: Iterable[Ride]) -> set[tuple[int, int, int, bool, bool, str]]:
    """The single moves: target, range, and whether they capture."""
    return {
        (ride.files, ride.ranks, ride.reach, capture, ride.lame, ride.hop)
        for ride in moves
        for capture in (False, True)
        if (ride.capture if capture else ride.quiet)
    }


def _spell(ride: Ride) -> str:
    """One move in our notation."""
    big, small = max(abs(ride.files), abs(ride.ranks)), min(abs(ride.files), abs(ride.ranks))
    atom = next(letter for letter, leap in ATOMS.items() if leap == (small, big))
    across, along = "l" if ride.files < 0 else "r", "b" if ride.ranks < 0 else "f"
    if small == 0:
        directions = across if ride.files else along
    else:
        directions = along + across if abs(ride.files) >= abs(ride.ranks) else across + along
    modes = "" if ride.quiet and ride.capture else "m" if ride.quiet else "c"
    modes += ("n" if ride.lame else "") + ride.hop
    far = "" if ride.reach == 1 and not ride.hop else str(ride.reach) if ride.reach else ""
    return f"{directions}{modes}{atom}{atom if ride.reach == 0 else far}"


def read(text: str) -> str:
    """Their notation in ours."""
    for letter, ours in OTHER_LETTERS.items():
        text = text.replace(letter, ours)
    return _translated(text, _read_term)


def write(text: str) -> str:
    """Our notation in theirs."""
    return _translated(text, _write_term)


def _translated(text: str, term: Callable[[str, list[str], str, str], str]) -> str:
    def translate(match: re.Match[str]) -> str:
        directions = "".join(letter for letter in match[1] if letter in DIRECTIONS)
        modes = "".join(letter for letter in match[1] if letter not in DIRECTIONS)
        return term(modes, direction_groups(directions), match[2], match[3]) if directions else match[0]

    return _KINGLY.sub(translate, text)


def _read_term(modes: str, groups: list[str], letter: str, reach: str) -> str:
    """The translation of a term. In a pair of letters, the second one selects the straight move."""
    straight = "".join(group[-1] for group in groups)
    return f"{straight}{modes}{STRAIGHT[letter]}{reach}{''.join(groups)}{modes}{DIAGONAL[letter]}{reach}"


def _write_term(modes: str, groups: list[str], letter: str, reach: str) -> str:
    single = "".join(group for group in groups if len(group) == 1)
    double = "".join(group for group in groups if len(group) == 2)
    text = f"{single}{modes}{STRAIGHT[letter]}{reach}" if single else ""
    return text + (f"{double}{modes}{DIAGONAL[letter]}{reach}" if double else "")
