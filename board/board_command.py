"""The command `surajang board`: a server on this machine for the board in the browser."""

import asyncio
import contextlib
import os
import secrets
import socket
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from ..engine.definition import fen as fens
from ..engine.definition.shuffled_starts import numbered_start
from ..engine.notation.lines import open_pgn
from ..engine.variant import Variant
from ..protocol.terminal.command_options import FILE, Option, with_options
from ..protocol.terminal.console import note
from ..protocol.terminal.interrupts import end_at_once, ending_at_once
from ..protocol.terminal.options import variant_option

if TYPE_CHECKING:
    from ..match.players.spec import EngineSpec
    from .browser_board import BrowserBoard

HOME_PORT = 8417
FOLDER_TO_COME = click.Path(file_okay=False, path_type=Path)  # a match may create it later
ENGINE_HELP = 'An engine, as `surajang match` takes it: "cmd=fairy-stockfish proto=uci". May be repeated.'
PORT_HELP = f"The port; 0 for a free one.  [default: {HOME_PORT}, or a free one if that is taken]"
WATCH_HELP = "A match to watch: the folder of `surajang match`."


def _engines(texts: tuple[str, ...]) -> "list[EngineSpec]":
    from .engines import read_engine

    return [read_engine(text) for text in texts]


@click.command()
@variant_option
@with_options
@click.pass_context
def main(
    context: click.Context,
    variant: Variant,
    fen: Annotated[str | None, Option("The position; the start of the game by default.")] = None,
    pgn: Annotated[Path | None, Option("Games to look at.", type=FILE)] = None,
    engines: Annotated[
        "tuple[EngineSpec, ...]",
        Option(ENGINE_HELP, "--engine", multiple=True, metavar="SETTINGS", parse=_engines),
    ] = (),
    watch: Annotated[Path | None, Option(WATCH_HELP, type=FOLDER_TO_COME, metavar="FOLDER")] = None,
    port: Annotated[int | None, Option(PORT_HELP, least=0, most=65535)] = None,
    no_open: Annotated[bool, Option("Do not open the browser.")] = False,
) -> None:
    """Play, analyse, review and watch games in the browser, on this machine alone."""
    import uvicorn

    from .app import create_app
    from .browser_board import BrowserBoard

    session, token = BrowserBoard(engines, watch), secrets.token_urlsafe(16)
    listener = _listen(port)
    chosen = context.get_parameter_source("variant") is click.core.ParameterSource.COMMANDLINE
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/?token={token}"

    config = uvicorn.Config(
        create_app(session, token), log_level="error", ws="websockets-sansio", timeout_graceful_shutdown=2
    )

    async def serve() -> None:
        click.echo(f"The board is at {address}\nCtrl-C ends it.")
        if not no_open:
            webbrowser.open(address)
        await uvicorn.Server(config).serve(sockets=[listener])

    runner = asyncio.Runner()
    with ending_at_once():
        runner.run(_begin(session, variant, chosen, fen, pgn))
    with contextlib.suppress(KeyboardInterrupt):
        runner.run(serve())
    end_at_once(0)  # a thread may still be compiling a game that a page has asked for


def _listen(port: int | None) -> socket.socket:
    """A socket on loopback. Without a port it is HOME_PORT if that is free: the browser keeps settings by
    address, so it finds those of earlier runs."""
    if port is None and os.name != "nt":  # Windows lets several sockets listen at one port
        with contextlib.suppress(click.ClickException):
            return _bound(HOME_PORT)
    return _bound(port or 0)


def _bound(port: int) -> socket.socket:
    # asyncio turns Nagle's delay off only if the protocol is named.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen()  # from now on, an early browser waits
    except OSError as error:
        listener.close()
        raise click.ClickException(f"port {port} cannot be used: {error.strerror}") from None
    return listener


async def _begin(
    session: "BrowserBoard", variant: Variant, chosen: bool, fen: str | None, pgn: Path | None
) -> None:
    """Loads the games and files of the options; `chosen` says whether they name the game. An error ends the
    command."""
    from ..protocol.terminal.progress import compile_with_bar
    from .match_folder import FolderError

    try:
        game = (not chosen and session.watch.variant) or variant
        if fen is not None:  # before the game is compiled
            fens.parse(numbered_start(game.description, fen), game.description)
        compile_with_bar(game)
        await session.load(game, fen)
        if pgn is not None:
            with open_pgn(pgn) as file:
                text = file.read()
            await session.requests.on_pgn({"type": "pgn", "text": text})
            if session.problem:
                note(f"{pgn} {session.problem}")
        await session.watch.begin()
    except (ValueError, FolderError, OSError, EOFError) as error:
        raise click.ClickException(str(error)) from None
