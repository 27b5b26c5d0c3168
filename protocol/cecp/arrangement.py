"""The setup phase as options of a GUI: play it, or start from a chosen arrangement.

XBoard cannot show how pieces are exchanged before the first move, so games begin without the phase by
default."""

from functools import partial

from ...engine.definition import fen
from ...engine.game.description import Description
from ..session.settings import Check, Combo, OptionTable

SETUP_PHASE = "Setup phase"
ARRANGEMENTS = ("as listed", "left pairs swapped", "right pairs swapped", "both swapped")  # by bits of swaps
SIDES = ("White's arrangement", "Black's arrangement")


class Arrangement:
    """The options' settings for the next game. Left and right are White's."""

    def __init__(self) -> None:
        self._phase = False
        self._choices = dict.fromkeys(SIDES, ARRANGEMENTS[0])

    def offer(self, settings: OptionTable) -> None:
        """Adds its options to the `OptionTable` of a dialect."""
        settings.add(Check(SETUP_PHASE, False), lambda wanted: setattr(self, "_phase", wanted))
        for name in SIDES:
            settings.add(Combo(name, ARRANGEMENTS[0], ARRANGEMENTS), partial(self._choices.__setitem__, name))

    def start_fen(self, description: Description) -> str | None:
        """The FEN of the next game's start; None for a game without a setup phase."""
        if not description.setup_swaps:
            return None
        rights = description.start_fen.split()[2].strip("-Ss")
        setup = fen.parse(description.start_fen, description)
        if self._phase:
            return fen.write(setup, f"{rights}Ss", description)
        chosen = []
        for name in SIDES:
            bits = ARRANGEMENTS.index(self._choices[name])
            pairs = enumerate(description.setup_swaps)
            chosen.append([pair for number, pair in pairs if bits >> number & 1])
        return fen.write(fen.arranged(setup, description, *chosen), rights or "-", description)
