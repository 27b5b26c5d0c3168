"""Takes the pictures of the board in the browser: `.venv/bin/python docs/pictures/board.py [NAME ...]`.

Writes `board-NAME.png` beside this file. A NAME of the gallery, such as `gallery/shogi`, makes the files
`gallery/shogi-light.webp`, `-dark` and `-phones`. Without a NAME it takes all of them. Needs Debian's
`chromium` and ImageMagick's `convert`. Each picture starts `surajang board` with the real engine.
"""

import contextlib
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).parent
CHROMIUM = "/usr/bin/chromium"
WIDE, PHONE = (1366, 768), (400, 820)  # pixels
UPRIGHT, LYING = (390, 844), (844, 390)  # phones of the gallery, in portrait and in landscape
QUALITY = "82"  # of WebP, in per cent
COMPILE_MS = 300_000  # the first start of a game compiles it
THINKING_MS = 8_000  # of an analysis before its picture
BLUNDER = 14  # plies of `GAME` before the position that is analysed
GAME = """[White "Ada"]
[Black "Bo"]
[Variant "Crazyhouse"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 5. exd5 Nxd5 6. Nxf7 Kxf7 7. Qf3+ Ke6 8. Nc3 Nb4 9. P@d4 c6
10. a3 Na6 11. dxe5 Nc7 12. P@d4 N@h4 13. Qe4 *
"""

PUZZLES = """[Event "Puzzle: mate in 2"]
[Variant "Crazyhouse"]
[SetUp "1"]
[FEN "r4r1k/pp4pp/2p4N/8/2Q5/8/PP4PP/6K1[PBn] w - - 0 1"]

1. Qg8+ Rxg8 2. Nf7# *
"""


@dataclass(frozen=True)
class Picture:
    """One picture: the options of `surajang board`, what is done on the page, its size in pixels."""

    options: tuple[str, ...]
    act: Callable[[Page], None]
    size: tuple[int, int] = WIDE
    dark: bool = False


def play(page: Page) -> None:
    """A game against the engine, with a piece picked up."""
    page.locator("#level").fill("1200")
    page.locator("#wish-clock").select_option("4")
    page.locator("#start").click()
    page.locator("#takeback").wait_for()
    for number, (origin, target) in enumerate((("f2", "f4"), ("g1", "f3"), ("e2", "e4"))):
        _click(page, origin, target)
        page.wait_for_function("ply => board.state.ply === ply", arg=2 * number + 2)
    _click(page, "b1")


def chess(page: Page) -> None:
    """An opening of chess."""
    _type(page, "e4", "e5", "Nf3", "Nc6", "Bb5", "a6")


def chaotic(page: Page) -> None:
    """A push."""
    _type(page, "f3f5")


def vchess(page: Page) -> None:
    """Both sides have chosen their arrangement."""
    for ply, choice in enumerate((1, 3), 1):
        page.locator("#choices button").nth(choice).click()
        page.wait_for_function("ply => board.state.ply === ply", arg=ply)


def janggi(page: Page) -> None:
    """The choice of an arrangement."""
    page.locator("#setup").check()
    page.locator("#choices button").first.wait_for()


def rules(page: Page) -> None:
    """The card with the rules."""
    page.locator("#rules").click()
    page.locator("#card .cards").wait_for()


def evaluation(page: Page) -> None:
    """What each piece is worth. The folder of the network depends on the machine and is left out."""
    _type(page, "f2f4")
    page.locator("#tab-eval").click()
    report = page.locator("#evaluation pre")
    report.wait_for()
    report.evaluate(r"pre => { pre.textContent = pre.textContent.replace(/\/\S*\//, ''); }")


def chess960(page: Page) -> None:
    """A start by its number, and a game on it."""
    page.locator("#start-number").fill("342")
    page.keyboard.press("Enter")
    page.wait_for_function("() => board.startNumber === 342 && board.state")
    _type(page, "e4", "e5")


def review(page: Page) -> None:
    """A reviewed game, at its first blunder."""
    page.locator("#tab-review").click()
    page.locator("#review").click()
    page.locator("#cancel-review").wait_for()
    page.locator("#review").wait_for()
    page.locator("#tab-moves").click()
    _go_to(page, BLUNDER)


def analyse(page: Page) -> None:
    """Three lines, and the board after a move of the first."""
    narrow(page)
    page.locator("#engine [data-move]").nth(2).hover()
    page.locator("#preview svg").wait_for()


def narrow(page: Page) -> None:
    """An analysis with three lines."""
    page.locator("#tab-analyse").click()
    _go_to(page, BLUNDER)
    page.get_by_label("Lines", exact=True).select_option("3")
    page.keyboard.press("a")
    page.wait_for_timeout(THINKING_MS)


def puzzles(page: Page) -> None:
    """A puzzle after its first move, with a hint."""
    page.locator("#tab-puzzles").click()
    page.locator("#puzzle-files").select_option("puzzles-crazyhouse.pgn")
    page.wait_for_function("() => board.puzzles.solving")
    _click(page, "c4", "g8")
    page.wait_for_function("() => board.state.ply === 2")
    page.keyboard.press("h")
    page.locator("circle.arrow").wait_for()


def watch(page: Page) -> None:
    """A match with four games in play, the youngest of them on the large board."""
    page.locator("#tab-watch").click()
    page.locator(".games button").first.wait_for(timeout=COMPILE_MS)
    games = page.locator("#live-games button")
    counts: list[int] = games.evaluate_all("all => all.map(game => parseInt(game.lastChild.textContent))")
    games.nth(counts.index(min(counts))).click()
    page.mouse.move(0, 0)
    page.wait_for_timeout(THINKING_MS)
    ply: int = page.evaluate("board.state.ply")
    page.wait_for_function("ply => board.state.ply > ply", arg=ply)


def moves(*texts: str) -> Callable[[Page], None]:
    """An action that plays moves, and shows the pieces at the last one."""
    return lambda page: _type(page, *texts)


CRAZYHOUSE = ("--variant", "crazyhouse", "--pgn", "game.pgn")
PICTURES = {
    "play": Picture(("--variant", "pandemonium"), play),
    "chaotic": Picture(("--variant", "chaotic"), chaotic),
    "vchess": Picture(("--variant", "pandemonium-vchess"), vchess),
    "chess": Picture(("--variant", "chess"), chess),
    "janggi": Picture(("--variant", "janggi"), janggi),
    "rules": Picture(("--variant", "pandemonium"), rules),
    "evaluation": Picture(("--variant", "pandemonium"), evaluation),
    "analyse": Picture(CRAZYHOUSE, analyse),
    "narrow": Picture(CRAZYHOUSE, narrow, PHONE, dark=True),
    "review": Picture(CRAZYHOUSE, review),
    "puzzles": Picture(("--variant", "crazyhouse"), puzzles),
    "watch": Picture(("--variant", "janggi", "--watch", "janggi"), watch),
}
# Mode and picture of each subject of the gallery: the modes in crazyhouse and Janggi, then the families.
GALLERY = {
    "play": ("play", PICTURES["play"]),
    "analyse": ("analyse", Picture(CRAZYHOUSE, narrow)),
    "review": ("review", PICTURES["review"]),
    "watch": ("watch", PICTURES["watch"]),
    "puzzles": ("puzzles", PICTURES["puzzles"]),
    "chess": ("analyse", Picture(("--variant", "chess"), moves("e4", "e5", "Nf3", "Nc6", "Bb5", "a6"))),
    "chess960": ("play", Picture(("--variant", "chess960"), chess960)),
    "shogi": ("analyse", Picture(("--variant", "shogi"), moves("c3c4", "g7g6", "b2h8+", "g9h8"))),
    "xiangqi": ("analyse", Picture(("--variant", "xiangqi"), moves("h3e3", "h10g8", "h1g3", "i10h10"))),
    "makruk": ("analyse", Picture(("--variant", "makruk"), moves("e3e4", "d6d5", "b1d2"))),
    "janggi": ("analyse", Picture(("--variant", "janggi"), moves("a4b4", "i7h7", "a1a5"))),
    "arrangement": ("play", PICTURES["janggi"]),
}
MATCH = (
    *("--variant", "janggi", "--games", "40", "--concurrency", "4", "--out", "janggi"),
    *("--each", "cmd=surajang tc=10+0.5", "--engine", "name=network"),
    *("--engine", "name=terms 'option.Use NNUE=false'"),
)


def _click(page: Page, *names: str) -> None:
    """Clicks squares, one after the other."""
    for name in names:
        page.locator(f'[data-square="{name}"]').click()


def _type(page: Page, *moves: str) -> None:
    """Types moves."""
    for ply, move in enumerate(moves, 1):
        page.locator("#movebox input").fill(move)
        page.keyboard.press("Enter")
        page.wait_for_function("ply => board.state.ply === ply", arg=ply)
    page.locator("#movebox input").blur()


def _go_to(page: Page, ply: int) -> None:
    """Shows the position after so many plies."""
    page.locator('[data-go="first"]').click()
    for number in range(ply + 1):
        page.wait_for_function("ply => board.state.ply === ply", arg=number)
        if number < ply:
            page.locator('[data-go="forward"]').click()


@contextlib.contextmanager
def _running(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command of Surajang in a folder; Ctrl-C ends it."""
    command = [sys.executable, "-m", "surajang", *arguments]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()


@contextlib.contextmanager
def _board(picture: Picture) -> Iterator[str]:
    """A board with the files of the pictures, and a match if the picture needs one; its address."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        for file, text in (("game.pgn", GAME), ("puzzles-crazyhouse.pgn", PUZZLES)):
            (Path(folder) / file).write_text(text, encoding="utf-8")
        if "--watch" in picture.options:
            stack.enter_context(_running(Path(folder), "match", *MATCH))
        options = ("--no-open", "--port", "0", *picture.options)
        server = stack.enter_context(_running(Path(folder), "board", *options))
        assert server.stdout is not None
        yield next(found[0] for line in server.stdout if (found := re.search(r"http://\S+", line)))


def _opened(browser: Browser, address: str, size: tuple[int, int], dark: bool) -> Page:
    """A page of the board, in a window of that size."""
    scheme: Literal["dark", "light"] = "dark" if dark else "light"
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page.set_default_timeout(COMPILE_MS)
    page.goto(address)
    page.wait_for_selector("#board .piece")
    return page


def take(name: str, browser: Browser) -> None:
    """Writes one picture."""
    picture = PICTURES[name]
    with _board(picture) as address:
        page = _opened(browser, address, picture.size, picture.dark)
        picture.act(page)
        page.wait_for_timeout(500)  # for movements of pieces
        target = FOLDER / f"board-{name}.png"
        page.screenshot(path=target)
        page.close()
    subprocess.run(["convert", str(target), "+dither", "-colors", "128", "-strip", str(target)], check=True)


def take_gallery(name: str, browser: Browser) -> None:
    """Writes the three pictures of a subject: a large window light and dark, and phones."""
    mode, picture = GALLERY[name]
    with _board(picture) as address, tempfile.TemporaryDirectory() as folder:
        first = _opened(browser, address, WIDE, dark=False)
        picture.act(first)
        shots = []
        for size in (WIDE, UPRIGHT, LYING):
            for dark in (False, True):
                page = first if (size, dark) == (WIDE, False) else _opened(browser, address, size, dark)
                page.evaluate("mode => board.setMode(mode)", mode)
                page.wait_for_timeout(700)  # for movements of pieces
                shots.append(Path(folder) / f"{len(shots)}.png")
                page.screenshot(path=shots[-1])
                if page is not first:
                    page.close()
        first.close()
        light, dark_, *phones = map(str, shots)
        lying = ("(", *phones[2:], "-append", ")")
        for kind, parts in (("light", (light,)), ("dark", (dark_,)), ("phones", (*phones[:2], *lying))):
            target = FOLDER / "gallery" / f"{name}-{kind}.webp"
            joined = ("-background", "none", *parts, "+append", "-quality", QUALITY)
            subprocess.run(["convert", *joined, str(target)], check=True)


def main() -> None:
    """Takes the pictures that the command line names, or all of them."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name in sys.argv[1:] or [*PICTURES, *(f"gallery/{name}" for name in GALLERY)]:
            if name.startswith("gallery/"):
                take_gallery(name.removeprefix("gallery/"), browser)
            else:
                take(name, browser)


if __name__ == "__main__":
    main()
