"""The setup phase as options of a GUI: to play it, or to start from an arrangement chosen beforehand.

XBoard cannot show how pieces change places before the first move, so games begin without the phase.
"""

SETUP_PHASE = "Setup phase"
ARRANGEMENTS = ("as listed", "left pairs swapped", "right pairs swapped", "both swapped")  # by bits of swaps
SIDES = ("White's arrangement", "Black's arrangement")


class Arrangement:
    """What the options say about the next game. Left and right are as White sees the board."""

    def __init__(self):
        self._phase = False
        self._choices = dict.fromkeys(SIDES, ARRANGEMENTS[0])

    def announcements(self):
        """The options as CECP announces them, each with its default."""
        choices = " /// ".join(("*" if text == ARRANGEMENTS[0] else "") + text for text in ARRANGEMENTS)
        return [f"{SETUP_PHASE} -check 0", *(f"{name} -combo {choices}" for name in SIDES)]

    def set(self, text):
        """Carries out `NAME=VALUE`. Raises ValueError, and changes nothing, for any other text."""
        name, _, value = (part.strip() for part in text.partition("="))
        if name == SETUP_PHASE:
            if value not in ("0", "1"):
                raise ValueError("the value is neither 0 nor 1")
            self._phase = value == "1"
        elif name in self._choices:
            if value not in ARRANGEMENTS:
                raise ValueError(f"the value is none of: {', '.join(ARRANGEMENTS)}")
            self._choices[name] = value
        else:
            raise ValueError("unknown option")

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
