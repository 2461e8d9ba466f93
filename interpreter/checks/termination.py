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
    away (:mod:`zermelo.interpreter.checks.advancing`); a step uses it up if it takes away a value that is there
    according to its guard;
  - the tuple of a claim ``terminates by``, if it is proved to fall with every decision
    (:mod:`zermelo.interpreter.checks.falling`); or
- if every cycle without such a step enters a phase that counts repetitions and ends the play at some number
  (:mod:`zermelo.interpreter.checks.recurrence`); or
- if every cycle without such a step has a *new* one: a move ``ensuring not repeated(board)`` that goes to a phase with
  a decision. ``ensuring`` looks at the values that are recorded when that phase is entered, right after the effects and
  before anything else. So each such move adds values to the history that were not there at any earlier decision, or
  only at the last one, and there are finitely many. What else is played changes nothing about this, since the history
  only grows. A phase that is entered with one constant, and left with such a step only by another, is not left by it
  then: ``pass`` that goes on to ``play(other p, true)`` and ends the play if its parameter is true cannot follow
  itself.

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

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from attrs import define, evolve, field, frozen

from zermelo.grammar.by_value import ByValue
from zermelo.interpreter.analysis.fact import Fact
from zermelo.interpreter.checks.advancing import advancing
from zermelo.interpreter.checks.falling import falls
from zermelo.interpreter.checks.guards import consequences
from zermelo.interpreter.checks.measures import Guards, Measures, measures
from zermelo.interpreter.checks.paths import Paths, PhaseEntered, Rests, ways_out
from zermelo.interpreter.checks.recurrence import ends_repetitions
from zermelo.interpreter.model import (
    Assign,
    Block,
    Const,
    Fill,
    Go,
    Local,
    Model,
    Not,
    Phase,
    Repeated,
    Turn,
    Variable,
)
from zermelo.interpreter.model.walks import blocks_of_phase
from zermelo.interpreter.values import Value

Used = frozenset[Variable]
"""The variables that a path is sure to use up."""

Constants = frozenset[tuple[int, Value]]
"""The values of some parameters of a phase, by their numbers."""


@frozen(eq=False, repr=False)
class _Step(ByValue):
    """A ``go`` from ``source`` to ``target``, and the variables that it is sure to use up. ``new`` are variables with
    whose values it is sure to be recorded that have been there at no earlier decision. It is made only if the
    parameters of the source have the values that it ``needs``, and ``gives`` those of the target constants."""

    source: PhaseEntered
    target: PhaseEntered
    uses: Used
    new: tuple[Variable, ...]
    needs: Constants
    gives: Constants

    def may_follow(self, earlier: _Step) -> bool:
        """Whether this step may be the next one after another."""
        given = dict(earlier.gives)
        return earlier.target == self.source and all(given.get(k, value) == value for k, value in self.needs)


def terminates(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether every play ends. ``phases`` are the reachable ones."""
    proofs: dict[str, None] = {}
    ended: set[str] = set()
    rests = Rests({} if model.history else model.phases)
    new: dict[str, None] = {}
    for cycle in _cycles([step for phase in phases for step in _steps(model, phase, {}, rests)]):
        names = {name for name, _ in cycle}
        around = [phase for phase in phases if phase.name in names]
        found = advancing(around) | measures(block for phase in around for block in blocks_of_phase(phase))
        steps = [step for phase in around for step in _steps(model, phase, found, rests) if step.target[0] in names]
        counting = {phase.name for phase in around if ends_repetitions(phase)}
        counted = [step for step in steps if step.source[0] not in counting]
        needed = _needed(found, counted)
        if needed is None:
            repeating = [step for step in counted if not step.new]
            needed = [] if not _goes_round(repeating) else _needed(found, repeating)
            new |= dict.fromkeys(variable.name for step in counted for variable in step.new)
        if needed is None:
            return _by_claim(model, phases)
        proofs |= dict.fromkeys(f"'{variable.name}' only {found[variable]}" for variable in needed)
        ended |= counting
    reasons = [f"{' and '.join(proofs)}, a little on every round"] if proofs else []
    reasons += [f"'{name}' ends plays that repeat themselves" for name in sorted(ended)]
    if new:
        reasons.append(f"moves must not repeat the values of {' and '.join(map(repr, new))}")
    return Fact(True, "; ".join(reasons) or "no decision can come again")


def _by_claim(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether every play ends because of a ranking function claimed by the file."""
    for claim in model.claims:
        if claim.is_measured():
            fact = falls(model, phases, claim)
            if fact.holds:
                return fact
    return Fact(None, "it is not proved that every play ends")


def _needed(measures: Measures, steps: list[_Step]) -> list[Variable] | None:
    """Variables of which every cycle uses up one: a single one if possible; None if a cycle may use up nothing."""
    used = [variable for variable in measures if any(variable in step.uses for step in steps)]
    for enough in (*([variable] for variable in used), used):
        if not _cycles([step for step in steps if step.uses.isdisjoint(enough)]):
            return enough
    return None


def _cycles(steps: list[_Step]) -> list[set[PhaseEntered]]:
    """The strongly connected components with a cycle."""
    follows: dict[PhaseEntered, set[PhaseEntered]] = {}
    for step in steps:
        follows.setdefault(step.source, set()).add(step.target)
    try:
        TopologicalSorter(follows).prepare()
    except CycleError:
        reach = {node: _reached(follows, node) for node in follows}
        cycles = {node: {other for other in found if node in reach.get(other, ())} for node, found in reach.items()}
        return [cycle for node, cycle in cycles.items() if cycle and node == min(cycle)]
    return []


def _reached(follows: dict[PhaseEntered, set[PhaseEntered]], start: PhaseEntered) -> set[PhaseEntered]:
    """The nodes reachable by one or more steps."""
    reached: set[PhaseEntered] = set()
    waiting = [start]
    while waiting:
        new = follows.get(waiting.pop(), set()) - reached
        reached |= new
        waiting.extend(new)
    return reached


def _goes_round(steps: list[_Step]) -> bool:
    """Whether steps may follow one another for ever."""
    left = list(steps)
    while left:
        kept = [step for step in left if any(step.may_follow(earlier) for earlier in left)]
        if len(kept) == len(left):
            return True
        left = kept
    return False


def _steps(model: Model, phase: Phase, measures: Measures, rests: Rests) -> Iterator[_Step]:
    """All ways out of a phase. One that offers a move is left only by its decision."""
    for decided, block, guards, fixed in ways_out(phase):
        new = _must_be_new(phase, block)
        paths = _Uses(fixed, rests, measures=measures, parameters=frozenset(range(len(phase.parameters))))
        paths.follow(block, frozenset({_Done()}), guards)
        for target, done in paths.targets:
            recorded = new if model.phases[target[0]].decision is not None else ()
            for source in ((phase.name, False), (phase.name, True)) if decided else ((phase.name, False),):
                yield _Step(source, target, done.used, recorded, done.needs, done.gives)


def _must_be_new(phase: Phase, block: Block) -> tuple[Variable, ...]:
    """The variables whose values a block, if it is that of a move, must not bring back."""
    for rule in phase.decision.moves if isinstance(phase.decision, Turn) else ():
        if rule.body is block and rule.ensuring is not None:
            for part in consequences(rule.ensuring):
                if isinstance(part, Not) and isinstance(part.operand, Repeated):
                    return part.operand.variables
    return ()


@frozen
class _Done:
    """What a path is sure to have used up; with the constants that it needs and, at its end, gives."""

    used: Used = frozenset()
    needs: Constants = frozenset()
    gives: Constants = frozenset()


@define(eq=False, repr=False)
class _Uses(Paths[_Done]):
    """The measures that paths are sure to use up."""

    measures: Measures = field(factory=dict)
    parameters: frozenset[int] = frozenset()

    def behind(self, done: _Done, statement: Assign | Fill, guards: Guards) -> _Done:
        way = self.measures.get(statement.variable)
        if way is None or not isinstance(statement, Assign) or not self.is_sure(statement, way, guards):
            return done
        return evolve(done, used=done.used | {statement.variable})

    def behind_rounds(self, done: _Done, body: Block) -> _Done:
        return done  # there may be none

    def entering(self, done: _Done, leave: Go, guards: Guards) -> _Done:
        gives = {(k, each.value) for k, each in enumerate(leave.arguments) if isinstance(each, Const)}
        return evolve(done, needs=frozenset(self._needed(guards)), gives=frozenset(gives))

    def _needed(self, guards: Guards) -> Iterator[tuple[int, Value]]:
        for guard in guards:
            match guard:
                case Local(slot) if slot in self.fixed & self.parameters:
                    yield slot, True
                case Not(Local(slot)) if slot in self.fixed & self.parameters:
                    yield slot, False
