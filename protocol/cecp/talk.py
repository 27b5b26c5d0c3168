"""What the parts of a conversation in CECP see of it, and of each other."""

from collections.abc import Callable
from typing import Protocol

from ..session.session import Session
from .aftermath import Aftermath
from .analysis import Analysis
from .gestures import Gestures
from .gui import Gui
from .limits import LimitCommands
from .machine import Machine
from .offers import Offers
from .setting_up import SettingUp
from .thoughts import Thoughts


class Talk(Protocol):
    """A conversation, without the parts that are made from it."""

    ended: bool
    session: Session
    gui: Gui
    offers: Offers
    analysis: Analysis
    setting_up: SettingUp
    aftermath: Aftermath
    gestures: Gestures
    limits: LimitCommands
    machine: Machine
    thoughts: Thoughts
    write_line: Callable[[str], None]

    def remark(self, text: str) -> None:
        """Tells something for the GUI's log."""

    def read_by(self, variant: str) -> None:
        """Reads and writes by the rules of that game from now on."""

    def ping(self, argument: str) -> None:
        """Answers when all that was said before is carried out."""
