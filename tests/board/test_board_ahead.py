"""The engine of a game that was chosen is compiled before its first move."""

import asyncio
import subprocess
import sys
import time

import pytest
from surajang.board import compile_ahead
from surajang.engine.variant import Variant
from surajang.tests.support import board as boards
from surajang.tests.support.board import LONGEST, opened

pytestmark = pytest.mark.process

serve = boards.serve

SLOW = "import sys; print(1, 4, flush=True); sys.stdin.read()"  # works until its input ends
QUICK = "print(1, 2); print('1 what'); print(2, 2)"


@pytest.fixture
def compiler(monkeypatch):
    """Replaces the compiler by a script, and returns the processes that were started, with their games."""
    running = []
    spawn = asyncio.create_subprocess_exec

    async def spawned(*command, **options):
        process = await spawn(*command, **options)
        running.append((command[-1], process))
        return process

    def use(script):
        monkeypatch.setattr(compile_ahead, "COMMAND", (sys.executable, "-c", script))
        monkeypatch.setattr(compile_ahead.asyncio, "create_subprocess_exec", spawned)
        return running

    return use


def alive(running):
    """The files of the games whose compilers run."""
    return [path.rsplit("/", 1)[-1] for path, process in running if process.returncode is None]


def until(condition):
    deadline = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def choose(page, variant):
    page.send("new", variant=variant)
    page.until("game", lambda game: game["variant"] == variant)


def test_chosen_game_is_compiled_and_its_progress_told_to_every_page(serve, compiler):
    running = compiler(SLOW)
    board = serve()
    with board.page() as socket:
        page = opened(socket)
        choose(page, "chess")
        told = page.until("compile", lambda message: message["total"])
        assert (told["title"], told["done"], told["total"]) == ("Chess", 1, 4)
        assert alive(running) == ["chess.toml"]
        with board.page() as other:
            late = opened(other)
            assert late.until("compile")["total"] == 4


def test_another_choice_ends_the_compiler_of_the_first_game(serve, compiler):
    running = compiler(SLOW)
    with serve().page() as socket:
        page = opened(socket)
        choose(page, "chess")
        page.until("compile", lambda message: message["total"])
        choose(page, "crazyhouse")
        page.until("compile", lambda message: message["title"] == "Crazyhouse" and message["total"])
        until(lambda: alive(running) == ["crazyhouse.toml"])


def test_new_game_of_the_same_kind_compiles_nothing(serve, compiler):
    running = compiler(SLOW)
    with serve().page() as socket:
        page = opened(socket)
        page.send("new")
        page.until("tree")
        assert running == []


@pytest.mark.parametrize("request_", ["analyse", "play"])
def test_engine_that_starts_ends_the_compiler(serve, compiler, request_):
    running = compiler(SLOW)
    with serve().page() as socket:
        page = opened(socket)
        choose(page, "chess")
        page.until("compile", lambda message: message["total"])
        page.send(request_, on=True, sides=["person", "engine"])
        page.until("compile", lambda message: not message["total"])
        until(lambda: not alive(running))


def test_progress_goes_when_all_is_compiled(serve, compiler):
    compiler(QUICK)
    with serve().page() as socket:
        page = opened(socket)
        choose(page, "chess")
        page.until("compile", lambda message: message["total"] == 0)


def test_compiler_of_a_game_that_is_compiled_says_nothing():
    """In a process of its own, because it ends with its input, and lowers its priority."""
    command = [*compile_ahead.COMMAND, str(Variant("chess").description.path)]
    said = []
    for _ in range(2):  # the first may have to compile the game
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            said.append(process.stdout.read())
            assert process.wait() == 0
    assert said[-1] == b""


def test_compiler_ends_with_the_board():
    command = [*compile_ahead.COMMAND, str(Variant("chess").description.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        process.stdin.close()
        assert process.wait(LONGEST) in (0, 1)
