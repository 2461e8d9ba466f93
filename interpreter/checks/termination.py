"""Whether every play ends, as far as the rules alone can prove it.

A play that never ends goes from phase to phase for ever, and passes through decisions for ever, since phases that
follow each other without a decision are an error. So it goes round some cycle of the phase graph for ever. That is
impossible

- where no cycle has a decision in it (trees, tables, hands of poker), or
- where every such cycle has a step that uses something up. This is the ranking function of program verification
  (Floyd, "Assigning meanings to programs", 1967), looked for among these, each of which can only go one way:
  - *filling*: entries of a variable turn from ``none`` to a value (or from false to true) and never back; a step uses
    one up if it sets an entry that its guard finds to be ``none`` (or false);
  - *rising* and *falling*: a number is only ever increased, or only ever decreased, and its type bounds it; a step
    uses it up if the difference is not 0;
  - *shrinking*: a set only ever loses members; a step uses it up if it takes out one that its guard or domain finds;
  - *moving on* and *emptying*: what stands in the entries of a variable only moves to where it has not been, or is
    taken away (:mod:`interpreter.checks.advancing`); a step uses it up if it takes away what its guard finds.

A claim ``terminates by`` is no proof and is not looked at. The method is sound and not complete: where it fails, a
survey or the search itself may still settle the matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from grammar.record import Mutable, Record, evolve, field
from interpreter.checks.advancing import advancing
from interpreter.checks.fact import Fact
from interpreter.checks.guards import consequences, known_conditions, negation
from interpreter.checks.measures import Guards, Measures, measures, taken_items, uses_up
from interpreter.checks.phase_graph import blocks
from interpreter.model import (
    Assign,
    Block,
    Chance,
    Do,
    End,
    Expr,
    Fill,
    For,
    Go,
    If_,
    Model,
    Phase,
    SetLocal,
    Together,
    Variable,
)
from interpreter.rewriting import free_slots, reads_state, substitute

Used = frozenset[Variable]
Paths = frozenset[Used]
"""What each of several paths uses up; empty where there is no path."""


class _Step(Record):
    """A ``go`` of ``source``: behind a decision or not, and the variables that it is sure to use up."""

    source: str
    target: str
    decided: bool
    uses: Used


def terminates(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether every play ends. ``phases`` are those that a play may come to."""
    proofs: dict[str, None] = {}
    for cycle in _cycles([step for phase in phases for step in _steps(phase, {})]):
        around = [phase for phase in phases if phase.name in cycle]
        found = advancing(around) | measures(block for phase in around for block in blocks(phase))
        steps = [step for phase in around for step in _steps(phase, found) if step.target in cycle]
        needed = _needed(found, steps)
        if needed is None and model.endless is not None:
            return Fact(False, "the file says with 'endless' what a play without end is worth")
        if needed is None:
            return Fact(None, "it is not proved that every play ends")
        proofs |= dict.fromkeys(f"'{variable.name}' only {found[variable]}" for variable in needed)
    if not proofs:
        return Fact(True, "no decision can come again")
    return Fact(True, f"{' and '.join(proofs)}, a little on every round")


def _needed(measures: Measures, steps: list[_Step]) -> list[Variable] | None:
    """The variables of which every round uses up one, as few as will do; None where a round may use up nothing."""
    used = [variable for variable in measures if any(variable in step.uses for step in steps)]
    for enough in (*([variable] for variable in used), used):
        if not _cycles([step for step in steps if step.uses.isdisjoint(enough)]):
            return enough
    return None


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
        paths.follow(block, frozenset({frozenset()}), guards)
        for target, used in paths.targets:
            yield _Step(phase.name, target, decided, used)


class _Paths(Mutable):
    """The paths through one block, each with what it is sure to use up.

    ``fixed`` are the slots that keep their values: parameters, and what the entry of the phase has named. Guards speak
    of the state in which the step began. As long as that is ``untouched``, an expression that reads it means the same
    in an assignment; ``named`` are the names that ``let`` gave meanwhile.
    """

    measures: Measures
    fixed: frozenset[int]
    untouched: bool = True
    named: dict[int, Expr] = field(factory=dict)
    targets: list[tuple[str, Used]] = field(factory=list)

    def follow(self, block: Block, paths: Paths, guards: Guards) -> Paths:
        """Follow the paths that come to a block. Returns those that run through it without leaving."""
        for statement in block:
            if not paths:
                break
            match statement:
                case Go(phase, _):
                    self.targets.extend((phase, used) for used in paths)
                    return frozenset()
                case End():
                    return frozenset()
                case SetLocal(slot, value, _, None) if self.untouched:
                    self.named[slot] = substitute(value, self.named)
                case Assign(variable):
                    if variable in self.measures and self.is_sure(statement, guards):
                        paths = frozenset(used | {variable} for used in paths)
                    self.untouched = False
                case Fill():
                    self.untouched = False
                case If_():
                    paths, guards = self.branch(statement, paths, guards)
                case For(_, body):
                    self.untouched = False  # by an earlier round, perhaps
                    self.follow(body, paths, guards)
                case Do(action, _):
                    self.untouched = False
                    inside = _Paths(self.measures, frozenset(), False, targets=self.targets)
                    paths = inside.follow(action.body, paths, ())
        return paths

    def branch(self, statement: If_, paths: Paths, guards: Guards) -> tuple[Paths, Guards]:
        """The paths that run through an ``if``, and what is known behind it."""
        before, condition = self.untouched, substitute(statement.condition, self.named)
        if_yes = (*guards, *consequences(condition)) if before else guards
        if_no = (*guards, *consequences(negation(condition))) if before else guards
        after_yes = self.follow(statement.yes, paths, if_yes)
        touched, self.untouched = not self.untouched, before
        after_no = self.follow(statement.no, paths, if_no)
        self.untouched = self.untouched and not touched
        return after_yes | after_no, if_no if not after_yes else if_yes if not after_no else guards

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
