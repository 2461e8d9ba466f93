"""The server as a process: its socket, its beginning and its end."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from typing import Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.serving.app import RequestLimits, application

LOOPBACK: Final = "127.0.0.1"
"""The only address to which the server is bound: other machines do not reach it."""

_CONNECTIONS: Final = 512
_IDLE: Final = 30
"""Seconds in which a connection has to send the head of a request, and to take what has been written to it."""

_END: Final = 1
"""Seconds in which answers end when the server does."""


def bound(port: int) -> socket.socket:
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
    """A connection that is ended when the server has waited for the other side too long. uvicorn waits without an end
    for a head of which a byte has come, and for whoever does not read an answer."""

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
        self._go_on()

    def _watch_anew(self) -> None:
        self._go_on()
        self._watch()

    def _watch(self) -> None:
        """Wait for the other side, if it is its turn; a byte more does not begin the time again."""
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if is_answering and not self.flow.write_paused:
            self._go_on()
        elif self._over is None:
            self._over = self.loop.call_later(_IDLE, self.transport.abort)

    def _go_on(self) -> None:
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
