"""PGN of matches: what python-chess reads of it, what comes back, and sentences on what is wrong."""

import io
import random

import chess.engine
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surajang import Position
from surajang.match.players.control import TimeControl
from surajang.match.records.model import MatchGame, MoveRecord, Opening, Record, Termination
from surajang.match.records.pgn import PgnError, read_pgn, scan_pgn, write_pgn

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

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
    return write_pgn(record, variant, names, controls, **more)


def foreign(text):
    """The game as python-chess reads it, without complaint."""
    game = chess.pgn.read_game(io.StringIO(text))
    assert game.errors == []
    return game


def tags_of(text):
    (game,) = scan_pgn(text)
    return game.tags


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
        "1. f3 {book} 1... e5 {book} 2. g4 {[%eval -0.35,12] [%emt 0:00:00.510]}",
        "2... Qh4# {[%eval #-1,3] [%emt 0:01:01.250]} {Black mates} 0-1",
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
    assert node.comment == "[%emt 0:00:00.030]"
    assert node.eval() is None


@pytest.mark.parametrize(
    "seconds, text", [(59.9996, "0:01:00.000"), (3599.9999, "1:00:00.000"), (-0.1, "0:00:00.000")]
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


def test_crazyhouse_has_drops_and_promotions_in_san():
    fen = "r3k3/1P6/8/8/8/8/8/4K3[Np] w - - 0 1"
    moves = ["N@f3", "P@d5", "b7a8q"]
    text = written(record_of(moves, Opening(fen), "crazyhouse"), "crazyhouse")
    assert "1. N@f3 {" in text
    assert "1... P@d5 {" in text
    assert "2. bxa8=Q+ {" in text
    game = foreign(text)
    assert isinstance(game.board(), chess.variant.CrazyhouseBoard)
    assert [move.uci() for move in game.mainline_moves()] == moves


@pytest.mark.parametrize("variant", ["pandemonium", "janggi"])
def test_other_games_are_written_in_our_notation(variant):
    moves = random_moves(variant, 1, 30)
    text = written(record_of(moves, None, variant), variant)
    assert f'[Variant "{variant}"]' in text
    assert [word for _, word in next(iter(scan_pgn(text))).words] == moves


@pytest.mark.parametrize("variant", GAMES)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 999), book=st.integers(0, 6), plies=st.integers(0, 60))
def test_every_game_comes_back(variant, seed, book, plies):
    moves, start = random_moves(variant, seed, plies), Position(variant).start_fen
    record = record_of(moves[book:], Opening(start, tuple(moves[:book]), "x"), variant, score="1-0")
    (game,) = read_pgn(written(record, variant), variant)
    assert (game.fen, game.moves, game.score) == (start, tuple(moves), "1-0")


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
    (game,) = read_pgn(text, variant)
    assert (game.fen, game.moves) == (fen, tuple(moves))
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
    (game,) = read_pgn(text, "chess")
    assert game.tags["White"] == " ".join(name.split()) or not name.split()
    assert game.moves == tuple(FOOLS_MATE.split())
    assert [move.uci() for move in foreign(text).mainline_moves()] == FOOLS_MATE.split()
    assert foreign(text).headers["Result"] == "0-1"


def test_tags_are_escaped_and_stay_on_one_line():
    text = written(record_of(["e2e4"]), names=['A "b" \\ c', "two\nlines"])
    assert '[White "A \\"b\\" \\\\ c"]' in text
    assert tags_of(text)["White"] == 'A "b" \\ c'
    assert tags_of(text)["Black"] == "two lines"


def test_a_reason_cannot_end_its_comment():
    text = written(record_of(["e2e4"], reason="said {x} 0-1\n\n[Event]"))
    assert "{said (x) 0-1 [Event]}" in text
    assert foreign(text).headers["Result"] == "*"


@given(
    reason=st.lists(st.sampled_from(["%x", "[y]", ";z", "word", "1-0", "w" * 30]), max_size=40).map(" ".join)
)
def test_lines_are_short_and_none_begins_like_another_thing(reason):
    body = written(record_of(["e2e4"], reason="Why: " + reason)).split("\n\n")[1]
    for line in body.splitlines():
        assert line[0] not in "%[;"
        assert len(line) <= 79 or not {"w", "1"} & {word[0] for word in line.split()[1:]}
    assert " ".join(body.split()).endswith(f"{{{' '.join(['Why:', *reason.split()])}}} *")


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
            BLITZ,
            TimeControl(base=9.0),
            {"TimeControl": "?", "WhiteTimeControl": "5+0.05", "BlackTimeControl": "9"},
        ),
    ],
)
def test_time_controls_are_told_whole(white, black, wanted):
    tags = tags_of(written(record_of([]), controls=[white, black]))
    assert {name: value for name, value in tags.items() if name.endswith("TimeControl")} == wanted


def test_a_move_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="e2e5"):
        written(record_of(["e2e5"]))


def test_many_games_are_read_one_after_the_other():
    text = "".join(written(record_of(moves.split())) for moves in ("e2e4", FOOLS_MATE, ""))
    assert [game.moves for game in read_pgn(text, "chess")] == [("e2e4",), tuple(FOOLS_MATE.split()), ()]


def test_pgn_as_others_write_it_is_read():
    text = (
        '\n% not for us\n[Event "a [b] \\"c\\""]\r\n[Variant "Standard"]\r\n\r\n'
        "1.e4! $1 e5 (1...c5 {a ( in a comment} (1... e6 2. d4) 2.Nf3 *) 2 Nf3 ; the rest } is ( comment\n"
        '2... Nc6 {a\ncomment} 3.Bb5?! a6 4 O-O 1/2-1/2\n\n1. d2d4 d7d5 *\n[Event "third"]\n*\n'
    )
    first, second, third = read_pgn(text, "chess")
    assert first.moves == ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1")
    assert (first.score, first.tags["Event"]) == ("1/2-1/2", 'a [b] "c"')
    assert (second.moves, second.tags) == (("d2d4", "d7d5"), {})
    assert (third.moves, third.tags) == ((), {"Event": "third"})


@pytest.mark.parametrize("move", ["P@e3", "@e3"])
def test_both_spellings_of_a_pawn_drop_are_read(move):
    fen = "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1"
    (game,) = read_pgn(f'[Variant "crazyhouse"]\n[FEN "{fen}"]\n\n1. {move} *', "crazyhouse")
    assert game.moves == ("P@e3",)


def test_passes_and_choices_are_read():
    (game,) = read_pgn("1. b1c1,i1h1 e10e1 2. e2e4 *", "pandemonium-vchess")
    assert game.moves == ("b1c1,i1h1", "e10e1", "e2e4")
    (game,) = read_pgn('[Variant "Janggi"]\n\n1. @@@@ 0000 *', "janggi")
    assert game.moves == ("e2e2", "e9e9")


@pytest.mark.parametrize(
    "text, line, quoted",
    [
        ("1. e4 e5\n2. Ke3 *", 2, "'Ke3'"),
        ('[Event "x"]\n\n1. e4\n{never closed', 4, "'{never closed'"),
        ("1. e4 (1. d4\n e5 *", 1, "variation"),
        ("1. e4 )", 1, "')'"),
        ("[Event x]\n\n1. e4 *", 1, "'[Event x]'"),
        ('\n[FEN "8/8 w"]\n\n*', 2, "2 ranks"),
        ('[Event "a"]\n*\n\n[Variant "Atomic"]\n\n1. e4 *', 4, "'Atomic'"),
        ('[Variant "nonsense"]\n*', 1, "'nonsense'"),
        ("1. f3 e5 2. g4 Qh4 3. a3", 1, "'a3'"),
        ("1. e4 }", 1, "'}'"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(text, line, quoted):
    with pytest.raises(PgnError) as caught:
        list(read_pgn(text, "chess"))
    assert str(caught.value).startswith(f"line {line}: ")
    assert quoted in str(caught.value)


def test_lines_that_are_for_other_programs_keep_their_place():
    with pytest.raises(PgnError, match="line 3: move 'Ke3'"):
        list(read_pgn("% one\n% two\n1. Ke3", "chess"))


@given(st.text(st.sampled_from('[]{}();%"\\ \nA1.e4*-@$!')))
def test_no_text_breaks_the_reader(text):
    try:
        games = list(scan_pgn(text))
    except PgnError as error:
        assert 1 <= error.line <= text.count("\n") + 1
    else:
        assert all(1 <= game.line <= text.count("\n") + 1 for game in games)
