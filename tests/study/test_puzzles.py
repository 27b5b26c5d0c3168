"""Puzzles: which positions are puzzles, their solutions and themes, their files, and the command."""

import csv
import io
import pickle

import chess
import pytest
import surajang
from click.testing import CliRunner
from surajang.bench.suites.collecting import Moment
from surajang.bench.suites.mates.solver import Solver
from surajang.cli import main
from surajang.engine.definition import catalogue
from surajang.engine.variant import CHESS, Variant
from surajang.search.results import Score
from surajang.study.puzzles import finding, solving
from surajang.study.puzzles.finding import PuzzleFinder, changes
from surajang.study.puzzles.puzzle import Puzzle, as_csv, as_game, different, expected, read_puzzles
from surajang.study.puzzles.solving import Found, PuzzleJudge, budgets, goal_of

pytestmark = pytest.mark.process

BACK_RANK = "r5k1/5ppp/8/8/8/2q5/4QPPP/4R1K1 w - - 0 1"


@pytest.fixture(scope="module")
def judge():
    """Judges positions of chess as the command does."""
    judge = PuzzleJudge(CHESS, finding.NODES)
    yield judge
    judge.close()


def examined(judge, fen):
    return judge.examine(surajang.Position("chess", fen), "name")


def test_mate_by_a_sacrifice_is_a_puzzle_to_its_end(judge):
    puzzle = examined(judge, BACK_RANK)
    assert puzzle.moves == ("e2e8", "a8e8", "e1e8")
    assert (puzzle.goal, puzzle.length, puzzle.what) == ("mate", 2, "mate in 2")
    assert puzzle.themes == ("check", "sacrifice")
    assert 10 <= puzzle.nodes < 20_000


def test_only_move_that_draws_is_a_puzzle_that_saves(judge):
    puzzle = examined(judge, "8/8/8/8/2k2p2/3p1P2/3K1P2/8 w - - 4 76")
    assert (puzzle.goal, puzzle.moves[0], puzzle.themes) == ("save", "d2d1", ("quiet",))


@pytest.mark.parametrize(
    "fen, reason",
    [
        (surajang.Position("chess").fen(), "close"),
        ("7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "close"),  # many moves win
        ("7k/8/8/8/8/8/5q2/7K w - - 0 1", "over"),
        ("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "forced"),
    ],
)
def test_other_positions_are_no_puzzles(judge, fen, reason):
    assert examined(judge, fen) == reason


def test_recapture_alone_is_no_puzzle(judge, monkeypatch):
    fen = "r3k2r/ppp2ppp/2n5/3q4/8/2N5/PPP2PPP/R3K2R w - - 0 1"
    assert examined(judge, fen) == "easy"
    monkeypatch.setattr(solving, "EASY_NODES", 0)
    assert examined(judge, fen).moves == ("c3d5",)


def test_move_that_the_second_search_does_not_find_is_no_puzzle(judge, monkeypatch):
    monkeypatch.setattr(judge, "_second_nodes", 1)
    monkeypatch.setattr(judge, "_second", judge.engine)
    assert (
        examined(judge, "rnbkr3/2ppqpp1/1p3n2/p2PBP1p/3Qp3/2P3P1/P1P1P1BP/1R2K1NR w K - 1 13") == "disputed"
    )


class ScriptedJudge(PuzzleJudge):
    """A judge whose searches give what tables say: by the moves since the puzzle's position, the best move,
    its score and that of the second-best move. `again` has what the second search finds instead, `first_look`
    what the short one finds. Searches of the numbers of nodes in `found` play the best first move."""

    def __init__(self, lines, again=None, first_look=None, found=()):
        self.nodes = self._second_nodes = 1_000
        self.engine, self._second = self, None
        self._lines, self._again = lines, lines | (again or {})
        self._first_look, self._found = lines | (first_look or {}), found

    def clear(self):
        """There are no tables."""

    def play(self, position, limit):
        best = position.parse_move(self._lines[""][0])
        other = next(move for move in position.legal_moves if move != best)
        return type("Result", (), {"move": best if limit.nodes in self._found else other})

    def _best(self, engine, position, nodes):
        lines = self._again if engine is None else self._lines if nodes == self.nodes else self._first_look
        move, best, second = lines[" ".join(move.text for move in position.moves)]
        return Found(position.parse_move(move), best, second)


CLEAR, EVEN, CLOSE = Score(700), Score(0), Score(650)
LINE = {
    "": ("e2e4", CLEAR, EVEN),
    "e2e4": ("e7e5", Score(-700), Score(-900)),
    "e2e4 e7e5": ("g1f3", CLEAR, EVEN),
    "e2e4 e7e5 g1f3": ("b8c6", Score(-700), Score(-900)),
    "e2e4 e7e5 g1f3 b8c6": ("f1c4", CLEAR, CLOSE),
}


def scripted(lines=None, **tables):
    return ScriptedJudge(LINE | (lines or {}), **tables).examine(surajang.Position("chess"), "name")


def test_solution_ends_where_a_second_move_is_as_good():
    assert scripted().moves == ("e2e4", "e7e5", "g1f3")
    again = {"e2e4 e7e5": ("g1f3", CLEAR, EVEN)}
    assert scripted({"e2e4 e7e5": ("g1f3", CLEAR, CLOSE)}, again=again).moves == ("e2e4",)


@pytest.mark.parametrize("again", [("d2d4", CLEAR, EVEN), ("g1f3", CLEAR, CLOSE)])
def test_solution_ends_where_the_second_search_does_not_agree(again):
    assert scripted(again={"e2e4 e7e5": again}).moves == ("e2e4",)


@pytest.mark.parametrize("again", [("d2d4", CLEAR, EVEN), ("e2e4", CLEAR, CLOSE)])
def test_first_move_on_which_the_searches_differ_is_disputed(again):
    assert scripted(again={"": again}) == "disputed"


def test_easy_single_move_is_a_puzzle_only_if_it_mates():
    single, found = {"e2e4 e7e5": ("g1f3", CLEAR, CLOSE)}, (10, 30, 100, 300)
    assert scripted(single, found=found) == "easy"
    mate = {"": ("a1a8", Score(29_999, 1), EVEN)}
    position = surajang.Position("chess", "6k1/5ppp/8/8/8/6r1/5PPP/R5K1 w - - 0 1")
    puzzle = ScriptedJudge(mate, found=found).examine(position, "name")
    assert (puzzle.goal, puzzle.moves, puzzle.nodes) == ("mate", ("a1a8",), 10)


def test_only_move_ends_a_solution_unless_it_mates():
    assert scripted({"e2e4 e7e5": ("g1f3", CLEAR, None)}).moves == ("e2e4",)


def test_short_first_look_leaves_out_close_positions_and_the_whole_search_too():
    assert scripted(first_look={"": ("e2e4", CLEAR, CLOSE)}) == "close"
    assert scripted({"": ("e2e4", CLEAR, CLOSE)}, first_look={"": ("e2e4", CLEAR, EVEN)}) == "close"


def test_mate_that_the_line_does_not_reach_is_a_win():
    assert scripted({"": ("e2e4", Score(29_000, 5), EVEN)}).goal == "win"


@pytest.mark.parametrize(
    "best, second, goal",
    [
        (Score(29_000, 3), EVEN, "mate"),
        (Score(300), Score(-100), "win"),
        (EVEN, Score(-600), "save"),
        (EVEN, Score(-200), ""),
        (EVEN, None, ""),
        (Score(-200), Score(-900), ""),
    ],
)
def test_goal_is_to_mate_to_win_or_to_save_a_lost_game(best, second, goal):
    assert goal_of(Found(None, best, second)) == goal


def test_difficulty_is_the_number_of_nodes_from_which_on_searches_find_the_move():
    assert scripted(found=(10, 30, 100, 300)).nodes == 10
    assert scripted(found=(10, 100, 300)).nodes == 100, "with 30 nodes another move seems better"
    assert scripted(found=(10,)).nodes == scripted().nodes == 1_000


def test_expected_score_is_that_of_the_scale_of_scores():
    assert expected(Score(0)) == 0.5
    assert expected(Score(250)) == pytest.approx(0.73, abs=0.001)
    assert expected(Score(-250)) == pytest.approx(0.27, abs=0.001)
    assert (expected(Score(29_000, 3)), expected(Score(-29_000, -3))) == (1, 0)


def test_budgets_are_below_the_nodes_of_a_search():
    assert budgets(1_000) == [10, 30, 100, 300]
    assert budgets(5) == []


def moment(ply, score):
    return Moment(surajang.Position("chess"), ply, score)


def test_positions_with_the_greatest_change_of_the_score_come_first():
    moments = [
        moment(ply, score)
        for ply, score in ((4, 900), (5, 0), (6, 30), (7, 35), (8, 400), (9, None), (11, 0), (12, 900))
    ]
    assert [found.ply for found in changes(moments)] == [11, 12, 7, 8]


# Files


def puzzle(name="game 1, ply 2", fen=BACK_RANK, moves=("e2e8", "a8e8", "e1e8")):
    return Puzzle(Variant("chess"), name, fen, moves, "mate", ("check", "sacrifice"), 300)


def test_file_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "puzzles.epd"
    path.write_text(f"# heading\n{puzzle()}\n", encoding="utf-8")
    assert read_puzzles(path, Variant("chess")) == [puzzle()]
    path.write_text("8/8/8/8/8/8/8/K1k5 w - - ; bm a1a2\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"puzzles\.epd:1: '8/8.*should read 'FEN ; bm MOVE"):
        read_puzzles(path, Variant("chess"))


def test_positions_that_look_alike_are_one_puzzle():
    with_pawn = BACK_RANK.replace("/8/8/8/2q5", "/8/8/p7/2q5")
    other = "r5k1/5ppp/8/8/8/2q5/4QPPP/4R2K w - - 0 1"
    found = different([puzzle(), puzzle("2"), puzzle("3", with_pawn), puzzle("4", other)], 5)
    assert [one.name for one in found] == ["game 1, ply 2", "4"]
    assert different([puzzle(), puzzle("4", other)], 1) == [puzzle()]
    assert different([puzzle(), puzzle("5", moves=("e2e7",))], 5) == [puzzle()], "the same position"


def test_pgn_and_table_have_the_solution():
    text = str(as_game(puzzle()))
    assert f'[FEN "{BACK_RANK}"]' in text and "1. Qe8+ Rxe8 2. Rxe8#" in text and "mate in 2" in text
    row = next(csv.DictReader(io.StringIO(as_csv([puzzle()]))))
    assert (row["moves"], row["san"], row["length"]) == ("e2e8 a8e8 e1e8", "Qe8+ Rxe8 Rxe8#", "2")


# The command


def test_command_writes_puzzles_that_chess_and_the_solver_confirm(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["puzzles", "chess", "--count", "2", "--nodes", "3000", "--game-nodes", "30"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert "2 puzzles (" in done.output
    text = (tmp_path / "puzzles-chess.epd").read_text(encoding="utf-8")
    puzzles = read_puzzles(tmp_path / "puzzles-chess.epd", CHESS)
    solver = Solver(CHESS)
    for found in puzzles:
        board = chess.Board(found.fen)
        for move in found.moves:
            board.push_uci(move)
        assert board.is_checkmate() == (found.goal == "mate")
        if found.goal == "mate":
            proof = solver.shortest(found.position, found.length, 10_000_000)
            assert proof is not None and proof.moves == found.length
    assert (tmp_path / "puzzles-chess.pgn").read_text(encoding="utf-8").count("[FEN ") == 2
    (tmp_path / "puzzles-chess.epd").unlink()
    assert CliRunner().invoke(main, words).exit_code == 0  # from the journal
    assert (tmp_path / "puzzles-chess.epd").read_text(encoding="utf-8") == text
    assert surajang.study.make_puzzles("chess", count=2, nodes=3_000, game_nodes=30) == puzzles


def test_command_says_that_the_games_gave_too_few_puzzles(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    finder = PuzzleFinder.of(CHESS, 3_000, 30)
    (tmp_path / "puzzles-chess.epd.games").write_text(f"# {finder.heading}\n{puzzle()}\n# end of game 0\n")
    words = ["puzzles", "chess", "--count", "2", "--nodes", "3000", "--game-nodes", "30", "--games", "1"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert "1 puzzle (1 mate in 2) in puzzles-chess.epd, " in done.output
    assert "Fewer than the 2 that were asked for: the only game has been played." in done.output


def test_unknown_game_is_quoted():
    done = CliRunner().invoke(main, ["puzzles", "chesss"])
    assert done.exit_code == 2 and "chesss" in done.output


def test_worker_knows_the_game_of_a_users_file_before_it_judges(tmp_path, monkeypatch):
    path = tmp_path / "travelled.toml"
    path.write_text('extends = "minishogi"\nname = "travelled"\ntitle = "Travelled"\n')
    finder = PuzzleFinder.of(Variant(catalogue.register(path)), 1000, 50)
    sent = pickle.dumps(finder)
    monkeypatch.setattr(catalogue, "_registered", {})  # as in a new process, where the path may be missing
    path.unlink()

    def judge(source):
        raise RuntimeError(source.variant.description.title)

    monkeypatch.setattr(PuzzleFinder, "new_judge", judge)
    with pytest.raises(RuntimeError, match="Travelled"):
        pickle.loads(sent)(0)
