"""Answers about a text that is being written: those of the language server (:mod:`zermelo.language_server`)."""

from __future__ import annotations

from typing import Any, Final

from lsprotocol.converters import get_converter
from lsprotocol.types import Position, Range
from pygls.workspace import PositionCodec

from zermelo.grammar.diagnostics import Findings
from zermelo.grammar.formatter import formatted
from zermelo.grammar.source import Source
from zermelo.language_server import names
from zermelo.language_server.analysis import FirstLook, checked, checked_at_extremes, read
from zermelo.language_server.colours import LEGEND, colours
from zermelo.language_server.completion import completions
from zermelo.language_server.findings import diagnostic, fixes
from zermelo.language_server.places import TextPlaces
from zermelo.serving.asked import PageQuestion

_ADDRESS: Final = "page"
"""The address of the text in the records of the protocol."""

_record: Final = get_converter().unstructure
"""A record of the protocol as plain data; to make this converter takes longer than to check a text."""

_KEPT: Final = 4
"""How many texts a process keeps, read."""

_TOKEN: Final = 5
"""Numbers of a token in the protocol."""


class Texts:
    """The latest texts, each read once."""

    def __init__(self) -> None:
        self._kept: dict[str, FirstLook] = {}

    def findings(self, question: PageQuestion) -> dict[str, Any]:
        """The findings of a text with the edits that mend them, and its names for colours. ``whole``: those at the
        extremes of its parameters, too, for a text that nobody is writing at this moment."""
        look = self._look(question.source)
        found = checked(look)
        findings = checked_at_extremes(found) if question.fields.get("whole") is True else found.findings
        places = _places(findings.source)
        return {**self.listed(findings), "tokens": _tokens(look, places)}

    def listed(self, findings: Findings) -> dict[str, Any]:
        """Findings, and the edits that mend them."""
        places = _places(findings.source)
        everywhere = Range(Position(0, 0), Position(findings.source.text.count("\n") + 1, 0))
        return {
            "diagnostics": [_record(diagnostic(_ADDRESS, finding, places)) for finding in findings],
            "fixes": [_record(fix) for fix in fixes(_ADDRESS, findings, everywhere, places)],
        }

    def completion(self, question: PageQuestion) -> list[Any]:
        """The words and names that may come at a place."""
        look = self._look(question.source)
        offset = _places(look.index.source).offset_of(Position(*question.place()))
        return [_record(item) for item in completions(look.index, offset)]

    def hover(self, question: PageQuestion) -> Any:
        """What stands at a place; None if it has no meaning of its own."""
        look = self._look(question.source)
        found = names.hover(look.index, _places(look.index.source), Position(*question.place()))
        return None if found is None else _record(found)

    def format(self, question: PageQuestion) -> dict[str, str]:
        """The text in the one layout. Raises ``InvalidGame`` for mistakes in its grammar."""
        return {"source": formatted(question.source)}

    def _look(self, source: Source) -> FirstLook:
        look = self._kept.pop(source.text, None) or read(source)
        self._kept[source.text] = look
        while len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return look


def _places(source: Source) -> TextPlaces:
    return TextPlaces(source, PositionCodec())


def _tokens(look: FirstLook, places: TextPlaces) -> list[list[Any]]:
    """The names of a text: line and character of each, its length, and what it stands for."""
    data, tokens, line, character = colours(look.index, places).data, [], 0, 0
    for k in range(0, len(data), _TOKEN):
        skipped, ahead, length, kind, _ = data[k : k + _TOKEN]
        line, character = line + skipped, ahead if skipped else character + ahead
        tokens.append([line, character, length, LEGEND.token_types[kind]])
    return tokens
