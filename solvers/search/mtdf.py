"""MTD(f).

What it computes: what :mod:`zermelo.solvers.search.iterative_deepening` computes, with null windows alone. Each tells
on which side of a bound the value lies, and its answer is the next bound, until the two sides meet. The table makes
this cheap: what one pass has searched the next one finds there. The first guess f is the value of the depth before.
Source: Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms", Artificial Intelligence 87
(1996); that paper shows it to visit what SSS* visits.

Invariant: low <= value <= high. Each pass raises low or lowers high, and a fail-soft answer lies on the value's side.
Cost: few passes where the guess is good; without a table every pass would search everything again.
"""

from __future__ import annotations

from attrs import evolve

from zermelo.interpreter.machine import State
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.running.reckoning import SCOUT
from zermelo.solvers.search.iterative_deepening import deepen
from zermelo.solvers.search.window_search import Selection, WindowResult, Windows, windowed
from zermelo.solvers.solution import Answer, Problem


def drive(problem: Problem[State], search: Windows[State]) -> Answer:
    """Search with null windows to one depth after the other."""
    maximizes = problem.machine.actor(problem.root) == 0

    def iteration(depth: int, before: WindowResult | None) -> WindowResult:
        guess: Number = min(max(0 if before is None else before.value, search.low), search.high)
        below = WindowResult(search.low, None, whole=True)
        above = WindowResult(search.high, None, whole=True)
        while below.value < above.value:
            beta = guess + SCOUT if guess == below.value else guess
            found = search.root(problem.root, beta - SCOUT, beta, depth)
            guess = found.value
            if guess > beta - SCOUT:
                below = found
            if guess < beta:
                above = found
        # What shows that a move is as good as the value is a lower bound for one player and an upper one for the other.
        # The replies behind it are no more than that: bounds that other replies meet as well, and perhaps alone.
        proof, other = (below, above) if maximizes else (above, below)
        line = proof.line or other.line
        return evolve(proof, line=line and (line[0], None), whole=below.whole and above.whole)

    return deepen(problem, search, iteration)


mtdf = windowed(drive, Selection())
"""Solve by MTD(f) and iterative deepening. Needs what iterative deepening needs."""
