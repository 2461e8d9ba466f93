"""The server: requests and notifications of the protocol, and who answers them.

https://microsoft.github.io/language-server-protocol
"""

from __future__ import annotations

import os
import sys
from typing import Any

from attrs import frozen
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from zermelo.grammar.diagnostics import Findings, ZermeloError
from zermelo.interpreter.symbols.index import SymbolIndex
from zermelo.language_server import names
from zermelo.language_server.colours import LEGEND, colours
from zermelo.language_server.completion import completions
from zermelo.language_server.documents import Documents
from zermelo.language_server.findings import diagnostic, fixes
from zermelo.language_server.layout import layout_edits
from zermelo.language_server.places import TextPlaces
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
    """The protocol, in which a request with wrong parameters is answered: pygls itself only reports it."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if isinstance(data.get("id"), int | str) and isinstance(data.get("method"), str):
                wrong = JsonRpcInvalidParams(f"these are not the parameters of {data['method']}")
                self._send_response(data["id"], error=wrong.to_response_error())
            raise


class Server(LanguageServer):
    """The language server, with its open documents."""

    def __init__(self) -> None:
        super().__init__("zermelo", __version__, protocol_cls=Answering)
        self.documents = Documents(self._show)
        _follow_documents(self)
        _answer_about_findings(self)
        _answer_about_names(self)
        _answer_about_text(self)

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


@frozen
class Look:
    """The names of a document, and its places."""

    address: str
    index: SymbolIndex
    places: TextPlaces


def _follow_documents(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        server.documents.change(document.uri, document.version, document.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        address = params.text_document.uri
        text = server.workspace.get_text_document(address).source
        server.documents.change(address, params.text_document.version, text)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
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


def _answer_about_names(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        look = await server.look(params.text_document)
        return None if look is None else names.hover(look.index, look.places, params.position)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: types.DefinitionParams) -> list[types.Location]:
        look = await server.look(params.text_document)
        return [] if look is None else names.definition(look.address, look.index, look.places, params.position)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(params: types.ReferenceParams) -> list[types.Location]:
        look = await server.look(params.text_document)
        if look is None:
            return []
        with_declaration = params.context.include_declaration
        return names.references(look.address, look.index, look.places, params.position, with_declaration)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlights(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        look = await server.look(params.text_document)
        return [] if look is None else names.highlights(look.index, look.places, params.position)

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def can_rename(params: types.PrepareRenameParams) -> types.Range | None:
        look = await server.look(params.text_document)
        found = None if look is None else look.index.at(look.places.offset_of(params.position))
        return None if look is None or found is None else look.places.range_of(found[0])

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        look = await server.look(params.text_document)
        if look is None:
            return None
        try:
            return names.renaming(look.address, look.index, look.places, params.position, params.new_name)
        except ZermeloError as refused:
            raise JsonRpcInvalidParams(refused.message) from refused


def _answer_about_text(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["."]))
    async def complete(params: types.CompletionParams) -> list[types.CompletionItem]:
        look = await server.look(params.text_document)
        return [] if look is None else completions(look.index, look.places.offset_of(params.position))

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def layout(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        look = await server.look(params.text_document)
        return [] if look is None else layout_edits(look.index.source)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def outline(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        look = await server.look(params.text_document)
        return [] if look is None else names.outline(look.index, look.places)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    async def tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        look = await server.look(params.text_document)
        return types.SemanticTokens([]) if look is None else colours(look.index, look.places)
