"""Ranking functions: whether the tuple of a claim ``terminates by (e, ...)`` falls with every decision.

Tuples are compared lexicographically, from one decision to the next. A game has finitely many positions, so the tuple
has finitely many values and cannot fall forever: if it always falls, every play ends.

The proof (:func:`falls`) bounds the change of each number along each path through a block. A number is read as a linear
combination of entries of variables, sums of entries, counts of empty entries, and sizes of sets; the bounds of a change
follow from each statement alone, as for a single variable (:mod:`zermelo.interpreter.checks.measures`). If the assigned
entry may be another one, the change may also be 0; a loop may change a number arbitrarily. Only the first assignment of
a path is sure to fill an empty entry, or to take a member of a set, since an earlier one may have done so. The claim is
proved if the tuple falls in each decision, if no number of it rises in any other step between phases, and if there is
no cycle of phases without a decision. Nothing is proved for rules that read the history, which is no variable. Sound,
since a sum of bounds bounds the sum; incomplete.

The survey (:func:`survey_of_falling`) visits positions, and finds a decision in which the tuple does not fall.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from math import inf
from typing import TYPE_CHECKING

from attrs import define, field

from zermelo.interpreter.analysis.fact import Fact
from zermelo.interpreter.analysis.simplifying import listed_values
from zermelo.interpreter.checks.choices import choices
from zermelo.interpreter.checks.known_values import NOTHING, may_be_none
from zermelo.interpreter.checks.loops import written
from zermelo.interpreter.checks.measures import Extreme, Guards, change, ways
from zermelo.interpreter.checks.paths import Paths, Rests, ways_out
from zermelo.interpreter.checks.symbolic import linear_form
from zermelo.interpreter.machine import END
from zermelo.interpreter.model import (
    Apply,
    Assign,
    Block,
    Claim,
    Const,
    Expr,
    Fill,
    IsNone,
    Local,
    Loose,
    Model,
    Phase,
    Quantified,
    Read,
    Variable,
)
from zermelo.interpreter.model.rewriting import bound_slots, reads, slots
from zermelo.interpreter.model.walks import statements
from zermelo.interpreter.types import NumberType
from zermelo.interpreter.values import format_value

if TYPE_CHECKING:  # proofs from the rules are far more frequent than surveys
    from zermelo.interpreter.reference.state import ReferenceState

Change = tuple[tuple[Extreme, Extreme], ...]
"""Bounds of the change of each number of the tuple."""

Terms = dict[Expr, Fraction]
"""A linear combination of expressions, without its constant."""

NOTHING_ADDED = (0, 0)
ANYTHING = (-inf, inf)


def falls(model: Model, phases: tuple[Phase, ...], claim: Claim) -> Fact:
    """Whether the tuple of a claim falls with every decision: True, or None. ``phases`` are the reachable ones."""
    open = Fact(None, f"it is not proved that {_said(model, claim)} gets smaller with every decision")
    if model.history:
        return open
    measured = [linear_form(argument) for argument in claim.arguments]
    passing: dict[str, set[str]] = {}
    for phase in phases:
        for decided, block, guards, fixed in ways_out(phase):
            paths = _Changes(fixed, Rests({}), measured=measured)
            paths.follow(block, frozenset({(NOTHING_ADDED,) * len(measured)}), guards)
            for (target, _), done in paths.targets:
                if not (_is_less(done) if decided else all(high <= 0 for _, high in done)):
                    return open
                if not decided:
                    passing.setdefault(phase.name, set()).add(target)
    try:
        TopologicalSorter(passing).prepare()
    except CycleError:
        return open
    return Fact(True, f"{_said(model, claim)} gets smaller with every decision")


def _said(model: Model, claim: Claim) -> str:
    texts = [model.source.excerpt(argument.span) for argument in claim.arguments]
    return texts[0] if len(texts) == 1 and texts[0].startswith("(") else f"({', '.join(texts)})"


def _is_less(change: Change) -> bool:
    """Whether the tuple falls, whatever its numbers were."""
    for _, high in change:
        if high != 0:
            return high < 0
    return False


@define(eq=False, repr=False)
class _Changes(Paths[Change]):
    """The changes of a tuple along paths."""

    measured: list[Terms] = field(factory=list)

    def behind(self, done: Change, statement: Assign | Fill, guards: Guards) -> Change:
        added = []
        for (low, high), terms in zip(done, self.measured, strict=True):
            for term, factor in terms.items():
                least, most = self.added(term, statement, guards)
                ends = (least * factor, most * factor)
                low, high = low + min(ends), high + max(ends)
            added.append((low, high))
        return tuple(added)

    def behind_rounds(self, done: Change, body: Block) -> Change:
        touched = {inner.variable for inner in statements(body) if isinstance(inner, Assign | Fill)}
        return tuple(
            ANYTHING if touched & _variables(terms) else bounds
            for bounds, terms in zip(done, self.measured, strict=True)
        )

    def added(self, term: Expr, statement: Assign | Fill, guards: Guards) -> tuple[Extreme, Extreme]:
        """Bounds of the change of a term by a statement."""
        variable = statement.variable
        if all(read.variable is not variable for read in reads(term)):
            return NOTHING_ADDED
        if isinstance(statement, Fill):
            return ANYTHING
        match term:
            case Quantified("sum", (binder,), part) | Quantified("count", (binder,), IsNone(Read() as part)):
                values = listed_values(binder)
                entry = part.arguments[0] if isinstance(part, Apply) and part.function == "size" else part
                match entry:
                    case Read(indices=(Local(slot),)) if slot == binder.slot and values is not None:
                        is_this = {value.value for value in values} >= set(variable.indices[0].members)
                    case _:
                        return ANYTHING
            case Read(indices=indices) | Apply("size", (Read(indices=indices),)):
                part = term
                if not all(isinstance(index, Const) for index in indices):
                    return ANYTHING
                is_this = indices == statement.indices
                if not is_this and all(isinstance(index, Const) for index in statement.indices):
                    return NOTHING_ADDED
            case _:
                return ANYTHING
        low, high = self.added_to_one(term, part, statement, guards)
        return (low, high) if is_this else (min(low, 0), max(high, 0))

    def moves(self, statement: Assign, way: str, guards: Guards) -> bool:
        """Whether an assignment is the first of its path and sure to move its variable in a way."""
        return self.untouched and self.is_sure(statement, way, guards)

    def added_to_one(self, term: Expr, part: Expr, statement: Assign, guards: Guards) -> tuple[Extreme, Extreme]:
        """The same if the assigned entry is one of the term, in which ``part`` reads a single entry."""
        if isinstance(term, Quantified) and term.quantifier == "count":
            if statement.path:
                return NOTHING_ADDED
            if may_be_none(statement.value, NOTHING):
                return -1, 1
            return -1, (-1 if self.moves(statement, "fills up", guards) else 0)
        if isinstance(part, Apply):
            if "shrinks" in ways(statement):
                return -inf, (-1 if self.moves(statement, "shrinks", guards) else 0)
            if "grows" in ways(statement):
                return (1 if self.moves(statement, "grows", guards) else 0), inf
            return ANYTHING
        return change(statement) if isinstance(statement.variable.type.base, NumberType) else ANYTHING


def _variables(terms: Terms) -> set[Variable]:
    return {read.variable for term in terms for read in reads(term)}


# ------------------------------------------------------------------- positions


@define(eq=False, repr=False)
class _Seen:
    """The queue of states, and the positions met."""

    waiting: list[ReferenceState]
    met: set[Hashable] = field(factory=set)


def survey_of_falling(model: Model, claim: Claim, most: int) -> Fact:
    """Whether the tuple of a claim falls with every decision, by a visit of at most so many positions. Raises errors of
    the rules as they are."""
    from zermelo.interpreter.reference.machine import ReferenceMachine

    machine = ReferenceMachine(model)
    loose = []
    for argument in claim.arguments:
        used = slots(argument) | bound_slots(argument)
        loose.append(Loose(argument, 1 + max(used, default=0)))
    seen = _Seen([machine.initial()])
    seen.met.add(machine.position(seen.waiting[0]))
    while seen.waiting:
        if len(seen.met) > most:
            how = f"{_said(model, claim)} gets smaller with every decision of the first {most:,} positions"
            return Fact(None, how)
        state = seen.waiting.pop()
        before = tuple(machine.evaluate(state, each) for each in loose)
        for move in choices(machine, state):
            after = machine.after(state, move)
            if machine.actor(after) == END:
                continue
            values = tuple(machine.evaluate(after, each) for each in loose)
            is_whole = not after.chosen  # else it is a partial choice of a ``together``
            if is_whole and not values < before:
                play = machine.play(after)
                behind = f"after {written(play[:-1])}, " if len(play) > 1 else ""
                how = f"{behind}{move} leads from {_tuple(before)} to {_tuple(values)}, which is not less"
                return Fact(False, how)
            position = machine.position(after)
            if position not in seen.met:
                seen.met.add(position)
                seen.waiting.append(after)
    return Fact(True, f"{_said(model, claim)} gets smaller with every decision of all {len(seen.met):,} positions")


def _tuple(values: tuple[object, ...]) -> str:
    return f"({', '.join(map(format_value, values))})"
