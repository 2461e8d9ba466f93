"""Variables whose values only move on: men on a board that never return to a former place.

A variable that may be ``none`` moves on if each step that puts a value into an entry has taken one away from another,
and no chain of such moves returns to the same value in the same entry. Then the pairs of an entry and a value have an
order in which each pair made by a step is less than one that it removes. The pairs on the board form a multiset, and
replacing a member by any number of lesser ones makes a multiset less, in a well-founded order. Source: Dershowitz and
Manna, "Proving termination with multiset orderings", Communications of the ACM 22 (1979). Values that are only taken
away, as by a capture, need no further proof.

The moves of a step are found by enumeration of its parameters, filtered by the guards and domains that do not read the
state: ``to in neighbours(from, {forward(p)})``. A guard such as ``board[from] == p`` shows that the value is there.

The method is sound but incomplete: a value must be taken away by a statement of the rule itself, with a guard that
names it, before it is put down. Cost: the instances of the rules; with more than ``MOST`` of one nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Final

from attrs import frozen

from zermelo.grammar.by_value import ByValue
from zermelo.interpreter.checks.guards import known_conditions
from zermelo.interpreter.checks.measures import EMPTIES, MOVES_ON, Guards, Measures, empties, values_found
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.context import Context
from zermelo.interpreter.evaluation.expressions import compile_expression
from zermelo.interpreter.model import (
    Assign,
    Block,
    Contains,
    Expr,
    Fill,
    If_,
    Local,
    Phase,
    Rule,
    SetLocal,
    Statement,
    Together,
    Variable,
)
from zermelo.interpreter.model.rewriting import bound_slots, free_slots, reads_state, slots, substitute
from zermelo.interpreter.model.walks import blocks_of_phase, rules_of, statements
from zermelo.interpreter.types import OptionalType, SetType, Type
from zermelo.interpreter.values import Value

MOST: Final = 20_000
"""The most instances of a rule that are enumerated."""

EntryAndValue = tuple[Expr, ...]
"""The indices of an entry, followed by its value, as expressions."""

Pair = tuple[Value, ...]
"""The same, evaluated."""

ClosureOfValues = Callable[[list[Value]], Value]
"""An expression as a function of the values of parameters, by slot."""


class _Unclear(Exception):
    """A value is put down, and its origin is unknown."""


def advancing(phases: list[Phase]) -> Measures:
    """The variables whose values only move on, or are taken away, in a cycle of these phases."""
    assigned = [statement for phase in phases for block in blocks_of_phase(phase) for statement in statements(block)]
    candidates = {
        statement.variable
        for statement in assigned
        if isinstance(statement, Assign) and isinstance(statement.variable.type, OptionalType)
    }
    found: Measures = {}
    for variable in candidates:
        try:
            follows = _follows(variable, phases)
            TopologicalSorter(follows).prepare()
        except (_Unclear, CycleError):
            continue
        found[variable] = MOVES_ON if follows else EMPTIES
    return found


def _follows(variable: Variable, phases: list[Phase]) -> dict[Pair, set[Pair]]:
    """The pairs to which each pair may move. Raises :class:`_Unclear`."""
    follows: dict[Pair, set[Pair]] = {}
    for phase in phases:
        rules = () if isinstance(phase.decision, Together) else rules_of(phase.decision)
        ruled = [rule.body for rule in rules]
        if any(_puts(variable, block) for block in blocks_of_phase(phase) if not any(block is body for body in ruled)):
            raise _Unclear
        for rule in rules:
            guards = known_conditions(rule)
            for taken, put in _moves(variable, rule.body, guards):
                for values in _instances(phase, rule, guards, (*taken, *put)):
                    follows.setdefault(values[: len(taken)], set()).add(values[len(taken) :])
    return follows


def _puts(variable: Variable, block: Block) -> bool:
    """Whether any statement of the block may put a value into an entry."""
    return any(
        isinstance(statement, Assign | Fill) and statement.variable is variable and not empties(statement)
        for statement in statements(block)
    )


def _moves(variable: Variable, body: Block, guards: Guards) -> Iterator[tuple[EntryAndValue, EntryAndValue]]:
    """For each pair put down by a rule, one that has certainly been taken away before. Raises :class:`_Unclear`."""
    taken: EntryAndValue | None = None
    named: dict[int, Expr] = {}
    for statement in body:
        for put in _put_down(variable, statement):
            if taken is None:
                raise _Unclear
            yield taken, tuple(substitute(expr, named) for expr in (*put.indices, put.value))
        if isinstance(statement, SetLocal) and statement.type is None:
            named[statement.slot] = substitute(statement.value, named)
        elif isinstance(statement, Assign) and statement.variable is variable and empties(statement):
            for value in values_found(statement, guards):
                taken = (*statement.indices, value)


def _put_down(variable: Variable, statement: Statement) -> Iterator[Assign]:
    """The assignments that put down a value, each run at most once. Raises :class:`_Unclear` for any other way."""
    match statement:
        case If_(_, yes, no):
            for inner in (*yes, *no):
                yield from _put_down(variable, inner)
        case Assign(path=()) if _puts(variable, (statement,)):
            yield statement
        case _ if _puts(variable, (statement,)):
            raise _Unclear


def _instances(phase: Phase, rule: Rule, guards: Guards, exprs: tuple[Expr, ...]) -> Iterator[tuple[Value, ...]]:
    """The values of expressions for all values of their parameters that pass the guards which do not read the state.
    Raises :class:`_Unclear` if they depend on anything but parameters, or have too many instances."""
    fixed = [guard for guard in guards if not reads_state(guard)]
    parameters = list(enumerate(parameter.type for parameter in phase.parameters))
    parameters += [(parameter.slot, parameter.type) for parameter in rule.parameters]
    needed = {slot for expr in exprs for slot in free_slots(expr)}
    wanted: list[_Parameter] = []
    for k, (slot, type) in reversed(list(enumerate(parameters))):
        if slot in needed:
            domain = _domain(slot, {earlier for earlier, _ in parameters[:k]}, fixed)
            needed |= set() if domain is None else free_slots(domain)
            wanted.insert(0, _Parameter(slot, type, domain))
    if any(map(reads_state, exprs)) or needed - {parameter.slot for parameter in wanted}:
        raise _Unclear
    tests = [_compiled(guard) for guard in fixed if free_slots(guard) <= needed]
    results = [_compiled(expr) for expr in exprs]
    used = (slot for expr in (*exprs, *fixed) for slot in (*slots(expr), *bound_slots(expr)))
    frame: list[Value] = [None] * (1 + max(used, default=0))
    for tried, _ in enumerate(_bindings([(parameter, parameter.values()) for parameter in wanted], frame)):
        if tried == MOST:
            raise _Unclear
        if all(test(frame) for test in tests):
            yield tuple(result(frame) for result in results)


@frozen(eq=False, repr=False)
class _Parameter(ByValue):
    """A parameter to be bound: to the values of its domain or, if that is unknown, of its type."""

    slot: int
    type: Type
    domain: Expr | None

    def values(self) -> ClosureOfValues:
        """The values, as a function of those of the earlier parameters."""
        if self.domain is not None and not isinstance(self.type, SetType):
            return _compiled(self.domain)
        if self.domain is not None or not self.type.is_finite or self.type.size > MOST:
            raise _Unclear
        values = list(self.type.generate())
        return lambda frame: values


def _domain(slot: int, earlier: set[int], guards: list[Expr]) -> Expr | None:
    """A set that contains the parameter, according to the guards, and depends only on earlier parameters."""
    for guard in reversed(guards):
        match guard:
            case Contains(Local(member), collection) if member == slot and free_slots(collection) <= earlier:
                return collection
    return None


def _bindings(wanted: list[tuple[_Parameter, ClosureOfValues]], frame: list[Value]) -> Iterator[None]:
    """Bind the parameters in the frame, in all ways in turn."""
    if not wanted:
        yield
        return
    (parameter, values), *rest = wanted
    for value in values(frame):
        frame[parameter.slot] = value
        yield from _bindings(rest, frame)


def _compiled(expr: Expr) -> ClosureOfValues:
    """The value of an expression in a frame; an error in it raises :class:`_Unclear`."""
    closure, nowhere = compile_expression(expr), Context(())

    def value(frame: list[Value]) -> Value:
        try:
            return closure(nowhere, frame)
        except EvaluationError as error:
            raise _Unclear from error

    return value
