"""Watching the games of a running match: small boards, and one of them large."""

import pytest
from surajang.board import live_boards
from surajang.board.live_boards import LiveBoards
from surajang.engine.variant import Variant
from surajang.match.records import live
from surajang.match.records.live import LiveGames
from surajang.match.records.model import MatchGame, MoveRecord, Opening
from surajang.tests.support import board as boards
from surajang.tests.support.board import START, match_folder, opened
from surajang.tests.support.fake_players import wait_for

pytestmark = pytest.mark.process

serve = boards.serve

REPLY = MoveRecord("e7e5", 0.1, score=20, depth=5)  # the same game as that of `match_folder`
KNIGHT = MoveRecord("g1f3", 0.2, mate=3)


def game(number, *moves):
    return MatchGame(number, number // 2, number % 2, 1 - number % 2, Opening(START, moves or ("e2e4",)))


@pytest.fixture
def match(tmp_path, monkeypatch):
    """A match whose files are written at once."""
    monkeypatch.setattr(live, "WRITE_SECONDS", 0.005)
    match_folder(tmp_path, [])
    with LiveGames(tmp_path) as games:
        yield games


@pytest.fixture
def watched(serve, match, tmp_path):
    board = serve(folder=tmp_path, engines=[])
    board.call(board.session.watch.begin)
    return board


def shown(page, wanted):
    """The small boards as soon as they have the wanted state."""
    return page.until("live", lambda message: wanted(message["games"]))["games"]


def begun(page, match):
    """Game 0 begins and is chosen for the large board."""
    match.started(game(0), [60.0, 50.0])
    shown(page, lambda games: games)
    page.send("watch_live", number=0)
    page.state(lambda state: state["ply"] == 1)


def test_game_in_play_has_a_small_board_with_clocks_scores_and_its_last_move(watched, match):
    with watched.page() as socket:
        page = opened(socket)
        match.started(game(0), [60.0, 50.0])
        (first,) = shown(page, lambda games: len(games) == 1)
        assert (first["white"], first["black"], first["ply"], first["turn"]) == ("one", "two", 1, 1)
        assert first["clocks"] == [60.0, 50.0] and first["running"] is None
        assert first["pieces"]["28"] == "P" and first["last"] == {"from": 12, "to": 28}
        match.moved(game(0), REPLY, [60.0, 49.9])
        match.moved(game(0), KNIGHT, [59.5, 49.9])
        (first,) = shown(page, lambda games: games and games[0]["ply"] == 3)
        assert first["scores"] == [{"mate": 3}, {"cp": -20}]  # as White sees them
        assert first["clocks"] == [59.5, 49.9] and first["turn"] == 1 and first["running"] < 60
        match.ended(game(0))
        assert shown(page, lambda games: not games) == []


def test_new_page_is_told_what_is_in_play(watched, match):
    match.started(game(0), [60.0, 50.0])
    wait_for(lambda: watched.session.watch.live_message()["games"])
    with watched.page() as socket:
        page = opened(socket)
        assert len(page.until("live")["games"]) == 1


def test_chosen_game_is_followed_to_its_end_on_the_large_board(watched, match, tmp_path):
    with watched.page() as socket:
        page = opened(socket)
        match.started(game(0), [60.0, 50.0])
        match.started(game(1), [60.0, 50.0])
        shown(page, lambda games: len(games) == 2)
        page.send("watch_live", number=0)
        assert page.state(lambda state: state["ply"] == 1)["last"]["text"] == "e2e4"
        page.until("live", lambda message: message["shown"] == 0)
        match.moved(game(0), REPLY, [60.0, 49.9])
        state = page.state(lambda state: state["ply"] == 2)
        assert state["last"]["text"] == "e7e5"
        nodes = page.last["nodes"]["nodes"]
        assert nodes[-1]["eval"]["cp"] == -20
        match.ended(game(0))
        match_folder(tmp_path, [0])
        page.until("tree", lambda tree: tree["tags"]["Result"] == "1-0")
        told = page.until("watch", lambda message: message["shown"] == 0)
        assert told["match"]["games"] and told["follow"]  # "Show each new game" is still chosen
        assert watched.session.watch.live_message()["shown"] is None


def test_moves_come_while_the_user_looks_at_another_one(watched, match):
    with watched.page() as socket:
        page = opened(socket)
        begun(page, match)
        page.send("goto", node=0)
        page.state(lambda state: state["ply"] == 0)
        match.moved(game(0), REPLY, [60.0, 49.9])
        assert page.until("nodes")["nodes"][-1]["move"] == "e7e5"
        assert watched.call(lambda: watched.session.tree.node) == 0


def test_user_s_own_move_is_a_variation_and_the_game_continues_beside_it(watched, match):
    with watched.page() as socket:
        page = opened(socket)
        begun(page, match)
        page.move("d5")
        match.moved(game(0), REPLY, [60.0, 49.9])
        parent, node = page.until("nodes", lambda message: len(message["nodes"]) == 2)["nodes"]
        while node["move"] != "e7e5":
            parent, node = page.until("nodes")["nodes"]
        assert parent["children"][0] == node["id"] and len(parent["children"]) == 2


def test_other_game_on_the_board_ends_the_following(watched, match):
    with watched.page() as socket:
        page = opened(socket)
        begun(page, match)
        page.send("new")
        page.state(lambda state: state["ply"] == 0)
        match.moved(game(0), REPLY, [60.0, 49.9])
        told = page.until("live", lambda message: message["games"] and message["games"][0]["ply"] == 2)
        assert told["shown"] is None
        assert watched.call(lambda: len(watched.session.tree.nodes)) == 1


def test_game_that_is_begun_again_is_not_mixed_with_what_was_shown(watched, match):
    with watched.page() as socket:
        page = opened(socket)
        match.started(game(0), [60.0, 50.0])
        match.moved(game(0), REPLY, [60.0, 49.9])
        shown(page, lambda games: games and games[0]["ply"] == 2)
        page.send("watch_live", number=0)
        page.state(lambda state: state["ply"] == 2)
        match.started(game(0), [60.0, 50.0])
        match.moved(game(0), MoveRecord("d7d5", 0.1), [60.0, 49.9])
        told = page.until("live", lambda message: message["shown"] is None)
        assert watched.call(lambda: len(watched.session.tree.nodes)) == 3 and told["games"]


@pytest.mark.parametrize("number", [5, "x", None])
def test_game_that_is_not_in_play_cannot_be_chosen(watched, number):
    with watched.page() as socket:
        page = opened(socket)
        page.send("watch_live", number=number)
        assert page.until("error")["text"]
        assert page.move("e4")["ply"] == 1


def test_most_boards_and_games_of_the_journal_and_illegal_moves_have_no_board(tmp_path, match, monkeypatch):
    monkeypatch.setattr(live_boards, "MOST_BOARDS", 2)
    for number in range(4):
        match.started(game(number), [None, None])
    match.started(game(4, "e2e5"), [None, None])
    wait_for(lambda: len(list((tmp_path / "live").glob("*.json"))) == 5)
    found = LiveBoards(tmp_path)
    found.read(Variant("crazyhouse"), {(0, 0)})
    assert [one["number"] for one in found.as_json(["one", "two"])] == [1, 2]
    found.read(Variant("crazyhouse"), {(0, 0), (1, 0), (2, 0), (3, 0)})
    assert found.as_json(["one", "two"]) == []


def test_clock_of_the_side_to_move_has_run_since_the_last_move(tmp_path, match):
    match.started(game(0), [60.0, 50.0])
    match.moved(game(0), REPLY, [60.0, 49.9])
    found = LiveBoards(tmp_path, now=lambda: 0.0)
    wait_for(lambda: found.read(Variant("crazyhouse"), ()) and found.find(0).plies)
    since = found.find(0).since
    found = LiveBoards(tmp_path, now=lambda: since + 7)
    found.read(Variant("crazyhouse"), ())
    (first,) = found.as_json(["one", "two"])
    assert first["running"] == 7 and first["turn"] == 0
