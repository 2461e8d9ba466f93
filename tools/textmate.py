"""The TextMate grammar of the language, which VS Code and other editors read.

``python -m tools.textmate`` writes it into the extension for VS Code; a test holds it up to date.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from zermelo.grammar.words import vocabulary

FILE: Final = Path(__file__).parents[1] / "zermelo" / "editors" / "vscode" / "syntaxes" / "zermelo.tmLanguage.json"


def grammar() -> dict[str, Any]:
    """The grammar, as plain data."""
    known = vocabulary()
    naming = "|".join(known.naming)
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Zermelo",
        "scopeName": "source.zermelo",
        "patterns": [
            {"name": "comment.line.number-sign.zermelo", "match": "#.*$"},
            {"name": "string.quoted.double.zermelo", "begin": '"', "end": '"|$'},
            {"name": "constant.numeric.zermelo", "match": r"\b[0-9]+(?:\.[0-9]+)?"},
            {
                "match": rf"\b({naming})\s+([^\W\d]\w*)",
                "captures": {"1": {"name": "keyword.control.zermelo"}, "2": {"name": "entity.name.function.zermelo"}},
            },
            _words("storage.type", known.declarations, begins=True),
            {"match": r"\.([^\W\d]\w*)", "captures": {"1": {"name": "variable.other.property.zermelo"}}},
            _words("constant.language", known.constants),
            _words("keyword.operator.word", known.operators),
            _words("support.type", known.types),
            _words("keyword.control", (*known.others, *known.declarations)),
            {"name": "entity.name.function.zermelo", "match": r"[^\W\d]\w*(?=\()"},
            {"name": "entity.name.label.zermelo", "match": r"@[^\W\d]\w*"},
            {"name": "keyword.operator.zermelo", "match": r":=|[-+=!<>]=|//|\.\.|[-+*/%<>=|\\?]"},
        ],
    }


def _words(name: str, words: Iterable[str], begins: bool = False) -> dict[str, str]:
    """A pattern for words; ``begins`` if only the first one of a line counts."""
    start = "^" if begins else r"\b"
    return {"name": f"{name}.zermelo", "match": rf"{start}(?:{'|'.join(sorted(words))})\b"}


def text() -> str:
    """The file."""
    return json.dumps(grammar(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
