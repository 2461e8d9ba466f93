"""What there is to know about a name, in sentences: its type and values, who sees it, what it stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zermelo.grammar import syntax
from zermelo.grammar.source import Source, Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.declarations import FileGlobals
from zermelo.interpreter.elaboration.local_names import LocalName
from zermelo.interpreter.model.cardinality import values_of_type
from zermelo.interpreter.symbols.declared import Declared
from zermelo.interpreter.types import MemberType, PartType, Type, UnknownType
from zermelo.interpreter.values import Value, format_value

MOST_LINES: Final = 12
"""The most lines of a declaration that are shown."""

MOST_VALUES: Final = 12
"""The most values of a type that are listed."""

LONGEST_VALUE: Final = 200
"""The longest value that is shown, in characters."""


def heading_of(declared: Declared, source: Source) -> str:
    """The declaration as the file writes it: the whole of a define, the first line of what has a block."""
    node = declared.node
    text = source.excerpt(declared.name.span if isinstance(node, syntax.Players) else node.span).strip()
    lines = text.splitlines() or [declared.name.text]
    if isinstance(node, syntax.Phase | syntax.Move | syntax.OutcomeClause | syntax.Table | syntax.Let):
        return lines[0]
    if isinstance(node, syntax.Enumeration | syntax.GraphType | syntax.DecisionNode | syntax.Estimate):
        return declared.name.text
    return "\n".join([*lines[:MOST_LINES], "..."] if len(lines) > MOST_LINES else lines)


def remarks_of(
    declared: Declared, globals: FileGlobals, locals: Mapping[Span, LocalName], source: Source
) -> tuple[str, ...]:
    """What else is known; nothing of what the mistakes in a file leave open."""
    name, node = declared.name.text, declared.node
    match node:
        case syntax.Players(names=names):
            return (f"player {[other.text for other in names].index(name) + 1} of {len(names)}",)
        case syntax.Parameter():
            type, value = globals.parameters.get(name, (None, None))
            return () if type is None or isinstance(type, UnknownType) else (f"parameter, here {_shown(value)}",)
        case syntax.TypeDeclaration():
            made = globals.types.get(name)
            return () if made is None or isinstance(made, UnknownType) else (_values(made),)
        case syntax.Enumeration() | syntax.GraphType():
            return tuple(f"member of {owner}" for owner, member in globals.members.get(name, ()) if _is_of(owner, node))
        case syntax.Variable():
            return _of_variable(globals.variables.get(name), source)
        case syntax.Define():
            return _of_define(globals.defines.get(name))
        case _:
            local = locals.get(declared.name.span)
            return () if local is None or isinstance(local.declared, UnknownType) else (f"type: {_type(local)}",)


def _is_of(owner: MemberType, node: syntax.Enumeration | syntax.GraphType) -> bool:
    """Whether an enumeration or a graph is the one of a type."""
    names = {name.text for name in (node.members if isinstance(node, syntax.Enumeration) else sum(node.chains, ()))}
    return names == set(owner.by_name)


def _of_variable(variable: model.Variable | None, source: Source) -> tuple[str, ...]:
    if variable is None:
        return ()
    match variable.visibility:
        case model.Audience.EVERYBODY:
            seen = "seen by everybody"
        case model.Audience.NOBODY:
            seen = "seen by nobody"
        case model.SeenBy(audience=audience):
            written = source.excerpt(audience.span)
            seen = "each player sees their own" if written == "private" else f"seen by {written}"
    constant = ("never changes during play",) if variable.is_constant else ()
    return (f"type: {variable.type}", seen, *constant)


def _of_define(define: model.Define | None) -> tuple[str, ...]:
    if define is None or isinstance(define.body.type, UnknownType):
        return ()
    value = (f"value: {_shown(define.body.value)}",) if isinstance(define.body, model.Const) else ()
    return (f"type: {define.body.type}", *value)


def _type(local: LocalName) -> Type:
    """The type with which a local name is declared, unless that is a long list of values, or of all values."""
    declared = local.declared
    is_whole = isinstance(declared, PartType) and len(declared.chosen) == values_of_type(declared.parent)
    return local.type if is_whole or len(str(declared)) > LONGEST_VALUE else declared


def _values(type: Type) -> str:
    count = values_of_type(type)
    if count is None or count > MOST_VALUES:
        return f"{'many' if count is None else f'{count:,}'} values"
    return f"{count} value{'' if count == 1 else 's'}: {', '.join(map(format_value, type.generate()))}"


def _shown(value: Value) -> str:
    text = format_value(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}..."
