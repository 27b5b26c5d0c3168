"""Commands of UCI for people: perft and bench, which `stop` ends, `flip`, `help`; and the table of all."""

import re
import threading
import time

import pytest
from surajang import Engine, Position
from surajang.engine.bench_positions import items_of
from surajang.engine.movegen import perft as counting
from surajang.engine.variant import Variant
from surajang.protocol.session.loading import Loaded
from surajang.protocol.uci.notation import UciNotation, flipped
from surajang.protocol.uci.protocol import COMMANDS, Uci
from surajang.protocol.wire.stdio import InputLine
from surajang.tests.support.engines import Indifferent
from surajang.tests.support.gui import READY, SOON

pytestmark = pytest.mark.compiled

ENDGAME = "4k3/8/8/8/8/8/4P3/4K3[] w - - 0 1"


class Talk:
    """A conversation about crazyhouse in this process."""

    def __init__(self):
        self.lines = []
        self._wakened = threading.Condition()
        self._events = []
        self._talk = Uci(self.lines.append, self._post)
        self._talk.handle(Loaded(Variant("crazyhouse"), Indifferent(), Position("crazyhouse")))

    def _post(self, event):
        with self._wakened:
            self._events.append(event)
            self._wakened.notify()

    def say(self, *lines):
        """The output of the lines."""
        self.lines.clear()
        for line in lines:
            self._talk.handle(InputLine(line))
        return list(self.lines)

    def expect(self, pattern):
        """The output up to a line that matches."""
        while not any(re.fullmatch(pattern, line) for line in self.lines):
            self.next()
        return list(self.lines)

    def next(self):
        """Handles the event that comes next."""
        with self._wakened:
            assert self._wakened.wait_for(lambda: self._events, READY), self.lines
            event = self._events.pop(0)
        self._talk.handle(event)

    @property
    def fen(self):
        return self._talk._session.position.fen()


@pytest.fixture
def talk():
    talk = Talk()
    yield talk
    talk.say("stop")  # a count would go on beside all later tests


# The table


def test_help_names_every_command(talk):
    lines = talk.say("help")
    assert [line.split()[0] for line in lines] == list(COMMANDS)
    assert {"uci", "position", "go", "stop", "d", "flip", "bench", "help", "quit"} <= set(COMMANDS)


@pytest.mark.parametrize(
    "line", ["ucinewgame", "position startpos", "go perft 1", "eval", "flip", "d", "bench"]
)
def test_lines_wait_for_the_end_of_a_count(talk, line):
    talk.say("go perft 12")
    assert talk.say(line) == []
    stopped = talk.say("stop")
    assert stopped[:2] == ["", "Nodes searched: 0"]
    assert bool(stopped[2:]) == (line not in ("ucinewgame", "position startpos", "flip"))
    assert talk.say("help", "stop")[0].startswith("uci ")


# Perft


def test_perft_is_the_sum_of_its_lines(talk):
    talk.say(f"position fen {ENDGAME}", "go perft 4")
    *lines, blank, total = talk.expect("Nodes searched: .*")
    counts = dict(line.split(": ") for line in lines if not line.startswith("info string "))
    position = Position("crazyhouse", ENDGAME)
    assert list(counts) == sorted(map(str, position.legal_moves())) and blank == ""
    assert sum(map(int, counts.values())) == counting.perft(position, 4) == int(total.split()[-1])


def test_stop_ends_perft_inside_the_first_move(talk):
    talk.say("go perft 16")
    assert talk.say("stop") == ["", "Nodes searched: 0"]
    assert talk.say("stop") == []


def test_stopped_perft_computes_no_more(talk, monkeypatch):
    """Also below a single move, where the depth says nothing about the size of the tree."""
    one_move = "rnb1kbnr/pppp1ppp/8/4p3/7q/P4P2/1PPPP1PP/RNBQKBNR[] w KQkq - 1 3"
    counts, interruptible = threading.Event(), counting.interruptible

    def count(work, stop):
        counts.set()
        return interruptible(work, stop)

    monkeypatch.setattr(counting, "interruptible", count)
    talk.say(f"position fen {one_move}", "go perft 12")
    assert counts.wait(SOON) and any(thread.name == "task" for thread in threading.enumerate())
    assert talk.say("stop") == ["", "Nodes searched: 0"]
    wait_for(lambda: not any(thread.name == "task" for thread in threading.enumerate()))


def wait_for(condition):
    """Waits until the condition holds; fails after a limit."""
    deadline = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_stop_ends_perft_while_it_compiles(talk, monkeypatch):
    """The compiler continues, but the answer is there, and its later output is ignored."""
    compiling, compiled = threading.Event(), threading.Event()

    def compile_slowly(rules, progress):
        progress(1, 10, "compiling")
        compiling.set()
        compiled.wait(SOON)
        progress(2, 10, "compiling")

    monkeypatch.setattr(counting, "compile_perft", compile_slowly)
    talk.say("go perft 2")
    assert compiling.wait(SOON)
    said = talk.expect("info string compiling .*")
    assert said == ["info string compiling perft, once for this machine: it takes some seconds"]
    assert talk.say("stop") == ["", "Nodes searched: 0"]
    compiled.set()
    talk.next()
    assert talk.lines == ["", "Nodes searched: 0"]


def test_compilation_is_not_announced_with_cached_code(talk, monkeypatch):
    monkeypatch.setattr(counting, "compile_perft", lambda rules, progress: progress(10, 10, "ready"))
    talk.say("go perft 1")
    assert not [line for line in talk.expect("Nodes searched: .*") if line.startswith("info")]


def test_failing_perft_is_reported_and_ends(talk, monkeypatch):
    monkeypatch.setattr(counting.LegalMoveTree, "divide", lambda tree: 1 // 0)
    talk.say("go perft 2")
    assert "info string ZeroDivisionError: integer division or modulo by zero" in talk.expect("Nodes .*")
    assert talk.say("go perft 0")[0].startswith("info string perft counts")


# Bench


def summed(lines):
    """(nodes, nodes a second) of the last lines."""
    assert re.fullmatch(r"Total time \(ms\) : \d+", lines[-3])
    nodes, nps = (re.fullmatch(pattern, line) for pattern, line in zip(SUMS, lines[-2:], strict=True))
    return int(nodes[1]), int(nps[1])


SUMS = (r"Nodes searched  : (\d+)", r"Nodes/second    : (\d+)")


def test_nodes_of_bench_are_a_signature_and_leave_the_game_alone(talk):
    """The same as those of separate searches with an empty table."""
    talk.say("position startpos moves e2e4")
    before, found = talk.fen, []
    for _ in range(2):
        talk.say("bench 1 1 4")
        lines = talk.expect("Nodes/second .*")
        found.append(summed(lines)[0])
        numbers = [line.split()[1] for line in lines if line.startswith("Position: ")]
        count = len(items_of(Variant("crazyhouse")))
        assert numbers == [f"{number}/{count}" for number in range(1, count + 1)]
        assert sum(line.startswith("bestmove ") for line in lines) == count
    engine, nodes = Engine("crazyhouse", hash_mb=1), 0
    for item in items_of(Variant("crazyhouse")):
        engine.clear()
        nodes += engine.play(item.position, depth=4).nodes
    assert found == [nodes, nodes] and talk.fen == before


@pytest.mark.parametrize("kind", ["depth", "nodes", "movetime"])
def test_bench_of_the_current_position_takes_each_kind_of_limit(talk, kind):
    talk.say("position startpos moves e2e4", f"bench 1 1 3 current {kind}")
    lines = talk.expect("Nodes/second .*")
    assert lines[1] == f"Position: 1/1 ({talk.fen})"
    nodes, _ = summed(lines)
    assert nodes > 0 and (kind != "nodes" or nodes <= 3)


def test_bench_reads_positions_from_a_file(talk, tmp_path):
    file = tmp_path / "positions.fen"
    file.write_text(f"# two\n{ENDGAME}\n\n{ENDGAME.replace(' w ', ' b ')}\n")
    talk.say(f"bench 1 1 2 {file}")
    lines = talk.expect("Nodes/second .*")
    assert [line for line in lines if line.startswith("Position: ")] == [
        f"Position: 1/2 ({ENDGAME})",
        f"Position: 2/2 ({ENDGAME.replace(' w ', ' b ')})",
    ]


def test_bench_is_stopped_and_summed_up(talk):
    talk.say("bench 1 1 99")
    talk.expect("info depth 3 .*")
    assert summed(talk.say("stop")) == (0, 0)
    assert talk.say("stop") == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("x", "not a whole number"),
        ("0", "not from 1 to 1048576"),
        ("1048576", "does not have so much memory"),
        ("1 0", "not from 1 to 1024"),
        ("1 1 -3", "not from 1 to 100000000"),
        ("1 1 1 /no/such/file", "/no/such/file: No such file or directory"),
        ("1 1 1 default plies", "the limit is not one of: depth, nodes, movetime"),
        ("1 1 1 default depth 3", "bench takes at most"),
    ],
)
def test_bad_bench_is_quoted_and_nothing_searched(talk, arguments, reason):
    (line,) = talk.say(f"bench {arguments}")
    assert reason in line and line.endswith(f": bench {arguments}")
    assert talk.say("stop") == []


def test_bad_position_in_a_file_is_quoted(talk, tmp_path):
    file = tmp_path / "positions.fen"
    for text in ("nonsense\n", "# nothing\n"):
        file.write_text(text)
        (line,) = talk.say(f"bench 1 1 1 {file}")
        assert str(file) in line


# Flip


@pytest.mark.parametrize(
    ("variant", "fen", "other"),
    [
        (
            "crazyhouse",
            "rnbqkbnr/pppp1ppp/8/8/4pP2/8/PPPPP1PP/RNBQKBNR[Pp] b KQk f3 0 3",
            "rnbqkbnr/ppppp1pp/8/4Pp2/8/8/PPPP1PPP/RNBQKBNR[Pp] w Kkq f6 0 3",
        ),
        ("crazyhouse", "k7/4Q~3/8/8/8/8/8/4K3[N] w - - 0 1", "4k3/8/8/8/8/8/4q~3/K7[n] b - - 0 1"),
        ("janggi", "4k4/9/9/9/9/9/9/9/4K4/2E6 b Ss - 4 9", "2e6/4k4/9/9/9/9/9/9/9/4K4 w Ss - 4 9"),
    ],
)
def test_flip_exchanges_the_colours(variant, fen, other):
    ranks = Position(variant).description.ranks
    assert Position(variant, flipped(fen, ranks)).fen() == Position(variant, other).fen()
    assert Position(variant, flipped(other, ranks)).fen() == Position(variant, fen).fen()


@pytest.mark.parametrize("variant", ["chess", "crazyhouse", "pandemonium", "pandemonium-vchess", "chaotic"])
def test_flip_twice_changes_nothing_but_the_history(variant):
    position = Position(variant)
    for pick in (3, 11, 5, 8):
        moves = position.legal_moves()
        position.push(moves[pick % len(moves)])
    there = Position(variant, flipped(position.fen(), position.description.ranks))
    assert len(there.legal_moves()) == len(position.legal_moves())
    back = Position(variant, flipped(there.fen(), position.description.ranks))
    assert back.fen() == position.fen()


def test_flipped_position_is_the_one_that_is_searched(talk):
    talk.say(f"position fen {ENDGAME}", "flip")
    assert talk.fen == "4k3/4p3/8/8/8/8/8/4K3[] b - - 0 1"


def test_flip_is_refused_where_the_sides_have_different_rules(talk):
    position = Position("racingkings")
    talk._talk.handle(Loaded(Variant("racingkings"), Indifferent(), position))
    talk.say("flip")
    assert talk.fen == position.fen() and "the rules differ for White and Black" in "".join(talk.lines)


# The drawing


@pytest.mark.parametrize("variant", ["crazyhouse", "pandemonium", "chaotic"])
def test_drawing_is_the_positions_own_where_the_letters_are(variant):
    position = Position(variant)
    assert UciNotation(position.description).draw(position) == str(position).splitlines()


def test_drawing_shows_the_letters_of_the_fen():
    position = Position("minishogi", "Dbsgk/4p/5/P4/KGS1R[P] w - - 0 1")
    drawn = UciNotation(position.description).draw(position)
    assert drawn[1:7] == [
        " 5  +R  b  s  g  k",
        " 4   .  .  .  .  p",
        " 3   .  .  .  .  .",
        " 2   P  .  .  .  .",
        " 1   K  G  S  .  R",
        "     a  b  c  d  e",
    ]
    assert drawn[7:] == ["White's hand: Px1", "White to move"]
