"""Nearly valid texts and tables for tests of bad input. Every function draws from a `random.Random`, so that
the same numbers make the same text."""

import datetime
import json
import re

PIECES = "KQRBNMCPADHSWGEkqrbnmcpadhswge"
SCRAPS = (
    *("", " ", "  ", "\t", "-", "+", "=", "~", ",", ";", ":", "@", "/", "//", "[", "]", "[]", "{", "}"),
    *('"', "'"),
    *("0", "1", "9", "10", "16", "17", "99", "100", "-1", "1.5", "1e9", "nan", "inf", "9" * 20, "9" * 5000),
    *("a1", "e2e4", "P@e5", "j10", "p16", "a0", "e1g1", "0000", "@@@@", "O-O", "a1b1,c1d1", "w", "b"),
    *("KQkq", "Ss"),
    *("\0", "\r", "\x1b[2J", "\x7f", "\x85", "\u2028", "é", "٣", "\u202e", "😀", "\\xff", "%s"),
    *("<empty>", "~root"),
    *("true", "false", "name", "value", "moves", "fen", "startpos", "all", "*", "x" * 300, " " * 3000),
    *("/" * 3000,),
)
VALUES = (
    *("", " ", "x", "P", "K", "PK", "PP", "p", "é", "\n", "#", "a", "ab", "q", "zz", "'", '"', "["),
    *("http://[",),
    *("fmWfcF", "W9", "WW", "gR", "jN", "W" + "9" * 5000, "R99999999", "vhN", "10/10", "8/8/8/8/8/8/8/8 w"),
    *(0, 1, -1, 2, 3, 8, 9, 10, 16, 17, 1000, 20_000, 2**63, 2**70, True, False, 1.5, float("nan")),
    *(float("inf"),),
    *([], [0], [1], [1, 2, 3], ["a"], [""], ["bc"], [[]], [{}], {}, {"x": 1}, {"P": []}, {"P": [1]}),
    *({"K": {}}, {"1": 2}, {"9" * 5000: 2}, datetime.date(2020, 1, 1), datetime.time(1, 2)),
)


def mutated(random, text, alphabet="", edits=3):
    """The text with one to `edits` pieces removed, inserted, doubled or exchanged."""
    for _ in range(random.randint(1, edits)):
        at, length = random.randint(0, len(text)), random.choice((0, 0, 1, 1, 2, 5))
        piece = text[at : at + length]
        put = random.choice(("", piece * 2, _scrap(random, alphabet), _scrap(random, alphabet), piece[::-1]))
        text = text[:at] + put + text[at + length :]
    return text


def _scrap(random, alphabet):
    if alphabet and random.random() < 0.6:
        return random.choice(alphabet)
    return random.choice(SCRAPS)


def respelled_fen(random, fen):
    """A FEN as another program may write it, for this game or another."""
    board, turn, castling, crossed, *counters = fen.split()
    rows, _, hands = board.rstrip("]").partition("[")
    files = str.maketrans("KQkq", "HAha")
    return random.choice(
        (
            f"{rows}[{hands or '-'}] {turn} {' '.join(counters)}",
            f"{board} {turn} {crossed} {' '.join(counters)}",
            f"{board} {turn} - {counters[-1]}",
            f"{board} {turn} - {random.randint(0, 99)} {' '.join(counters)}",
            f"{board} {turn} {castling.translate(files)} {crossed} {' '.join(counters)}",
            f"{rows}/{hands} {turn} {castling} {crossed} {' '.join(counters)}",
            f"{rows} {turn} {random.choice(('', '2'))}{hands or '-'} {counters[-1]}",
            f"{fen} +{random.randint(0, 3)}+{random.randint(0, 3)}",
            f"{board} {turn} {castling} {crossed} 3+3 {' '.join(counters)}",
            fen.replace(" ", "_"),
            f'{fen} bm e4; hmvc {random.randint(0, 99)}; id "x";',
            f'[FEN "{fen}"]',
        )
    )


def mutated_fen(random, fen):
    """A FEN with plausible damage: whole fields, ranks and pieces change as well as letters, partly in the
    manner of other programs."""
    if random.random() < 0.3:
        fen = respelled_fen(random, fen)
        if random.random() < 0.5:
            return fen
    kind = random.randint(0, 4)
    if kind == 0:
        return mutated(random, fen, PIECES + "0123456789/[]-wb+~ ")
    fields = fen.split()
    if kind == 1:  # a field
        at = random.randrange(len(fields))
        fields[at] = mutated(random, fields[at], PIECES + "0123456789-", 1)
    elif kind == 2:  # fields that are missing, or stand elsewhere
        at = random.randrange(len(fields))
        fields.insert(random.randint(0, len(fields)), fields.pop(at))
        fields = fields[: random.randint(0, len(fields))]
    elif kind == 3:  # two pieces change places, or one becomes another
        board = list(fields[0])
        letters = [index for index, letter in enumerate(board) if letter.isalpha()]
        one, other = random.choice(letters), random.choice(letters)
        board[one], board[other] = board[other], random.choice([board[one], *PIECES])
        fields[0] = "".join(board)
    else:
        rows = fields[0].split("/")
        one, other = random.randrange(len(rows)), random.randrange(len(rows))
        rows[one], rows[other] = rows[other], random.choice([rows[one], str(len(rows)), ""])
        fields[0] = "/".join(rows)
    return " ".join(fields)


def mutated_table(random, table, edits=3):
    """A game's table with one to `edits` keys or values changed; the original is unchanged."""
    table = _copied(table)
    for _ in range(random.choice((1, 1, 1, edits))):
        place = _place(random, table)
        key = random.choice(list(place)) if place and random.random() < 0.9 else random.choice(SCRAPS)
        kind = random.randint(0, 5)
        if kind == 0:
            place.pop(key, None)
        elif kind == 1:
            place[mutated(random, key, "PKQabc19.-_", 1)] = place.pop(key, 1)
        elif kind == 2 and isinstance(place.get(key), str):
            place[key] = mutated(random, place[key], PIECES + "fblrsvhmcnpgje0123456789/")
        elif kind == 3 and type(place.get(key)) is int:
            place[key] += random.choice((-2, -1, 1, 2, 10))
        elif kind == 4:
            other = _place(random, table)
            place[key] = _copied(other[random.choice(list(other))]) if other else {}
        else:
            place[key] = _copied(random.choice(VALUES))
    return table


INI_VALUES = (
    *("true", "false", "-", "", "0", "1", "3", "8", "9", "16", "17", "99", "k", "p", "q:3", "p:g", "p:g r:d"),
    *("*1", "*8", "*1 *2 *3", "a1 h8", "a*", "d4 e4 d5 e5", "**", "*", "a9", "z1", "draw", "loss", "win"),
    *("none", "makruk", "a:W", "b:gQ", "c:fmWcF", "d:NN", "e:nZ", "f:flN", "g:fKifmnD", "h:W99"),
    "i:" + "N" * 90,
    *("8/8/8/8/8/8/8/8 w", "k7/8/8/8/8/8/8/7K w - - 0 1", "+r3k/8/8/8/8/8/8/4K2+R[Pp] w", "x" * 2500),
    *("k2/3/2K w - - 3+3 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1", "é", "\x1b[2J"),
)
PARENTS = (
    *("chess", "shogi", "xiangqi", "makruk", "crazyhouse", "placement", "kyotoshogi", "nobody", "one", ""),
)


def mutated_ini(random, keys, parents=PARENTS):
    """A file of Fairy-Stockfish with one to three games with some of the `keys`, possibly damaged."""
    lines = []
    for number in range(random.choice((1, 1, 1, 2, 3))):
        name = random.choice(("one", "two", "three", f"game-{number}"))
        parent = random.choice(parents)
        lines.append(f"[{name}:{parent}]" if parent else f"[{name}]")
        for _ in range(random.choice((0, 1, 1, 2, 3, 6))):
            key = random.choice(keys)
            lines.append(f"{key} = {random.choice(INI_VALUES)}")
    text = "\n".join(lines) + "\n"
    return mutated(random, text, "[]:=*-+ abkpq\n019") if random.random() < 0.3 else text


def _copied(value):
    if isinstance(value, dict):
        return {key: _copied(inner) for key, inner in value.items()}
    return [_copied(inner) for inner in value] if isinstance(value, list) else value


def _place(random, table):
    """The table itself or one within it."""
    inner = [value for value in table.values() if isinstance(value, dict)]
    return _place(random, random.choice(inner)) if inner and random.random() < 0.6 else table


def written(table):
    """A table as TOML."""
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _key(key):
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key, re.ASCII) else _value(key)


def _value(value):
    match value:
        case bool():
            return str(value).lower()
        case str():
            return re.sub(r"\\ud[89a-f].{8}|\x7f", "?", json.dumps(value, ensure_ascii=False))
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return f"{{{', '.join(f'{_key(key)} = {_value(inner)}' for key, inner in value.items())}}}"
        case datetime.date() | datetime.time():
            return value.isoformat()
    return str(value)
