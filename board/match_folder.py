"""The files of a watched match, and its games as trees."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..engine.game.description import Description
from ..engine.game.text_files import fault_of
from ..engine.variant import Variant
from ..match.records.journal import CONFIGURATION, GAMES
from ..match.records.model import GameKey, MoveRecord, Record
from ..match.results.standings import Standings
from ..match.results.summary import decimal, percent
from .chances import Eval, with_chance
from .tree import Tree


class FolderError(RuntimeError):
    """A folder without a readable match; the text gives the reason."""


class MatchFolder:
    """The files of a match, which may still be written; read only."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        self.records: list[Record] = []
        self.keys: list[GameKey] = []  # of the records, in their order
        self.names: list[str] = []
        self._configuration: dict[str, Any] | None = None
        self._read = 0  # bytes of the games that were read
        self._standings: Standings | None = None

    def exists(self) -> bool:
        """Whether the match has begun."""
        return (self.folder / CONFIGURATION).exists()

    def variant(self) -> Variant:
        """The game. Raises FolderError."""
        self._configure()
        assert self._configuration is not None
        return Variant(self._configuration["variant"])

    def _configure(self) -> None:
        if self._configuration is not None:
            return
        path = self.folder / CONFIGURATION
        try:
            configuration = json.loads(path.read_text(encoding="utf-8"))
            self.names = [engine["name"] for engine in configuration["engines"]]
            Variant(configuration["variant"]).check()
        except FileNotFoundError:
            raise FolderError(f"{self.folder} holds no match: there is no {CONFIGURATION}") from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FolderError(f"{path} cannot be read: {fault_of(error)}") from None
        self._configuration, self._standings = configuration, Standings(self.names)

    def read(self) -> bool:
        """Reads games that were finished since the last call; returns whether there are any. Raises
        FolderError."""
        self._configure()
        assert self._standings is not None
        path = self.folder / GAMES
        if not path.exists():
            return False
        with path.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]  # the last line may still be being written
        for line in whole.splitlines():
            try:
                record = Record.from_json(json.loads(line))
            except (ValueError, KeyError, TypeError) as error:
                raise FolderError(f"{path} has a line that is not a game: {error}") from None
            if self._standings.add(record):
                self.records.append(record)
                self.keys.append(record.game.key)
        self._read += len(whole)
        return bool(whole)

    def as_json(self) -> dict[str, object] | None:
        """Names, standings and the list of games."""
        if self._standings is None:
            return None
        rows: list[dict[str, object]] = []
        for number, name in enumerate(self.names):
            tally = self._standings.total(number)
            losses, draws, wins = tally.games
            figures = self._standings.figures[number]
            rows.append(
                {
                    "name": name,
                    "games": tally.played,
                    "wins": wins,
                    "draws": draws,
                    "losses": losses,
                    "percent": percent(tally.score),
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
        return {"folder": self.folder.name, "standings": rows, "games": games}


def reported(ply: MoveRecord, sign: int) -> dict[str, int] | None:
    """The score that an engine gave its move, in White's view; None if it gave none."""
    if ply.mate is not None:
        return {"mate": sign * ply.mate}
    return None if ply.score is None else {"cp": sign * ply.score}


def score_of(ply: MoveRecord, sign: int, description: Description) -> Eval | None:
    """The same with the depth and the chance."""
    score = reported(ply, sign)
    return score and with_chance(score | ({"depth": ply.depth} if ply.depth else {}), description)


def tree_of(record: Record, variant: Variant, names: Sequence[str]) -> Tree:
    """The `Tree` of a game of a match, on its last position."""
    opening = record.game.opening
    tags = {"White": names[record.game.white], "Black": names[record.game.black], "Result": record.score}
    tags |= {"Termination": record.reason, "Round": str(record.game.number + 1)}
    tree = Tree(variant, opening.fen, tags)
    for move in opening.moves:
        tree.play(move)
    for ply in record.plies:
        sign = -1 if tree.position.turn else 1
        node, _ = tree.play(ply.move)
        node.eval = score_of(ply, sign, tree.position.description)
    return tree
