"""The progress of compiling on a terminal."""

import sys

import pytest
from surajang.engine.kernel.compile_progress import CLEAR, terminal_progress

pytestmark = pytest.mark.pure


def test_share_that_is_done_is_shown_and_cleared(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with terminal_progress("compiling chess") as show:
        for done in (0, 1, 1, 200):
            show(done, 200, "compiling")
    assert capsys.readouterr().err == f"{CLEAR}compiling chess: 0 %{CLEAR}"


def test_line_is_cleared_after_an_error(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with pytest.raises(OSError), terminal_progress("compiling chess") as show:
        show(1, 2, "compiling")
        raise OSError
    assert capsys.readouterr().err == f"{CLEAR}compiling chess: 50 %{CLEAR}"


def test_code_that_is_only_loaded_shows_nothing(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with terminal_progress("compiling chess") as show:
        show(320, 320, "ready")
    assert capsys.readouterr().err == ""


def test_nothing_is_shown_where_there_is_no_terminal(monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    with terminal_progress("compiling chess") as show:
        assert show is None
