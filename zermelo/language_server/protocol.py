"""The records of the Language Server Protocol of which answers are made, and how they are written as JSON.

The library that speaks the protocol has a class for each of its records; loading these takes longer than checking a
text, and a page in a browser has no such library. So answers are made of the few that they need, with the names and
meanings of the protocol, and only the server (:mod:`zermelo.language_server.server`) gives them to the library.
"""

from __future__ import annotations

import re
from enum import Enum, IntEnum, StrEnum
from typing import Any, Final

from attrs import fields, frozen, has

# Places: lines and characters from 0, characters in the units of an encoding.


@frozen
class Position:
    line: int
    character: int


@frozen
class Range:
    start: Position
    end: Position


@frozen
class Location:
    uri: str
    range: Range


# Edits.


@frozen
class TextEdit:
    range: Range
    new_text: str


@frozen
class WorkspaceEdit:
    changes: dict[str, list[TextEdit]]


# Findings, and what mends them.


class DiagnosticSeverity(IntEnum):
    Error = 1
    Warning = 2


class DiagnosticTag(IntEnum):
    Unnecessary = 1


@frozen
class DiagnosticRelatedInformation:
    location: Location
    message: str


@frozen
class Diagnostic:
    range: Range
    message: str
    severity: DiagnosticSeverity
    code: str
    source: str
    tags: list[DiagnosticTag] | None
    related_information: list[DiagnosticRelatedInformation]


class CodeActionKind(StrEnum):
    QuickFix = "quickfix"


@frozen
class CodeAction:
    title: str
    kind: CodeActionKind
    diagnostics: list[Diagnostic]
    is_preferred: bool
    edit: WorkspaceEdit


# What can be done with a file.


@frozen
class Command:
    title: str
    command: str
    arguments: list[str]


@frozen
class CodeLens:
    range: Range
    command: Command


# Names: what they mean, where they are, and which may come.


class MarkupKind(StrEnum):
    Markdown = "markdown"


@frozen
class MarkupContent:
    kind: MarkupKind
    value: str


@frozen
class Hover:
    contents: MarkupContent
    range: Range


class DocumentHighlightKind(IntEnum):
    Text = 1


@frozen
class DocumentHighlight:
    range: Range
    kind: DocumentHighlightKind


class CompletionItemKind(IntEnum):
    Method = 2
    Function = 3
    Field = 5
    Variable = 6
    Class = 7
    Module = 9
    Keyword = 14
    Color = 16
    Reference = 18
    EnumMember = 20
    Constant = 21
    Event = 23


@frozen
class CompletionItem:
    label: str
    kind: CompletionItemKind
    detail: str | None = None
    documentation: MarkupContent | None = None


class SymbolKind(IntEnum):
    Class = 5
    Method = 6
    Field = 8
    Enum = 10
    Function = 12
    Variable = 13
    Constant = 14
    Object = 19
    Key = 20
    EnumMember = 22
    Event = 24


@frozen
class DocumentSymbol:
    name: str
    kind: SymbolKind
    range: Range
    selection_range: Range
    detail: str
    children: list[DocumentSymbol]


class SemanticTokenTypes(StrEnum):
    Class = "class"
    EnumMember = "enumMember"
    Event = "event"
    Function = "function"
    Macro = "macro"
    Method = "method"
    Parameter = "parameter"
    Property = "property"
    Type = "type"
    Variable = "variable"


class SemanticTokenModifiers(StrEnum):
    Declaration = "declaration"
    Readonly = "readonly"


@frozen
class SemanticTokensLegend:
    token_types: list[str]
    token_modifiers: list[str]


@frozen
class SemanticTokens:
    data: list[int]


# Beside the text: the parameters of a call, and types.


@frozen
class ParameterInformation:
    label: str


@frozen
class SignatureInformation:
    label: str
    documentation: MarkupContent
    parameters: list[ParameterInformation]


@frozen
class SignatureHelp:
    signatures: list[SignatureInformation]
    active_signature: int
    active_parameter: int


class InlayHintKind(IntEnum):
    Type = 1


@frozen
class InlayHint:
    position: Position
    label: str
    kind: InlayHintKind


# As JSON.


_HUMP: Final = re.compile(r"_(\w)")


def to_json(answer: Any) -> Any:
    """An answer as plain data, in the names of the protocol; what is None is left out of a record."""
    if isinstance(answer, Enum):
        return answer.value
    if isinstance(answer, list):
        return [to_json(part) for part in answer]
    if isinstance(answer, dict):
        return {name: to_json(part) for name, part in answer.items()}
    if not has(type(answer)):
        return answer
    parts = [(each.name, getattr(answer, each.name)) for each in fields(type(answer))]
    return {_HUMP.sub(lambda hump: hump[1].upper(), name): to_json(part) for name, part in parts if part is not None}
