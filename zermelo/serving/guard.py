"""Who may ask the server, and what its answers tell a browser.

The server is bound to the loopback address, so other machines do not reach it; but every page that is open in a browser
of this machine does. Two checks keep such pages out. A name that somebody has made to point to this machine (DNS
rebinding) shows in the header ``Host``, which must name this server. A request from the page of another site shows in
``Origin``. What asks for work must also be JSON, which no form of another site can send without asking first, and
nobody is given leave.

The policy of the page allows scripts, styles and requests of this server alone, and nothing that stands in a text.
"""

from __future__ import annotations

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.serving.refusals import Refusal, too_large, unreadable

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

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS]
                message = {**message, "headers": [*message.get("headers", ()), *added]}
            await send(message)

        refused = self._refused(scope)
        if refused is None:
            await self._app(scope, receive, headed)
            return
        json = [(b"content-type", b"application/json"), (b"connection", b"close")]
        await headed({"type": "http.response.start", "status": refused.status, "headers": json})
        await headed({"type": "http.response.body", "body": refused.content})

    def _refused(self, scope: Scope) -> Refusal | None:
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
            return unreadable("a question must be JSON")
        if any(not each.isascii() or not each.isdecimal() for each in given.get("content-length", [])):
            return unreadable("the length of a request must be a number")
        if any(int(each) > MOST_BYTES for each in given.get("content-length", [])):
            return too_large(MOST_BYTES)
        return None
