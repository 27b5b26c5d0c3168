"""The parts of a session, each separately: a game in progress, and the engine's clock."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest
import surajang
from surajang import Limit
from surajang.protocol.session.clock import MIN_CLOCK_S, EngineClock
from surajang.protocol.session.game import BLACK, WHITE, GameInProgress
from surajang.tests.support.clocks import session_clock

pytestmark = pytest.mark.pure

MOST_METHODS = 20


class Line:
    """A stand-in for a position whose moves are words, the same ones everywhere."""

    def __init__(self, variant="words", start_fen=None, legal=("a", "b", "c")):
        self.variant, self.start_fen, self._legal = variant, start_fen, legal
        self.moves, self.pushes = [], 0

    @property
    def turn(self):
        return len(self.moves) % 2

    def copy(self):
        other = Line(self.variant, self.start_fen, self._legal)
        other.moves = list(self.moves)
        return other

    def parse_move(self, text):
        if text not in self._legal:
            raise ValueError(text)
        return text

    def legal_moves(self):
        return list(self._legal)

    def push(self, text):
        self.moves.append(self.parse_move(text))
        return text

    def pop(self):
        return self.moves.pop()


@pytest.fixture
def game():
    game = GameInProgress()
    game.variant = "words"
    game.begin(Line())
    return game


def as_it_is(text, position):
    return text


def test_engine_is_on_move_when_its_side_is(game):
    assert game.engine_side == BLACK and not game.on_move
    game.push("a")
    assert game.on_move
    game.over = True
    assert not game.on_move


def test_move_is_left_out_until_another_is_made(game):
    game.exclude("a", True)
    assert game.searchmoves() == ("b", "c")
    game.exclude(None, True)
    game.exclude("b", False)
    assert game.searchmoves() == ("b",)
    game.push("c")
    assert game.searchmoves() is None


def test_engine_waits_for_a_command_after_its_move_was_taken_back(game):
    game.push("a")
    game.push("b")
    game.take_back(1)
    assert game.position.moves == ["a"] and game.engine_side is None
    game.engine_side = BLACK
    game.take_back(1)
    assert game.engine_side == BLACK


def test_more_moves_than_were_made_are_not_taken_back(game):
    game.push("a")
    with pytest.raises(ValueError, match="fewer than two moves"):
        game.take_back(2)
    assert game.position.moves == ["a"]


def test_known_moves_are_not_made_again(game):
    game.follow(None, ["a", "b"], as_it_is)
    before = game.position
    asked = []
    game.follow(None, ["a", "b", "c"], lambda text, position: asked.append(text) or text)
    assert asked == ["c"] and game.position.moves == ["a", "b", "c"] and game.position is not before


def test_line_with_an_illegal_move_changes_nothing(game):
    game.follow(None, ["a"], as_it_is)
    with pytest.raises(ValueError, match="x"):
        game.follow(None, ["a", "b", "x"], as_it_is)
    assert game.position.moves == ["a"]


def test_turn_of_the_side_to_move_changes_nothing(game):
    before = game.position
    assert not game.set_turn(WHITE)
    assert game.position is before


@pytest.fixture
def clock(monkeypatch):
    clock = EngineClock()
    clock.wall = session_clock(monkeypatch)
    clock.overhead = 0.0
    return clock


def at(ply):
    return SimpleNamespace(ply=ply)


def search(clock, seconds, nodes=0):
    """A finished search with these figures."""
    started = clock.wall.now
    clock.wall.advance(seconds)
    return SimpleNamespace(started=started, nodes=nodes)


def test_increment_and_the_next_session_s_time_come_with_the_move(clock):
    clock.control.moves, clock.control.base, clock.control.increment = 2, 60.0, 1.0
    clock.reset()
    clock.end_move(search(clock, 10), ply=0)
    assert clock.remaining == 51.0
    clock.end_move(search(clock, 10), ply=2)
    assert clock.remaining == 102.0


def test_time_before_a_pause_is_spent(clock):
    clock.control.per_move = 5.0
    clock.begin_move(0.0)
    clock.interrupt_move(search(clock, 2))
    assert clock.limit(at(0)).time == 3.0 and clock.remaining == 298.0
    clock.begin_move(clock.spent)
    clock.end_move(search(clock, 1), ply=0)
    assert clock.limit(at(2)).time == 5.0


def test_time_that_a_command_has_waited_is_gone(clock):
    clock.late, clock.is_awaited = 4.0, True
    assert clock.without_delay(Limit(time=5.0, depth=3)) == Limit(time=1.0, depth=3)
    clock.begin_move(0.0)
    assert clock.limit(at(0)).clock.remaining == 296.0


def test_fallen_flag_leaves_time_for_a_move(clock):
    clock.remaining = -3.0
    assert clock.limit(at(0)).clock.remaining == MIN_CLOCK_S


def test_nodes_are_the_time_where_the_gui_says_so(clock):
    clock.control.node_rate, clock.control.per_move = 1000, 2.0
    assert clock.limit(at(0)).nodes == 2000
    clock.end_move(search(clock, 100, nodes=500), ply=0)
    assert clock.remaining == 299.5


def classes(folder):
    for path in sorted((Path(surajang.__file__).parent / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                yield path.name, node


@pytest.mark.parametrize("folder", ["protocol"])
def test_class_can_be_surveyed(folder):
    """No class has more public methods than a reader can remember."""
    for file, node in classes(folder):
        names = [each.name for each in node.body if isinstance(each, ast.FunctionDef) and each.name[0] != "_"]
        assert len(names) <= MOST_METHODS, f"{file}: {node.name} has {len(names)}"
