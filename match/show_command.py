"""One game to watch: two engine processes, with the board drawn live in the terminal."""

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import click
from rich.columns import Columns
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ..engine.game.description import FILE_LETTERS, Description
from ..engine.position import COLOURS, Move, MoveError, Position, Result
from ..engine.variant import Variant
from ..protocol.terminal.command_options import NEW_FILE, Option, with_options
from ..protocol.terminal.interrupts import INTERRUPTED, ending_at_once, handled
from ..protocol.terminal.options import variant_option
from ..protocol.terminal.outputs import why_no_file, written
from ..protocol.terminal.progress import compile_with_bar
from .players.client import Client
from .players.control import TimeControl
from .players.player import PlayerError, Thinking
from .players.spec import OURSELVES, EngineSpec
from .players.start import start_player
from .records.model import GameResult, MatchGame, MoveRecord, Opening, Record, Termination
from .records.pgn import write_pgn

LIGHT, DARK, LAST = "on #b08a5c", "on #94714a", "on #4f8f5f"
PIECES = ("bold #ffffd7", "bold #000000")


class Scene:
    """The display: board, hands, clocks and the reports of both engines."""

    def __init__(self, position: Position, players: Sequence[Client]) -> None:
        self.position, self.players = position, players
        self.clocks = [0.0, 0.0]
        self.heading = ""

    def __rich__(self) -> Panel:
        rows = [self._rank(rank) for rank in reversed(range(self.position.description.ranks))]
        names = Text("    " + "  ".join(FILE_LETTERS[: self.position.description.files]), "dim")
        board = Group(self._hand(1), *rows, names, self._hand(0))
        side = Group(*(self._player(colour) for colour in (1, 0)))
        return Panel(Columns([board, side], padding=(0, 3)), title=self.heading, expand=False)

    def _rank(self, rank: int) -> Text:
        files = self.position.description.files
        moves = self.position.moves
        last = {moves[-1].from_square, moves[-1].to_square} if moves else set()
        line = Text.assemble((f"{rank + 1:>2} ", "dim"))
        for file in range(files):
            square = rank * files + file
            piece = self.position.letter_at(square)
            ground = LAST if square in last else LIGHT if (rank + file) % 2 else DARK
            style = PIECES[0 if piece and piece.isupper() else 1]
            line.append(f" {piece or ' '} ", f"{style} {ground}")
        return line

    def _hand(self, colour: int) -> Text:
        if not self.position.description.has_drops:
            return Text("")
        hand = self.position.hand(colour)
        pieces = "  ".join(f"{letter}{count}" for letter, count in hand.items()) or "-"
        return Text(f"{COLOURS[colour]}'s hand: {pieces}", "bold" if self.position.turn == colour else "")

    def _player(self, colour: int) -> Table:
        thinking = self.players[colour].thinking
        table = Table(show_header=False, box=None, title=self.players[colour].name, title_justify="left")
        table.add_row("clock", f"{self.clocks[colour]:.1f} s")
        table.add_row("for White", thinking.for_white(colour).verdict)
        table.add_row("depth", str(thinking.depth))
        table.add_row("speed", f"{thinking.nps / 1e6:.2f} million nodes/s")
        table.add_row("line", Text(thinking.line[:34], overflow="ellipsis", no_wrap=True))
        return table


class Recorder:
    """Plays the game between two players under a clock, and updates the scene."""

    def __init__(self, players: Sequence[Client], scene: Scene, control: TimeControl) -> None:
        self.players, self.scene, self.control = players, scene, control
        self.position = scene.position
        self.plies: list[MoveRecord] = []
        assert control.base is not None
        scene.clocks = [control.base, control.base]
        for colour, player in enumerate(players):
            player.new_game(self.position, control, control, colour)

    def play(self, on_move: Callable[[Move, Thinking], object], refresh: Callable[[], None]) -> Result:
        """Plays to a result by rule, and returns it. Raises PlayerError if an engine fails."""
        while (result := self.position.result()) is None:
            turn = self.position.turn
            mover = self.players[turn]
            clocks = self.scene.clocks[turn], self.scene.clocks[1 - turn]
            answer = mover.think(self.position, *clocks, lambda _: refresh())
            try:
                move = self.position.push(answer.move or answer.text)
            except MoveError as error:
                raise PlayerError(f"{mover.name} made an illegal move: {error}") from None
            self.scene.clocks[turn] += self.control.increment - answer.seconds
            thinking = mover.thinking
            said = (thinking.score, thinking.mate, thinking.depth, thinking.nodes)
            self.plies.append(MoveRecord(str(move), answer.seconds, *said))
            self.scene.heading = f"{(self.position.ply + 1) // 2}. {'... ' if turn else ''}{move}"
            on_move(move, thinking)
            refresh()
        return result


def _plain_move(position: Position, console: Console) -> Callable[[Move, Thinking], None]:
    def on_move(move: Move, thinking: Thinking) -> None:
        number = f"{(position.ply + 1) // 2}.{'..' if position.ply % 2 == 0 else ''}"
        score = thinking.for_white(1 - position.turn).verdict
        console.print(
            f"{number:<6} {move!s:<8} score for White {score:>7}  "
            f"depth {thinking.depth:>2}  {thinking.nps / 1e6:5.2f} Mn/s",
            highlight=False,
            soft_wrap=True,
        )

    return on_move


@contextmanager
def _two_players(
    description: Description, control: TimeControl, names: Sequence[str]
) -> Iterator[list[Client]]:
    players: list[Client] = []
    try:
        for name in names:
            spec = EngineSpec(name, (OURSELVES,), "cecp", control)
            players.append(start_player(spec, description))
        yield players
    finally:
        for player in players:
            player.close()


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    base: Annotated[float, Option("Seconds of each side.", least=0.1)] = 8.0,
    increment: Annotated[float, Option("Seconds added with each move.", least=0)] = 0.1,
    pgn: Annotated[Path | None, Option("File for the game.", type=NEW_FILE)] = None,
) -> None:
    """Play one game in the terminal, engine against engine. Scores are those for White.

    A game that Ctrl-C or an engine's failure ends is kept as far as it came."""
    pgn = pgn or _default_file(variant)
    console, control = Console(), TimeControl(base, increment)
    compile_with_bar(variant)
    with ending_at_once():
        position = _ready(variant)
    started, names, trouble = datetime.now(UTC), [f"Surajang ({colour})" for colour in COLOURS], None
    game = MatchGame(0, 0, 0, 1, Opening(position.start_fen))
    record = Record(game, GameResult.UNKNOWN, "interrupted", Termination.UNTERMINATED)
    record.started = started.isoformat(timespec="seconds")
    try:
        with _two_players(position.description, control, names) as players:
            recorder = Recorder(players, Scene(position, players), control)
            record.plies = recorder.plies
            result = _watched(recorder, console)
        record.score, record.reason = GameResult(result.score), result.reason
        record.termination = Termination.NORMAL
    except PlayerError as error:
        trouble = record.reason = str(error)
    except KeyboardInterrupt:
        trouble = "Interrupted."
    if record.plies or trouble is None:
        record.seconds = (datetime.now(UTC) - started).total_seconds()
        with handled(signal.SIG_IGN, (signal.SIGINT,)):  # nothing disturbs it
            _save(pgn, record, write_pgn(record, variant, names, [control, control]), console)
    if trouble is not None:
        click.echo(trouble, err=True)
        raise click.exceptions.Exit(INTERRUPTED if record.reason == "interrupted" else 1)


def _default_file(variant: Variant) -> Path:
    """A new file in the current folder. Raises ClickException if none can be written there."""
    path = Path(f"{variant}-{datetime.now():%Y%m%d-%H%M%S}.pgn")
    if reason := why_no_file(path):
        raise click.ClickException(f"{str(path)!r} cannot be written: {reason}; name another file by --pgn")
    return path


def _ready(variant: Variant) -> Position:
    """The start of the game, with all code loaded that a `Position` needs to play."""
    position = Position(variant)
    position.push(position.legal_moves()[0])
    position.result()
    position.pop()
    return position


def _watched(recorder: Recorder, console: Console) -> Result:
    """Plays the game with output: a live board on a terminal, elsewhere a line per move."""
    if not console.is_terminal:
        return recorder.play(_plain_move(recorder.position, console), lambda: None)
    with Live(recorder.scene, console=console, refresh_per_second=8) as live:
        return recorder.play(lambda move, thinking: None, live.refresh)


def _save(pgn: Path, record: Record, text: str, console: Console) -> None:
    """Writes the game as PGN, `text`, and prints its path; prints the game if it cannot be written."""
    told = f"{record.score} {{{record.reason}}} after {len(record.plies)} plies"
    console.print(told, highlight=False, markup=False)
    with written(pgn):
        try:
            pgn.write_text(text, encoding="utf-8")
        except OSError:
            click.echo(text)
            raise
    console.print(f"The game is in {pgn.resolve()}", highlight=False, soft_wrap=True, markup=False)
