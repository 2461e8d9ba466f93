"""The grammar of ``.game`` files as a page of the documentation, made from the file that the parser reads.

``python -m tools.grammar_page`` writes ``docs/grammar.md``; a test holds it up to date.
"""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
SOURCE: Final = ROOT / "grammar" / "game.lark"
FILE: Final = ROOT / "docs" / "grammar.md"

_HEAD: Final = """\
# The grammar

[The manual](language.md) says what a file means; this page says what it looks like, rule by rule. `python -m
tools.grammar_page` makes it from `grammar/game.lark`, which the parser reads: an LALR(1) grammar without conflicts,
in the notation of [Lark](https://lark-parser.readthedocs.io/en/stable/grammar.html).

`x*` is any number of x, `x+` at least one, `[x]` one or none, `x | y` one of the two. What stands in quotes is
written as it is. `NEWLINE` is the end of a line with the comments and blank lines behind it; `INDENT` and `DEDENT`
are the beginning and the end of a deeper block. `-> name` is the name that a case has for programs. A rule with
`{tail}` is a pattern for two rules: an *expression* may end in a `where`, an *item* may not, since it is part of a
list whose comma would be taken for the one between two bindings.

Words are keywords only where a keyword can stand; everywhere else they are names. `false`, `max` and their like can
therefore name moves and phases, and [some cannot name values](language.md#words-that-cannot-be-names).
"""


def page() -> str:
    """The whole page."""
    _, *chapters = re.split(r"^// =+ (.*)$", SOURCE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    parts = [_HEAD]
    for title, text in zip(chapters[::2], chapters[1::2], strict=True):
        parts.append(f"\n## {title[0].upper()}{title[1:]}\n")
        for is_comment, lines in groupby(text.strip().splitlines(), lambda line: line.startswith("//")):
            if is_comment:
                parts += ["\n", *(f"{line.removeprefix('// ')}\n" for line in lines)]
            else:
                rules = "\n".join(_rule(line) for line in lines if not line.startswith("%"))
                parts.append(f"\n```text\n{rules.strip()}\n```\n")
    return "".join(parts)


def _rule(line: str) -> str:
    """A line of the grammar, without the marks that only shape the tree."""
    name, colon, rule = line.partition(":") if re.match(r"[?_\w]", line) else ("", "", line)
    plain = re.sub(r"^[?_](?=[a-z])|\.1$", "", re.sub(r"\b_(NL|INDENT|DEDENT)\b", _word, name))
    rule = re.sub(r"(?<!\w)_(?=[a-z])", "", re.sub(r"\b_(NL|INDENT|DEDENT)\b", _word, rule))
    return f"{plain}{colon}{' ' * max(0, len(name) - len(plain))}{rule}".rstrip()


def _word(match: re.Match[str]) -> str:
    """The name of a token that no character stands for."""
    return "NEWLINE" if match[1] == "NL" else match[1]


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
