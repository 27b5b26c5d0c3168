"""Castling from any files: Chess960 against python-chess, other games against pyffish and python-chess."""

import io
import random

import chess
import chess.variant
import pyffish
import pytest
from surajang import Engine, FenError, Position, pgn
from surajang.bench.speed.coverage_command import leaves as our_leaves
from surajang.board.game_message import random_start
from surajang.engine.definition import catalogue
from surajang.engine.definition.shuffled_starts import count_starts, shuffled_start
from surajang.engine.fairy_ini.exporting import export
from surajang.engine.game.description import VariantError
from surajang.engine.notation.variants import tag_of, variant_named
from surajang.engine.variant import Variant
from surajang.match.openings.openings import drawn_starts

pytestmark = pytest.mark.compiled

# What random games seldom reach: a king that stays, a rook that stays, both changing places, a pinned rook,
# an attacked way, a rook between two others, rights of one side alone
POSITIONS = (
    "r3k1r1/8/8/8/8/8/8/1R2KR2 w KQkq - 0 1",
    "8/8/8/4k3/8/8/8/RK5R w HA - 0 1",
    "2r3kr/p6p/8/8/8/8/P6P/2R3KR w KQkq - 0 1",
    "1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1",
    "7k/8/8/8/8/8/8/rRK1R3 w EB - 0 1",
    "4k3/8/8/8/8/8/8/q1RK1R2 w FC - 0 1",
    "3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "4k3/8/8/8/8/8/8/R2K2RR w GA - 0 1",
    "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1",
    "5r1k/8/8/8/8/8/8/R1K3R1 w KQ - 0 1",
    "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1",
    "r1b1krnb/pp1p1ppp/8/2p1p3/8/2NP4/PPP1PPPP/R1B1KRNB w KQkq - 0 1",
)


def leaves(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    count = 0
    for move in list(board.legal_moves):
        board.push(move)
        count += leaves(board, depth - 1)
        board.pop()
    return count


def texts(position):
    return {str(move) for move in position.legal_moves}


# Starts


def test_starts_have_scharnagls_numbers():
    game = catalogue.load("chess960")
    assert count_starts(game) == 960
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        assert shuffled_start(game, number) == board.fen()


def test_a_position_takes_the_number_of_a_start():
    assert Position("chess960", 518).fen() == Position("chess").fen()
    assert Position("chess960", 0).fen().startswith("bbqnnrkr/")
    with pytest.raises(ValueError, match="960 is not the number of a start of chess960: 0 to 959"):
        Position("chess960", 960)
    with pytest.raises(ValueError) as refused:
        Position("chess", 1)
    only = "1 is not the number of a start of chess, which has one start; chess960 has 0 to 959"
    assert str(refused.value) == only
    with pytest.raises(ValueError, match=r"1 is not the number of a start of xiangqi, which has one start$"):
        Position("xiangqi", 1)


def test_a_number_is_read_where_a_fen_is():
    assert Position("fischerandom", "7").fen() == Position("chess960", 7).fen()
    for number in ("960", "-1", "518000000"):
        with pytest.raises(FenError) as refused:
            Position("chess960", number)
        assert str(refused.value) == f"board: {number} is not the number of a start of chess960: 0 to 959"
    with pytest.raises(FenError, match="board: '518' has 1 rank, but chess has 8"):
        Position("chess", "518")


def test_a_start_of_chess960_is_told_of_in_chess():
    (dropped, unusable) = Position("chess", "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1").notes
    assert dropped.endswith("chess castles with rooks on h and a; chess960 has rooks on any files")
    assert unusable.endswith("do not stand on e1 and h1, e8 and h8; chess960 has rooks on any files")
    (moved,) = Position("chess", "r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1").notes
    assert "chess960" not in moved


def test_starts_of_other_games_keep_the_rules_of_the_shuffle():
    game = catalogue.load("caparandom")
    assert count_starts(game) == 84_000
    seen = set()
    for number in random.Random(1).sample(range(84_000), 300):
        row = shuffled_start(game, number).split("/")[0]
        seen.add(row)
        assert sorted(row) == sorted("rnabqkbcnr")
        assert row.index("r") < row.index("k") < row.rindex("r")
        assert row.index("b") % 2 != row.rindex("b") % 2
    assert len(seen) == 300


def test_a_side_without_king_and_rooks_keeps_its_start():
    horde = shuffled_start(catalogue.load("horde960"), 0)
    assert horde == "bbqnnrkr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"


# Moves


def test_all_starts_have_the_leaves_of_python_chess():
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        depth = 3 if number % 192 == 7 else 2 if number % 8 == 3 else 1
        assert our_leaves(Position("chess960", number), depth) == leaves(board, depth), board.fen()


@pytest.mark.parametrize("fen", POSITIONS)
def test_positions_have_the_leaves_of_python_chess(fen):
    board, position = chess.Board(fen, chess960=True), Position("chess960", fen)
    assert texts(position) == {move.uci() for move in board.legal_moves}
    assert position.fen() == board.fen()
    assert position.fen(shredder=True).split()[2] == board.shredder_fen().split()[2]
    assert our_leaves(position, 3) == leaves(board, 3)


def placed(position):
    """The board, the hands without their order, the side to move and the rights."""
    men, turn, rights, *_ = position.fen().split()
    board, _, hands = men.partition("[")
    return board, sorted(hands), turn, rights


def play_along(position, board, rng, plies):
    """Plays random moves, castling where possible, and compares moves, SAN, positions and keys; the number of
    castlings."""
    castled = 0
    for ply in range(plies):
        if board.is_game_over():
            break
        moves = list(board.legal_moves)
        assert texts(position) == {move.uci() for move in moves}, board.fen()
        castling = [move for move in moves if board.is_castling(move)]
        move = rng.choice(castling if castling and rng.random() < 0.7 else moves)
        castled += board.is_castling(move)
        if not move.drop:  # python-chess writes the drop of a pawn without its letter
            assert position.san(move.uci()) == board.san(move)
        board.push(move)
        position.push(move.uci())
        assert placed(position) == placed(board)
        if ply % 8 == 0:
            assert Position(position.variant, position.fen()).key == position.key
    return castled


def test_random_games_agree_with_python_chess():
    rng = random.Random(960)
    castled = 0
    for number in range(3, 960, 48):
        castled += play_along(
            Position("chess960", number), chess.Board.from_chess960_pos(number), rng, plies=70
        )
    assert castled > 10


@pytest.mark.parametrize(
    "game, kind",
    [("crazyhouse960", chess.variant.CrazyhouseBoard), ("atomic960", chess.variant.AtomicBoard)],
)
def test_random_games_of_other_rules_agree_with_python_chess(interpreted, game, kind):
    rng = random.Random(game)
    castled = 0
    for number in range(5, 960, 80):
        start = Position(game, number)
        castled += play_along(start, kind(start.fen(), chess960=True), rng, plies=60)
    assert castled > 5


def test_capablanca_random_agrees_with_fairy_stockfish():
    rng, castled = random.Random(84), 0
    for number in range(11, 84_000, 7_000):
        position = Position("caparandom", number)
        for ply in range(50):
            if position.result() is not None:
                break
            fen = position.fen(shredder=True)
            assert texts(position) == set(pyffish.legal_moves("capablanca", fen, [], True)), fen
            moves = list(position.legal_moves)
            castling = [move for move in moves if move.is_castling]
            move = rng.choice(castling if castling and rng.random() < 0.7 else moves)
            castled += move.is_castling
            position.push(str(move))
            if move.is_castling or ply % 4 == 0:
                expected = pyffish.get_fen("capablanca", fen, [str(move)], True).split()
                assert position.fen(shredder=True).split()[:3] == expected[:3]
    assert castled > 5


def test_castling_is_written_as_king_takes_rook_and_read_in_every_spelling():
    position = Position("chess960", "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1")
    assert {"e1g1", "e1b1"} <= texts(position)
    assert position.san("e1g1") == "O-O"
    assert position.parse_san("O-O-O") == "e1b1"
    after = position.copy()
    after.push("e1b1")
    assert after.fen() == "4k3/8/8/8/8/8/8/2KR2R1 b - - 1 1"


def test_rights_end_with_the_move_or_the_loss_of_their_rook():
    position = Position("chess960", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1")
    position.push("b1b8")
    assert position.fen().split()[2] == "Kk"
    position = Position("chess960", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1")
    position.push("e1d2")
    assert position.fen().split()[2] == "kq"


# Positions as text


def test_x_fen_names_an_inner_rook_by_its_file():
    position = Position("chess960", "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1")
    assert position.fen().split()[2] == "GB"
    assert Position("chess960", "4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1").fen(True).split()[2] == "HA"


def test_rights_without_king_or_rook_are_named():
    (note,) = Position("chess960", "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1").notes
    assert note.startswith("castling: 'KQ' cannot be used: no king with such a rook stands on rank 1")
    with pytest.raises(ValueError, match="'z' in 'KQz' is not one of KQkq or a file, A to H"):
        Position("chess960", "4k3/8/8/8/8/8/8/R3K2R w KQz - 0 1")
    with pytest.raises(ValueError, match="'HG' has two rooks on one side of a king"):
        Position("chess960", "4k3/8/8/8/8/8/8/R3K1RR w HG - 0 1")


def test_positions_that_differ_in_the_castling_rook_differ():
    inner, outer = (Position("chess960", f"4k3/8/8/8/8/8/8/4K1RR w {rook} - 0 1") for rook in "GH")
    assert inner != outer and inner.key != outer.key


def test_a_mirrored_position_keeps_its_rooks():
    position = Position("chess960", "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1")
    assert position.mirror().fen() == "rr2k1rr/8/8/8/8/8/8/4K3 b gb - 0 1"
    assert position.mirror().mirror() == position


def test_boards_of_python_chess_keep_their_castling():
    board = chess.Board.from_chess960_pos(5)
    position = Position.from_chess(board)
    assert (position.variant, position.fen()) == ("chess960", board.fen())
    assert position.to_chess().chess960 and position.to_chess() == board


def test_games_of_pgn_are_read_and_written_under_their_name():
    fen = Position("chess960", 7).fen()
    game = pgn.read_game(io.StringIO(f'[Variant "Fischerandom"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n1. e4 *\n'))
    assert game is not None and game.variant == "chess960" and not game.errors
    assert tag_of(Variant("chess960")) == "Chess960" and variant_named("Chess960") == "chess960"


# The games


def test_starts_of_matches_are_drawn_once_each():
    drawn = drawn_starts(Variant("chess960"), 970, seed=3)
    assert len({opening.fen for opening in drawn[:960]}) == 960
    assert drawn == drawn_starts(Variant("chess960"), 970, seed=3)
    assert drawn[0].fen != drawn_starts(Variant("chess960"), 1, seed=4)[0].fen


def test_a_new_game_on_the_board_has_a_random_start():
    starts = {random_start(catalogue.load("chess960")) for _ in range(20)}
    assert len(starts) > 5 and starts <= {shuffled_start(catalogue.load("chess960"), n) for n in range(960)}
    assert random_start(catalogue.load("chess")) is None


def test_each_game_with_usual_castling_has_one_with_free_castling():
    assert catalogue.freed("chess") == "chess960"
    assert catalogue.freed("capablanca") == "caparandom"
    assert catalogue.known_as("koth 960") == "kingofthehill960"
    assert catalogue.known_as("fischerandom") == "chess960"
    assert catalogue.freed("xiangqi") is None and catalogue.freed("pandemonium") is None
    with pytest.raises(VariantError, match="unknown variant 'xiangqi960'"):
        catalogue.load("xiangqi960")


@pytest.mark.parametrize(
    "lines, reason",
    [
        ('by = "position"', "castling.free: cannot be combined with by = 'position'"),
        ("Q = false", "castling.free: needs both 'K' and 'Q'"),
        ('K = { king = "e", rook = "a" }', "castling.free: the rook of 'K' stands right of the king"),
    ],
)
def test_files_that_contradict_free_castling_are_refused(lines, reason):
    text = f'extends = "chess"\nname = "x"\ntitle = "X"\n[castling]\nfree = true\n{lines}\n'
    with pytest.raises(VariantError, match=reason.replace(".", r"\.")):
        catalogue.parse(text, "x.toml")


def test_free_castling_is_exported():
    assert "chess960 = true" in export(catalogue.load("chess960"))


def test_the_network_of_chess_plays_chess960():
    fen = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5"
    with Engine("chess960", compile_now=False) as free, Engine("chess", compile_now=False) as usual:
        assert free.network is not None
        assert free.evaluate(Position("chess960", fen)) == usual.evaluate(Position("chess", fen))


def test_the_search_castles_where_that_mates(interpreted_search):
    position = Position("chess960", "8/8/8/8/8/8/7R/3k1KR1 w G - 0 1")
    with Engine("chess960") as engine:
        mates = [str(move) for move in position.legal_moves if is_mate(position, move)]
        result = engine.play(position, depth=4)
    assert str(result.move) in mates


def is_mate(position, move):
    after = position.copy()
    after.push(str(move))
    return after.result() is not None
