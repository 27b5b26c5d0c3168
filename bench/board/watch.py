"""Watching: a game of two engines that the command line named, or the games of a match in its folder."""

import asyncio
import contextlib
import json
from pathlib import Path

from ...engine.game import catalogue
from ..match.adjudication import AdjudicationRules
from ..match.game import play_game
from ..match.journal import CONFIGURATION, GAMES
from ..match.model import MatchGame, Opening, Record
from ..match.standings import Standings
from ..match.summary import decimal, percent
from ..players.control import TimeControl
from ..players.player import PlayerError
from ..players.start import start_player
from .chances import with_chance
from .requests import RequestError
from .tree import ROOT, Tree

POLL_SECONDS, THINKING_SECONDS = 1.0, 0.25


class FolderError(RuntimeError):
    """A folder that holds no match that can be read; the text says why."""


class Stopped(Exception):  # noqa: N818 - no error, but an end
    """Nobody wants the game of two engines any more."""


class WatchDesk:
    """What is watched, if anything."""

    def __init__(self, session, folder):
        self._session = session
        self._match = MatchFolder(folder) if folder else None
        self._task = self._polling = None
        self._players = []
        self._stopped = False
        self._clocks = [None, None]
        self._result = None
        self._names = []
        self._follow = True
        self._shown = None

    def message(self):
        """What is watched: engines, clocks, thoughts; the match with standings and games."""
        return {
            "type": "watch",
            "running": self._task is not None,
            "names": self._names,
            "clocks": self._clocks,
            "thoughts": self._thoughts(),
            "result": self._result,
            "match": self._match.as_json() if self._match else None,
            "shown": self._shown,
            "follow": self._follow,
        }

    def _thoughts(self):
        found = []
        for player in self._players:
            said = player.thinking
            found.append(
                {
                    "score": said.verdict,
                    "depth": said.depth,
                    "nodes": said.nodes,
                    "nps": said.nps,
                    "line": said.line,
                }
            )
        return found

    # A game of two engines

    async def on_watch(self, message):
        """Lets two engines play from the position on the board: `engines` by number, `base`, `increment`."""
        session = self._session
        numbers = [int(number) for number in message["engines"]]
        if len(numbers) != 2 or not all(0 <= number < len(session.engines.specs) for number in numbers):
            raise RequestError("two engines of the list should be named")
        base, increment = float(message.get("base") or 60), float(message.get("increment") or 0)
        if not (0 < base <= 86_400 and 0 <= increment <= 3_600):
            raise RequestError("a clock has more than 0 seconds, at most a day, and an hour for each move")
        if session.tree.position.result() is not None:
            raise RequestError("the game on the board is over; start a new one, or go back")
        await session.quiet()
        session.analysis.pause()
        fen = session.tree.position.fen()
        await session.load(session.description.name, fen)
        specs = [session.engines.specs[number] for number in numbers]
        self._names = [spec.name for spec in specs]
        if self._names[0] == self._names[1]:
            self._names = [
                f"{name} ({colour})" for name, colour in zip(self._names, ("White", "Black"), strict=True)
            ]
        session.tree.tags |= {"White": self._names[0], "Black": self._names[1], "Result": "*"}
        session.tell_tree()
        self._clocks, self._result, self._stopped, self._shown = [base, base], None, False, None
        self._task = asyncio.create_task(self._run(specs, fen, TimeControl(base, increment)))
        session.tell(self.message())

    async def _run(self, specs, fen, control):
        loop, description = asyncio.get_running_loop(), self._session.description
        ticking = asyncio.create_task(self._tell_thoughts())
        try:
            for spec in specs:
                self._players.append(await asyncio.to_thread(start_player, spec, description))

            def on_ply(position, ply, clocks):
                if self._stopped:
                    raise Stopped
                sign = -1 if position.turn == 0 else 1  # who has moved is the other side
                loop.call_soon_threadsafe(self._show, ply, sign, clocks)

            game = MatchGame(0, 0, 0, 1, Opening(fen))
            record = await asyncio.to_thread(
                play_game, game, self._players, [control, control], description, AdjudicationRules(), on_ply
            )
            if not self._stopped:
                self._result = {"score": record.score, "reason": record.reason}
                self._session.tree.tags |= {"Result": record.score, "Termination": record.reason}
        except Stopped:
            pass
        except PlayerError as error:
            self._session.failed(str(error))
        finally:
            ticking.cancel()
            players, self._players, self._task = self._players, [], None
            for player in players:
                loop.run_in_executor(None, player.close)
            self._session.tell(self.message())

    async def _tell_thoughts(self):
        while True:
            await asyncio.sleep(THINKING_SECONDS)
            self._session.tell(self.message(), "watch")

    def _show(self, ply, sign, clocks):
        """Shows a move that was played; whoever looks at the last position follows."""
        if self._stopped:
            return
        session, tree = self._session, self._session.tree
        line = [ROOT, *tree.main_line()]
        looking = tree.node
        tree.goto(line[-1])
        node, _ = tree.play(ply.move, main=True)
        node.eval = score_of(ply, sign, session.description)
        mover = 0 if sign > 0 else 1
        node.clock = None if clocks[mover] is None else round(clocks[mover], 1)
        self._clocks = list(clocks)
        session.tell_nodes(tree.nodes[node.parent], node)
        if looking == line[-1]:
            session.tell_state()
        else:
            tree.goto(looking)
        session.tell(self.message(), "watch")

    async def on_stop_watch(self, message):
        """Ends the game of the two engines."""
        await self.cancel()

    async def cancel(self):
        """Ends the game of two engines, if one runs; the folder is watched on."""
        self._stopped = True
        task = self._task
        if task is not None and task is not asyncio.current_task():
            await asyncio.gather(*(asyncio.to_thread(player.close) for player in self._players))
            with contextlib.suppress(asyncio.CancelledError):
                await task

    # A match

    async def begin(self):
        """Reads the folder, shows its last game and goes on looking. Raises FolderError."""
        if self._match is None:
            return
        await asyncio.to_thread(self._match.read)
        if self._match.records:
            await self._show_record(len(self._match.records) - 1)
        self._polling = asyncio.create_task(self._poll())

    @property
    def variant(self):
        """The game of the match, None without one. Raises FolderError."""
        return self._match.variant() if self._match else None

    async def _poll(self):
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                news = await asyncio.to_thread(self._match.read)
            except FolderError as error:
                self._session.failed(str(error))
                return
            if news:
                if self._follow:
                    await self._show_record(len(self._match.records) - 1)
                self._session.tell(self.message(), "watch")

    async def on_watch_game(self, message):
        """Shows a game of the match by its place in the list; `follow` shows each new one."""
        if self._match is None:
            raise RequestError("no match is watched; name its folder on the command line: --watch FOLDER")
        self._follow = bool(message.get("follow", False))
        number = len(self._match.records) - 1 if self._follow else int(message["number"])
        if not 0 <= number < len(self._match.records):
            raise RequestError("the match has no such game yet")
        await self._show_record(number)
        self._session.tell(self.message())

    async def _show_record(self, number):
        record = self._match.records[number]
        tree = await asyncio.to_thread(tree_of, record, self._match.variant(), self._match.names)
        self._shown = number
        await self._session.set_tree(tree)


class MatchFolder:
    """The files of a match, read only, while it may still be written."""

    def __init__(self, folder):
        self._folder = Path(folder)
        self.records, self.names = [], []
        self._configuration, self._read = None, 0
        self._standings = None

    def variant(self):
        """The name of the game. Raises FolderError."""
        self._configure()
        return self._configuration["variant"]

    def _configure(self):
        if self._configuration is not None:
            return
        path = self._folder / CONFIGURATION
        try:
            configuration = json.loads(path.read_text(encoding="utf-8"))
            self.names = [engine["name"] for engine in configuration["engines"]]
            catalogue.load(configuration["variant"])
        except FileNotFoundError:
            raise FolderError(f"{self._folder} holds no match: there is no {CONFIGURATION}") from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FolderError(f"{path} cannot be read: {error}") from None
        self._configuration, self._standings = configuration, Standings(self.names)

    def read(self):
        """Takes games that were finished since the last time; whether there are any. Raises FolderError."""
        self._configure()
        path = self._folder / GAMES
        if not path.exists():
            return False
        with path.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]  # a line that is being written has no end yet
        for line in whole.splitlines():
            try:
                record = Record.from_json(json.loads(line))
            except (ValueError, KeyError, TypeError) as error:
                raise FolderError(f"{path} holds a line that is no game: {error}") from None
            if self._standings.add(record):
                self.records.append(record)
        self._read += len(whole)
        return bool(whole)

    def as_json(self):
        """Names, standings and the list of games."""
        if self._standings is None:
            return None
        rows = []
        for number, name in enumerate(self.names):
            tally = self._standings.total(number)
            losses, draws, wins = tally.games
            share = tally.points / tally.played if tally.played else float("nan")
            figures = self._standings.figures[number]
            rows.append(
                {
                    "name": name,
                    "games": tally.played,
                    "wins": wins,
                    "draws": draws,
                    "losses": losses,
                    "percent": percent(share),
                    "depth": decimal(figures.depth, 1),
                    "faults": sum(self._standings.faults_of(number).values()),
                }
            )
        games = [
            {
                "white": self.names[record.game.white],
                "black": self.names[record.game.black],
                "score": record.score,
                "reason": record.reason,
                "plies": len(record.plies),
            }
            for record in self.records
        ]
        return {"folder": self._folder.name, "standings": rows, "games": games}


def score_of(ply, sign, description):
    """The score that an engine gave its move, in White's view; None where it said nothing."""
    if ply.mate is not None:
        score = {"mate": sign * ply.mate}
    elif ply.score is not None:
        score = {"cp": sign * ply.score}
    else:
        return None
    return with_chance(score | ({"depth": ply.depth} if ply.depth else {}), description)


def tree_of(record, variant, names):
    """The `Tree` of a game of a match, on its last position."""
    opening, description = record.game.opening, catalogue.load(variant)
    tags = {"White": names[record.game.white], "Black": names[record.game.black], "Result": record.score}
    tags |= {"Termination": record.reason, "Round": str(record.game.number + 1)}
    tree = Tree(variant, opening.fen, tags)
    for move in opening.moves:
        tree.play(move)
    for ply in record.plies:
        sign = -1 if tree.position.turn else 1
        node, _ = tree.play(ply.move)
        node.eval = score_of(ply, sign, description)
    return tree
