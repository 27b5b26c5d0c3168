"""The proof search for mates by checks, compared with the exhaustive solver and other programs."""

import random

import pytest
from surajang import Engine, Position
from surajang.bench.suites.mates.mate_file import FOLDER, read_mates
from surajang.bench.suites.mates.solver import Solver
from surajang.engine.variant import Variant
from surajang.search.aspiration import Root
from surajang.search.iterative_deepening import Search
from surajang.search.mate_proof import MateProof
from surajang.search.stop import Stop
from surajang.search.tree.parameters import PROOF_PLIES
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


def proven(engine, position, plies, nodes=NODES):
    """The result of the proof search for mates within that many plies: verdict, moves."""
    return root_of(engine, position).prove(plies, nodes)


def suite(variant, least, most, step):
    found = read_mates(FOLDER / f"{variant}.epd", Variant(variant))
    return [mate for mate in found if least <= mate.moves <= most][::step]


def compare(solver, position, moves, verdict, met):
    """Records a verdict on mates within that many moves that the solver confirms. For the proof search a move
    that ends the game counts as a check, for the solver only the last one."""
    mates = solver.mates(position, moves, NODES, quiets=0)
    if verdict == PROVEN and mates is False:
        mates = solver.mates(position, moves, NODES, quiets=1)
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


@pytest.mark.parametrize("variant", SUITES)
def test_line_of_a_proof_is_a_mate_to_another_program(engines, variant):
    judge, lengths = JUDGES[variant], []
    for mate in suite(variant, 2, 4, 11):
        for plies in range(3, 2 * mate.moves, 2):
            verdict, line = proven(engines[variant], mate.position, plies)
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
    whole = root.prove(7, NODES)
    used = root.nodes
    assert whole[0] == PROVEN and used > 40
    root = root_of(engines["crazyhouse"], mate.position)
    verdict, calls = UNKNOWN, 0
    while verdict == UNKNOWN:
        verdict, line = root.prove(7, root.nodes + used // 3)
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
    assert root.prove(11, 1 << 40) == (UNKNOWN, ()) and root.is_stopped and root.nodes < 5000


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
