"""Alpha-beta with a transposition table.

What it computes: what :mod:`zermelo.solvers.search.alphabeta` computes. Different orders of the same moves lead to the
same position, and what the table remembers of a position need not be searched again. Source: Greenblatt, Eastlake and
Crocker, "The Greenblatt chess program" (1967); Breuker, "Memory versus search in games" (1998), whose form of the
bounds this is.

The table holds, for a position, the value found and what is known by it: exact, a lower bound (a cut-off left moves
untried) or an upper bound (no move came up to alpha); and the best move, which is tried first when the position comes
up again under another window. The key is the position itself and never a hash of it, so no two positions are taken for
one another.

Payoffs earned on the way belong to the play and not to the position: the table holds what is still to come, and windows
are shifted by what has been earned.

Invariant: an entry's bound holds for every play that reaches its position. That needs a game without discount, where
what is to come does not depend on how long it took to get here; a discounted game is searched without the table.

Cost: at most one search for each position and window; memory one entry for each position visited,
until the memory allowed is full: positions met later are not remembered.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from math import inf

from attrs import frozen

from zermelo.interpreter.machine import END, Move, State
from zermelo.interpreter.values import exact
from zermelo.solvers.common.numbers import Number, plus
from zermelo.solvers.search.alphabeta import TIES, alphabeta
from zermelo.solvers.search.search import Line, Search, Visit, best_moves, principal_variation
from zermelo.solvers.solution import Answer, Problem


@frozen
class _Entry:
    """``low <= value <= high`` for what is still to come, and the line that was found best."""

    low: Number
    high: Number
    line: Line


def alphabeta_table(problem: Problem[State]) -> Answer:
    """Solve by alpha-beta with a transposition table. Needs what minimax needs. ``counts`` also has ``cutoffs``, and
    ``hits``: states whose value the table gave."""
    if problem.facts.discounted:
        return alphabeta(problem)
    machine, search = problem.machine, Search(problem)
    table: dict[Hashable, _Entry] = {}
    room = problem.limits.room()
    cutoffs = hits = 0

    def value(state: State, alpha: Number, beta: Number) -> Visit[tuple[Number, Line]]:
        """What is still to come for the first player; the window is one for that, too."""
        nonlocal cutoffs, hits
        actor = search.visit(state, alpha, beta)
        earned = exact(machine.earned(state)[0])
        if actor == END:
            return exact(machine.payoff(state)[0]) - earned, None
        position = machine.position(state)
        known = table.get(position)
        if known is not None:
            if known.low >= beta or known.low == known.high:
                hits += 1
                return known.low, known.line
            if known.high <= alpha:
                hits += 1
                return known.high, known.line
        sign = 1 if actor == 0 else -1
        best: Number = -sign * inf
        moves: list[Move] = []
        line: Line = None
        legal = _first(machine.moves(state), best_moves(known.line) if known is not None else ())
        window = alpha, beta
        for move in legal:
            child = machine.after(state, move)
            shift = exact(machine.earned(child)[0]) - earned
            found, rest = yield value(child, plus(alpha, -shift), plus(beta, -shift))
            found += shift
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
        found_line = (tuple(moves), line)
        low = best if best > window[0] else -inf
        high = best if best < window[1] else inf
        if known is not None or len(table) < room.most or room.grows(table):
            table[position] = _Entry(low, high, found_line)
        return best, found_line

    first, line = search.run(value(problem.root, -inf, inf))
    root_earned = exact(machine.earned(problem.root)[0])
    candidates = best_moves(line)
    return Answer(
        value=problem.share(Fraction(first + root_earned)),
        best=candidates[:1],
        line=principal_variation(line),
        counts={**search.counts, "cutoffs": cutoffs, "hits": hits},
        notes=(TIES,) if len(candidates) > 1 else (),
    )


def _first(legal: tuple[Move, ...], best: tuple[Move, ...]) -> tuple[Move, ...]:
    """The legal moves, with the one that was best before in front."""
    if not best:
        return legal
    return (*best[:1], *(move for move in legal if move != best[0]))
