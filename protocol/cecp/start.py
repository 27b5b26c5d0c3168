"""The start of a conversation in CECP and of each game: features, options, and the choice of the game."""

import re
import signal
from collections.abc import Callable
from functools import partial

from ... import __version__
from ...engine.definition import catalogue, fen
from ...engine.game.description import Description, VariantError
from ...engine.variant import CHESS, Variant
from ..session.settings import Button, Check, Combo, OptionTable, Spin, Text, offer_common
from ..session.user_games import register_path
from ..wire.arguments import RefusedError
from ..wire.stdio import excerpt
from .notation import Notation
from .parts import Parts


def option_feature(option: object) -> str:
    """The text of an option for `feature option=`. Raises TypeError for a kind that XBoard does not know."""
    match option:
        case Check(name, default):
            return f"{name} -check {default:d}"
        case Spin(name, default, least, most):
            return f"{name} -spin {default} {least} {most}"
        case Combo(name, default, choices):
            return f"{name} -combo {' /// '.join('*' * (text == default) + text for text in choices)}"
        case Button(name):
            return f"{name} -button"
        case Text(name, default, kind):
            return f"{name} -{kind} {default}"
    raise TypeError(f"XBoard knows no option like {option}")


NAMES = {"chess": "normal", "chess960": "fischerandom"}  # XBoard's names of games, where they differ
# These names need no description of pieces
KNOWN_TO_XBOARD = {"normal", "crazyhouse", "shogi", "fischerandom", "caparandom"}
FEATURES = (
    "ping=1 setboard=1 playother=1 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1 exclude=1"
    " pause=1 colors=0 ics=0 name=1 nps=1 debug=1 memory=1 smp=1 highlight=1 setscore=1"
)
_SIZED = re.compile(r"(?:(\d+x\d+\+\d+)_)?(.*)")  # a game, perhaps with its board and hands before it

SETUP_PHASE = "Setup phase"
ARRANGEMENTS = ("as listed", "left pairs swapped", "right pairs swapped", "both swapped")  # by bits of swaps
SIDES = ("White's arrangement", "Black's arrangement")


class Arrangement:
    """The setup phase as options of a GUI: play it, or start from a chosen arrangement. Left and right are
    White's. XBoard cannot show how pieces are exchanged before the first move, so games begin without the
    phase by default."""

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


class Start:
    """The commands before moves in a conversation. Methods raise RefusedError, and change nothing then.
    `read_by` switches to the rules of a game; `farewell` ends the conversation."""

    def __init__(
        self,
        parts: Parts,
        settings: OptionTable,
        read_by: Callable[[Variant], None],
        farewell: Callable[[], None],
    ) -> None:
        self._parts, self._session, self._write = parts, parts.session, parts.write_line
        self._read_by, self._farewell = read_by, farewell
        self.arrangement = Arrangement()
        self.wanted: str | None = None  # the wanted game, set by the first command that needs one
        self.awaited = False  # `new` was received, so a game will be played
        self._renewed: set[str] = set()  # games whose files were read again after they were loaded
        self._settings = settings
        offer_common(self._settings, parts.session)
        self.arrangement.offer(self._settings)
        parts.offers.offer(self._settings)
        self._settings.add(Text("VariantPath", kind="path"), self._add_games)

    def xboard(self, argument: str) -> None:
        """The first line of XBoard, which may interrupt the engine to get its attention."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def protover(self, argument: str) -> None:
        """Reports features, games and options."""
        self._parts.gui.introduce()
        self._write(f"feature {FEATURES}")
        self._tell_games()
        for option in self._settings.options():
            self._write(f'feature option="{option_feature(option)}"')
        self._write(f'feature myname="Surajang {__version__}" done=1')

    def option(self, argument: str) -> None:
        """Sets an option."""
        name, _, value = (part.strip() for part in argument.partition("="))
        self._settings.set(name, value)
        if self._parts.analysis.active:
            self._session.abandon()  # continues with the new settings

    def quit(self, argument: str) -> None:
        """Ends the conversation."""
        self._farewell()

    def new(self, argument: str) -> None:
        """Ends the current game; the name of the next one follows."""
        self._session.reset()
        self.wanted, self.awaited = None, True
        self._parts.setting_up.cancel()
        self._parts.offers.forget()
        self._parts.move_effects.forget()

    def variant(self, argument: str) -> None:
        """Begins a game by XBoard's name or its own, and describes its pieces to XBoard if necessary."""
        sized = _SIZED.fullmatch(argument)
        assert sized is not None
        size, name = sized[1], str(sized[2])
        games = {NAMES.get(name, name): name for name in catalogue.available()}
        variant = Variant(games.get(name) or catalogue.known_as(name) or "")
        if not variant:
            raise RefusedError(f"unknown variant{catalogue.hint(name)}")
        try:
            game = variant.description
        except VariantError as error:
            raise RefusedError(excerpt(str(error), 300)) from None
        if size not in (None, f"{game.files}x{game.ranks}+{len(game.hand_pieces)}"):
            raise RefusedError("the game has another board or other hands")
        if self.wanted is not None:
            self.new("")
        if name not in KNOWN_TO_XBOARD:
            self._teach(game)
        self.begin(variant)

    def begin(self, variant: Variant) -> None:
        """Begins a game; loads it first unless it is the last one."""
        self._read_by(variant)
        if variant in self._renewed and not self._session.loading:
            self._session.outdate()
        self._renewed.discard(variant)
        self._session.start(variant, self.arrangement.start_fen(variant.description))

    def _teach(self, game: Description) -> None:
        """Describes the start of a game, its pieces and their moves to XBoard."""
        notation = Notation(game)
        start = self.arrangement.start_fen(game) or game.start_fen
        for line in (notation.setup(start), *notation.pieces()):
            self._write(line)

    def _tell_games(self) -> None:
        """XBoard's names of games, and ours if they differ: a user may type either."""
        games = sorted(catalogue.available(), key=lambda name: (name != CHESS, name))
        names = dict.fromkeys(each for name in games for each in (NAMES.get(name, name), name))
        self._write(f'feature variants="{",".join(names)}"')

    def _add_games(self, text: str) -> None:
        """Registers the games of a file, or of all files of a folder, under their names."""
        if not text:
            return
        names, refused, warnings = register_path(text)
        self._renewed.update(names)
        self._tell_games()
        if refused:
            more = f"; and {len(refused) - 1} more" if len(refused) > 1 else ""
            self._write(f"telluser Not added: {refused[0]}{more}")
        for warning in warnings:
            self._parts.remark(warning)
