"""What fails in the first positions of a game, which a check of its file need not leave to the first player.

Positions are visited breadth first, on the reference machine, so that the play to an error is a shortest one. They are
as many as a fixed amount of work allows, counted in evaluations of expressions: no clock decides what is found.
"""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Final

from attrs import evolve

from zermelo.grammar.diagnostics import Finding, Findings, ZermeloError
from zermelo.interpreter import model
from zermelo.interpreter.evaluation.context import Closure, Context, Frame
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.machine import CHANCE, END, Move, PlayError, display_text
from zermelo.interpreter.model.cardinality import most_members
from zermelo.interpreter.model.rewriting import subexpressions
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.reference.run import ReferenceState
from zermelo.interpreter.types import SetType, strip_none
from zermelo.interpreter.values import OrderedSet, Value

WORK: Final = 60_000
"""How many expressions are evaluated: some hundredths of a second. One that goes through a set counts as often as that
may have members."""

MOVE: Final = 150
"""A move that is made counts as this many evaluations, and one more for each :data:`ENTRIES` entries of variables."""

ENTRIES: Final = 20
"""How many entries of variables are copied and compared in the time of one evaluation."""

DRAWS: Final = 3
"""How many outcomes of chance are drawn where they are too many to list."""


def add_first_fault(game: model.Model, findings: Findings) -> None:
    """Visit the first positions of a game that has been checked, unless it has errors, and add what fails there, with
    the play that leads to it."""
    if findings.errors:
        return
    fault = first_fault(game)
    if fault is not None:
        moves = ", ".join(map(display_text, fault.play))
        where = f"after {moves}" if moves else "at the beginning"
        shown = evolve(fault.finding, message=f"{fault.finding.message} ({where})")
        drop_suspicion(findings, shown)
        findings.found.append(shown)


def drop_suspicion(findings: Findings, shown: Finding) -> None:
    """Drop the warning that something may fail where it does."""
    findings.found = [each for each in findings.found if (each.code, each.span) != ("possible-zero", shown.span)]


def first_fault(game: model.Model) -> PlayError | None:
    """The first error of the rules that is met, if any."""
    meter, random = _Meter(), Random(0)
    work_of_move = MOVE + sum(variable.entries for variable in game.variables) // ENTRIES
    machine = ReferenceMachine(game, meter)
    try:
        waiting = deque([machine.initial()])
        met = {machine.position(waiting[0])}
        while waiting:
            state = waiting.popleft()
            for move in _offered(machine, state, random):
                meter.spend(work_of_move)
                there = machine.after(state, move)
                position = machine.position(there)
                if there.actor != END and position not in met:
                    met.add(position)
                    waiting.append(there)
    except PlayError as fault:
        return fault
    except _WorkDone:
        return None
    except ZermeloError as refusal:  # of a draw
        if refusal.code != "too-many-outcomes":
            raise
    return None


def _offered(machine: ReferenceMachine, state: ReferenceState, random: Random) -> list[Move]:
    """The moves or outcomes of a state; of too many outcomes some."""
    if state.actor != CHANCE:
        return list(machine.moves(state))
    try:
        return [move for move, _ in machine.outcomes(state)]
    except ZermeloError as refusal:
        if refusal.code != "too-many-outcomes":
            raise
        return [machine.draw(state, random) for _ in range(DRAWS)]


class _WorkDone(Exception):
    """No more work is to be done."""


class _Meter(Compiler):
    """Compiles expressions with a count of their evaluations."""

    def __init__(self) -> None:
        super().__init__()
        self.left = WORK

    def expression(self, expr: model.Expr) -> Closure:
        closure, work = super().expression(expr), _work(expr)

        def evaluate_and_count(context: Context, frame: Frame) -> Value:
            self.spend(work)
            return closure(context, frame)

        return evaluate_and_count

    def spend(self, work: int) -> None:
        """Count so much work; raises :class:`_WorkDone`."""
        self.left -= work
        if self.left < 0:
            raise _WorkDone


def _work(expr: model.Expr) -> int:
    """The work of an expression beside that of its parts."""
    match expr:
        case model.Const(value=OrderedSet() as members):
            return max(1, len(members))
        case model.Apply() | model.SetOperation():
            sets = [part for part in subexpressions(expr) if isinstance(strip_none(part.type), SetType)]
            return max((most_members(part) or 1 for part in sets), default=1)
        case model.RangeSet() | model.Subsets():
            return max(1, most_members(expr) or 1)
        case _:
            return 1
