"""The solver of positions: from a problem to an answer.

What is worth anything is found by :mod:`~zermelo.solvers.positions.solving`. Here is what a person is told of it: the
value from the root on, with what has been earned and taken off before; all best moves; a line of best play.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.loops import written
from zermelo.interpreter.machine import CHANCE, END, Machine, Move, State
from zermelo.solvers.positions.exploring import explore
from zermelo.solvers.positions.graph import ROOT, PositionGraph
from zermelo.solvers.positions.refusals import EarnsForEver, NeedsEndless, NeedsOneNumber
from zermelo.solvers.positions.solving import SolvedPositions, solve
from zermelo.solvers.solution import Answer, Problem


def positions(problem: Problem[Any]) -> Answer:
    """Solve by finding every position once. Needs a game in which everybody knows the position at every decision, but
    for what others choose at that moment.

    Raises ``ZermeloError``: ``needs-endless``, ``earns-for-ever``, ``needs-one-number``, ``out-of-memory``,
    ``out-of-time``, ``extra-missing``, or an error of the rules."""
    graph = explore(problem.machine, problem.root, problem.limits, problem.progress)
    walk = Walk(problem.machine, problem.root, graph)
    try:
        solved = solve(graph, problem.limits, problem.progress)
    except NeedsEndless as refused:
        raise _refusal("needs-endless", walk, refused.play, "say it with 'endless', or give the game a 'discount'")
    except EarnsForEver as refused:
        raise _refusal("earns-for-ever", walk, refused.play, "a 'discount' keeps the sum finite")
    except NeedsOneNumber as refused:
        raise _refusal("needs-one-number", walk, refused.play, "--solver mcts samples it")
    ...
