"""Suites from games of the engine against itself: the games, their players, and the progress."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple, TypeVar

from ...engine.game.moves import spell
from ...engine.position import Position
from ...engine.variant import Variant
from ...learn.self_play.compiled_games import NO_SCORE
from ...learn.self_play.generator import PlayGames, compile_all, playing
from ...match.records.task_journal import TaskJournal
from ...protocol.terminal.command_options import NEW_FILE, Option
from ...protocol.terminal.progress import compiled_with_bar, counted
from .epd import SuiteEntry, write_entries


class SuiteJournalError(ValueError):
    """A journal that cannot be read or extended; the text names the file and quotes it."""


class SuiteJournal(TaskJournal[object]):
    """The lines of the games 0, 1, 2, ... Raises SuiteJournalError as `TaskJournal` does."""

    def __init__(self, path: Path, heading: str) -> None:
        super().__init__(path, heading, "game", SuiteJournalError)


Entry = TypeVar("Entry", bound=SuiteEntry)
Out = Annotated[Path, Option("The suite.", type=NEW_FILE)]


class Moment(NamedTuple):
    """A position of a game, without history, at a `ply` counted from 0; `score` is that of the game's search
    in centipawns, White's view, None where nothing was searched."""

    position: Position
    ply: int
    score: int | None

    @property
    def own_score(self) -> int | None:
        """The score for the side to move."""
        return -self.score if self.score is not None and self.position.turn else self.score


@dataclass(frozen=True)
class GameSource(ABC):
    """Plays the games of `work` and returns their contributions to a suite; any process may call it."""

    work: PlayGames

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.work.header.variant

    @property
    def heading(self) -> str:
        """The settings, as the first line of a journal has them."""
        settings = self.work.header.settings
        limit = f"about {settings.nodes} nodes" if settings.nodes else f"depth {settings.depth}"
        network = f", network {self.work.header.evaluation}" if self.work.network else ""
        return f"{self.variant}, {limit}, {settings.plies} plies, seed {settings.seed}{network}"

    @abstractmethod
    def __call__(self, number: int) -> Iterable[object]:
        """The result of game `number`: lines of the suite, and comments."""

    def moments(self, number: int) -> list[Moment]:
        """The positions of game `number` before each move. Raises GamesError if it cannot be begun."""
        game, position = self.work.play(number), Position(self.variant)
        found = []
        for ply, (code, score) in enumerate(zip(game.moves, game.scores, strict=True)):
            here = Position(self.variant, position.fen())
            found.append(Moment(here, ply, None if score == NO_SCORE else int(score)))
            position.push(spell(int(code), position.description))
        return found

    def compile(self) -> None:
        """Compiles what the games need, with its progress on stderr."""
        network = self.work.read_network()
        compiled_with_bar(self.variant, lambda progress: compile_all(self.variant, network, progress))

    def close(self) -> None:
        """Ends the games that this process plays."""
        self.work.close()


def counted_found(found: int, what: str) -> str:
    """The number of positions with `what` they are called, in the plural with "s"."""
    return f"{found} {what.removesuffix('s') if found == 1 else what}"


def shortage(found: int, wanted: int, games: int) -> str:
    """The sentence, on a line of its own, that the `games` gave fewer positions than wanted; otherwise
    empty."""
    if found >= wanted:
        return ""
    played = "the only game has" if games == 1 else f"all {games} games have"
    return f"\nFewer than the {wanted} that were asked for: {played} been played. More --games may give them."


def journal_of(path: Path) -> Path:
    """The journal beside the suite at `path`."""
    return path.with_name(f"{path.name}.games")


def collect(
    source: GameSource,
    games: int,
    out: Path,
    cluster: str | None,
    concurrency: int,
    select: Callable[[Path], list[Entry]],
    wanted: int,
    what: str,
) -> list[Entry]:
    """Plays games until `select` finds `wanted` positions in their journal, which is beside the suite, or all
    games are played; writes the suite and returns its entries. `what` names them.

    Raises SuiteJournalError, GamesError, VariantError, NetworkError, WorkersError, OSError."""
    journal = journal_of(out)

    def kept() -> int:
        return len(select(journal))

    with SuiteJournal(journal, source.heading) as results:
        missing = range(results.tasks, games)
        if missing and kept() < wanted:
            if not cluster:
                source.compile()
            with playing(cluster, concurrency) as pool, counted("positions", kept(), wanted, "games") as tell:
                for done, (number, lines) in enumerate(pool.run(source, missing), 1):
                    results.add(number, lines)
                    count = kept()
                    tell(min(count, wanted), done)
                    if count >= wanted:
                        break
    entries, settings = select(journal), source.heading.removeprefix(f"{source.variant}, ")
    write_entries(out, entries, f"{source.variant.description.title}: {what} from games at {settings}")
    return entries
