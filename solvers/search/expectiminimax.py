"""Expectiminimax.

What it computes: the value of a finite game of two players, constant sum and perfect information, with or without
chance, and all first moves that secure it. Source: Michie, "Game-playing and game-learning automata" (1966), who
called the value of a chance node its expectation; the name is Russell and Norvig's.

As in minimax, the value of a state is what the first player gets when both play best; where chance is to draw, it is
the mean of the next values, weighted by their probabilities. The mean is taken in fractions, so it is exact.

Searched to a depth, a state at the horizon is worth its estimate; a draw is a ply, too. Nothing is cut off before: that
takes bounds of the payoffs, and :mod:`zermelo.solvers.search.star1`.

Cost: every state of the tree is visited once, O(b^m n^d) for d draws of n outcomes on a play; memory O((b + n) m).
Invariant: only the order of values counts for minimax, but here their size does: a transformation of the payoffs
keeps the best moves only if it is linear and increasing.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf

from attrs import frozen

from zermelo.interpreter.machine import CHANCE, END, Move, State
from zermelo.interpreter.values import exact
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.search.horizon import horizon_of
from zermelo.solvers.search.iterative_deepening import Deepest, searched
from zermelo.solvers.search.search import Line, Search, Visit, best_moves, principal_variation
from zermelo.solvers.solution import Answer, Certainty, Problem


@frozen
class Expected:
    """What the first player can expect, the best moves at the root, best play, and whether no horizon was met."""

    value: Number
    best: tuple[Move, ...]
    line: tuple[Move, ...]
    whole: bool


def expectiminimax(problem: Problem[State]) -> Answer:
    """Solve by expectiminimax. Needs two players, constant sum, perfect information, and plays that end. Under a limit
    it deepens, and needs an estimate."""
    machine, search, horizon = problem.machine, Search(problem), horizon_of(problem)

    def value(state: State, depth: Number) -> Visit[tuple[Number, Line]]:
        actor = search.visit(state) if depth == inf else search.met(state, depth)
        if actor == END:
            return exact(machine.payoff(state)[0]), None
        if depth <= 0 and horizon.is_met(state, -depth):
            return horizon.worth(state), None
        if actor == CHANCE:
            mean: Number = 0
            for outcome, probability in machine.outcomes(state):
                found, _ = yield value(machine.after(state, outcome), depth - 1)
                mean += probability * found
            return mean, None
        sign = 1 if actor == 0 else -1
        best: Number = -sign * inf
        moves: list[Move] = []
        line: Line = None
        for move in machine.moves(state):
            found, rest = yield value(machine.after(state, move), depth - 1)
            if sign * found > sign * best:
                best, moves, line = found, [move], rest
            elif found == best:
                moves.append(move)
        return best, (tuple(moves), line)

    def iteration(depth: Number, _: Expected | None) -> Expected:
        before = horizon.met
        found, line = search.run(value(problem.root, depth))
        return Expected(found, best_moves(line), principal_variation(line), whole=horizon.met == before)

    seen = searched(problem, iteration)
    counts = {**search.counts, **({"estimates": horizon.met} if horizon.met else {})}
    return answer(problem, seen, counts)


def answer(problem: Problem[State], seen: Deepest[Expected], counts: Mapping[str, int]) -> Answer:
    """What a search has found, for the user."""
    found = seen.found
    return Answer(
        value=problem.share(Fraction(found.value)),
        best=found.best,
        line=found.line,
        counts=seen.counts(counts),
        certainty=Certainty.EXACT if found.whole else Certainty.DEPTH_LIMITED,
        notes=seen.notes(problem),
    )
