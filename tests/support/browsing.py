"""A browser for tests of the board: fixtures, which `conftest` exports, and actions on a page. Needs Debian's
Chromium. Engines are the script of `fake_analyst`."""

import asyncio
import contextlib
import queue
import sys
import threading
from pathlib import Path

import pytest

CHROMIUM = "/usr/bin/chromium"
ANALYST = f"cmd='{sys.executable} {Path(__file__).with_name('fake_analyst.py')}' proto=uci name=Analyst"
AXE = """async () => {
  const found = await axe.run(document, {resultTypes: ["violations"]});
  return [found.passes.length, found.violations.map((fault) => [fault.id, fault.nodes[0].html])];
}"""
START_SECONDS = 120.0  # a game may have to be compiled
WAIT_MS = 60_000  # on a busy machine, too


class Pages:
    """The pages of a browser. One that was closed is used again, which takes half the time of a new one."""

    def __init__(self, browser):
        self._browser, self._closed = browser, []

    def open(self, width, height):
        """An empty page of a size."""
        if not self._closed:
            return self._browser.new_page(viewport={"width": width, "height": height})
        page = self._closed.pop()
        page.set_viewport_size({"width": width, "height": height})
        return page

    def close(self, page):
        """Empties a page, without what it has stored."""
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.goto("about:blank")
        page.mouse.move(0, 0)
        self._closed.append(page)


@pytest.fixture(scope="module")
def chromium():
    """The `Pages` of a browser."""
    from playwright.sync_api import expect, sync_playwright  # not for those who visit nothing

    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield Pages(browser)
        browser.close()


@contextlib.contextmanager
def boards():
    """Gives a function that runs `surajang board` with options, in a thread, and returns its address."""
    import uvicorn  # not for those who visit nothing
    from surajang.board import board_command, compile_ahead
    from surajang.protocol.terminal import progress

    running, addresses = [], queue.Queue()

    class Server(uvicorn.Server):
        async def serve(self, sockets=None):
            running.append((self, threading.current_thread(), asyncio.get_running_loop()))
            await super().serve(sockets)

    def run(options):
        try:
            board_command.main.main(["--port", "0", *options], standalone_mode=False)
        except BaseException as error:
            addresses.put(error)
            raise

    async def nothing(ahead, variant):
        """Compiles no search ahead: most boards are closed before, and engines are other programs."""

    def start(*options):
        threading.Thread(target=run, args=[options], daemon=True).start()
        address = addresses.get(timeout=START_SECONDS)
        if isinstance(address, BaseException):
            raise AssertionError("the board did not start") from address
        return address

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uvicorn, "Server", Server)
        patch.setattr(compile_ahead.CompileAhead, "begin", nothing)
        patch.setattr(progress, "compile_with_bar", lambda variant: None)
        patch.setattr(board_command, "end_at_once", lambda code: None)
        patch.setattr(board_command.webbrowser, "open", addresses.put)
        yield start
        for server, thread, loop in running:
            server.should_exit = True
            thread.join(START_SECONDS)
            assert not thread.is_alive()
            loop.close()


@pytest.fixture
def serve():
    """Starts `surajang board` with options, and gives its address."""
    with boards() as start:
        yield start


@contextlib.contextmanager
def visits(chromium, serve):
    """Gives a function that opens the board in a page of a given size; an error in its console is an
    `AssertionError` at the end, unless it contains one of the texts in `expected` of that function."""
    pages, errors = [], []

    def on_error(error):
        errors.append(str(error))

    def on_console(message):
        if message.type in ("error", "warning"):
            errors.append(f"{message.text} ({message.location.get('url')})")

    def go(*options, width=1366, height=768):
        page = chromium.open(width, height)
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", on_error)
        page.on("console", on_console)
        pages.append(page)
        page.goto(serve(*options))
        page.wait_for_selector("#board .piece")
        return page

    go.expected = []
    yield go
    for page in pages:
        page.remove_listener("pageerror", on_error)
        page.remove_listener("console", on_console)
        chromium.close(page)
    faults = [error for error in errors if not any(text in error for text in go.expected)]
    assert not faults, faults


@pytest.fixture
def visit(chromium, serve):
    """Opens the board in a page, as `visits` says."""
    with visits(chromium, serve) as go:
        yield go


def square(page, name):
    return page.locator(f'[data-square="{name}"]')


def click(page, *names):
    """Clicks squares, one after the other."""
    for name in names:
        square(page, name).click()


def fen_of(page):
    return page.evaluate("board.state.fen")


def played(page, plies):
    """Waits until so many moves have been played."""
    page.wait_for_function("plies => board.state.ply === plies", arg=plies)


@contextlib.contextmanager
def replaced(page):
    """Waits at the end until another tree and another position have come, in two messages."""
    page.wait_for_function("() => board.state && board.moves.tree")
    page.evaluate("window.before = [board.moves.tree, board.state]")
    yield
    page.wait_for_function(
        "() => board.state && board.state !== window.before[1] && board.moves.tree !== window.before[0]"
    )


def load_pgn(page, text):
    """Loads a text from the field of the PGN, which first gets the game on the board."""
    page.evaluate("document.querySelector('#pgn').value = ''")
    page.locator("#tab-text").click()
    page.wait_for_function("() => document.querySelector('#pgn').value")
    page.locator("#pgn").fill(text)
    page.locator("#load-pgn").click()


def expect_moves(page, *moves):
    """Waits until the list, which is drawn a frame after the position came, shows exactly these moves."""
    shown = "[...document.querySelectorAll('#moves .mv[data-node]')].map(one => one.firstChild.textContent)"
    page.wait_for_function(f"moves => JSON.stringify({shown}) === JSON.stringify(moves)", arg=list(moves))


def fitted(page):
    """Waits until the board has fitted itself to the page, in the next frame."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def resized(page, width, height):
    """Gives the page another size, and waits until the board has fitted itself."""
    page.set_viewport_size({"width": width, "height": height})
    fitted(page)


def assert_accessible(page, theme, *modes):
    """axe finds no fault in any of the modes, or only in the current state without them."""
    page.evaluate((Path(__file__).parents[1] / "data" / "axe" / "axe.min.js").read_text(encoding="utf-8"))
    page.evaluate("theme => board.theme(theme)", theme)
    for mode in modes or (None,):
        if mode:
            page.locator(f"#tab-{mode}").click()
        checked, faults = page.evaluate(AXE)
        assert checked > 8  # the rules that apply to a small dialog
        assert not faults, faults
