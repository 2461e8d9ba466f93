"""The server, asked by a real client over the standard streams."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

pytest_lsp = pytest.importorskip("pytest_lsp")  # an extra of its own: pip install -e '.[dev]'

from lsprotocol import types  # noqa: E402 - with pytest_lsp
from pygls.exceptions import JsonRpcException  # noqa: E402
from pytest_lsp import LanguageClient  # noqa: E402

from zermelo.cli import COMMANDS  # noqa: E402
from zermelo.grammar.diagnostics import Source  # noqa: E402
from zermelo.grammar.formatter import format_text  # noqa: E402
from zermelo.grammar.words import SHEET  # noqa: E402

pytestmark = pytest.mark.asyncio

ADDRESS = "file:///games/stones.game"

GAME = """\
game "Stones 🪨"                            # 🪨 counts as two in UTF-16
players Ann, Bob
claim zero_sum
type Size = small | large
param most: 1..5 = 3
var left: 0..20 = 20
var top: Size = small   hidden
define can_take(n: 1..5) = n <= min(most, left)

start at play(Ann)

phase play(p: Player):
    turn p:
        move take(n in 1..5) if can_take(n):
            left -= n
            if left == 0: end win p
            go play(other p)
        move stop if top == small: end draw
"""


@pytest_lsp.fixture(  # type: ignore[untyped-decorator, unused-ignore]
    config=pytest_lsp.ClientServerConfig(server_command=[sys.executable, "-m", "zermelo", "lsp"])
)
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    capabilities = pytest_lsp.client_capabilities("visual-studio-code")
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities))
    yield
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(  # type: ignore[untyped-decorator, unused-ignore]
    config=pytest_lsp.ClientServerConfig(server_command=[sys.executable, "-m", "zermelo", "lsp"])
)
async def with_terminal(lsp_client: LanguageClient) -> AsyncIterator[None]:
    """A client that can run commands in a terminal."""
    capabilities = pytest_lsp.client_capabilities("visual-studio-code")
    about = types.InitializeParams(capabilities=capabilities, initialization_options={"terminal": True})
    await lsp_client.initialize_session(about)
    yield
    await lsp_client.shutdown_session()


async def opened(client: Any, text: str) -> list[types.Diagnostic]:
    """Open the document with a text; its diagnostics."""
    item = types.TextDocumentItem(ADDRESS, "zermelo", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return await shown(client)


async def shown(client: Any) -> list[types.Diagnostic]:
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(client.diagnostics[ADDRESS])


def place(text: str, marked: str) -> Any:
    """The document and the position of the ``@`` in a part of the text; all places after the stones lie in lines
    without them."""
    before, after = marked.split("@")
    assert text.count(before + after) == 1, marked
    lines = text[: text.index(before + after) + len(before)].split("\n")
    position = types.Position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)
    return {"text_document": types.TextDocumentIdentifier(ADDRESS), "position": position}


def edited(text: str, edits: list[Any]) -> str:
    """The text after edits within lines, whose characters are below the first 65,536."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
        line, start, end = edit.range.start.line, edit.range.start.character, edit.range.end.character
        lines[line] = lines[line][:start] + edit.new_text + lines[line][end:]
    return "\n".join(lines)


def starts(found: list[Any]) -> list[int]:
    """The lines of places, counted from 1."""
    return [location.range.start.line + 1 for location in found]


async def test_a_sound_game_has_no_findings(client: Any) -> None:
    assert [finding.message for finding in await opened(client, GAME)] == []


async def test_the_language_on_one_page_is_a_command(client: Any) -> None:
    answer = await client.workspace_execute_command_async(types.ExecuteCommandParams("zermelo.sheet"))
    assert answer == SHEET.read_text(encoding="utf-8")


async def test_findings_come_with_their_codes_places_and_fixes(client: Any) -> None:
    text = GAME.replace("left -= n", "lift -= n")
    (finding,) = await opened(client, text)
    assert (finding.code, finding.severity) == ("undefined-name", types.DiagnosticSeverity.Error)
    assert "did you mean 'left'?" in finding.message
    request = types.CodeActionParams(
        types.TextDocumentIdentifier(ADDRESS), finding.range, types.CodeActionContext([finding])
    )
    (action,) = await client.text_document_code_action_async(request)
    assert action.title == "write 'left'"
    assert edited(text, action.edit.changes[ADDRESS]) == GAME


@pytest.mark.parametrize(
    "params",
    [
        None,
        [1, 2],
        {"textDocument": {"uri": ADDRESS}},
        {"textDocument": {"uri": ADDRESS}, "position": {"line": -1, "character": 0}},
        {"textDocument": {"uri": ADDRESS}, "position": {"line": "first", "character": 0}},
    ],
)
async def test_wrong_parameters_are_answered(client: Any, params: Any) -> None:
    await opened(client, GAME)
    answer = asyncio.get_running_loop().create_future()
    client.protocol._request_futures["wrong"] = answer
    client.protocol._send_data({"jsonrpc": "2.0", "id": "wrong", "method": "textDocument/hover", "params": params})
    with pytest.raises(JsonRpcException, match="not the parameters of textDocument/hover") as wrong:
        await answer
    assert wrong.value.code == -32602
    hover = await client.text_document_hover_async(types.HoverParams(**place(GAME, "define can@_take")))
    assert "can_take" in hover.contents.value


async def test_characters_are_counted_as_the_client_counts_them(client: Any) -> None:
    text = GAME.replace("                            # 🪨", "  '  # 🪨")
    (finding, *_) = await opened(client, text)
    line = text.split("\n")[0]
    character = len(line[: line.index("'")].encode("utf-16-le")) // 2
    assert (finding.range.start.line, finding.range.start.character) == (0, character)


async def test_findings_follow_the_keystrokes(client: Any) -> None:
    await opened(client, GAME)
    where = place(GAME, "def@ine can_take")["position"]
    change = types.TextDocumentContentChangePartial(types.Range(where, where), "x")
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(2, ADDRESS), [change])
    )
    while [finding.code for finding in client.diagnostics[ADDRESS]] != ["misspelled-keyword"]:
        await shown(client)


async def test_of_many_keystrokes_the_last_one_counts(client: Any) -> None:
    await opened(client, GAME)
    for version in range(2, 30):
        text = GAME.replace("param most", f"param most{version}") if version < 29 else GAME + "\nvar idle: 0..1 = 0\n"
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, ADDRESS),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )
    found = await client.text_document_definition_async(types.DefinitionParams(**place(GAME, "min(mo@st")))
    assert starts(found) == [5]
    while [finding.code for finding in client.diagnostics[ADDRESS]] != ["unused-name"]:
        await shown(client)


async def test_findings_at_the_extremes_of_parameters_come_later(client: Any) -> None:
    text = GAME.replace("0..20 = 20", "0..20 = 20 + most // 5")
    told: list[list[types.Diagnostic]] = []

    class Told(dict[str, list[types.Diagnostic]]):
        def __setitem__(self, address: str, found: list[types.Diagnostic]) -> None:
            super().__setitem__(address, found)
            told.append(list(found))

    client.diagnostics = Told()
    await opened(client, text)
    while len(told) < 2:  # both may be read at once
        await shown(client)
    earlier, (finding,) = told
    assert earlier == []
    assert finding.code == "out-of-range" and "(if most = 5)" in finding.message


async def test_hover_says_what_a_name_means(client: Any) -> None:
    await opened(client, GAME)
    hover = await client.text_document_hover_async(types.HoverParams(**place(GAME, "if t@op == small")))
    assert hover.contents.value == (
        "```zermelo\nvar top: Size = small   hidden\n```\n*variable*, line 7\n\n"
        "- type: Size\n- seen by nobody\n- never changes during play"
    )
    assert (hover.range.start.line, hover.range.end.character - hover.range.start.character) == (17, 3)
    hover = await client.text_document_hover_async(types.HoverParams(**place(GAME, "if@ left == 0")))
    assert hover is None


async def test_hover_says_what_a_word_of_the_language_means(client: Any) -> None:
    await opened(client, GAME)
    hover = await client.text_document_hover_async(types.HoverParams(**place(GAME, "@if left == 0")))
    assert hover.contents.value == (
        "```zermelo\nif c: ... else: ...\n```\nA guard, a statement or an expression: `if c then a else b`."
    )
    assert hover.range.end.character - hover.range.start.character == 2


async def test_parameters_and_types_stand_beside_the_text(client: Any) -> None:
    text = f"{GAME}\ndefine rest = left - most\ndefine few = can_take(1)\n"
    await opened(client, text)
    request = types.SignatureHelpParams(**place(text, "few = can_take(@1)"))
    found = await client.text_document_signature_help_async(request)
    assert found.signatures[0].label == "define can_take(n: 1..5)"
    assert found.signatures[0].parameters[found.active_parameter].label == "n: 1..5"
    everywhere = types.Range(types.Position(0, 0), types.Position(99, 0))
    asked = types.InlayHintParams(types.TextDocumentIdentifier(ADDRESS), everywhere)
    hints = await client.text_document_inlay_hint_async(asked)
    assert [(hint.label, hint.position.character) for hint in hints] == [
        (": -3..17", len("define rest")),
        (": Bool", 10),
    ]


async def test_definition_and_references(client: Any) -> None:
    await opened(client, GAME)
    where = place(GAME, "        le@ft -= n")
    assert starts(await client.text_document_definition_async(types.DefinitionParams(**where))) == [6]
    for with_declaration, lines in ((True, [6, 8, 15, 16]), (False, [8, 15, 16])):
        context = types.ReferenceContext(with_declaration)
        found = await client.text_document_references_async(types.ReferenceParams(context, **where))
        assert starts(found) == lines
    marks = await client.text_document_document_highlight_async(types.DocumentHighlightParams(**where))
    assert starts(marks) == [6, 8, 15, 16]


async def test_renaming_changes_all_places(client: Any) -> None:
    await opened(client, GAME)
    where = place(GAME, "can_@take(n):")
    found = await client.text_document_prepare_rename_async(types.PrepareRenameParams(**where))
    assert found.start == place(GAME, "@can_take(n):")["position"]
    assert found.end.character - found.start.character == len("can_take")
    edit = await client.text_document_rename_async(types.RenameParams(new_name="allowed", **where))
    assert edited(GAME, edit.changes[ADDRESS]) == GAME.replace("can_take", "allowed")


async def test_renaming_to_a_name_that_is_taken_is_refused(client: Any) -> None:
    await opened(client, GAME)
    with pytest.raises(JsonRpcException, match="'left' cannot be called 'top'"):
        await client.text_document_rename_async(types.RenameParams(new_name="top", **place(GAME, "var l@eft")))


@pytest.mark.parametrize(
    ("before", "some", "none"),
    [
        ("        go @play(other p)", {"play"}, {"left", "take", "if"}),
        ("var left: @0..20", {"Size", "Player", "grid"}, {"left", "play"}),
        ("= n <= @min", {"n", "left", "most", "can_take", "min", "small", "north"}, {"play", "take"}),
        ("            @left -= n", {"left", "go", "if", "end"}, {"Size", "turn"}),
        ("@define can_take", {"define", "phase", "expect"}, {"left", "turn"}),
    ],
)
async def test_completion_offers_what_can_stand_there(client: Any, before: str, some: set[str], none: set[str]) -> None:
    await opened(client, GAME)
    items = await client.text_document_completion_async(types.CompletionParams(**place(GAME, before)))
    labels = {item.label for item in items}
    assert some <= labels and not none & labels
    assert len(labels) == len(items)


@pytest.mark.parametrize(
    ("before", "some", "none"),
    [
        ("drawn @left as", {"left", "Size"}, {"Ann", "disc", "take"}),
        ("drawn left as @disc", {"disc", "card", "red", "checkerboard", "Ann"}, {"left", "take", "min"}),
        ("    @0 = ring", {"left", "min", "true"}, {"disc", "take"}),
        ("    0 = @ring", {"ring", "blue", "Bob"}, {"left", "take"}),
    ],
)
async def test_completion_offers_the_words_of_looks(client: Any, before: str, some: set[str], none: set[str]) -> None:
    text = f"{GAME}\ndrawn left as disc:\n    0 = ring\n"
    await opened(client, text)
    items = await client.text_document_completion_async(types.CompletionParams(**place(text, before)))
    labels = {item.label for item in items}
    assert some <= labels and not none & labels


async def test_completion_in_a_declaration_that_cannot_be_read(client: Any) -> None:
    text = GAME.replace("if left == 0: end win p", "if left == ").replace("(n: 1..5) = n", "(wanted: 1..5) = wanted")
    await opened(client, text)
    items = await client.text_document_completion_async(types.CompletionParams(**place(text, "if left == @")))
    labels = {item.label for item in items}
    assert {"n", "p", "left", "most"} <= labels and "wanted" not in labels, "what is bound elsewhere is not offered"
    for owner, members in (("Size", ["small", "large"]), ("Player", ["Ann", "Bob"]), ("Bool", ["false", "true"])):
        text = GAME.replace("top == small", f"top == {owner}.").replace("\nvar ", "\ntype Colour = red | blue\nvar ", 1)
        client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(ADDRESS)))
        await opened(client, text)
        items = await client.text_document_completion_async(types.CompletionParams(**place(text, f"top == {owner}.@")))
        assert [item.label for item in items] == members


async def test_formatting_gives_the_one_layout(client: Any) -> None:
    text = GAME.replace("left -= n", "left   -=n").replace("\n\nphase", "\n\n\n\nphase") + "  # end"
    await opened(client, text)
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    request = types.DocumentFormattingParams(types.TextDocumentIdentifier(ADDRESS), options)
    lines = text.splitlines(keepends=True)
    for edit in reversed(await client.text_document_formatting_async(request)):
        lines[edit.range.start.line : edit.range.end.line] = [edit.new_text]
    assert "".join(lines) == format_text(Source("x", text))


async def test_a_text_with_mistakes_is_not_formatted(client: Any) -> None:
    await opened(client, GAME.replace("phase play", "phase play play"))
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    request = types.DocumentFormattingParams(types.TextDocumentIdentifier(ADDRESS), options)
    assert await client.text_document_formatting_async(request) in ([], ())


async def test_the_outline(client: Any) -> None:
    await opened(client, GAME)
    request = types.DocumentSymbolParams(types.TextDocumentIdentifier(ADDRESS))
    found = await client.text_document_document_symbol_async(request)
    assert [symbol.name for symbol in found] == ["Ann", "Bob", "Size", "most", "left", "top", "can_take", "play"]
    assert [part.name for part in found[-1].children] == ["take", "stop"]


async def test_colours_tell_names_apart(client: Any) -> None:
    await opened(client, GAME)
    request = types.SemanticTokensParams(types.TextDocumentIdentifier(ADDRESS))
    tokens = (await client.text_document_semantic_tokens_full_async(request)).data
    assert len(tokens) % 5 == 0
    line = character = 0
    words: dict[str, set[int]] = {}
    for lines, characters, length, kind, _ in zip(*(iter(tokens),) * 5, strict=True):
        line, character = line + lines, characters + (character if lines == 0 else 0)
        words.setdefault(GAME.split("\n")[line][character : character + length], set()).add(kind)
    assert set(words) == {"Ann", "Bob", "Size", "small", "large", "most", "left", "top", "can_take", "n", "play", "p",
                          "take", "stop"}  # fmt: skip
    assert len(words["left"]) == 1 and words["left"] != words["can_take"] != words["Ann"]


async def test_a_closed_document_has_neither_findings_nor_names(client: Any) -> None:
    await opened(client, GAME + "var idle: 0..1 = 0\n")
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(ADDRESS)))
    assert await shown(client) == []
    assert await client.text_document_hover_async(types.HoverParams(**place(GAME, "if t@op == small"))) is None


async def test_lenses_run_commands_of_the_file(with_terminal: Any) -> None:
    await opened(with_terminal, f"# first\nlanguage 2\n{GAME}")
    asked = types.CodeLensParams(types.TextDocumentIdentifier(ADDRESS))
    lenses = await with_terminal.text_document_code_lens_async(asked)
    assert {lens.range.start.line for lens in lenses} == {2}
    told = [(lens.command.title, lens.command.command, *lens.command.arguments) for lens in lenses]
    assert told == [(word.title(), "zermelo.run", word, "/games/stones.game") for word in ("solve", "test", "play")]
    assert {word for _, _, word, _ in told} <= COMMANDS.keys()


async def test_an_editor_without_a_terminal_has_no_lenses(client: Any) -> None:
    await opened(client, GAME)
    asked = types.CodeLensParams(types.TextDocumentIdentifier(ADDRESS))
    assert not await client.text_document_code_lens_async(asked)
