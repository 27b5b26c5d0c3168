"""Coverage-guided fuzzing of all that the engine reads, by atheris: `pip install '.[fuzz]'`, then

    python -m surajang.tests.support.fuzz --target cecp --runs 100000 [--corpus FOLDER] [INPUT ...]

With `--corpus` the same command resumes after an interrupt or a fault: FOLDER.tried has the number of inputs.
An input that breaks something is kept in the folder of the command, and played again when it is named. The
bytes of an input are the chances by which texts and conversations are made; what must hold of them stands in
`surfaces` and `conversations`. Compiled code is left out of the guiding.
"""

import gc
import random
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic

import click
from surajang import Position
from surajang.engine.definition import catalogue
from surajang.engine.fairy_ini.ini import templates
from surajang.engine.fairy_ini.other_keys import CONNECTED, HANDLED, LEFT_OUT, REFUSED, WITHOUT_EFFECT
from surajang.engine.fairy_ini.piece_types import KINDS
from surajang.engine.fairy_ini.settings import OLD_NAMES, SETS, SIDED
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.uci.protocol import Uci
from surajang.tests.support.conversations import conversation
from surajang.tests.support.mutations import SCRAPS, mutated, mutated_fen, mutated_ini, mutated_table, written
from surajang.tests.support.pgn_texts import check_pgn, grown, mutated_pgn
from surajang.tests.support.surfaces import GAMES, check_fen, check_ini, check_move, check_option, check_toml
from surajang.tests.support.utterances import CecpSpeaker, UciSpeaker

UTTERANCES = 2, 9  # of a conversation
LONGEST_WAIT = 1.0  # seconds of the processor that any line may take
HANGS = 600  # seconds after which an input hangs; a long check runs on a busy machine
FAILURES = 0.02  # of the searches
# Of the texts, by target: the share that is checked in every way. Drawing a game's sheet takes 100 ms
WHOLE = {"pgn": 0.05, "ini": 0.01}
ENDS_OF_INPUT = 0.3  # of the conversations that end by it instead of `quit`
MORE_KEYS = (  # that no template has
    *("pawnTypes", "promotionRank", "doubleStepRank", "doubleStepRankMin", "promotionPawnTypesWhite"),
    *("mobilityRegionWhiteKing", "mobilityRegionBlackKing", "promotionLimit", "promotedPieceType", "notAKey"),
)
COMPILED = ("cecp", "uci", "fen", "move", "options", "pgn")  # targets that play
_TALK = ("protocol.wire", "protocol.session")
GUIDED = {  # target -> packages and modules that tell where they branch, which halves their speed
    **{"cecp": (*_TALK, "protocol.cecp"), "uci": (*_TALK, "protocol.uci"), "options": _TALK},
    **{"fen": ("engine.definition",), "toml": ("engine.definition", "engine.game")},
    **{"move": ("engine.game", "protocol.wire"), "ini": ("engine.fairy_ini",)},
    "pgn": tuple(f"engine.notation.{name}" for name in ("headers", "reading", "san_reading", "scanning")),
}


class Bytes(random.Random):
    """Chances that bytes tell; where they end the rest follows from them all."""

    def __init__(self, data):
        super().__init__(data)
        self._data, self._at = data, 0

    def getrandbits(self, bits):
        if self._at >= len(self._data):
            return super().getrandbits(bits)
        size = (bits + 7) // 8
        piece = self._data[self._at : self._at + size]
        self._at += size
        return int.from_bytes(piece, "little") & ((1 << bits) - 1)

    def random(self):
        return self.getrandbits(16) / (1 << 16) if self._at < len(self._data) else super().random()


def converse(dialect, speaker, data):
    """A conversation: any line may be refused, but nothing breaks, and nobody waits."""
    chance = Bytes(data)
    random.seed(data)  # by which weaker players choose
    with conversation(dialect, data, FAILURES, LONGEST_WAIT) as talk:
        voice = speaker(chance, talk)
        for _ in range(chance.randint(*UTTERANCES)):
            if not talk.talk.ended:
                voice.speak()
        talk.check_game()
        if chance.random() < ENDS_OF_INPUT:
            talk.check_end_of_input()
        else:
            talk.check_alive()


def converse_in_cecp(data):
    converse(Cecp, CecpSpeaker, data)


def converse_in_uci(data):
    converse(Uci, UciSpeaker, data)


@cache
def positions(variant, many=8):
    """Positions from games of chance."""
    found = []
    for seed in range(many):
        chance, position = random.Random(seed), Position(variant)
        for _ in range(6 * seed):
            moves = [] if position.result() else position.legal_moves()
            if moves:
                position.push(chance.choice(moves))
        found.append(position)
    return found


def _wholly(target, data):
    """Whether a text that `data` makes is checked in every way."""
    return random.Random(data).random() < WHOLE[target]


def read_fen(data):
    chance = Bytes(data)
    position = chance.choice(positions(chance.choice(GAMES)))
    check_fen(position.variant, mutated_fen(chance, position.fen()))


@cache
def games_in_pgn(variant, many=6):
    """Games of chance as PGN."""
    return [f"{grown(variant, seed, 3 * seed)}\n\n" for seed in range(many)]


def read_pgn(data):
    chance = Bytes(data)
    variant = chance.choice(GAMES)
    check_pgn(mutated_pgn(chance, games_in_pgn(variant)), variant, whole=_wholly("pgn", data))


def read_move(data):
    chance = Bytes(data)
    position = chance.choice(positions(chance.choice(GAMES)))
    move = str(chance.choice(position.legal_moves() or ["0000"]))
    check_move(position, mutated(chance, move, "abcdefghij0123456789@+=,-xPQRN"))


@cache
def source_of(name):
    """(text, table) of a game's file."""
    path = catalogue.load(name).path
    return path.read_text(encoding="utf-8"), catalogue.read_table(path)


def read_toml(data):
    chance = Bytes(data)
    text, table = source_of(chance.choice(catalogue.available()))
    check_toml(mutated(chance, text) if chance.random() < 0.2 else written(mutated_table(chance, table)))


@cache
def ini_keys():
    """All keys that files of Fairy-Stockfish may have here, and one that they may not."""
    known = {key for section in templates().values() for key in section.keys}
    known |= {*REFUSED, *LEFT_OUT, *WITHOUT_EFFECT, *CONNECTED, *HANDLED, *OLD_NAMES, *SETS, *SIDED, *KINDS}
    known |= {*MORE_KEYS}
    return sorted(known)


def read_ini(data):
    chance = Bytes(data)
    check_ini(mutated_ini(chance, ini_keys()), whole=_wholly("ini", data))


def set_options(data):
    chance = Bytes(data)
    with conversation(chance.choice((Cecp, Uci))) as talk:
        for _ in range(chance.randint(*UTTERANCES)):
            option = chance.choice(talk.talk._settings.options())
            texts = mutated(chance, str(getattr(option, "default", ""))), chance.choice(SCRAPS)
            check_option(talk, option, chance.choice(texts))


TARGETS = {
    **{"cecp": converse_in_cecp, "uci": converse_in_uci, "fen": read_fen, "move": read_move},
    "pgn": read_pgn,
    **{"toml": read_toml, "ini": read_ini, "options": set_options},
}


def seeds(many=32, length=300):
    """Inputs to begin with."""
    return [random.Random(seed).randbytes(seed * length // many) for seed in range(many)]


class Tally:
    """The number of inputs that were tried, kept in a file."""

    def __init__(self, path, step=200):
        self._path, self._step = path, step
        self.tried = int(path.read_text()) if path.exists() else 0

    def count(self):
        """Counts an input; every `step` inputs the file is written."""
        self.tried += 1
        if self.tried % self._step == 0:
            self.save()

    def save(self):
        self._path.write_text(f"{self.tried}\n")


def instrument(target):
    """Has the modules that read the texts of a target tell atheris where they branch."""
    import atheris

    guided = tuple(f"surajang.{name}" for name in GUIDED[target])
    for name, module in list(sys.modules.items()):
        if name in guided or name.rpartition(".")[0] in guided:
            for thing in vars(module).values():
                if getattr(thing, "__module__", "") == name:
                    _instrument(atheris, thing)


def _instrument(atheris, thing):
    """A function, or the functions of a class; what is compiled is neither."""
    if isinstance(thing, type):
        for inner in vars(thing).values():
            _instrument(atheris, getattr(inner, "fget", inner))
    elif type(thing) is type(_instrument):
        atheris.instrument_func(thing)


@click.command()
@click.option("--target", type=click.Choice(sorted(TARGETS)), required=True)
@click.option("--runs", type=click.IntRange(1), default=10_000, show_default=True)
@click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    help="A folder of inputs, which grows; a new one where none is named.",
)
@click.argument("inputs", type=click.Path(exists=True, dir_okay=False, path_type=Path), nargs=-1)
def main(target, runs, corpus, inputs):
    """Tries RUNS inputs on a target, or plays the INPUTS again."""
    check = TARGETS[target]
    for path in inputs:
        check(path.read_bytes())
    if inputs:
        return
    for game in GAMES if target in COMPILED else ():
        positions(game)  # which compiles what is needed: no input should have to wait for that
    import atheris

    instrument(target)
    folder = corpus or Path(mkdtemp(prefix="surajang-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    tally, begin = Tally(folder.with_name(f"{folder.name}.tried")), monotonic()
    earlier = tally.tried
    if earlier >= runs:
        click.echo(f"{target}: {earlier} inputs were tried before")
        return
    games = catalogue._found()
    catalogue._found = lambda: games  # to look for them takes longer than most inputs

    def tried(data):
        tally.count()
        check(data)
        if tally.tried >= runs:
            tally.save()
            # libFuzzer ends the process without a word of its own.
            click.echo(f"{target}: {runs - earlier} inputs in {monotonic() - begin:.0f} s, and nothing broke")

    gc.collect()
    gc.freeze()  # else each collection looks at all that Numba has, for 100 ms
    for number, data in enumerate(seeds()):
        (folder / f"seed-{number}").write_bytes(data)
    limits = [f"-runs={runs - earlier}", "-max_len=600", "-len_control=0", f"-timeout={HANGS}"]
    atheris.Setup([sys.argv[0], *limits, str(folder)], tried)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
