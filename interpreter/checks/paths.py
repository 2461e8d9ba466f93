"""Path-sensitive analysis of the blocks of a phase: what each path is sure to do.

Every path is followed by itself, through both branches of an ``if``. The subclasses of :class:`Paths` define what a
path does. The body of a loop may run never or many times, so nothing in it is sure; an action is followed in a frame of
its own. Conditions on the state at the beginning of a step (guards, conditions of ``if``) hold until an assignment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from attrs import define, evolve, field, frozen

from zermelo.interpreter.checks.guards import consequences, known_conditions, negation
from zermelo.interpreter.checks.measures import Guards, taken_items, uses_up
from zermelo.interpreter.model import (
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
    Phase,
    Quantified,
    Rule,
    SetLocal,
    Together,
    Turn,
)
from zermelo.interpreter.model.rewriting import free_slots, reads_state, substitute
from zermelo.interpreter.model.walks import rules_of

Done = TypeVar("Done")
"""What a path is sure to do."""

PhaseEntered = tuple[str, bool]
"""A phase, and whether its decision is sure to offer a move on entry."""


def ways_out(phase: Phase) -> Iterator[tuple[bool, Block, Guards, frozenset[int]]]:
    """The blocks by which a phase is left: whether after its decision, the block, the conditions that hold at its
    beginning, and the slots that it does not change."""
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


@frozen(eq=False, repr=False)
class Rests:
    """Whether a ``go`` is sure to lead to a decision that offers a move. ``phases`` is empty if the rules read the
    history, which changes on entering a phase."""

    phases: Mapping[str, Phase]

    def at(self, leave: Go, guards: Guards) -> bool:
        """Whether the guards, which hold on entry, imply it.

        Nothing changes on entering a phase without entry statements. So a move is legal if a guard says that some
        members of its domains meet its own guard, with the arguments in place of the phase's parameters. Slots of the
        two phases cannot be confused: a bound slot of one that is free in the other would be, in the guards, two names
        of one phase, whose slots differ.
        """
        phase = self.phases.get(leave.phase)
        if phase is None or phase.entry or not isinstance(phase.decision, Turn) or phase.decision.is_narrowed:
            return False
        arguments = dict(enumerate(leave.arguments))
        moves = [rule for rule in phase.decision.moves if rule.ensuring is None]
        return any(_offers(rule, arguments, guard) for rule in moves for guard in guards)


def _offers(rule: Rule, arguments: dict[int, Expr], guard: Expr) -> bool:
    """Whether ``guard`` implies that the rule offers a move."""
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


@define(eq=False, repr=False)
class Paths(Generic[Done]):
    """The paths through one block, each with what it is sure to do.

    ``fixed`` are the slots that keep their values: parameters, and names bound on entry. Guards refer to the state at
    the beginning of the step. While that is ``untouched``, an expression has the same value in a guard and in an
    assignment; ``named`` are the names bound by ``let`` in the meantime.
    """

    fixed: frozenset[int]
    rests: Rests
    untouched: bool = True
    named: dict[int, Expr] = field(factory=dict)
    targets: list[tuple[PhaseEntered, Done]] = field(factory=list)

    def behind(self, done: Done, statement: Assign | Fill, guards: Guards) -> Done:
        """What a path has done after an assignment."""
        raise NotImplementedError

    def behind_rounds(self, done: Done, body: Block) -> Done:
        """What a path has done after any number of rounds of a loop."""
        raise NotImplementedError

    def entering(self, done: Done, leave: Go, guards: Guards) -> Done:
        """What a path has done that ends with a ``go``."""
        return done

    def follow(self, block: Block, paths: frozenset[Done], guards: Guards) -> frozenset[Done]:
        """Follow the paths that reach a block. Returns those that fall through it."""
        for statement in block:
            if not paths:
                break
            match statement:
                case Go():
                    target = (statement.phase, self.leads_to_a_decision(statement, guards))
                    self.targets.extend((target, self.entering(done, statement, guards)) for done in paths)
                    return frozenset()
                case End():
                    return frozenset()
                case SetLocal(slot, value, _, None) if self.untouched:
                    self.named[slot] = substitute(value, self.named)
                case Assign() | Fill():
                    paths = frozenset(self.behind(done, statement, guards) for done in paths)
                    self.untouched = False
                case If_():
                    paths, guards = self.branch(statement, paths, guards)
                case For(_, body):
                    self.untouched = False  # by an earlier round, perhaps
                    paths = frozenset(self.behind_rounds(done, body) for done in paths)
                    self.follow(body, paths, guards)
                case Do(action, _):
                    self.untouched = False
                    inside = evolve(self, fixed=frozenset(), untouched=False, named={})
                    paths = inside.follow(action.body, paths, ())
        return paths

    def branch(self, statement: If_, paths: frozenset[Done], guards: Guards) -> tuple[frozenset[Done], Guards]:
        """The paths that fall through an ``if``, and the conditions after it."""
        before, condition = self.untouched, substitute(statement.condition, self.named)
        if_yes = (*guards, *consequences(condition)) if before else guards
        if_no = (*guards, *consequences(negation(condition))) if before else guards
        after_yes = self.follow(statement.yes, paths, if_yes)
        touched, self.untouched = not self.untouched, before
        after_no = self.follow(statement.no, paths, if_no)
        self.untouched = self.untouched and not touched
        return after_yes | after_no, if_no if not after_yes else if_yes if not after_no else guards

    def leads_to_a_decision(self, statement: Go, guards: Guards) -> bool:
        """Whether the entered phase is sure to offer a move."""
        arguments = tuple(substitute(argument, self.named) for argument in statement.arguments)
        are_fixed = all(free_slots(argument) <= self.fixed for argument in arguments)
        return self.untouched and are_fixed and self.rests.at(evolve(statement, arguments=arguments), guards)

    def is_sure(self, statement: Assign, way: str, guards: Guards) -> bool:
        """Whether an assignment is sure to move its variable in a direction."""
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
        return uses_up(meant, way, guards)
