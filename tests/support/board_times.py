"""Response times of the board in the browser. `python -m surajang.tests.support.board_times` prints a table.

Chromium without a window opens pages of the real server. A game is compiled before its first figure, and each
figure is a median of several runs, except the longest gap between frames, which is the largest of all."""

import random
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.table import Table
from surajang import Position

CHROMIUM = "/usr/bin/chromium"
ANALYST = (
    f"cmd='{sys.executable} {Path(__file__).with_name('fake_analyst.py')} --pause 0.005' proto=uci name=Fast"
)
RUNS = 9
WATCH_MS = 3_000  # of analysis
PLIES = 1_000
GAMES, GAME_PLIES = 1_000, 60  # of a file
WEAKEST = 200  # the least level
READY = "() => Boolean(document.querySelector('#board .piece') && board.state)"
# Asks before every frame, in the page itself: a question from outside costs it tens of milliseconds.
SHOWN = """() => {
  const look = () => {
    const there = document.querySelector('#board .piece') && window.board?.state;
    if (there) window.shownAt = performance.now(); else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
FRAMES = """milliseconds => new Promise((done) => {
  const gaps = [], end = performance.now() + milliseconds;
  let last = performance.now();
  const step = (now) => {
    gaps.push(now - last);
    last = now;
    if (now < end) requestAnimationFrame(step); else done(gaps.slice(1));
  };
  requestAnimationFrame(step);
})"""


@contextmanager
def served(*options: str) -> Iterator[str]:
    """The address of a board that runs during the context."""
    command = [sys.executable, "-m", "surajang", "board", "--no-open", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    try:
        yield next(match[0] for line in process.stdout if (match := re.search(r"http://\S+", line)))
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def first_position(browser: Any, variant: str) -> float:
    """Milliseconds from the start of loading to the first position, by the page's own clock."""
    with served("--variant", variant) as address:
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.add_init_script(f"({SHOWN})()")
        page.goto(address)
        page.wait_for_timeout(500)
        shown = page.wait_for_function("window.shownAt").json_value()
        page.close()
    return float(shown)


def replies(page: Page) -> list[float]:
    """Milliseconds from a move of the user to the engine's reply on the page, at the weakest level."""
    wishes = {"sides": ["person", "engine"], "level": WEAKEST, "engine": 0, "base": None, "increment": 0}
    page.evaluate("wishes => board.send('play', wishes)", wishes)
    found = []
    for move in ("e2e3", "d2d3", "c2c3", "b2b3", "a2a3", "h2h3"):
        ply = page.evaluate("board.state.ply")
        begun = time.perf_counter()
        page.evaluate("move => board.move(move)", move)
        try:
            page.wait_for_function("ply => board.state.ply === ply + 2", arg=ply, timeout=20_000)
        except Exception:  # the move is illegal by now
            break
        found.append(1000 * (time.perf_counter() - begun))
    return found[1:]  # the first one starts the engine


def game_by_chance(variant: str, plies: int, seed: int) -> str:
    """PGN of a game of so many plies, by chance, that does not end before."""
    chance, position, words = random.Random(seed), Position(variant), []
    while len(words) < plies:
        moves = list(position.legal_moves())
        chance.shuffle(moves)
        for move in moves:
            text = position.san(move)
            position.push(move)
            if position.result() is None and position.legal_moves():
                words.append(text)
                break
            position.pop()
        else:
            return game_by_chance(variant, plies, seed + 1_000_000)
    return f'[White "Player {seed}"]\n[Variant "{variant}"]\n\n{" ".join(words)} *\n\n'


def file_of_games(page: Page, variant: str) -> tuple[float, float, float]:
    """Milliseconds until a file of games is shown, of a search by position at once, and of a later one."""
    text = "".join(game_by_chance(variant, GAME_PLIES, seed) for seed in range(GAMES))
    found = []
    page.evaluate("board.setMode('review')")
    for _ in range(3):
        begun = time.perf_counter()
        page.evaluate("text => { board.texts = []; board.send('pgn', {text}); }", text)
        page.wait_for_function("count => board.texts.length === count && board.state?.ply === 60", arg=GAMES)
        opened = time.perf_counter()
        searches = []
        for _ in range(2):
            begun_search = time.perf_counter()
            page.locator("#find-position").click()
            page.locator(".games button").nth(1).wait_for(state="detached")
            searches.append(1000 * (time.perf_counter() - begun_search))
            page.locator("#find-position").click()
        found.append((1000 * (opened - begun), *searches))
    first, second, third = (statistics.median(times) for times in zip(*found, strict=True))
    return first, second, third


def main() -> None:
    """Measures, and prints the table."""
    table = Table("what", "milliseconds", title="The board in the browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        first_position(browser, "crazyhouse")
        times = [first_position(browser, "crazyhouse") for _ in range(RUNS)]
        table.add_row("page loaded and first position drawn", f"{statistics.median(times):.0f}")
        with served("--variant", "crazyhouse") as address:
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            page.goto(address)
            page.wait_for_function(READY)
            table.add_row(
                f"reply of the engine at level {WEAKEST}", f"{statistics.median(replies(page)):.0f}"
            )
            page.close()
        with served("--variant", "crazyhouse", "--engine", ANALYST) as address:
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            received = [0]
            page.on("websocket", lambda socket: socket.on("framereceived", lambda _: received.append(1)))
            page.goto(address)
            page.wait_for_function(READY)
            page.get_by_label("Analysing engine").select_option(label="Fast")
            page.locator("#engine button").first.click()
            page.wait_for_timeout(500)
            before = len(received)
            gaps = page.evaluate(FRAMES, WATCH_MS)
            rate = 1000 * (len(received) - before) / WATCH_MS
            table.add_row(
                "frame, while an engine reports more than 100 lines a second",
                f"{statistics.median(gaps):.0f}",
            )
            table.add_row("the longest of them", f"{max(gaps):.0f}")
            table.add_row("(messages that reach the page, a second)", f"({rate:.0f})")
            page.close()
        with served("--variant", "crazyhouse") as address:
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            page.goto(address)
            page.wait_for_function(READY)
            begun = time.perf_counter()
            page.evaluate("text => board.send('pgn', {text})", game_by_chance("crazyhouse", PLIES, 1))
            page.wait_for_function("() => document.querySelectorAll('#moves .mv[data-node]').length >= 1000")
            table.add_row(
                f"a game of {PLIES} plies read and shown", f"{1000 * (time.perf_counter() - begun):.0f}"
            )
            steps = []
            for _ in range(20):
                ply, begun = page.evaluate("board.state.ply"), time.perf_counter()
                page.keyboard.press("ArrowLeft")
                page.wait_for_function("ply => board.state.ply !== ply", arg=ply)
                steps.append(1000 * (time.perf_counter() - begun))
            table.add_row("a step back in it", f"{statistics.median(steps):.0f}")
            page.close()
        for variant in ("chess", "crazyhouse"):
            with served("--variant", variant) as address:
                page = browser.new_page(viewport={"width": 1366, "height": 768})
                page.goto(address)
                page.wait_for_function(READY)
                opened, first, later = file_of_games(page, variant)
                what = f"{GAMES} games of {variant} of {GAME_PLIES} plies"
                table.add_row(f"{what} opened", f"{opened:.0f}")
                table.add_row("searched by position at once, and later", f"{first:.0f}, {later:.0f}")
                page.close()
        browser.close()
    Console().print(table)


if __name__ == "__main__":
    main()
