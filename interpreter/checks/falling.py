"""Ranking functions: whether the tuple of a claim ``terminates by (e, ...)`` falls with every decision.

Tuples are compared lexicographically, from one decision to the next; each phase may have a tuple of its own, of the
same length, which may name its parameters. A game has finitely many positions, so the tuple has finitely many values
and cannot fall forever: if it always falls, every play ends.

The proof (:func:`falls`) bounds the change of each number along each path through a block. A number is read as a linear
combination of entries of variables, sums of entries, counts of empty or false entries, and sizes of sets; the bounds of
a change follow from each statement alone, as for a single variable (:mod:`zermelo.interpreter.checks.measures`). If the
assigned entry may be another one, the change may also be 0; a loop may change a number arbitrarily. Only the first
assignment of a path is sure to fill an empty entry, or to take a member of a set, since an earlier one may have done
so. Where phases have tuples of their own, the change is followed by the difference of the two tuples in the state at
the end of the path, bounded by the types of what does not cancel. The claim is proved if the tuple falls in each
decision, if no number of it rises in any other step between phases or on entry before a decision, and if there is no
cycle of phases without a decision. Nothing is proved for rules that read the history, which is no variable. Sound,
since a sum of bounds bounds the sum; incomplete. What the rules leave open a survey may settle
(:mod:`zermelo.interpreter.checks.falling_visited`).
"""

from __future__ import annotations

from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from math import inf

from attrs import define, field

from zermelo.interpreter.analysis.fact import Fact
from zermelo.interpreter.analysis.simplifying import listed_values
from zermelo.interpreter.checks.known_values import NOTHING, may_be_none
from zermelo.interpreter.checks.measures import Extreme, Guards, change, ways
from zermelo.interpreter.checks.paths import Paths, Rests, ways_out
from zermelo.interpreter.checks.symbolic import bounds_of_difference, linear_form, unfolded
from zermelo.interpreter.model import (
    Apply,
    Assign,
    Block,
    Claim,
    Const,
    Expr,
    Fill,
    Go,
    IsNone,
    Local,
    Model,
    Not,
    Phase,
    Quantified,
    Read,
    Variable,
)
from zermelo.interpreter.model.rewriting import bound_slots, free_slots, reads, reads_state, substitute
from zermelo.interpreter.model.walks import statements
from zermelo.interpreter.types import BoolType

Change = tuple[tuple[Extreme, Extreme], ...]
"""Bounds of the change of each number of the tuple."""

Terms = dict[Expr, Fraction]
"""A linear combination of expressions, without its constant."""

NOTHING_ADDED = (0, 0)
ANYTHING = (-inf, inf)


def falls(model: Model, phases: tuple[Phase, ...], claim: Claim) -> Fact:
    """Whether the tuple of a claim falls with every decision: True, or None. ``phases`` are the reachable ones."""
    open = Fact(None, f"it is not proved that {said(model, claim)} gets smaller with every decision")
    if model.history or not all(claim.measure(phase.name) for phase in phases):
        return open
    passing: dict[str, set[str]] = {}
    for phase in phases:
        before = claim.measure(phase.name)
        measured = [linear_form(argument) for argument in before]
        for decided, block, guards, fixed in ways_out(phase):
            paths = _Changes(fixed, Rests({}), measured=measured, claim=claim, before=before)
            through = paths.follow(block, frozenset({(NOTHING_ADDED,) * len(measured)}), guards)
            if not decided and not all(high <= 0 for done in through for _, high in done):
                return open  # it rises on entry, before the decision
            for (target, _), done in paths.targets:
                if not (_is_less(done) if decided else all(high <= 0 for _, high in done)):
                    return open
                if not decided:
                    passing.setdefault(phase.name, set()).add(target)
    try:
        TopologicalSorter(passing).prepare()
    except CycleError:
        return open
    return Fact(True, f"{said(model, claim)} gets smaller with every decision")


def said(model: Model, claim: Claim) -> str:
    """The tuple of a claim, as it is written."""
    if claim.by_phase:
        return "the measure of the phases"
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
    """The changes of a tuple along paths: ``before`` is that of the phase that is left."""

    claim: Claim = field(kw_only=True)
    before: tuple[Expr, ...] = field(kw_only=True)
    measured: list[Terms] = field(kw_only=True)

    def entering(self, done: Change, leave: Go, guards: Guards) -> Change:
        """The change up to the measure of the phase entered, which reads the same variables at the end of the path,
        with the arguments in place of the parameters.

        The names of the measure that is left are parameters of its phase. A name of an argument stands for the same
        value as one of these if it keeps its value on the path and belongs to this frame, which inside an action it
        does not. Arguments are not put in where a slot of theirs is bound.
        """
        after = self.claim.measure(leave.phase)
        if not self.claim.by_phase:
            return done
        given = {slot: substitute(argument, self.still_named) for slot, argument in enumerate(leave.arguments)}
        named = {slot for argument in given.values() for slot in free_slots(argument)}
        added: list[tuple[Extreme, Extreme]] = []
        for (low, high), old, new in zip(done, self.before, after, strict=True):
            whole = unfolded(new)
            if bound_slots(whole) & named or not named <= self.fixed:
                added.append(ANYTHING)
                continue
            least, most = bounds_of_difference(substitute(whole, given), old)
            added.append((low + least, high + most))
        return tuple(added)

    @property
    def still_named(self) -> dict[int, Expr]:
        """The names whose values are still what they were bound to."""
        return {slot: value for slot, value in self.named.items() if self.untouched or not reads_state(value)}

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
            case Quantified("sum", (binder,), part) | Quantified(
                "count", (binder,), IsNone(Read() as part) | Not(Read() as part)
            ):
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
            if isinstance(part.type.base, BoolType):
                if "turns true" not in ways(statement):
                    return -1, 1
                return -1, (-1 if self.moves(statement, "turns true", guards) else 0)
            if may_be_none(statement.value, NOTHING):
                return -1, 1
            return -1, (-1 if self.moves(statement, "fills up", guards) else 0)
        if isinstance(part, Apply):
            if "shrinks" in ways(statement):
                return -inf, (-1 if self.moves(statement, "shrinks", guards) else 0)
            if "grows" in ways(statement):
                return (1 if self.moves(statement, "grows", guards) else 0), inf
            return ANYTHING
        return change(statement)


def _variables(terms: Terms) -> set[Variable]:
    return {read.variable for term in terms for read in reads(term)}
