"""The parts of a conversation in CECP; each has some of its commands."""

from collections.abc import Callable
from dataclasses import dataclass

from ..session.session import Session
from .analysis import Analysis
from .console import Console
from .gestures import Gestures
from .gui import Gui
from .limits import LimitCommands
from .move_effects import MoveEffects
from .offers import Offers
from .setting_up import SettingUp
from .thoughts import Thoughts


@dataclass
class Parts:
    """The shared state of the commands: the session, `write_line`, `remark` (which writes to the GUI's log),
    and the parts themselves."""

    session: Session
    write_line: Callable[[str], None]
    remark: Callable[[str], None]

    def __post_init__(self) -> None:
        session, write_line = self.session, self.write_line
        self.gui, self.offers = Gui(), Offers()
        self.analysis = Analysis(session, self.gui, write_line)
        self.console = Console(session, write_line)
        self.setting_up = SettingUp(session, write_line, self.remark)
        self.move_effects = MoveEffects(session, self.gui, write_line)
        self.gestures = Gestures(session, self.move_effects, write_line)
        self.limits = LimitCommands(session)
        self.thoughts = Thoughts(session, self.analysis, write_line)
