"""Sets, tuples and ranges, with the quantifiers, comprehensions and closures over them."""

from __future__ import annotations

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Fix
from zermelo.interpreter import intervals, model
from zermelo.interpreter.elaboration.atoms import is_ambiguous
from zermelo.interpreter.elaboration.declared_types import declared_element
from zermelo.interpreter.elaboration.expressions import broken, condition, const, elaborate, fold, known, typed_as
from zermelo.interpreter.elaboration.names import depends_on_parameters
from zermelo.interpreter.elaboration.operators import typed_number
from zermelo.interpreter.elaboration.places import help_to_place
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.model.cardinality import most_members
from zermelo.interpreter.model.compatibility import in_words, is_ordered, is_ring, join
from zermelo.interpreter.model.rewriting import walk
from zermelo.interpreter.types import (
    BOOL,
    UNKNOWN,
    BoardType,
    NumberType,
    RecordType,
    SetType,
    TupleType,
    Type,
    UnknownType,
    optional,
    strip_none,
)
from zermelo.interpreter.values import OrderedSet


def domain_of(expression: syntax.Expression, scope: Scope, expected: Type | None = None) -> tuple[model.Expr, Type]:
    """The domain of a binder, and the type of its members."""
    wanted = None if expected is None else SetType(expected)
    domain = elaborate(expression, scope, wanted)
    base = strip_none(domain.type)
    if isinstance(base, SetType):
        always_empty = isinstance(domain, model.Const) and known(domain) and not domain.value
        if always_empty and not depends_on_parameters(expression, scope.globals.declarations):
            scope.findings.report("empty-domain", expression.span, "this set is always empty")
        return domain, base.element
    if known(domain):
        scope.findings.report(
            "type-mismatch",
            expression.span,
            f"'in' needs a set, but this is {in_words(base)}",
            help="a range is written 1..6, a set {a, b}; a type's name is the set of its members",
        )
    return broken(expression.span), UNKNOWN


def typed_binder(binder: syntax.Binder, scope: Scope) -> model.Binder:
    """``x in S``; binds x in ``scope``, which the caller has made for it."""
    domain, element = domain_of(binder.domain, scope)
    slot = scope.bind(binder.name, element, "name", declared=declared_element(domain, element, scope))
    return model.Binder(slot, binder.name.text, domain)


def bind_generators(generators: tuple[syntax.Generator, ...], scope: Scope) -> tuple[tuple[model.Binder, ...], Scope]:
    """The binders of a comprehension, and the scope of its element."""
    binders: list[model.Binder] = []
    for generator in generators:
        domain, element = domain_of(generator.binder.domain, scope)
        scope = scope.inner()
        slot = scope.bind(generator.binder.name, element, "name", declared=declared_element(domain, element, scope))
        stop = None
        if generator.stop_condition is not None:
            stop = condition(generator.stop_condition, scope, f"the condition after '{generator.stop}'")
        tests = tuple(condition(test, scope) for test in generator.tests)
        binders.append(model.Binder(slot, generator.binder.name.text, domain, generator.stop, stop, tests))
    return tuple(binders), scope


@elaborate.register
def _quantified(expression: syntax.Quantified, scope: Scope, expected: Type | None = None) -> model.Expr:
    inner = scope
    binders: list[model.Binder] = []
    for written in expression.binders:
        domain, element = domain_of(written.domain, inner)
        inner = inner.inner()
        slot = inner.bind(written.name, element, "name", declared=declared_element(domain, element, inner))
        binders.append(model.Binder(slot, written.name.text, domain))
    kind, span = expression.quantifier, expression.span
    if kind in ("first", "last") and len(binders) > 1:
        scope.findings.report("type-mismatch", span, f"'{kind}' runs over one set")
    if kind in ("sum", "count"):
        for binder in binders:
            _report_equal_members(binder.domain, scope)
    body = _body(expression, inner)
    type = _quantified_type(expression, binders, body)
    return model.Quantified(kind, tuple(binders), body, type=type, span=span)


def _report_equal_members(domain: model.Expr, scope: Scope) -> None:
    """Warn of a set of values that may be equal, of which a sum or a count sees one."""
    match domain:
        case model.MakeSet(items=members) if len(members) > 1:
            of = [{part for part in walk(each) if isinstance(part, model.Local | model.Read)} for each in members]
            is_clear = all(_is_linear(each, model.Read) for each in members) and all(part == of[0] for part in of)
        case model.Comprehension(element=element) if not domain.is_part:
            members, is_clear = (element,), _is_linear(element, model.Local)
        case _:
            return
    held = [each for each in members if isinstance(each, model.Read) or isinstance(strip_none(each.type), NumberType)]
    if held and not is_clear:
        scope.findings.report(
            "equal-members",
            domain.span,
            "a set has equal members only once, so that they count once here",
            remark="members may be equal",
            help="run over what tells them apart, as in: sum i in 1..2: die[i]; or add them up with '+'",
        )


def _is_linear(value: model.Expr, known: type[model.Expr]) -> bool:
    """Whether a value is calculated from names, constants and what is ``known`` so that others have other results."""
    return all(
        isinstance(part, (model.Local, model.Const, model.Negate, known))
        or (isinstance(part, model.Arithmetic) and part.operator in ("+", "-", "*"))
        for part in walk(value)
    )


def _body(expression: syntax.Quantified, scope: Scope) -> model.Expr:
    match expression.quantifier:
        case "sum":
            return typed_number(expression.body, scope, "each term of 'sum'")
        case "min" | "max" as kind:
            body = elaborate(expression.body, scope, None)
            if not is_ordered(body.type):
                scope.findings.report(
                    "type-mismatch",
                    expression.body.span,
                    f"'{kind}' compares, but {in_words(strip_none(body.type))} has no order",
                )
            return body
        case kind:
            return condition(expression.body, scope, f"the condition after '{kind}'")


def _quantified_type(expression: syntax.Quantified, binders: list[model.Binder], body: model.Expr) -> Type:
    most = _most_bindings(binders)
    match expression.quantifier:
        case "some" | "all" | "no":
            return BOOL
        case "count":
            return NumberType(0, most, 1)
        case "sum":
            base = strip_none(body.type)
            return intervals.total(base, most) if isinstance(base, NumberType) else UNKNOWN
        case "min" | "max":
            return optional(body.type)
        case _:
            element = strip_none(binders[0].domain.type)
            return optional(element.element) if isinstance(element, SetType) else UNKNOWN


def _most_bindings(binders: list[model.Binder]) -> int | None:
    """The most bindings, if the types bound them."""
    most = 1
    for binder in binders:
        length = most_members(binder.domain)
        if length is None:
            return None
        most *= length
    return most


@elaborate.register
def _comprehension(expression: syntax.Comprehension, scope: Scope, expected: Type | None = None) -> model.Expr:
    binders, inner = bind_generators(expression.generators, scope)
    if expression.element is None:
        binder = expression.generators[0].binder
        element: model.Expr = elaborate(syntax.Reference(binder.name.text, span=binder.name.span), inner, None)
    else:
        base = strip_none(expected.base) if expected is not None else None
        element = elaborate(expression.element, inner, base.element if isinstance(base, SetType) else None)
    type = SetType(strip_none(element.type)) if known(element) else UNKNOWN
    return model.Comprehension(element, binders, type=type, span=expression.span)


@elaborate.register
def _set(expression: syntax.SetLiteral, scope: Scope, expected: Type | None = None) -> model.Expr:
    if _is_unbound_membership(expression, scope):
        scope.findings.report(
            "undefined-name",
            expression.span,
            "this set has no condition on its members",
            help="for all members write the set after 'in' alone; for some: {n in 1..9 if ...}",
        )
        return broken(expression.span)
    base = strip_none(expected.base) if expected is not None else None
    wanted = base.element if isinstance(base, SetType) else None
    if wanted is None or isinstance(wanted, UnknownType):
        wanted = _type_of_clear_item(expression.items, scope)
    items = tuple(elaborate(item, scope, wanted) for item in expression.items)
    type: Type = UNKNOWN
    for item in items:
        joined = join(type, strip_none(item.type))
        if joined is None:
            scope.findings.report(
                "type-mismatch",
                item.span,
                f"the set holds {in_words(type)} elsewhere, but {in_words(item.type)} here",
                help=help_to_place(item, type, scope),
            )
            return broken(expression.span)
        type = joined
    if items and not all(map(known, items)):
        return broken(expression.span)
    if not items and wanted is not None:
        type = wanted
    return fold(model.MakeSet(items, type=SetType(type), span=expression.span), scope)


def _is_unbound_membership(expression: syntax.SetLiteral, scope: Scope) -> bool:
    """Whether the set is written ``{n in S}``, with an undeclared n."""
    match expression.items:
        case (syntax.Membership(item=syntax.Reference(name=name), negated=False),):
            declared = scope.find(name) is not None or name in scope.globals.declarations.named
            return not declared and not scope.globals.members_named(name)
        case _:
            return False


def _type_of_clear_item(items: tuple[syntax.Expression, ...], scope: Scope) -> Type | None:
    """The type of the first item that needs no expected type, if others do."""
    if any(is_ambiguous(item, scope) for item in items):
        for item in items:
            if not is_ambiguous(item, scope):
                return elaborate(item, scope, None).type
    return None


@elaborate.register
def _tuple(expression: syntax.TupleLiteral, scope: Scope, expected: Type | None = None) -> model.Expr:
    """A record if one is expected, else a tuple."""
    base = strip_none(expected.base) if expected is not None else None
    if isinstance(base, TupleType) and len(base.items) == len(expression.items):
        items = tuple(
            typed_as(
                item, scope, type, f"'{base.fields[k]}' of this {base}" if isinstance(base, RecordType) else "this"
            )
            for k, (item, type) in enumerate(zip(expression.items, base.items, strict=True))
        )
    else:
        items = tuple(elaborate(item, scope, None) for item in expression.items)
    if not all(map(known, items)):
        return broken(expression.span)
    types = tuple(item.type for item in items)
    type: Type = TupleType(types)
    if isinstance(base, RecordType) and len(base.items) == len(types):
        type = RecordType(types, base.name, base.fields)
    return fold(model.MakeTuple(items, type=type, span=expression.span), scope)


@elaborate.register
def _range(expression: syntax.Range, scope: Scope, expected: Type | None = None) -> model.Expr:
    low = typed_number(expression.low, scope, "the beginning of a range")
    high = typed_number(expression.high, scope, "the end of a range")
    a, b = strip_none(low.type), strip_none(high.type)
    if not isinstance(a, NumberType) or not isinstance(b, NumberType):
        return broken(expression.span)
    wanted = strip_none(expected.base) if expected is not None else None
    if isinstance(wanted, SetType) and isinstance(wanted.element, BoardType) and is_ring(wanted.element):
        places = [wanted.element.by_name.get(str(end.value)) for end in (low, high) if isinstance(end, model.Const)]
        if len(places) == 2 and places[0] is not None and places[1] is not None:
            among = wanted.element.listed[places[0].index : places[1].index + 1]
            return const(OrderedSet(among), wanted, expression.span)
    element = intervals.counted(a, b)
    return fold(model.RangeSet(low, high, type=SetType(element), span=expression.span), scope)


@elaborate.register
def _reach(expression: syntax.Reach, scope: Scope, expected: Type | None = None) -> model.Expr:
    start, element = domain_of(expression.start, scope)
    inner = scope.inner()
    slot = inner.bind(expression.name, element, "name")
    step = typed_as(expression.step, inner, SetType(element), "the step of 'reach'")
    type = SetType(element) if known(start) else UNKNOWN
    return model.Reach(slot, start, step, type=type, span=expression.span)


@elaborate.register
def _table(expression: syntax.TableLiteral, scope: Scope, expected: Type | None = None) -> model.Expr:
    if _report_record(expression, scope, expected):
        return broken(expression.span)
    scope.findings.report(
        "type-mismatch",
        expression.span,
        "a table needs a key",
        help="write the key after it, as in {boat: 1, cruiser: 3}[s]",
    )
    return broken(expression.span)


def _report_record(expression: syntax.TableLiteral, scope: Scope, expected: Type | None) -> bool:
    """Report ``{rank: 1, suit: red}``; False if the keys are not the fields of the expected record, or of any."""
    values = {str(key.name): value for key, value in expression.entries if isinstance(key, syntax.Reference)}
    wanted = [] if expected is None else [strip_none(expected.base)]
    for type in (*wanted, *map(strip_none, scope.globals.types.values())):
        if isinstance(type, RecordType) and len(values) == len(expression.entries) and values.keys() <= {*type.fields}:
            written = [
                scope.findings.source.excerpt(values[name].span) if name in values else name for name in type.fields
            ]
            text = f"({', '.join(written)})"
            fix = Fix(expression.span, text, f"write {text}") if len(values) == len(type.fields) else None
            message = f"{in_words(type)} is written by its values in parentheses, in the order of its fields"
            scope.findings.report("type-mismatch", expression.span, message, help=f"write {text}", fix=fix)
            return True
    return False
