"""The server: files of the page, and a socket for each page. It serves only this machine and this run."""

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import cache
from graphlib import TopologicalSorter
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from .browser_board import BrowserBoard
from .shared_board import Channel

ENTRY = "main"
_IMPORT = re.compile(r'^import \{(.+?)\} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) ([\w$]+))", re.MULTILINE)
HOSTS = ("127.0.0.1", "localhost")
TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}
FOREIGN, NO_TOKEN = 4403, 4401  # codes with which a socket is closed
HEADERS = {
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
}


def create_app(session: BrowserBoard, token: str) -> Starlette:
    """The ASGI application for a `BrowserBoard`. Pages must know the `token`."""

    async def page(request: Request) -> Response:
        return _file("index.html")

    async def script(request: Request) -> Response:
        return Response(page_script(), media_type=TYPES["js"], headers=HEADERS)

    async def static(request: Request) -> Response:
        return _file(request.path_params["name"])

    async def socket(websocket: WebSocket) -> None:
        if not _from_here(websocket.headers):
            await websocket.close(FOREIGN, "this origin may not speak to the board")
            return
        if not secrets.compare_digest(websocket.query_params.get("token", "").encode(), token.encode()):
            await websocket.accept()  # a browser gives its page no code of a socket that was never open
            await websocket.close(NO_TOKEN, "the token is not that of this run")
            return
        await websocket.accept()
        channel = session.attach()
        sender = asyncio.create_task(_send(websocket, channel))
        try:
            while True:
                await session.handle(channel, await _receive(websocket))
        except WebSocketDisconnect:
            pass
        finally:
            sender.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await sender
            await session.detach(channel)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await session.close()

    routes = [
        Route("/", page),
        Route("/page.js", script),
        Route("/static/{name}", static),
        WebSocketRoute("/socket", socket),
    ]
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=list(HOSTS), www_redirect=False)
    return Starlette(routes=routes, middleware=[hosts], lifespan=lifespan)


async def _receive(websocket: WebSocket) -> Any:
    """The next message of a page, parsed JSON; None for one that is none. Raises WebSocketDisconnect."""
    try:
        return json.loads(await websocket.receive_text())
    except (ValueError, RecursionError, KeyError, TypeError):  # not JSON, nested too deep, or not text
        return None


async def _send(websocket: WebSocket, channel: Channel) -> None:
    """Sends the session's messages for a page, as fast as the page receives them."""
    while True:
        for message in await channel.take():
            await websocket.send_text(json.dumps(message, separators=(",", ":")))


def _from_here(headers: Mapping[str, str]) -> bool:
    """Whether the page that opens a socket came from this server."""
    origin, host = headers.get("origin", ""), headers.get("host", "")
    return origin == f"http://{host}" and host.rsplit(":", 1)[0] in HOSTS


def _file(name: str) -> Response:
    kind = TYPES.get(name.rpartition(".")[2])
    path = files("surajang.board").joinpath("static", name)
    if kind is None or "/" in name or "\\" in name or not path.is_file():
        return PlainTextResponse("there is no such file", 404)
    return Response(path.read_bytes(), media_type=kind, headers=HEADERS)


@cache
def page_script() -> str:
    """`main.js` after the modules that it needs: each is a function that is called once and returns its
    exports."""
    texts: dict[str, str] = {}
    pending = [ENTRY]
    while pending:
        name = pending.pop()
        if name not in texts:
            path = files("surajang.board").joinpath("static", f"{name}.js")
            texts[name] = path.read_text(encoding="utf-8")
            pending += imported(texts[name])
    order = TopologicalSorter({name: imported(text) for name, text in texts.items()}).static_order()
    return "".join(_called(name, texts[name]) for name in order)


def imported(text: str) -> list[str]:
    """The names of the modules that a module imports."""
    return [match[2] for match in _IMPORT.finditer(text)]


def _called(name: str, text: str) -> str:
    exports = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(r"const {\1} = module_\2;", text))
    return f"const module_{name} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
