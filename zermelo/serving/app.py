"""The addresses of the server: the page and its files, the gallery, and the questions of the page."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from mimetypes import guess_type
from pathlib import Path
from typing import Any, Final

import uvicorn
from attrs import frozen
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

import zermelo.gamedefs as gamedefs
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.reading import LARGEST
from zermelo.serving.bundled import bundled_game, gallery, sheet
from zermelo.serving.questions import QUICK, TOO_LARGE, Refusal, too_large_refusal, unreadable_refusal
from zermelo.serving.workers import Answer, Workers, context

# Who may ask the server, and what its answers tell a browser.
#
# The server is bound to the loopback address, so other machines do not reach it; but every page that is open in a
# browser of this machine does. Two checks keep such pages out. A name that somebody has made to point to this machine
# (DNS rebinding) shows in the header ``Host``, which must name this server. A request from the page of another site
# shows in ``Origin``. A request for work must also be JSON, which no form of another site can send without asking
# first, and no site is given leave.
#
# The policy of the page allows scripts, styles and requests of this server alone, and nothing inline.


MOST_BYTES: Final = 1 << 22
"""The largest request: a file of the largest size, whose every character may take several bytes in JSON."""

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

HEADERS: Final = (
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cache-control", "no-cache"),
)

_NAMES: Final = ("127.0.0.1", "localhost")


class Guard:
    """An application, behind the checks; ``port`` is that of the server."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = {f"{name}:{port}" for name in _NAMES} | ({*_NAMES} if port == 80 else set())
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # a WebSocket, which nothing here speaks
            await send({"type": "websocket.close"})
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS]
                message = {**message, "headers": [*message.get("headers", ()), *added]}
            await send(message)

        refused = self._refusal(scope)
        if refused is None:
            await self._app(scope, receive, send_with_headers)
            return
        if refused.status != TOO_LARGE:
            await _discard_body(receive)
        json = [(b"content-type", b"application/json"), (b"connection", b"close")]
        await send_with_headers({"type": "http.response.start", "status": refused.status, "headers": json})
        await send_with_headers({"type": "http.response.body", "body": refused.content})

    def _refusal(self, scope: Scope) -> Refusal | None:
        """Why a request is not answered; None if it is."""
        given: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            given.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        hosts, origins = given.get("host", []), given.get("origin", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return Refusal(403, "bad-usage", "this server answers only to its own address")
        if any(origin.lower() not in self._origins for origin in origins):
            return Refusal(403, "bad-usage", "this server does not answer to pages of other sites")
        if scope["method"] != "POST":
            return None
        if [each.partition(";")[0].strip().lower() for each in given.get("content-type", [])] != ["application/json"]:
            return unreadable_refusal("a question must be JSON")
        if any(not each.isascii() or not each.isdecimal() for each in given.get("content-length", [])):
            return unreadable_refusal("the length of a request must be a number")
        if any(int(each) > MOST_BYTES for each in given.get("content-length", [])):
            return too_large_refusal(MOST_BYTES)
        return None


async def _discard_body(receive: Receive) -> None:
    """Read for a moment what comes with a refused request: a client that still writes when the connection ends may lose
    the answer."""
    left = MOST_BYTES
    with suppress(TimeoutError):
        async with asyncio.timeout(_LINGER):
            while left > 0 and (message := await receive()).get("more_body"):
                left -= len(message["body"])


SEARCHES: Final = ("reply", "hint", "tree", "watch")
"""Questions that may take a search; the page waits until it ends."""

SOLVE: Final = "solve"
"""The search whose progress the page shows."""

ANALYSIS: Final = "analysis"
"""The search of which the page shows what has been found so far. It has processes of its own: it may go on as long as
somebody looks at a position, and whatever else is asked does not wait for it."""

_PAGE: Final = Path(__file__).parent / "page"
_TYPES: Final = {".js": "text/javascript", ".svg": "image/svg+xml"}
_PATIENCE: Final = 20.0
"""Seconds in which a request has to arrive."""

_LINGER: Final = 1.0
"""Seconds for which the server waits for the content of a refused request."""

_STANDS_BACK: Final = 10
"""How nice searches are to questions that are answered at once."""


@frozen
class RequestLimits:
    """What a request may use: ``seconds``, and ``memory`` in bytes; and how many ``solves`` there are at once."""

    seconds: float
    memory: int
    solves: int


def application(bounds: RequestLimits, port: int) -> ASGIApp:
    """The server, for ASGI, at a port of this machine."""
    begun = context()
    count, limits_of_each = max(2, bounds.solves), (bounds.seconds, bounds.memory)
    trying = Workers(begun, count, *limits_of_each)
    quick = Workers(begun, count, *limits_of_each, others=trying)
    searching = Workers(begun, bounds.solves, *limits_of_each, _STANDS_BACK, trying)
    analysing = Workers(begun, bounds.solves, *limits_of_each, _STANDS_BACK)

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        for workers in (trying, quick, searching, analysing):
            workers.open()
        try:
            yield
        finally:
            await asyncio.gather(*(workers.close() for workers in (trying, quick, searching, analysing)))

    async def limits(_: Request) -> Response:
        return JSONResponse({"seconds": bounds.seconds, "bytes": LARGEST, "solves": bounds.solves})

    questions = [(name, quick) for name in QUICK] + [(name, searching) for name in SEARCHES]
    routes = [
        Route("/", _index),
        Route("/page/{name}", _file),
        Route("/api/sheet", _sheet),
        Route("/api/gallery", _gallery),
        Route("/api/gallery/{name}", _bundled_game),
        Route("/api/limits", limits),
        *(Route(f"/api/{name}", _answer_handler(workers, name), methods=["POST"]) for name, workers in questions),
        Route(f"/api/{SOLVE}", _event_handler(searching, SOLVE), methods=["POST"]),
        Route(f"/api/{ANALYSIS}", _event_handler(analysing, ANALYSIS), methods=["POST"]),
    ]
    return Guard(Starlette(routes=routes, lifespan=running), port)


# ---------------------------------------------------------------- what is there


def _files() -> dict[str, Path]:
    """The files of the page by their names: nothing else can be asked for."""
    return {path.name: path for path in _PAGE.iterdir() if path.is_file()}


def _index(_: Request) -> Response:
    return _file_response(_PAGE / "index.html")


def _file(request: Request) -> Response:
    path = _files().get(request.path_params["name"])
    return _not_found() if path is None else _file_response(path)


def _file_response(path: Path) -> Response:
    kind = _TYPES.get(path.suffix) or guess_type(path.name)[0] or "text/plain"
    return Response(path.read_bytes(), media_type=kind)


def _sheet(_: Request) -> Response:
    return JSONResponse(sheet())


def _gallery(_: Request) -> Response:
    return JSONResponse(gallery())


def _bundled_game(request: Request) -> Response:
    name = request.path_params["name"]
    return JSONResponse(bundled_game(name)) if name in gamedefs.names() else _not_found()


def _not_found() -> Response:
    return _refusal_response(Refusal(404, "unknown-game", "there is nothing of this name"))


# ---------------------------------------------------------------- questions


def _answer_handler(workers: Workers, name: str) -> Any:
    """A handler that answers a question, unless the client goes away first."""

    async def answer(request: Request) -> Response:
        data = await _read(request)
        if isinstance(data, Refusal):
            return _refusal_response(data)
        work = asyncio.ensure_future(workers.answer(name, data))
        gone = asyncio.ensure_future(_wait_for_disconnect(request))
        try:
            await asyncio.wait([work, gone], return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                return Response(status_code=499)  # nobody reads it
            status, content = work.result()
            return Response(content, status, media_type="application/json")
        finally:
            work.cancel()
            gone.cancel()

    return answer


def _event_handler(workers: Workers, name: str) -> Any:
    """A handler that answers a question by events: its progress, and at the end its result or refusal."""

    async def follow(request: Request) -> Response:
        data = await _read(request)
        if isinstance(data, Refusal):
            return _refusal_response(data)
        return StreamingResponse(_events(workers, name, data), media_type="text/event-stream")

    return follow


async def _events(workers: Workers, name: str, data: bytes) -> AsyncIterator[bytes]:
    said: asyncio.Queue[str | Answer] = asyncio.Queue()

    async def work() -> None:
        said.put_nowait(await workers.answer(name, data, said.put_nowait))

    working = asyncio.ensure_future(work())
    try:
        while isinstance(words := await said.get(), str):
            yield _event("progress", json.dumps({"text": words}).encode())
        status, content = words
        yield _event("solved" if status == 200 else "refused", content)
    finally:
        working.cancel()


def _event(kind: str, data: bytes) -> bytes:
    return f"event: {kind}\ndata: ".encode() + data + b"\n\n"


async def _read(request: Request) -> bytes | Refusal:
    """The content of a request; a refusal if it is too large, or does not come."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(_PATIENCE):
            async for part in request.stream():
                size += len(part)
                if size > MOST_BYTES:
                    return too_large_refusal(MOST_BYTES)
                parts.append(part)
    except (TimeoutError, ClientDisconnect):
        return unreadable_refusal("the request has not arrived")
    return b"".join(parts)


async def _wait_for_disconnect(request: Request) -> None:
    """Ends when the client has gone away."""
    with suppress(RuntimeError):
        while (await request.receive())["type"] != "http.disconnect":
            pass


def _refusal_response(refusal: Refusal) -> Response:
    return Response(refusal.content, refusal.status, media_type="application/json")


# The server as a process: its socket, its beginning and its end.


LOOPBACK: Final = "127.0.0.1"
"""The only address to which the server is bound: other machines do not reach it."""

_CONNECTIONS: Final = 512
_IDLE: Final = 30
"""Seconds in which a connection has to send the head of a request, and to take what has been written to it."""

_END: Final = 1
"""Seconds in which answers end when the server does."""


def bind_socket(port: int) -> socket.socket:
    """A socket at a port of this machine; 0: any that is free. Raises ``ZermeloError`` (``bad-usage``)."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":  # where it means something else
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((LOOPBACK, port))
    except OSError as error:
        made.close()
        help = "another server may have it; `--port 0` takes one that is free"
        raise ZermeloError("bad-usage", f"port {port} cannot be used: {error.strerror}", help) from error
    made.listen(_CONNECTIONS)
    return made


def run(made: socket.socket, bounds: RequestLimits, begun: Callable[[], None]) -> None:
    """Serve until the process is interrupted; ``begun`` is called when requests are answered.

    Raises ``KeyboardInterrupt`` in the end if it was Ctrl-C."""
    port = made.getsockname()[1]
    config = uvicorn.Config(
        application(bounds, port), log_config=None, access_log=False, server_header=False, date_header=False,
        limit_concurrency=_CONNECTIONS, timeout_keep_alive=_IDLE, timeout_graceful_shutdown=_END, http=Connection,
        ws="none", lifespan="on",
    )  # fmt: skip
    _Server(config, begun).run([made])


class Connection(H11Protocol):
    """A connection that is ended when the server has waited for the other side too long. uvicorn itself waits for ever
    for the rest of a head that has begun to come, and for a client that does not read an answer."""

    _over: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._watch_anew()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch_anew()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_watching()

    def _watch_anew(self) -> None:
        self._stop_watching()
        self._watch()

    def _watch(self) -> None:
        """Wait for the other side, if it is its turn; one more byte does not start the time anew."""
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if is_answering and not self.flow.write_paused:
            self._stop_watching()
        elif self._over is None:
            self._over = self.loop.call_later(_IDLE, self.transport.abort)

    def _stop_watching(self) -> None:
        if self._over is not None:
            self._over.cancel()
            self._over = None


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, begun: Callable[[], None]) -> None:
        super().__init__(config)
        self._begun = begun

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._begun()
