"""Openings of a match: random moves that keep the balance, or EPD and PGN files; picked and saved.

An EPD line holds the position; where the opening is known as moves, its operation `c0` has them, so that
repetition counts from the start of the game: `c0 "moves e2e4 e7e5";`, and `c1 "from FEN";` where they do not
begin at the start of the game.
"""

import re
from pathlib import Path

import numpy as np

from .model import Opening
from .pgn import PgnError, position_of, scan_pgn

PLIES = 8  # random moves of an opening
MAX_SCORE = 80  # centipawns: how far from balance an opening may be for the side to move
NODES = 5_000  # of the search that judges an opening
STEP_NODES = 1_000  # of the search that judges a move on the way there
STEP_TRIES = 4  # moves among which each is chosen
STEP_ROOM = 2  # the short search errs, so on the way scores may be so many times as far from balance
STEP_LOSS = 30  # centipawns that a move may be worse than the best of those tried
PATIENCE = 400  # attempts in a row without a new opening before a game is said to have no more
HASH_MB = 1
SHOWN = 40  # characters of an offending text
ORDERS = ("sequential", "random")

_FEN = re.compile(r"(\S+(?:\s+[^\s;]+){0,3})(?:\s+(\d+))?(?:\s+(\d+))?\s*(?:;|(?=\s|$))")
_OPERATION = re.compile(r"""\s*([A-Za-z]\w*)((?:\s+(?:"(?:[^"\\]|\\.)*"|[^\s";]+))*)\s*(?:;|$)""")
_OPERAND = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s";]+)')


class OpeningError(ValueError):
    """Openings that cannot be made or read; for a file the text names it and the line."""


def generate(variant, count, seed, plies=PLIES, max_score=MAX_SCORE, nodes=NODES, progress=None):
    """`count` different openings of `plies` random moves, and more choices where a game begins with those.

    Each has a score within `max_score` centipawns for the side to move by a search of `nodes` nodes, no mate
    in sight and no result. Each move is one of a few random ones that a shorter search does not find worse
    than the others; nobody passes. The same arguments give the same openings, and those of a greater `count`
    begin with those of a smaller one. `progress(done, count)` is called as they come. Raises OpeningError
    when the game gives no more, VariantError for an unknown game.
    """
    for name, number, least in (("count", count, 1), ("plies", plies, 0), ("nodes", nodes, 1)):
        if number < least:
            raise ValueError(f"{name} {number} should be at least {least}")
    walk = _Walk(variant, seed, plies, max_score, nodes)
    openings, known, failures = [], set(), 0
    while len(openings) < count:
        moves, key = walk.attempt()
        if moves is None or key in known:
            failures += 1
            if failures == PATIENCE:
                raise OpeningError(
                    f"{variant} gives {len(openings)} different openings of {plies} plies within {max_score} "
                    f"centipawns, and no more in {PATIENCE} attempts; {count} were asked for"
                )
            continue
        failures = 0
        known.add(key)
        name = f"Random {len(openings) + 1} of seed {seed}"
        openings.append(Opening(walk.position.start_fen, moves, name))
        if progress:
            progress(len(openings), count)
    return openings


class _Walk:
    """Random walks from the start of a game that stay in balance."""

    def __init__(self, variant, seed, plies, max_score, nodes):
        from ...engine.position import Position
        from ...search.engine import Engine

        self.position = Position(variant)
        self.engine = Engine(variant, hash_mb=HASH_MB)
        self.generator = np.random.default_rng(seed)
        self.plies, self.max_score, self.nodes = plies, max_score, nodes

    def attempt(self):
        """(moves, key of the position) of a walk; (None, None) when it came to nothing."""
        position = self.position
        made = 0
        good = True
        while good and (made < self.plies or self._chooses()):
            good = self._step()
            made += good and not position.moves[-1].is_choice
        good = good and self._is_balanced()
        found = (tuple(str(move) for move in position.moves), position.key) if good else (None, None)
        while position.ply:
            position.pop()
        return found

    def _chooses(self):
        return any(move.is_choice for move in self.position.legal_moves())

    def _step(self):
        """Makes one random move; False when none of those tried keeps the balance."""
        moves = [move for move in self.position.legal_moves() if not move.is_pass]
        tried = [moves[index] for index in self.generator.permutation(len(moves))[:STEP_TRIES]]
        if not any(move.is_choice for move in tried):
            tried = self._sound(tried)
        if tried:
            self.position.push(tried[0])
        return bool(tried)

    def _sound(self, moves):
        """Those that keep the balance and give away little, measured by the best of them."""
        scores = {}
        for move in moves:
            self.position.push(move)
            score = self._score(STEP_NODES)
            self.position.pop()
            if score is not None and abs(score) <= STEP_ROOM * self.max_score:
                scores[move] = -score
        best = max(scores.values(), default=0)
        return [move for move, score in scores.items() if score >= best - STEP_LOSS]

    def _is_balanced(self):
        self.engine.clear()  # so that the score follows from the position alone
        score = self._score(self.nodes)
        return score is not None and abs(score) <= self.max_score

    def _score(self, nodes):
        """Centipawns for the side to move; None when the game is over or there is a mate."""
        if self.position.result() is not None:
            return None
        score = self.engine.play(self.position, nodes=nodes).score
        return score.centipawns if score.mate is None else None


def pick(openings, count, order="sequential", seed=0):
    """`count` of the openings in their order, or shuffled by `seed`; when they run out from the beginning, or
    shuffled anew. Raises ValueError for no openings, or another order."""
    if order not in ORDERS:
        raise ValueError(f"order {order!r} should be {' or '.join(ORDERS)}")
    if not openings:
        raise ValueError("there are no openings to pick from")
    generator, picked = np.random.default_rng(seed), []
    while len(picked) < count:
        numbers = range(len(openings)) if order == "sequential" else generator.permutation(len(openings))
        picked += [openings[number] for number in numbers]
    return picked[:count]


def save_openings(path, openings, variant):
    """Writes openings as EPD, replacing what was in the file. Raises OSError; MoveError or FenError for an
    opening of another game."""
    text = "".join(f"{_epd(opening, variant)}\n" for opening in openings)
    Path(path).write_text(text, encoding="utf-8", newline="")


def _epd(opening, variant):
    from ...engine.position import Position

    position = Position(variant, opening.fen)
    for move in opening.moves:
        position.push(move)
    board, turn, castling, crossed, halfmoves, fullmoves = position.fen().split()
    line = f"{board} {turn} {castling} {crossed} hmvc {halfmoves}; fmvn {fullmoves};"
    if opening.name:
        line += f" id {_quoted(opening.name)};"
    if opening.moves:
        line += f" c0 {_quoted('moves ' + ' '.join(opening.moves))};"
        if position.start_fen != position.description.start_fen:
            line += f" c1 {_quoted('from ' + position.start_fen)};"
    return line


def _quoted(text):
    text = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def load_openings(path, variant, choose=list, progress=None):
    """The openings of a file: EPD or FEN lines (empty lines and those that begin with # are skipped), or PGN.

    `choose` gets the list of what the file has, before it is looked at more closely, and returns what of it
    is wanted: for large books, where setting up every position takes its time. `progress(done, total)` is
    called as openings are ready. Raises OpeningError with the file, the line and what is wrong there, OSError
    for a file that cannot be opened.
    """
    text = _decode(Path(path).read_bytes())
    try:
        if re.match(r"\s*\[", text) or Path(path).suffix.lower() == ".pgn":
            read, found = _from_pgn, list(scan_pgn(text))
        else:
            read, found = _from_line, _lines(text)
        if not found:
            raise OpeningError(f"{path}: there are no openings in it")
        chosen, openings = choose(found), []
        for one in chosen:
            openings.append(read(one, variant, Path(path).stem))
            if progress:
                progress(len(openings), len(chosen))
    except PgnError as error:
        raise OpeningError(f"{path} {error}") from None
    return openings


def _decode(data):
    """The text of a file in UTF-8 or, as older PGN has it, Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _lines(text):
    """(number, line) of all lines that say something."""
    lines = enumerate((line.strip() for line in text.splitlines()), 1)
    return [(number, line) for number, line in lines if line and not line.startswith("#")]


def _from_pgn(game, variant, file):
    """The opening that a `ScannedGame` is."""
    position = position_of(game, variant)
    _refuse_finished(position, game.line)
    moves = tuple(str(move) for move in position.moves)
    return Opening(position.start_fen, moves, game.tags.get("Opening") or f"{file} {game.line}")


def _refuse_finished(position, line):
    if (result := position.result()) is not None:
        raise PgnError(line, f"the game is over there: {result.reason}")


def _from_line(numbered, variant, file):
    """The opening of an EPD or FEN line."""
    from ...engine.position import FenError, MoveError, Position

    line, text = numbered
    fen, operations = _split(text, line)
    try:
        position = Position(variant, fen)
        name = operations.get("id", f"{file} {line}")
        moves, start = _moves_of(operations)
        opening = Opening(position.fen(), (), name)
        if moves is not None:
            position = _played(Position(variant, start), moves)
            if position.fen() != opening.fen:
                raise PgnError(line, f"the moves of c0 lead to {position.fen()}, not to the line's position")
            opening = Opening(position.start_fen, tuple(str(move) for move in position.moves), name)
    except (FenError, MoveError) as error:
        raise PgnError(line, str(error)) from None
    _refuse_finished(position, line)
    return opening


def _played(position, moves):
    for move in moves:
        position.push(move)
    return position


def _moves_of(operations):
    """(moves, FEN that they begin from or None for the start of the game); moves None without them."""
    moves, start = operations.get("c0", ""), operations.get("c1", "")
    if moves.split()[:1] != ["moves"]:
        return None, None
    return moves.split()[1:], start.removeprefix("from ") if start.startswith("from ") else None


def _split(text, line):
    """(FEN, operations by name) of a line. Raises PgnError."""
    match = _FEN.match(text)
    fields = match[1].split()
    fields += ["w", "-", "-"][len(fields) - 1 :]
    operations, end = {}, match.end()
    while end < len(text):
        operation = _OPERATION.match(text, end)
        if not operation:
            raise PgnError(
                line, f"{text[end:].strip()[:40]!r} is no EPD operation; they look like 'id \"name\";'"
            )
        operations[operation[1]] = " ".join(
            re.sub(r"\\(.)", r"\1", quoted) if quoted else word
            for quoted, word in _OPERAND.findall(operation[2])
        )
        end = operation.end()
    halfmoves = match[2] or operations.get("hmvc", "0")
    fullmoves = match[3] or operations.get("fmvn", "1")
    return " ".join([*fields, halfmoves, fullmoves]), operations
