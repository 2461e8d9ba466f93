"""Whether every play ends, as far as the rules alone can prove it.

A play that never ends goes from phase to phase for ever, and passes through decisions for ever, since phases that
follow each other without a decision are an error. So it goes round some cycle of the phase graph for ever. That is
impossible

- where no cycle has a decision in it (trees, tables, hands of poker), or
- where every such cycle has a step that uses something up. This is the ranking function of program verification
  (Floyd, "Assigning meanings to programs", 1967), looked for among these, each of which can only go one way:
  - *filling*: entries of a variable turn from ``none`` to a value and never back; a step uses one up if it sets an
    entry that its guard finds to be ``none``;
  - *rising* and *falling*: a number is only ever increased, or only ever decreased, and its type bounds it; a step
    uses it up if the difference is not 0;
  - *shrinking*: a set only ever loses members; a step uses it up if it takes out one that its guard or domain finds.

A claim ``terminates by`` is no proof and is not looked at. The method is sound and not complete: where it fails, a
survey or the search itself may still settle the matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from attrs import define, evolve, field, frozen

from grammar.source import NOWHERE
from interpreter.checks.fact import Fact
from interpreter.checks.guards import consequences, known_conditions
from interpreter.checks.measures import Guards, Measures, measures, taken_items, uses_up
from interpreter.checks.phase_graph import blocks
from interpreter.model import (
    Assign,
    Block,
    Chance,
    Const,
    Do,
    End,
    Expr,
    Fill,
    For,
    Go,
    If_,
    Model,
    Not,
    Phase,
    SetLocal,
    Together,
    Variable,
)
from interpreter.rewriting import free_slots, reads_state, substitute
from interpreter.types import BOOL

Used = frozenset[Variable]


@frozen
class _Step:
    """A ``go`` of ``source``: behind a decision or not, and the variables that it is sure to use up."""

    source: str
    target: str
    decided: bool
    uses: Used


def terminates(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether every play ends. ``phases`` are those that a play may come to."""
    words: dict[str, None] = {}
    for cycle in _cycles([step for phase in phases for step in _steps(phase, {})]):
        around = [phase for phase in phases if phase.name in cycle]
        found = measures(block for phase in around for block in blocks(phase))
        steps = [step for phase in around for step in _steps(phase, found) if step.target in cycle]
        if any(_cycles([step for step in steps if not step.uses])):
            if model.endless is not None:
                return Fact(False, "the file says with 'endless' what a play without end is worth")
            return Fact(None, "it is not proved that every play ends")
        used = {variable for step in steps for variable in step.uses}
        words |= dict.fromkeys(f"'{variable.name}' only {way}" for variable, way in found.items() if variable in used)
    return Fact(True, f"on every round {' and '.join(words)}" if words else "no decision can come again")


def _cycles(steps: list[_Step]) -> list[set[str]]:
    """The phases of the cycles of these steps that pass through a decision; cycles that touch are one."""
    follows: dict[str, set[str]] = {}
    for step in steps:
        follows.setdefault(step.source, set()).add(step.target)
    try:
        TopologicalSorter(follows).prepare()
    except CycleError:
        reach = {phase: _reached(follows, phase) for phase in follows}
        cycles = {phase: {other for other in found if phase in reach.get(other, ())} for phase, found in reach.items()}
        deciding = {step.source for step in steps if step.decided and step.target in cycles[step.source]}
        return [cycle for phase, cycle in cycles.items() if phase == min(cycle, default="") and cycle & deciding]
    return []


def _reached(follows: dict[str, set[str]], start: str) -> set[str]:
    """The phases that one or more steps lead to."""
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        new = follows.get(waiting.pop(), set()) - reached
        reached |= new
        waiting.extend(new)
    return reached


def _steps(phase: Phase, measures: Measures) -> Iterator[_Step]:
    """All the ways out of a phase."""
    decision = phase.decision
    known = frozenset(range(len(phase.parameters))) | {
        statement.slot for statement in phase.entry if isinstance(statement, SetLocal) and statement.type is None
    }
    ways: list[tuple[bool, Block, Guards, frozenset[int]]] = [(False, phase.entry, (), known)]
    if phase.otherwise is not None:
        ways.append((False, phase.otherwise, (), known))
    if isinstance(decision, Together):
        ways.append((True, decision.then, (), known))
    elif decision is not None:
        for rule in decision.outcomes if isinstance(decision, Chance) else decision.moves:
            slots = known | {parameter.slot for parameter in rule.parameters}
            ways.append((True, rule.body, known_conditions(rule), slots))
    for decided, block, guards, fixed in ways:
        paths = _Paths(measures, fixed)
        paths.follow(block, frozenset(), guards)
        for target, used in paths.targets:
            yield _Step(phase.name, target, decided, used)


@define
class _Paths:
    """The paths through one block, followed with what is used up so far.

    ``fixed`` are the slots that keep their values: parameters, and what the entry of the phase has named. Guards speak
    of the state in which the step began. As long as that is ``untouched``, an expression that reads it means the same
    in an assignment; ``named`` are the names that ``let`` gave meanwhile.
    """

    measures: Measures
    fixed: frozenset[int]
    untouched: bool = True
    named: dict[int, Expr] = field(factory=dict)
    targets: list[tuple[str, Used]] = field(factory=list)

    def follow(self, block: Block, used: Used, guards: Guards) -> Used | None:
        """What is used up behind the block, or None where every path through it leaves."""
        behind: Used | None = used
        for statement in block:
            match statement:
                case Go(phase, _):
                    self.targets.append((phase, used))
                    return None
                case End():
                    return None
                case SetLocal(slot, value, _, None) if self.untouched:
                    self.named[slot] = substitute(value, self.named)
                case Assign(variable):
                    if variable in self.measures and self.is_sure(statement, guards):
                        behind = used | {variable}
                    self.untouched = False
                case Fill():
                    self.untouched = False
                case If_():
                    behind = self.branch(statement, used, guards)
                case For(_, body):
                    self.untouched = False  # by an earlier round, perhaps
                    self.follow(body, used, guards)
                case Do(action, _):
                    self.untouched = False
                    inside = _Paths(self.measures, frozenset(), False, targets=self.targets)
                    behind = inside.follow(action.body, used, ())
            if behind is None:
                return None
            used = behind
        return used

    def branch(self, statement: If_, used: Used, guards: Guards) -> Used | None:
        before = self.untouched
        yes, no = (statement.condition, _not(statement.condition)) if before else (TRUE, TRUE)
        after_yes = self.follow(statement.yes, used, (*guards, *consequences(substitute(yes, self.named))))
        touched, self.untouched = not self.untouched, before
        after_no = self.follow(statement.no, used, (*guards, *consequences(substitute(no, self.named))))
        self.untouched = self.untouched and not touched
        if after_yes is None or after_no is None:
            return after_no if after_yes is None else after_yes
        return after_yes & after_no

    def is_sure(self, statement: Assign, guards: Guards) -> bool:
        """Whether the assignment is sure to use its variable up."""
        spoken_of = [*statement.indices, *taken_items(statement)]
        if not self.untouched and any(map(reads_state, spoken_of)):
            guards = ()
        meant = evolve(
            statement,
            indices=tuple(substitute(index, self.named) for index in statement.indices),
            value=substitute(statement.value, self.named),
        )
        if not all(free_slots(expr) <= self.fixed for expr in (*meant.indices, *taken_items(meant))):
            guards = ()
        return uses_up(meant, self.measures[statement.variable], guards)


TRUE = Const(True, type=BOOL, span=NOWHERE)


def _not(expr: Expr) -> Expr:
    return Not(expr, type=BOOL, span=expr.span)
