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
    taken away (:mod:`interpreter.checks.advancing`); a step uses it up if it takes away what its guard finds;
  - the tuple of a claim ``terminates by``, where it is proved to get smaller with every decision
    (:mod:`interpreter.checks.falling`).

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

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from grammar.record import Mutable, Record, evolve, field
from interpreter.checks.advancing import advancing
from interpreter.checks.fact import Fact
from interpreter.checks.guards import consequences, known_conditions, negation
from interpreter.checks.measures import Guards, Measures, measures, taken_items, uses_up
from interpreter.checks.parts import rules_of
from interpreter.checks.phase_graph import blocks
from interpreter.model import (
    Assign,
    Block,
    Do,
    End,
    Expr,
    Fill,
    For,
    Go,
    If_,
    Local,
    Model,
    Phase,
    Quantified,
    Rule,
    SetLocal,
    Together,
    Turn,
    Variable,
)
from interpreter.rewriting import free_slots, reads_state, substitute

Used = frozenset[Variable]
Paths = frozenset[Used]
"""What each of several paths uses up; empty where there is no path."""


Node = tuple[str, bool]
"""A phase on being entered, and whether it is sure then that its decision offers something."""


class _Step(Record):
    """A ``go`` from ``source`` to ``target``, and the variables that it is sure to use up."""

    source: Node
    target: Node
    uses: Used


def terminates(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether every play ends. ``phases`` are those that a play may come to."""
    proofs: dict[str, None] = {}
    rests = _Rests({} if model.history else model.phases)
    for cycle in _cycles([step for phase in phases for step in _steps(phase, {}, rests)]):
        names = {name for name, _ in cycle}
        around = [phase for phase in phases if phase.name in names]
        found = advancing(around) | measures(block for phase in around for block in blocks(phase))
        steps = [step for phase in around for step in _steps(phase, found, rests) if step.target[0] in names]
        needed = _needed(found, steps)
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


def _cycles(steps: list[_Step]) -> list[set[Node]]:
    """The nodes of the cycles of these steps; cycles that touch are one."""
    follows: dict[Node, set[Node]] = {}
    for step in steps:
        follows.setdefault(step.source, set()).add(step.target)
    try:
        TopologicalSorter(follows).prepare()
    except CycleError:
        reach = {node: _reached(follows, node) for node in follows}
        cycles = {node: {other for other in found if node in reach.get(other, ())} for node, found in reach.items()}
        return [cycle for node, cycle in cycles.items() if cycle and node == min(cycle)]
    return []


def _reached(follows: dict[Node, set[Node]], start: Node) -> set[Node]:
    """The nodes that one or more steps lead to."""
    reached: set[Node] = set()
    waiting = [start]
    while waiting:
        new = follows.get(waiting.pop(), set()) - reached
        reached |= new
        waiting.extend(new)
    return reached


def ways_out(phase: Phase) -> Iterator[tuple[bool, Block, Guards, frozenset[int]]]:
    """The blocks by which a phase is left: whether behind its decision, the block, what is known when it begins, and
    the slots that keep their values in it."""
    decision = phase.decision
    known = frozenset(range(len(phase.parameters))) | {
        statement.slot for statement in phase.entry if isinstance(statement, SetLocal) and statement.type is None
    }
    yield False, phase.entry, (), known
    if phase.otherwise is not None:
        yield False, phase.otherwise, (), known
    if isinstance(decision, Together):
        yield True, decision.then, (), known
    elif decision is not None:
        for rule in rules_of(decision):
            yield True, rule.body, known_conditions(rule), known | {parameter.slot for parameter in rule.parameters}


def _steps(phase: Phase, measures: Measures, rests: _Rests) -> Iterator[_Step]:
    """All the ways out of a phase. One that offers something is left by its decision alone."""
    for decided, block, guards, fixed in ways_out(phase):
        paths = _Paths(measures, fixed, rests)
        paths.follow(block, frozenset({frozenset()}), guards)
        for target, used in paths.targets:
            for source in ((phase.name, False), (phase.name, True)) if decided else ((phase.name, False),):
                yield _Step(source, target, used)


class _Rests(Record, eq=False):
    """Whether a ``go`` is sure to lead to a decision that offers something. ``phases`` are those that are looked at:
    none where rules look at the history of the play, which grows on entering a phase."""

    phases: Mapping[str, Phase]

    def at(self, leave: Go, guards: Guards) -> bool:
        """Whether the guards say so, which hold when the phase is entered.

        Nothing changes on entering a phase without entry statements. So a move is offered where some member of its
        parameters' domains is said to meet its guard, with the arguments in place of the phase's parameters. Names of
        the two phases are not confused: a bound slot of the one that is a free slot of the other belongs, on the side
        of the guards, to two names of one phase, whose slots differ.
        """
        phase = self.phases.get(leave.phase)
        if phase is None or phase.entry or not isinstance(phase.decision, Turn) or phase.decision.preferring:
            return False
        arguments = dict(enumerate(leave.arguments))
        moves = [rule for rule in phase.decision.moves if rule.ensuring is None]
        return any(_offers(rule, arguments, guard) for rule in moves for guard in guards)


def _offers(rule: Rule, arguments: dict[int, Expr], guard: Expr) -> bool:
    """Whether a move is offered where ``guard`` holds."""
    match guard:
        case Quantified("some", binders, body) if len(binders) == len(rule.parameters):
            known = {body, *consequences(body, 1)}
        case _:
            return False
    meant = dict(arguments)
    for parameter, binder in zip(rule.parameters, binders, strict=True):
        if binder.stop is not None or substitute(parameter.domain, meant) != binder.domain:
            return False
        known.update(binder.tests)
        meant[parameter.slot] = Local(binder.slot, binder.name, type=parameter.type, span=parameter.span)
    return all(substitute(part, meant) in known for parts in rule.guards for part in parts)


class _Paths(Mutable):
    """The paths through one block, each with what it is sure to use up.

    ``fixed`` are the slots that keep their values: parameters, and what the entry of the phase has named. Guards speak
    of the state in which the step began. As long as that is ``untouched``, an expression that reads it means the same
    in an assignment; ``named`` are the names that ``let`` gave meanwhile.
    """

    measures: Measures
    fixed: frozenset[int]
    rests: _Rests
    untouched: bool = True
    named: dict[int, Expr] = field(factory=dict)
    targets: list[tuple[Node, Used]] = field(factory=list)

    def follow(self, block: Block, paths: Paths, guards: Guards) -> Paths:
        """Follow the paths that come to a block. Returns those that run through it without leaving."""
        for statement in block:
            if not paths:
                break
            match statement:
                case Go():
                    target = (statement.phase, self.leads_to_a_decision(statement, guards))
                    self.targets.extend((target, used) for used in paths)
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
                    inside = _Paths(self.measures, frozenset(), self.rests, False, targets=self.targets)
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

    def leads_to_a_decision(self, statement: Go, guards: Guards) -> bool:
        """Whether the phase that is entered is sure to offer something."""
        arguments = tuple(substitute(argument, self.named) for argument in statement.arguments)
        are_fixed = all(free_slots(argument) <= self.fixed for argument in arguments)
        return self.untouched and are_fixed and self.rests.at(evolve(statement, arguments=arguments), guards)

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
