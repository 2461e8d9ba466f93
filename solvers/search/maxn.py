"""Max^n.

What it computes: payoffs that every player can expect when all play best, in a finite game of perfect information for
any number of players, with any payoffs, with or without chance. Source: Luckhart and Irani, "An algorithmic solution
of N-person games", AAAI 1986. For one player it looks for his best payoff; for two players with constant sum it is
minimax; economists call it backward induction, and what it finds a subgame-perfect equilibrium (Selten 1965).

A state is worth a tuple, one payoff for each player: at the end the payoffs; where player i is to move the tuple of
the next state that is greatest in place i; where chance is to draw the mean of the next tuples.

Ties matter: a move that is as good as another for the player who makes it can make all the difference to the others.
So the search backs up two things. The *reported* tuple is that of the first best move in the order of the game. The
*reachable* tuples are all that come about when ties are decided in every possible way. For player i and next states
with the reachable sets V1, V2, ...: a tuple v of some Vk is reachable if and only if every other state can come to
something that is no better for him, so that

    V = { v in V1 + V2 + ... : v[i] >= m },    m = the greatest over k of (the least u[i] for u in Vk).

(For the state that attains m, all its tuples pass.) For chance, V holds the means of all choices of one tuple from
each Vk. Sets larger than ``TUPLES_LIMIT`` are given up, and the solution says so.

Searched to a depth, a state at the horizon is worth its estimates, one for each player; there are no bounds that
would make it worth while to search less than everything up to it.

Cost: every state of the tree is visited once, O(b^m); memory O(b m) tuples and, with ties, sets of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf

from attrs import frozen

from zermelo.interpreter.machine import CHANCE, END, Move, State
from zermelo.interpreter.values import exact
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.search.horizon import EveryonesHorizon
from zermelo.solvers.search.iterative_deepening import Deepest, searched
from zermelo.solvers.search.search import Line, Search, Visit, best_moves, principal_variation
from zermelo.solvers.solution import Answer, Certainty, Problem

Tuple = tuple[int | Fraction, ...]
Reachable = frozenset[Tuple] | None
"""All tuples that ties allow, or None where they are too many."""

TUPLES_LIMIT = 1000


@frozen
class Shared:
    """The reported tuple, those that are reachable, the moves that are best at the root, best play, and whether no
    horizon was met."""

    value: Tuple
    reachable: Reachable
    best: tuple[Move, ...]
    line: tuple[Move, ...]
    whole: bool


def maxn(problem: Problem[State]) -> Answer:
    """Solve by max^n. Needs perfect information and plays that end. Under a limit it deepens, and needs an estimate."""
    machine, search, horizon = problem.machine, Search(problem), EveryonesHorizon(problem)

    def value(state: State, depth: Number) -> Visit[tuple[Tuple, Reachable, Line]]:
        actor = search.visit(state) if depth == inf else search.met(state, depth)
        if actor == END:
            payoff = tuple(map(exact, machine.payoff(state)))
            return payoff, frozenset((payoff,)), None
        if depth <= 0 and horizon.is_met(state, -depth):
            guess = horizon.worth(state)
            return guess, frozenset((guess,)), None
        if actor == CHANCE:
            zero = (0,) * len(machine.player_names)
            mean: Tuple = zero
            means: Reachable = frozenset((zero,))
            for outcome, probability in machine.outcomes(state):
                found, reachable, _ = yield value(machine.after(state, outcome), depth - 1)
                mean = add(mean, probability, found)
                means = add_all(means, probability, reachable)
            return mean, means, None
        best: Tuple = ()
        moves: list[Move] = []
        line: Line = None
        next_sets: list[Reachable] = []
        for move in machine.moves(state):
            found, reachable, rest = yield value(machine.after(state, move), depth - 1)
            next_sets.append(reachable)
            if not moves or found[actor] > best[actor]:
                best, moves, line = found, [move], rest
            elif found[actor] == best[actor]:
                moves.append(move)
        return best, tied(next_sets, actor), (tuple(moves), line)

    def iteration(depth: Number, _: Shared | None) -> Shared:
        before = horizon.met
        found, reachable, line = search.run(value(problem.root, depth))
        return Shared(found, reachable, best_moves(line), principal_variation(line), whole=horizon.met == before)

    seen = searched(problem, iteration)
    return answer(problem, seen, {**search.counts, **({"estimates": horizon.met} if horizon.met else {})})


def answer(problem: Problem[State], seen: Deepest[Shared], counts: Mapping[str, int]) -> Answer:
    """What a search has found, for the user."""
    found = seen.found
    others = None if found.reachable is None else sorted(found.reachable - {found.value}, reverse=True)
    return Answer(
        value=as_payoff(found.value),
        best=found.best,
        line=found.line,
        counts=seen.counts(counts),
        certainty=Certainty.EXACT if found.whole else Certainty.DEPTH_LIMITED,
        alternatives=None if others is None else tuple(map(as_payoff, others)),
        notes=(*seen.notes(problem), *((FIRST_OF_TIES,) if others is None or others else ())),
    )


FIRST_OF_TIES = (
    "Ties change what the others get: the value reported is that of the first best move, in the order of the game, "
    "at every tie."
)


def tied(next_sets: list[Reachable], player: int) -> Reachable:
    """The reachable tuples of a state in which ``player`` chooses among states with these reachable tuples."""
    secured: int | Fraction | None = None
    everything: set[Tuple] = set()
    for reachable in next_sets:
        if reachable is None:
            return None
        least = min(payoff[player] for payoff in reachable)
        if secured is None or least > secured:
            secured = least
        everything |= reachable
    return limited(frozenset(payoff for payoff in everything if secured is None or payoff[player] >= secured))


def add(payoff: Tuple, probability: Fraction, addend: Tuple) -> Tuple:
    """``payoff + probability * addend``."""
    return tuple(exact(a + probability * b) for a, b in zip(payoff, addend, strict=True))


def add_all(payoffs: Reachable, probability: Fraction, addends: Reachable) -> Reachable:
    """The same for every choice from two sets."""
    if payoffs is None or addends is None:
        return None
    if len(payoffs) * len(addends) > TUPLES_LIMIT**2:
        return None
    return limited(frozenset(add(payoff, probability, addend) for payoff in payoffs for addend in addends))


def limited(payoffs: frozenset[Tuple]) -> Reachable:
    return payoffs if len(payoffs) <= TUPLES_LIMIT else None


def as_payoff(payoff: Tuple) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, payoff))
