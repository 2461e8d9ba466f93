"""What is found at a place of a file, without a server; ``test_server.py`` asks an editor's questions."""

from __future__ import annotations

import pytest

pytest.importorskip("pygls")  # an extra of its own: pip install -e '.[dev]'

from lsprotocol.types import Position, Range
from pygls.workspace import PositionCodec

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.symbols.index import index_with_findings
from zermelo.language_server.completion import Look, definition, hover, renamable
from zermelo.language_server.documents import TextPlaces

GAME = 'game "G"\nplayers Ann\nvar left: 0..3 = 3\nstart at look\nphase look:\n    if left == 0: end draw\n'


def test_a_name_is_marked_where_it_is_used_and_declared_elsewhere() -> None:
    index, _ = index_with_findings(Source("g.game", GAME))
    look = Look("file:///g.game", index, TextPlaces(index.source, PositionCodec()))
    used = Range(Position(5, 7), Position(5, 11))
    shown = hover(look, used.start)
    assert renamable(look, used.start) == used and shown is not None and shown.range == used
    assert [each.range for each in definition(look, used.start)] == [Range(Position(2, 4), Position(2, 8))]
    assert renamable(look, Position(5, 4)) is None, "a word of the language"
