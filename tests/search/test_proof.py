"""The proof search for mates by checks and one quiet move, compared with the exhaustive solver and other
programs."""

import random
from types import SimpleNamespace

import pytest
from surajang import Engine, Position
from surajang.bench.suites.mates.mate_file import FOLDER, read_mates
from surajang.bench.suites.mates.solver import Solver
from surajang.engine.variant import Variant
from surajang.eval.terms.weights import NORMAL_SCALE
from surajang.eval.wdl import WDL_MODELS
from surajang.search import mate_proof
from surajang.search.aspiration import Root
from surajang.search.iterative_deepening import Goal, Search
from surajang.search.mate_proof import MateProof
from surajang.search.results import Line
from surajang.search.stop import Stop
from surajang.search.time_management import Limit, TimeBudget
from surajang.search.tree.parameters import MATE, PROOF_PLIES
from surajang.search.tree.proof import PROVEN, REFUTED, UNKNOWN
from surajang.tests.support.mate_judges import JUDGES

pytestmark = pytest.mark.compiled

NODES = 300_000  # for the proof search and the solver, each
SUITES = ("chess", "crazyhouse", "janggi", "minishogi", "pandemonium", "pandemonium-vchess", "chaotic")
DEEP = {
    "crazyhouse": 5,
    "pandemonium": 5,
    "minishogi": 6,
}  # game -> moves of a mate that a short search misses


@pytest.fixture(scope="module")
def engines():
    """Game -> its engine, made at its first use."""

    class Engines(dict):
        def __missing__(self, variant):
            self[variant] = Engine(variant, 1)
            return self[variant]

    found = Engines()
    yield found
    for engine in found.values():
        engine.close()


def root_of(engine, position):
    """A root that is ready to prove."""
    engine.clear()
    root = Root(engine, engine.workers[0], [])
    root.load(position, Stop())
    return root


def proven(engine, position, plies, nodes=NODES, quiets=0):
    """The result of the proof search for mates within that many plies, with at most so many quiet moves:
    verdict, moves."""
    return root_of(engine, position).prove(plies, quiets, nodes)


def suite(variant, least, most, step):
    found = read_mates(FOLDER / f"{variant}.epd", Variant(variant))
    return [mate for mate in found if least <= mate.moves <= most][::step]


def compare(solver, position, moves, verdict, met, quiets=0):
    """Records a verdict on mates within that many moves that the solver confirms. For the proof search a move
    that ends the game counts as a check, for the solver only the last one."""
    mates = solver.mates(position, moves, NODES, quiets=quiets)
    if verdict == PROVEN and mates is False:
        mates = solver.mates(position, moves, NODES, quiets=quiets + 1)
    if verdict != UNKNOWN and mates is not None:
        assert (verdict == PROVEN) is mates, (position.fen(), moves)
        met.add(verdict)


def follow(judge, fen, moves):
    """The state of a judge after moves by their text, all of which it must allow."""
    state = judge.state(fen)
    for move in map(str, moves):
        replies = judge.replies(state)
        state = replies[move if move in replies else f"{move[:-1]}+"]  # shogi's sign of promotion
    return state


@pytest.mark.parametrize("variant", SUITES)
def test_verdicts_are_those_of_a_solver_that_tries_every_check(engines, variant):
    solver, met = Solver(Variant(variant)), set()
    for mate in suite(variant, 2, 5, 9):
        for moves in range(2, mate.moves + 1):
            verdict, _ = proven(engines[variant], mate.position, 2 * moves - 1)
            compare(solver, mate.position, moves, verdict, met)
    assert met == {PROVEN, REFUTED}


@pytest.mark.parametrize("variant", ("chess", "janggi", "minishogi", "chaotic"))
def test_verdicts_with_a_quiet_move_are_those_of_the_solver(engines, variant):
    """Some of the mates need it."""
    solver, met, needed = Solver(Variant(variant)), set(), 0
    for mate in suite(variant, 2, 4, 5):
        for moves in range(2, mate.moves + 1):
            verdict, _ = proven(engines[variant], mate.position, 2 * moves - 1, quiets=1)
            compare(solver, mate.position, moves, verdict, met, quiets=1)
        if verdict == PROVEN:
            needed += proven(engines[variant], mate.position, 2 * mate.moves - 1)[0] == REFUTED
    assert met == {PROVEN, REFUTED} and needed >= 2


@pytest.mark.parametrize("variant", ("chess", "janggi", "chaotic"))
def test_verdicts_with_two_quiet_moves_are_those_of_the_solver(engines, variant):
    """Some of the mates need both."""
    solver, met, needed = Solver(Variant(variant)), set(), 0
    for mate in suite(variant, 3, 3, 3):
        root = root_of(engines[variant], mate.position)
        one, verdict = (root.prove(5, quiets, root.nodes + NODES)[0] for quiets in (1, 2))
        compare(solver, mate.position, 3, verdict, met, quiets=2)
        assert solver.mates(mate.position, 2, NODES) is (root.prove(3, 2, root.nodes + NODES)[0] == PROVEN)
        needed += (one, verdict) == (REFUTED, PROVEN)
    assert met == {PROVEN} and needed >= 1


@pytest.mark.parametrize("variant", ("janggi", "chaotic"))
def test_proofs_with_and_without_a_quiet_move_are_kept_apart(engines, variant):
    """What is refuted without one may be proven with one, from the same root."""
    verdicts = set()
    for mate in suite(variant, 3, 4, 2):
        plies = 2 * mate.moves - 1
        if proven(engines[variant], mate.position, plies, quiets=1)[0] == PROVEN:
            root = root_of(engines[variant], mate.position)
            first, second = (root.prove(plies, quiets, root.nodes + NODES)[0] for quiets in (0, 1))
            assert second == PROVEN, mate.fen
            verdicts.add(first)
    assert REFUTED in verdicts


@pytest.mark.parametrize("quiets", (0, 1))
@pytest.mark.parametrize("variant", SUITES)
def test_line_of_a_proof_is_a_mate_to_another_program(engines, variant, quiets):
    judge, lengths = JUDGES[variant], []
    for mate in suite(variant, 2, 4, 11):
        for plies in range(3, 2 * mate.moves, 2):
            verdict, line = proven(engines[variant], mate.position, plies, quiets=quiets)
            if verdict == PROVEN:
                end = follow(judge, mate.fen, line)
                assert not judge.replies(end) and judge.lost(end), (mate.fen, line)
                lengths.append(len(line))
                assert len(line) % 2 == 1 and len(line) <= plies, (mate.fen, line)
                break
    assert len(lengths) >= 3


def random_positions(variant, count, seed):
    """Positions from games of random moves."""
    generator, found = random.Random(seed), []
    while len(found) < count:
        position = Position(variant)
        for _ in range(generator.randint(20, 90)):
            moves = position.legal_moves()
            if not moves or position.result():
                break
            position.push(generator.choice(moves))
        if position.legal_moves() and not position.result():
            found.append(Position(variant, position.fen()))
    return found


@pytest.mark.parametrize("variant", ["crazyhouse", "janggi", "chaotic"])
def test_verdicts_agree_on_positions_by_chance(engines, variant):
    solver, met = Solver(Variant(variant)), set()
    for position in random_positions(variant, 60, 5):
        verdict, _ = proven(engines[variant], position, 5)
        compare(solver, position, 3, verdict, met)
    assert REFUTED in met and (PROVEN in met or variant != "crazyhouse")


def test_start_has_no_mate_by_checks(engines):
    assert proven(engines["crazyhouse"], Position("crazyhouse"), PROOF_PLIES) == (REFUTED, ())


def test_work_resumes(engines):
    """A call with few nodes finds nothing; several calls find what one long call finds."""
    mate = max(suite("crazyhouse", 4, 4, 1), key=lambda mate: mate.shortest)
    root = root_of(engines["crazyhouse"], mate.position)
    whole = root.prove(7, 0, NODES)
    used = root.nodes
    assert whole[0] == PROVEN and used > 40
    root = root_of(engines["crazyhouse"], mate.position)
    verdict, calls = UNKNOWN, 0
    while verdict == UNKNOWN:
        verdict, line = root.prove(7, 0, root.nodes + used // 3)
        calls += 1
    assert (verdict, len(line)) == (PROVEN, len(whole[1])) and calls > 1


def test_stop_ends_a_proof(engines):
    """Of a mate that takes more nodes than the interval between two tests of the stop flag."""
    engine = engines["crazyhouse"]
    mates = suite("crazyhouse", 6, 6, 1)
    mate = next(mate for mate in mates if proven(engine, mate.position, 11, 5000)[0] == UNKNOWN)
    engine.clear()
    stop, root = Stop(), Root(engine, engine.workers[0], [])
    root.load(mate.position, stop)
    stop.set()
    assert root.prove(11, 0, 1 << 40) == (UNKNOWN, ()) and root.is_stopped and root.nodes < 5000


@pytest.mark.parametrize("variant", DEEP)
def test_search_for_a_mate_finds_more_by_proofs(engines, variant, monkeypatch):
    engine, found = engines[variant], {}
    for proves in (True, False):
        if not proves:
            monkeypatch.setattr(Search, "may_prove", lambda search, excluded: False)
        found[proves] = 0
        for mate in suite(variant, DEEP[variant], 6, 4):
            engine.clear()
            result = engine.play(mate.position, mate=mate.moves, nodes=150_000)
            if result.score.mate is not None and 0 < result.score.mate <= mate.moves:
                found[proves] += 1
                position = mate.position.copy()
                for move in result.pv:
                    position.push(move)
                assert len(result.pv) <= 2 * result.score.mate - 1
                assert result.move == result.pv[0]
    assert found[True] > found[False] + 1, found


def test_mate_in_two_is_not_lengthened_by_a_proof(engines):
    for mate in suite("pandemonium", 2, 2, 10):
        engines["pandemonium"].clear()
        found = engines["pandemonium"].play(mate.position, nodes=200_000)
        assert found.score.mate is None or found.score.mate <= 2, mate.fen


@pytest.mark.parametrize("halfmoves, proves", [("0", True), ("98", False)])
def test_counted_moves_that_may_end_the_game_bar_proofs(engines, monkeypatch, halfmoves, proves):
    """With two plies to the fiftieth move a mate in five may not exist."""
    worked, mate = [], suite("chess", 4, 6, 1)[0]
    monkeypatch.setattr(MateProof, "work", lambda proof, value: worked.append(value))
    fields = mate.fen.split()
    fields[4] = halfmoves
    engines["chess"].clear()
    engines["chess"].play(Position("chess", " ".join(fields)), nodes=5_000)
    assert bool(worked) is proves


@pytest.mark.parametrize(
    "variant, fen, moves",
    [
        ("chaotic", "k7/8/2MA4/5p2/m7/8/8/7K w - - 5 144", 3),
        ("janggi", "3k5/4a4/9/9/4N4/1P5P1/4C4/1N3A3/3CA4/5K3 w - - 7 99", 3),
        ("janggi", "5c3/4k4/9/9/6R2/9/4E1E2/5C3/5A3/5K3 w - - 1 95", 4),
    ],
)
def test_mate_with_a_quiet_move_is_found_sooner(engines, monkeypatch, variant, fen, moves):
    found = {}
    for most in (1, 0):
        monkeypatch.setattr(mate_proof, "MOST_QUIETS", most)
        engines[variant].clear()
        found[most] = engines[variant].play(Position(variant, fen), mate=moves, nodes=150_000).score.mate
    assert found[1] == moves and found[0] != moves


class SpentRoot:
    """A root whose proofs find nothing: each call spends all its nodes. With the quiet moves in `refuting` it
    refutes."""

    is_stopped = False

    def __init__(self, *refuting):
        self.nodes, self.refuting, self.spent = 0, refuting, {0: 0, 1: 0, 2: 0}

    def prove(self, plies, quiets, node_limit):
        self.spent[quiets] += node_limit - self.nodes
        self.nodes = node_limit
        return (REFUTED if quiets in self.refuting else UNKNOWN), ()


@pytest.mark.parametrize("has_drops, share", [(False, 1 / 4), (True, 1 / 64)])
def test_hunt_with_a_quiet_move_has_a_smaller_share(has_drops, share):
    root = SpentRoot()
    MateProof(root, lambda spent: spent < 5_000_000, has_drops).work(0)
    assert share / 2 < root.spent[1] / root.spent[0] < share * 2


def test_what_quiet_moves_cannot_do_is_not_tried_without_them():
    root = SpentRoot(1, 2)
    MateProof(root, lambda spent: spent < 5_000_000, has_drops=False).work(MATE - 9)
    assert root.spent[1] == 3 * 2000 and root.nodes < 100_000


@pytest.mark.parametrize("value, plies", [(0, set()), (MATE - 5, {3}), (MATE - 15, {3, 5, 7})])
def test_two_quiet_moves_are_tried_for_short_mates_where_a_longer_one_is_known(monkeypatch, value, plies):
    tried, root = [], SpentRoot(2)
    monkeypatch.setattr(root, "prove", lambda *asked: tried.append(asked) or SpentRoot.prove(root, *asked))
    MateProof(root, lambda spent: spent < 500_000, has_drops=False).work(value)
    assert {one for one, quiets, _ in tried if quiets == 2} == plies


@pytest.mark.parametrize(
    "goal, score, share",
    [
        (None, None, 16),
        (None, 0, 16),
        (None, 1500, 4),
        (None, 6000, 2),
        (None, -1500, 16),
        (None, MATE - 9, 2),
        (None, 9 - MATE, 16),
        (4, 0, 2),
    ],
)
def test_share_of_the_proof_search(goal, score, share):
    """Of the nodes of chess, by the goal and the score of the best line."""
    lines = [] if score is None else [Line(score, ())]
    search = SimpleNamespace(
        goal=Goal(Limit(mate=goal), TimeBudget(), 1, None),
        lines=lines,
        scale=NORMAL_SCALE,
        wdl_model=WDL_MODELS["chess"],
    )
    assert Search.proof_share(search) == share
