"""Play with a network, from Python: choice of the file, refusals, and reproducible searches."""

import pytest
from surajang import Engine, NetworkError, Position, VariantError
from surajang.engine.variant import Variant
from surajang.eval.network.features import features_for
from surajang.eval.network.file import load_network, random_network, save_network
from surajang.eval.network.installing import default_network_path
from surajang.learn.self_play.compiled_games import Settings
from surajang.learn.self_play.game_player import GamePlayer
from surajang.learn.self_play.games_file import GamesError, GamesFile, Header, evaluation_digest
from surajang.search import engine as engines
from surajang.search.eval_trace import trace_eval
from surajang.tests.support import network_reference

pytestmark = pytest.mark.compiled

GAME, HIDDEN = "minishogi", 16  # as other tests, which share its code
FENS = (None, "r1sgk/4p/5/P4/KGS1R[Bb] w - - 0 5")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Paths of two networks of one shape."""
    folder = tmp_path_factory.mktemp("networks")
    for seed in (1, 2):
        save_network(folder / f"{seed}.network", random_network(Variant(GAME), HIDDEN, seed))
    return [folder / f"{seed}.network" for seed in (1, 2)]


def nodes_and_lines(engine):
    engine.clear()
    results = [engine.play(Position(GAME, fen), nodes=3_000) for fen in FENS]
    return [(result.nodes, result.score, result.pv) for result in results]


def test_searches_of_so_many_nodes_are_always_the_same(files):
    first, other = Engine(GAME, 1, eval_file=files[0]), Engine(GAME, 1, eval_file=files[0])
    assert nodes_and_lines(first) == nodes_and_lines(other) == nodes_and_lines(first)


def test_another_network_of_the_same_shape_changes_scores_and_compiles_nothing(files):
    engine = Engine(GAME, 1, eval_file=files[0])
    before = nodes_and_lines(engine)
    signatures = len(engines.evaluate_root.overloads)
    engine.evaluate(Position(GAME))
    compiled = len(engines.evaluate_root.overloads)
    engine.set_eval_file(files[1])
    engine.evaluate(Position(GAME))
    assert nodes_and_lines(engine) != before
    assert signatures <= compiled == len(engines.evaluate_root.overloads)
    engine.set_eval_file(files[0])
    assert nodes_and_lines(engine) == before


def test_without_a_network_the_hand_written_evaluation_plays(files):
    plain = Engine(GAME, 1, eval_file=False)
    before = nodes_and_lines(plain)
    engine = Engine(GAME, 1, eval_file=files[0])
    assert nodes_and_lines(engine) != before
    engine.set_eval_file(False)
    assert engine.network is None and engine.evaluation == ""
    assert nodes_and_lines(engine) == before


def test_evaluation_of_a_position_is_that_of_the_reference(files):
    engine, position = Engine(GAME, 1, eval_file=files[0]), Position(GAME, FENS[1])
    wanted = network_reference.score(engine.network, features_for(Variant(GAME)), position.state)
    assert engine.evaluate(position).value(engine.network.scale) == wanted
    assert engine.evaluate(position, hand_written=True) == Engine(GAME, 1, eval_file=False).evaluate(position)


def test_network_that_comes_with_the_game_is_taken_unless_another_is_named(files, monkeypatch):
    monkeypatch.setattr(engines, "default_network_path", lambda variant: files[1])
    assert Engine(GAME, 1).evaluation == f"{files[1]} ({HIDDEN} hidden neurons)"
    assert str(files[0]) in Engine(GAME, 1, eval_file=files[0]).evaluation
    assert Engine(GAME, 1, eval_file=False).network is None


def test_network_that_cannot_be_used_is_refused_and_the_one_before_stays(files, tmp_path):
    bad = tmp_path / "bad.network"
    bad.write_bytes(files[0].read_bytes()[:-1])
    with pytest.raises(NetworkError, match=r"bad\.network: truncated"):
        Engine(GAME, 1, eval_file=bad)
    with pytest.raises(NetworkError, match=GAME):
        Engine("chess", 1, eval_file=files[0])
    with pytest.raises(NetworkError, match="cannot be read"):
        Engine(GAME, 1, eval_file=tmp_path / "none.network")
    engine = Engine(GAME, 1, eval_file=files[0])
    before = nodes_and_lines(engine)
    with pytest.raises(NetworkError):
        engine.set_eval_file(bad)
    assert nodes_and_lines(engine) == before and str(files[0]) in engine.evaluation


def test_threads_play_by_one_network(files):
    engine = Engine(GAME, 1, threads=2, eval_file=files[0])
    assert len({int(worker["network"]) for worker in engine.workers}) == 1
    assert engine.play(Position(GAME), nodes=40_000).nodes > 20_000


def test_games_against_oneself_by_a_network(files):
    settings = Settings(nodes=30, plies=6, balance=30_000, most_plies=60)
    network = load_network(files[0], GAME)
    games = [GamePlayer(Variant(GAME), settings, each).play(3) for each in (network, network, None)]
    assert (games[0].moves == games[1].moves).all() and (games[0].scores == games[1].scores).all()
    assert len(games[0].moves) != len(games[2].moves) or (games[0].scores != games[2].scores).any()


def test_file_of_games_by_another_network_is_not_continued(files, tmp_path):
    networks = [load_network(path, GAME) for path in files]
    header = Header.of(Variant(GAME), Settings(), networks[0])
    with GamesFile(tmp_path / "a", header) as file:
        assert file.header.network == {"units": networks[0].scale, "seed": 1}
        assert file.header.player == f"the network {evaluation_digest(Variant(GAME), networks[0])}"
    with GamesFile(tmp_path / "a", header):
        pass
    for other in (networks[1], None):
        with (
            pytest.raises(GamesError, match="evaluation"),
            GamesFile(tmp_path / "a", Header.of(Variant(GAME), Settings(), other)),
        ):
            pass


def test_eval_trace_reports_what_each_piece_adds(files):
    engine, position = Engine(GAME, 1, eval_file=files[0]), Position(GAME, FENS[1])
    found = trace_eval(engine, position)
    squares = [square for square in range(25) if (position.letter_at(square) or "k") not in "kK"]
    assert list(found.pieces) == squares
    assert found.network == engine.evaluate(position).centipawns
    assert found.hand_written == engine.evaluate(position, hand_written=True).centipawns
    total = sum(term.white - term.black for term in found.terms)
    assert abs(total - found.hand_written) <= len(found.terms)


def test_eval_trace_is_in_whites_view_whoever_is_to_move():
    engine = Engine("chess", 1, eval_file=False)
    for turn in "wb":
        found = trace_eval(engine, Position("chess", f"4k3/8/8/8/8/8/8/3QK3 {turn} - - 0 1"))
        assert found.hand_written > 300 and found.pieces[3] > 300 and found.network is None


def test_games_have_a_place_for_their_network():
    assert default_network_path(Variant(GAME)).name == f"{GAME}.network"
    with pytest.raises(VariantError):
        default_network_path(Variant("no-such-game"))
