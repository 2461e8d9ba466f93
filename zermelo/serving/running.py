"""The server as a process: its socket, its beginning and its end."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from typing import Final

import uvicorn

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.serving.app import RequestLimits, application

LOOPBACK: Final = "127.0.0.1"
"""The only address to which the server is bound: other machines do not reach it."""

_CONNECTIONS: Final = 512
_IDLE: Final = 30
"""Seconds after which a connection that says nothing is closed."""

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
        limit_concurrency=_CONNECTIONS, timeout_keep_alive=_IDLE, timeout_graceful_shutdown=_END, http="h11", ws="none",
        lifespan="on",
    )  # fmt: skip
    _Server(config, begun).run([made])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, begun: Callable[[], None]) -> None:
        super().__init__(config)
        self._begun = begun

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._begun()
