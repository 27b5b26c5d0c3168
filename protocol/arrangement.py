"""The setup phase as options of a GUI: to play it, or to start from an arrangement chosen beforehand.

XBoard cannot show how pieces change places before the first move, so games begin without the phase.
"""

from functools import partial

from .settings import Check, Combo

SETUP_PHASE = "Setup phase"
ARRANGEMENTS = ("as listed", "left pairs swapped", "right pairs swapped", "both swapped")  # by bits of swaps
SIDES = ("White's arrangement", "Black's arrangement")


class Arrangement:
    """What the options say about the next game. Left and right are as White sees the board."""

    def __init__(self):
        self._phase = False
        self._choices = dict.fromkeys(SIDES, ARRANGEMENTS[0])

    def offer(self, settings):
        """Adds its options to the `Settings` of a dialect."""
        settings.add(Check(SETUP_PHASE, False), self._set_phase)
        for name in SIDES:
            settings.add(Combo(name, ARRANGEMENTS[0], ARRANGEMENTS), partial(self._choose, name))

    def _set_phase(self, wanted):
        self._phase = wanted

    def _choose(self, side, arrangement):
        self._choices[side] = arrangement

    def start_fen(self, description):
        """Where the next game begins; None for a game that has no setup phase."""
        if not description.setup_swaps:
            return None
        board, turn, rights, rest = description.start_fen.split(maxsplit=3)
        rights = rights.strip("-Ss")
        if self._phase:
            return f"{board} {turn} {rights}Ss {rest}"
        pieces, bracket, hands = board.partition("[")
        rows = pieces.split("/")
        for name, row in zip(SIDES, (-1, 0), strict=True):
            bits = ARRANGEMENTS.index(self._choices[name])
            rows[row] = _swapped(rows[row], description.setup_swaps, bits)
        return f"{'/'.join(rows)}{bracket}{hands} {turn} {rights or '-'} {rest}"


def _swapped(row, swaps, bits):
    """A row of a FEN without two-digit gaps, after those swaps that the bits name."""
    squares = "".join(" " * int(letter) if letter.isdigit() else letter for letter in row)
    squares = list(squares)
    for number, (one, other) in enumerate(swaps):
        if bits >> number & 1:
            squares[one], squares[other] = squares[other], squares[one]
    text, gap = "", 0
    for letter in [*squares, ""]:
        if letter == " ":
            gap += 1
            continue
        text += (str(gap) if gap else "") + letter
        gap = 0
    return text
