"""Alpha-beta.

What it computes: the value that minimax computes, and one first move that secures it, without visiting states that
cannot change them. Source: Knuth and Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975);
this is the fail-soft form of Fishburn (1983), with the moves in the order of the game.

``alpha`` is what the first player can already secure elsewhere, ``beta`` what his opponent can already hold him to.
As soon as alpha >= beta, one of the two has something at least as good elsewhere and will not let the play come here:
the remaining moves are cut off.

Invariant (fail-soft): a call with the window (alpha, beta) returns the value v of its state if alpha < v < beta, an
upper bound of the value if it returns a number <= alpha, and a lower bound if it returns one >= beta. Hence a first
move that merely equals the best one before it may in truth be worse: only the first best move is certain.

Cost: O(b^m) at worst like minimax, and b^ceil(m/2) + b^floor(m/2) - 1 leaves when the best move always comes first;
memory O(b m).
"""

from __future__ import annotations

from fractions import Fraction
from math import inf

from zermelo.interpreter.machine import END, Move, State
from zermelo.interpreter.values import exact
from zermelo.solvers.search.search import Line, Number, Search, Visit, best_moves, principal_variation
from zermelo.solvers.solution import Answer, Problem


def alphabeta(problem: Problem[State]) -> Answer:
    """Solve by alpha-beta. Needs what minimax needs. ``counts`` also has ``cutoffs``: states left before all their
    moves were tried."""
    machine, search = problem.machine, Search(problem)
    cutoffs = 0

    def value(state: State, alpha: Number, beta: Number) -> Visit[tuple[Number, Line]]:
        nonlocal cutoffs
        actor = search.visit(state, alpha, beta)
        if actor == END:
            return exact(machine.payoff(state)[0]), None
        sign = 1 if actor == 0 else -1
        best: Number = -sign * inf
        moves: list[Move] = []
        line: Line = None
        legal = machine.moves(state)
        for move in legal:
            found, rest = yield value(machine.after(state, move), alpha, beta)
            if sign * found > sign * best:
                best, moves, line = found, [move], rest
            elif found == best:
                moves.append(move)
            if actor == 0:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:
                cutoffs += move is not legal[-1]
                break
        return best, (tuple(moves), line)

    first, line = search.run(value(problem.root, -inf, inf))
    candidates = best_moves(line)
    return Answer(
        value=problem.share(Fraction(first)),
        best=candidates[:1],
        line=principal_variation(line),
        counts={**search.counts, "cutoffs": cutoffs},
        notes=(TIES,) if len(candidates) > 1 else (),
    )


TIES = "Alpha-beta proves the first best move only: others may be as good, and minimax lists them all."
