"""The addresses of the server: the page and its files, the gallery, and the questions of the page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from mimetypes import guess_type
from pathlib import Path
from typing import Any, Final

from attrs import frozen
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

import zermelo.gamedefs as gamedefs
from zermelo.grammar.reading import LARGEST
from zermelo.serving.guard import MOST_BYTES, Guard
from zermelo.serving.refusals import Refusal, too_large, unreadable
from zermelo.serving.workers import Answer, Workers, context

QUICK: Final = ("findings", "completion", "hover", "format", "rules", "position", "replay")
"""Questions that are answered at once."""

SEARCHES: Final = ("reply", "hint", "tree")
"""Questions that may take a search, for whose end the page waits."""

SOLVE: Final = "solve"
"""The search whose progress the page shows."""

_PAGE: Final = Path(__file__).parent / "page"
_TYPES: Final = {".js": "text/javascript", ".svg": "image/svg+xml"}
_PATIENCE: Final = 20.0
"""Seconds in which a request has to arrive."""

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

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        for workers in (trying, quick, searching):
            workers.open()
        try:
            yield
        finally:
            await asyncio.gather(trying.close(), quick.close(), searching.close())

    async def limits(_: Request) -> Response:
        return JSONResponse({"seconds": bounds.seconds, "bytes": LARGEST, "solves": bounds.solves})

    questions = [(name, quick) for name in QUICK] + [(name, searching) for name in SEARCHES]
    routes = [
        Route("/", _index),
        Route("/page/{name}", _file),
        Route("/api/gallery", _gallery),
        Route("/api/gallery/{name}", _bundled),
        Route("/api/limits", limits),
        *(Route(f"/api/{name}", _answered(workers, name), methods=["POST"]) for name, workers in questions),
        Route(f"/api/{SOLVE}", _followed(searching, SOLVE), methods=["POST"]),
    ]
    return Guard(Starlette(routes=routes, lifespan=running), port)


# ---------------------------------------------------------------- what is there


def _files() -> dict[str, Path]:
    """The files of the page by their names: nothing else can be asked for."""
    return {path.name: path for path in _PAGE.iterdir() if path.is_file()}


def _index(_: Request) -> Response:
    return _content(_PAGE / "index.html")


def _file(request: Request) -> Response:
    path = _files().get(request.path_params["name"])
    return _missing() if path is None else _content(path)


def _content(path: Path) -> Response:
    kind = _TYPES.get(path.suffix) or guess_type(path.name)[0] or "text/plain"
    return Response(path.read_bytes(), media_type=kind)


def _gallery(_: Request) -> Response:
    rows = [(name, *gamedefs.lid(name)) for name in gamedefs.names()]
    return JSONResponse([{"name": name, "title": title, "about": about} for name, title, about in rows])


def _bundled(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in gamedefs.names():
        return _missing()
    return JSONResponse({"name": name, "source": gamedefs.path(name).read_text(encoding="utf-8")})


def _missing() -> Response:
    return _refused(Refusal(404, "unknown-game", "there is nothing of this name"))


# ---------------------------------------------------------------- questions


def _answered(workers: Workers, name: str) -> Any:
    """Answers a question, unless whoever has asked goes away first."""

    async def answer(request: Request) -> Response:
        data = await _read(request)
        if isinstance(data, Refusal):
            return _refused(data)
        work = asyncio.ensure_future(workers.answer(name, data))
        gone = asyncio.ensure_future(_gone(request))
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


def _followed(workers: Workers, name: str) -> Any:
    """Answers a question by events: its progress, and at the end its result or refusal."""

    async def follow(request: Request) -> Response:
        data = await _read(request)
        if isinstance(data, Refusal):
            return _refused(data)
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
                    return too_large(MOST_BYTES)
                parts.append(part)
    except (TimeoutError, ClientDisconnect):
        return unreadable("the request has not arrived")
    return b"".join(parts)


async def _gone(request: Request) -> None:
    """Ends when whoever has asked has gone away."""
    with suppress(RuntimeError):
        while (await request.receive())["type"] != "http.disconnect":
            pass


def _refused(refusal: Refusal) -> Response:
    return Response(refusal.content, refusal.status, media_type="application/json")
