"""The Universal Chess Interface, with Fairy-Stockfish's extensions for variants.

A thin dialect: it reads commands, calls the session, and writes the results. `COMMANDS` lists them all.
Importing this module imports no compiled code, so that `uci` is answered at once. A game is compiled as soon
as it is known, and `readyok` waits for that; before the game is known, nothing has to be compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ... import __version__
from ...engine.definition import catalogue
from ...engine.game.description import VariantError
from ...engine.game.moves import MoveError
from ...engine.variant import CHESS, Variant
from ...eval.wdl import wdl_model_of
from ..session.base_protocol import Dialect
from ..session.eval_text import eval_lines
from ..session.loading import LoadFailed
from ..session.settings import Combo, OptionTable
from ..session.user_games import register_path
from ..wire.arguments import RefusedError, words
from ..wire.spelling import PASS
from ..wire.stdio import DebugLog, excerpt
from .bench import Bench, bench_positions, read_order
from .go import read_go
from .notation import UciNotation, flipped
from .options import CHESS960, games, offer, option_line
from .perft import DEEPEST, Perft
from .report import best_of, info_of, limits_of, result_of, score_of

if TYPE_CHECKING:
    from ...engine.position import Move, Position
    from ...search.engine import Current, Info, Score
    from ..session.search_thread import SearchThread

LONGEST_REASON = 300  # characters of a complaint without the quoted line


class Command(NamedTuple):
    """A command, which the method `_do_NAME` carries out with the rest of the line, and its text in `help`.

    `at_once`: it does not wait. `needs_game`: the game is loaded first. `at_rest`: it waits for the end of a
    search, and is refused during one that only `stop` ends."""

    name: str
    help: str
    at_once: bool = False
    needs_game: bool = False
    at_rest: bool = False


def by_name(*commands: Command) -> Mapping[str, Command]:
    """The table of some commands."""
    return {command.name: command for command in commands}


COMMANDS = by_name(
    Command("uci", "show the name and the options", at_once=True),
    Command("debug", "on or off: report the limits of each search"),
    Command("register", "accepted; there is nothing to register"),
    Command("isready", "answer readyok when the game is compiled", needs_game=True),
    Command("setoption", "name NAME value VALUE"),
    Command("ucinewgame", "forget the game before", needs_game=True, at_rest=True),
    Command("position", "startpos or fen FEN, moves M1 M2 ...", needs_game=True, at_rest=True),
    Command(
        "go",
        "search; wtime, btime, winc, binc, movestogo, movetime, depth, nodes, mate, searchmoves, ponder,"
        " infinite; perft N counts leaves",
        needs_game=True,
        at_rest=True,
    ),
    Command("stop", "end a search, a perft or a bench"),
    Command("ponderhit", "the expected move was made"),
    Command("d", "show the position", needs_game=True),
    Command("eval", "show the evaluation without a search", needs_game=True, at_rest=True),
    Command("flip", "exchange the colours", needs_game=True, at_rest=True),
    Command(
        "bench",
        "search fixed positions; MEGABYTES THREADS LIMIT default|current|FILE depth|nodes|movetime",
        needs_game=True,
        at_rest=True,
    ),
    Command("help", "show this list"),
    Command("quit", "end the program"),
)


def in_uci(rest: str, read: Callable[[list[str]], str]) -> str:
    """The words after `position` as UCI has them, from the `rest` of those of another protocol: a position,
    which `read` makes a FEN of, and moves. Raises what `read` raises."""
    before, *moves = re.split(r"(?<!\S)moves(?!\S)", rest, maxsplit=1)
    return f"fen {read(before.split())}" + (f" moves {moves[0].strip()}" if moves else "")


class Uci(Dialect):
    """A conversation with a UCI program."""

    commands = COMMANDS  # by name
    first_game = CHESS  # until the GUI names one
    means_first_game = False  # whether a GUI that has named none wants it
    notation_of: type[UciNotation] = UciNotation
    no_move = "(none)"  # in place of a move where there is none
    asks_for_life = "isready"
    ends_work = "stop"
    begins_work = ("go", "bench")
    needs_search = ("eval", "bench")
    idle = ("isready", "ucinewgame", "stop", "ponderhit", "debug", "register")

    def __init__(
        self, write_line: Callable[[str], None], post: Callable[[object], None], log: DebugLog | None = None
    ) -> None:
        super().__init__(write_line, post, log)
        self.at_once = {name for name, command in self.commands.items() if command.at_once}
        self._variant = self.first_game  # the game that the GUI wants
        self._chosen_game = str(self.first_game)  # the value of the option for the game
        self._castles_freely = False  # UCI_Chess960
        self._is_named = self.means_first_game  # whether the GUI has shown which game it wants
        self._analysing = False  # UCI_AnalyseMode
        self._shows_chances = False  # UCI_ShowWDL
        self._debugging = False
        self._pondering = False  # the current search waits for `ponderhit`
        self._read_fen: str | None = None  # the FEN of the last `position`, whose notes are reported once
        self._told: Info | None = None  # the last report on the best line
        self._settings = OptionTable()
        setters = {
            "Ponder": lambda value: None,  # the GUI says `go ponder` when it may
            "UCI_AnalyseMode": lambda value: setattr(self, "_analysing", value),
            "UCI_ShowWDL": lambda value: setattr(self, "_shows_chances", value),
            "VariantPath": self._at_rest(self._add_games),
            "UCI_Variant": self._at_rest(self._choose_game),
            CHESS960: self._at_rest(self._choose_castling),
            "Debug Log File": self._record,
            "SyzygyPath": self._decline_tablebases,
        }
        offer(self._settings, self._session, setters, self._at_rest)

    @cached_property
    def _notation(self) -> UciNotation:
        """The spelling of the current game; the first one is loaded when it is needed."""
        return self.notation_of(self.first_game.description)

    def _at_rest(self, setter: Callable[..., None]) -> Callable[..., None]:
        """A setter that is refused during a search."""

        def set_at_rest(value: object) -> None:
            self._refuse_busy()
            setter(value)

        return set_at_rest

    # Lines and events

    def _command(self, text: str) -> str:
        """The first word that is a command: unknown words before it are skipped, as the protocol requires."""
        words = text.split()
        return next((word for word in words if word in self.commands), "".join(words[:1]))

    def _execute(self, text: str) -> None:
        name = self._command(text)
        command = self.commands.get(name)
        try:
            if command is None:
                raise RefusedError("unknown command")
            if command.at_rest:
                self._refuse_busy()
            if command.needs_game and not self._is_loaded() and (self._is_named or name != "isready"):
                self._is_named = True
                self._session.load(self._variant)
                self._let_wait(text, first=True)
            else:
                argument = re.split(rf"(?<!\S){name}(?!\S)", text, maxsplit=1)[1].strip()
                getattr(self, f"_do_{name}")(argument)
        except (RefusedError, VariantError) as refusal:
            self._refuse(str(refusal), text)
        except Exception as error:
            self._confess(error)

    def _has_to_wait(self, command: str) -> bool:
        """Options arrive together with the game's name, and the last name counts, so they do not wait for the
        compiler."""
        known = self.commands.get(command)
        if self._waits_for_search(command):
            return True
        if self._task:
            return command != self.ends_work
        if self._session.loading:
            return known is not None and known.needs_game
        return known is not None and (known.at_rest or command == "setoption") and self._is_at_work()

    def _is_loaded(self) -> bool:
        return self._session.ready and self._session.variant == self._variant

    def _say(self, text: str) -> None:
        self._write(f"info string {text}")

    def _refuse(self, reason: str, text: str) -> None:
        self._say(f"{excerpt(reason, LONGEST_REASON)}: {excerpt(text)}")

    def _refuse_busy(self) -> None:
        if self._session.search:
            raise RefusedError("not while searching; 'stop' comes first")

    def _tell_failed_load(self, event: LoadFailed) -> None:
        self._say(f"cannot play {event.variant}: {excerpt(str(event.error), LONGEST_REASON)}")

    def _tell_bug(self, lines: Iterable[str]) -> None:
        for line in [*lines, "an internal error occurred; the lines above have the details"]:
            self._say(line)

    def warn(self, text: str) -> None:
        self._say(text)

    def remark(self, text: str) -> None:
        self._say(text)

    def _show_life(self, text: str) -> None:
        self._do_isready("")

    def _play_by(self, variant: Variant) -> None:
        self._variant = variant
        self._notation = self.notation_of(variant.description)

    # Getting to know each other

    def _do_uci(self, argument: str) -> None:
        self._offer_games()
        self._write(f"id name Surajang {__version__}")
        self._write("id author the Surajang authors")
        self._write_all(map(option_line, self._settings.options()))
        self._write("uciok")

    def _do_debug(self, argument: str) -> None:
        if argument not in ("on", "off"):
            raise RefusedError("debug is on or off")
        self._debugging = argument == "on"

    def _do_register(self, argument: str) -> None:
        """Does nothing; this program needs no registration."""

    def _do_quit(self, argument: str) -> None:
        self.farewell()

    def _do_isready(self, argument: str) -> None:
        self._write("readyok")

    def _do_help(self, argument: str) -> None:
        width = max(map(len, self.commands))
        self._write_all(f"{command.name:{width}}  {command.help}" for command in self.commands.values())

    # Options

    def _do_setoption(self, argument: str) -> None:
        keyword, rest = words(argument)
        name, *value = re.split(r"(?<!\S)value(?!\S)", rest, maxsplit=1)
        if keyword != "name" or not name.strip():
            raise RefusedError("setoption should be followed by: name NAME value VALUE")
        self._settings.set(" ".join(name.split()), "".join(value).strip())

    def _offer_games(self) -> None:
        self._settings.add(self._games(), self._at_rest(self._choose_game))

    def _games(self) -> Combo:
        """The option for the game, with the games that this dialect can play."""
        return games()

    def _choose_game(self, name: str) -> None:
        self._chosen_game = name
        self._begin_game(Variant((catalogue.freed(name) if self._castles_freely else None) or name))

    def _choose_castling(self, freely: bool) -> None:
        """Changes to the same game with or without castling from any files."""
        if freely != self._castles_freely:
            self._castles_freely = freely
            self._choose_game(self._chosen_game)

    def _begin_game(self, variant: Variant) -> None:
        game = variant.description
        self._is_named = True
        if variant == self._session.variant and self._session.ready:
            self._session.start(variant)
        elif variant != self._session.loading:
            self._session.load(variant)
        self._play_by(variant)
        template = "crazyhouse" if game.has_drops else "fairy"
        self._say(
            f"variant {variant} files {game.files} ranks {game.ranks} pocket {len(game.hand_pieces)}"
            f" template {template} startpos {self._notation.write_fen(game.start_fen)}"
        )

    def _add_games(self, text: str) -> None:
        """Registers the games of a file, or of all files of a folder."""
        if not text:
            return
        names, refused, warnings = register_path(text)
        if self._session.variant in names:
            self._session.outdate()
        self._offer_games()
        self._say(f"games added: {', '.join(names)}")
        for reason in refused:
            self._say(f"not added: {reason}")
        for warning in warnings:
            self._say(warning)

    def _record(self, path: str) -> None:
        """Records the conversation in a file from now on; in none if the path is empty."""
        if not path:
            self._log.close()
            return
        try:
            self._log.open(path)
        except OSError as error:
            raise RefusedError(f"the log cannot be written: {error.strerror}") from None

    def _decline_tablebases(self, path: str) -> None:
        if path:
            self._say("SyzygyPath has no effect: no tablebases are probed")

    # The game

    @property
    def _position(self) -> Position:
        """The current position; commands that use it need a game."""
        position = self._session.position
        assert position is not None
        return position

    def _do_ucinewgame(self, argument: str) -> None:
        self._read_fen = None
        self._session.start(self._variant)

    def _do_position(self, argument: str) -> None:
        words = argument.split()
        end = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:end], words[end + 1 :]
        if not start or start[0] not in ("startpos", "fen") or (start[0] == "startpos") != (len(start) == 1):
            raise RefusedError("position should be followed by: startpos, or fen FEN; then: moves M1 M2 ...")
        fen = " ".join(start[1:]) or None
        try:
            illegal = self._session.follow(fen, moves, self._notation.read_move)
        except ValueError as error:
            raise RefusedError(f"the position does not change; {error}") from None
        if fen != self._read_fen:
            self._read_fen = fen
            for note in self._position.notes:
                self._say(excerpt(note, LONGEST_REASON))
        if illegal:
            illegal = self._notation.refused(illegal.text, illegal, self._position)
            self._say(f"{excerpt(str(illegal), LONGEST_REASON)}; the position is the one before this move")

    def _do_flip(self, argument: str) -> None:
        """Exchanges the colours. The moves so far are discarded."""
        from ...engine.mechanics import has_mirror_images  # imported late: the first words need no rules

        position = self._position
        if not has_mirror_images(position.description):
            raise RefusedError("the position does not change: the rules differ for White and Black")
        try:
            self._session.set_position(flipped(position.fen(), position.description.ranks))
        except ValueError as error:
            raise RefusedError(f"the position does not change; flipped, it is invalid: {error}") from None

    def _do_d(self, argument: str) -> None:
        position = self._position
        self._write_all(self._notation.draw(position))
        fen = position.fen(shredder=self._castles_freely)
        self._write(f"Fen: {self._notation.write_fen(fen)}")
        self._write(f"Key: {position.key:016X}")

    def _do_eval(self, argument: str) -> None:
        self._write_all(eval_lines(self._session.search_control.engine, self._position))

    # Searching

    def _do_go(self, argument: str) -> None:
        go, position = read_go(argument), self._position
        if "perft" in go.numbers or "perft" in go.unread:
            self._begin_perft(go.numbers.get("perft", 0))
            return
        limit = go.limit(position.turn, self._session.clock.movetime)
        for fault in go.faults:
            self._say(excerpt(fault, LONGEST_REASON))
        searchmoves = None if go.moves is None else self._chosen(go.moves)
        if searchmoves == () and position.legal_moves():
            self._say("searchmoves names no legal move: there is nothing to play")
            self._write(best_of((), self._spell, self.no_move))
            return
        if self._debugging:
            self._say(f"limits: {limits_of(limit, searchmoves, self._spell)}")
        self._told, self._pondering = None, "ponder" in go.flags
        self._session.search_control.other_clock = go.other_clock(position.turn)
        held = self._pondering or go.endless
        self._session.search_control.go(limit, searchmoves, held, at_full_strength=self._analysing)

    def _chosen(self, texts: Iterable[str]) -> tuple[Move, ...]:
        """The legal ones of the moves."""
        chosen = []
        for text in texts:
            try:
                chosen.append(self._read_move(text))
            except MoveError as error:
                if text != PASS:  # python-chess writes this for an empty list of moves
                    self._say(f"searchmoves: {excerpt(str(error), LONGEST_REASON)}")
        return tuple(chosen)

    def _read_move(self, text: str) -> Move:
        """The legal move that a text means. Raises MoveError in the program's spelling."""
        try:
            return self._position.parse_move(self._notation.read_move(text, self._position))
        except MoveError as error:
            raise self._notation.refused(text, error, self._position) from None

    def _do_stop(self, argument: str) -> None:
        self._end_work()

    def _end_work(self) -> None:
        if self._session.search:
            self._answer()
        self._end_task()

    def _do_ponderhit(self, argument: str) -> None:
        search = self._session.search
        if search is None or not self._pondering:
            raise RefusedError("no search is pondering")
        self._pondering = False
        search.hit()
        if search.done:
            self._answer()

    def _think_aloud(self, search: SearchThread, info: Info) -> None:
        if info.multipv == 1 and not info.bound:
            self._told = info
        self._write(info_of(info, self._spell, self._score(info.score)))

    def _tell_current(self, current: Current) -> None:
        move = self._notation.write_move(current.move)
        self._write(f"info depth {current.depth} currmove {move} currmovenumber {current.number}")

    def _finished(self, search: SearchThread) -> None:
        """Handles the end of a search. A held search ends only with `stop` or `ponderhit`."""
        if not search.held:
            self._answer()

    def _answer(self) -> None:
        line, search = self._session.search_control.conclude()
        if search.error:
            self._confess(search.error)
        self._tell_provisional(search)
        result = search.result
        if result and not line:
            self._write(f"info depth 0 score {self._score(result.score)}")
        elif result and (self._told is None or result.pv[:1] != self._told.pv[:1]):
            # A search that is stopped during an iteration may have found a better move in it.
            self._write(result_of(result, self._spell, self._score(result.score)))
        self._write(best_of(line, self._spell, self.no_move))

    def _score(self, score: Score) -> str:
        return score_of(score, wdl_model_of(self._position.description) if self._shows_chances else None)

    def _spell(self, moves: Iterable[Move]) -> str:
        return " ".join(map(self._notation.write_move, moves))

    # Counting and measuring

    def _begin_perft(self, depth: int) -> None:
        if not 1 <= depth <= DEEPEST:
            raise RefusedError(f"perft counts from 1 to {DEEPEST} plies")
        self._task = Perft(self._post, self._position.copy(), depth, self._notation.write_move)

    def _do_bench(self, argument: str) -> None:
        order = read_order(argument)
        positions = bench_positions(order, self._position)
        self._task = Bench(
            self._post,
            order,
            positions,
            lambda info: info_of(info, self._spell, self._score(info.score)),
            lambda line: best_of(line, self._spell, self.no_move),
            self._session.loader.eval_source(),
        )
