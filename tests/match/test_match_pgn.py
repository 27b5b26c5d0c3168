"""PGN of matches: what python-chess reads of it, and what comes back."""

import io
import random

import chess.engine
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surajang import Position, pgn
from surajang.engine.variant import Variant
from surajang.match.players.control import TimeControl
from surajang.match.records.model import MatchGame, MoveRecord, Opening, Record, Termination
from surajang.match.records.pgn import write_pgn

pytestmark = pytest.mark.compiled

GAMES = ["chess", "crazyhouse", "pandemonium", "pandemonium-vchess", "janggi", "chaotic"]
NAMES = ["Surajang", "Fairy"]
BLITZ = TimeControl(base=5.0, increment=0.05)
CHESS_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"


def random_moves(variant, seed, plies, fen=None):
    """Moves of a random game, as text."""
    position, dice = Position(variant, fen), random.Random(seed)
    while position.result() is None and position.ply < plies:
        position.push(dice.choice(position.legal_moves()))
    return [str(move) for move in position.moves]


def record_of(moves, opening=None, variant="chess", score="*", termination=Termination.NORMAL, **more):
    plies = [move if isinstance(move, MoveRecord) else MoveRecord(move, 0.5) for move in moves]
    opening = opening or Opening(Position(variant).start_fen)
    reason = more.pop("reason", "a reason")
    return Record(MatchGame(0, 0, 0, 1, opening), score, reason, termination, plies, **more)


def written(record, variant="chess", names=NAMES, controls=(BLITZ, BLITZ), **more):
    return write_pgn(record, Variant(variant), names, controls, **more)


def foreign(text):
    """The game as python-chess reads it, without complaint."""
    game = chess.pgn.read_game(io.StringIO(text))
    assert game.errors == []
    return game


def read(text):
    """The only game of a text, which has no errors."""
    (game,) = pgn.read_games(io.StringIO(text))
    assert game.errors == []
    return game


def tags_of(text):
    (game,) = pgn.scan_games(io.StringIO(text))
    return game.headers


def moves_of(game):
    return [str(move) for move in game.mainline_moves()]


def test_a_game_is_written_like_this():
    opening = Opening(CHESS_START, ("f2f3", "e7e5"), "Barnes")
    plies = [MoveRecord("g2g4", 0.51, -35, None, 12), MoveRecord("d8h4", 61.25, None, 1, 3)]
    game = MatchGame(6, 3, 1, 0, opening, 2)
    record = Record(
        game, "0-1", "Black mates", Termination.NORMAL, plies, None, "2026-03-04T05:06:07+00:00", 3723.4
    )
    assert written(record, event="A match", site="here").splitlines() == [
        '[Event "A match"]',
        '[Site "here"]',
        '[Date "2026.03.04"]',
        '[Round "7.2"]',
        '[White "Fairy"]',
        '[Black "Surajang"]',
        '[Result "0-1"]',
        '[Opening "Barnes"]',
        '[TimeControl "5+0.05"]',
        '[GameStartTime "2026-03-04T05:06:07+00:00"]',
        '[GameDuration "01:02:03"]',
        '[Termination "normal"]',
        '[PlyCount "4"]',
        "",
        "1. f3 {book} 1... e5 {book} 2. g4 {[%eval -0.35,12] [%emt 0:00:00.51]}",
        "2... Qh4# {[%eval #-1,3] [%emt 0:01:01.25] Black mates} 0-1",
        "",
    ]


@pytest.mark.parametrize("variant", ["chess", "crazyhouse"])
@pytest.mark.parametrize("seed", range(3))
def test_python_chess_reads_moves_scores_depths_and_times(variant, seed):
    moves, dice = random_moves(variant, seed, 120), random.Random(seed)
    opening = Opening(Position(variant).start_fen, tuple(moves[:5]))
    plies = []
    for move in moves[5:]:
        score, mate = (
            (dice.randrange(-900, 900), None) if dice.random() < 0.8 else (None, dice.choice([-4, 7]))
        )
        plies.append(MoveRecord(move, dice.randrange(10_000_000) / 1000, score, mate, dice.randrange(1, 30)))
    game = foreign(written(record_of(plies, opening, variant), variant))
    nodes = list(game.mainline())
    assert [node.move.uci() for node in nodes] == moves
    assert [node.comment for node in nodes[:5]] == ["book"] * 5
    for node, ply in zip(nodes[5:], plies, strict=True):
        mover = node.parent.turn()
        wanted = chess.engine.Cp(ply.score) if ply.mate is None else chess.engine.Mate(ply.mate)
        assert node.eval().pov(mover) == wanted
        assert node.eval_depth() == ply.depth
        assert node.emt() == pytest.approx(ply.seconds, abs=1e-9)


def test_a_silent_engine_leaves_only_its_time():
    (node,) = foreign(written(record_of([MoveRecord("e2e4", 0.0305)], reason=""))).mainline()
    assert node.comment == "[%emt 0:00:00.03]"
    assert node.eval() is None


@pytest.mark.parametrize(
    "seconds, text", [(59.9996, "0:01:00"), (3599.9999, "1:00:00"), (-0.1, "0:00:00"), (0.0205, "0:00:00.02")]
)
def test_times_are_rounded_to_milliseconds(seconds, text):
    assert f"[%emt {text}]" in written(record_of([MoveRecord("e2e4", seconds)]))


def test_the_score_is_for_white_whoever_moved():
    record = record_of(
        [
            MoveRecord("e2e4", 1, 40, None, 5),
            MoveRecord("e7e5", 1, 30, None, 5),
            MoveRecord("g1f3", 1, 0, None, 5),
        ]
    )
    evals = [node.eval().white().score() for node in foreign(written(record)).mainline()]
    assert evals == [40, -30, 0]
    assert "-0.00" not in written(record_of([MoveRecord("e2e4", 1, 0), MoveRecord("e7e5", 1, 0)]))


def test_numbers_that_no_comment_holds_are_written_as_the_nearest():
    plies = [MoveRecord("e2e4", 1, 10**30, None, -5), MoveRecord("e7e5", 1, None, 10**30, 10**30)]
    first, second = read(written(record_of(plies))).mainline()
    assert first.eval() == pgn.WhiteScore(10**11 - 1, None, 0)
    assert second.eval() == pgn.WhiteScore(None, 1 - 10**9, 10**9 - 1)


def test_crazyhouse_has_drops_and_promotions_in_san():
    fen = "r3k3/1P6/8/8/8/8/8/4K3[Np] w - - 0 1"
    moves = ["N@f3", "P@d5", "b7a8q"]
    text = written(record_of(moves, Opening(fen), "crazyhouse"), "crazyhouse")
    assert "1. N@f3 {" in text
    assert "1... P@d5 {" in text
    assert "2. bxa8=Q+ {" in text.replace("\n", " ")
    game = foreign(text)
    assert isinstance(game.board(), chess.variant.CrazyhouseBoard)
    assert [move.uci() for move in game.mainline_moves()] == moves


@pytest.mark.parametrize(
    "variant, moves, words",
    [
        ("pandemonium", "e2e5 e9e6 g1h3", "1. e5 e6 2. Ch3"),
        ("janggi", "a4a5 e9e9 b1c3", "1. Pa5 -- 2. Nc3"),
        ("pandemonium-vchess", "b1c1,i1h1 e10e1 e2e5", "1. b1c1,i1h1 e10e1 2. e5"),
        ("shogi", "c3c4 g7g6 b2h8h g9h8", "1. Pc4 Pg6 2. Bxh8=H Sxh8"),
    ],
)
def test_other_games_are_written_in_san_with_our_letters(variant, moves, words):
    text = written(
        record_of([], Opening(Position(variant).start_fen, tuple(moves.split())), variant), variant
    )
    assert f'[Variant "{variant}"]' in text
    assert moves_of(read(text)) == moves.split()
    bare = pgn.StringExporter(headers=False, comments=False)
    assert read(text).accept(bare) == f"{words} *"


@pytest.mark.parametrize("variant", GAMES)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 999), book=st.integers(0, 6), plies=st.integers(0, 60))
def test_every_game_comes_back(variant, seed, book, plies):
    moves, start = random_moves(variant, seed, plies), Position(variant).start_fen
    record = record_of(moves[book:], Opening(start, tuple(moves[:book]), "x"), variant, score="1-0")
    game = read(written(record, variant))
    assert game.variant == variant
    assert (game.position().fen(), moves_of(game), game.headers["Result"]) == (start, moves, "1-0")


@pytest.mark.parametrize("variant", GAMES)
def test_a_game_from_another_position_has_it_as_fen(variant):
    position = Position(variant)
    for move in random_moves(variant, 5, 7):
        position.push(move)
    fen = position.fen()
    moves = random_moves(variant, 6, 9, fen)
    text = written(record_of(moves, Opening(fen), variant), variant)
    assert tags_of(text)["SetUp"] == "1"
    assert tags_of(text)["FEN"] == fen
    assert f"\n\n{fen.split()[5]}... " in text
    game = read(text)
    assert (game.position().fen(), moves_of(game)) == (fen, moves)
    if variant in ("chess", "crazyhouse"):
        assert [move.uci() for move in foreign(text).mainline_moves()] == moves


def test_without_a_fen_tag_a_game_begins_at_the_start():
    assert not {"SetUp", "FEN", "Variant"} & set(tags_of(written(record_of(["e2e4"]))))


printable = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=150)


@settings(deadline=None)
@given(name=printable, reason=printable, event=printable)
def test_any_name_and_reason_leaves_the_game_readable(name, reason, event):
    record = record_of(FOOLS_MATE.split(), score="0-1", reason=reason)
    text = written(record, names=[name, "Fairy"], event=event)
    game = read(text)
    assert game.headers["White"] == " ".join(name.split()) or not name.split()
    assert moves_of(game) == FOOLS_MATE.split()
    assert [move.uci() for move in foreign(text).mainline_moves()] == FOOLS_MATE.split()
    assert foreign(text).headers["Result"] == "0-1"


def test_tags_are_escaped_and_stay_on_one_line():
    text = written(record_of(["e2e4"]), names=['A "b" \\ c', "two\nlines"])
    assert '[White "A \\"b\\" \\\\ c"]' in text
    assert tags_of(text)["White"] == 'A "b" \\ c'
    assert tags_of(text)["Black"] == "two lines"


def test_a_reason_cannot_end_its_comment():
    text = written(record_of(["e2e4"], reason="said {x} 0-1\n\n[Event]"))
    assert "said (x) 0-1 [Event]}" in text
    assert foreign(text).headers["Result"] == "*"


@given(
    reason=st.lists(st.sampled_from(["%x", "[y]", ";z", "word", "1-0", "w" * 30]), max_size=40).map(" ".join)
)
def test_lines_are_short_and_none_begins_like_another_thing(reason):
    body = written(record_of(["e2e4"], reason="Why: " + reason)).split("\n\n")[1]
    for line in body.splitlines():
        assert line[0] not in "%[;"
        assert len(line) <= 79 or not {"w", "1"} & {word[0] for word in line.split()[1:]}
    assert " ".join(body.split()).endswith(f"] {' '.join(['Why:', *reason.split()])}}} *")


def test_long_games_are_wrapped_at_spaces():
    text = written(record_of(random_moves("pandemonium", 2, 200), None, "pandemonium"), "pandemonium")
    assert max(map(len, text.splitlines())) <= 79


def test_a_game_without_moves_has_its_reason():
    text = written(record_of([], score="1-0", termination=Termination.START, reason="Fairy does not start"))
    assert text.endswith("\n\n{Fairy does not start} 1-0\n\n")
    assert foreign(text).comment == "Fairy does not start"


@pytest.mark.parametrize(
    "termination, word",
    [
        (Termination.NORMAL, "normal"),
        (Termination.ADJUDICATION, "adjudication"),
        (Termination.UNTERMINATED, "unterminated"),
        (Termination.TIME, "time forfeit"),
        (Termination.ILLEGAL, "rules infraction"),
        (Termination.CLAIM, "rules infraction"),
        (Termination.PROTOCOL, "rules infraction"),
        (Termination.CRASH, "abandoned"),
        (Termination.DISCONNECT, "abandoned"),
        (Termination.STALL, "abandoned"),
        (Termination.START, "abandoned"),
    ],
)
def test_terminations_are_in_the_standards_words(termination, word):
    assert tags_of(written(record_of([], termination=termination)))["Termination"] == word


@pytest.mark.parametrize(
    "white, black, wanted",
    [
        (BLITZ, BLITZ, {"TimeControl": "5+0.05"}),
        (TimeControl(base=60.0, moves=40), TimeControl(base=60.0, moves=40), {"TimeControl": "40/60"}),
        (
            TimeControl(movetime=0.5),
            TimeControl(movetime=0.5),
            {"TimeControl": "1/0.5", "WhiteTimeControl": "st=0.5", "BlackTimeControl": "st=0.5"},
        ),
        (
            TimeControl(nodes=900),
            TimeControl(nodes=900),
            {"TimeControl": "-", "WhiteTimeControl": "nodes=900", "BlackTimeControl": "nodes=900"},
        ),
        (
            TimeControl(base=5.0, depth=3),
            TimeControl(base=5.0, depth=3),
            {"TimeControl": "5", "WhiteTimeControl": "5 depth=3", "BlackTimeControl": "5 depth=3"},
        ),
        (
            TimeControl(base=0, byoyomi=1_209_600),
            TimeControl(base=60, byoyomi=10),
            {"TimeControl": "?", "WhiteTimeControl": "1/1209600", "BlackTimeControl": "60:1/10"},
        ),
        (
            BLITZ,
            TimeControl(base=9.0),
            {"TimeControl": "?", "WhiteTimeControl": "5+0.05", "BlackTimeControl": "9"},
        ),
    ],
)
def test_time_controls_are_reported_whole(white, black, wanted):
    tags = tags_of(written(record_of([]), controls=[white, black]))
    assert {name: value for name, value in tags.items() if name.endswith("TimeControl")} == wanted


def test_moves_that_are_no_longer_legal_are_kept_in_a_comment():
    text = written(record_of(["e2e4", "e7e6", "e2e5", "a7a6"], reason="White mates"))
    assert moves_of(read(text)) == ["e2e4", "e7e6"]
    assert "not legal here: e2e5 a7a6; White mates}" in " ".join(text.split())


def test_many_games_are_read_one_after_the_other():
    text = "".join(written(record_of(moves.split())) for moves in ("e2e4", FOOLS_MATE, ""))
    assert [moves_of(game) for game in pgn.read_games(io.StringIO(text))] == [
        ["e2e4"],
        FOOLS_MATE.split(),
        [],
    ]
