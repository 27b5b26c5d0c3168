"""The file of self-play games and its reader: written games are read back, and damage is always detected."""

import os
import random
import struct
from functools import cache
from zlib import crc32

import numpy as np
import pytest
from surajang import Position
from surajang.engine.game.moves import ACTION_SHIFT, ACTIONS, SETUP, spell
from surajang.engine.kernel.interpreter import plain
from surajang.engine.movegen.entry_points import INTERPRETER
from surajang.engine.representation.position_record import position_dtype
from surajang.engine.variant import Variant
from surajang.learn.self_play import games_file, positions
from surajang.learn.self_play.compiled_games import NO_SCORE, TOO_LONG, SelfPlayedGame, Settings
from surajang.learn.self_play.game_player import GamePlayer
from surajang.learn.self_play.games_file import (
    CRC,
    HEAD,
    MAGIC,
    PLY,
    GamesError,
    GamesFile,
    GamesReader,
    Header,
    chunk_of,
    encode,
    rules_digest,
)
from surajang.learn.self_play.positions import DECIDED, Filter, Replay, kept_by_game, read_positions
from surajang.tests.support.self_played import write_games

pytestmark = pytest.mark.compiled

SETTINGS = Settings(nodes=20, plies=4, seed=7, most_plies=60)
SMALL = 8  # games of the file that is damaged


@cache
def header(variant="crazyhouse", settings=SETTINGS):
    return Header.of(Variant(variant), settings)


@cache
def games():
    player = GamePlayer(Variant("crazyhouse"), SETTINGS)
    return [player.play(number) for number in range(SMALL)]


@cache
def random_games(variant, count):
    """Games of random moves and scores, of each kind of move as many as there may be: a search by each game's
    rules would have to be compiled."""
    found = []
    for number in range(count):
        source, position, moves = random.Random(number), Position(variant), []
        while position.result() is None and len(moves) < SETTINGS.most_plies:
            kinds = {}
            for move in position.legal_moves():
                takes = move.from_square is not None and position.letter_at(move.to_square)
                kinds.setdefault((move.is_drop, move.is_promotion, bool(takes)), []).append(move)
            moves.append(source.choice(kinds[source.choice(sorted(kinds))]))
            position.push(moves[-1])
        scores = [NO_SCORE if ply < 4 else source.randrange(-1600, 1600) for ply in range(len(moves))]
        codes = np.array([move.code for move in moves], games()[0].moves.dtype)
        scores = np.array(scores, games()[0].scores.dtype)
        found.append(SelfPlayedGame(number, codes, scores, 4, number % 3 - 1, TOO_LONG))
    return found


def write(path, found, head=None):
    """The bytes of a file with these games."""
    return write_games(path, found, head or header()).read_bytes()


def read(path, variant="crazyhouse"):
    """(games, bytes of an incomplete one) of a file."""
    with GamesReader(path, Variant(variant)) as reader:
        return list(reader.games()), reader.torn


def same(one, other):
    return all(np.array_equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a file of SMALL games."""
    return write(tmp_path_factory.mktemp("whole") / "a", games())


def ends(whole):
    """The places behind the header and behind each game of a file of SMALL games."""
    found = [len(header().encoded())]
    for game in games():
        found.append(found[-1] + len(encode(game)))
    assert found[-1] == len(whole)
    return found


def test_games_are_read_as_they_were_written(tmp_path, whole):
    (tmp_path / "a").write_bytes(whole)
    found, torn = read(tmp_path / "a")
    assert torn == 0
    assert len(found) == SMALL
    assert all(map(same, found, games()))
    with GamesReader(tmp_path / "a") as reader:
        assert reader.header == header()
        small = [game for chunk in reader.chunks(plies=10) for game in chunk.games()]
    assert all(map(same, small, games()))


def test_file_is_laid_out_as_its_documentation_says(whole):
    assert whole.startswith(b"surajang games\n\x01\x00")
    (size,) = struct.unpack_from("<I", whole, len(MAGIC) + 2)
    start = len(MAGIC) + 6 + size
    assert struct.unpack_from("<I", whole, start) == (crc32(whole[:start]),)
    first = games()[0]
    number, plies, opening, result, ending = struct.unpack_from("<IHBbB", whole, start + 4)
    assert (number, plies, opening) == (0, len(first.moves), 4)
    assert (result, ending) == (first.result, first.ending)
    move, score = struct.unpack_from("<Ih", whole, start + 4 + 13 + 6 * opening)
    assert (move, score) == (first.moves[opening], first.scores[opening])
    end = start + 4 + 13 + 6 * plies
    assert struct.unpack_from("<I", whole, end) == (crc32(whole[start + 4 : end]),)


@pytest.fixture
def replay_seldom_compiled(interpreted_positions, monkeypatch, variant):
    """Python replays the games of all but the test's parameter `variant` that is compiled anyway."""
    if variant != "crazyhouse":
        by_python = INTERPRETER.function(positions.replay)
        monkeypatch.setattr(positions, "replay", lambda *arguments: by_python(*map(plain, arguments)))


# Damage


def test_file_that_was_cut_anywhere_is_continued(tmp_path, whole):
    path, places = tmp_path / "a", ends(whole)
    for end in range(0, len(whole) + 1, 7):
        path.write_bytes(whole[:end])
        with GamesFile(path, header()) as file:
            there = sum(place <= end for place in places[1:])
            assert file.games == there
            for game in games()[there:]:
                file.add(encode(game), 1)
        assert path.read_bytes() == whole, end


def test_file_that_was_cut_anywhere_is_read_up_to_there(tmp_path, whole):
    path, places = tmp_path / "a", ends(whole)
    for end in range(0, len(whole) + 1, 7):
        path.write_bytes(whole[:end])
        if end < places[0]:
            with pytest.raises(GamesError, match=f"^{path}: "):
                read(path)
            continue
        found, torn = read(path)
        assert len(found) == sum(place <= end for place in places[1:])
        assert torn == end - places[len(found)]


def test_changed_byte_is_never_read_as_anything_else(tmp_path, whole):
    """Every byte of the header and of a game, and others at random; the file is not changed."""
    path, source = tmp_path / "a", random.Random(1)
    places = ends(whole)
    chosen = [*range(places[0]), *range(places[2], places[3]), *source.sample(range(len(whole)), 200)]
    for place in chosen:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << source.randrange(8)
        path.write_bytes(damaged)
        with pytest.raises(GamesError) as told:
            read(path)
        assert str(path) in str(told.value)
        assert len(str(told.value)) < 400
        if place >= places[0]:
            game = sum(end <= place for end in places[1:])
            assert f"game {game}, which begins at byte {places[game]}" in str(told.value)
            assert f"cut to {places[game]} bytes has the games before it" in str(told.value)
        with pytest.raises(GamesError):
            GamesFile(path, header())
        assert path.read_bytes() == bytes(damaged)


def test_bytes_that_came_in_between_are_never_read(tmp_path, whole):
    path, source = tmp_path / "a", random.Random(2)
    for _ in range(200):
        place, length = source.randrange(len(whole)), source.randrange(1, 40)
        stranger = source.randbytes(length)
        damaged = whole[:place] + stranger + whole[place + length * source.randrange(2) :]
        path.write_bytes(damaged)
        try:
            found, _ = read(path)
        except GamesError:
            continue
        assert all(map(same, found, games()))
        assert damaged.startswith(b"".join([header().encoded(), *map(encode, found)]))


def test_game_that_is_missing_is_noticed(tmp_path, whole):
    path, places = tmp_path / "a", ends(whole)
    path.write_bytes(whole[: places[3]] + whole[places[4] :])
    with pytest.raises(GamesError, match=r"game 3, .* it has the number 4"):
        read(path)


def rehashed(game, plies=None, **head):
    """The changed bytes of a game, with matching checksums."""
    data = HEAD.pack(
        *(head.get(name, getattr(game, name)) for name in ("number",)),
        *(
            head.get(name, value)
            for name, value in (
                ("plies", len(game.moves)),
                ("opening", game.opening),
                ("result", game.result),
                ("ending", game.ending),
            )
        ),
    )
    rows = np.empty(len(game.moves), PLY)
    rows["move"], rows["score"] = game.moves if plies is None else plies, game.scores
    data += CRC.pack(crc32(data)) + rows.tobytes()
    return data + CRC.pack(crc32(data))


@pytest.mark.parametrize("head", [{"opening": 200}, {"result": 2}, {"ending": 0}, {"ending": 99}])
def test_game_that_makes_no_sense_is_refused(tmp_path, head):
    path = tmp_path / "a"
    path.write_bytes(header().encoded() + rehashed(games()[0], **head))
    with pytest.raises(GamesError, match=r"game 0, .* cannot be read: .* plies, result"):
        read(path)


@pytest.mark.usefixtures("replay_seldom_compiled")
@pytest.mark.parametrize("variant", ["crazyhouse", "pandemonium", "janggi"])
def test_move_that_cannot_be_made_does_no_harm(tmp_path, variant):
    """Moves of other games, and random numbers: refused with their place, or made without harm."""
    path, source, refused = tmp_path / "a", random.Random(3), 0
    game = random_games(variant, 1)[0]
    for number in range(40):
        moves = game.moves.copy()
        ply = source.randrange(len(moves))
        moves[ply] = source.randrange(1 << 32) if number % 2 else source.randrange(1 << 25)
        path.write_bytes(header(variant).encoded() + rehashed(game, moves))
        try:
            for _ in read_positions(path, Variant(variant)):
                pass
        except GamesError as error:
            assert f"{path}: game 0, ply " in str(error)
            refused += 1
    assert refused > 35


# Other files


def test_file_of_other_settings_is_refused_and_left_unchanged(tmp_path, whole):
    path = tmp_path / "a"
    path.write_bytes(whole)
    for change, told in (
        (dict(nodes=21), "nodes 20, not 21"),
        (dict(nodes=None, depth=3), "nodes 20, not None; depth None, not 3"),
        (dict(seed=8), "seed 7, not 8"),
        (dict(plies=5), "plies 4, not 5"),
    ):
        with pytest.raises(GamesError) as error:
            GamesFile(path, header(settings=SETTINGS._replace(**change)))
        assert str(error.value) == f"{path}: the games in it were played with {told}"
        assert path.read_bytes() == whole
    with pytest.raises(GamesError, match=f"evaluation {header().evaluation}, not 0123$"):
        GamesFile(path, header()._replace(evaluation="0123"))


def test_file_of_another_game_or_of_other_rules_is_refused(tmp_path, whole):
    path = tmp_path / "a"
    path.write_bytes(whole)
    for use in (lambda: GamesFile(path, header("chess")), lambda: GamesReader(path, Variant("chess"))):
        with pytest.raises(GamesError, match="a: the games are of 'crazyhouse', not of 'chess'"):
            use()
    other = header()._replace(rules="0123")
    path.write_bytes(other.encoded())
    for use in (lambda: GamesFile(path, header()), lambda: GamesReader(path, Variant("crazyhouse"))):
        with pytest.raises(GamesError, match=r"'crazyhouse' by other rules .digest 0123, here"):
            use()


def test_rules_are_those_of_the_game_file_without_titles_and_pictures(monkeypatch):
    table = {"name": "a", "title": "A", "pieces": {"K": {"moves": "K"}}}
    drawn, other = {"K": {"moves": "K", "picture": "queen"}}, {"K": {"moves": "W"}}
    digests = []
    for change in ({}, {"title": "B"}, {"source": "x"}, {"pieces": drawn}, {"pieces": other}):
        monkeypatch.setattr(games_file, "read_table", lambda path, change=change: table | change)
        digests.append(rules_digest(Variant("chess")))
    assert len(set(digests[:4])) == 1 and digests[4] != digests[0]


@pytest.mark.parametrize(
    "content, told",
    [
        (b"hello\n", "not a file of games: it begins with 'hello"),
        (b"", "not a file of games: it begins with ''"),
        (b"# crazyhouse, 60 nodes", "not a file of games: it begins with '# crazyhouse, 6'"),
        (b"\xff\xfe\x00" * 400, "not a file of games"),
        (MAGIC + b"\x02\x00\x00\x00\x00\x00", "version 2 of the format, but this program reads 1"),
        (MAGIC + b"\x01\x00\xff\xff\xff\xff", "the header is damaged: 4294967295 bytes long"),
        (MAGIC + b"\x01", "ends within its header, at byte 16"),
        (MAGIC + b"\x01\x00\x09\x00\x00\x00abc", "ends within its header, at byte 24 of 34"),
    ],
)
def test_file_that_is_something_else_is_refused(tmp_path, content, told):
    path = tmp_path / "a"
    path.write_bytes(content)
    with pytest.raises(GamesError) as error:
        GamesReader(path)
    assert str(error.value).startswith(f"{path}: ")
    assert told in str(error.value)


@pytest.mark.parametrize("text", [b"[]", b"{}", b"nonsense", b'{"game": "chess", "settings": {}}', b"\xff"])
def test_header_that_says_nothing_is_refused(tmp_path, text):
    head = MAGIC + struct.pack("<HI", 1, len(text)) + text
    (tmp_path / "a").write_bytes(head + CRC.pack(crc32(head)))
    with pytest.raises(GamesError, match="not one that this program reads"):
        GamesReader(tmp_path / "a")


def test_two_cannot_write_to_a_file_at_once(tmp_path):
    with (
        GamesFile(tmp_path / "a", header()),
        pytest.raises(GamesError, match="another process is adding to this file"),
    ):
        GamesFile(tmp_path / "a", header())
    GamesFile(tmp_path / "a", header()).__exit__()


def test_place_that_cannot_be_written_is_reported(tmp_path):
    with pytest.raises(GamesError, match="none/a: cannot be written: No such file"):
        GamesFile(tmp_path / "none" / "a", header())
    with pytest.raises(GamesError, match="cannot be written: Is a directory"):
        GamesFile(tmp_path, header())
    with pytest.raises(GamesError, match="cannot be read: No such file"):
        GamesReader(tmp_path / "none")


def test_full_disk_is_reported_and_nothing_before_is_lost(tmp_path, whole):
    resource = pytest.importorskip("resource")
    path, places = tmp_path / "a", ends(whole)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with GamesFile(path, header()) as file:
        file.add(encode(games()[0]), 1)
        resource.setrlimit(resource.RLIMIT_FSIZE, (places[1] + 100, before[1]))
        try:
            with pytest.raises(GamesError, match=r"cannot be written: .*; it keeps the 1 games before"):
                file.add(encode(games()[1]), 1)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert path.read_bytes() == whole[: places[1]]
        for game in games()[1:]:
            file.add(encode(game), 1)
    assert path.read_bytes() == whole


# Positions


# Hands and marks of promotion, two counts of castling, passes, merchants, boards of 256 bits
RECORDS = ("crazyhouse", "pandemonium", "pandemonium-vchess", "janggi", "chaotic", "xxl")
EVERYTHING = Filter(max_score=1 << 20, checks=True, tactical=True)


def replayed(variant, game):
    """(position before it, ply, move, White's score) of each searched move of a game."""
    position = Position(variant)
    for ply, (code, score) in enumerate(zip(game.moves, game.scores, strict=True)):
        move = spell(int(code), position.description)
        if score != NO_SCORE:
            yield position, ply, move, int(score)
        position.push(move)


@pytest.mark.usefixtures("replay_seldom_compiled")
@pytest.mark.parametrize("variant", RECORDS)
def test_positions_are_those_of_the_game_field_by_field(variant):
    found = [*random_games(variant, 3), *(games() if variant == "crazyhouse" else ())]
    chunk, _ = chunk_of(b"".join(map(encode, found)))
    replay = Replay(Variant(variant), EVERYTHING)
    batch, index = replay.batch(chunk), 0
    for game in found:
        for position, ply, move, score in replayed(variant, game):
            if move.is_choice:
                continue
            record = batch.positions[index]
            assert record.dtype == position_dtype(position.rules)
            for name in record.dtype.names:
                assert np.array_equal(record[name], position.state[name]), (name, position.fen())
            told = (batch.games[index], batch.plies[index], batch.scores[index], batch.results[index])
            assert told == (game.number, ply, score, game.result)
            assert batch.moves[index] == move.code
            index += 1
    assert index == len(batch.positions) > 0


def is_tactical(position, move):
    """Whether a move promotes, or captures."""
    child, theirs = position.copy(), 1 - position.turn
    child.push(move)
    before, after = (int(np.bitwise_count(p.state["colours"][theirs]).sum()) for p in (position, child))
    return move.is_promotion or after < before


FILTERS = {
    "default": Filter(),
    "later plies": Filter(first_ply=20),
    "level ones": Filter(max_score=100),
    "in check, too": Filter(checks=True),
    "captures, too": Filter(tactical=True),
    "no checks by the move": Filter(checking=False),
    "everything": EVERYTHING,
}


@pytest.mark.usefixtures("replay_seldom_compiled")
@pytest.mark.parametrize(
    "variant, count",
    [("crazyhouse", 3), ("pandemonium", 3), ("janggi", 6)],  # checks are rare in Janggi
)
@pytest.mark.parametrize("what", FILTERS)
def test_filter_keeps_what_it_says(variant, count, what):
    filters, found = FILTERS[what], random_games(variant, count)
    chunk, _ = chunk_of(b"".join(map(encode, found)))
    batch, wanted, left_out = Replay(Variant(variant), filters).batch(chunk), [], 0
    for game in found:
        for position, ply, move, score in replayed(variant, game):
            child = position.copy()
            child.push(move)
            kept = (
                ply >= filters.first_ply
                and abs(score) <= filters.max_score
                and (filters.checks or not position.is_check())
                and (filters.tactical or not is_tactical(position, move))
                and (filters.checking or not child.is_check())
                and move.code >> ACTION_SHIFT & ACTIONS != SETUP
            )
            left_out += not kept
            if kept:
                wanted.append((game.number, ply))
    assert list(zip(batch.games.tolist(), batch.plies.tolist(), strict=True)) == wanted
    assert wanted
    assert left_out or what == "everything"
    counts = [sum(number == game.number for number, _ in wanted) for game in found]
    assert kept_by_game(batch, chunk).tolist() == counts


def test_decided_positions_are_left_out():
    game = games()[0]
    for score, kept in ((DECIDED, True), (-DECIDED, True), (DECIDED + 1, False), (-DECIDED - 1, False)):
        scores = np.where(game.scores == NO_SCORE, NO_SCORE, score).astype(np.int16)
        chunk, _ = chunk_of(encode(game._replace(scores=scores)))
        assert bool(len(Replay(Variant("crazyhouse")).batch(chunk).plies)) == kept


def test_chunks_of_any_size_give_the_same_positions(tmp_path, whole):
    (tmp_path / "a").write_bytes(whole)
    one = list(read_positions(tmp_path / "a", Variant("crazyhouse")))
    many = list(read_positions(tmp_path / "a", Variant("crazyhouse"), plies=1))
    assert len(one) == 1
    assert len(many) == SMALL
    for name in one[0]._fields:
        joined = np.concatenate([getattr(batch, name) for batch in many])
        assert np.array_equal(joined, getattr(one[0], name))


def test_game_of_one_ply_is_read(tmp_path):
    game = games()[0]
    game = game._replace(moves=game.moves[:1], scores=game.scores[:1], opening=1, ending=TOO_LONG)
    write(tmp_path / "a", [game])
    assert same(read(tmp_path / "a")[0][0], game)
    assert [len(batch.plies) for batch in read_positions(tmp_path / "a", Variant("crazyhouse"))] == [0]


def test_own_file_of_another_process_is_not_needed_to_read(tmp_path, whole):
    path = tmp_path / "a"
    path.write_bytes(whole)
    os.chmod(path, 0o400)
    assert len(read(path)[0]) == SMALL
