"""What the parts of a conversation in CECP see of it, and of each other."""

from collections.abc import Callable
from typing import Protocol

from ..session.session import Session
from .aftermath import Aftermath
from .analysis import Analysis
from .console import Console
from .gestures import Gestures
from .gui import Gui
from .limits import LimitCommands
from .machine import Machine
from .offers import Offers
from .setting_up import SettingUp
from .thoughts import Thoughts


class Talk(Protocol):
    """A conversation, without the parts that are made from it."""

    session: Session
    gui: Gui
    offers: Offers
    analysis: Analysis
    console: Console
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

    def farewell(self) -> None:
        """Ends the conversation."""

    def move_now(self, argument: str) -> None:
        """Ends the search of the engine's move, or a count."""

    def perft(self, argument: str) -> None:
        """Counts the leaves of the tree of legal moves."""

    def ping(self, argument: str) -> None:
        """Answers when all that was said before is carried out."""
