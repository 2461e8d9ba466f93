"""What the page asks for and no game of the user's belongs to: the bundled games, and the language on one page."""

from __future__ import annotations

import zermelo.gamedefs as gamedefs
from zermelo.grammar.words import SHEET


def gallery() -> list[dict[str, str]]:
    """The bundled games: names, titles and the comments beside them."""
    rows = [(name, *gamedefs.lid(name)) for name in gamedefs.names()]
    return [{"name": name, "title": title, "about": about} for name, title, about in rows]


def bundled_game(name: str) -> dict[str, str]:
    """The text of a game, which there is."""
    return {"name": name, "source": gamedefs.path(name).read_text(encoding="utf-8")}


def sheet() -> dict[str, str]:
    """The language on one page, in Markdown."""
    return {"sheet": SHEET.read_text(encoding="utf-8")}
