"""The names in the moves of tests and expectations, which are read only when they are played.

``play deal(J, Q), bet`` uses the names of an outcome and of a move, and the members J and Q: which J is meant, follows
from the type of the argument in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from zermelo.grammar import syntax
from zermelo.grammar.source import Span
from zermelo.interpreter.elaboration.declarations import FileGlobals
from zermelo.interpreter.elaboration.names import nodes_in
from zermelo.interpreter.symbols.declared import Declared
from zermelo.interpreter.symbols.symbol import SHARED
from zermelo.interpreter.types import MemberType, OptionalType, PartType, SetType, TupleType, Type


def played_names(tree: syntax.GameFile, names: list[Declared], globals: FileGlobals) -> Iterator[tuple[Span, Span]]:
    """The places of these names, each with the place where the name is declared."""
    rules: dict[str, list[Declared]] = {}
    for declared in names:
        if SHARED.get(declared.kind) == "move":
            rules.setdefault(declared.name.text, []).append(declared)
    types = {local.span: local.type for local in globals.locals}
    for top in tree.declarations:
        if isinstance(top, syntax.Test | syntax.Expect):
            for node in nodes_in(top):
                if isinstance(node, syntax.PlayedMove):
                    offered = rules.get(node.name.text, [])
                    if offered:
                        yield node.name.span, offered[0].name.span
                    for k, argument in enumerate(node.arguments):
                        wanted = [types[place] for rule in offered if (place := _place(rule.node, k)) in types]
                        yield from _members(argument, wanted, globals)


def _place(node: syntax.Node, k: int) -> Span | None:
    """Where the name of the argument number ``k`` of a move or outcome stands."""
    if isinstance(node, syntax.Move | syntax.OutcomeClause) and k < len(node.parameters):
        return node.parameters[k].name.span
    return None


def _members(argument: syntax.Expression, wanted: list[Type], globals: FileGlobals) -> Iterator[tuple[Span, Span]]:
    owners = [owner for type in wanted for owner in _owners(type)]
    for node in nodes_in(argument):
        if isinstance(node, syntax.Reference):
            known = [owner for owner in owners if node.name in owner.by_name]
            among = known or [owner for owner, _ in globals.members_named(node.name)]
            place = globals.place_of(among[0], node.name) if among else None
            if place is not None:
                yield node.span, place


def _owners(type: Type) -> Iterator[MemberType]:
    """The enumerations whose members may occur in a value of a type."""
    match type:
        case MemberType():
            yield type
        case OptionalType(inner=inner) | SetType(element=inner) | PartType(parent=inner):
            yield from _owners(inner)
        case TupleType(items=items):
            for item in items:
                yield from _owners(item)
        case _:
            pass


def uses(globals: FileGlobals, played: Mapping[Span, Span]) -> dict[Span, Span]:
    """From each place of a name that is used to the place of its declaration."""
    return {span: place for span, place in {**globals.references, **played}.items() if span != place}
