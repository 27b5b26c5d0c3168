"""Self-play of games with shuffled starts begins from all of them in turn."""

import json

import numpy as np
import pytest
from surajang import Position
from surajang.engine.definition.shuffled_starts import shuffled_start
from surajang.engine.game.moves import spell
from surajang.engine.variant import Variant
from surajang.eval.network.features import features_for
from surajang.learn.self_play.compiled_games import MATE, Settings
from surajang.learn.self_play.duel_games import Duel, Duellist
from surajang.learn.self_play.game_player import GamePlayer
from surajang.learn.self_play.games_file import GamesError, GamesFile, GamesReader, Header
from surajang.learn.self_play.positions import Filter, read_positions
from surajang.learn.self_play.starts import start_of, starts_for
from surajang.learn.self_play.viewing import game_lines, position_lines
from surajang.tests.support.network_reference import active
from surajang.tests.support.self_played import write_games
from surajang.tests.support.training_data import decoded

pytestmark = pytest.mark.compiled

CHESS960 = Variant("chess960")
STARTS = 960
TINY = Settings(nodes=10, plies=2, balance=MATE, win_score=40_000, most_plies=40)


@pytest.fixture(scope="module")
def player():
    return GamePlayer(CHESS960, TINY, starts=STARTS)


@pytest.fixture(scope="module")
def path(player, tmp_path_factory):
    """A file of ten games."""
    header = Header.of(CHESS960, TINY, starts=STARTS)
    return write_games(tmp_path_factory.mktemp("games") / "a.games", map(player.play, range(10)), header)


def start(number):
    return Position(CHESS960, shuffled_start(CHESS960.description, number))


def replayed(number, moves):
    """The positions of a game before each of its moves, which must be legal."""
    position, found = start(number), []
    for code in moves:
        found.append(position.copy())
        position.push(spell(int(code), position.description))
    return found


def test_all_starts_have_turns():
    assert starts_for(CHESS960) == STARTS and starts_for(Variant("chess")) == 1
    numbers = (0, 1, 518, 959, 960, 961)
    found = [start_of(CHESS960, number, STARTS).fen() for number in numbers]
    assert found == [start(number % STARTS).fen() for number in numbers] and len(set(found)) == 4
    assert start_of(CHESS960, 5, 1).fen() == Position(CHESS960).fen()
    assert start_of(CHESS960, 5, 10).fen() == start(480).fen()


def test_moves_are_legal_from_the_start_of_the_game(player):
    for number in (0, 3, 959, 965):
        game = player.play(number)
        assert len(replayed(number % STARTS, game.moves)) == len(game.moves) > 10


def test_game_from_the_usual_start_is_the_one_without_shuffled_starts(player):
    usual = GamePlayer(CHESS960, TINY)
    one, other = player.play(518), usual.play(518)
    assert np.array_equal(one.moves, other.moves) and np.array_equal(one.scores, other.scores)
    assert not np.array_equal(player.play(517).moves, usual.play(517).moves)


def test_files_are_read_from_the_starts_of_their_games(path):
    every = Filter(max_score=1 << 15, checks=True, tactical=True)
    with GamesReader(path, CHESS960) as reader:
        assert reader.header.starts == STARTS
        games = list(reader.games())
    count = 0
    for batch in read_positions(path, CHESS960, every):
        for number, ply, record in zip(batch.games, batch.plies, batch.positions, strict=True):
            position = replayed(int(number), games[number].moves[: ply + 1])[-1]
            assert (
                record["key"] == position.state["key"] and (record["board"] == position.state["board"]).all()
            )
            count += 1
    assert count > 100
    for number in (1, 7):
        lines = list(game_lines(path, number))[1:-1]
        expected = [each.fen() for each in replayed(number, games[number].moves)]
        assert [line.split(maxsplit=3)[3] for line in lines] == expected


def test_positions_to_learn_from_are_those_of_the_games(path):
    found, games = decoded(path, "chess960")
    quiet = [batch.positions for batch in read_positions(path, CHESS960)]
    positions, features = np.concatenate(quiet), features_for(CHESS960)
    assert len(found.targets) == len(positions) == games[:, 1].sum() > 20
    for number, record in enumerate(positions):
        rows = found.rows[found.starts[number] : found.starts[number + 1]]
        assert sorted(rows) == sorted(active(features, record, int(record["side"])))
    first = next(position_lines(path, 0, 0)).split(" ; ")[0]
    assert Position(CHESS960, first).state["key"] == positions[0]["key"]


def test_files_say_from_how_many_starts_their_games_begin(path, tmp_path):
    chess = Header.of(Variant("chess"), TINY).encoded()
    assert b"starts" not in chess and b'"starts": 960' in path.read_bytes()
    with pytest.raises(GamesError, match="played with starts 960, not 1"):
        GamesFile(path, Header.of(CHESS960, TINY))
    for starts in (0, 961, "two", None):
        strange = tmp_path / f"{json.dumps(starts)}.games"
        strange.write_bytes(Header.of(CHESS960, TINY, starts=starts).encoded())
        with pytest.raises(GamesError, match="the header is not one that this program reads"):
            GamesReader(strange)


def test_pairs_of_a_duel_begin_from_all_starts_in_turn_and_openings_from_the_usual_one():
    duel = Duel(CHESS960, TINY, Duellist(), Duellist())
    for number in (3, 967):
        for game in duel.games(number):
            assert len(replayed(number % STARTS, game.moves)) == len(game.moves) > 10
    opening = [Position(CHESS960).parse_move("b1c3").code]
    for game in duel.games(3, opening):
        assert game.moves[0] == opening[0] and len(replayed(518, game.moves)) == len(game.moves)
