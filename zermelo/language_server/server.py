"""The server: requests and notifications of the protocol, and who answers them.

https://microsoft.github.io/language-server-protocol
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from difflib import SequenceMatcher
from typing import Any, Final

from lsprotocol import types
from lsprotocol.types import (
    CodeAction,
    CodeActionKind,
    CodeLens,
    Command,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    DiagnosticTag,
    Location,
    Position,
    Range,
    SemanticTokenModifiers,
    SemanticTokens,
    SemanticTokensLegend,
    TextEdit,
    WorkspaceEdit,
)
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path

from zermelo.grammar.diagnostics import Finding, Findings, InvalidGame, Severity, Source, ZermeloError
from zermelo.grammar.formatter import format_text
from zermelo.grammar.words import SHEET
from zermelo.interpreter.symbols.index import SymbolIndex
from zermelo.language_server import completion
from zermelo.language_server.completion import KINDS, Look, completions
from zermelo.language_server.documents import Documents, TextPlaces
from zermelo.version import __version__

# Semantic tokens: the names of a text with what they stand for, so that an editor can give each kind a colour.


_LISTED: Final = list(dict.fromkeys(shown for _, shown, _ in KINDS.values()))
_DECLARES: Final = 1
_NEVER_CHANGES: Final = 2

LEGEND: Final = SemanticTokensLegend(
    [str(type.value) for type in _LISTED],
    [str(SemanticTokenModifiers.Declaration.value), str(SemanticTokenModifiers.Readonly.value)],
)


def colours(index: SymbolIndex, places: TextPlaces) -> SemanticTokens:
    """The tokens, each as five numbers: lines and characters since the one before, length, type, and modifiers."""
    data: list[int] = []
    line, character = 0, 0
    for span, symbol in index.in_order():
        where = places.range_of(span)
        if where.start.line != line:
            line, character, skipped = where.start.line, 0, where.start.line - line
        else:
            skipped = 0
        flags = (_DECLARES if span == symbol.span else 0) + (_NEVER_CHANGES if symbol.kind == "parameter" else 0)
        kind = _LISTED.index(KINDS[symbol.kind][1])
        data += [skipped, where.start.character - character, where.end.character - where.start.character, kind, flags]
        character = where.start.character
    return SemanticTokens(data)


# Findings as an editor shows them, and their fixes.


def diagnostic(address: str, finding: Finding, places: TextPlaces) -> Diagnostic:
    remarks = [f": {finding.remark}" if finding.remark else "", f"\n{finding.help}" if finding.help else ""]
    labels = [label for label in finding.labels if label.text]
    return Diagnostic(
        range=places.range_of(finding.span),
        message=finding.message + "".join(remarks),
        severity=DiagnosticSeverity.Error if finding.severity is Severity.ERROR else DiagnosticSeverity.Warning,
        code=finding.code,
        source="zermelo",
        tags=[DiagnosticTag.Unnecessary] if finding.code == "unused-name" else None,
        related_information=[
            DiagnosticRelatedInformation(Location(address, places.range_of(label.span)), label.text) for label in labels
        ],
    )


def fixes(address: str, findings: Findings, where: Range, places: TextPlaces) -> list[CodeAction]:
    """The edits that mend findings in a range."""
    start, end = places.offset_of(where.start), places.offset_of(where.end)
    return [
        CodeAction(
            title=finding.fix.title or f"write '{finding.fix.replacement.strip()}'",
            kind=CodeActionKind.QuickFix,
            diagnostics=[diagnostic(address, finding, places)],
            is_preferred=True,
            edit=WorkspaceEdit(
                changes={address: [TextEdit(places.range_of(finding.fix.span), finding.fix.replacement)]}
            ),
        )
        for finding in findings
        if finding.fix is not None and finding.span.start <= end and start <= finding.span.end
    ]


# Formatting: the edits that bring a text into the one layout of ``zermelo fmt``.


def layout_edits(source: Source) -> list[TextEdit]:
    """The edits, of whole lines, so that an editor keeps its marks in those that stay; none for a text with mistakes in
    its grammar."""
    try:
        after = format_text(source).splitlines(keepends=True)
    except InvalidGame:
        return []
    before = source.text.splitlines(keepends=True)
    return [
        TextEdit(Range(Position(start, 0), Position(end, 0)), "".join(after[first:last]))
        for kind, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if kind != "equal"
    ]


# Code lenses: commands above the first line of a game, which the editor runs in a terminal.


_RUN: Final = "zermelo.run"
"""The command that an editor has to know: it runs ``zermelo`` with these arguments, in a terminal."""

_LENSES: Final = {"Solve": "solve", "Test": "test", "Play": "play"}

_TITLE: Final = re.compile(r"^game\b", re.MULTILINE)


def lenses(look: Look) -> list[CodeLens]:
    """What can be done with a file; nothing with a text that is in no file yet."""
    title, path = _TITLE.search(look.index.source.text), to_fs_path(look.address)
    if title is None or path is None:
        return []
    line = look.index.source.text.count("\n", 0, title.start())
    there = look.places.range_in_line(line, title.start(), title.end())
    return [CodeLens(there, Command(shown, _RUN, arguments=[word, path])) for shown, word in _LENSES.items()]


def serve() -> None:
    """Answer an editor on the standard streams, until it ends the conversation."""
    server = Server()
    try:
        with open(os.dup(sys.stdout.fileno()), "wb") as output:  # pygls closes what it writes to
            server.start_io(sys.stdin.buffer, output)
    finally:
        server.documents.stop()


class Answering(LanguageServerProtocol):
    """The protocol, with an answer to a request with wrong parameters, which pygls itself only reports."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if isinstance(data.get("id"), int | str) and isinstance(data.get("method"), str):
                wrong = JsonRpcInvalidParams(f"these are not the parameters of {data['method']}")
                self._send_response(data["id"], error=wrong.to_response_error())
            raise


class Server(LanguageServer):
    """The language server, with its open documents. An editor that ``has_terminal`` can run commands in it, and has
    said so (``initializationOptions``)."""

    def __init__(self) -> None:
        super().__init__("zermelo", __version__, protocol_cls=Answering)
        self.documents = Documents(self._show)
        self.has_terminal = False
        _follow_documents(self)
        _answer_about_findings(self)
        _answer_about_texts(self)
        self.command("zermelo.sheet")(_sheet)

    def places(self, findings_or_index: Findings | SymbolIndex) -> TextPlaces:
        return TextPlaces(findings_or_index.source, self.workspace.position_codec)

    async def look(self, document: types.TextDocumentIdentifier) -> Look | None:
        """What questions about names need; None if the document is not open."""
        first = await self.documents.names(document.uri)
        return None if first is None else Look(document.uri, first.index, self.places(first.index))

    def _show(self, address: str, version: int, findings: Findings) -> None:
        places = self.places(findings)
        shown = [diagnostic(address, finding, places) for finding in findings]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(address, shown, version))


def _sheet() -> str:
    """The language on one page, in Markdown."""
    return SHEET.read_text(encoding="utf-8")


def _follow_documents(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def begin(params: types.InitializeParams) -> None:
        options = params.initialization_options
        server.has_terminal = isinstance(options, dict) and options.get("terminal") is True

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def open_document(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        server.documents.change(document.uri, document.version, document.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def change_document(params: types.DidChangeTextDocumentParams) -> None:
        address = params.text_document.uri
        text = server.workspace.get_text_document(address).source
        server.documents.change(address, params.text_document.version, text)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def close_document(params: types.DidCloseTextDocumentParams) -> None:
        server.documents.close(params.text_document.uri)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))


def _answer_about_findings(server: Server) -> None:
    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    async def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        address = params.text_document.uri
        findings = await server.documents.findings(address)
        return [] if findings is None else fixes(address, findings, params.range, server.places(findings))


def _answer_about_texts(server: Server) -> None:
    def answer(feature: str, empty: Any, about: Callable[[Look, Any], Any], options: Any = None) -> None:
        """Answer what is asked ``about`` a document; ``empty`` is the answer about one that is not open."""

        @server.feature(feature, options)
        async def reply(asked: Any) -> Any:
            look = await server.look(asked.text_document)
            return empty if look is None else about(look, asked)

    def references(look: Look, asked: types.ReferenceParams) -> list[Location]:
        return completion.references(look, asked.position, asked.context.include_declaration)

    def rename(look: Look, asked: types.RenameParams) -> WorkspaceEdit | None:
        try:
            return completion.rename_edits(look, asked.position, asked.new_name)
        except ZermeloError as refused:
            raise JsonRpcInvalidParams(refused.message) from refused

    def complete(look: Look, asked: types.CompletionParams) -> list[types.CompletionItem]:
        return completions(look.index, look.places.offset_of(asked.position))

    answer(types.TEXT_DOCUMENT_CODE_LENS, [], lambda look, asked: lenses(look) if server.has_terminal else [])
    answer(types.TEXT_DOCUMENT_HOVER, None, lambda look, asked: completion.hover(look, asked.position))
    answer(types.TEXT_DOCUMENT_DEFINITION, [], lambda look, asked: completion.definition(look, asked.position))
    answer(types.TEXT_DOCUMENT_REFERENCES, [], references)
    answer(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, [], lambda look, asked: completion.highlights(look, asked.position))
    answer(types.TEXT_DOCUMENT_PREPARE_RENAME, None, lambda look, asked: completion.renamable(look, asked.position))
    answer(types.TEXT_DOCUMENT_RENAME, None, rename, types.RenameOptions(prepare_provider=True))
    answer(types.TEXT_DOCUMENT_COMPLETION, [], complete, types.CompletionOptions(trigger_characters=["."]))
    answer(types.TEXT_DOCUMENT_FORMATTING, [], lambda look, asked: layout_edits(look.index.source))
    answer(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, [], lambda look, asked: completion.outline(look))
    answer(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        SemanticTokens([]),
        lambda look, asked: colours(look.index, look.places),
        LEGEND,
    )
