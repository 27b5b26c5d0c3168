"""Support for tests of the board's server: a server, pages that talk to it, a scripted engine."""

import contextlib
import json
import queue
import sys
import threading
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from surajang.board.app import create_app
from surajang.board.browser_board import BrowserBoard
from surajang.board.engines import read_engine
from surajang.engine.variant import Variant
from surajang.match.records.journal import CONFIGURATION, GAMES

TOKEN, HERE = "secret", "http://127.0.0.1"
ANALYST = f"cmd='{sys.executable} {Path(__file__).with_name('fake_analyst.py')}' proto=uci name=Analyst"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"
LONGEST = 20.0  # seconds for what a test waits for
GAME = """[White "A"]
[Black "B"]
[Variant "Crazyhouse"]
[Result "1-0"]

{before} 1. e4 {[%eval 0.31,12] good} e5 $6 (1... d5 2. exd5 {[%eval #3]} Qxd5 (2... c6) 3. P@e4)
2. Nf3 Nc6 1-0
"""


class Page:
    """A page from the server's side: its last messages, by type."""

    def __init__(self, socket):
        self._socket = socket
        self.last = {}
        self._inbox = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        """In a thread, so that a message that never comes fails a test and does not hang it."""
        with contextlib.suppress(Exception):
            while True:
                self._inbox.put(self._socket.receive_json())

    def send(self, kind, **fields):
        self._socket.send_json({"type": kind, **fields})

    def until(self, kind, wanted=lambda message: True, seconds=LONGEST):
        """The next message of a wanted kind."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                message = self._inbox.get(timeout=left)
            except queue.Empty:
                break
            self.last[message["type"]] = message
            if message["type"] == kind and wanted(message):
                return message
        raise AssertionError(f"no {kind} that is wanted; last: {self.last.get(kind)}")

    def state(self, wanted=lambda message: True, seconds=LONGEST):
        return self.until("state", wanted, seconds)

    def move(self, text):
        self.send("move", text=text)
        return self.state()


class Board:
    """A server with its session."""

    def __init__(self, client, session):
        self.client, self.session = client, session

    def page(self, origin=HERE, token=TOKEN, **headers):
        return self.client.websocket_connect(
            f"/socket?token={token}", headers={"origin": origin, "host": "127.0.0.1", **headers}
        )

    def call(self, function, *arguments):
        return self.client.portal.call(function, *arguments)


@pytest.fixture
def serve():
    """Starts servers: serve(variant, engine texts, folder, fen, clock)."""
    clients = []

    def start(variant="crazyhouse", engines=(ANALYST,), folder=None, fen=None, now=time.monotonic):
        session = BrowserBoard([read_engine(text) for text in engines], folder, now)
        client = TestClient(create_app(session, TOKEN), base_url=HERE)
        client.__enter__()
        clients.append(client)
        client.portal.call(session.load, Variant(variant), fen)
        return Board(client, session)

    yield start
    for client in clients:
        client.__exit__(None, None, None)


@pytest.fixture
def board(serve):
    return serve()


def opened(socket):
    """A page that has received all messages to a new page."""
    page = Page(socket)
    page.until("watch")
    return page


def load_pgn(page, text):
    """The nodes of the tree, by number, after a page has sent a PGN."""
    page.send("pgn", text=text)
    page.until("chosen")
    return {node["id"]: node for node in page.last["tree"]["nodes"]}


def match_folder(path, games):
    """A folder of a match with so many games of one move."""
    (path / CONFIGURATION).write_text(
        json.dumps({"variant": "crazyhouse", "engines": [{"name": "one"}, {"name": "two"}]})
    )
    with (path / GAMES).open("a") as file:
        for number in games:
            opening = {"fen": START, "moves": ["e2e4"], "name": ""}
            game = {"number": number, "pair": number // 2, "white": number % 2, "black": 1 - number % 2}
            ply = {"move": "e7e5", "seconds": 0.1, "score": 20, "depth": 5}
            record = {
                "game": {**game, "opening": opening, "replay": 0},
                "score": "1-0",
                "reason": "Black resigns",
            }
            file.write(json.dumps({**record, "termination": "normal", "plies": [ply]}) + "\n")
