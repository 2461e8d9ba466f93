"""Decisions that some play certainly reaches, as far as the rules alone prove it.

A chain of ``go`` may lead to a phase that no play reaches, since guards may bar the way. So an example in the rules
refutes a property only if some play reaches it. This module follows the steps that no guard can bar: a phase whose
entry statements do not leave it, and which cannot be skipped, decides something; there a move without guards or
conditions and with nonempty domains is legal in every state, and so is the only move of a phase without ``otherwise``.
An unconditional ``go`` in its effects leads on.

Sound, apart from errors of the rules: a play that ends in one on the way shows only that the rules are wrong.
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
        return set(model.phases)  # plays reach every node of a tree and every cell of a table
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
    """The entry statements of the first phase at the beginning of a play, with an ``if`` replaced by its branch where
    the arguments and unchanged initial values decide it."""
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
    """Whether some instance of the rule is legal whenever its phase decides something."""
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
    """The phase to which a block leads on every path, if by an unconditional ``go``."""
    for statement in block:
        match statement:
            case Go(phase):
                yield phase
                return
            case If_() | For() | Do() | End() if _may_leave((statement,)):
                return
