"""Forced mates: the solver, the suites that come with the engine, and the results of other programs."""

import random
from collections import Counter

import chess
import chess.variant
import pytest
from surajang import Position
from surajang.bench.suites.mates.mate_file import FOLDER, LENGTHS, read_mates
from surajang.bench.suites.mates.solver import MOST_MOVES, Solver
from surajang.engine.variant import Variant
from surajang.tests.support import mate_judges
from surajang.tests.support.games import setup
from surajang.tests.support.mate_judges import JUDGES

pytestmark = pytest.mark.compiled

NODES = 2_000_000
SUITES = sorted(path.stem for path in FOLDER.glob("*.epd"))
BACK_RANK = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"
QUIET_KEY = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"  # P. Morphy: Ra6, and Black is in zugzwang
THREE = "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1"


@pytest.fixture(scope="module")
def solvers():
    """Game -> its solver, made at its first use."""

    class Solvers(dict):
        def __missing__(self, variant):
            self[variant] = Solver(Variant(variant))
            return self[variant]

    return Solvers()


def texts(moves):
    return [str(move) for move in moves]


# The solver


@pytest.mark.parametrize(
    "fen, moves, first",
    [(BACK_RANK, 1, ["a1a8"]), (QUIET_KEY, 2, ["a1a6"]), (THREE, 3, ["f8c5"])],
)
def test_shortest_mate_and_its_key_are_found(solvers, fen, moves, first):
    proof = solvers["chess"].shortest(Position("chess", fen), 6, NODES)
    assert (proof.moves, proof.shortest, texts(proof.first)) == (moves, True, first)


def test_there_is_no_shorter_mate_than_the_shortest(solvers):
    position = Position("chess", THREE)
    assert [solvers["chess"].mates(position, moves, NODES) for moves in (1, 2, 3, 4)] == [
        False,
        False,
        True,
        True,
    ]


def test_quiet_key_is_found_only_where_quiet_moves_are_allowed(solvers):
    position = Position("chess", QUIET_KEY)
    assert solvers["chess"].mates(position, 2, NODES, quiets=0) is False
    assert solvers["chess"].mates(position, 2, NODES, quiets=1) is True


def test_mate_has_to_begin_with_the_move_that_is_asked_for(solvers):
    position = Position("chess", BACK_RANK)
    begins = {
        text: solvers["chess"].mates(position, 1, NODES, first=position.parse_move(text))
        for text in ("a1a8", "a1a7")
    }
    assert begins == {"a1a8": True, "a1a7": False}


def test_position_without_a_mate_has_none(solvers):
    start = Position("chess")
    assert solvers["chess"].shortest(start, 3, NODES) is None
    assert solvers["chess"].mates(start, 3, NODES) is False


def test_stalemate_is_no_mate(solvers):
    """The only way to leave Black without a move is Kb6 or Ka6."""
    assert solvers["chess"].mates(Position("chess", "k7/P7/8/1K6/8/8/8/8 w - - 0 1"), 3, NODES) is False


def test_stalemate_is_a_mate_where_it_loses(solvers):
    position = Position("minishogi", "k4/5/G4/5/2R1K[] w - - 0 1")
    position.push("c1b1")
    assert not position.is_check()
    assert position.result().score == "1-0"
    position.pop()
    assert solvers["minishogi"].mates(position, 1, NODES, first=position.parse_move("c1b1")) is True


def test_move_that_leaves_only_losing_replies_mates_in_one(solvers):
    """The only reply takes the queen and opens the file between the kings, which loses."""
    fen = "1rn3Rb1r/p2Cknpppp/10/10/1p1p1p4/1P1P2n3/7P2/3N6/h1aPCPQPPP/2B1K4R[MPPqbpp] b KQkq - 1 47"
    position = Position("pandemonium-vchess", fen)
    judge = JUDGES["pandemonium-vchess"]
    mating = [
        move
        for move, child in judge.replies(judge.state(fen)).items()
        if mate_judges.mates_after(judge, child, 1)
    ]
    proof = solvers["pandemonium-vchess"].shortest(position, 3, NODES)
    assert mating == ["Q@d1"]
    assert (proof.moves, proof.shortest, texts(proof.first)) == (1, True, mating)


@pytest.mark.parametrize("hand, mated", [("", True), ("n", False)])
def test_drop_between_is_a_defence(solvers, hand, mated):
    fen = BACK_RANK.replace(" w", f"[{hand}] w")
    assert solvers["crazyhouse"].mates(Position("crazyhouse", fen), 1, NODES) is mated


def test_move_between_is_a_defence(solvers):
    fen = BACK_RANK.replace("8/8/8/8/8/R6K", "8/8/8/1r6/8/R6K")
    assert solvers["chess"].mates(Position("chess", fen), 1, NODES) is False


@pytest.mark.parametrize("hand, mated", [("", False), ("P", False), ("Q", True)])
def test_pawn_drop_that_would_mate_is_none_in_pandemonium(solvers, hand, mated):
    """P@b9 would mate if it were allowed; Q@b9 does."""
    position = Position("pandemonium", setup("Ke1 ka10 bb10 Nb7 Pc8", hand))
    assert solvers["pandemonium"].mates(position, 1, NODES) is mated


def test_too_few_nodes_prove_nothing(solvers):
    solver = Solver(Variant("chess"))
    assert solver.mates(Position("chess"), 3, 100) is None
    assert solver.shortest(Position("chess"), 3, 100) is None


def test_shortest_is_not_claimed_where_the_nodes_do_not_tell(solvers):
    """Checks prove the mate quickly; proving that no quiet move mates faster takes more than ten times as
    long."""
    suite = read_mates(FOLDER / "crazyhouse.epd", Variant("crazyhouse"))
    mate = next(mate for mate in suite if not mate.shortest)
    proof = solvers["crazyhouse"].shortest(mate.position, mate.moves, NODES // 2)
    assert (proof.moves, proof.shortest) == (mate.moves, False)


def test_longer_mate_that_is_remembered_is_none_of_the_shorter_ones():
    solver = Solver(Variant("crazyhouse"))
    suite = read_mates(FOLDER / "crazyhouse.epd", Variant("crazyhouse"))
    for mate in [mate for mate in suite if mate.moves == 4 and mate.shortest][:3]:
        answers = [solver.mates(mate.position, moves, 30 * NODES) for moves in (4, 3, 4)]
        assert answers == [True, False, True]


def test_game_that_is_over_has_no_mate(solvers):
    mated = Position("chess", BACK_RANK)
    mated.push("a1a8")
    assert solvers["chess"].mates(mated, 2, NODES) is False


@pytest.mark.parametrize("moves", [0, MOST_MOVES + 1])
def test_number_of_moves_out_of_range_is_refused(solvers, moves):
    with pytest.raises(ValueError, match=str(moves)):
        solvers["chess"].mates(Position("chess"), moves, NODES)


def _small_board(generator):
    """A crazyhouse position of few pieces, with Black's king near a corner."""
    board = chess.variant.CrazyhouseBoard(None)
    squares = generator.sample([s for s in chess.SQUARES if 0 < chess.square_rank(s) < 7], 5)
    board.set_piece_at(squares[0], chess.Piece.from_symbol("K"))
    board.set_piece_at(
        generator.choice([chess.A8, chess.H8, chess.B8, chess.A7]), chess.Piece.from_symbol("k")
    )
    for square, symbol in zip(squares[1:], "QRpn", strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    board.pockets[chess.WHITE].add(generator.choice([chess.PAWN, chess.KNIGHT, chess.BISHOP]))
    board.turn = chess.WHITE
    return board


def test_solver_and_python_chess_agree_on_random_positions(solvers):
    generator, met = random.Random(3), Counter()
    judge = JUDGES["crazyhouse"]
    while met.total() < 24 and any(met[kind] < 2 for kind in (1, 2, None)):
        board = _small_board(generator)
        if not board.is_valid():
            continue
        position = Position("crazyhouse", board.fen())
        for moves in (1, 2):
            if mated := mate_judges.mates(judge, board, moves):
                break
        assert solvers["crazyhouse"].mates(position, moves, NODES) is mated, board.fen()
        met[moves if mated else None] += 1
    assert all(met[kind] >= 2 for kind in (1, 2, None)), met


# The suites


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("variant", SUITES)
def test_suite_is_what_it_says(variant):
    found = read_mates(FOLDER / f"{variant}.epd", Variant(variant))
    lengths = Counter(mate.moves for mate in found)
    assert len(found) >= 50
    assert set(lengths) <= set(LENGTHS)
    assert max(lengths.values()) <= 0.6 * len(found)
    assert sum(lengths[moves] for moves in (4, 5, 6)) >= len(found) / 10
    assert len({mate.name for mate in found}) == len({mate.fen for mate in found}) == len(found)
    for mate in found:
        assert mate.position.fen() == mate.fen
        assert mate.position.result() is None
        assert set(mate.first) <= set(texts(mate.position.legal_moves()))


def test_games_of_importance_have_a_suite():
    assert {"crazyhouse", "pandemonium", "janggi"} <= set(SUITES)


@pytest.mark.parametrize("variant", ["crazyhouse", "pandemonium"])
def test_solver_proves_a_sample_again(solvers, variant):
    for mate in read_mates(FOLDER / f"{variant}.epd", Variant(variant))[::25]:
        first = mate.position.parse_move(mate.first[0])
        assert solvers[variant].mates(mate.position, mate.moves, 30 * NODES, quiets=1, first=first), mate


# Mates and lengths that another program can prove in the time of a test: the slow models take a second for
# what python-chess does in some milliseconds.
SAMPLES = {"crazyhouse": (3, 15), "chess": (3, 15), "janggi": (2, 12), "pandemonium": (2, 12)}
SAMPLES |= {"pandemonium-vchess": (2, 12), "chaotic": (2, 10), "minishogi": (2, 12)}


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("variant", [variant for variant in SUITES if variant in SAMPLES])
def test_another_program_proves_a_sample(variant):
    most, step = SAMPLES[variant]
    judge = JUDGES[variant]
    short = [mate for mate in read_mates(FOLDER / f"{variant}.epd", Variant(variant)) if mate.moves <= most]
    sample = short[::step][:3]
    assert len(sample) == 3
    for mate in sample:
        state = judge.state(mate.fen)
        replies = judge.replies(state)
        for first in mate.first:
            proven = (mate_judges.mates_after(judge, replies[first], mate.moves, quiet) for quiet in (0, 1))
            assert any(proven), (first, mate)
        if mate.shortest and mate.moves == 2:
            assert not mate_judges.mates(judge, state, 1), mate
