"""What is found at a place of a file, without a server; ``test_server.py`` asks an editor's questions."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.symbols.index import index_with_findings
from zermelo.language_server.completion import (
    Look,
    completions,
    definition,
    highlights,
    hover,
    outline,
    references,
    renamable,
    rename_edits,
)
from zermelo.language_server.documents import TextPlaces
from zermelo.language_server.protocol import Position, Range, SemanticTokens, to_json
from zermelo.language_server.showing import LEGEND, colours, layout_edits

GAME = 'game "G"\nplayers Ann\nvar left: 0..3 = 3\nstart at look\nphase look:\n    if left == 0: end draw\n'


def test_a_name_is_marked_where_it_is_used_and_declared_elsewhere() -> None:
    index, _ = index_with_findings(Source("g.game", GAME))
    look = Look("file:///g.game", index, TextPlaces(index.source))
    used = Range(Position(5, 7), Position(5, 11))
    shown = hover(look, used.start)
    assert renamable(look, used.start) == used and shown is not None and shown.range == used
    assert [each.range for each in definition(look, used.start)] == [Range(Position(2, 4), Position(2, 8))]
    assert renamable(look, Position(5, 4)) is None, "a word of the language"


TAKING = """\
game "Taking"
players Ann, Bob
type Size = small | large

var left: 0..3 = 3
var top: Size = small
start at play(Ann)
phase play(p: Player):
    turn p:
        move take(n in 1..2) if n <= left:
            left -= n
            if left == 0: end win p
            go play(other p)
"""


def look_at(text: str) -> Look:
    index, _ = index_with_findings(Source("g.game", text))
    return Look("file:///g.game", index, TextPlaces(index.source))


def place(text: str, marked: str) -> Position:
    """The place of the ``@`` in a part of the text."""
    before, after = marked.split("@")
    lines = text[: text.index(before + after) + len(before)].split("\n")
    return Position(len(lines) - 1, len(lines[-1]))


@pytest.mark.parametrize(
    ("marked", "some", "none"),
    [
        ("go @play", {"play"}, {"left", "take", "p"}),
        ("start at @play", {"play"}, {"Ann", "take"}),
        ("var top: @Size", {"Size", "Player", "Bool", "grid"}, {"left", "play", "small"}),
        ("            @left -= n", {"left", "top", "n", "go", "end"}, {"Size", "take", "turn"}),
        ("if n <= @left", {"p", "n", "left", "small", "Ann", "min", "north"}, {"play", "take"}),
    ],
)
def test_what_may_come(marked: str, some: set[str], none: set[str]) -> None:
    text = TAKING
    offset = text.index(marked.replace("@", "")) + marked.index("@")
    index, _ = index_with_findings(Source("g.game", text))
    labels = [item.label for item in completions(index, offset)]
    assert some <= set(labels) and not none & set(labels) and len(labels) == len(set(labels))


@pytest.mark.parametrize(
    ("owner", "members"),
    [
        ("Size", ["small", "large"]),
        ("Player", ["Ann", "Bob"]),
        ("Bool", ["false", "true"]),
        ("top", ["ends", "x", "y"]),
    ],
)
def test_what_may_come_behind_a_dot(owner: str, members: list[str]) -> None:
    text = TAKING.replace("left == 0", f"top == {owner}.")
    index, _ = index_with_findings(Source("g.game", text))
    assert [item.label for item in completions(index, text.index(f"{owner}.") + len(owner) + 1)] == members


def test_all_places_of_a_name() -> None:
    look, used = look_at(TAKING), place(TAKING, "n <= l@eft")
    every = {
        (line, line_text.index("left")) for line, line_text in enumerate(TAKING.splitlines()) if "left" in line_text
    }
    found = [
        [(each.range.start.line, each.range.start.character) for each in references(look, used, d)]
        for d in (True, False)
    ]
    assert set(found[0]) == every and len(found[0]) == len(every)
    assert set(found[1]) == every - {(4, 4)}
    assert {(each.range.start.line, each.range.start.character) for each in highlights(look, used)} == every
    edit = rename_edits(look, used, "stones")
    assert edit is not None and edit.changes is not None
    (edits,) = edit.changes.values()
    assert {(each.range.start.line, each.range.start.character, each.new_text) for each in edits} == {
        (*each, "stones") for each in every
    }


def test_an_outline_has_parts() -> None:
    found = {each.name: [child.name for child in each.children or ()] for each in outline(look_at(TAKING))}
    assert found == {"Ann": [], "Bob": [], "Size": ["small", "large"], "left": [], "top": [], "play": ["take"]}


COLOURED = """\
game "G"
players Ann
parameter most: 1..9 = 3
var left: 0..9 = most
start at look
phase look:
    if left == most: end draw
"""


def test_every_name_has_a_token_with_its_place_and_what_it_is() -> None:
    """Places are told from one token to the next; a parameter never changes, and a name is declared once."""
    index, _ = index_with_findings(Source("g.game", COLOURED))
    data = list(colours(index, TextPlaces(index.source)).data)
    line, character, found = 0, 0, []
    for lines, characters, length, kind, flags in zip(*(iter(data),) * 5, strict=True):
        line, character = line + lines, characters + (0 if lines else character)
        word = COLOURED.splitlines()[line][character : character + length]
        assert 0 <= kind < len(LEGEND.token_types)
        modifiers = [name for k, name in enumerate(LEGEND.token_modifiers) if flags >> k & 1]
        found.append((line, word, *modifiers))
    assert found == [
        (1, "Ann", "declaration"),
        (2, "most", "declaration", "readonly"),
        (3, "left", "declaration"),
        (3, "most", "readonly"),
        (4, "look"),
        (5, "look", "declaration"),
        (6, "left"),
        (6, "most", "readonly"),
    ]


def test_the_server_answers_what_editors_ask_about_a_text() -> None:
    """By what is found at a place, in the records of the library; of a document that is not open, nothing."""
    pytest.importorskip("pygls")  # an extra of its own: pip install -e '.[dev]'
    from lsprotocol import types
    from pygls.protocol import default_converter

    from zermelo.language_server.server import Server

    index, _ = index_with_findings(Source("g.game", GAME))
    look = Look("file:///g.game", index, TextPlaces(index.source))
    document, used = types.TextDocumentIdentifier("file:///g.game"), Position(5, 8)
    place = types.Position(used.line, used.character)
    server, opened, write = Server(), [True], default_converter().unstructure

    async def look_at(asked: Any) -> Look | None:
        assert asked == document
        return look if opened[0] else None

    server.look = look_at  # type: ignore[method-assign]
    at = types.TextDocumentPositionParams(document, place)
    found: dict[str, tuple[Any, Any, Any]] = {
        types.TEXT_DOCUMENT_HOVER: (at, hover(look, used), None),
        types.TEXT_DOCUMENT_DEFINITION: (at, definition(look, used), []),
        types.TEXT_DOCUMENT_REFERENCES: (
            types.ReferenceParams(types.ReferenceContext(False), document, place),
            references(look, used, False),
            [],
        ),
        types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (at, highlights(look, used), []),
        types.TEXT_DOCUMENT_PREPARE_RENAME: (at, renamable(look, used), None),
        types.TEXT_DOCUMENT_RENAME: (
            types.RenameParams(document, place, "rest"),
            rename_edits(look, used, "rest"),
            None,
        ),
        types.TEXT_DOCUMENT_COMPLETION: (at, completions(index, look.places.offset_of(used)), []),
        types.TEXT_DOCUMENT_FORMATTING: (at, layout_edits(index.source), []),
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (at, outline(look), []),
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (at, colours(index, look.places), SemanticTokens([])),
    }
    for feature, (asked, told, empty) in found.items():
        for is_open, answer in ((True, told), (False, empty)):
            opened[0] = is_open
            assert write(asyncio.run(server.protocol.fm.features[feature](asked))) == to_json(answer), feature
    assert all(told for _, told, _ in found.values())
