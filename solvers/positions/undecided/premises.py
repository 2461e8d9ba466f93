"""For which games decided positions may be left out, and what a decisive move has to bring in them
(:mod:`zermelo.solvers.kernels.decisive_moves`)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.solution import Problem

NOTHING: Final = -(1 << 63)
"""What no play pays."""


def may_leave_out(problem: Problem[Any]) -> bool:
    """Whether decided positions may be left out: two players with a constant sum, of which it is known what they get if
    a play never ends, or that none does; no chance, nobody choosing at once, and all that is paid comes at the end."""
    facts, machine = problem.facts, problem.machine
    return (
        isinstance(machine, LoweredMachine)
        and len(machine.player_names) == 2
        and facts.sum is not None
        and facts.chance.holds is False
        and facts.simultaneous.holds is False
        and (facts.has_endless or facts.terminates.holds is True)
        and machine.discount == 1
        and machine.program.layout.earnings is None
        and not machine.program.model.history
    )


def middle(problem: Problem[Any]) -> Fraction:
    """What parts those who hurry from those who delay, as in retrograde analysis: what the first player gets from a
    play that never ends, or if there are none, half of what both get together."""
    endless = problem.machine.endless()
    assert problem.facts.sum is not None, "the players have a constant sum"
    return Fraction(problem.facts.sum, 2) if endless is None else endless[0]


def decisive_payoffs(machine: LoweredMachine, problem: Problem[Any]) -> Iterator[int]:
    """What the first player gets, in parts of a payoff, by a decisive move of each player: the most that any play can
    pay to the mover, who gets more than the middle by it. :data:`NOTHING` for a player without such moves."""
    fair, parts = middle(problem), machine.program.denominator
    least, most = problem.bounds
    for bound, is_more in ((most, most > fair), (least, least < fair)):
        in_parts = Fraction(bound) * parts if is_more and isinstance(bound, int | Fraction) else None
        is_one = in_parts is not None and in_parts.denominator == 1 and abs(in_parts) < -NOTHING
        yield int(in_parts) if in_parts is not None and is_one else NOTHING
