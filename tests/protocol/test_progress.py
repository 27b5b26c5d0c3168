"""The progress of compiling several games: one bar, or plain lines, with the total."""

import io
import sys

import pytest
from surajang.protocol.terminal import progress
from surajang.protocol.terminal.progress import compile_together

pytestmark = pytest.mark.pure

GAMES = ("chess", "shogi", "janggi")


def half(progress):
    progress(5, 10, "compiling")


def works(names=GAMES):
    return [(name, half) for name in names]


def test_plain_lines_show_the_game_and_the_total(monkeypatch, capsys):
    monkeypatch.setattr(progress, "PLAIN_SECONDS", 0.0)
    compile_together(works(), "game")
    lines = capsys.readouterr().err.splitlines()
    told = [f"compiling {name}, game {number} of 3: 5 of 10, 0 s" for number, name in enumerate(GAMES, 1)]
    assert lines == told


def test_single_game_has_no_total(monkeypatch, capsys):
    monkeypatch.setattr(progress, "PLAIN_SECONDS", 0.0)
    compile_together(works(["chess"]), "game")
    assert capsys.readouterr().err.splitlines() == ["compiling chess: 5 of 10, 0 s"]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_bar_is_one_for_all_games(monkeypatch):
    terminal, shown = Terminal(), []
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("rich.progress.Progress.update", lambda bar, task, **facts: shown.append(facts))
    compile_together(works(), "game")
    assert [(facts["completed"], facts["description"]) for facts in shown] == [
        (0.5, "compiling chess, game 1 of 3"),
        (1.5, "compiling shogi, game 2 of 3"),
        (2.5, "compiling janggi, game 3 of 3"),
        (3, "compiled"),
    ]


def test_code_that_is_ready_needs_no_bar(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    compile_together([(name, lambda progress: progress(10, 10, "ready")) for name in GAMES], "game")
    assert terminal.getvalue() == ""
    compile_together([(name, lambda progress: progress(9, 10, "compiling")) for name in GAMES], "game")
    assert "compiling janggi" in terminal.getvalue() or "compiled" in terminal.getvalue()


def test_works_are_done_in_their_order_and_an_error_ends_them():
    done = []

    def fail(progress):
        raise ValueError("no such network")

    with pytest.raises(ValueError, match="no such network"):
        compile_together(
            [("a", lambda progress: done.append("a")), ("b", fail), ("c", done.append)], "evaluation"
        )
    assert done == ["a"]
