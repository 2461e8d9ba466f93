"""The index of the names of a file: which name stands at a place, and all places of a name."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, Literal

from attrs import frozen

from zermelo.foundation.records import Displayed
from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, Source, Span, ZermeloError
from zermelo.grammar.names import is_name, normal
from zermelo.grammar.parse import parse_parts
from zermelo.interpreter import model
from zermelo.interpreter.elaboration import assemble
from zermelo.interpreter.elaboration.declarations import FileGlobals, file_globals
from zermelo.interpreter.elaboration.names import BUILT_IN_NAMES, LocalName, declare
from zermelo.interpreter.model.cardinality import values_of_type
from zermelo.interpreter.types import MemberType, OptionalType, PartType, SetType, TupleType, Type, UnknownType
from zermelo.interpreter.values import Value, format_value

# A name that a file declares.


Kind = Literal[
    "player",
    "parameter",
    "type",
    "member",
    "field",
    "variable",
    "define",
    "feature",
    "action",
    "phase",
    "move",
    "outcome",
    "choice",
    "information set",
    "argument",
    "name",
    "local variable",
]
"""What a name stands for. An ``argument`` is a parameter of a define, action, phase, move or outcome; a ``name``
is that of a quantifier, a loop, ``let`` or ``where``; a ``choice`` is one of a table."""

LOCAL: Final = frozenset({"argument", "name", "local variable"})
"""The kinds of names that only one declaration knows."""

SHARED: Final = {"move": "move", "outcome": "move", "choice": "move", "information set": "information set"}
"""The kinds of names that several places of a file may declare with the same meaning: a move is known by its name
alone, in whatever phase it is offered, and so is an outcome in the plays of a test."""


@frozen(eq=False, repr=False)
class Symbol(Displayed):
    """One name where it is declared, at ``span``.

    ``whole`` is the text of its declaration, and ``container`` that at the left margin which contains it; they are the
    same for the names of the file. ``heading`` shows the declaration, ``remarks`` say in sentences what else is known.
    ``unwritten_type`` is the type, where it is known and the text does not show it, and empty elsewhere.
    """

    name: str
    kind: Kind
    span: Span
    whole: Span
    container: Span
    heading: str
    remarks: tuple[str, ...] = ()
    unwritten_type: str = ""

    @property
    def is_local(self) -> bool:
        return self.kind in LOCAL


# The names that a syntax tree declares, in the order of the text.


@frozen(eq=False, repr=False)
class Declared(Displayed):
    """A name, what it stands for, the node that declares it, and the declaration at the left margin around that."""

    name: syntax.Name
    kind: Kind
    node: syntax.Node
    top: syntax.Declaration


def declared_names(tree: syntax.GameFile) -> Iterator[Declared]:
    """All names that a file declares. The names after ``with`` in an expectation or a witness are parameters, which are
    declared elsewhere."""
    for top in tree.declarations:
        for node in syntax.nodes_in(_without_settings(top)):
            for name, kind in _names_of(node):
                yield Declared(name, kind, node, top)


def _without_settings(top: syntax.Declaration) -> syntax.Node:
    match top:
        case syntax.Expect(expectation=said) | syntax.Witness(event=said):
            return said
    return top


_NAMED: Final[dict[type, Kind]] = {
    syntax.Parameter: "parameter",
    syntax.TypeDeclaration: "type",
    syntax.RecordField: "field",
    syntax.Variable: "variable",
    syntax.Define: "define",
    syntax.Feature: "feature",
    syntax.Action: "action",
    syntax.Phase: "phase",
    syntax.Move: "move",
    syntax.LocalVariable: "local variable",
    **dict.fromkeys((syntax.OutcomeClause, syntax.ChanceBranch), "outcome"),
    **dict.fromkeys((syntax.MoveParameter, syntax.FormalParameter), "argument"),
    **dict.fromkeys((syntax.Binder, syntax.Binding, syntax.Reach, syntax.Let), "name"),
}
"""The nodes that declare the one name that they have."""


def _names_of(node: syntax.Node) -> Iterator[tuple[syntax.Name, Kind]]:
    """The names that a node itself declares."""
    match node:
        case syntax.Players(names=names):
            yield from ((name, "player") for name in names)
        case syntax.Enumeration(members=members):
            yield from ((name, "member") for name in members)
        case syntax.GraphType(chains=chains):
            cells = [name for chain in chains for name in chain]
            first = {name.text: name for name in reversed(cells)}  # of the places where a cell is written
            yield from ((name, "member") for name in first.values())
        case syntax.DecisionNode(label=label, branches=branches):
            if label is not None:
                yield label, "information set"
            yield from ((name, "move") for name, _ in branches)
        case syntax.Table(others=others, columns=columns):
            yield from ((name, "choice") for name in (*(name for _, name in others), *columns))
        case syntax.TableRow(choice=name):
            yield name, "choice"
        case syntax.VariableIndex(name=syntax.Name() as name) | syntax.Estimate(player=name):
            yield name, "name"
        case _ if type(node) in _NAMED:
            named: Any = node  # which has a name
            yield named.name, _NAMED[type(node)]


# The names in the moves of tests and expectations, which are read only when they are played.
#
# ``play deal(J, Q), bet`` uses the names of an outcome and of a move, and the members J and Q. The type of the argument
# at a place decides which J is meant.


def played_names(tree: syntax.GameFile, names: list[Declared], globals: FileGlobals) -> Iterator[tuple[Span, Span]]:
    """The places of these names, each with the place where the name is declared."""
    rules: dict[str, list[Declared]] = {}
    for declared in names:
        if SHARED.get(declared.kind) == "move":
            rules.setdefault(declared.name.text, []).append(declared)
    types = {local.span: local.type for local in globals.locals}
    for top in tree.declarations:
        if isinstance(top, syntax.Test | syntax.Expect):
            for node in syntax.nodes_in(top):
                if isinstance(node, syntax.PlayedMove):
                    offered = rules.get(node.name.text, [])
                    if offered:
                        yield node.name.span, offered[0].name.span
                    for k, argument in enumerate(node.arguments):
                        wanted = [types[place] for rule in offered if (place := _argument_place(rule.node, k)) in types]
                        yield from _places_of_members(argument, wanted, globals)


def _argument_place(node: syntax.Node, k: int) -> Span | None:
    """Where the name of the argument number ``k`` of a move or outcome stands."""
    if isinstance(node, syntax.Move | syntax.OutcomeClause) and k < len(node.parameters):
        return node.parameters[k].name.span
    return None


def _places_of_members(
    argument: syntax.Expression, wanted: list[Type], globals: FileGlobals
) -> Iterator[tuple[Span, Span]]:
    owners = [owner for type in wanted for owner in _owners(type)]
    for node in syntax.nodes_in(argument):
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


# What there is to know about a name, in sentences: its type and values, who sees it, what it stands for.


MOST_LINES: Final = 12
"""The most lines of a declaration that are shown."""

MOST_VALUES: Final = 12
"""The most values of a type that are listed."""

LONGEST_TYPE: Final = 40
"""The longest type that is shown beside a name, in characters."""

LONGEST_VALUE: Final = 200
"""The longest value that is shown, in characters."""


def heading_of(declared: Declared, source: Source) -> str:
    """The declaration as the file writes it: a define as a whole, a declaration with a block by its first line."""
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
    """What else is known about a name, as far as mistakes in the file allow it."""
    name, node = declared.name.text, declared.node
    match node:
        case syntax.Players(names=names):
            return (f"player {[other.text for other in names].index(name) + 1} of {len(names)}",)
        case syntax.Parameter():
            type, value = globals.parameters.get(name, (None, None))
            return () if type is None or isinstance(type, UnknownType) else (f"parameter, here {_value_text(value)}",)
        case syntax.TypeDeclaration():
            made = globals.types.get(name)
            return () if made is None or isinstance(made, UnknownType) else (_values_text(made),)
        case syntax.Enumeration() | syntax.GraphType():
            return tuple(
                f"member of {owner}" for owner, member in globals.members.get(name, ()) if _is_declared_by(owner, node)
            )
        case syntax.Variable():
            return _variable_remarks(globals.variables.get(name), source)
        case syntax.Define():
            return _define_remarks(globals.defines.get(name))
        case _:
            local = locals.get(declared.name.span)
            return () if local is None or isinstance(local.declared, UnknownType) else (f"type: {_shown_type(local)}",)


def _display_remarks(name: syntax.Name) -> tuple[str, ...]:
    return (f'shown as "{name.shown}"',) if name.shown else ()


def _is_declared_by(owner: MemberType, node: syntax.Enumeration | syntax.GraphType) -> bool:
    """Whether an enumeration or a graph is the one of a type."""
    names = {name.text for name in (node.members if isinstance(node, syntax.Enumeration) else sum(node.chains, ()))}
    return names == set(owner.by_name)


def _variable_remarks(variable: model.Variable | None, source: Source) -> tuple[str, ...]:
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


def _define_remarks(define: model.Define | None) -> tuple[str, ...]:
    if define is None or isinstance(define.body.type, UnknownType):
        return ()
    value = (f"value: {_value_text(define.body.value)}",) if isinstance(define.body, model.Const) else ()
    return (f"type: {define.body.type}", *value)


def _shown_type(local: LocalName) -> Type:
    """The type with which a local name is declared, unless that is a long list of values, or of all values."""
    declared = local.declared
    is_whole = isinstance(declared, PartType) and len(declared.chosen) == values_of_type(declared.parent)
    return local.type if is_whole or len(str(declared)) > LONGEST_VALUE else declared


# Types that the text does not show: of what is computed or taken from a set that is computed.


_PLAIN: Final = (
    *(syntax.Number, syntax.Boolean, syntax.NoneLiteral, syntax.Range, syntax.SetLiteral, syntax.TableLiteral),
    *(syntax.TupleLiteral, syntax.Not, syntax.And, syntax.Or, syntax.Comparison, syntax.Membership, syntax.IsNone),
)
"""Expressions that show what they are: literals, and what is true or false."""


def unwritten_type_of(declared: Declared, globals: FileGlobals, locals: Mapping[Span, LocalName]) -> str:
    """The type of a name whose declaration does not show it; empty if it does, or if the type is unknown or long."""
    match declared.node:
        case syntax.Feature():
            type = None  # always a number
        case syntax.Define(type=None, body=body) if not _is_plain(body):
            define = globals.defines.get(declared.name.text)
            type = None if define is None else define.body.type
        case syntax.Let(value=value) | syntax.Binding(value=value) if not _is_plain(value):
            type = _local_type(declared, locals)
        case syntax.Binder(domain=domain) | syntax.MoveParameter(domain=domain) if not _is_plain_set(domain, globals):
            type = _local_type(declared, locals)
        case syntax.Reach():
            type = _local_type(declared, locals)
        case _:
            type = None
    text = "" if type is None or isinstance(type, UnknownType) else str(type)
    return text if len(text) <= LONGEST_TYPE else ""


def _local_type(declared: Declared, locals: Mapping[Span, LocalName]) -> Type | None:
    local = locals.get(declared.name.span)
    return None if local is None or isinstance(local.declared, UnknownType) else _shown_type(local)


def _is_plain(value: syntax.Expression) -> bool:
    """Whether an expression shows its type."""
    match value:
        case syntax.Negation(operand=operand):
            return _is_plain(operand)
        case syntax.Quantified(quantifier="some" | "all" | "no"):
            return True
    return isinstance(value, _PLAIN)


def _is_plain_set(domain: syntax.Expression, globals: FileGlobals) -> bool:
    """Whether a set shows of what type its members are: a type, a literal, or a part of one."""
    match domain:
        case syntax.Reference(name=name):
            return name in BUILT_IN_NAMES or isinstance(globals.declarations.named.get(name), syntax.TypeDeclaration)
        case syntax.Comprehension(element=None, generators=(first, *_)):
            return _is_plain_set(first.binder.domain, globals)
    return isinstance(domain, syntax.Range | syntax.SetLiteral)


def _values_text(type: Type) -> str:
    count = values_of_type(type)
    if count is None or count > MOST_VALUES:
        return f"{'many' if count is None else f'{count:,}'} values"
    return f"{count} value{'' if count == 1 else 's'}: {', '.join(map(format_value, type.generate()))}"


def _value_text(value: Value) -> str:
    text = format_value(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}..."


@frozen(repr=False)
class SymbolIndex(Displayed):
    """The names that a file declares, in the order of the text, by the places of their declarations; and from each
    place where a name is used (``uses``) to the place where it is declared."""

    source: Source
    symbols: Mapping[Span, Symbol]
    uses: Mapping[Span, Span]

    def at(self, offset: int) -> tuple[Span, Symbol] | None:
        """The name at the character ``offset``, or right before it, and what it means."""
        for place in (offset, offset - 1):
            k = bisect_right(self._starts, place) - 1
            if k >= 0 and self._places[k].start <= place < self._places[k].end:
                span = self._places[k]
                return span, self.symbols[self.uses.get(span, span)]
        return None

    def in_order(self) -> Iterator[tuple[Span, Symbol]]:
        """All names of the text in their order, each with its meaning."""
        return ((span, self.symbols[self.uses.get(span, span)]) for span in self._places)

    def family(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """The declarations that give this name the same meaning: one, except for moves and outcomes, which are known by
        their names alone, and for information sets."""
        kind = SHARED.get(symbol.kind)
        if kind is None:
            return (symbol,)
        return tuple(
            other for other in self.symbols.values() if other.name == symbol.name and SHARED.get(other.kind) == kind
        )

    def places_of(self, symbol: Symbol) -> tuple[Span, ...]:
        """All places of a name, its declarations included, in the order of the text."""
        declared = {other.span for other in self.family(symbol)}
        found = [*declared, *(span for span, place in self.uses.items() if place in declared)]
        return tuple(sorted(found, key=lambda span: span.start))

    @cached_property
    def _places(self) -> list[Span]:
        return sorted({*self.symbols, *self.uses}, key=lambda span: span.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self._places]


def index_with_findings(source: Source) -> tuple[SymbolIndex, Findings]:
    """The index of a text that may have any mistakes, as far as its declarations can be read; and the findings of
    reading and elaborating it, some of which may be consequences of a mistake in another declaration."""
    tree, findings, _ = parse_parts(source)
    globals = file_globals(declare(tree, findings), findings, {})
    assemble(globals)
    return index_of_elaborated(tree, globals), findings


def index_of_elaborated(tree: syntax.GameFile, globals: FileGlobals) -> SymbolIndex:
    """The same from the tree of a text, and its names after their elaboration."""
    source = globals.findings.source
    names = list(declared_names(tree))
    locals = {local.span: local for local in globals.locals}
    symbols = {
        declared.name.span: Symbol(
            declared.name.text,
            declared.kind,
            declared.name.span,
            declared.node.span,
            declared.top.span,
            heading_of(declared, source),
            (*_display_remarks(declared.name), *remarks_of(declared, globals, locals, source)),
            unwritten_type_of(declared, globals, locals),
        )
        for declared in names
    }
    known = {**globals.references, **dict(played_names(tree, names, globals))}
    sound = {
        span: place
        for span, place in known.items()
        if place != span and place in symbols and normal(source.excerpt(span)) == symbols[place].name
    }
    return SymbolIndex(source, symbols, sound)


# Renaming, such that the text means the same as before.
#
# A new name can collide with another one, hide it, or be a word of the language. Rather than foresee every way, the new
# text is read: the same names must stand at the same places, each use must lead to the same declaration as before, and
# no finding may be new. Otherwise the new name is refused.


def places_to_rename(index: SymbolIndex, symbol: Symbol, name: str) -> tuple[Span, ...]:
    """The places of a symbol at which the new name is to be written.

    Raises ``ZermeloError`` (``reserved-name``, ``shadowed-name``, ``syntax`` and the like) if the text would not mean
    the same.
    """
    if not is_name(name):
        help = "a name consists of letters, digits and _, and does not begin with a digit"
        raise ZermeloError("syntax", f"'{name}' is not a name", help)
    places = index.places_of(symbol)
    text, end = [], 0
    for place in places:
        text += [index.source.text[end : place.start], name]
        end = place.end
    edited = Source(index.source.name, "".join(text) + index.source.text[end:])
    _, before = index_with_findings(index.source)
    after, there = index_with_findings(edited)
    new = Counter(finding.code for finding in there) - Counter(finding.code for finding in before)
    for finding in (*there.errors, *there):
        if finding.code in new:
            raise ZermeloError(finding.code, f"'{symbol.name}' cannot be called '{name}': {finding.message}")
    if _meanings(index, places, len(name)) != _meanings(after, (), 0):
        raise ZermeloError("duplicate-name", f"with the name '{name}', other names would change their meaning")
    return places


def _meanings(index: SymbolIndex, renamed: tuple[Span, ...], length: int) -> dict[int, int]:
    """The offset of each name, with that of its declaration, if each ``renamed`` place had this length."""

    def shift(offset: int) -> int:
        return offset + sum(length - (place.end - place.start) for place in renamed if place.start < offset)

    here = {shift(span.start): shift(span.start) for span in index.symbols}
    return here | {shift(span.start): shift(place.start) for span, place in index.uses.items()}
