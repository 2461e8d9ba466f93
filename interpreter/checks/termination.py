"""Proofs, from the rules alone, that every play ends.

An infinite play stays in a cycle of the phase graph: through decisions or, which is an error at run time, without one
(``otherwise: go b``, and there ``otherwise: go a``). That is impossible

- if there is no cycle (trees, tables, hands of poker), or
- if every cycle has a step that uses up a ranking function (Floyd, "Assigning meanings to programs", 1967). The
  candidates are monotone:
  - *filling*: entries of a variable turn from ``none`` to a value (or from false to true) and never back; a step uses
    one up if it sets an entry that is ``none`` (or false) according to its guard;
  - *rising* and *falling*: a number is only increased, or only decreased, and its type bounds it; a step uses it up if
    the difference is not 0;
  - *shrinking* and *growing*: a set only loses, or only gains, members; a step uses it up if it removes a member that
    is there according to its guard or domain, or adds one that is missing;
  - *moving on* and *emptying*: values in the entries of a variable never return to a former place, or are only taken
    away; a step uses it up if it takes away a value that is there according to its guard;
  - the tuple of a claim ``terminates by``, if it is proved to fall with every decision; or
- if every cycle without such a step enters a phase that counts repetitions and ends the play at some number; or
- if every cycle without such a step has a *new* one: a move ``ensuring not repeated(board)`` that goes to a phase with
  a decision. ``ensuring`` looks at the values that are recorded when that phase is entered, right after the effects and
  before anything else. So each such move adds values to the history that were not there at any earlier decision, or
  only at the last one, and there are finitely many. Other moves do not change this, since the history only grows. A
  step that leaves a phase only if a parameter has one constant cannot follow a step that enters it with another: a
  ``pass`` that goes on to ``play(other p, true)``, and ends the play if its parameter is true, cannot follow itself.

The draws of a ``chance for`` are numbered. The step from one to the next is left out: it leads back to its own phase
with the same arguments, and only finitely many of them come one after the other.

Soundness: the steps that an infinite play repeats infinitely often lie in one strongly connected component, and from
some moment on it makes no others. A variable that is monotone in all blocks of those phases has finitely many values,
or descends in a well-founded order, so it is used up finitely often: no step that uses it up is among the repeated
ones. The remaining steps have no cycle, so there is no such play. That a step uses something up is proved for each path
by itself, for statements that are sure to run (not those in loops), and with guards, which refer to the state at the
beginning of the step, only before any assignment, or for an entry whose indices cannot have changed since.

A phase that is left without a decision offers no move. So a step that is sure to lead to a move is followed by a
decision: ``otherwise: if some c in Cell: legal(c, other p): go play(other p)``, where ``play`` offers every legal c.

An error of the rules ends a play; whether there are errors is another question. The method is sound but incomplete: if
it fails, a survey or the search itself may still settle the question. It refutes nothing: that takes a play with a
cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import takewhile
from math import inf
from typing import Final, Generic, TypeVar

from attrs import define, evolve, field, frozen

from zermelo.foundation.records import ByValue
from zermelo.interpreter import model
from zermelo.interpreter.analysis import list_values
from zermelo.interpreter.checks.measures import (
    EMPTIES,
    MOVES_ON,
    NOTHING,
    Extreme,
    Guards,
    Measures,
    change_bounds,
    changed_members,
    consequences,
    directions_of,
    emptied_values,
    empties,
    known_conditions,
    may_be_none,
    measures,
    negation,
    uses_up,
)
from zermelo.interpreter.checks.sums import bounds_of_difference, inline_defines, linear_form
from zermelo.interpreter.evaluation.context import Context
from zermelo.interpreter.evaluation.expressions import compile_expression
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.model.rewriting import (
    assigned_variables,
    blocks_of_phase,
    bound_slots,
    free_slots,
    reachable,
    reads,
    reads_state,
    rules_of,
    slots,
    statements,
    substitute,
)
from zermelo.interpreter.types import BoolType, OptionalType, SetType, Type
from zermelo.interpreter.values import EvaluationError, Value

# Phases that no play enters for ever, since they count repetitions.
#
# On entry, before anything else changes, such a phase has ``if repetitions(board) >= 3: end draw``. There are only
# finitely many values of the variables and of the phase's arguments. So a play that enters the phase again and again
# enters it a third time with some of them; the count is three then, and the play ends. The condition may mention other
# things, as long as it holds whenever the count is reached: ``if dead or repetitions(board) >= 3``.
#
# This is sound only where entries are recorded, as they are in phases with a decision, before their first statement;
# and where no play gets past the condition, or reaches it with other values. So only names, and other conditions that
# end the play, may come before it.


def ends_repetitions(phase: model.Phase) -> bool:
    """Whether the phase is sure to end a play that enters it often enough."""
    if phase.decision is None:
        return False
    first = takewhile(lambda statement: isinstance(statement, model.SetLocal) or _only_ends(statement), phase.entry)
    return any(isinstance(statement, model.If_) and _holds_at_some_count(statement.condition) for statement in first)


def _only_ends(statement: model.Statement) -> bool:
    """Whether a statement ends the play or changes nothing."""
    return (
        isinstance(statement, model.If_) and not statement.no and isinstance(next(iter(statement.yes), None), model.End)
    )


def _holds_at_some_count(condition: model.Expr) -> bool:
    """Whether the condition holds whenever a count of repetitions has reached some number: then its negation implies
    that the count has not reached it."""
    return any(isinstance(part, model.Not) and _is_count(part.operand) for part in consequences(negation(condition)))


def _is_count(part: model.Expr) -> bool:
    """Whether a condition says that a count has reached a number. The count on entry is 1 or more, and grows by 1 from
    one entry to the next with the same values, so it takes every value from 1 on."""
    match part:
        case model.Compare(">=" | ">", model.Repetitions(), model.Const()) | model.Compare(
            "<=" | "<", model.Const(), model.Repetitions()
        ):
            return True
        case model.Compare("==", model.Repetitions(), model.Const(number)) | model.Compare(
            "==", model.Const(number), model.Repetitions()
        ):
            return isinstance(number, int) and number >= 1
    return False


# Variables whose values only move on: men on a board that never return to a former place.
#
# A variable that may be ``none`` moves on if each step that puts a value into an entry has taken one away from another,
# and no chain of such moves returns to the same value in the same entry. Then the pairs of an entry and a value have an
# order in which each pair made by a step is less than one that it removes. The pairs on the board form a multiset, and
# replacing a member by any number of lesser ones makes a multiset less, in a well-founded order. Source: Dershowitz and
# Manna, "Proving termination with multiset orderings", Communications of the ACM 22 (1979). Values that are only taken
# away, as by a capture, need no further proof.
#
# The moves of a step are found by enumeration of its parameters, filtered by the guards and domains that do not read
# the state: ``to in neighbours(from, {forward(p)})``. A guard such as ``board[from] == p`` shows that the value is
# there.
#
# The method is sound but incomplete: a statement of the rule itself, with a guard that names the value, must take it
# away before it is stored again. Cost: the instances of the rules. Nothing is proved if a rule has more than ``MOST``.


MOST: Final = 20_000
"""The most instances of a rule that are enumerated."""

EntryAndValue = tuple[model.Expr, ...]
"""The indices of an entry, followed by its value, as expressions."""

Pair = tuple[Value, ...]
"""The same, evaluated."""

ClosureOfValues = Callable[[list[Value]], Value]
"""An expression as a function of the values of parameters, by slot."""


class _Unclear(Exception):
    """A value is stored in an entry, and its origin is unknown."""


def advancing_variables(phases: list[model.Phase]) -> Measures:
    """The variables whose values only move on, or are taken away, in a cycle of these phases."""
    assigned = [statement for phase in phases for block in blocks_of_phase(phase) for statement in statements(block)]
    candidates = {
        statement.variable
        for statement in assigned
        if isinstance(statement, model.Assign) and isinstance(statement.variable.type, OptionalType)
    }
    found: Measures = {}
    for variable in candidates:
        try:
            follows = _pair_successors(variable, phases)
            TopologicalSorter(follows).prepare()
        except (_Unclear, CycleError):
            continue
        found[variable] = MOVES_ON if follows else EMPTIES
    return found


def _pair_successors(variable: model.Variable, phases: list[model.Phase]) -> dict[Pair, set[Pair]]:
    """The pairs to which each pair may move. Raises :class:`_Unclear`."""
    follows: dict[Pair, set[Pair]] = {}
    for phase in phases:
        rules = () if isinstance(phase.decision, model.Together) else rules_of(phase.decision)
        ruled = [rule.body for rule in rules]
        if any(
            _may_store_value(variable, block)
            for block in blocks_of_phase(phase)
            if not any(block is body for body in ruled)
        ):
            raise _Unclear
        for rule in rules:
            guards = known_conditions(rule)
            for taken, put in _moved_pairs(variable, rule.body, guards):
                for values in _instances(phase, rule, guards, (*taken, *put)):
                    follows.setdefault(values[: len(taken)], set()).add(values[len(taken) :])
    return follows


def _may_store_value(variable: model.Variable, block: model.Block) -> bool:
    """Whether any statement of the block may put a value into an entry."""
    return any(
        isinstance(statement, model.Assign | model.Fill) and statement.variable is variable and not empties(statement)
        for statement in statements(block)
    )


def _moved_pairs(
    variable: model.Variable, body: model.Block, guards: Guards
) -> Iterator[tuple[EntryAndValue, EntryAndValue]]:
    """For each pair that a rule stores, one that it has certainly taken away before. Raises :class:`_Unclear`."""
    taken: EntryAndValue | None = None
    named: dict[int, model.Expr] = {}
    for statement in body:
        for put in _storing_assignments(variable, statement):
            if taken is None:
                raise _Unclear
            yield taken, tuple(substitute(expr, named) for expr in (*put.indices, put.value))
        if isinstance(statement, model.SetLocal) and statement.type is None:
            named[statement.slot] = substitute(statement.value, named)
        elif isinstance(statement, model.Assign) and statement.variable is variable and empties(statement):
            for value in emptied_values(statement, guards):
                taken = (*statement.indices, value)


def _storing_assignments(variable: model.Variable, statement: model.Statement) -> Iterator[model.Assign]:
    """The assignments that store values, each run at most once. Raises :class:`_Unclear` if any is stored otherwise."""
    match statement:
        case model.If_(_, yes, no):
            for inner in (*yes, *no):
                yield from _storing_assignments(variable, inner)
        case model.Assign(path=()) if _may_store_value(variable, (statement,)):
            yield statement
        case _ if _may_store_value(variable, (statement,)):
            raise _Unclear


def _instances(
    phase: model.Phase, rule: model.Rule, guards: Guards, exprs: tuple[model.Expr, ...]
) -> Iterator[tuple[Value, ...]]:
    """The values of expressions, for all values of their parameters that meet those guards that do not read the state.
    Raises :class:`_Unclear` if they depend on anything but parameters, or if there are too many instances."""
    fixed = [guard for guard in guards if not reads_state(guard)]
    parameters = list(enumerate(parameter.type for parameter in phase.parameters))
    parameters += [(parameter.slot, parameter.type) for parameter in rule.parameters]
    needed = {slot for expr in exprs for slot in free_slots(expr)}
    wanted: list[tuple[int, ClosureOfValues]] = []
    for k, (slot, type) in reversed(list(enumerate(parameters))):
        if slot in needed:
            domain = _parameter_domain(slot, {earlier for earlier, _ in parameters[:k]}, fixed)
            needed |= set() if domain is None else free_slots(domain)
            wanted.insert(0, (slot, _values_of_parameter(type, domain)))
    if any(map(reads_state, exprs)) or needed - {slot for slot, _ in wanted}:
        raise _Unclear
    tests = [_compile_in_frame(guard) for guard in fixed if free_slots(guard) <= needed]
    results = [_compile_in_frame(expr) for expr in exprs]
    used = (slot for expr in (*exprs, *fixed) for slot in (*slots(expr), *bound_slots(expr)))
    frame: list[Value] = [None] * (1 + max(used, default=0))
    for tried, _ in enumerate(_bind_parameters(wanted, frame)):
        if tried == MOST:
            raise _Unclear
        if all(test(frame) for test in tests):
            yield tuple(result(frame) for result in results)


def _values_of_parameter(type: Type, domain: model.Expr | None) -> ClosureOfValues:
    """The values of a parameter, those of its domain or, if that is unknown, of its type, as a function of the values
    of the earlier parameters."""
    if domain is not None and not isinstance(type, SetType):
        return _compile_in_frame(domain)
    if domain is not None or not type.is_finite or type.size > MOST:
        raise _Unclear
    values = list(type.generate())
    return lambda frame: values


def _parameter_domain(slot: int, earlier: set[int], guards: list[model.Expr]) -> model.Expr | None:
    """A set that contains the parameter, according to the guards, and depends only on earlier parameters."""
    for guard in reversed(guards):
        match guard:
            case model.Contains(model.Local(member), collection) if (
                member == slot and free_slots(collection) <= earlier
            ):
                return collection
    return None


def _bind_parameters(wanted: list[tuple[int, ClosureOfValues]], frame: list[Value]) -> Iterator[None]:
    """Bind the parameters in the frame, in all ways in turn."""
    if not wanted:
        yield
        return
    (slot, values), *rest = wanted
    for value in values(frame):
        frame[slot] = value
        yield from _bind_parameters(rest, frame)


def _compile_in_frame(expr: model.Expr) -> ClosureOfValues:
    """The value of an expression in a frame; an error in it raises :class:`_Unclear`."""
    closure, nowhere = compile_expression(expr), Context(())

    def value(frame: list[Value]) -> Value:
        try:
            return closure(nowhere, frame)
        except EvaluationError as error:
            raise _Unclear from error

    return value


# Path-sensitive analysis of the blocks of a phase: what each path is sure to do.
#
# Every path is followed by itself, through both branches of an ``if``. The subclasses of :class:`Paths` define what a
# path does. The body of a loop may run never or many times, so nothing in it is sure; an action is followed in a frame
# of its own. Conditions on the state at the beginning of a step (guards, conditions of ``if``) hold until an
# assignment.


Done = TypeVar("Done")
"""What a path is sure to do."""

PhaseEntered = tuple[str, bool]
"""A phase, and whether its decision is sure to offer a move on entry."""


def exit_blocks(phase: model.Phase) -> Iterator[tuple[bool, model.Block, Guards, frozenset[int]]]:
    """The blocks by which a phase is left. For each: whether it runs after the decision, the block itself, the
    conditions that hold at its beginning, and the slots that it does not change."""
    decision = phase.decision
    known = frozenset(range(len(phase.parameters))) | {
        statement.slot for statement in phase.entry if isinstance(statement, model.SetLocal) and statement.type is None
    }
    yield False, phase.entry, (), known
    if phase.otherwise is not None:
        yield False, phase.otherwise, (), known
    if isinstance(decision, model.Together):
        yield True, decision.then, (), known
    elif decision is not None:
        for rule in rules_of(decision):
            yield True, rule.body, known_conditions(rule), known | {parameter.slot for parameter in rule.parameters}


def _implies_decision(phase: model.Phase, leave: model.Go, guards: Guards) -> bool:
    """Whether the guards, which hold when a ``go`` enters the phase, imply that its decision offers a move.

    Nothing changes on entering a phase without entry statements, unless the rules read the history. So a move is legal
    if a guard says that some members of its domains meet its own guard, with the arguments in place of the phase's
    parameters. Slots of the two phases cannot be confused: a bound slot of one that is free in the other would be, in
    the guards, two names of one phase, whose slots differ.
    """
    if phase.entry or not isinstance(phase.decision, model.Turn) or phase.decision.is_narrowed:
        return False
    arguments = dict(enumerate(leave.arguments))
    moves = [rule for rule in phase.decision.moves if rule.ensuring is None]
    return any(_implies_move(rule, arguments, guard) for rule in moves for guard in guards)


def _implies_move(rule: model.Rule, arguments: dict[int, model.Expr], guard: model.Expr) -> bool:
    match guard:
        case model.Quantified("some", binders, body) if len(binders) == len(rule.parameters):
            known = {body, *consequences(body, 1)}
        case _:
            return False
    meant = dict(arguments)
    for parameter, binder in zip(rule.parameters, binders, strict=True):
        if binder.stop is not None or substitute(parameter.domain, meant) != binder.domain:
            return False
        known.update(binder.tests)
        meant[parameter.slot] = model.Local(binder.slot, binder.name, type=parameter.type, span=parameter.span)
    return all(substitute(part, meant) in known for parts in rule.guards for part in parts)


@define(eq=False, repr=False)
class Paths(Generic[Done]):
    """The paths through one block, each with what it is sure to do.

    ``fixed`` are the slots that keep their values: parameters, and names bound on entry. Guards refer to the state at
    the beginning of the step. While that is ``untouched``, an expression has the same value in a guard and in an
    assignment; ``named`` are the names bound by ``let`` in the meantime. ``resting`` are the phases that may be known
    to offer a move when they are entered.
    """

    fixed: frozenset[int]
    resting: Mapping[str, model.Phase]
    untouched: bool = True
    named: dict[int, model.Expr] = field(factory=dict)
    targets: list[tuple[PhaseEntered, Done]] = field(factory=list)

    def behind(self, done: Done, statement: model.Assign | model.Fill, guards: Guards) -> Done:
        """What a path has done after an assignment."""
        raise NotImplementedError

    def behind_rounds(self, done: Done, body: model.Block) -> Done:
        """What a path has done after any number of rounds of a loop."""
        raise NotImplementedError

    def entering(self, done: Done, leave: model.Go, guards: Guards) -> Done:
        """What a path that ends with a ``go`` has done."""
        return done

    def follow(self, block: model.Block, paths: frozenset[Done], guards: Guards) -> frozenset[Done]:
        """Follow the paths that reach a block. Returns those that fall through it."""
        for statement in block:
            if not paths:
                break
            match statement:
                case model.Go():
                    target = (statement.phase, self.leads_to_a_decision(statement, guards))
                    self.targets.extend((target, self.entering(done, statement, guards)) for done in paths)
                    return frozenset()
                case model.End():
                    return frozenset()
                case model.SetLocal(slot, value, _, None) if self.untouched:
                    self.named[slot] = substitute(value, self.named)
                case model.Assign() | model.Fill():
                    paths = frozenset(self.behind(done, statement, guards) for done in paths)
                    self.untouched = False
                case model.If_():
                    paths, guards = self.branch(statement, paths, guards)
                case model.For(_, body):
                    self.untouched = False  # by an earlier round, perhaps
                    paths = frozenset(self.behind_rounds(done, body) for done in paths)
                    self.follow(body, paths, guards)
                case model.Do(action, _):
                    self.untouched = False
                    inside = evolve(self, fixed=frozenset(), untouched=False, named={})
                    paths = inside.follow(action.body, paths, ())
        return paths

    def branch(self, statement: model.If_, paths: frozenset[Done], guards: Guards) -> tuple[frozenset[Done], Guards]:
        """The paths that fall through an ``if``, and the conditions after it."""
        before, condition = self.untouched, substitute(statement.condition, self.named)
        if_yes = (*guards, *consequences(condition)) if before else guards
        if_no = (*guards, *consequences(negation(condition))) if before else guards
        after_yes = self.follow(statement.yes, paths, if_yes)
        touched, self.untouched = not self.untouched, before
        after_no = self.follow(statement.no, paths, if_no)
        self.untouched = self.untouched and not touched
        return after_yes | after_no, if_no if not after_yes else if_yes if not after_no else guards

    def leads_to_a_decision(self, statement: model.Go, guards: Guards) -> bool:
        """Whether the entered phase is sure to offer a move."""
        arguments = tuple(substitute(argument, self.named) for argument in statement.arguments)
        are_fixed = all(free_slots(argument) <= self.fixed for argument in arguments)
        phase = self.resting.get(statement.phase) if self.untouched and are_fixed else None
        return phase is not None and _implies_decision(phase, evolve(statement, arguments=arguments), guards)

    def is_sure(self, statement: model.Assign, way: str, guards: Guards) -> bool:
        """Whether an assignment is sure to move its variable in a direction."""
        spoken_of = [*statement.indices, *changed_members(statement)]
        if not self.untouched and any(map(reads_state, spoken_of)):
            guards = ()
        meant = evolve(
            statement,
            indices=tuple(substitute(index, self.named) for index in statement.indices),
            value=substitute(statement.value, self.named),
        )
        if not all(free_slots(expr) <= self.fixed for expr in (*meant.indices, *changed_members(meant))):
            guards = ()
        return uses_up(meant, way, guards)


# Ranking functions: whether the tuple of a claim ``terminates by (e, ...)`` falls with every decision.
#
# Tuples are compared lexicographically, from one decision to the next; each phase may have a tuple of its own, of the
# same length, which may name its parameters. A game has finitely many positions, so the tuple has finitely many values
# and cannot fall forever: if it always falls, every play ends.
#
# The proof (:func:`prove_measure_falls`) bounds the change of each number along each path through a block. A number is
# read as a linear combination of entries of variables, sums of entries, counts of empty or false entries, and sizes of
# sets; the bounds of a change follow from each statement alone, as for a single variable
# (:mod:`zermelo.interpreter.checks.measures`). If the assigned entry may be another one, the change may also be 0; a
# loop may change a number arbitrarily. Only the first assignment of a path is sure to fill an empty entry, or to take a
# member of a set, since an earlier one may have done so. Where phases have tuples of their own, the change is followed
# by the difference of the two tuples in the state at the end of the path, bounded by the types of what does not cancel.
# The claim is proved if the tuple falls in each decision, if no number of it rises in any other step between phases or
# on entry before a decision, and if there is no cycle of phases without a decision. Nothing is proved for rules that
# read the history, which is no variable. Sound, since a sum of bounds bounds the sum; incomplete. A survey may settle a
# question that the rules leave open (:mod:`zermelo.interpreter.checks.visited_ranking`).


Change = tuple[tuple[Extreme, Extreme], ...]
"""Bounds of the change of each number of the tuple."""

Terms = dict[model.Expr, Fraction]
"""A linear combination of expressions, without its constant."""

NOTHING_ADDED = (0, 0)
ANYTHING = (-inf, inf)


def prove_measure_falls(game: model.Model, phases: tuple[model.Phase, ...], claim: model.Claim) -> Fact:
    """Whether the tuple of a claim falls with every decision: True, or None. ``phases`` are the reachable ones."""
    open = Fact(None, f"it is not proved that {measure_text(game, claim)} gets smaller with every decision")
    if game.history or not all(claim.measure(phase.name) for phase in phases):
        return open
    passing: dict[str, set[str]] = {}
    for phase in phases:
        before = claim.measure(phase.name)
        measured = [linear_form(argument) for argument in before]
        for decided, block, guards, fixed in exit_blocks(phase):
            paths = _Changes(fixed, {}, measured=measured, claim=claim, before=before)
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
    return Fact(True, f"{measure_text(game, claim)} gets smaller with every decision")


def measure_text(game: model.Model, claim: model.Claim) -> str:
    """The tuple of a claim, as it is written."""
    if not claim.arguments:
        return "the measure of the phases"
    texts = [game.source.excerpt(argument.span) for argument in claim.arguments]
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

    claim: model.Claim = field(kw_only=True)
    before: tuple[model.Expr, ...] = field(kw_only=True)
    measured: list[Terms] = field(kw_only=True)

    def entering(self, done: Change, leave: model.Go, guards: Guards) -> Change:
        """The change up to the measure of the phase entered, which reads the same variables at the end of the path,
        with the arguments in place of the parameters.

        The names in the old measure are parameters of the phase that is left. A name in an argument stands for the same
        value as one of these only if it keeps its value on the path and belongs to this frame, which it does not inside
        an action. An argument is not substituted where one of its slots is bound.
        """
        after = self.claim.measure(leave.phase)
        if not self.claim.by_phase:
            return done
        given = {slot: substitute(argument, self.still_named) for slot, argument in enumerate(leave.arguments)}
        named = {slot for argument in given.values() for slot in free_slots(argument)}
        added: list[tuple[Extreme, Extreme]] = []
        for (low, high), old, new in zip(done, self.before, after, strict=True):
            whole = inline_defines(new)
            if bound_slots(whole) & named or not named <= self.fixed:
                added.append(ANYTHING)
                continue
            least, most = bounds_of_difference(substitute(whole, given), old)
            added.append((low + least, high + most))
        return tuple(added)

    @property
    def still_named(self) -> dict[int, model.Expr]:
        """The names whose values are still what they were bound to."""
        return {slot: value for slot, value in self.named.items() if self.untouched or not reads_state(value)}

    def behind(self, done: Change, statement: model.Assign | model.Fill, guards: Guards) -> Change:
        added = []
        for (low, high), terms in zip(done, self.measured, strict=True):
            for term, factor in terms.items():
                least, most = self.added(term, statement, guards)
                ends = (least * factor, most * factor)
                low, high = low + min(ends), high + max(ends)
            added.append((low, high))
        return tuple(added)

    def behind_rounds(self, done: Change, body: model.Block) -> Change:
        touched = assigned_variables(body)
        return tuple(
            ANYTHING if touched & _variables_read_by(terms) else bounds
            for bounds, terms in zip(done, self.measured, strict=True)
        )

    def added(self, term: model.Expr, statement: model.Assign | model.Fill, guards: Guards) -> tuple[Extreme, Extreme]:
        """Bounds of the change of a term by a statement."""
        variable = statement.variable
        if all(read.variable is not variable for read in reads(term)):
            return NOTHING_ADDED
        if isinstance(statement, model.Fill):
            return ANYTHING
        match term:
            case model.Quantified("sum", (binder,), part) | model.Quantified(
                "count", (binder,), model.IsNone(model.Read() as part) | model.Not(model.Read() as part)
            ):
                values = list_values(binder)
                entry = part.arguments[0] if isinstance(part, model.Apply) and part.function == "size" else part
                match entry:
                    case model.Read(indices=(model.Local(slot),)) if slot == binder.slot and values is not None:
                        is_this = {value.value for value in values} >= set(variable.indices[0].members)
                    case _:
                        return ANYTHING
            case model.Read(indices=indices) | model.Apply("size", (model.Read(indices=indices),)):
                part = term
                if not all(isinstance(index, model.Const) for index in indices):
                    return ANYTHING
                is_this = indices == statement.indices
                if not is_this and all(isinstance(index, model.Const) for index in statement.indices):
                    return NOTHING_ADDED
            case _:
                return ANYTHING
        low, high = self.added_to_one(term, part, statement, guards)
        return (low, high) if is_this else (min(low, 0), max(high, 0))

    def moves(self, statement: model.Assign, way: str, guards: Guards) -> bool:
        """Whether an assignment is the first of its path and sure to move its variable in a way."""
        return self.untouched and self.is_sure(statement, way, guards)

    def added_to_one(
        self, term: model.Expr, part: model.Expr, statement: model.Assign, guards: Guards
    ) -> tuple[Extreme, Extreme]:
        """The same if the assigned entry is one of the entries of the term; ``part`` reads a single entry in it."""
        if isinstance(term, model.Quantified) and term.quantifier == "count":
            if statement.path:
                return NOTHING_ADDED
            if isinstance(part.type.base, BoolType):
                if "turns true" not in directions_of(statement):
                    return -1, 1
                return -1, (-1 if self.moves(statement, "turns true", guards) else 0)
            if may_be_none(statement.value, NOTHING):
                return -1, 1
            return -1, (-1 if self.moves(statement, "fills up", guards) else 0)
        if isinstance(part, model.Apply):
            if "shrinks" in directions_of(statement):
                return -inf, (-1 if self.moves(statement, "shrinks", guards) else 0)
            if "grows" in directions_of(statement):
                return (1 if self.moves(statement, "grows", guards) else 0), inf
            return ANYTHING
        return change_bounds(statement)


def _variables_read_by(terms: Terms) -> set[model.Variable]:
    return {read.variable for term in terms for read in reads(term)}


Used = frozenset[model.Variable]
"""The variables that a path is sure to use up."""

Constants = frozenset[tuple[int, Value]]
"""The values of some parameters of a phase, by their numbers."""


@frozen(eq=False, repr=False)
class _Step(ByValue):
    """A ``go`` from ``source`` to ``target``, and the variables that it is sure to use up. The values of the variables
    ``new`` recorded after it surely differ from those at every earlier decision. The step is made only if the
    parameters of the source have the values that it ``needs``; it ``gives`` constants to parameters of the target."""

    source: PhaseEntered
    target: PhaseEntered
    uses: Used
    new: tuple[model.Variable, ...]
    needs: Constants
    gives: Constants

    def may_follow(self, earlier: _Step) -> bool:
        """Whether this step may be the next one after another."""
        given = dict(earlier.gives)
        return earlier.target == self.source and all(given.get(k, value) == value for k, value in self.needs)


def terminates(game: model.Model, phases: tuple[model.Phase, ...]) -> Fact:
    """Whether every play ends. ``phases`` are the reachable ones."""
    proofs: dict[str, None] = {}
    ended: set[str] = set()
    resting = {} if game.history else game.phases
    new: dict[str, None] = {}
    for cycle in _cyclic_components([step for phase in phases for step in _steps(game, phase, {}, resting)]):
        names = {name for name, _ in cycle}
        around = [phase for phase in phases if phase.name in names]
        found = advancing_variables(around) | measures(block for phase in around for block in blocks_of_phase(phase))
        steps = [step for phase in around for step in _steps(game, phase, found, resting) if step.target[0] in names]
        counting = {phase.name for phase in around if ends_repetitions(phase)}
        counted = [step for step in steps if step.source[0] not in counting]
        needed = _covering_measures(found, counted)
        if needed is None:
            repeating = [step for step in counted if not step.new]
            needed = [] if not _may_repeat_forever(repeating) else _covering_measures(found, repeating)
            new |= dict.fromkeys(variable.name for step in counted for variable in step.new)
        if needed is None:
            return _prove_by_claim(game, phases)
        proofs |= dict.fromkeys(f"'{variable.name}' only {found[variable]}" for variable in needed)
        ended |= counting
    reasons = [f"{' and '.join(proofs)}, a little on every round"] if proofs else []
    reasons += [f"'{name}' ends plays that repeat themselves" for name in sorted(ended)]
    if new:
        reasons.append(f"moves must not repeat the values of {' and '.join(map(repr, new))}")
    return Fact(True, "; ".join(reasons) or "no decision can come again")


def _prove_by_claim(game: model.Model, phases: tuple[model.Phase, ...]) -> Fact:
    """Whether every play ends because of a ranking function claimed by the file."""
    for claim in game.claims:
        if claim.is_measured():
            fact = prove_measure_falls(game, phases, claim)
            if fact.holds:
                return fact
    return Fact(None, "it is not proved that every play ends")


def _covering_measures(measures: Measures, steps: list[_Step]) -> list[model.Variable] | None:
    """Variables such that every cycle uses up one of them; one alone if possible; None if a cycle may use up none."""
    used = [variable for variable in measures if any(variable in step.uses for step in steps)]
    for enough in (*([variable] for variable in used), used):
        if not _cyclic_components([step for step in steps if step.uses.isdisjoint(enough)]):
            return enough
    return None


def _cyclic_components(steps: list[_Step]) -> list[set[PhaseEntered]]:
    """The strongly connected components with a cycle."""
    follows: dict[PhaseEntered, set[PhaseEntered]] = {}
    for step in steps:
        follows.setdefault(step.source, set()).add(step.target)
    try:
        TopologicalSorter(follows).prepare()
    except CycleError:
        reach = {node: set(reachable(near, lambda each: follows.get(each, set()))) for node, near in follows.items()}
        cycles = {node: {other for other in found if node in reach.get(other, ())} for node, found in reach.items()}
        return [cycle for node, cycle in cycles.items() if cycle and node == min(cycle)]
    return []


def _may_repeat_forever(steps: list[_Step]) -> bool:
    """Whether steps may follow one another for ever."""
    left = list(steps)
    while left:
        kept = [step for step in left if any(step.may_follow(earlier) for earlier in left)]
        if len(kept) == len(left):
            return True
        left = kept
    return False


def _steps(
    game: model.Model, phase: model.Phase, measures: Measures, resting: Mapping[str, model.Phase]
) -> Iterator[_Step]:
    """All ways out of a phase. One that offers a move is left only by its decision."""
    for decided, block, guards, fixed in exit_blocks(phase):
        new = _unrepeatable_variables(phase, block)
        paths = _Uses(fixed, resting, measures=measures, phase=phase)
        paths.follow(block, frozenset({_Done()}), guards)
        for target, done in paths.targets:
            if done.is_next_draw:
                continue
            if game.phases[target[0]].is_numbered:
                target = (target[0], False)  # a draw may be sure to follow, and then none: both are one node
            recorded = new if game.phases[target[0]].decision is not None else ()
            for source in ((phase.name, False), (phase.name, True)) if decided else ((phase.name, False),):
                yield _Step(source, target, done.used, recorded, done.needs, done.gives)


def _unrepeatable_variables(phase: model.Phase, block: model.Block) -> tuple[model.Variable, ...]:
    """The variables whose earlier values the ``ensuring`` of a move forbids to come back; empty for other blocks."""
    for rule in phase.decision.moves if isinstance(phase.decision, model.Turn) else ():
        if rule.body is block and rule.ensuring is not None:
            for part in consequences(rule.ensuring):
                if isinstance(part, model.Not) and isinstance(part.operand, model.Repeated):
                    return part.operand.variables
    return ()


@frozen(eq=False, repr=False)
class _Done(ByValue):
    """What a path is sure to have used up, the constants that it needs and those that it gives at its end; and whether
    it leads to the next draw of a ``chance for``."""

    used: Used = frozenset()
    needs: Constants = frozenset()
    gives: Constants = frozenset()
    is_next_draw: bool = False


@define(eq=False, repr=False)
class _Uses(Paths[_Done]):
    """The measures that paths are sure to use up."""

    measures: Measures = field(factory=dict)
    phase: model.Phase = field(kw_only=True)

    def behind(self, done: _Done, statement: model.Assign | model.Fill, guards: Guards) -> _Done:
        way = self.measures.get(statement.variable)
        if way is None or not isinstance(statement, model.Assign) or not self.is_sure(statement, way, guards):
            return done
        return evolve(done, used=done.used | {statement.variable})

    def behind_rounds(self, done: _Done, body: model.Block) -> _Done:
        return done  # there may be none

    def entering(self, done: _Done, leave: model.Go, guards: Guards) -> _Done:
        gives = {(k, each.value) for k, each in enumerate(leave.arguments) if isinstance(each, model.Const)}
        return _Done(done.used, frozenset(self._needed_constants(guards)), frozenset(gives), leave.is_next_draw)

    def _needed_constants(self, guards: Guards) -> Iterator[tuple[int, Value]]:
        parameters = self.fixed & frozenset(range(len(self.phase.parameters)))
        for guard in guards:
            match guard:
                case model.Local(slot) if slot in parameters:
                    yield slot, True
                case model.Not(model.Local(slot)) if slot in parameters:
                    yield slot, False
