"""Solving by one call: what is asked for as arguments, most of which tests leave out."""

from __future__ import annotations

from typing import Any, TypeVar

from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine
from zermelo.solvers.choosing import choice
from zermelo.solvers.common.limits import Limits, Progress, Remark, ignore_progress, ignore_remark
from zermelo.solvers.solution import Request, Solution

State = TypeVar("State")


def solve(
    machine: Machine[State],
    facts: Facts,
    solver: str | None = None,
    progress: Progress | None = None,
    root: State | None = None,
    limits: Limits | None = None,
    remark: Remark = ignore_remark,
    settled: choice.Settled | None = None,
    **asked: Any,
) -> Solution:
    """The solution, as :func:`zermelo.solvers.choosing.choice.solve` finds it; ``asked`` are fields of the request."""
    request = Request(solver, limits or Limits(), **asked)
    return choice.solve(machine, facts, request, root, progress or ignore_progress, remark, settled)
