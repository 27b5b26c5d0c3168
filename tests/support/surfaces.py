"""The texts that people and programs pass to the engine, and checks for any text: positions, moves, games'
files, options.

A text is either accepted with a sensible meaning, or refused with an error that quotes it; nothing else may
happen. `conversations` checks whole conversations; this file does not depend on the source of the texts."""

import ast
import io
import re
from functools import cache
from itertools import product
from pathlib import Path

from rich.console import Console
from surajang import FenError, MoveError, Position, VariantError
from surajang.engine.definition import catalogue, fen
from surajang.engine.definition.reader import TOP_KEYS
from surajang.engine.fairy_ini.exporting import export
from surajang.engine.fairy_ini.importing import import_text
from surajang.protocol.cecp.notation import Notation
from surajang.protocol.cecp.start import ARRANGEMENTS, SETUP_PHASE, SIDES, Arrangement
from surajang.protocol.session.settings import Check, Combo, OptionTable, Spin, Text
from surajang.protocol.terminal import variants_command
from surajang.protocol.uci.notation import UciNotation
from surajang.protocol.uci.protocol import Uci
from surajang.protocol.wire.arguments import RefusedError
from surajang.protocol.wire.stdio import excerpt

GAMES = ("chess", "crazyhouse", "pandemonium", "pandemonium-vchess", "janggi", "chaotic")
FIELDS = ("FEN", "board", "hands", "turn", "castling", "ep", "checks", "counting", "halfmove", "fullmove")
LONGEST_REASON = 400  # characters
LONGEST_INI_REASON = 2000  # some reasons list all games that there are
INI = "fuzzed.ini"
FILE = Path("fuzzed.toml")
_FEN_REASON = re.compile(rf"({'|'.join(FIELDS)}): (.+)")
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
# Whatever a game says, these are drawn of it: a table that no terminal is too narrow for.
_PLAIN = {"width": 120, "markup": False, "emoji": False, "highlight": False}


# Positions


def check_fen(variant, text):
    """A text is refused for one of its fields, which is quoted, or it is a position that its own FEN gives
    again, and ignored parts are reported in the same way. Returns the position, or None."""
    try:
        position = Position(variant, text)
    except FenError as refusal:
        _check_fen_reason(str(refusal), text)
        return None
    for note in position.notes:
        _check_fen_reason(note)
    again = Position(variant, position.fen())
    assert (again.fen(), again.notes) == (position.fen(), ())
    assert again.key == position.key == position.fresh_key()
    assert list(map(str, again.legal_moves())) == list(map(str, position.legal_moves()))
    return position


def _check_fen_reason(reason, text=None):
    match = _FEN_REASON.fullmatch(reason)
    assert match and len(reason) < LONGEST_REASON, reason
    if text is None:
        return
    if quoted := _QUOTED.match(match[2]):
        assert ast.literal_eval(quoted[0]).removesuffix("...") in text, reason


# Moves


def check_move(position, text):
    """A text is refused and quoted, or it is a legal move and its spellings lead back to it; the position is
    unchanged. Returns the move, or None."""
    before = position.state.tobytes(), position.moves
    move = _parsed(position, text)
    for notation in notations(position.variant):
        for read in (notation.read_move(text), notation.read_move(text, position)):
            _parsed(position, read)
        if move:
            assert position.parse_move(notation.read_move(notation.write_move(move))) == move
    assert (position.state.tobytes(), position.moves) == before
    return move


def _parsed(position, text):
    try:
        move = position.parse_move(text)
    except MoveError as refusal:
        assert refusal.text == text and refusal.reason
        quoted = ast.literal_eval(_QUOTED.match(str(refusal))[0])
        long = len(text) > 60 and len(quoted) == 60 and quoted.endswith("...")
        assert quoted == text or (long and text.startswith(quoted[:-3])), refusal
        return None
    assert move in position.legal_moves()
    return move


@cache
def notations(variant):
    """The notations of both protocols for a game; both read a move with and without its position."""
    game = catalogue.load(variant)
    return _ForGuis(Notation(game)), UciNotation(game)


class _ForGuis:
    """XBoard's notation with the interface of the other one."""

    def __init__(self, notation):
        self.write_move = notation.write_move
        self.read_move = lambda text, position=None: notation.read_move(text)


# Games


def check_toml(text):
    """A text is refused by file, key and reason, or it is a game that can be fully described. Returns the
    game, or None."""
    try:
        game = catalogue.parse(text, FILE)
    except VariantError as refusal:
        _check_key(str(refusal), text)
        return None
    for choices in product((0, len(ARRANGEMENTS) - 1), repeat=2):
        check_teaching(game, choices)
    check_sheet(game)
    return game


def _check_key(reason, text):
    rest = r'(?:[^:"]|"(?:[^"\\]|\\.)*")*'  # of a key, where colons are in quotes
    known = "|".join(key + rest for key in ("not TOML", *TOP_KEYS))
    match = re.fullmatch(rf"{FILE}: (?:{known}|.*(?=: unknown key)): (.+)", reason, re.DOTALL)
    assert match and len(match[1]) < LONGEST_REASON + 3 * len(text), reason


def check_teaching(game, choices=(0, 0), phase=False):
    """GUIs of both protocols can get the start of the game and the moves of its pieces."""
    arrangement, settings = Arrangement(), OptionTable()
    arrangement.offer(settings)
    settings.set(SETUP_PHASE, str(int(phase)))
    for side, choice in zip(SIDES, choices, strict=True):
        settings.set(side, ARRANGEMENTS[choice])
    start = arrangement.start_fen(game) or game.start_fen
    notation = Notation(game)
    lines = [notation.setup(start), *notation.pieces(), UciNotation(game).write_fen(start)]
    assert all(line and "\n" not in line for line in lines), lines
    assert fen.parse(start, game).board


def check_sheet(game):
    """The rule sheet and the line in the list of games."""
    console = Console(file=io.StringIO(), **_PLAIN)
    variants_command._show_sheet(console, game)
    variants_command._show_table(console, "games", [(game.name, game)])
    assert game.title in console.file.getvalue().replace("\n", "")


# Games of other programs


def check_ini(text, whole=True):
    """A text is refused by file and line, or each of its games is refused by file and section, or is a game
    that can be read, shown and written back, or not for a reason. The number of games that can be played.
    The import reads its games itself; what is shown and written takes most of the time, and is left out
    unless the check is `whole`."""
    try:
        games = import_text(text, INI)
    except VariantError as refusal:
        _check_line(str(refusal), rf"{INI}: line \d+: .+")
        return 0
    for game in games.values():
        if isinstance(game, VariantError):
            _check_line(str(game), rf"{INI}: \[[\w:-]+\](:| \w+:| \w+ = ('.*'|\".*\")( \(from .+\))?:) .+")
            continue
        if whole:
            description = catalogue.parse(game.toml, Path(f"{game.name}.toml"))
            check_teaching(description)
            check_sheet(description)
            _check_export(description)
    return sum(not isinstance(game, VariantError) for game in games.values())


def _check_line(reason, pattern):
    assert re.fullmatch(pattern, reason) and len(reason) < LONGEST_INI_REASON, reason


def _check_export(description):
    """A game can be written back and read again, or an error names the key that prevents it."""
    try:
        text = export(description)
    except VariantError as refusal:
        assert re.fullmatch(rf"{description.name}\.toml: [\w.]+: .+", str(refusal)), refusal
        return
    (again,) = import_text(text, INI).values()
    assert not isinstance(again, VariantError), (again, text)
    copy = catalogue.parse(again.toml, Path(f"{again.name}.toml"))
    assert copy.start_fen == description.start_fen, text
    assert [piece.moves for piece in copy.pieces if piece.royal] == [
        piece.moves for piece in description.pieces if piece.royal
    ]


# Options


def check_option(conversation, option, text):
    """A value of the option is accepted, or the line is refused and nothing changes, as the kind of option
    requires."""
    name = option.name
    if name == "Hash":  # an engine of chance has no table, but this machine has its memory
        text = text[:3]
    uci = isinstance(conversation.talk, Uci)
    line = f"setoption name {name} value {text}" if uci else f"option {name}={text}"
    if "\n" in line:
        return
    before = conversation.facts()
    lines = [*conversation.say(line), *conversation.finish_loading()]
    refused = any(answer.endswith(f": {excerpt(line)}") for answer in lines)
    assert refused == (not _is_valid(option, text.strip())) or isinstance(option, Text), (line, lines)
    assert not refused or conversation.facts() == before
    conversation.check_game()


def _is_valid(option, text):
    match option:
        case Check():
            return text.lower() in ("true", "false", "1", "0", "on", "off")
        case Spin(_, _, least, most):
            return bool(re.fullmatch("[0-9]{1,9}", text)) and least <= int(text) <= most
        case Combo(_, _, choices, meant):
            return text.lower() in map(str.lower, choices) or _is_meant(meant, text, choices)
    return True


def _is_meant(meant, text, choices):
    """Whether a text that is none of the choices means one of them."""
    try:
        return meant(text) in choices
    except RefusedError:
        return False
