"""The queue of lines that wait."""

import pytest
from surajang.protocol.session.backlog import Backlog, Waiting

pytestmark = pytest.mark.pure


def backlog_of(*texts):
    backlog = Backlog()
    for text in texts:
        backlog.add(Waiting(text, text.split()[0], 0.0))
    return backlog


def texts_of(lines):
    return [line.text for line in lines]


def test_lines_come_in_their_order_and_the_first_one_may_return():
    backlog = backlog_of("position startpos", "go depth 3")
    backlog.add(Waiting("isready", "isready", 0.0), first=True)
    assert backlog.first.text == "isready" and len(backlog) == 3
    assert [backlog.pop().text for _ in range(3)] == ["isready", "position startpos", "go depth 3"]
    assert not backlog


def test_backlog_knows_which_commands_wait():
    backlog = backlog_of("go depth 3", "go depth 4", "quit")
    assert backlog.has("go") and backlog.has("bench", "quit") and not backlog.has("stop", None)
    assert backlog.has_only({"go", "quit", "stop"}) and not backlog.has_only({"quit"})
    backlog.pop()
    assert backlog.has("go")
    backlog.pop()
    assert not backlog.has("go") and backlog.has_only({"quit"})


def test_question_is_taken_with_those_before_it_but_not_with_those_behind_it():
    backlog = backlog_of("ping 1", "post", "ping 2", "ping 3")
    first, _, second, third = backlog
    assert texts_of(backlog.take_up_to(second, "ping")) == ["ping 1", "ping 2"]
    assert texts_of(backlog) == ["post", "ping 3"] and backlog.has("ping")
    assert backlog.take_up_to(first, "ping") == []
    assert texts_of(backlog.take_up_to(third, "ping")) == ["ping 3"] and not backlog.has("ping")


def test_similar_lines_are_distinguished():
    backlog = backlog_of("isready", "isready")
    first, _ = backlog
    assert backlog.take_up_to(first, "isready") == [first] and len(backlog) == 1
