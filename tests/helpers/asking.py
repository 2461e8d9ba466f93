"""Asking the server of the page as any program may, with whatever headers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from attrs import frozen


@frozen
class Answered:
    """An answer; the names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def events(self) -> list[tuple[str, Any]]:
        """The events of a stream, each with its kind."""
        found = []
        for event in self.text.strip().split("\n\n"):
            kind, data = event.split("\n")
            found.append((kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
        return found


def ask(address: str, path: str, question: Any = None, method: str = "", **headers: str) -> Answered:
    """The answer to a question, or to a GET request without one; headers replace those of the page."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=100)
    content = None if question is None else json.dumps(question).encode()
    named = {"Content-Type": "application/json"} if content is not None else {}
    named.update({name.replace("_", "-"): value for name, value in headers.items()})
    try:
        connection.request(method or ("GET" if content is None else "POST"), path, content, named)
        answer = connection.getresponse()
        read = {name.lower(): value for name, value in answer.getheaders()}
        return Answered(answer.status, read, answer.read().decode())
    finally:
        connection.close()
