"""The Universal Chess Interface, with the manners of Fairy-Stockfish where the text knows chess alone.

A thin dialect: it reads commands, tells the session, and writes what comes of it. Each method named
`_do_...` is the command of that name. Importing this module imports no compiled code, so that `uci` is
answered at once. A game is compiled as soon as it is known, and `readyok` waits for that; before any sign of
a game there is nothing to wait for.
"""

import re

from ... import __version__
from ...engine.game import catalogue
from ...engine.game.description import VariantError
from ..session.appraisal import appraisal_lines
from ..session.counting import Count
from ..session.dialect import Dialect
from ..session.own_games import register_path
from ..session.resources import HASH_MB, THREADS
from ..session.settings import Button, Check, Combo, Settings, Spin, Text, offer_common
from ..wire.arguments import RefusedError, words
from ..wire.spelling import PASS
from ..wire.stdio import excerpt
from .go import read_go
from .notation import ALIASES, UciNotation

DEFAULT_VARIANT = "chess"
AT_ONCE = frozenset({"uci", "debug", "register", "quit"})  # wait for nothing
NEEDS_GAME = frozenset({"isready", "ucinewgame", "position", "go", "d", "eval"})
MOST_MEGABYTES = 1 << 20
MOST_THREADS = 1024
DEEPEST_PERFT = 16
NO_MOVE = "(none)"


class Uci(Dialect):
    """A conversation with a UCI program."""

    at_once = AT_ONCE
    asks_for_life = "isready"

    def __init__(self, write_line, post, log=None):
        super().__init__(write_line, post, log)
        self._notation = UciNotation(catalogue.load(DEFAULT_VARIANT))
        self._variant = DEFAULT_VARIANT  # the game that the GUI wants
        self._is_named = False  # whether the GUI has shown which game it wants
        self._analysing = False  # UCI_AnalyseMode
        self._debugging = False
        self._pondering = False  # the search under way waits for `ponderhit`
        self._told = None  # the last report on the best line
        self._count = None  # a perft under way
        self._settings = self._offer()

    def _offer(self):
        """The options, in the order in which a GUI shows them."""
        settings, session = Settings(), self._session
        settings.add(Spin("Hash", HASH_MB, 1, MOST_MEGABYTES), self._at_rest(session.set_hash))
        settings.add(Spin("Threads", THREADS, 1, MOST_THREADS), self._at_rest(session.set_threads))
        offer_common(settings, session)
        settings.add(Check("Ponder", False), lambda value: None)  # the GUI says `go ponder` when it may
        settings.add(Check("UCI_AnalyseMode", False), lambda value: setattr(self, "_analysing", value))
        settings.add(Text("VariantPath"), self._at_rest(self._add_games))
        settings.add(self._all_games(), self._at_rest(self._choose_game))
        settings.add(Text("Debug Log File"), self._record)
        return settings

    def _all_games(self):
        games = sorted(catalogue.available(), key=lambda name: (name != DEFAULT_VARIANT, name))
        return Combo("UCI_Variant", DEFAULT_VARIANT, tuple(games), ALIASES)

    def _at_rest(self, setter):
        """A setter of what a search must not lose under its feet."""

        def set_at_rest(value):
            self._refuse_busy()
            setter(value)

        return set_at_rest

    # Lines

    def _command(self, text):
        """The first word that is a command: unknown ones before it are skipped, as the protocol asks."""
        words = text.split()
        return next((word for word in words if self._method(word)), "".join(words[:1]))

    def _method(self, word):
        return getattr(self, f"_do_{word}", None) if word.isascii() and word.isalpha() else None

    def _execute(self, text):
        command = self._command(text)
        method = self._method(command)
        try:
            if method is None:
                raise RefusedError("unknown command")
            argument = re.split(rf"(?<!\S){command}(?!\S)", text, maxsplit=1)[1].strip()
            if command in NEEDS_GAME and not self._is_loaded() and (self._is_named or command != "isready"):
                self._is_named = True
                self._session.load(self._variant)
                self._let_wait(text, first=True)
            else:
                method(argument)
        except (RefusedError, VariantError) as refusal:
            self._refuse(str(refusal), text)
        except Exception as error:
            self._confess(error)

    def _has_to_wait(self, command):
        """Options come in a row with the game's name, and a game that is named last counts."""
        return bool(self._backlog) or (bool(self._session.loading) and command != "setoption")

    def _is_loaded(self):
        return self._session.ready and self._session.variant == self._variant

    def _say(self, text):
        self._write(f"info string {text}")

    def _refuse(self, reason, text):
        self._say(f"{excerpt(reason, 300)}: {excerpt(text)}")

    def _refuse_busy(self):
        if self._session.search or (self._count and not self._count.done):
            raise RefusedError("not while searching; 'stop' comes first")

    def _tell_failed_load(self, event):
        self._say(f"cannot play {event.variant}: {excerpt(str(event.error), 300)}")

    def _tell_bug(self, lines):
        for line in [*lines, "an internal error was met; the lines above tell where"]:
            self._say(line)

    def warn(self, text):
        self._say(text)

    def remark(self, text):
        self._say(text)

    def _show_life(self, text):
        self._do_isready("")

    def _play_by(self, variant):
        self._variant = variant
        self._notation = UciNotation(catalogue.load(variant))

    # Getting to know each other

    def _do_uci(self, argument):
        self._settings.add(self._all_games(), self._at_rest(self._choose_game))
        self._write(f"id name Surajang {__version__}")
        self._write("id author the Surajang authors")
        for option in self._settings.options():
            self._write(f"option name {option.name} type {_described(option)}")
        self._write("uciok")

    def _do_debug(self, argument):
        if argument not in ("on", "off"):
            raise RefusedError("debug is on or off")
        self._debugging = argument == "on"

    def _do_register(self, argument):
        """Everybody may use this program."""

    def _do_quit(self, argument):
        self.ended = True

    def _do_isready(self, argument):
        self._write("readyok")

    # Options

    def _do_setoption(self, argument):
        keyword, rest = words(argument)
        if keyword != "name" or not rest:
            raise RefusedError("setoption should be followed by: name NAME value VALUE")
        name, *value = re.split(r"\svalue(?!\S)", rest, maxsplit=1)
        self._settings.set(" ".join(name.split()), "".join(value).strip())

    def _choose_game(self, name):
        game = catalogue.load(name)
        self._is_named = True
        if name == self._session.variant and self._session.ready:
            self._session.start(name)
        elif name != self._session.loading:
            self._session.load(name)
        self._play_by(name)
        template = "crazyhouse" if game.has_drops else "fairy"
        self._say(
            f"variant {name} files {game.files} ranks {game.ranks} pocket {len(game.hand_pieces)}"
            f" template {template} startpos {self._notation.write_fen(game.start_fen)}"
        )

    def _add_games(self, text):
        """Makes the games of a file, or of all files of a folder, known by their names."""
        if not text:
            return
        names = register_path(text)
        if self._session.variant in names:
            self._session.outdate()
        self._settings.add(self._all_games(), self._at_rest(self._choose_game))
        self._say(f"games added: {', '.join(names)}")

    def _record(self, path):
        """Records the conversation in a file from now on; in none if the path is empty."""
        if not path:
            self._log.close()
            return
        try:
            self._log.open(path)
        except OSError as error:
            raise RefusedError(f"the log cannot be written: {error.strerror}") from None

    # The game

    def _do_ucinewgame(self, argument):
        self._refuse_busy()
        self._session.start(self._variant)

    def _do_position(self, argument):
        self._refuse_busy()
        words = argument.split()
        end = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:end], words[end + 1 :]
        if not start or start[0] not in ("startpos", "fen") or (start[0] == "startpos") != (len(start) == 1):
            raise RefusedError("position should be followed by: startpos, or fen FEN; then: moves M1 M2 ...")
        fen = self._notation.read_fen(" ".join(start[1:])) or None
        try:
            self._session.follow(fen, moves, self._notation.read_move)
        except ValueError as error:
            raise RefusedError(f"the position stays as it was; {error}") from None

    def _do_d(self, argument):
        """Shows the position, for people."""
        position = self._session.position
        for line in str(position).splitlines():
            self._write(line)
        self._write(f"Fen: {self._notation.write_fen(position.fen())}")
        self._write(f"Key: {position.key:016X}")

    def _do_eval(self, argument):
        """Shows what the position is worth without search, for people."""
        self._refuse_busy()
        for line in appraisal_lines(self._session.engine, self._session.position):
            self._write(line)

    # Searching

    def _do_go(self, argument):
        self._refuse_busy()
        go, position = read_go(argument), self._session.position
        for word in go.unknown:
            self._say(f"go knows no {excerpt(word)!r}; it is skipped")
        if "perft" in go.numbers:
            self._begin_count(go.numbers["perft"])
            return
        limits = go.limits(position.turn, self._session.movetime)
        if go.moves is not None:
            limits["searchmoves"] = self._chosen(go.moves)
            if not limits["searchmoves"] and position.legal_moves():
                self._write(f"bestmove {NO_MOVE}")
                return
        if self._debugging:
            self._say(f"limits: {limits or 'none'}")
        self._told, self._pondering = None, "ponder" in go.flags
        held = self._pondering or go.endless
        self._session.go(limits, held=held, at_full_strength=self._analysing)

    def _chosen(self, texts):
        """Those of the moves that are legal."""
        chosen = []
        for text in texts:
            try:
                chosen.append(self._session.position.parse_move(self._read_move(text)))
            except ValueError as error:
                if text != PASS:  # what python-chess says for no move at all
                    self._say(f"searchmoves: {excerpt(str(error), 300)}")
        return chosen

    def _read_move(self, text):
        return self._notation.read_move(text, self._session.position)

    def _begin_count(self, depth):
        if not 1 <= depth <= DEEPEST_PERFT:
            raise RefusedError(f"perft counts from 1 to {DEEPEST_PERFT} plies")
        self._count = Count(self._session.position.copy(), depth, self._notation.write_move, self._write)

    def _do_stop(self, argument):
        if self._session.search:
            self._answer()
        elif self._count:
            self._count.stop()

    def _do_ponderhit(self, argument):
        search = self._session.search
        if search is None or not self._pondering:
            raise RefusedError("no search is pondering")
        self._pondering = False
        search.hit()
        if search.done:
            self._answer()

    def _think_aloud(self, search, info):
        if info.multipv == 1 and not info.bound:
            self._told = info
        bound = f" {info.bound}bound" if info.bound else ""
        self._write(
            f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv}"
            f" score {_score(info.score)}{bound} nodes {info.nodes} nps {info.nps} hashfull {info.hashfull}"
            f" time {1000 * info.time:.0f} pv {self._spell(info.pv)}"
        )

    def _tell_current(self, current):
        move = self._notation.write_move(current.move)
        self._write(f"info depth {current.depth} currmove {move} currmovenumber {current.number}")

    def _finished(self, search):
        """A search that is held ends with `stop` or `ponderhit` and not before."""
        if not search.held:
            self._answer()

    def _answer(self):
        line, search = self._session.conclude()
        if search.error:
            self._confess(search.error)
        result = search.result
        if result and not line:
            self._write(f"info depth 0 score {_score(result.score)}")
        elif result and (self._told is None or result.pv[:1] != self._told.pv[:1]):
            # A search that is stopped in an iteration may have found a better move in it.
            self._write(
                f"info depth {result.depth} score {_score(result.score)} nodes {result.nodes}"
                f" time {1000 * result.time:.0f} pv {self._spell(result.pv)}"
            )
        ponder = f" ponder {self._spell(line[1:2])}" if len(line) > 1 else ""
        self._write(f"bestmove {self._spell(line[:1]) or NO_MOVE}{ponder}")

    def _spell(self, moves):
        return " ".join(map(self._notation.write_move, moves))


def _score(score):
    return f"cp {score.centipawns}" if score.mate is None else f"mate {score.mate}"


def _described(option):
    """Type, default and values of an option, as UCI wants them."""
    match option:
        case Check(_, default):
            return f"check default {str(default).lower()}"
        case Spin(_, default, least, most):
            return f"spin default {default} min {least} max {most}"
        case Combo(_, default, choices):
            return f"combo default {default} " + " ".join(f"var {choice}" for choice in choices)
        case Button():
            return "button"
        case Text(_, default):
            return f"string default {default or '<empty>'}"
    raise TypeError(f"UCI knows no option like {option}")
