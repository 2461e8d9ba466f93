"""The server: requests and notifications of the protocol, and who answers them.

https://microsoft.github.io/language-server-protocol
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.uris import to_fs_path

from zermelo.grammar.diagnostics import Findings, ZermeloError
from zermelo.grammar.words import SHEET
from zermelo.interpreter.symbols.index import SymbolIndex
from zermelo.language_server import completion
from zermelo.language_server.completion import Look, completions
from zermelo.language_server.documents import Documents, TextPlaces
from zermelo.language_server.hints import inlay_hints, signature_help
from zermelo.language_server.protocol import (
    CodeLens,
    CompletionItem,
    DocumentHighlight,
    DocumentSymbol,
    Hover,
    InlayHint,
    Location,
    Position,
    Range,
    SemanticTokens,
    SignatureHelp,
    WorkspaceEdit,
    to_json,
)
from zermelo.language_server.showing import LEGEND, colours, diagnostic, fixes, layout_edits, lenses
from zermelo.version import __version__


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
        self._converter = default_converter()  # type: ignore[no-untyped-call]
        super().__init__("zermelo", __version__, protocol_cls=Answering, converter_factory=lambda: self._converter)
        self.documents = Documents(self._show)
        self.has_terminal = False
        _follow_documents(self)
        _answer_about_findings(self)
        _answer_about_texts(self)
        self.command("zermelo.sheet")(_sheet)

    def places(self, findings_or_index: Findings | SymbolIndex) -> TextPlaces:
        return TextPlaces(findings_or_index.source, types.PositionEncodingKind(self.workspace.position_encoding).value)

    def given(self, kind: Any, answer: Any) -> Any:
        """An answer in the records of the library: of a ``kind``, as it writes types."""
        return self._converter.structure(to_json(answer), kind)

    async def look(self, document: types.TextDocumentIdentifier) -> Look | None:
        """What questions about names need; None if the document is not open."""
        first = await self.documents.names(document.uri)
        return None if first is None else Look(document.uri, first.index, self.places(first.index))

    def _show(self, address: str, version: int, findings: Findings) -> None:
        places = self.places(findings)
        shown = self.given(list[types.Diagnostic], [diagnostic(address, finding, places) for finding in findings])
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(address, shown, version))


def _sheet() -> str:
    """The language on one page, in Markdown."""
    return SHEET.read_text(encoding="utf-8")


def _place(asked: Any) -> Position:
    """The place of which a question is."""
    return Position(asked.position.line, asked.position.character)


def _range(asked: Any) -> Range:
    """The range of which a question is."""
    start, end = asked.range.start, asked.range.end
    return Range(Position(start.line, start.character), Position(end.line, end.character))


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
    async def code_actions(params: types.CodeActionParams) -> Any:
        address = params.text_document.uri
        findings = await server.documents.findings(address)
        if findings is None:
            return []
        places = server.places(findings)
        return server.given(list[types.CodeAction], fixes(address, findings, _range(params), places))


def _answer_about_texts(server: Server) -> None:
    def answer(feature: str, kind: Any, empty: Any, about: Callable[[Look, Any], Any], options: Any = None) -> None:
        """Answer what is asked ``about`` a document, in records of a ``kind``; for one that is not open the answer is
        ``empty``."""

        @server.feature(feature, options)
        async def reply(asked: Any) -> Any:
            look = await server.look(asked.text_document)
            return server.given(kind, empty if look is None else about(look, asked))

    def references(look: Look, asked: types.ReferenceParams) -> list[Location]:
        return completion.references(look, _place(asked), asked.context.include_declaration)

    def rename(look: Look, asked: types.RenameParams) -> WorkspaceEdit | None:
        try:
            return completion.rename_edits(look, _place(asked), asked.new_name)
        except ZermeloError as refused:
            raise JsonRpcInvalidParams(refused.message) from refused

    def complete(look: Look, asked: types.CompletionParams) -> list[CompletionItem]:
        return completions(look.index, look.places.offset_of(_place(asked)))

    def highlights(look: Look, asked: types.DocumentHighlightParams) -> list[DocumentHighlight]:
        return completion.highlights(look, _place(asked))

    def hover(look: Look, asked: types.HoverParams) -> Hover | None:
        return completion.hover(look, _place(asked))

    def signatures(look: Look, asked: types.SignatureHelpParams) -> SignatureHelp | None:
        return signature_help(look, _place(asked))

    def hints(look: Look, asked: types.InlayHintParams) -> list[InlayHint]:
        return inlay_hints(look, _range(asked))

    def definition(look: Look, asked: types.DefinitionParams) -> list[Location]:
        return completion.definition(look, _place(asked))

    def renamable(look: Look, asked: types.PrepareRenameParams) -> Range | None:
        return completion.renamable(look, _place(asked))

    def outline(look: Look, _: types.DocumentSymbolParams) -> list[DocumentSymbol]:
        return completion.outline(look)

    def lenses_of(look: Look, _: types.CodeLensParams) -> list[CodeLens]:
        path = to_fs_path(look.address)  # none of a text that is in no file yet
        return lenses(look.index.source, look.places, path) if server.has_terminal and path else []

    dots = types.CompletionOptions(trigger_characters=["."])
    brackets = types.SignatureHelpOptions(trigger_characters=["(", ","])
    can_tell = types.RenameOptions(prepare_provider=True)
    legend = server.given(types.SemanticTokensLegend, LEGEND)
    answer(types.TEXT_DOCUMENT_CODE_LENS, list[types.CodeLens], [], lenses_of)
    answer(types.TEXT_DOCUMENT_HOVER, types.Hover | None, None, hover)
    answer(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelp | None, None, signatures, brackets)
    answer(types.TEXT_DOCUMENT_INLAY_HINT, list[types.InlayHint], [], hints)
    answer(types.TEXT_DOCUMENT_DEFINITION, list[types.Location], [], definition)
    answer(types.TEXT_DOCUMENT_REFERENCES, list[types.Location], [], references)
    answer(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, list[types.DocumentHighlight], [], highlights)
    answer(types.TEXT_DOCUMENT_PREPARE_RENAME, types.Range | None, None, renamable)
    answer(types.TEXT_DOCUMENT_RENAME, types.WorkspaceEdit | None, None, rename, can_tell)
    answer(types.TEXT_DOCUMENT_COMPLETION, list[types.CompletionItem], [], complete, dots)
    answer(types.TEXT_DOCUMENT_FORMATTING, list[types.TextEdit], [], lambda look, _: layout_edits(look.index.source))
    answer(
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, list[types.DocumentSymbol], [], lambda look, _: completion.outline(look)
    )
    answer(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        types.SemanticTokens,
        SemanticTokens([]),
        lambda look, _: colours(look.index, look.places),
        legend,
    )
