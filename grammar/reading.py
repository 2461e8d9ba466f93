"""From bytes to text, and the checks of a text before parsing."""

from __future__ import annotations

import re
from bisect import bisect_right
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from functools import lru_cache
from typing import Final

from zermelo.grammar.diagnostics import NOWHERE, Findings, Mistake, Source, Span

LARGEST = 2**20
"""The greatest size of a file, in bytes."""


# Patterns are texts here and in other files that every command loads: Python compiles one when it is first used, and
# keeps it.

_CONTROL: Final = r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]"
"""The characters that terminals obey, and two that XML forbids, so that a picture of the game could not be read."""


_LINE_BREAKERS: Final = r"[\x0b\x0c\x85\u2028\u2029]|\r(?!\n)"


GAMBIT: Final = r"\A\s*([EN]FG)\s+[12]\s+[RD]\b"
"""How a tree or a table of Gambit begins."""


_RULES_OR_TREE = "write the rules as phases, the tree with tree:, or the table with table:"
_OTHER_FORMATS = (
    (r"(?m)^(?:node /|infoset )", "LiteEFG, which lists the nodes of the tree", _RULES_OR_TREE),
    (
        GAMBIT,
        "Gambit, which lists the nodes of the tree, or the payoffs of the table",
        "`zermelo convert FILE -o NAME.game` writes it as a game, and commands that take a game read it as it is",
    ),
    (
        r"\A\s*#B?AGG\b",
        "Gambit for action graphs",
        "save it as a table, which can be read: in Python pygambit.read_agg(FILE).to_nfg(), or read_bagg for .bagg",
    ),
    (
        r"\A\s*<\?xml[^>]*>\s*<gambit",
        "Gambit's own windows",
        "save the game as .efg or .nfg there, which can be read: in Python pygambit.read_gbt(FILE).to_efg()",
    ),
)
"""The formats of other programs: how they are known, whose they are, and what to do."""


_OUR_TITLE: Final = r"(?m)^game\b"


_SOMETHING: Final = r"(?m)^[^\S\n]*[^\s#]"


_TAB_OR_LITERAL: Final = r'"[^"\n]*"|#[^\n]*|\t'


def read_text(name: str, data: bytes) -> tuple[Source | None, Findings]:
    """The text of a file, without a byte order mark; None if it cannot be a game."""
    if len(data) > LARGEST:
        return None, _refusal(name, "file-too-large", f"the file has {len(data):,} bytes; at most {LARGEST:,} are read")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            return None, _refusal(name, "not-utf8", "the file is text in UTF-16", "save the file in the encoding UTF-8")
        if b"\0" in data:
            return None, _refusal(name, "binary-file", "the file holds zero bytes, so it is not text")
        before = data[: error.start].decode("utf-8-sig")
        source = Source(name, before + data[error.start :].decode("utf-8", errors="replace"))
        findings = Findings(source)
        findings.report(
            "not-utf8",
            position(source.text, len(before), len(before) + 1),
            f"the byte {data[error.start]:#04x} is not UTF-8",
            help="save the file in the encoding UTF-8",
        )
        return None, findings
    source = Source(name, text)
    return source, Findings(source)


def inspect(source: Source) -> None:
    """Raise Mistake if a text cannot be a game, or if its line ends are ambiguous."""
    text = source.text
    if len(text) > LARGEST:
        raise Mistake("file-too-large", NOWHERE, f"the text has {len(text):,} characters; at most {LARGEST:,} are read")
    if control := re.search(_CONTROL, text):
        span = position(text, control.start(), control.end())
        raise Mistake("binary-file", span, f"the character U+{ord(control.group()):04X} does not occur in text")
    for known, whose, help in () if re.search(_OUR_TITLE, text) else _OTHER_FORMATS:
        if line := re.search(known, text):
            span = position(text, line.start(), line.end())
            raise Mistake("other-format", span, f"this is a game in the format of {whose}", help=help)
    if re.search(_SOMETHING, text) is None:
        raise Mistake("empty-file", NOWHERE, "there is no game in this file", help='a game begins with game "NAME"')
    if breaker := re.search(_LINE_BREAKERS, text):
        raise Mistake(
            "unknown-character",
            position(text, breaker.start(), breaker.end()),
            f"the character U+{ord(breaker.group()):04X} ends a line in some programs and not in others",
            help="remove it, or end the line as your editor does",
        )
    tabs = [found for found in re.finditer(_TAB_OR_LITERAL, text) if found.group() == "\t"]
    if tabs:
        more = len({_place(text, tab.start())[0] for tab in tabs}) - 1
        raise Mistake(
            "tab",
            position(text, tabs[0].start(), tabs[0].end()),
            "there is a tab here" + (f", and in {more} more line{'s' if more > 1 else ''}" if more else ""),
            help="use four spaces for every level; most editors can replace all tabs at once",
        )


def position(text: str, start: int, end: int) -> Span:
    """The span of the characters ``start`` to ``end`` (exclusive) of a text."""
    (line, column), (end_line, end_column) = _place(text, start), _place(text, end)
    return Span(start, end, line, column, end_line, end_column)


def _place(text: str, offset: int) -> tuple[int, int]:
    starts = _line_starts(text)
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


@lru_cache(maxsize=4)
def _line_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer("\n", text))]


def _refusal(name: str, code: str, message: str, help: str = "") -> Findings:
    findings = Findings(Source(name, ""))
    findings.report(code, NOWHERE, message, help=help)
    return findings
