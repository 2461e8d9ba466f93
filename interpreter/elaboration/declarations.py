"""Elaboration of each kind of declaration, on first use."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from zermelo.grammar import syntax
from zermelo.grammar.depth import DEEPEST_TREE
from zermelo.grammar.diagnostics import Label
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.entries import named_table
from zermelo.interpreter.elaboration.expressions import broken, constant, elaborate, known, settled, typed_as
from zermelo.interpreter.elaboration.globals import Globals, NamedTable
from zermelo.interpreter.elaboration.names import names_in
from zermelo.interpreter.elaboration.parameter_values import parameter_value, shown_value
from zermelo.interpreter.elaboration.scope import Scope, SlotCounter
from zermelo.interpreter.elaboration.statements import block_of
from zermelo.interpreter.elaboration.type_expressions import written_type
from zermelo.interpreter.model.cardinality import values_of_type
from zermelo.interpreter.model.compatibility import allowed, fits, in_words
from zermelo.interpreter.model.depth import DEEPEST_RULES, LARGEST_RULES, extent_of, make_room
from zermelo.interpreter.model.rewriting import free_slots, reads, reads_state
from zermelo.interpreter.storage import is_within
from zermelo.interpreter.types import (
    UNKNOWN,
    OptionalType,
    PartType,
    SetType,
    TupleType,
    Type,
    UnknownType,
    strip_none,
)
from zermelo.interpreter.values import (
    OrderedSet,
    Value,
    canonical,
    format_value,
)

LARGEST_VARIABLE = 1_000_000
"""The most entries of a variable; more is a slip."""

LARGEST_VALUE = 10_000
"""The most parts of a value: fields of a record, of records inside it, and so on."""


@define(eq=False, repr=False)
class FileGlobals(Globals):
    """The names of one file."""

    _assigned: frozenset[str] = field(factory=frozenset)
    _extents: dict[int, tuple[int, int]] = field(factory=dict)  # of declared types, by their identity
    _has_too_deep: bool = False
    _made_variables: dict[str, model.Variable | None] = field(factory=dict)

    def scope(self) -> Scope:
        """A new scope without local names."""
        return Scope(self, SlotCounter())

    # ------------------------------------------------------------------ parameters

    def parameter(self, declaration: syntax.Parameter) -> tuple[Type, Value]:
        return self.once(self.parameters, declaration.name, lambda: self._parameter(declaration), (UNKNOWN, None))

    def _parameter(self, declaration: syntax.Parameter) -> tuple[Type, Value]:
        scope = self.scope()
        name = declaration.name.text
        type = written_type(declaration.domain, scope)
        default = constant(declaration.default, scope, type, f"the value of '{name}'")
        if isinstance(type, UnknownType) or not known(default):
            return UNKNOWN, None
        value = default.value
        if name in self.overrides:
            value = parameter_value(self.overrides[name], type, name)
        if isinstance(value, str) or not type.contains(value):
            self.report_outside(name, value, type, declaration, default.span)
            return UNKNOWN, None
        return type, value

    def report_outside(
        self, name: str, value: Value, type: Type, declaration: syntax.Declaration, default: Span
    ) -> None:
        self.findings.report(
            "parameter-out-of-range",
            declaration.span if name in self.overrides else default,
            f"the parameter '{name}' cannot be {shown_value(value)}",
            remark=allowed(type),
            help="choose a value that the file allows, or widen the range",
        )

    # ----------------------------------------------------------------------- types

    def named_type(self, declaration: syntax.TypeDeclaration) -> Type:
        name = declaration.name
        return self.once(self.types, name, lambda: self._named_type(declaration), UNKNOWN)

    def _named_type(self, declaration: syntax.TypeDeclaration) -> Type:
        name = declaration.name
        made = written_type(declaration.definition, self.scope(), name.text)
        depth, parts = self._extent(made)
        self._extents[id(made)] = depth, parts
        if depth > DEEPEST_TREE:
            message = f"the types in '{name}' are nested more than {DEEPEST_TREE} deep"
            self.findings.report("nested-too-deep", name.span, message)
            return UNKNOWN
        if parts > LARGEST_VALUE:
            message = f"a value of '{name}' would have more than {LARGEST_VALUE:,} parts"
            self.findings.report("out-of-range", name.span, message)
            return UNKNOWN
        return made

    def _extent(self, type: Type) -> tuple[int, int]:
        """The nesting of a type, and the number of parts of its values."""
        if id(type) in self._extents:
            return self._extents[id(type)]
        inner: tuple[Type, ...] = ()
        match type:
            case TupleType(items=items):
                inner = items
            case OptionalType(inner=of) | SetType(element=of) | PartType(parent=of):
                inner = (of,)
        extents = [self._extent(part) for part in inner]
        return 1 + max((depth for depth, _ in extents), default=0), sum(parts for _, parts in extents) or 1

    # ------------------------------------------------------------------- variables

    def variable(self, declaration: syntax.Variable) -> model.Variable | None:
        name = declaration.name.text
        made = self.once(self._made_variables, declaration.name, lambda: self._variable(declaration), None)
        if made is not None:
            self.variables[name] = made
        return made

    def _variable(self, declaration: syntax.Variable) -> model.Variable | None:
        name = declaration.name.text
        scope = self.scope()
        indices = tuple(written_type(index.type, scope) for index in declaration.indices)
        type = written_type(declaration.type, scope)
        initial = self._initial(declaration, type, indices)
        if isinstance(type, UnknownType) or any(isinstance(index, UnknownType) for index in indices):
            return None
        value = None
        if initial is not None and known(initial):
            value = canonical(initial.value) if isinstance(initial.value, OrderedSet) else initial.value
            if fits(initial.type, type) and not type.contains(value):
                self.findings.report(
                    "out-of-range",
                    initial.span,
                    f"the initial value of '{name}' cannot be {format_value(value)}",
                    remark=allowed(type),
                    labels=[Label(declaration.type.span, f"declared as {type}")],
                )
        if (values_of_type(TupleType(indices)) or LARGEST_VARIABLE + 1) > LARGEST_VARIABLE:
            message = f"'{name}' would have more than {LARGEST_VARIABLE} entries"
            self.findings.report("out-of-range", declaration.span, message)
            return None
        visibility = self._visibility(declaration, indices)
        made = model.Variable(
            name,
            indices,
            type,
            initial is not None,
            value,
            visibility,
            name not in self._assigned,
            self.cells,
            declaration.name.span,
            declaration.name.span.to(declaration.type.span),
        )
        self.cells += made.entries
        return made

    def _initial(self, declaration: syntax.Variable, type: Type, indices: tuple[Type, ...]) -> model.Const | None:
        """The value with which all entries begin, whatever their indices."""
        written, scope = declaration.initial, self.scope()
        if written is None:
            return None
        for index, of in zip(declaration.indices, indices, strict=True):
            if index.name is not None:
                scope.bind(index.name, of.base, "index", expendable=True)
        place = f"the initial value of '{declaration.name}'"
        differs = bool(indices) and _lists_several(written, type)
        typed = broken(written.span) if differs else typed_as(written, scope, type, place)
        if differs or free_slots(typed):
            self.findings.report(
                "not-constant",
                written.span,
                f"all entries of '{declaration.name}' begin with the same value",
                help=f"give each its own in 'setup:', as in {declaration.name}[...] := ...",
            )
            return broken(written.span)
        return settled(typed, scope, place)

    def _visibility(self, declaration: syntax.Variable, indices: tuple[Type, ...]) -> model.Audience | model.SeenBy:
        written = declaration.visibility
        if written is None or written.kind == "public":
            return model.Audience.EVERYBODY
        if written.kind == "hidden":
            return model.Audience.NOBODY
        scope = self.scope()
        for index, type in zip(declaration.indices, indices, strict=True):
            if index.name is None:
                scope.frame.new_slot()
            else:
                scope.bind(index.name, type.base, "index", expendable=True)
        if written.kind == "private":
            if not indices or indices[0].base is not self.player_type:
                self.findings.report(
                    "type-mismatch",
                    declaration.name.span,
                    f"'{declaration.name}' is private, but its first index is not a player",
                    help="private means seen by the player that is the first index; otherwise write: seen by ...",
                )
                return model.Audience.NOBODY
            owner = model.Local(0, "owner", type=self.player_type, span=written.span)
            return model.SeenBy(owner, scope.frame.size)
        if written.audience is None:
            raise ValueError("'seen by' without an audience")
        audience = audience_of(written.audience, scope)
        for read in reads(audience):
            if read.variable.visibility is not model.Audience.EVERYBODY:
                self.findings.report(
                    "wrong-kind-of-name",
                    audience.span,
                    f"who sees '{declaration.name}' depends on '{read.variable.name}', which not everybody sees",
                    labels=[Label(read.variable.span, "declared here")],
                    help="'seen by' may use the indices of the variable, and public variables",
                )
        return model.SeenBy(audience, scope.frame.size)

    # ------------------------------------------------------------ defines and actions

    def define(self, declaration: syntax.Define) -> model.Define | None:
        return self.once(self.defines, declaration.name, lambda: self._define(declaration), None)

    def table(self, declaration: syntax.Define) -> NamedTable | None:
        return self.once(self.tables, declaration.name, lambda: named_table(declaration, self.scope()), None)

    def _define(self, declaration: syntax.Define) -> model.Define | None:
        scope = self.scope()
        parameters = formal_parameters(declaration.parameters, scope)
        body = self._body(declaration, scope)
        scope.report_unused()
        name = declaration.name
        extent = self._extent_of_rules(body, name)
        if extent is None:
            return None
        return model.Define(name.text, parameters, body, scope.frame.size, reads_state(body), *extent, name.span)

    def _body(self, declaration: syntax.Define, scope: Scope) -> model.Expr:
        """The body of a define. If it is declared with a type, a value that does not belong to it is an error: of a
        constant now, of any other during play, as for the argument of a function that gives back what it is given."""
        if declaration.type is None:
            return elaborate(declaration.body, scope, None)
        name, span = declaration.name, declaration.body.span
        type = written_type(declaration.type, scope)
        body = typed_as(declaration.body, scope, type, f"'{name}'")
        if not known(body) or isinstance(type, UnknownType) or is_within(body.type, type):
            return body
        if not isinstance(body, model.Const):
            value = model.FormalParameter("value", type, False, declaration.type.span)
            given = model.Local(0, "value", type=type.base, span=span)
            checked = model.Define(name.text, (value,), given, 1, False, *extent_of(given), name.span)
            return model.Call(checked, (body,), type=type.base, span=span)
        if not type.contains(body.value):
            self.findings.report(
                "out-of-range",
                span,
                f"'{name}' cannot be {format_value(body.value)}",
                remark=allowed(type),
                labels=[Label(declaration.type.span, "declared here")],
            )
        return body

    def action(self, declaration: syntax.Action) -> model.Action | None:
        return self.once(self.actions, declaration.name, lambda: self._action(declaration), None)

    def _action(self, declaration: syntax.Action) -> model.Action | None:
        scope = self.scope()
        parameters = formal_parameters(declaration.parameters, scope)
        body = block_of(declaration.body, scope)
        scope.report_unused()
        name = declaration.name
        extent = self._extent_of_rules(body, name)
        if extent is None:
            return None
        return model.Action(name.text, parameters, body, scope.frame.size, *extent, name.span)

    def _extent_of_rules(self, body: object, name: syntax.Name) -> tuple[int, int] | None:
        """The depth of a define or action, to which the recursion limit is raised, and its size; None, reported, if it
        is too deep or too large."""
        depth, size = extent_of(body)
        if depth > DEEPEST_RULES or size > LARGEST_RULES:
            if not self._has_too_deep:  # one report: the users of this one are too deep as well
                is_deep = depth > DEEPEST_RULES
                what = (
                    f"is more than {DEEPEST_RULES:,} parts deep"
                    if is_deep
                    else f"has more than {LARGEST_RULES:,} parts"
                )
                self.findings.report("nested-too-deep", name.span, f"'{name}', with everything that it uses, {what}")
            self._has_too_deep = True
            return None
        make_room(depth)
        return depth, size


def formal_parameters(
    written: tuple[syntax.FormalParameter, ...], scope: Scope, *, of_phase: bool = False
) -> tuple[model.FormalParameter, ...]:
    """The parameters of a callable, in its first slots."""
    made = []
    for parameter in written:
        type = written_type(parameter.type, scope)
        scope.bind(parameter.name, type.base, "parameter", expendable=of_phase, declared=type)
        made.append(model.FormalParameter(parameter.name.text, type, parameter.secret, parameter.name.span))
    return tuple(made)


def audience_of(written: syntax.Expression, scope: Scope) -> model.Expr:
    """A player, a set of players, or none."""
    players = scope.globals.player_type
    typed = elaborate(written, scope, players)
    base = strip_none(typed.type)
    if known(typed) and base is not players and not fits(typed.type, SetType(players)) and not _is_none(typed):
        scope.findings.report(
            "type-mismatch",
            written.span,
            f"an audience is a player, a set of players, or none, but this is {in_words(typed.type)}",
        )
        return broken(written.span)
    return typed


def _is_none(typed: model.Expr) -> bool:
    return isinstance(typed, model.Const) and typed.value is None


# ------------------------------------------------------------------ order of elaboration


def elaborate_in_order(globals: FileGlobals, written: Iterable[syntax.Declaration], met: set[str]) -> None:
    """Elaborate these declarations and those that they use, in topological order; ``met`` collects their names.

    Elaboration on demand would do the same by recursion, as deep as a chain of declarations. Cycles are left to
    :meth:`Globals.once`. Variables are elaborated in the order of the text.
    """
    named = globals.declarations.named
    for first in written:
        waiting = [(first, names_in(first))]
        while waiting:
            declaration, names = waiting[-1]
            name = next((name for name in names if name in named and name not in met), None)
            if name is not None:
                met.add(name)
                waiting.append((named[name], names_in(named[name])))
                continue
            waiting.pop()
            match declaration:
                case syntax.Parameter():
                    globals.parameter(declaration)
                case syntax.TypeDeclaration():
                    globals.named_type(declaration)
                case syntax.Define(is_table=True):
                    globals.table(declaration)
                case syntax.Define():
                    globals.define(declaration)
                case syntax.Action():
                    globals.action(declaration)


def _lists_several(written: syntax.Expression, type: Type) -> bool:
    """Whether a value for each entry is written, in braces or parentheses, and not one value of this type."""
    if isinstance(written, syntax.SetLiteral | syntax.TupleLiteral):
        return len(written.items) > 1 and not isinstance(strip_none(type.base), SetType | TupleType | UnknownType)
    return isinstance(written, syntax.TableLiteral)
