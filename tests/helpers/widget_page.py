"""A widget in a real browser without a notebook: the ES module in a plain page, over a model that talks to Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from page_server import CHROMIUM, PATIENCE

import zermelo.notebook
from zermelo.notebook.widgets import Conversation

ADDRESS = "http://widget.test/"
FILES = {name: Path(zermelo.notebook.__file__).parent / name for name in ("widget.js", "widget.css")}
TYPES = {".js": "text/javascript", ".css": "text/css"}

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>A widget</title>
<link rel="stylesheet" href="widget.css"><main id="place"></main>
<script type="module">
import widget from "./widget.js";
const listeners = [];
const model = {
  page: await window.firstPage(),
  get: (name) => model[name],
  on: (event, act) => listeners.push(act),
  off: () => {},
  send: async (message) => {
    window.sent.push(message);
    model.page = await window.obey(message);
    for (const act of listeners) act();
  },
};
window.sent = [];
widget.render({ model, el: document.getElementById("place") });
window.isReady = true;
</script></html>
"""


@contextmanager
def opened(conversation: Conversation, **options: Any) -> Iterator[Any]:
    """A page of a browser that shows a conversation; what its module does wrong fails the test. Nothing is fetched
    from anywhere but the package. Skipped where there is no browser."""
    library = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM.exists():
        pytest.skip("there is no Chromium")
    wrong: list[str] = []

    def answer(route: Any) -> None:
        name = route.request.url.removeprefix(ADDRESS)
        if name in FILES:
            route.fulfill(body=FILES[name].read_text(encoding="utf-8"), content_type=TYPES[FILES[name].suffix])
        elif name:
            wrong.append(f"{route.request.url} is asked for")
            route.abort()
        else:
            route.fulfill(body=PAGE, content_type="text/html")

    def obey(message: Any) -> Any:
        conversation.obey(message)
        return conversation.page()

    with library.sync_playwright() as player:
        browser = player.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        try:
            page = browser.new_page(**options)
            page.set_default_timeout(PATIENCE)
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
            page.route("**/*", answer)
            page.expose_function("firstPage", lambda: conversation.page())  # the library marks what it is given
            page.expose_function("obey", obey)
            page.goto(ADDRESS)
            page.wait_for_function("window.isReady")
            yield page
        finally:
            browser.close()
    assert wrong == []
