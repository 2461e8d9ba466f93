"""The words of the language for the page of ``zermelo serve``, which colours a text before the server has read it, and
the colours of pictures on dark paper.

``python -m tools.page_words`` writes them into the page; a test holds the files up to date.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from zermelo.grammar.words import vocabulary
from zermelo.pictures.svg import dark_rules

PAGE: Final = Path(__file__).parents[1] / "zermelo" / "serving" / "page"
FILE: Final = PAGE / "words.js"
COLOURS: Final = PAGE / "pictures.css"


def text() -> str:
    """The file: a module with the words of each group."""
    known = vocabulary()
    groups = {
        "keyword": (*known.declarations, *known.others),
        "operator": known.operators,
        "constant": known.constants,
        "type": known.types,
    }
    lines = [f"  {kind}: new Set({json.dumps(sorted(words))}),\n" for kind, words in groups.items()]
    return f"// Written by `python -m tools.page_words`.\nexport const WORDS = {{\n{''.join(lines)}}}\n"


def colours() -> str:
    """The style sheet of pictures where dark is preferred."""
    return f"/* Written by `python -m tools.page_words`. */\n{dark_rules('.picture')}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    COLOURS.write_text(colours(), encoding="utf-8")
