"""Whether every play ends, as far as the rules alone can prove it.

A play that does not end goes from phase to phase for ever, through decisions or, which is an error when it comes to
that, in a circle without one (``otherwise: go b``, and there ``otherwise: go a``). Either way it goes round some cycle
of the phase graph for ever. That is impossible

- where there is no cycle (trees, tables, hands of poker), or
- where every cycle has a step that uses something up. This is the ranking function of program verification
  (Floyd, "Assigning meanings to programs", 1967), looked for among these, each of which can only go one way:
  - *filling*: entries of a variable turn from ``none`` to a value (or from false to true) and never back; a step uses
    one up if it sets an entry that its guard finds to be ``none`` (or false);
  - *rising* and *falling*: a number is only ever increased, or only ever decreased, and its type bounds it; a step
    uses it up if the difference is not 0;
  - *shrinking* and *growing*: a set only ever loses, or gains, members; a step uses it up if it takes out one that its
    guard or domain finds, or puts in one that is missing;
  - *moving on* and *emptying*: what stands in the entries of a variable only moves to where it has not been, or is
    taken away (:mod:`zermelo.interpreter.checks.advancing`); a step uses it up if it takes away what its guard finds;
  - the tuple of a claim ``terminates by``, where it is proved to get smaller with every decision
    (:mod:`zermelo.interpreter.checks.falling`).

Why that is sound. Of the steps that an endless play makes, those that it makes again and again lie on cycles that
touch, and from some moment on it makes no others. A variable that goes one way in all blocks of those phases has
finitely many values, or moves down an order without infinite descent, so it is used up finitely often: no step that
uses it up is among them. What is left without those steps has no cycle, so there is no such play. That a step uses
something up is claimed of each path through its block by itself, of statements that are sure to run (what stands in a
loop may not), and with guards that speak of the state in which the step began only as long as nothing has been
assigned, or of an entry whose indices cannot have changed since.

A phase that is left without a decision offers none. So a step that is sure to lead to one is followed by a decision:
``otherwise: if some c in Cell: legal(c, other p): go play(other p)``, where ``play`` offers every c that is legal.

An error of the rules breaks a play off; whether there are errors is another question. The method is sound and not
complete: where it fails, a survey or the search itself may still settle the matter. It refutes nothing: that takes a
play that goes round.
"""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from attrs import define, field, frozen

from zermelo.interpreter.analysis.fact import Fact
from zermelo.interpreter.checks.advancing import advancing
from zermelo.interpreter.checks.falling import falls
from zermelo.interpreter.checks.measures import Guards, Measures, measures
from zermelo.interpreter.checks.paths import Paths, PhaseEntered, Rests, ways_out
from zermelo.interpreter.model import Assign, Block, Fill, Model, Phase, Variable
from zermelo.interpreter.model.walks import blocks_of_phase

Used = frozenset[Variable]
"""The variables that a path is sure to use up."""


@frozen
class _Step:
    """A ``go`` from ``source`` to ``target``, and the variables that it is sure to use up."""

    source: PhaseEntered
    target: PhaseEntered
    uses: Used


def terminates(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether every play ends. ``phases`` are those that a play may come to."""
    proofs: dict[str, None] = {}
    rests = Rests({} if model.history else model.phases)
    for cycle in _cycles([step for phase in phases for step in _steps(phase, {}, rests)]):
        names = {name for name, _ in cycle}
        around = [phase for phase in phases if phase.name in names]
        found = advancing(around) | measures(block for phase in around for block in blocks_of_phase(phase))
        steps = [step for phase in around for step in _steps(phase, found, rests) if step.target[0] in names]
        needed = _needed(found, steps)
        if needed is None:
            return _by_claim(model, phases)
        proofs |= dict.fromkeys(f"'{variable.name}' only {found[variable]}" for variable in needed)
    if not proofs:
        return Fact(True, "no decision can come again")
    return Fact(True, f"{' and '.join(proofs)}, a little on every round")


def _by_claim(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether every play ends since something that the file names gets smaller."""
    for claim in model.claims:
        if claim.property == "terminates" and claim.arguments:
            fact = falls(model, phases, claim)
            if fact.holds:
                return fact
    return Fact(None, "it is not proved that every play ends")


def _needed(measures: Measures, steps: list[_Step]) -> list[Variable] | None:
    """The variables of which every round uses up one, as few as will do; None where a round may use up nothing."""
    used = [variable for variable in measures if any(variable in step.uses for step in steps)]
    for enough in (*([variable] for variable in used), used):
        if not _cycles([step for step in steps if step.uses.isdisjoint(enough)]):
            return enough
    return None


def _cycles(steps: list[_Step]) -> list[set[PhaseEntered]]:
    """The nodes of the cycles of these steps; cycles that touch are one."""
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
    """The nodes that one or more steps lead to."""
    reached: set[PhaseEntered] = set()
    waiting = [start]
    while waiting:
        new = follows.get(waiting.pop(), set()) - reached
        reached |= new
        waiting.extend(new)
    return reached


def _steps(phase: Phase, measures: Measures, rests: Rests) -> Iterator[_Step]:
    """All the ways out of a phase. One that offers something is left by its decision alone."""
    for decided, block, guards, fixed in ways_out(phase):
        paths = _Uses(fixed, rests, measures=measures)
        paths.follow(block, frozenset({frozenset()}), guards)
        for target, used in paths.targets:
            for source in ((phase.name, False), (phase.name, True)) if decided else ((phase.name, False),):
                yield _Step(source, target, used)


@define(eq=False)
class _Uses(Paths[Used]):
    """What paths are sure to use up."""

    measures: Measures = field(factory=dict)

    def behind(self, done: Used, statement: Assign | Fill, guards: Guards) -> Used:
        way = self.measures.get(statement.variable)
        if way is None or not isinstance(statement, Assign) or not self.is_sure(statement, way, guards):
            return done
        return done | {statement.variable}

    def behind_rounds(self, done: Used, body: Block) -> Used:
        return done  # there may be none
