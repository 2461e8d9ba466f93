"""Proofs that no step of a turn ends the game.

Only the end of the game is better than a completion of a turn that attains the upper bounds of its types. So it helps
to know that no step of this turn ends the game. Often the rules imply it: each step consumes *fuel* (a die, an action
point), so that few steps remain; the game ends only when an entry of a variable has reached a bound; and each step
raises that entry by a bounded amount. Then the end is out of reach while ``entry + steps * rise < bound``.

:func:`out_of_reach` derives this condition from the structure of the rules, if they are of this kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor

from attrs import frozen

from zermelo.interpreter import model
from zermelo.interpreter.model import Block, Expr, Variable
from zermelo.interpreter.model.walks import statements
from zermelo.interpreter.native.coding.layout import Place
from zermelo.interpreter.native.coding.number_codes import number_type, scale_of
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.sets import conditions
from zermelo.interpreter.types import OptionalType

_MOST: dict[str, int] = {"==": 0, ">=": 0, ">": 1}
"""The least difference between an entry and the constant on its right for which a comparison can hold."""


@frozen
class _Change:
    """An assignment to an entry: it adds, or with ``is_new`` assigns, at most ``amount``."""

    variable: Variable
    indices: tuple[Expr, ...]
    amount: int
    is_new: bool


@frozen
class _Bound:
    """An entry that is at least ``least`` when the game ends."""

    entry: model.Read
    least: int


def out_of_reach(lowering: Lowering, phase: model.Phase, turn: model.Turn, env: Env) -> str | None:
    """A condition on ``S`` under which no sequence of steps of this turn ends the game; None if none is found. ``env``
    has the names of the phase."""
    changes = [_changes(rule.body) for rule in turn.moves]
    bounds = [bound for rule in turn.moves for bound in _bounds(rule.body, (), len(phase.parameters))]
    steady = [each for each in changes if each is not None]
    ends = [bound for bound in bounds if bound is not None]
    if len(steady) < len(changes) or len(ends) < len(bounds) or not _stays(lowering, phase, turn):
        return None
    fuel = next((place for place in lowering.layout.places.values() if _is_fuel(place, turn)), None)
    if fuel is None:
        return None
    tests = [_below(lowering, bound, steady, _total(fuel), env) for bound in ends]
    return f"({' and '.join(tests) or '1'})"


def best_worth(lowering: Lowering, criterion: Expr, value: Scalar) -> int | None:
    """The upper bound of a criterion, on its scale."""
    number = number_type(criterion.type)
    if number is None or number.high is None or value.has_none:
        return None
    best = number.high * value.scale
    return int(best) if int(best) == best else None


# ------------------------------------------------------------------ the rules


def _stays(lowering: Lowering, phase: model.Phase, turn: model.Turn) -> bool:
    """Whether a step leads back to this phase with the same arguments, or out of the turn without an end."""
    if phase.entry or phase.otherwise is None:
        return False
    for statement in (each for rule in turn.moves for each in statements(rule.body)):
        if isinstance(statement, model.SetLocal | model.SetLocalField) and statement.slot < len(phase.parameters):
            return False
        if isinstance(statement, model.Go) and not (
            statement.phase == phase.name
            and all(isinstance(a, model.Local) and a.slot == k for k, a in enumerate(statement.arguments))
        ):
            return False
    for statement in statements(phase.otherwise):
        if isinstance(statement, model.End):
            return False
        if isinstance(statement, model.Go):
            there = lowering.model.phases[statement.phase]
            if there.entry or there.otherwise is not None or not isinstance(there.decision, model.Chance):
                return False
    return True


def _changes(block: Block) -> list[_Change] | None:
    """All assignments to variables; None if one may be repeated without bound or cannot be analysed."""
    found: list[_Change] = []
    for statement in block:
        match statement:
            case model.If_(yes=yes, no=no):
                for part in (_changes(yes), _changes(no)):
                    if part is None:
                        return None
                    found.extend(part)
            case model.Assign(path=(), variable=variable, indices=indices, value=value):
                amount = _added(statement)
                number = number_type(value.type)
                if amount is not None:
                    found.append(_Change(variable, indices, amount, False))
                elif number is not None and number.high is not None:
                    found.append(_Change(variable, indices, ceil(number.high), True))
                elif number_type(variable.type) is not None:
                    return None
            case model.For() | model.Do() | model.Fill():
                return None
            case _:
                pass
    return found


def _added(statement: model.Assign) -> int | None:
    """The most that ``x[...] += y`` adds."""
    value = statement.value
    if not isinstance(value, model.Arithmetic) or value.operator not in ("+", "-"):
        return None
    read, amount = value.left, number_type(value.right.type)
    if not isinstance(read, model.Read) or amount is None or amount.low is None or amount.high is None:
        return None
    if read.variable is not statement.variable or len(read.indices) != len(statement.indices):
        return None
    if any(one is not two for one, two in zip(read.indices, statement.indices, strict=True)):
        return None
    return ceil(amount.high) if value.operator == "+" else ceil(-amount.low)


def _bounds(block: Block, known: tuple[Expr, ...], parameters: int) -> Iterator[_Bound | None]:
    """For each ``end`` a condition that holds there; None if none is known."""
    for statement in block:
        match statement:
            case model.If_(condition=condition, yes=yes, no=no):
                parts = condition.parts if isinstance(condition, model.And) else (condition,)
                yield from _bounds(yes, (*known, *parts), parameters)
                yield from _bounds(no, known, parameters)
            case model.End():
                yield next((found for part in known if (found := _bound(part, parameters)) is not None), None)
            case model.For() | model.Do() if any(isinstance(each, model.End) for each in statements((statement,))):
                yield None
            case _:
                pass


def _bound(condition: Expr, parameters: int) -> _Bound | None:
    if not isinstance(condition, model.Compare) or condition.operator not in _MOST:
        return None
    entry, constant = condition.left, condition.right
    if not isinstance(entry, model.Read) or not isinstance(constant, model.Const):
        return None
    if number_type(entry.type) is None or scale_of(entry.type) != 1:
        return None
    if not conditions.is_plain(entry) or isinstance(entry.type, OptionalType):
        return None
    for index in entry.indices:
        is_parameter = isinstance(index, model.Local) and index.slot < parameters
        if not is_parameter and not isinstance(index, model.Const):
            return None
    return _Bound(entry, floor(constant.value) + _MOST[condition.operator])


def _is_fuel(place: Place, turn: model.Turn) -> bool:
    """Whether every step lowers an entry of the variable, and nothing raises one."""
    variable, storage = place.variable, place.storage
    if number_type(variable.type) is None or storage.has_none or storage.has_unset or not place.is_planes:
        return False
    for rule in turn.moves:
        spent = False
        for statement in rule.body:
            inner = list(statements((statement,)))
            changes = any(isinstance(each, model.Assign) and each.variable is variable for each in inner)
            leaves = any(isinstance(each, model.Go | model.End) for each in inner)
            if isinstance(statement, model.Assign) and changes and not spent and (_added(statement) or 0) < 0:
                spent = True
            elif changes or (leaves and not spent):
                return False
        if not spent:
            return False
    return True


# ------------------------------------------------------------------- its text


def _total(place: Place) -> str:
    """The sum of all entries of a variable, each minus the least value."""
    planes = [f"(popcount(S[{place.first + k}]) << {k})" for k in range(place.storage.width)]
    return f"({' + '.join(planes)})"


def _below(lowering: Lowering, bound: _Bound, changes: list[list[_Change]], steps: str, env: Env) -> str:
    """The condition that the entry stays below its bound for ``steps`` steps."""
    touching = [[change for change in each if _may_touch(change, bound.entry)] for each in changes]
    rise = max(sum(max(0, change.amount) for change in each if not change.is_new) for each in touching)
    now = lowering.value(bound.entry, env).text
    for amount in {change.amount for each in touching for change in each if change.is_new}:
        now = f"{lowering.code('maximum')}({now}, {amount})"
    return f"({now} + {steps} * {rise} < {bound.least})"


def _may_touch(change: _Change, entry: model.Read) -> bool:
    if change.variable is not entry.variable:
        return False
    return not any(
        isinstance(one, model.Const) and isinstance(two, model.Const) and one.value != two.value
        for one, two in zip(change.indices, entry.indices, strict=True)
    )
