"""Elaboration of each kind of declaration, on first use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from attrs import define, field

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, Fix, Label, Span, nearest
from zermelo.grammar.engine import DEEPEST_TREE
from zermelo.grammar.names import compact
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.expressions import (
    broken_expression,
    elaborate,
    elaborate_as,
    elaborate_condition,
    elaborate_constant,
    elaborate_type,
    is_known,
    require_constant,
)
from zermelo.interpreter.elaboration.names import (
    DeclaredNames,
    Globals,
    NamedTable,
    kind_with_article,
    names_in,
    report_doubles,
    report_undefined,
)
from zermelo.interpreter.elaboration.operators import elaborate_number
from zermelo.interpreter.elaboration.scope import Scope, SlotCounter
from zermelo.interpreter.elaboration.statements import block_of, elaborate_table
from zermelo.interpreter.model.cardinality import fits, in_words, type_in_words, values_of_type, weighted_sum
from zermelo.interpreter.model.rewriting import (
    DEEPEST_RULES,
    LARGEST_RULES,
    extent_of,
    free_slots,
    make_room,
    reads,
    reads_state,
)
from zermelo.interpreter.storage import is_within
from zermelo.interpreter.types import (
    INTEGER,
    NUMBER,
    UNKNOWN,
    BoolType,
    MemberType,
    NumberType,
    OptionalType,
    PartType,
    SetType,
    TupleType,
    Type,
    UnknownType,
    strip_none,
)
from zermelo.interpreter.values import (
    MOST_DIGITS,
    Member,
    OrderedSet,
    Value,
    display_value,
    format_value,
    has_few_digits,
    in_type_order,
    read_number,
    sort_key,
)

# Values of parameters, as a user gives them.


_TOO_LONG: Final = f"a number with more than {MOST_DIGITS:,} digits"

_SHOWN: Final = 60
"""How many characters of a text that is no value are shown."""


def parameter_value(given: Any, type: Type) -> Value:
    """A parameter's value from the text of a user (``4``, ``1/3``, ``true``, a member's name), or from a value.

    Text that is no value of the type is returned as it is, for the caller's message.
    """
    base = strip_none(type.base)
    if isinstance(given, int | Fraction) and not has_few_digits(given):
        return _TOO_LONG
    if isinstance(given, int | Fraction) and isinstance(given, bool) == isinstance(base, BoolType):
        return given
    text = str(given).strip()
    if isinstance(base, NumberType):
        try:
            return read_number(text)
        except ValueError:
            return text
    values = sorted(type.generate(), key=sort_key)
    by_text = {compact(write(value)): value for write in (display_value, format_value) for value in values}
    return by_text.get(compact(text), text)


def quote_value(value: Value) -> str:
    """A given value in a message; text that is no value is quoted."""
    if not isinstance(value, str):
        return format_value(value)
    if value == _TOO_LONG:
        return value
    return f"'{value}'" if len(value) <= _SHOWN else f"'{value[:_SHOWN]}...'"


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
        type = elaborate_type(declaration.domain, scope)
        default = elaborate_constant(declaration.default, scope, type, f"the value of '{name}'")
        if isinstance(type, UnknownType) or not is_known(default):
            return UNKNOWN, None
        value = default.value
        if name in self.overrides:
            value = parameter_value(self.overrides[name], type)
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
            f"the parameter '{name}' cannot be {quote_value(value)}",
            remark=type_in_words(type),
            help="choose a value that the file allows, or widen the range",
        )

    # ----------------------------------------------------------------------- types

    def named_type(self, declaration: syntax.TypeDeclaration) -> Type:
        name = declaration.name
        return self.once(self.types, name, lambda: self._named_type(declaration), UNKNOWN)

    def _named_type(self, declaration: syntax.TypeDeclaration) -> Type:
        name = declaration.name
        made = elaborate_type(declaration.definition, self.scope(), name.text)
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
        indices = tuple(elaborate_type(index.type, scope) for index in declaration.indices)
        type = elaborate_type(declaration.type, scope)
        initial = self._initial(declaration, type, indices)
        if isinstance(type, UnknownType) or any(isinstance(index, UnknownType) for index in indices):
            return None
        value = None
        if initial is not None and is_known(initial):
            value = in_type_order(initial.value) if isinstance(initial.value, OrderedSet) else initial.value
            if fits(initial.type, type) and not type.contains(value):
                self.findings.report(
                    "out-of-range",
                    initial.span,
                    f"the initial value of '{name}' cannot be {format_value(value)}",
                    remark=type_in_words(type),
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
        typed = broken_expression(written.span) if differs else elaborate_as(written, scope, type, place)
        if differs or free_slots(typed):
            self.findings.report(
                "not-constant",
                written.span,
                f"all entries of '{declaration.name}' begin with the same value",
                help=f"give each its own in 'setup:', as in {declaration.name}[...] := ...",
            )
            return broken_expression(written.span)
        return require_constant(typed, scope, place)

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
        if self._means_unnamed_index(declaration, written.audience, indices):
            return model.Audience.NOBODY
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

    def _means_unnamed_index(
        self, declaration: syntax.Variable, audience: syntax.Expression, indices: tuple[Type, ...]
    ) -> bool:
        """Whether the audience is the first index, a player without a name, as in ``hand[Player]: Card seen by p``;
        that is reported."""
        if not isinstance(audience, syntax.Reference) or not indices or indices[0] is not self.player_type:
            return False
        index, name = declaration.indices[0], audience.name
        named = [*self.value_names(), *(each.name.text for each in declaration.indices if each.name is not None)]
        if index.name is not None or name in named or nearest(name, named) is not None:
            return False
        help = f"write {declaration.name}[{name}: Player]"
        fix = Fix(index.span.beginning(0), f"{name}: ", help)
        message = f"the index of '{declaration.name}' has no name '{name}'"
        self.findings.report("undefined-name", audience.span, message, help=help, fix=fix)
        return True

    # ------------------------------------------------------------ defines and actions

    def define(self, declaration: syntax.Define) -> model.Define | None:
        return self.once(self.defines, declaration.name, lambda: self._define(declaration), None)

    def table(self, declaration: syntax.Define) -> NamedTable | None:
        return self.once(self.tables, declaration.name, lambda: elaborate_table(declaration, self.scope()), None)

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
        """The body of a define. If a type is declared, a value outside of it is an error: for a constant now, for any
        other value during play, when it becomes the argument of a define that has this type and returns it."""
        if declaration.type is None:
            return elaborate(declaration.body, scope, None)
        name, span = declaration.name, declaration.body.span
        type = elaborate_type(declaration.type, scope)
        body = elaborate_as(declaration.body, scope, type, f"'{name}'")
        if not is_known(body) or isinstance(type, UnknownType) or is_within(body.type, type):
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
                remark=type_in_words(type),
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
        type = elaborate_type(parameter.type, scope)
        scope.bind(parameter.name, type.base, "parameter", expendable=of_phase, declared=type)
        made.append(model.FormalParameter(parameter.name.text, type, parameter.secret, parameter.name.span))
    return tuple(made)


def audience_of(written: syntax.Expression, scope: Scope) -> model.Expr:
    """A player, a set of players, or none."""
    players = scope.globals.player_type
    typed = elaborate(written, scope, players)
    base = strip_none(typed.type)
    if is_known(typed) and base is not players and not fits(typed.type, SetType(players)) and not _is_none(typed):
        scope.findings.report(
            "type-mismatch",
            written.span,
            f"an audience is a player, a set of players, or none, but this is {in_words(typed.type)}",
        )
        return broken_expression(written.span)
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


# The variables that rules assign.


def assigned_names(declarations: DeclaredNames) -> frozenset[str]:
    """The variables that rules other than ``setup`` assign; only these are part of a position."""
    names: set[str] = set()
    for item in declarations.tree.declarations:
        if not isinstance(item, syntax.Setup):
            names.update(_targets(item))
    return frozenset(names)


def _targets(node: Any) -> Iterator[str]:
    """The names of all assigned variables in a piece of syntax."""
    if isinstance(node, syntax.Assignment):
        target: Any = node.target
        while isinstance(target, syntax.Index | syntax.Field):
            target = target.target
        if isinstance(target, syntax.Reference):
            yield target.name
    elif isinstance(node, syntax.LayoutAssignment):
        yield node.target.text
    elif isinstance(node, syntax.Expression | syntax.TypeExpression):
        return
    elif isinstance(node, syntax.Node):
        for part in syntax.parts_of(node):
            yield from _targets(part)
    elif isinstance(node, tuple):
        for item in node:
            yield from _targets(item)


# The players of a file, on whom all other declarations may depend.


def file_globals(declarations: DeclaredNames, findings: Findings, overrides: Mapping[str, Any]) -> FileGlobals:
    """The names of a file under given parameters, with the players made."""
    globals = FileGlobals(declarations, findings, overrides, assigned=assigned_names(declarations))
    _declare_players(declarations, globals)
    return globals


def _declare_players(declarations: DeclaredNames, globals: FileGlobals) -> None:
    """Make the type Player, on which all other declarations may depend."""
    written = declarations.players
    names: list[str] = []
    written_names: list[syntax.Name] = []
    match written:
        case syntax.Players():
            named = [(name.text, name.span) for name in written.names]
            report_doubles(named, globals.findings, "'{}' plays twice", first="first named here")
            once: dict[str, syntax.Name] = {}
            for name in written.names:
                once.setdefault(name.text, name)
            names, written_names = list(once), list(once.values())
        case syntax.PlayerCount():
            names = [f"P{k}" for k in range(1, _player_count(written, globals) + 1)]
        case None:
            names = ["nobody"]
    globals.player_type = MemberType("Player", tuple(Member("Player", name, k) for k, name in enumerate(names)))
    globals.add_type(globals.player_type)
    globals.place_parts(globals.player_type, written_names)


def _player_count(written: syntax.PlayerCount, globals: FileGlobals) -> int:
    """The number of players that the user or the file sets; ``players`` is the name of this parameter."""
    scope = globals.scope()
    numbers = [
        elaborate_constant(part, scope, INTEGER, "the number of players")
        for part in (written.low, written.high, written.default)
    ]
    if not all(map(is_known, numbers)):
        return 1
    low, high, default = (number.value for number in numbers)
    type = NumberType(low, high, 1)
    value = parameter_value(globals.overrides["players"], type) if "players" in globals.overrides else default
    if low < 1 or isinstance(value, str) or not type.contains(value):
        globals.report_outside("players", value, type, written, numbers[2].span)
        return 1
    globals.parameters["players"] = (type, value)
    return int(value)


# Hints for search: the estimate of a position, unsettled positions, and the order of moves.


def estimate_of(globals: FileGlobals) -> model.Estimate | None:
    weights = _weights(globals)
    for written in globals.declarations.every(syntax.Estimate):
        scope = globals.scope()
        if isinstance(written.value, syntax.WeightedSum):
            features = _weighted_features(weights, written.value.span, globals)
            slot = scope.bind(written.player, globals.player_type, "player", expendable=True)
            player = model.Local(slot, written.player.text, type=globals.player_type, span=written.player.span)
            value = weighted_sum(features, player, written.value.span)
            return model.Estimate(value, scope.frame.size, features)
        scope.bind(written.player, globals.player_type, "player", expendable=True)
        value = elaborate_number(written.value, scope, "an estimate")
        _report_idle(weights, globals)
        return model.Estimate(value, scope.frame.size, ())
    _report_idle(weights, globals)
    return None


def _weights(globals: FileGlobals) -> dict[str, tuple[syntax.Weight, Fraction | int]]:
    """The weights by their features. A wrong one is reported, and counts as 1."""
    features = {feature.name.text for feature in globals.declarations.every(syntax.Feature)}
    found: dict[str, tuple[syntax.Weight, Fraction | int]] = {}
    for written in globals.declarations.every(syntax.Weight):
        name = written.feature
        declared = globals.declarations.named.get(name.text)
        amount = elaborate_constant(written.value, globals.scope(), NUMBER, f"the weight of '{name}'")
        if name.text in found:
            globals.findings.report(
                "duplicate-name",
                name.span,
                f"'{name}' has two weights",
                remark="the second weight",
                labels=[Label(found[name.text][0].span, "the first one")],
                help="keep one of them",
            )
        elif declared is None:
            report_undefined(name.text, name.span, "feature", features, globals.findings)
        elif not isinstance(declared, syntax.Feature):
            globals.findings.report(
                "wrong-kind-of-name",
                name.span,
                f"'{name}' is {kind_with_article(declared)}, but only features have weights",
                labels=[Label(declared.name.span, "declared here")],
            )
        else:
            globals.refer(name.span, declared.name.span)
            found[name.text] = written, amount.value if is_known(amount) else 1
    return found


def _weighted_features(
    weights: dict[str, tuple[syntax.Weight, Fraction | int]], sum: Span, globals: FileGlobals
) -> tuple[model.Feature, ...]:
    """The terms of a weighted sum: every feature of the file, in the order of the text."""
    made = []
    written = globals.declarations.every(syntax.Feature)
    if not written:
        globals.findings.report(
            "missing-declaration",
            sum,
            "there is nothing to sum: the file has no feature",
            help="declare one, as in: feature lead(p) = score[p] - score[other p]",
        )
    for feature in written:
        name = feature.name.text
        globals.used.add(name)
        define = globals.define(feature)
        if name not in weights:
            globals.findings.report(
                "missing-weight",
                feature.name.span,
                f"the feature '{name}' has no weight",
                help=f"add: weight {name} = 1",
            )
        elif define is not None and is_known(define.body):
            if isinstance(define.body.type, NumberType):
                made.append(model.Feature(define.body, define.frame_size, define, weights[name][1]))
            else:
                message = f"a feature must be a number, but this is {in_words(define.body.type)}"
                globals.findings.report("type-mismatch", define.body.span, message)
    return tuple(made)


def _report_idle(weights: dict[str, tuple[syntax.Weight, Fraction | int]], globals: FileGlobals) -> None:
    """Report weights without a weighted sum."""
    for name, (written, _) in weights.items():
        globals.findings.report(
            "unused-name",
            written.span,
            f"the weight of '{name}' is never used",
            help="remove it, or add: estimate for p: weighted sum",
        )


def elaborate_unsettled(globals: FileGlobals) -> model.Loose | None:
    for written in globals.declarations.every(syntax.Unsettled):
        scope = globals.scope()
        return model.Loose(elaborate_condition(written.condition, scope), scope.frame.size)
    return None


def order_of(globals: FileGlobals) -> model.Loose | None:
    for written in globals.declarations.every(syntax.OrderMoves):
        scope = globals.scope()
        return model.Loose(elaborate_number(written.key, scope, "the key of 'order moves by'"), scope.frame.size)
    return None
