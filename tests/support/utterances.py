"""Random lines of a GUI or a person in either protocol: sensible lines, nearly sensible ones, and bytes that
are not lines. Everything is drawn from a `random.Random`; the running conversation determines which moves are
sensible."""

from surajang.protocol.cecp.start import NAMES
from surajang.tests.support.mutations import PIECES, SCRAPS, mutated, mutated_fen
from surajang.tests.support.surfaces import GAMES

LETTERS = PIECES + "abcdefghij0123456789@+=,-x "
DAMAGE = (
    *(b"\xff\xfe\x80\n", b"\0\0\0\n", b"e2\0e4\n", b"\n\n\r\n  \n\t\n", b"\xc3\x28\n", b"\x1b[A\n"),
    *(b"\r\r\n",),
    *(
        b"x" * 65_535 + b"\n",
        b"x" * 65_537 + b"\n",
        b"e1e4" * 300_000 + b"\n",
        b"setboard " + b"9k/" * 25_000,
    ),
    *(b"position startpos moves " + b"e2e4 " * 9_000 + b"\n", b"[" * 60_000 + b"\n", b"9" * 60_000 + b"\n"),
    *(b"setoption name a" + b" " * 60_000 + b"x\n", b"\xf0\x9f\x98\x80\n", "\u2028\u0663\n".encode()),
)
NUMBERS = (
    *("0", "1", "2", "5", "30", "100", "1000", "-1", "-1000", "99999999", "1.5", "x", "", "1e5"),
    *("9" * 25,),
)
TIMES = ("0", "1", "5", "0.5", "1:30", "2:30.5", "-1", "x", "", "1:2:3", "9" * 12)
SQUARES = ("a1", "e2", "e4", "j9", "a0", "k5", "l1", "z9", "", "a10", "p16", "a" + "1" * 5000)
EDITS = (
    *("#", "c", ".", ".", "Ke1", "ke8", "Kd1", "Ra1", "Pa2", "Pa4+", "xa4", "P@2", "Q@1", "x@1", "Zz9"),
    *("e2e4",),
)
WORDS = (
    *("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft"),
    *("infinite", "ponder", "searchmoves", "1", "5", "100", "-3", "0", "foo"),
)
NAMED = tuple(NAMES.get(game, game) for game in GAMES)


class Speaker:
    """Sends one line after another to a `Conversation`."""

    def __init__(self, random, conversation):
        self.random, self.conversation = random, conversation

    def speak(self):
        """Sends a line, or lets a search or the loading of a game end."""
        random, conversation = self.random, self.conversation
        kind = random.random()
        if kind < 0.12:
            conversation.release()
        elif kind < 0.2 or (conversation.session.loading and kind < 0.7):
            conversation.finish_loading(fails=random.random() < 0.1)
        elif kind < 0.23:
            conversation.hear(random.choice(DAMAGE))
        elif kind < 0.27:
            conversation.hear(*self._torn(self.line()))
        else:
            conversation.say(*(self.line() for _ in range(random.choice((1, 1, 1, 2, 4)))))

    def line(self):
        """A line of text, usually a sensible one."""
        line = self.random.choice(self.LINES)(self)
        return mutated(self.random, line, LETTERS) if self.random.random() < 0.08 else line

    def _torn(self, line):
        """A line as bytes, in two pieces, perhaps with no end or that of Windows, perhaps with damage."""
        data = bytearray(line.encode("utf-8", "replace") + self.random.choice((b"\n", b"\r\n", b"")))
        at = self.random.randint(0, len(data))
        if data and self.random.random() < 0.5:
            data[min(at, len(data) - 1)] = self.random.randrange(256)
        return bytes(data[:at]), bytes(data[at:])

    def _number(self):
        return self.random.choice(NUMBERS)

    def _move(self):
        """A legal move, usually."""
        position = self.conversation.session.position
        moves = position.legal_moves() if position else ()
        if not moves or self.random.random() < 0.1:
            return self.random.choice(
                ("e2e4", "e7e5", "P@e5", "0000", "@@@@", "e1e1", "a1a8", "O-O", "e1h1", "x")
            )
        return self._spelled(self.conversation.talk._notation.write_move(self.random.choice(moves)))

    def _spelled(self, text):
        """The move in our notation, usually, or in another one."""
        if self.random.random() < 0.8 or len(text) < 4:
            return text
        form = self.random.choice(("{0}-{1}", "{0}x{1}", "{0}{1}+", "{0}{1}#", "{0}={1}", "{0}{1}!?"))
        spelled = form.format(text[:2], text[2:])
        return self.random.choice((spelled, spelled.upper(), text.upper(), text.replace("@", "*")))

    def _fen(self):
        position = self.conversation.session.position
        fen = position.fen() if position else "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        return fen if self.random.random() < 0.5 else mutated_fen(self.random, fen)

    def _option(self):
        """(name, value) of an option that there is, mostly, and of a value that suits it, now and then."""
        options = self.conversation.talk._settings.options()
        option = self.random.choice(options)
        values = [*NUMBERS, "true", "false", *SCRAPS, str(getattr(option, "default", ""))]
        values += GAMES if option.name == "UCI_Variant" else getattr(option, "choices", ())
        name = option.name if self.random.random() < 0.95 else mutated(self.random, option.name)
        value = self.random.choice(values)
        if option.name in ("Hash", "Threads") and value.isdecimal():
            value = value[:1]  # the sizes of this machine are no matter here
        return name, value


class CecpSpeaker(Speaker):
    """Sends lines like XBoard and similar programs."""

    def _command(self):
        return self.random.choice(self.PLAIN)

    def _with_number(self):
        commands = ("ping", "st", "sd", "nps", "time", "otim", "memory", "cores", "level 40 5", "level")
        command, number = self.random.choice(commands), self._number()
        if command == "memory" and number.isdecimal():
            number = number[:1]
        return f"{command} {number}"

    def _level(self):
        return f"level {self._number()} {self.random.choice(TIMES)} {self._number()}"

    def _usermove(self):
        return self.random.choice(("usermove ", "usermove ", "")) + self._move()

    def _setboard(self):
        return f"setboard {self._fen()}"

    def _variant(self):
        return f"variant {self.random.choice((*NAMED, 'none', '9x10+0_janggi', ''))}"

    def _set_option(self):
        return self.random.choice(("option {}={}", "option {} = {}", "option {}")).format(*self._option())

    def _exclude(self):
        return f"{self.random.choice(('exclude', 'include'))} {self.random.choice((self._move(), 'all'))}"

    def _mouse(self):
        return f"{self.random.choice(('lift', 'put', 'hover'))} {self.random.choice(SQUARES)}"

    def _edit(self):
        return self.random.choice(("edit", *EDITS))

    def _scrap(self):
        return self.random.choice(SCRAPS)

    PLAIN = (
        *("xboard", "protover 2", "accepted x", "rejected debug", "new", "force", "go", "go", "go"),
        *("playother",),
        *("?", "?", ".", ".", "hint", "bk", "undo", "remove", "remove", "hard", "easy", "post"),
        *("nopost", "draw"),
        *("analyze", "analyze", "exit", "exit", "pause", "pause", "resume", "resume", "white", "black"),
        *("random",),
        *("perft 2", "perft 0", "d", "eval"),
        *("result * {x}", "result 1-0", "name x", "rating 1 2", "computer", "ics -", "holding [P] [q]"),
        *("quit",),
    )
    LINES = (
        *(_command,) * 8,
        *(_usermove,) * 6,
        *(_with_number, _with_number, _level, _setboard, _setboard, _variant, _set_option, _set_option),
        *(_exclude, _exclude, _mouse, _mouse, _edit, _scrap),
    )


class UciSpeaker(Speaker):
    """Sends lines like UCI programs."""

    def _command(self):
        return self.random.choice(self.PLAIN)

    def _position(self):
        """From the start or a FEN, with moves that continue those of the game, or others."""
        position = self.conversation.session.position
        made = list(map(str, position.moves)) if position and self.random.random() < 0.6 else []
        start = f"fen {position.start_fen if made else self._fen()}" if position else "startpos"
        moves = [*made, self._move()][: self.random.randint(0, len(made) + 1)]
        return f"position {self.random.choice((start, start, 'startpos'))} moves {' '.join(moves)}"

    def _go(self):
        words = self.random.choices(WORDS, k=self.random.randint(0, 4))
        return f"go {' '.join(words)}"

    def _go_for_long(self):
        return self.random.choice(
            ("go infinite", "go ponder wtime 9 btime 9", "go wtime 900 btime 900", "go depth 9", "go nodes 5")
        )

    def _searchmoves(self):
        return f"go depth 3 searchmoves {self._move()} {self._move()}"

    def _setoption(self):
        form = self.random.choice(("name {} value {}", "name {} value {}", "name {}", "value {1} name {0}"))
        return f"setoption {form.format(*self._option())}"

    def _variant(self):
        return f"setoption name UCI_Variant value {self.random.choice((*GAMES, 'none', 'standard'))}"

    def _scrap(self):
        return self.random.choice(SCRAPS)

    PLAIN = (
        *("uci", "isready", "isready", "ucinewgame", "stop", "stop", "stop", "ponderhit", "ponderhit"),
        *("d", "eval", "flip", "quit"),
        *("debug on", "debug off", "register later", "joho isready", "position", "go", "go perft 2"),
        *("setoption",),
    )
    LINES = (
        *(_command,) * 7,
        *(_position, _position, _position, _go, _go, _go_for_long, _go_for_long, _go_for_long, _searchmoves),
        *(_setoption, _setoption, _variant, _scrap),
    )
