"""Phases that no play enters for ever, since they count repetitions.

On entry, before anything else changes, ``if repetitions(board) >= 3: end draw``. A play that enters such a phase again
and again has only finitely many values of the variables and of the phase's arguments to enter it with. So there are
some with which it enters a third time; the count is three then, and the play ends. What else the condition is about
does not matter as long as it holds whenever the count is reached: ``if dead or repetitions(board) >= 3``.

Sound only where entering is recorded, which it is in phases with a decision, before their first statement; and where no
play comes past the condition, nor to it with other values: so before it there may be nothing but names, and other
conditions that end the play.
"""

from __future__ import annotations

from itertools import takewhile

from zermelo.interpreter.checks.guards import consequences, negation
from zermelo.interpreter.model import Compare, Const, End, Expr, If_, Not, Phase, Repetitions, SetLocal, Statement


def ends_repetitions(phase: Phase) -> bool:
    """Whether the phase is sure to end a play that enters it often enough."""
    if phase.decision is None:
        return False
    first = takewhile(lambda statement: isinstance(statement, SetLocal) or _only_ends(statement), phase.entry)
    return any(isinstance(statement, If_) and _holds_at_some_count(statement.condition) for statement in first)


def _only_ends(statement: Statement) -> bool:
    """Whether a statement ends the play or changes nothing."""
    return isinstance(statement, If_) and not statement.no and isinstance(next(iter(statement.yes), None), End)


def _holds_at_some_count(condition: Expr) -> bool:
    """Whether the condition holds whenever a count of repetitions has come up to some number: it is then among what the
    failure of the condition excludes."""
    return any(isinstance(part, Not) and _is_count(part.operand) for part in consequences(negation(condition)))


def _is_count(part: Expr) -> bool:
    """Whether it says that a count has come up to a number. The count of an entry is 1 or more, and grows by 1 from one
    entry to the next with the same values, so it takes every value from 1 on."""
    match part:
        case Compare(">=" | ">", Repetitions(), Const()) | Compare("<=" | "<", Const(), Repetitions()):
            return True
        case Compare("==", Repetitions(), Const(number)) | Compare("==", Const(number), Repetitions()):
            return isinstance(number, int) and number >= 1
    return False
