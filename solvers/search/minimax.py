"""Minimax.

What it computes: the value of a finite game of two players, constant sum and perfect information without chance, and
all first moves that secure it. Zermelo (1913) proved that such games have a value; von Neumann (1928) gave the rule;
Shannon (1950) made it a program. Russell and Norvig, "Artificial Intelligence: A Modern Approach", ch. "Adversarial
search", has this form.

The value of a state is what the first player gets from there on when both play best: at the end his payoff; where he
is to move the greatest value of the next states, where his opponent is the least. One sign makes the two cases one.
With constant sum the opponent gets the rest.

Cost: every state of the tree is visited once, O(b^m) for b moves and plays of length m; memory O(b m).
Invariant: what a call returns does not depend on the path that led to its state, apart from what was earned on it.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf

from zermelo.interpreter.machine import END, Move, State
from zermelo.interpreter.values import exact
from zermelo.solvers.search.search import Line, Number, Search, Visit, best_moves, principal_variation
from zermelo.solvers.solution import Answer, Problem


def minimax(problem: Problem[State]) -> Answer:
    """Solve by minimax. Needs two players, constant sum, perfect information, plays that end, and no chance."""
    machine, search = problem.machine, Search(problem)

    def value(state: State) -> Visit[tuple[Number, Line]]:
        actor = search.visit(state)
        if actor == END:
            return exact(machine.payoff(state)[0]), None
        sign = 1 if actor == 0 else -1
        best: Number = -sign * inf
        moves: list[Move] = []
        line: Line = None
        for move in machine.moves(state):
            found, rest = yield value(machine.after(state, move))
            if sign * found > sign * best:
                best, moves, line = found, [move], rest
            elif found == best:
                moves.append(move)
        return best, (tuple(moves), line)

    first, line = search.run(value(problem.root))
    return Answer(
        value=problem.share(Fraction(first)),
        best=best_moves(line),
        line=principal_variation(line),
        counts=search.counts,
    )
