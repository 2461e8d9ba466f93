"""Decisions that some play is sure to come to, as far as the rules alone tell.

A phase that a chain of ``go`` leads to may yet never come up, since guards may forbid the way to it. So an example
found in the rules refutes nothing, unless some play comes to it. Followed here is what no guard can forbid: from the
start on, a phase whose entry statements do not leave it and whose decision cannot be passed over is one in which
something is decided; and of that, a move without guards and conditions whose parameters have something to choose from
can be made, whatever the state, and so can the only move there is where nothing is said for the case that it is not
offered. Where its effects come to a ``go`` that stands in no ``if``, the play goes on there.

Sound, errors of the rules apart: a play that breaks off on the way shows that the rules are wrong, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.interpreter.analysis.simplifying import simplify
from zermelo.interpreter.model import (
    Assign,
    Block,
    Const,
    Do,
    End,
    Expr,
    Fill,
    For,
    Go,
    If_,
    Model,
    Phase,
    Read,
    Rule,
    Statement,
    Together,
    Turn,
)
from zermelo.interpreter.model.rewriting import map_parts, substitute
from zermelo.interpreter.model.walks import rules_of, statements


def certain_decisions(model: Model) -> set[str]:
    """The names of phases in which some play decides something."""
    if model.notation != "phases":
        return set(model.phases)  # every branch of a tree can be taken, and every cell of a table come to
    decided: set[str] = set()
    entered: set[str] = set()
    waiting: list[str] = [model.start.phase]
    while waiting:
        name = waiting.pop()
        if name in entered:
            continue
        entered.add(name)
        phase = model.phases[name]
        entry = tuple(_at_start(model)) if name == model.start.phase else phase.entry
        if _may_leave(entry):
            waiting.extend(_way_out(entry))
            continue
        offered = [rule for rule in rules_of(phase.decision) if _is_offered(rule, phase)]
        if phase.otherwise is None or offered:
            decided.add(name)
            if isinstance(phase.decision, Together):
                waiting.extend(_way_out(phase.decision.then))
            for rule in offered:
                waiting.extend(_way_out(rule.body))
    return decided


def _at_start(model: Model) -> Iterator[Statement]:
    """The entry statements of the first phase as they run when a play begins: of an ``if`` the branch that is taken,
    where that follows from the arguments and from first values that nothing has changed."""
    arguments = dict(enumerate(model.start.arguments))
    changed = {statement.variable for statement in statements(model.setup) if isinstance(statement, Assign | Fill)}

    def settled(expr: Expr) -> Expr:
        match expr:
            case Read(variable) if variable.has_initial and variable not in changed:
                return Const(variable.initial, type=expr.type, span=expr.span)
        return map_parts(expr, settled)

    for statement in model.phases[model.start.phase].entry:
        if isinstance(statement, If_) and not model.history:
            condition = simplify(settled(substitute(statement.condition, arguments)))
            if isinstance(condition, Const):
                yield from statement.yes if condition.value else statement.no
                continue
        changed |= {inner.variable for inner in statements((statement,)) if isinstance(inner, Assign | Fill)}
        yield statement


def _is_offered(rule: Rule, phase: Phase) -> bool:
    """Whether some instance of a rule is offered whenever its phase decides something."""
    if isinstance(phase.decision, Together):
        return False
    rules = rules_of(phase.decision)
    if len(rules) == 1 and phase.otherwise is None:
        return True
    is_narrowed = isinstance(phase.decision, Turn) and phase.decision.is_narrowed
    if any(rule.guards) or rule.ensuring is not None or is_narrowed:
        return False
    numbers = [simplify(number) for number in (rule.weight, rule.probability) if number is not None]
    domains = [simplify(parameter.domain) for parameter in rule.parameters]
    return all(isinstance(number, Const) and number.value for number in numbers) and all(
        isinstance(domain, Const) and bool(domain.value) for domain in domains
    )


def _may_leave(block: Block) -> bool:
    return any(isinstance(statement, Go | End) for statement in statements(block))


def _way_out(block: Block) -> Iterator[str]:
    """The phase to which a block leads on every path, if it is written down as a ``go`` of its own."""
    for statement in block:
        match statement:
            case Go(phase):
                yield phase
                return
            case If_() | For() | Do() | End() if _may_leave((statement,)):
                return
