"""The moves of a piece in plain English, from its elementary moves."""

from collections.abc import Iterable
from typing import NamedTuple

from ..engine.game.betza import Ride
from ..engine.game.description import PieceDescription
from ..engine.game.words import listed

STRAIGHT = {(0, 1): "forward", (0, -1): "backward", (-1, 0): "left", (1, 0): "right"}
NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
Step = tuple[int, int]


class Manner(NamedTuple):
    """The common properties of moves that differ only in direction, as in `Ride`."""

    small: int  # the shorter side of an oblique leap; 0 for straight and diagonal ones
    big: int
    reach: int
    quiet: bool
    capture: bool
    lame: bool
    hop: str


def sentences(piece: PieceDescription) -> list[str]:
    """The moves of the piece, one sentence for each manner, without the longer steps of pawns."""
    found = [f"{text[0].upper()}{text[1:]}." for text in _phrases(piece.moves)]
    found += [f"Along the diagonals of either palace: {text}." for text in _phrases(piece.palace_moves)]
    if piece.confined:
        found.append("Never leaves its own palace.")
    return found


def _phrases(moves: Iterable[Ride]) -> list[str]:
    """A phrase for each group of moves that differ only in direction, slides and steps before leaps."""
    groups: dict[Manner, list[Step]] = {}
    for move in sorted(moves, key=lambda move: (_is_oblique(move), move.capture and not move.quiet)):
        small, big = sorted((abs(move.files), abs(move.ranks)))
        small = small if _is_oblique(move) else 0
        manner = Manner(small, big, move.reach, move.quiet, move.capture, move.lame, move.hop)
        groups.setdefault(manner, []).append((move.files, move.ranks))
    return [_phrase(manner, steps) for manner, steps in groups.items()]


def _is_oblique(move: Ride) -> bool:
    return 0 not in (move.files, move.ranks) and abs(move.files) != abs(move.ranks)


def _phrase(manner: Manner, steps: list[Step]) -> str:
    if manner.small:
        directions = _oblique_directions(steps, manner.small, manner.big)
    else:
        directions = _straight_directions(steps, manner.big)
    text = f"{_verb(manner)} {directions}".rstrip()
    if manner.lame:
        text += "; a piece on the way blocks it"
    if manner.quiet and manner.capture:
        return text
    return text + (", without capturing" if manner.quiet else ", only to capture")


def _verb(manner: Manner) -> str:
    """The action of the piece, without its directions."""
    small, big = NUMBERS[manner.small], NUMBERS[manner.big]
    onward = f" up to {manner.reach} times" if manner.reach else ""
    if manner.hop == "g":
        return "hops over the next piece, of either side, to the square right behind it"
    if manner.hop:
        return "hops over exactly one piece, of either side, to any square behind it"
    if manner.small:
        if manner.reach == 1:
            return f"leaps {big} squares straight and {small} to the side"
        return f"rides{onward} by leaps of {big} squares straight and {small} to the side"
    if manner.big > 1:
        if manner.reach == 1:
            return f"leaps exactly {big} squares"
        return f"rides{onward} by leaps of exactly {big} squares"
    if manner.reach == 1:
        return "steps one square"
    return f"slides up to {manner.reach} squares" if manner.reach else "slides any number of squares"


def _straight_directions(steps: list[Step], size: int) -> str:
    units = {(files // size, ranks // size) for files, ranks in steps}
    straight = {unit for unit in units if 0 in unit}
    diagonal = units - straight
    if len(units) == 8:
        return "in any direction"
    words = []
    if len(straight) == 4:
        words.append("along ranks and files")
    else:
        names = [name for step, name in STRAIGHT.items() if step in straight]
        if {"left", "right"} <= set(names):
            names = [name for name in names if name not in ("left", "right")] + ["sideways"]
        words += [f"straight {name}" if name in ("forward", "backward") else name for name in names]
    if len(diagonal) == 4:
        words.append("diagonally")
    else:
        for ranks, way in ((1, "forward"), (-1, "backward")):
            sides = [files for files, other in diagonal if other == ranks]
            if len(sides) == 2:
                words.append(f"diagonally {way}")
            elif sides:
                words.append(f"diagonally {way} to the {'left' if sides[0] < 0 else 'right'}")
    return listed(words, "or")


def _oblique_directions(steps: list[Step], small: int, big: int) -> str:
    """Nothing for all eight leaps, else the directions that exist."""
    found = set(steps)
    if len(found) == 8:
        return ""
    halves = {
        "forward, wide or narrow": {step for step in _eight(small, big) if step[1] > 0},
        "backward, wide or narrow": {step for step in _eight(small, big) if step[1] < 0},
    }
    for words, leaps in halves.items():
        if found == leaps:
            return words
    named = [
        f"{NUMBERS[abs(files)]} {'right' if files > 0 else 'left'} and"
        f" {NUMBERS[abs(ranks)]} {'forward' if ranks > 0 else 'backward'}"
        for files, ranks in sorted(found, key=lambda step: (-step[1], step[0]))
    ]
    return f"({listed(named, 'or')})"


def _eight(small: int, big: int) -> set[Step]:
    pairs = ((small, big), (big, small))
    return {(a * i, b * j) for a, b in pairs for i in (-1, 1) for j in (-1, 1)}
