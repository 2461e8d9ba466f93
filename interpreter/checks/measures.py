"""What is known where an expression is evaluated; and measures: variables that change monotonically, with the
assignments that are sure to change them.

The kinds of measures are defined in :mod:`zermelo.interpreter.checks.termination`.

Why a measure is monotone. *Fills up*: every assignment stores a value that is surely not none, or sets a field of an
existing record; *turns true* or *false*: every assignment stores that constant; *grows* and *shrinks*: every assignment
adds to the present set, or takes away from it; *rises* and *falls*: every assignment adds to the present number an
amount whose type has the right sign. A variable with any other assignment is no measure. Numbers do not wrap: a value
outside the type is an error.

Why a step uses a measure up. A number changes if the amount added is never 0. The other kinds change if a guard shows
that the assignment will change the entry: the entry is empty, or the member to be removed is in it, or the one to be
added is not (and is not none, which is never in it). Earlier changes in the same step have the same direction.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Final, Generic, TypeVar

from attrs import frozen

from zermelo.foundation.records import ByValue
from zermelo.interpreter import model
from zermelo.interpreter.functions import FUNCTIONS
from zermelo.interpreter.model.cardinality import is_never_empty, member_type
from zermelo.interpreter.model.rewriting import Whole, operands, reads, slots, statements, substitute, unfold, walk
from zermelo.interpreter.types import BOOL, BoolType, NoneType, NumberType, OptionalType, Type, UnknownType
from zermelo.interpreter.values import format_value

# The parts of expressions, statements and rules, each with what is known where it is evaluated.


Knowledge = TypeVar("Knowledge")

Place = tuple[model.Expr, str | None, Knowledge]
"""An expression, the reason why it must not be none (None without one), and what is known where it is evaluated."""

CONDITION: Final = "a condition is true or false"
SET: Final = "'in' needs a set"


class Contexts(ABC, Generic[Knowledge]):
    """What conditions and names let a check know, in the scope of each."""

    @abstractmethod
    def narrow(self, test: model.Expr, holds: bool, known: Knowledge) -> Knowledge:
        """What is known if a condition holds, or if it fails."""

    @abstractmethod
    def bind(self, name: model.Local, domain: model.Expr, known: Knowledge) -> Knowledge:
        """What is known where a name runs over a set."""

    @abstractmethod
    def let(self, name: model.Local, value: model.Expr, known: Knowledge) -> Knowledge:
        """What is known where a name stands for a value."""

    def parts(self, whole: Whole, known: Knowledge) -> Iterator[Place[Knowledge]]:
        """The parts of an expression or statement, without those of statements inside it."""
        match whole:
            case model.And(parts=parts) | model.Or(parts=parts):
                for part in parts:
                    yield part, CONDITION, known
                    known = self.narrow(part, isinstance(whole, model.And), known)
            case model.Not(operand=operand):
                yield operand, CONDITION, known
            case model.If(condition=test, yes=yes, no=no):
                yield test, CONDITION, known
                yield yes, None, self.narrow(test, True, known)
                yield no, None, self.narrow(test, False, known)
            case model.Let(slot=slot, value=value, body=body):
                yield value, None, known
                yield body, None, self.let(model.Local(slot, "", type=value.type, span=value.span), value, known)
            case model.Reach(slot=slot, start=start, step=step):
                name = model.Local(slot, "", type=member_type(whole), span=start.span)
                yield start, "'reach' needs a set", known
                yield step, "'reach' needs a set", self.let(name, whole, known)
            case model.Quantified(quantifier=kind, binders=binders, body=body):
                places, known = self.binders(binders, known)
                yield from places
                yield body, f"'{kind}' needs a number" if kind in ("sum", "min", "max") else CONDITION, known
            case model.Comprehension(element=element, binders=binders):
                places, known = self.binders(binders, known)
                yield from places
                yield element, None, known
            case model.Compare(operator="<" | "<=" | ">" | ">=" as sign, left=left, right=right):
                yield left, f"'{sign}' compares values", known
                yield right, f"'{sign}' compares values", known
            case model.Apply(function=function, arguments=arguments):
                built_in = FUNCTIONS[function]
                why = f"'{built_in.spoken or function}' needs a value"
                yield from ((part, why if built_in.needs_value(k) else None, known) for k, part in enumerate(arguments))
            case model.End(outcome=model.PayoffForOutcome(player, amount, binders, largest_wins)):
                places, known = self.binders(binders, known)
                why = "'by' compares numbers" if largest_wins else "a payoff is a number"
                yield from (*places, (player, None, known), (amount, why, known))
            case model.End(outcome=model.PayoffOutcome(entries=entries, largest_wins=largest_wins)):
                why = "'by' compares numbers" if largest_wins else "a payoff is a number"
                for player, amount in entries:
                    yield from ((player, None, known), (amount, why, known))
            case _:
                yield from ((part, why, known) for part, why in operands(whole))

    def binders(self, binders: tuple[model.Binder, ...], known: Knowledge) -> tuple[list[Place[Knowledge]], Knowledge]:
        """The expressions of binders, and what is known behind them."""
        places: list[Place[Knowledge]] = []
        for binder in binders:
            places.append((binder.domain, SET, known))
            name = model.Local(binder.slot, binder.name, type=member_type(binder.domain), span=binder.domain.span)
            known = self.bind(name, binder.domain, known)
            if binder.stop_condition is not None:
                places.append((binder.stop_condition, CONDITION, known))
                if binder.stop == "while":
                    known = self.narrow(binder.stop_condition, True, known)
            for test in binder.tests:
                places.append((test, CONDITION, known))
                known = self.narrow(test, True, known)
        return places, known

    def guards(self, rule: model.Rule, known: Knowledge) -> tuple[list[Place[Knowledge]], Knowledge]:
        """The domains and the parts of the guard of a rule, and what is known of its moves."""
        places: list[Place[Knowledge]] = []
        for parameter, tests in zip((None, *rule.parameters), rule.guards, strict=True):
            if parameter is not None:
                places.append((parameter.domain, SET, known))
                name = model.Local(parameter.slot, parameter.name, type=parameter.type, span=parameter.span)
                if parameter.is_optional:
                    known = self.let(name, name, known)
                else:
                    known = self.bind(name, parameter.domain, known)
            for test in tests:
                places.append((test, CONDITION, known))
                known = self.narrow(test, True, known)
        return places, known


# Facts about expressions that are not none, and their consequences.
#
# A fact is an expression that is not none, or a condition that holds. Slots are unique in a callable, so equal
# expressions have equal values until something that they read is assigned, or a slot is bound anew
# (:func:`facts_without`).


@frozen(eq=False, repr=False)
class Provided(ByValue):
    """Facts that hold if ``name``, the result of ``first`` or ``last``, is not none."""

    name: model.Local
    then: frozenset[model.Expr]


@frozen(eq=False, repr=False)
class Holds(ByValue):
    """A condition that holds."""

    condition: model.Expr


KnownValues = frozenset[model.Expr | Provided | Holds]
NOTHING: KnownValues = frozenset()

STRICT = frozenset(
    {"x", "y", "number", "other", "next", "steps", "ring_step", "direction_sum", "direction_scale", "direction_negate"}
)
"""The functions that are none only if an argument is none."""


def may_be_none(expr: model.Expr, facts: KnownValues) -> bool:
    """Whether an expression can be none under the facts."""
    if isinstance(expr.type, UnknownType) or expr in facts:
        return False
    if any(isinstance(fact, Provided) and fact.name in facts and expr in fact.then for fact in facts):
        return False
    match expr:
        case model.GetField(record=record):
            return may_be_none(record, facts) or _is_optional_field(expr)
        case model.Read(variable=variable, indices=indices):
            return isinstance(variable.type, OptionalType) or any(may_be_none(index, facts) for index in indices)
        case model.If(condition=test, yes=yes, no=no):
            return may_be_none(yes, facts | implied_facts(test, True)) or may_be_none(
                no, facts | implied_facts(test, False)
            )
        case model.Let(slot=slot, value=value, body=body):
            local = model.Local(slot, "", type=value.type, span=value.span)
            return may_be_none(body, facts_after_let(local, value, facts))
        case model.Call() if isinstance(expr.type, OptionalType):
            return may_be_none(unfold(expr), facts)
        case model.Apply(function=function, arguments=arguments) if function in STRICT:
            return any(may_be_none(argument, facts) for argument in arguments)
        case model.Lookup(table=table, key=key, is_whole=is_whole):
            parts = key.items if isinstance(key, model.MakeTuple) else (key,)
            return not is_whole or any(may_be_none(part, facts) for part in parts) or None in table.values()
        case model.Quantified(quantifier="min" | "max", binders=binders, body=body):
            may_be_empty = (b.tests or b.stop is not None or not _never_empty(b.domain, facts) for b in binders)
            return may_be_none(body, facts) or any(may_be_empty)
        case model.Apply(function="greatest" | "least", arguments=(collection,)):
            return not _never_empty(collection, facts)
        case _:
            return isinstance(expr.type, OptionalType | NoneType)


def _is_optional_field(expr: model.GetField) -> bool:
    record = expr.record.type
    inner = record.inner if isinstance(record, OptionalType) else record
    items = getattr(inner, "items", ())
    return expr.index < len(items) and isinstance(items[expr.index], OptionalType)


def _never_empty(collection: model.Expr, facts: KnownValues) -> bool:
    return is_never_empty(collection, lambda item: may_be_none(item, facts))


def facts_after_let(local: model.Local, value: model.Expr, facts: KnownValues) -> KnownValues:
    kept = facts_without(local, facts)
    if not may_be_none(value, facts):
        return kept | {local}
    match value:
        case model.Quantified(quantifier="first" | "last", binders=(binder,), body=body):
            found = facts_from_membership(local, binder.domain) | implied_facts(
                substitute(body, {binder.slot: local}), True
            )
            return kept | {Provided(local, frozenset(fact for fact in found if isinstance(fact, model.Expr)))}
        case model.Call():
            return kept | facts_after_let(local, unfold(value), NOTHING)
        case _:
            return kept


def facts_without(part: model.Expr, facts: KnownValues) -> KnownValues:
    """The facts without those that contain ``part``, whose value changes."""
    return _filter_facts(facts, lambda fact: part not in walk(fact))


def facts_without_entries(variable: model.Variable, facts: KnownValues) -> KnownValues:
    """The facts without those that read an entry of the variable."""
    return _filter_facts(facts, lambda fact: all(read.variable is not variable for read in reads(fact)))


def _filter_facts(facts: KnownValues, still_holds: Callable[[model.Expr], bool]) -> KnownValues:
    kept: set[model.Expr | Provided | Holds] = set()
    for fact in facts:
        if isinstance(fact, Provided):
            if still_holds(fact.name):
                kept.add(Provided(fact.name, frozenset(filter(still_holds, fact.then))))
        elif still_holds(fact.condition if isinstance(fact, Holds) else fact):
            kept.add(fact)
    return frozenset(kept)


def implied_facts(test: model.Expr, holds: bool) -> KnownValues:
    """The facts that follow if ``test`` holds, or if it fails."""
    match test:
        case model.IsNone(operand=operand):
            return NOTHING if holds else facts_if_not_none(operand)
        case model.Not(operand=operand):
            return implied_facts(operand, not holds)
        case model.And(parts=parts) if holds:
            return frozenset().union(*(implied_facts(part, True) for part in parts))
        case model.Or(parts=parts) if not holds:
            return frozenset().union(*(implied_facts(part, False) for part in parts))
        case model.And(parts=parts) | model.Or(parts=parts):
            common = implied_facts(parts[0], holds)
            for part in parts[1:]:
                common &= implied_facts(part, holds)
            return common
        case model.Compare(operator="==" | "!=" as sign, left=left, right=right) if holds == (sign == "=="):
            known = NOTHING
            if not may_be_none(right, NOTHING):
                known |= facts_if_not_none(left)
            if not may_be_none(left, NOTHING):
                known |= facts_if_not_none(right)
            return known
        case model.Compare(operator="<" | "<=" | ">" | ">=", left=left, right=right):
            return facts_if_not_none(left) | facts_if_not_none(right)
        case model.Contains(item=item, collection=collection) if holds:
            return facts_from_membership(item, collection)
        case model.Call():
            types = tuple(part.type for argument in test.arguments for part in walk(argument))
            return _facts_implied_by_call(test, types, holds)
        case _:
            return NOTHING


@lru_cache(maxsize=1 << 12)
def _facts_implied_by_call(call: model.Call, types: tuple[Type, ...], holds: bool) -> KnownValues:
    """The facts that follow from a call, cached so that each define of a chain is unfolded once. The ``types`` of all
    parts of its arguments belong to the key, since equality of expressions ignores types."""
    return implied_facts(unfold(call), holds)


def facts_if_not_none(expr: model.Expr) -> KnownValues:
    """The facts that follow if ``expr`` is not none: the expression itself, and its parts that cannot be none then."""
    match expr:
        case model.GetField(record=record):
            return frozenset({expr}) | facts_if_not_none(record)
        case model.Read(indices=indices):
            return frozenset({expr}).union(*map(facts_if_not_none, indices))
        case model.Apply(function=function, arguments=arguments) if function in STRICT or function == "step":
            return frozenset({expr}).union(*map(facts_if_not_none, arguments))
        case model.Call():
            return frozenset({expr}) | facts_if_not_none(unfold(expr))
        case _:
            return frozenset({expr})


def facts_from_membership(item: model.Expr, collection: model.Expr) -> KnownValues:
    """The facts that follow from membership."""
    match collection:
        case model.Call():
            return facts_from_membership(item, unfold(collection))
        case model.If(_, one, other) | model.SetOperation("+", one, other):
            return facts_from_membership(item, one) & facts_from_membership(item, other)
        case model.SetOperation("*", one, other):
            return facts_from_membership(item, one) | facts_from_membership(item, other)
        case model.SetOperation("-", left):
            return facts_from_membership(item, left)
    following = _consequences_of_membership(item, collection)
    return facts_if_not_none(item).union(*(implied_facts(each, True) for each in following))


Measures = dict[model.Variable, str]
"""Monotone variables, with their direction in words: fills up, turns true, rises, falls, grows, shrinks, ..."""

EMPTIES: Final = "empties"
MOVES_ON: Final = "moves on"
"""The directions of variables whose values are only taken away, or move on
(:mod:`zermelo.interpreter.checks.termination`)."""

Extreme = Fraction | int | float

Guards = tuple[model.Expr, ...]
"""Conditions that hold when a step begins."""


def measures(blocks: Iterable[model.Block]) -> Measures:
    """The variables that are monotone in all of these blocks."""
    found: dict[model.Variable, frozenset[str]] = {}
    for block in blocks:
        for statement in statements(block):
            if isinstance(statement, model.Assign | model.Fill):
                kept = directions_of(statement)
                found[statement.variable] = found.get(statement.variable, kept) & kept
    return {variable: min(kept) for variable, kept in found.items() if kept}


def directions_of(statement: model.Assign | model.Fill) -> frozenset[str]:
    """The directions that an assignment is consistent with."""
    value = statement.value
    if isinstance(statement.variable.type, OptionalType):
        of_a_field = isinstance(statement, model.Assign) and statement.path
        return frozenset({"fills up"} if of_a_field or _is_never_none(value) else ())
    if isinstance(statement.variable.type, BoolType):
        return frozenset({f"turns {format_value(value.value)}"} if isinstance(value, model.Const) else ())
    if isinstance(statement, model.Fill) or statement.path:
        return frozenset()
    if isinstance(value, model.SetOperation) and _reads_assigned_entry(value.left, statement):
        return frozenset({"grows"} if value.operator == "+" else {"shrinks"})
    low, high = change_bounds(statement)
    return frozenset({"rises"} if low >= 0 else ()) | frozenset({"falls"} if high <= 0 else ())


def uses_up(statement: model.Assign, way: str, guards: Guards) -> bool:
    """Whether an assignment is sure to change a measure, if ``guards`` hold before it."""
    match way:
        case "rises":
            return change_bounds(statement)[0] > 0
        case "falls":
            return change_bounds(statement)[1] < 0
        case "fills up":
            return not statement.path and any(
                isinstance(guard, model.IsNone) and _reads_assigned_entry(guard.operand, statement) for guard in guards
            )
        case "empties" | "moves on":
            return any(True for _ in emptied_values(statement, guards))
        case "turns true":
            return any(
                isinstance(guard, model.Not) and _reads_assigned_entry(guard.operand, statement) for guard in guards
            )
        case "turns false":
            return any(_reads_assigned_entry(guard, statement) for guard in guards)
    return any(_shows_membership(guard, statement, member=way == "shrinks") for guard in guards)


def emptied_values(statement: model.Assign, guards: Guards) -> Iterator[model.Expr]:
    """The values that an entry has according to the guards, if the assignment empties it."""
    if not empties(statement):
        return
    for guard in guards:
        if isinstance(guard, model.Compare) and guard.operator == "==":
            for read, value in ((guard.left, guard.right), (guard.right, guard.left)):
                if _reads_assigned_entry(read, statement) and _is_never_none(value):
                    yield value


def empties(statement: model.Assign | model.Fill) -> bool:
    """Whether an assignment sets an entry to none."""
    is_none = isinstance(statement.value, model.Const) and statement.value.value is None
    return is_none and not (isinstance(statement, model.Assign) and statement.path)


def changed_members(statement: model.Assign) -> tuple[model.Expr, ...]:
    """The members that an assignment adds to a set or removes from it, if they are listed."""
    match statement.value:
        case model.SetOperation("+" | "-", _, model.MakeSet(items)):
            return items
    return ()


def _shows_membership(guard: model.Expr, statement: model.Assign, member: bool) -> bool:
    """Whether the guard shows that one of the items is in the set (``member``), or else that one is missing and not
    none: adding none would change nothing."""
    if not member:
        if not isinstance(guard, model.Not):
            return False
        guard = guard.operand
    return (
        isinstance(guard, model.Contains)
        and _reads_assigned_entry(guard.collection, statement)
        and any(guard.item == item and (member or _is_never_none(item)) for item in changed_members(statement))
    )


def change_bounds(statement: model.Assign) -> tuple[Extreme, Extreme]:
    """Bounds of the amount that an assignment adds to a number."""
    value = statement.value
    if isinstance(value, model.Arithmetic):
        for present, added in ((value.left, value.right), (value.right, value.left)):
            if _reads_assigned_entry(present, statement) and isinstance(added.type, NumberType):
                low = -inf if added.type.low is None else added.type.low
                high = inf if added.type.high is None else added.type.high
                if value.operator == "+":
                    return low, high
                if value.operator == "-" and present is value.left:
                    return -high, -low
    return -inf, inf


def _is_never_none(value: model.Expr) -> bool:
    return not may_be_none(value, NOTHING)


def _reads_assigned_entry(expr: model.Expr, statement: model.Assign) -> bool:
    return isinstance(expr, model.Read) and expr.variable is statement.variable and expr.indices == statement.indices


# The conditions that hold when a move is made: consequences of its guard and of the domains of its parameters.
#
# ``legal(c, p)`` implies the body of the define; ``a and b`` implies a and b; ``c in {x in S if e}`` implies that ``e``
# holds for c, and so does ``c in {x for d in D for x in ray(s, d) while e}`` if ``e`` does not mention d; and
# ``y is not none``, where ``y = first x in S: e``, implies that ``e`` holds for y.


DEPTH = 8
"""The most steps of inference."""


def known_conditions(rule: model.Rule) -> tuple[model.Expr, ...]:
    """The conditions that hold whenever the rule is chosen, with their consequences."""
    given = [part for parts in rule.guards for part in parts]
    given += [_domain_condition(parameter) for parameter in rule.parameters if not parameter.is_optional]
    return tuple(condition for part in given for condition in consequences(part))


def _domain_condition(parameter: model.RuleParameter) -> model.Expr:
    local = model.Local(parameter.slot, parameter.name, type=parameter.type, span=parameter.span)
    return _contains(local, parameter.domain)


def consequences(condition: model.Expr, depth: int = DEPTH) -> Iterator[model.Expr]:
    """The condition and its consequences."""
    yield condition
    if depth > 0:
        for following in _direct_consequences(condition):
            yield from consequences(following, depth - 1)


def _direct_consequences(condition: model.Expr) -> Iterator[model.Expr]:
    match condition:
        case model.And(parts):
            yield from parts
        case model.Call():
            yield unfold(condition)
        case model.Let(slot, value, body):
            yield substitute(body, {slot: value})
        case model.Not(model.And() | model.Or() | model.Not() | model.Call() as inner):
            yield from _consequences_of_not(inner)
        case model.Not(model.IsNone(operand)):
            yield from _consequences_of_value(operand, operand)
        case model.Contains(item, collection):
            yield from _consequences_of_membership(item, collection)


def _consequences_of_not(inner: model.Expr) -> Iterator[model.Expr]:
    match inner:
        case model.Not(operand):
            yield operand
        case model.Or(parts):
            yield from (negation(part) for part in parts)
        case model.Call():
            yield negation(unfold(inner))


def _consequences_of_value(operand: model.Expr, body: model.Expr) -> Iterator[model.Expr]:
    """The consequences of ``operand``, which equals ``body``, not being none."""
    match body:
        case model.Call():
            yield from _consequences_of_value(operand, unfold(body))
        case model.Quantified("first" | "last", (binder,), test):
            for part in (*binder.tests, test):
                yield substitute(part, {binder.slot: operand})


def _consequences_of_membership(item: model.Expr, collection: model.Expr) -> Iterator[model.Expr]:
    match collection:
        case model.Call():
            yield from _consequences_of_membership(item, unfold(collection))
        case model.Comprehension(model.Local(slot), binders) if any(binder.slot == slot for binder in binders):
            # All that is known about the values of the others is that there are some.
            others = {binder.slot for binder in binders} - {slot}
            for binder in binders:
                if binder.slot == slot and others.isdisjoint(slots(binder.domain)):
                    yield _contains(item, binder.domain)
                for test in binder_conditions(binder):
                    if others.isdisjoint(slots(test)):
                        yield substitute(test, {slot: item})


def _contains(item: model.Expr, collection: model.Expr) -> model.Contains:
    return model.Contains(item, collection, type=BOOL, span=item.span)


def binder_conditions(binder: model.Binder) -> tuple[model.Expr, ...]:
    """The conditions that hold for every value of a binder."""
    if binder.stop == "while" and binder.stop_condition is not None:
        return (binder.stop_condition, *binder.tests)
    return binder.tests


def negation(expr: model.Expr) -> model.Expr:
    return model.Not(expr, type=BOOL, span=expr.span)
