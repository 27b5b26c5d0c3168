"""Quiet positions from fast games of the engine against itself, each with what the search said and how the
game ended.

A game is one task: `SelfPlay` is called with its number, here or on another machine, and its positions depend
on the number, the seed and the settings alone."""

import fcntl
import re
import threading
from dataclasses import dataclass, field

import numpy as np

from ...engine.moves import ACTION_SHIFT, EN_PASSANT, NORMAL, PROMOTION, SETUP

OPENING_TRIES = 100
DECIDED = 1500  # centipawns: where the search says so much no number of the evaluation is to be learnt
POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
SHOWN = 80  # characters of an offending line
_mine = threading.local()  # engine, game: what this thread plays with
_known = {}  # variant -> text of the file that this process knows it by, None for a shipped game


class SampleError(ValueError):
    """Samples that cannot be read, added to or learnt from; the text names the file and quotes it."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A quiet position: its FEN, what the search said in centipawns and the points of the game, both
    White's. `where` is the file and line that it was read from."""

    fen: str
    score: int
    points: float
    where: str = field(default="", compare=False)

    def __str__(self):
        return f"{self.fen} ; {self.score} ; {self.points:g}"


@dataclass(frozen=True)
class SelfPlay:
    """Plays one game and returns its samples, wherever it is called.

    `nodes` limits each search, `plies` random half moves come first, or one more; `seed` makes the games
    others. A game that has not ended after `most_plies` is drawn. `toml` is the text of the game's file where
    the game is the user's own."""

    variant: str
    nodes: int
    plies: int
    seed: int
    most_plies: int = 300
    toml: str | None = None

    def __call__(self, number):
        """The samples of game `number`. Raises SampleError where no game can be begun."""
        engine = self._engine()
        engine.clear()
        position = self._start(number)
        found, result = [], None
        while result is None and position.ply < self.most_plies:
            played = engine.play(position, nodes=self.nodes)
            if _is_quiet(position, played):
                sign = 1 if position.turn == 0 else -1
                found.append((position.fen(), sign * played.score.centipawns))
            position.push(played.move)
            result = position.result()
        points = POINTS[result.score] if result else 0.5
        return [Sample(fen, score, points) for fen, score in found]

    def _engine(self):
        """This thread's engine for the game: one and the same until it is asked for another game."""
        from ...search.engine import Engine

        game = (self.variant, self.toml)
        if getattr(_mine, "game", None) != game:
            self._make_known()
            _mine.engine, _mine.game = Engine(self.variant, hash_mb=16), game
        return _mine.engine

    def _make_known(self):
        """Lets this process know the game. Raises SampleError where it knows another one by that name: rules
        that were compiled stay. Raises VariantError for a game that it cannot know."""
        from ..match.room import RoomError, local_description

        if _known.setdefault(self.variant, self.toml) != self.toml:
            raise SampleError(
                f"a process has played another game with the name {self.variant!r} before; "
                "the workers of a cluster have to be started anew after a change of the game's file"
            )
        try:
            local_description(self.variant, self.toml)
        except RoomError as error:
            raise SampleError(str(error)) from None

    def _start(self, number):
        """The position where game `number` begins."""
        return self._opening(np.random.default_rng([self.seed, number]))

    def _opening(self, rng):
        """A position after random moves, with a game still to be played."""
        from ...engine.position import Position

        for _ in range(OPENING_TRIES):
            position = Position(self.variant)
            for _ in range(self.plies + int(rng.integers(2))):
                moves = position.legal_moves()
                if not moves or position.result() is not None:
                    break
                position.push(moves[int(rng.integers(len(moves)))])
            if position.result() is None:
                return position
        raise SampleError(f"{self.plies} random moves of {self.variant!r} end the game every time; try fewer")


def _is_quiet(position, played):
    """Whether the evaluation should know what a position is worth: no check, no capture, promotion or choice
    of an arrangement to come, and a score that is not decided."""
    move, score = played.move, played.score
    if position.is_check() or score.mate is not None or abs(score.centipawns) > DECIDED:
        return False
    action = move.code >> ACTION_SHIFT
    if action == NORMAL:
        return position.piece_at(move.to_square) is None
    return action not in (PROMOTION, EN_PASSANT, SETUP)


class SampleFile:
    """The samples of games 0, 1, 2, ... in a text file, game by game, to which more can be added.

    The first line tells the settings of `work`; each game is its samples and then a line `# end of game N`.
    Whatever ended the writing, a game whose last line is missing is cut off and written anew. `games` counts
    those in the file, `added` the samples added now. One process at a time has the file. Raises SampleError
    for a file of other settings, one that another process has, and one that cannot be opened."""

    def __init__(self, path, work):
        self.path, self.added, self.games = path, 0, 0
        self._waiting = {}
        self._heading = f"# {work.variant}, {work.nodes} nodes, {work.plies} plies, seed {work.seed}\n"
        try:
            self._file = open(path, "ab+")  # noqa: SIM115 - closed by __exit__
        except OSError as error:
            raise SampleError(f"{path}: cannot be written: {error.strerror}") from None
        try:
            self._lock()
            self._keep_heading()
            self._keep_whole_games()
        except BaseException:
            self._file.close()
            raise

    def _lock(self):
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SampleError(f"{self.path}: another process is adding to this file") from None

    def _keep_heading(self):
        """Goes to the end of the first line, which is written where it is not there, or not whole."""
        self._file.seek(0)
        heading = self._heading.encode()
        first = self._file.readline(max(len(heading), SHOWN))
        if first == heading:
            return
        if not heading.startswith(first):
            told, wanted = _shown(first), _shown(heading)
            raise SampleError(f"{self.path}: the file is of {told}, not of {wanted}")
        self._file.truncate(0)
        self._file.write(heading)
        self._file.flush()

    def _keep_whole_games(self):
        """Counts the games and cuts off what follows the last of them. Raises SampleError, and cuts nothing,
        where games are missing."""
        place = end = self._file.tell()
        for number, line in enumerate(self._file, 2):
            place += len(line)
            if line == _end_of(self.games):
                self.games, end = self.games + 1, place
            elif line.startswith(b"# end of game") and line.endswith(b"\n"):
                wanted = _shown(_end_of(self.games))
                raise SampleError(f"{self.path}, line {number}: {_shown(line)} where {wanted} should be")
        self._file.truncate(end)

    def add(self, number, samples):
        """Adds a game; games that come early wait for those before them."""
        self._waiting[number] = samples
        while self.games in self._waiting:
            samples = self._waiting.pop(self.games)
            lines = [f"{sample}\n".encode() for sample in samples]
            self._file.write(b"".join([*lines, _end_of(self.games)]))
            self._file.flush()
            self.games += 1
            self.added += len(samples)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._file.close()


def _end_of(game):
    """The last line of a game in a file."""
    return f"# end of game {game}\n".encode()


def _shown(line):
    """A line of a file, given as bytes, in quotes."""
    return repr(line.decode(errors="replace").strip("# \r\n")[:SHOWN])


def read_samples(path, variant):
    """The samples of a game in a file. Raises SampleError for a line that is none, quoted with its number,
    for a file of another game, and for one that has no samples or cannot be read."""
    found = []
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                if line.startswith(b"#"):
                    _refuse_other_game(path, line, variant)
                else:
                    found.append(_sample(line, f"{path}, line {number}"))
    except OSError as error:
        raise SampleError(f"{path}: cannot be read: {error.strerror}") from None
    if not found:
        raise SampleError(f"{path}: there are no positions in it")
    return found


def _refuse_other_game(path, line, variant):
    """Raises SampleError for a heading that names another game."""
    heading = re.match(rb"# ([^,]+), \d+ nodes,", line)
    if heading and heading[1].decode(errors="replace") != variant:
        raise SampleError(f"{path}: the positions are of {_shown(heading[1])}, not of {variant!r}")


def _sample(line, where):
    """The sample in a line. Raises SampleError."""
    if not line.endswith(b"\n"):
        raise SampleError(f"{where}: {_shown(line)} is broken off; `surajang bench data` mends its own files")
    try:
        fen, score, points = line.decode().rstrip("\r\n").split(" ; ")
        sample = Sample(fen, int(score), float(points), where)
    except ValueError:
        raise SampleError(f"{where}: {_shown(line)} is no 'FEN ; score ; points'") from None
    if not 0 <= sample.points <= 1:
        raise SampleError(f"{where}: {_shown(line)} has points that are not between 0 and 1")
    return sample
