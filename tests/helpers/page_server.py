"""The page of ``zermelo serve`` in a browser, for tests: the server as a process, and Debian's Chromium.

Where the environment variable ``ZERMELO_SCREENSHOTS`` names a folder, screenshots are kept there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

from attrs import define, field

from zermelo import gamedefs

_SHELL: Final = Path("/usr/bin/chromium-headless-shell")
CHROMIUM: Final = _SHELL if _SHELL.exists() else Path("/usr/bin/chromium")
"""Debian's browser: the one without windows, which takes half the time, or else the other."""
FLAGS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
)  # fmt: skip
PATIENCE: Final = 120_000
"""Milliseconds after which a browser that waits for something fails: many times what that takes on a busy machine."""

SERVE: Final = (sys.executable, "-m", "zermelo", "serve", "--port", "0", "--no-browser")

_ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:\d+/")
_REFUSED: Final = re.compile(r"Failed to load resource: .*\b(400|413|422|429|503)\b")


@contextmanager
def served(*options: str) -> Iterator[str]:
    """The address of a server that runs with some options."""
    command = [*SERVE, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            said = ""
            for line in process.stdout:
                said += line
                if found := _ADDRESS.search(line):
                    yield found.group()
                    return
            raise AssertionError(f"`serve` has ended: {said}")
        finally:
            process.terminate()


@define(eq=False)
class Visit:
    """A page that is open in the browser, and what went wrong on it. Refusals of the server, of which a browser makes a
    note of its own, are none."""

    page: Any
    address: str
    wrong: list[str] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.page.on("console", lambda message: self._noted(message))  # Playwright writes into who owns a method
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("request", lambda request: self._requested(request))

    def open(self, fragment: str = "") -> None:
        self.page.goto(f"{self.address}{fragment}")
        self.page.locator("#count", has_text="Nothing found").wait_for()

    def write(self, text: str) -> None:
        """Replaces the text in the editor, as if it were typed at once."""
        self.page.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def read(self) -> None:
        """Waits until the findings are those of the text, and not of an earlier one."""
        self.page.locator("#found:not([aria-busy])").wait_for()

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    def link(self) -> str:
        """The link on the tab Share."""
        self.tab("Share")
        self.page.locator("#link-length", has_text="characters").wait_for()
        return str(self.page.locator("#link").input_value())

    def shot(self, name: str) -> None:
        """Keeps a screenshot, if anybody wants it."""
        if folder := os.environ.get("ZERMELO_SCREENSHOTS"):
            self.page.screenshot(path=Path(folder) / f"{name}.png")

    def _noted(self, message: Any) -> None:
        if message.type == "error" and not _REFUSED.match(message.text):
            self.wrong.append(message.text)

    def _requested(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.wrong.append(f"a request to {request.url}")


def text_of(link: str) -> str:
    """The text in a link or of the game that it names, read without the page."""
    parts = dict(parse_qsl(link.partition("#")[2]))
    if "bundled" in parts:
        return gamedefs.path(parts["bundled"]).read_text(encoding="utf-8")
    code = parts["game"]
    return zlib.decompress(urlsafe_b64decode(code + "=" * (-len(code) % 4)), -zlib.MAX_WBITS).decode()
