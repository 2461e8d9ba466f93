"""The bundled games: one ``.game`` file each, written like the rules inside the lid of the box."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

_FOLDER = Path(__file__).parent
_TITLE: Final = r'(?m)^game +"([^"]*)" *# *(.*)$'


def names() -> tuple[str, ...]:
    """The names of all bundled games, in alphabetical order."""
    return tuple(sorted(name.removesuffix(".game") for name in os.listdir(_FOLDER) if name.endswith(".game")))


def path(name: str) -> Path:
    """The file of the bundled game ``name``; raises ``KeyError`` where there is none."""
    if name not in names():
        raise KeyError(name)
    return _FOLDER / f"{name}.game"


def lid(name: str) -> tuple[str, str]:
    """The title of the bundled game ``name``, and a few words about it: the comment beside the title. Raises
    ``KeyError``."""
    found = re.search(_TITLE, path(name).read_text(encoding="utf-8"))
    assert found is not None, f"{name} has a title, and a comment beside it"
    return found[1], found[2]


def comment_beside_title(text: str) -> str:
    """The few words about a game in the text of its file; empty if there are none."""
    found = re.search(_TITLE, text)
    return "" if found is None else found[2]
