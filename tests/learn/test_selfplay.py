"""Whole games in compiled code: their rules, searches, adjudication, and dependencies."""

import threading
import time

import numpy as np
import pytest
from surajang import Engine, Position
from surajang.engine.game.moves import spell
from surajang.engine.kernel.compiler import entry_point
from surajang.engine.variant import Variant
from surajang.eval.network.installing import default_network
from surajang.learn.self_play.compiled_games import (
    BY_RULE,
    DEAD,
    LEVEL,
    MATED,
    MAX_PLIES,
    NO_MOVE,
    NO_SCORE,
    OPENING_TRIES,
    PERPETUAL,
    QUIET_LIMIT,
    REPETITION,
    TOO_LONG,
    UNENDED,
    WON,
    Settings,
    _make,
    judge,
    set_up,
)
from surajang.learn.self_play.game_player import GamePlayer, OpeningError, StoppedError
from surajang.learn.self_play.viewing import position_after
from surajang.search.offered_draws import offered_draws
from surajang.search.results import Score
from surajang.search.tree.parameters import MATE, MATE_BOUND
from surajang.tests.support.games import SEED_GAMES, setup

pytestmark = pytest.mark.compiled

BY_NETWORK = "minishogi"
TINY = Settings(nodes=20, plies=4, balance=MATE, win_score=40_000, draw_plies=1000, most_plies=300)
POINTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
SECONDS = 30  # within which a game that is stopped must have ended
REASONS = {
    MATED: "mates",
    NO_MOVE: ("Stalemate", "has no move"),
    QUIET_LIMIT: "moves without progress",
    DEAD: "neither side can mate",
    REPETITION: "Draw by repetition",
    PERPETUAL: "checks perpetually",
    BY_RULE: ("Both sides passed", "Bikjang", "backstabs", "nothing but king", "exposed the kings"),
}


def referee(variant, game, fen=None):
    """Replays a game on `Position`: its moves must be legal, and it must end where and as the rules
    require."""
    position = Position(variant, fen)
    for ply, code in enumerate(game.moves):
        assert position.result() is None, (ply, position.fen())
        position.push(spell(int(code), position.description))
    result = position.result()
    if game.ending in REASONS:
        reasons = REASONS[game.ending]
        assert result is not None, position.fen()
        assert any(part in result.reason for part in ([reasons] if isinstance(reasons, str) else reasons))
        assert result.score == POINTS[game.result], position.fen()
    else:
        assert result is None, position.fen()


@pytest.mark.parametrize("variant", [*SEED_GAMES, BY_NETWORK])
def test_moves_are_legal_and_results_are_those_of_the_rules(variant):
    network = default_network(Variant(variant)) if variant == BY_NETWORK else None
    player = GamePlayer(Variant(variant), TINY, network)
    for number in range(2):
        game = player.play(number)
        assert len(game.moves) == len(game.scores) <= TINY.most_plies
        assert game.ending != TOO_LONG or len(game.moves) == TINY.most_plies
        referee(variant, game)


def from_fen(variant, fen, **settings):
    """Games that begin with a position and no random moves."""
    player = GamePlayer(Variant(variant), TINY._replace(plies=0, **settings))
    player._starts = np.array([Position(variant, fen).state])
    player._game["start"] = player._starts[0]
    return player


ENDS = {
    "mate": ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", MATED),
    "the last move before the limit": ("chess", "k7/2Q5/8/8/8/8/8/6K1 w - - 99 1", QUIET_LIMIT),
    "dead position": ("chess", "8/8/8/8/8/8/k1pK4/8 w - - 0 1", DEAD),
    "no progress": ("chess", "8/8/4k3/8/8/4K3/4R3/8 w - - 97 1", QUIET_LIMIT),
}


@pytest.mark.parametrize("what", ENDS)
def test_game_ends_as_position_says(what):
    variant, fen, ending = ENDS[what]
    game = from_fen(variant, fen, nodes=200).play(0)
    referee(variant, game, fen)
    assert game.ending == ending


def test_every_way_to_end_by_rule_is_met_and_agrees_with_position():
    """Games with little material at few nodes, in which blunders lead to every rule."""
    met = set()
    for variant, fen in (
        ("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("chess", "4k3/8/8/8/8/5q2/8/4K3 b - - 0 1"),
        ("chess", "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/3RK3 w - - 80 1"),
        ("pandemonium", None),
        ("pandemonium-vchess", None),
        ("janggi", None),
        ("chaotic", None),
    ):
        player = from_fen(variant, fen, nodes=3, most_plies=500)
        player._game["plies"] = 2
        for number in range(12):
            game = player.play(number)
            referee(variant, game, fen)
            met.add(game.ending)
    assert {MATED, NO_MOVE, QUIET_LIMIT, DEAD, REPETITION, BY_RULE} <= met


@entry_point
def ending_of(rules, worker, game, moves):
    """The state of the game after moves from its start, which do not end it earlier."""
    set_up(rules, worker, game)
    for move in moves:
        _make(rules, worker, game, np.int64(move), np.int64(0))
    judge(rules, worker, game, np.int64(1))
    return game.ending


CHECKS = "e10d10 e5d5 d10e10 d5e5 "
QUIET = "e10d10 e5f5 d10e10 f5e5 "
AROUND = "e5d5 d10e10 d5e5 e10d10 "
LINES = {
    "perpetual check": ("Kj1 ke10 Ra5", "a5e5 " + 2 * CHECKS, PERPETUAL),
    "only once": ("Kj1 ke10 Ra5", "a5e5 " + CHECKS, UNENDED),
    "quiet long ago": ("Kj1 ke10 Ra5", "a5e5 " + QUIET + CHECKS, PERPETUAL),
    "one quiet move": ("Kj1 ke10 Ra5", "a5e5 " + CHECKS + QUIET, REPETITION),
    "the checker is to move": ("Kj1 kd10 Re5", 2 * AROUND, PERPETUAL),
}


@pytest.mark.parametrize("what", LINES)
def test_repetition_is_judged_as_position_does(what):
    """Games by the search never reach it, because the search knows that perpetual check loses."""
    pieces, moves, ending = LINES[what]
    player = from_fen("pandemonium", setup(pieces))
    position = Position("pandemonium", setup(pieces))
    codes = np.array([position.push(move).code for move in moves.split()], np.int64)
    found = ending_of(player.rules, player._worker, player._game, codes)
    result = position.result()
    assert found == ending
    assert (result is None) == (found == UNENDED)
    if result:
        assert result.score == POINTS[int(player._game["result"])]


def test_searches_are_those_of_the_engine():
    """At fixed depth and with the same memory: move for move, until one finds a mate."""
    settings = TINY._replace(nodes=None, depth=4, plies=6)
    for variant in ("crazyhouse", "janggi"):
        game = GamePlayer(Variant(variant), settings).play(1)
        position = position_after(Variant(variant), game.moves[: game.opening])
        engine = Engine(variant, hash_mb=settings.table_mb, eval_file=False)
        compared = 0
        for code, score in zip(game.moves[game.opening :], game.scores[game.opening :], strict=True):
            if offered_draws(position, position.legal_moves()):
                break  # the engine weighs a draw that is offered by itself
            if score == NO_SCORE:
                assert position.is_check()
                assert len(position.legal_moves()) == 1
            else:
                played = engine.play(position, depth=4)
                if played.score.mate is not None:
                    break
                assert played.move.code == code
                assert played.score.centipawns == (-score if position.turn else score)
                compared += 1
            position.push(spell(int(code), position.description))
        assert compared > 20


def test_scores_are_whites_and_mates_keep_their_distance():
    fen = "7k/8/5KQ1/8/8/8/8/8 {} - - 0 1"
    assert from_fen("chess", fen.format("w"), nodes=500).play(0).scores[0] == Score(0, 1).value()
    black = "8/8/8/8/8/5kq1/8/7K b - - 0 1"
    assert from_fen("chess", black, nodes=500).play(0).scores[0] == -Score(0, 1).value()


def test_game_is_the_same_whatever_was_played_before():
    settings = TINY._replace(nodes=100)
    fresh = [GamePlayer(Variant("crazyhouse"), settings).play(number) for number in (0, 7)]
    player = GamePlayer(Variant("crazyhouse"), settings)
    after = {number: player.play(number) for number in (9, 7, 3, 0)}
    for one in fresh:
        other = after[one.number]
        assert np.array_equal(one.moves, other.moves)
        assert np.array_equal(one.scores, other.scores)
        assert one[3:] == other[3:]


def test_rows_of_the_continuation_history_that_were_written_are_known():
    player = GamePlayer(Variant("crazyhouse"), TINY._replace(nodes=500))
    player.play(0)
    worker = player._worker
    written = worker["continuation"].any(axis=1)
    assert written.any()
    assert not (written & (worker["touched_rows"] == 0)).any()


@pytest.mark.parametrize("change", [{"seed": 2}, {"nodes": 60}, {"plies": 5}])
def test_other_settings_give_other_games(change):
    settings = TINY._replace(nodes=300)
    one, other = (
        GamePlayer(Variant("crazyhouse"), s).play(0) for s in (settings, settings._replace(**change))
    )
    assert not np.array_equal(one.moves, other.moves)


def test_games_with_other_numbers_differ():
    player = GamePlayer(Variant("crazyhouse"), TINY._replace(plies=8))
    openings = {tuple(player.play(number).moves[:8].tolist()) for number in range(30)}
    assert len(openings) == 30


def test_openings_are_random_moves_one_more_in_every_second_game():
    player = GamePlayer(Variant("chess"), TINY._replace(plies=3))
    for number in range(6):
        game = player.play(number)
        assert game.opening == 3 + number % 2
        assert (game.scores[: game.opening] == NO_SCORE).all()
        assert game.scores[game.opening] != NO_SCORE


def test_first_moves_are_equally_likely():
    player = GamePlayer(Variant("chess"), TINY._replace(plies=1, most_plies=3))
    counts = np.unique([player.play(number).moves[0] for number in range(400)], return_counts=True)[1]
    assert len(counts) == 20
    assert ((counts - 20) ** 2 / 20).sum() < 50  # chi-square, 19 degrees of freedom: one in 7,000


def test_game_begins_level():
    wild = GamePlayer(Variant("crazyhouse"), TINY._replace(plies=10, nodes=200))
    calm = GamePlayer(Variant("crazyhouse"), TINY._replace(plies=10, nodes=200, balance=100))
    assert max(abs(int(g.scores[g.opening])) for g in map(wild.play, range(12))) > 100
    for number in range(12):
        game = calm.play(number)
        assert abs(int(game.scores[game.opening])) <= 100


@pytest.mark.parametrize("variant", ["chaotic", "pandemonium-vchess"])
def test_game_continues_from_a_given_opening(variant):
    player, other = GamePlayer(Variant(variant), TINY), GamePlayer(Variant(variant), TINY)
    for number in (3, 4):
        whole = player.play(number)
        given = other.play_on(number, whole.moves[: whole.opening])
        assert (given.moves.tolist(), given.scores.tolist()) == (whole.moves.tolist(), whole.scores.tolist())
        assert (given.opening, given.result, given.ending) == (whole.opening, whole.result, whole.ending)
    assert other.play_on(0, []).opening == 0


def test_openings_that_are_never_level_are_an_error():
    with pytest.raises(OpeningError, match=f"more than -1 centipawns .* {OPENING_TRIES} times"):
        GamePlayer(Variant("chess"), TINY._replace(balance=-1)).play(0)


def streak(scores, counts):
    """The length of the streak at the end of the scores of searches that count."""
    length = 0
    for score in reversed([int(score) for score in scores if score != NO_SCORE]):
        if not counts(score):
            break
        length += 1
    return length


def test_decided_game_is_won_after_so_many_searches():
    settings = TINY._replace(win_score=600, win_plies=3, nodes=100)
    player, met = GamePlayer(Variant("crazyhouse"), settings), 0
    for number in range(10):
        game = player.play(number)
        won = max(streak(game.scores, lambda s: s >= 600), streak(game.scores, lambda s: s <= -600))
        assert (won == 3) if game.ending == WON else won < 3 or game.ending == MATED
        if game.ending == WON:
            assert game.result == np.sign(int(game.scores[game.scores != NO_SCORE][-1]))
            met += 1
    assert met > 3


def test_level_game_is_drawn_after_so_many_searches_and_plies():
    settings = TINY._replace(draw_score=100, draw_plies=6, draw_after=40)
    player, met = GamePlayer(Variant("janggi"), settings), 0
    for number in range(6):
        game = player.play(number)
        level = streak(game.scores[40:], lambda score: abs(score) <= 100)
        assert game.ending != LEVEL or (level == 6 and len(game.moves) >= 46 and game.result == 0)
        assert level <= 6
        met += game.ending == LEVEL
    assert met > 1


def test_longest_game_is_drawn():
    game = GamePlayer(Variant("chess"), TINY._replace(most_plies=10)).play(0)
    assert (len(game.moves), game.ending, game.result) == (10, TOO_LONG, 0)


def test_game_that_could_not_be_kept_is_refused():
    GamePlayer(Variant("chess"), TINY._replace(plies=MAX_PLIES - 1, most_plies=MAX_PLIES))
    for change in ({"plies": MAX_PLIES}, {"most_plies": MAX_PLIES + 1}):
        with pytest.raises(ValueError, match=f"more than {MAX_PLIES} plies"):
            GamePlayer(Variant("chess"), TINY._replace(**change))


def test_search_finishes_its_iteration_and_takes_the_nodes_it_was_given_on_average():
    player = GamePlayer(Variant("crazyhouse"), Settings(nodes=400))
    for number in range(10):
        player.play(number)
    assert 250 < player.nodes / player.searches < 600


def test_mates_are_rare_but_announced_by_their_scores():
    player = GamePlayer(Variant("crazyhouse"), TINY._replace(nodes=200))
    scores = np.concatenate([player.play(number).scores for number in range(5)])
    searched = np.abs(scores[scores != NO_SCORE].astype(int))
    assert (searched >= MATE_BOUND).any()
    assert (searched <= Score(0, 1).value()).all()


def test_player_that_is_stopped_ends_its_game():
    player = GamePlayer(Variant("crazyhouse"), TINY._replace(nodes=10**9, most_plies=400))
    raised = []

    def play():
        try:
            player.play(0)
        except StoppedError as error:
            raised.append(error)

    thread = threading.Thread(target=play)
    thread.start()
    time.sleep(0.2)
    player.stop()
    thread.join(SECONDS)
    assert not thread.is_alive()
    assert len(raised) == 1
    with pytest.raises(StoppedError):
        player.play(1)
