"""Events: positions as witnesses and tests describe them, ``left == 1``, ``in play if left == 1``, ``end win Ann``."""

from __future__ import annotations

from zermelo.grammar import syntax
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.declarations import FileGlobals
from zermelo.interpreter.elaboration.expressions import condition
from zermelo.interpreter.elaboration.local_names import LocalName
from zermelo.interpreter.elaboration.names import undefined
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.elaboration.statements import outcome_of
from zermelo.interpreter.model.rewriting import reads_state, subexpressions


def event_of(written: syntax.Event, globals: FileGlobals, what: str) -> model.Event:
    """An event; ``what`` its condition is in messages."""
    scope = globals.scope()
    match written:
        case syntax.InPhase(phase=phase, condition=held):
            _enter(phase, scope)
            return model.Event("phase", phase.text, condition=_condition(held, scope, what))
        case syntax.AtEnd(outcome=outcome, condition=held):
            paid = None
            if outcome is not None:
                paid = fixed_outcome(outcome, "the payoff of an end that is asked for", outcome.span, globals)
            return model.Event("end", paid=paid, condition=_condition(held, scope, what))
        case syntax.InPosition(condition=held):
            return model.Event("anywhere", condition=_condition(held, scope, what))


def _condition(held: syntax.Expression | None, scope: Scope, what: str) -> model.Loose | None:
    return None if held is None else model.Loose(condition(held, scope, what), scope.frame.size)


def _enter(phase: syntax.Name, scope: Scope) -> None:
    """Bind the parameters of a phase, in which somebody or chance must have something to decide."""
    globals = scope.globals
    written = globals.declarations.phases
    if phase.text not in written:
        undefined(phase.text, phase.span, "phase", written, globals.findings)
        return
    globals.refer(phase.span, written[phase.text].name.span)
    bind_parameters(phase.text, scope)
    if written[phase.text].decision is None:
        globals.findings.report(
            "wrong-kind-of-name",
            phase.span,
            f"nobody decides anything in phase '{phase}'",
            remark="no play is ever at rest there",
            help="name the phase of the decision that comes before or after it",
        )


def bind_parameters(phase: str, scope: Scope) -> None:
    """Give an expression outside the rules the parameters of a phase, in the first slots."""
    for parameter in scope.globals.phase_parameters[phase]:  # not bound, since what they hide has been reported
        declared, slot = parameter.type, scope.frame.new_slot()
        scope.names[parameter.name] = LocalName(
            parameter.name, slot, declared.base, parameter.span, "parameter", declared, expendable=True
        )


def fixed_outcome(written: syntax.Outcome, what: str, span: Span, globals: FileGlobals) -> model.FixedOutcome:
    """An outcome that is the same in every position; ``what`` it is in messages."""
    scope = globals.scope()
    outcome = outcome_of(written, scope, span)
    for expr in subexpressions(model.End(outcome, span=span)):
        if reads_state(expr):
            globals.findings.report(
                "not-constant",
                expr.span,
                f"{what} must be the same in every position",
                remark="this depends on the position",
            )
    return model.FixedOutcome(outcome, scope.frame.size, span)
