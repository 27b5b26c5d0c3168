"""Advice, opening trees, traps and reference figures."""

import json

import pytest
from surajang import Engine, Position
from surajang.engine.definition import catalogue
from surajang.engine.variant import CHESS, Variant
from surajang.search.results import Info, Score
from surajang.study.figures.advice import HandicapRow, advice_of, favoured, plain_row
from surajang.study.figures.balance import balance_of
from surajang.study.figures.first_moves import Openings, opening_rows, openings_of
from surajang.study.figures.intervals import Interval, score
from surajang.study.figures.piece_values import ResultValue
from surajang.study.figures.references import Reference, beside, reference_of, references, write_references
from surajang.study.games.handicaps import Handicap, handicaps_against, play_handicap
from surajang.study.games.opening_search import Trap, TreeLine, find_traps, opening_tree
from surajang.study.games.plan import START, Series, StudyPlan
from surajang.study.games.probing import probe_games
from surajang.study.games.recording import record_moves
from surajang.tests.support.study_games import study_game

pytestmark = pytest.mark.compiled

WEAK, STRONG = Series(START, 1_000), Series(START, 10_000)


def series_of(wins, losses):
    results = ["1-0"] * wins + ["0-1"] * losses
    return [study_game(number, result) for number, result in enumerate(results)]


@pytest.fixture(scope="module")
def engine():
    with Engine("chess", hash_mb=1) as found:
        yield found


def without_queen(side):
    """Chess in which Black begins without its queen."""
    start = f"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {side} KQkq - 0 1"
    text = f'extends = "chess"\nname = "noqueen{side}"\ntitle = "No queen"\nstart = "{start}"\n'
    return Variant(catalogue.keep_text(text))


# Handicaps


def test_handicaps_take_a_piece_from_the_favoured_side_the_smallest_first():
    found = handicaps_against(0, CHESS)
    assert [each.name for each in found] == [
        "White without the Pawn on a2",
        "White without the Knight on b1",
        "White without the Bishop on c1",
        "White without the Rook on a1",
    ]
    assert found[0].fen == "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert found[3].fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1", "the right is gone"
    assert handicaps_against(1, CHESS)[0].name == "Black without the Pawn on a7"


def test_handicap_of_a_drop_game_may_be_a_piece_in_the_other_hand():
    names = [each.name for each in handicaps_against(0, Variant("crazyhouse"))]
    assert names[:2] == ["White without the Pawn on a2", "Black with a Pawn more in hand"]


def test_game_whose_sides_arrange_their_pieces_has_no_handicap():
    assert handicaps_against(0, Variant("janggi")) == []


def test_handicap_is_played_from_its_start_and_continued_from_known_games(engine):
    queenless = Handicap(
        "White without queen and rooks", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NB1KBN1 w kq - 0 1"
    )
    plan, played = StudyPlan(CHESS, 3, (200,)), []
    points = play_handicap(plan, queenless, 3, 200, engine, progress=played.append)
    assert points == played == [0.0, 0.0, 0.0], "so much less always loses"
    again = []
    assert play_handicap(plan, queenless, 3, 200, engine, points[:2], again.append) == points
    assert again == points[2:]


# Advice


def advice(plain, handicaps=(), first=(), values=()):
    return advice_of(balance_of({WEAK: plain}), handicaps, first, values)


def row(name, wins, losses):
    return HandicapRow(name, wins + losses, score(losses, 0, wins))


def test_best_handicap_is_the_one_nearest_to_half():
    found = advice(series_of(70, 30), [row("pawn", 58, 42), row("knight", 30, 70)])
    assert found.best.name == "pawn"
    assert found.rivals == (), "the knight's games favour Black"
    assert advice(series_of(70, 30), [row("queen", 1, 99)]).best is None, "it makes the game less even"


def test_side_is_favoured_only_if_the_interval_shows_it():
    assert favoured(plain_row(balance_of({WEAK: series_of(70, 30)}))) == 0
    assert favoured(plain_row(balance_of({WEAK: series_of(30, 70)}))) == 1
    assert favoured(plain_row(balance_of({WEAK: series_of(53, 47)}))) is None


def test_handicaps_are_tried_at_a_thousand_nodes_not_more():
    assert plain_row(balance_of({WEAK: series_of(5, 5), STRONG: series_of(5, 5)})).nodes == 1_000


def test_first_move_with_few_games_is_no_advice():
    games = [study_game(n, "1-0", line=("e4",)) for n in range(40)]
    games += [study_game(n, "1-0" if n % 5 < 3 else "0-1", line=("d4",)) for n in range(30)]
    games += [study_game(n, "1-0" if n else "0-1", line=("a4",)) for n in range(2)]
    found = advice(series_of(70, 30), first=opening_rows(games, 1))
    assert found.first_move.moves == ("d4",)


def test_value_that_the_interval_excludes_is_advice_unless_in_hand():
    def value(name, in_hand, in_file):
        return ResultValue(name[0], name, in_hand, Interval(300, 250, 350), *[Interval(0, 0, 0)] * 2, in_file)

    rows = [
        value("Rook", False, 500),
        value("Bishop", False, 340),
        value("Knight", False, 400),
        value("Pawn", True, 1),
    ]
    assert [each.name for each in advice(series_of(5, 5), values=rows).values] == ["Rook", "Knight"]


def test_value_that_the_games_hardly_give_is_no_advice():
    """Of a piece that is rare an interval may miss the file's value and yet say nothing about it."""
    rare = ResultValue("D", "Dragon", False, Interval(-316, -960, 328), *[Interval(0, 0, 0)] * 2, 800)
    assert advice(series_of(5, 5), values=[rare]).values == ()


def test_more_values_need_greater_differences():
    """Of twenty intervals one misses by chance."""

    def values(count):
        others = [ResultValue("P", "Pawn", False, Interval(9, 8, 10), *[Interval(0, 0, 0)] * 2, 9)] * (
            count - 1
        )
        return [
            ResultValue("R", "Rook", False, Interval(5, 4, 6), *[Interval(0, 0, 0)] * 2, 4 - 0.2),
            *others,
        ]

    assert [len(advice(series_of(5, 5), values=values(count)).values) for count in (1, 20)] == [1, 0]


# Opening trees


def test_opening_tree_has_good_moves_in_san_with_the_best_first(engine):
    tree = opening_tree(CHESS, engine, nodes=300)
    first = [line for line in tree if len(line.moves) == 1]
    assert len(first) == 8 and tree[0] == first[0]
    assert [line.score for line in first] == sorted((line.score for line in first), reverse=True)
    for line in tree:
        position = Position("chess")
        for san in (*line.moves, *line.continuation):
            position.push(position.parse_san(san))
    assert {len(line.moves) for line in tree} == {1, 2, 3}
    assert sum(line.margin is not None for line in first) == 4, "only good moves are searched on"
    for line in tree:
        replies = [below for below in tree if below.moves[:-1] == line.moves]
        if replies:
            scores = [below.score for below in replies]
            assert line.score == (min if len(line.moves) % 2 else max)(scores) == scores[0], "the best reply"
            assert line.continuation[0] == replies[0].moves[-1]
    assert opening_tree(CHESS, engine, nodes=300) == tree


def test_game_that_is_over_has_no_opening_tree(engine):
    text = 'extends = "chess"\nname = "over"\ntitle = "Over"\nstart = "7k/8/8/8/8/1q6/8/K7 w - - 0 1"\n'
    assert opening_tree(Variant(catalogue.keep_text(text)), engine) == []


@pytest.mark.parametrize("side", ["w", "b"])
def test_scores_of_lines_are_those_for_white(side):
    """White is a queen ahead, whoever is to move."""
    variant = without_queen(side)
    with Engine(variant, hash_mb=1) as engine:
        tree = opening_tree(variant, engine, nodes=300)
        assert min(line.score for line in tree) > 300
        assert {len(line.moves) for line in tree} == {1, 2, 3}


def test_balanced_lines_are_near_zero_and_sharp_ones_have_one_good_reply():
    lines = [
        TreeLine(("e4",), 30, (), 5),
        TreeLine(("e4", "e5"), 25, (), 80),
        TreeLine(("e4", "d5"), -3, (), None),
        TreeLine(("d4",), 20, (), 40),
        TreeLine(("d4", "f5"), -60, (), None),
    ]
    found = Openings(100, 1, (), (), tuple(lines))
    assert [line.moves for line in found.balanced] == [("e4", "d5"), ("e4", "e5"), ("d4", "f5")]
    assert [line.margin for line in found.sharp] == [80, 40]


def test_trap_is_a_move_of_the_games_that_loses_by_search(engine):
    """The queen goes to h4 and is lost to the knight."""
    moves = ("e2e4", "e7e5", "g1f3", "d8h4", "f3h4", "b8c6")
    scores = (None, None, 30, 10, 900, 900)
    game = record_moves(Position("chess"), moves, scores, opening=2)
    (trap,) = find_traps(CHESS, {WEAK: [game, game]}, engine, nodes=2_000)
    assert trap.moves == ("e4", "e5", "Nf3", "Qh4") and trap.refutation == "Nxh4"
    assert trap.games == 2 and trap.loss > 300


def test_move_in_a_lost_position_is_no_trap():
    """Black was lost before it, too."""
    variant = without_queen("w")
    moves, scores = ("e2e4", "e7e5", "g1f3", "b8c6"), (None, 0, 900, 900)
    with Engine(variant, hash_mb=1) as engine:
        game = record_moves(Position(variant), moves, scores, opening=1)
        assert find_traps(variant, {WEAK: [game]}, engine, nodes=1_000) == ()


def test_mistake_after_a_mistake_is_no_trap_of_its_own():
    first = Trap(("e4", "f6"), "d4", 150, 1)
    second = Trap(("e4", "f6", "d4", "g5"), "Qh5#", 900, 1)
    assert openings_of([study_game()], 100, (), (second, first)).traps == (first,)


def test_move_that_only_the_games_disliked_is_no_trap(engine):
    moves = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")
    game = record_moves(Position("chess"), moves, (None, None, 30, 10, 900, 900), opening=2)
    assert find_traps(CHESS, {WEAK: [game]}, engine, nodes=2_000) == ()


# Searches of positions


class StubEngine:
    """An engine with a search of three depths, the second-best line with a given score."""

    def __init__(self, second):
        self.second, self.positions = second, []

    def clear(self):
        """There is no table."""

    def analyse(self, position, limit, multipv, info):
        self.positions.append(position.ply)
        first, second = list(position.legal_moves)[:2]
        lines = [
            Info(3, 3, Score(score), 9, 0.0, 9, 0, (move,))
            for score, move in ((50, first), (self.second, second))
        ]
        info(lines[0]._replace(depth=1))
        info(lines[1]._replace(depth=1, multipv=2))
        info(lines[1]._replace(depth=2))
        info(lines[0])
        info(lines[1]._replace(depth=4, bound="lower"))
        return lines


@pytest.mark.parametrize(("second", "loss"), [(20, 30), (70, 0), (-5_000, 1_000)])
def test_positions_after_the_opening_with_a_choice_are_searched_for_the_loss_of_the_second_move(second, loss):
    moves = ("e2e4", "e7e5", "g1f3", "b8c6")
    game = study_game(moves=moves, kinds=("",) * 4, opening=2, legal=(20, 20, 1, 20))
    engine = StubEngine(second)
    found = probe_games(CHESS, [game], 1, engine, 5)
    assert [(probe.ply, probe.loss) for probe in found] == [(3, loss)] * 5
    assert engine.positions == [3] * 5
    first, other, last = found[0].best
    assert first == last != other, "the best moves of the depths, without bounds and other lines"


# References


def test_reference_games_come_with_the_program():
    assert {each.game for each in references()} == {"chess", "crazyhouse", "shogi"}
    for each in references():
        assert each.program.startswith("Surajang ") and each.evaluation and each.games >= 10
        assert all(low <= value <= high for value, low, high in each.values.values()), each.game
    drops = {each.game: each.values["drops in the second third"][0] for each in references()}
    assert drops["chess"] == 0 and drops["crazyhouse"] > 0.2


def test_other_games_are_shown_at_the_strength_nearest_to_the_study():
    def reference(game, nodes):
        return Reference(game, game.title(), nodes, 100, "a network", "Surajang 9", {})

    others = [reference("chess", 1_000), reference("chess", 10_000), reference("shogi", 1_000)]
    others.append(reference("mine", 100))
    found = beside(reference("mine", 20_000), others)
    assert [(each.game, each.nodes) for each in found] == [("chess", 10_000), ("shogi", 1_000)]
    assert beside(reference("mine", 100), others)[0].nodes == 1_000


def test_references_are_made_from_reports(tmp_path):
    folder = tmp_path / "study-chess"
    folder.mkdir()
    interval = {"value": 0.5, "low": 0.4, "high": None}
    report = {
        "source": {"game": "chess", "title": "Chess", "evaluation": "a network", "program": "Surajang 9"},
        "balance": {"rows": [{"source": "start", "nodes": 100, "score": interval, "drawn": interval}]},
        "character": {
            **{
                "nodes": 100,
                "games": 7,
                "plies": interval,
                "legal_moves": interval,
                "lead_changes": interval,
            },
            **{"turned": interval, "turned_late": interval},
            **{"kinds": [{"kind": "checks", "shares": [interval] * 3}]},
        },
        "sharpness": None,
    }
    (folder / "report.json").write_text(json.dumps(report))
    write_references([folder], tmp_path / "references.json")
    (facts,) = json.loads((tmp_path / "references.json").read_text())
    assert facts["title"] == "Chess" and facts["values"]["draws"][0] == 0.5
    assert "sharp positions" not in facts["values"], "nothing was searched"
    assert reference_of(report).values["drops in the second third"] == (0.0, 0.0, 0.0)
