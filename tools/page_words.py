"""The words of the language for the page of ``zermelo serve``, which colours a text before the server has read it.

``python -m tools.page_words`` writes them into the page; a test holds the file up to date.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from zermelo.grammar.words import vocabulary

FILE: Final = Path(__file__).parents[1] / "zermelo" / "serving" / "page" / "words.js"


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


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
