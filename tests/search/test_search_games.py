"""The search in games with other rules than chess: it knows how each of them ends."""

import pytest
import surajang
from surajang.engine.rules import rules_for
from surajang.eval.terms.weights import NORMAL_SCALE
from surajang.search.tree import histories
from surajang.search.tree.worker import worker_dtype
from surajang.tests.support.games import (
    INTERPRETED_SEARCHES,
    PLAYED_GAMES,
    SEARCHED_GAMES,
    branches,
    gathered,
)

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def engine_of():
    """Engines by game, each made once."""
    engines = {}

    def of(variant):
        if variant not in engines:
            engines[variant] = surajang.Engine(variant, hash_mb=4)
        engines[variant].clear()
        return engines[variant]

    return of


@pytest.fixture
def think(engine_of):
    def play(variant, fen, depth, *moves):
        position = surajang.Position(variant, fen)
        for move in moves:
            position.push(move)
        return position, engine_of(variant).play(position, depth=depth)

    return play


# Every game


def check_thinking(variant, engine, moves):
    """Checks that an engine moves legally, and that it thinks ahead."""
    position = surajang.Position(variant)
    for _ in range(moves):
        if position.result() is not None:
            assert position.ply >= 3  # mated soon
            break
        result = engine.play(position, depth=4)
        assert result.depth == 4
        line = position.copy()
        for move in result.pv:
            line.push(move)
        position.push(result.move)


def check_start(variant, engine, depth):
    """Checks that a game's start is about even."""
    score = engine.play(surajang.Position(variant), depth=depth).score
    assert score.mate is None
    assert abs(score.centipawns) < 200  # the right to move is worth more where pieces are dropped


@pytest.mark.parametrize("variant", PLAYED_GAMES)
def test_engine_moves_legally_and_thinks_ahead(variant, engine_of):
    check_thinking(variant, engine_of(variant), moves=4)


@pytest.mark.parametrize("variant", PLAYED_GAMES)
def test_start_is_about_even(variant, engine_of):
    check_start(variant, engine_of(variant), depth=8)


@pytest.fixture(scope="module")
def mixture(tmp_path_factory):
    """The file of a game of GATHERED."""
    path = tmp_path_factory.mktemp("games") / "mixture.toml"
    path.write_text(gathered("chess"))
    return str(path)


def test_engine_plays_a_game_gathered_from_others(mixture, engine_of):
    check_thinking(mixture, engine_of(mixture), moves=4)
    check_start(mixture, engine_of(mixture), depth=8)


@pytest.mark.usefixtures("interpreted_search")
@pytest.mark.parametrize("variant", INTERPRETED_SEARCHES)
def test_interpreted_search_moves_legally_thinks_ahead_and_finds_the_start_even(variant):
    with surajang.Engine(variant, hash_mb=1) as engine:
        check_thinking(variant, engine, moves=2)
        check_start(variant, engine, depth=3)


def test_searches_that_are_compiled_take_every_branch_of_the_rules(mixture):
    taken = {variant: set(branches(rules_for(variant))) for variant in SEARCHED_GAMES}
    compiled = set(branches(rules_for(mixture))).union(*(taken[variant] for variant in PLAYED_GAMES))
    assert not set().union(*taken.values()) - compiled


MATES = {
    "chess": ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8"),
    "crazyhouse": ("6k1/5ppp/8/8/8/8/8/K7[Q] w - - 0 1", "Q@"),
    "janggi": ("3k5/R8/9/9/9/9/9/9/9/4K3R w - - 0 1", "i1i10"),
    "xxl": ("7k6/R13/14/14/14/14/14/14/14/14/14/14/14/6K6R w - - 0 1", "n1n14"),
    "minishogi": ("2k2/5/2G2/5/2K2[G] w 0 1", "G@"),
}


def check_mate(position, result, move):
    """Checks that a search found a mate in one."""
    assert str(result.move).startswith(move)
    assert result.score.mate == 1
    position.push(result.move)
    assert position.result().score == "1-0"


@pytest.mark.parametrize("variant", MATES)
def test_mate_in_one_is_found(variant, think):
    fen, move = MATES[variant]
    check_mate(*think(variant, fen.replace(" w 0 1", " w - - 0 1"), 4), move)


@pytest.mark.usefixtures("interpreted_search")
def test_interpreted_search_finds_a_mate_in_one():
    position = surajang.Position("grand", "4k5/R9/10/10/10/10/10/10/10/5K3R w - - 0 1")
    with surajang.Engine("grand", hash_mb=1) as engine:
        check_mate(position, engine.play(position, depth=3), "j1j10")


# Chaotic Chess


def test_backstab_wins(think):
    position, result = think("chaotic", "7n/8/8/2Mk4/5M2/8/8/K7 w - - 0 1", 3)
    assert (str(result.move), result.score.mate) == ("f4e5", 1)
    position.push(result.move)
    assert position.result().score == "1-0"
    assert position.legal_moves() == []


def test_backstab_is_parried(think):
    """Black prevents it, although the merchants give no check."""
    position, result = think("chaotic", "1r5n/8/8/2Mk4/5M2/8/8/K7 b - - 0 1", 4)
    assert not position.is_check()
    assert result.score.mate is None
    position.push(result.move)
    for reply in position.legal_moves():
        position.push(reply)
        assert position.result() is None
        position.pop()


def test_taking_the_last_piece_wins(think):
    position, result = think("chaotic", "k6n/p7/8/8/8/8/8/K6R w - - 0 1", 3)
    assert (str(result.move), result.score.mate) == ("h1h8", 1)
    position.push(result.move)
    assert position.result().score == "1-0"


def test_side_about_to_lose_its_last_piece_is_not_thought_safe(think):
    """However high its evaluation is: White loses the rook, by quiet moves."""
    _, result = think("chaotic", "k4P2/5P2/p2p4/5rP1/1pPp4/P2Pa3/3N1R2/6K1 b - - 13 54", 13)
    assert (str(result.move), result.score.mate) == ("f5f2", 3)


BUMPED = "6p1/2kaM3/p2r1pR1/5p1M/4Ap1p/7K/5P2/P2P4 b - - 11 48"


def test_positions_that_return_after_two_plies_are_repetitions(engine_of):
    """Each pawn pushes the other back, so White, who is winning, would draw by f1f2."""
    position = surajang.Position("chaotic", BUMPED)
    for move in ("f4f3", "f1f2", "f4f3"):
        position.push(move)
    engine = engine_of("chaotic")
    assert engine.play(position, depth=5, searchmoves=["f1f2"]).score.centipawns == 0
    position.push("f1f2")
    assert position.result().score == "1/2-1/2"


# Pandemonium, vchess edition

ONLY_KNIGHT_MOVES = "k9/9R/10/10/n9/10/10/10/10/KR8[] b KQkq - 0 1"


def test_exposing_the_kings_loses(think):
    position, result = think("pandemonium-vchess", ONLY_KNIGHT_MOVES, 3)
    assert result.score.mate == -1
    position.push(result.move)
    assert position.result().score == "1-0"


def test_kings_stay_covered(think):
    position, result = think("pandemonium-vchess", "4k5/10/10/10/10/10/10/10/4B5/4K5[] w - - 0 1", 4)
    assert result.score.mate is None
    position.push(result.move)
    assert position.result() is None


def test_setup_is_chosen(think):
    position, result = think("pandemonium-vchess", None, 4)
    assert result.move.is_choice
    assert result.move in position.legal_moves()


# Janggi


def test_facing_kings_that_stay_are_a_draw_for_who_is_losing(think):
    position, result = think("janggi", "3k5/9/9/9/9/9/9/9/9/3K1R3 b - - 0 1", 4)
    assert result.score.centipawns == 0
    position.push(result.move)
    assert position.result().score == "1/2-1/2"


def test_who_is_winning_leaves_the_file(think):
    position, result = think("janggi", "3k5/9/9/9/9/9/9/9/9/3K1R2R w - - 0 1", 4)
    assert result.score.centipawns > NORMAL_SCALE // 2
    position.push(result.move)
    assert position.result() is None


LOST_FOR_BLACK = "4k4/9/9/9/9/9/R8/9/9/3K1R3 w - - 0 1"


def test_second_pass_draws_for_who_is_losing(think):
    position, result = think("janggi", LOST_FOR_BLACK, 4, "d1d1")
    assert result.move.is_pass
    assert result.score.centipawns == 0
    position.push(result.move)
    assert position.result().score == "1/2-1/2"


def test_who_is_winning_does_not_pass_after_a_pass(think):
    _, result = think("janggi", LOST_FOR_BLACK.replace(" w ", " b "), 5, "e10e10")
    assert not result.move.is_pass
    assert result.score.centipawns > 500


# Counting moves, and dead positions


def test_fifty_moves_save_who_is_losing(think):
    _, result = think("chess", "7k/8/8/8/8/8/R7/K7 b - - 99 80", 4)
    assert result.score.centipawns == 0


def test_fifty_moves_make_who_is_winning_push_a_pawn(think):
    position, result = think("chess", "7k/8/8/8/8/P7/R7/K7 w - - 99 80", 4)
    assert str(result.move) == "a3a4"
    assert result.score.centipawns > 300
    position.push(result.move)
    assert position.result() is None


def test_mate_counts_on_the_fiftieth_move(think):
    position, result = think("chess", "7k/R7/8/8/8/8/8/KR6 w - - 99 80", 2)
    assert result.score.mate == 1
    position.push(result.move)
    assert position.result().score == "1-0"


def test_last_pawn_taken_leaves_a_dead_position(think):
    position, result = think("chess", "8/8/8/8/8/3n4/3pK3/7k w - - 0 1", 4)
    assert str(result.move) == "e2d2"
    assert result.score.centipawns == 0
    position.push(result.move)
    assert position.result().score == "1/2-1/2"


def test_worker_of_the_largest_board_is_small(tmp_path):
    letters = "QRBNPACDEFGHIJLMOST"
    pieces = "\n".join(f'{letter} = {{ name = "Piece {letter}", moves = "WfF" }}' for letter in letters)
    rows = "/".join(["k15", *["16"] * 14, "K15"])
    path = tmp_path / "huge.toml"
    path.write_text(
        f'name = "huge"\ntitle = "Huge"\nstart = "{rows}[] w - - 0 1"\n[board]\nfiles = 16\nranks = 16\n'
        f'[pieces]\nK = {{ name = "King", moves = "K", royal = true }}\n{pieces}\n'
        f'[drops]\npieces = "{letters}"\n[end]\ncheckmate = "loss"\nstalemate = "draw"\n'
    )
    rules = rules_for(str(path))
    assert rules.kinds * rules.squares >= 20 * 256
    assert worker_dtype(rules).itemsize < 64 << 20


def test_search_with_fewer_rows_of_its_history_keeps_to_them(monkeypatch):
    """As on large boards, where several moves share a row."""
    rules = rules_for("minishogi")
    monkeypatch.setattr(histories, "CONTINUATION_BYTES", 40 * 2 * histories.columns_of(rules))
    worker_dtype.cache_clear()
    try:
        engine = surajang.Engine("minishogi", 1, eval_file=False)
        position = surajang.Position("minishogi")
        found = engine.play(position, nodes=20_000)
        worker = engine.workers[0]
        engine.close()
    finally:
        worker_dtype.cache_clear()
    assert worker["continuation"].shape[0] == worker["touched_rows"].size == 40
    assert worker["touched_rows"][1:].mean() > 0.9
    assert found.depth >= 5 and found.move in position.legal_moves()
