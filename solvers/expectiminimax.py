"""Expectiminimax.

What it computes: the value of a finite game of two players, constant sum and perfect information, with or without
chance, and all first moves that secure it. Source: Michie, "Game-playing and game-learning automata" (1966), who
called the value of a chance node its expectation; the name is Russell and Norvig's.

As in minimax, the value of a state is what the first player gets when both play best; where chance is to draw, it is
the mean of the next values, weighted by their probabilities. The mean is taken in fractions, so it is exact.

Cost: every state of the tree is visited once, O(b^m n^d) for d draws of n outcomes on a play; memory O((b + n) m).
Invariant: only the order of values counts for minimax, but here their size does: a transformation of the payoffs
keeps the best moves only if it is linear and increasing.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf

from interpreter.machine import CHANCE, END, Move, State
from interpreter.values import exact
from solvers.search import Line, Number, Search, Visit, best_moves, principal_variation
from solvers.solution import Answer, Problem


def expectiminimax(problem: Problem[State]) -> Answer:
    """Solve by expectiminimax. Needs two players, constant sum, perfect information, and plays that end."""
    machine, search = problem.machine, Search(problem)

    def value(state: State) -> Visit[tuple[Number, Line]]:
        actor = search.visit(state)
        if actor == END:
            return exact(machine.payoff(state)[0]), None
        if actor == CHANCE:
            mean: Number = 0
            for outcome, probability in machine.outcomes(state):
                found, _ = yield value(machine.after(state, outcome))
                mean += probability * found
            return mean, None
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
