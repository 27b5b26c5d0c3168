"""`surajang variants`: lists games, shows the rules of one, checks a file, converts other programs' files.
Only `check` imports compiled code."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import click
from rich import box
from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ...engine.definition.catalogue import (
    FAMILIES,
    SHIPPED,
    available,
    folders,
    kept_text,
    known_as,
    load,
    namesake,
    read_table,
)
from ...engine.definition.fen import FenError
from ...engine.fairy_ini import SUFFIX, conversion
from ...engine.fairy_ini.exporting import export
from ...engine.game.description import Description, VariantError
from ...engine.rulebook.markdown import page
from ...engine.rulebook.piece_table import NUMBERS, piece_columns
from ...engine.rulebook.rules import sections, special_rules
from ...engine.rulebook.text_board import board_rows, drawings, legend
from ..session.user_games import register_file
from .interrupts import ending_at_once
from .options import game_by_file, known_game, variant_file_option

PLAIN_WIDTH = 160  # columns, where the output does not go to a terminal, which tells its own
ROOMY = 120  # columns that let the list of games have a column for everything
TEXT_WIDTH = 100  # columns; longer lines are hard to read
CASTLING = {"K": "kingside", "Q": "queenside"}


class VariantsGroup(click.Group):
    """A group whose commands may be omitted: the name of a game alone shows that game."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands:
            args = ["show", *args]
        return super().resolve_command(ctx, args)


@click.group(
    cls=VariantsGroup,
    invoke_without_command=True,
    subcommand_metavar="[NAME | FILE | check FILE | import FILE [NAME]... | export NAME]",
)
@variant_file_option
@click.pass_context
def main(ctx: click.Context) -> None:
    """List the games, show the rules of one (NAME or FILE), check a file, import or export games."""
    if ctx.invoked_subcommand is None:
        _show_list(_console())


def _console() -> Console:
    """The console for games, without markup, because their texts may contain anything."""
    console = Console(markup=False, emoji=False, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PLAIN_WIDTH
    return console


# The list


def _show_list(console: Console) -> None:
    """A table for each folder with games, then one for games from the command line."""
    shown: dict[str, Path] = {}
    for folder in dict.fromkeys(folders()):
        paths = {path.stem: path for path in sorted(folder.glob("*.toml"))}
        entries = [_entry(name, path, shown.get(name)) for name, path in paths.items()]
        _show_table(console, f"{FAMILIES.get(folder, 'Your own games')}, in {folder}", entries)
        shown = paths | shown
    named = [(name, known_game(name).description) for name in available() if name not in shown]
    _show_table(console, "Named by --variant-file", named)
    _say(console, f"Put your own games into {folders()[len(SHIPPED)]}.")
    _say(
        console,
        "`surajang variants NAME` shows the rules of one, `surajang variants check FILE` checks a file.",
    )


def _entry(name: str, path: Path, other: Path | None) -> tuple[str, Description | str]:
    """(name, `Description`), or (name, sentence with the reason)."""
    if other is not None:
        return name, f"{path}: hidden, because {other} has the same name"
    try:
        return name, known_game(name).description
    except VariantError as error:
        return name, str(error)


def _show_table(console: Console, title: str, entries: Sequence[tuple[str, Description | str]]) -> None:
    """The games of one folder, and below them the errors in its other files."""
    games = [game for _, game in entries if not isinstance(game, str)]
    if entries:
        _say(console, title, "bold")
    if games:
        console.print(_table_of(games, console.width))
    for name, game in entries:
        if isinstance(game, str):
            _say(console, f"  {name} cannot be played: {game}", "red")
    if entries:
        console.print()


def _table_of(games: Sequence[Description], width: int) -> Table:
    """A row per game; in narrow terminals, title and the source's host are below the name."""
    roomy = width >= ROOMY
    table = Table(box=box.SIMPLE_HEAD)
    headings = ["name", *["title"] * roomy, "board", "pieces", "drops", "special rules", *["source"] * roomy]
    for heading in headings:
        table.add_column(heading, overflow="fold", no_wrap=heading in ("name", "title", "board"))
    for game in games:
        letters = [piece.letter for piece in game.kinds]
        name, host = Text(game.name, "bold"), _host(game.source)
        table.add_row(
            *(
                [name, game.title]
                if roomy
                else [Text("\n").join([name, Text(game.title), Text(host, "dim")])]
            ),
            f"{game.files} x {game.ranks}",
            f"{len(letters)}: {''.join(letters)}",
            "yes" if game.has_drops else "no",
            ", ".join(special_rules(game)),
            *[game.source] * roomy,
        )
    return table


def _host(source: str) -> str:
    """The host of a web address; empty for another source."""
    try:
        return urlsplit(source).netloc.removeprefix("www.")
    except ValueError:
        return ""


def _say(console: Console, text: str, style: str = "") -> None:
    """One line without wrapping, so that paths and sentences can be copied."""
    console.print(text, style=style, soft_wrap=True)


# One game


def _game_of(name: str | None) -> Description:
    """The game of a name, a file's path, or --variant-file. Raises VariantError, and UsageError if none of
    them is given."""
    chosen = game_by_file()
    if name is None:
        if chosen is None:
            raise click.UsageError("which game? Give a NAME, the FILE of a game, or --variant-file")
        return chosen.description
    if Path(name).suffix in (".toml", SUFFIX):
        name = register_file(Path(name))
    if chosen not in (None, name):
        raise VariantError(f"{name!r}, but the game in the file of --variant-file is {chosen!r}")
    return known_game(name).description


@main.command()
@click.argument("name", required=False, metavar="[NAME | FILE]")
@variant_file_option
@click.option("--markdown", is_flag=True, help="Print a page in Markdown.")
def show(name: str | None, markdown: bool) -> None:
    """Show the rules of a game, by its name or by its file."""
    try:
        game = _game_of(name)
    except VariantError as error:
        raise click.BadParameter(str(error), param_hint="NAME") from None
    if markdown:
        click.echo(page(game), nl=False)
    else:
        _show_sheet(_console(), game)


def _show_sheet(console: Console, game: Description) -> None:
    """The rule sheet: board, pieces, moves, and the rules in words."""
    _say(console, f"{game.title} ({game.name})", "bold")
    file = None if kept_text(game.path) else str(game.path)
    for text in filter(None, (game.source, file)):
        _say(console, text, "dim")
    console.print()
    console.print(Panel("\n".join(board_rows(game)), title="Start", expand=False))
    _say(console, game.start_fen, "dim")
    console.print(_piece_table(game))
    panels = [
        Panel("\n".join(rows), title=" ".join(letters), expand=False) for letters, rows in drawings(game)
    ]
    console.print(Columns(panels), width=min(console.width, TEXT_WIDTH))
    for sign, meaning in legend(game).items():
        console.print(f"  {sign}  {meaning}", style="dim")
    for heading, sentences in sections(game).items():
        console.print(f"\n{heading}", style="bold")
        grid = Table.grid(padding=(0, 1))
        for sentence in sentences:
            grid.add_row(" -", sentence)
        console.print(grid, width=min(console.width, TEXT_WIDTH))
    console.print("\nRanks are counted from each side's own.", style="dim")


def _piece_table(game: Description) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    columns = piece_columns(game)
    for heading in columns:
        table.add_column(heading, justify="right" if heading in NUMBERS else "left")
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    return table


# A file


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Check a game's file: read it, compile it, and count the moves of its start position."""
    try:
        game = load(register_file(file))
        count = _moves_at_start(game)
    except (VariantError, FenError) as error:
        click.echo(
            str(error) if isinstance(error, VariantError) else f"{file.name}: start: {error}", err=True
        )
        raise SystemExit(1) from None
    console = _console()
    console.print(f"{game.title} ({game.name}) can be played.", style="bold")
    grid = Table.grid(padding=(0, 2))
    for heading, text in (_summary(game) | {"moves at the start": str(count)}).items():
        grid.add_row(f"  {heading}", text)
    console.print(grid)
    if file.stem != game.name and file.suffix != SUFFIX:
        _say(console, f"In a folder of games call the file {game.name}.toml; --variant-file takes any name.")
    for alias in game.aliases:
        if (other := known_as(alias)) != game.name:
            _say(console, f"The alias {alias} is a name of {other} already, and stays that.")


def _summary(game: Description) -> dict[str, str]:
    """The facts of the description: heading -> text."""
    written = read_table(game.path)["pieces"]
    guessed = [p for p in game.kinds if not p.royal and "value" not in written[p.letter]]
    return {
        "board": f"{game.files} x {game.ranks}",
        "pieces": f"{len(game.kinds)}: {', '.join(f'{piece.letter} {piece.name}' for piece in game.kinds)}",
        "drops": ", ".join(piece.name for piece in game.hand_pieces) or "none",
        "castling": " and ".join(dict.fromkeys(CASTLING[wing.letter] for wing in game.castling)) or "none",
        "special rules": ", ".join(special_rules(game)) or "none",
        "estimated values": ", ".join(f"{p.letter} {p.value}" for p in guessed) or "none, the file gives all",
    }


@ending_at_once()
def _moves_at_start(game: Description) -> int:
    """The number of moves at the start, from compiled code. Raises VariantError, FenError for an unplayable
    game, such as one that is over at its start."""
    with Console(stderr=True).status(f"compiling {game.name}"):
        from ...engine.position import Position

        start = Position(game.name)
        moves, result = len(start.legal_moves), start.result()
    if result is not None:
        raise VariantError(f"{game.path.name}: start: the game is over there: {result.reason}")
    return moves


# Files of Fairy-Stockfish


@contextmanager
def _told_reason() -> Iterator[None]:
    """Ends the command with the sentence of a VariantError alone."""
    try:
        yield
    except VariantError as error:
        click.echo(str(error), err=True)
        raise SystemExit(1) from None


@main.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("names", nargs=-1)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="Folder for the TOML files.  [default: the current folder]",
)
@click.option("--force", is_flag=True, help="Also replace games that were not imported from FILE.")
def import_games(file: Path, names: tuple[str, ...], folder: Path, force: bool) -> None:
    """Convert the games of Fairy-Stockfish's FILE (variants.ini), or only NAMES, to TOML files.

    For a game that cannot be expressed, the command names the key that prevents it, and writes no file.
    """
    with _told_reason():
        games = conversion.import_file(file, names)
    for warning in games.warnings:
        click.echo(warning, err=True)
    kept = []
    for name, game in games.found.items():
        if not force and (there := conversion.would_replace(game, folder)):
            kept.append(f"{name}: {there} was not imported from {file.name}; --force replaces it")
            continue
        try:
            path = conversion.write(game, folder)
        except OSError as error:
            click.echo(f"{folder}: {game.name}.toml cannot be written there: {error.strerror}", err=True)
            raise SystemExit(1) from None
        click.echo(f"{name}: {path}")
        for heading, keys in (("left out", game.left_out), ("without effect", game.without_effect)):
            if keys:
                click.echo(f"  {heading}: {', '.join(keys)}")
        if other := namesake(game.name, path):
            reason = f"{other} is the game of that name; give the file another name and `name`"
            click.echo(f"{name}: {path} cannot be played: {reason}", err=True)
        for warning in game.warnings:
            click.echo(f"{file.name}: [{name}] {warning}", err=True)
    for refusal in (*kept, *games.refused.values()):
        click.echo(str(refusal), err=True)
    if kept or games.refused:
        raise SystemExit(1)


@main.command("export")
@click.argument("name", required=False, metavar="[NAME | FILE]")
@variant_file_option
def export_game(name: str | None) -> None:
    """Print a game as a section of Fairy-Stockfish's variants.ini."""
    with _told_reason():
        click.echo(export(_game_of(name)), nl=False)
