"""Alpha-mu: a search over several deals at once, which mends strategy fusion.

What it computes: for a player who does not know which of some deals holds, what each move brings on average if in
their next M moves they must do the same in deals that look the same, and see everything only after that. Source:
Cazenave and Ventos, "The alpha-mu search algorithm for the game of bridge" (2019).

A plan of the player is worth a vector, one number for each deal. Which plan is best depends on how likely the deals
are, and after an answer of the other player, on which deals are left; so a node keeps its *Pareto front*, the vectors
that no other one matches in every deal:

- after M moves of the player, and at ends: one vector, what each deal is worth with open cards;
- where the player moves: the vectors of all moves together;
- where the other one moves: a choice of one vector behind each answer, since the player will have seen the answer; in
  each deal the least of them counts, since the other player is taken to know the deal.

At the root a move is worth the greatest mean of a vector of its front. With M = 1 this is averaging over clairvoyance.
Deals are told apart as soon as the player's observations differ, secret moves included.

How good it is: once M reaches the end of all plays, a move is worth what the player can secure even against one who
knows everything; in the game itself, where the other player does not, it may bring more. Before that, the numbers are
as optimistic as clairvoyance about what comes after M moves.

Cost: exponential in M; fronts are kept small by dropping what is dominated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import inf, sqrt
from typing import Any, Final, Generic, TypeAlias, TypeVar

from attrs import evolve, frozen

from zermelo.interpreter.machine import CHANCE, END, InformationState, Machine, Move, Payoff, State
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.lowered_backend import run_with_fallback
from zermelo.solvers.running.path_search import CallSearch, Lookahead, sight
from zermelo.solvers.search.expectiminimax import KERNEL
from zermelo.solvers.search.window_search import Selection, Windows, window_solver
from zermelo.solvers.solution import Answer, Deals, Problem

# What positions are worth if everybody sees everything from there on.
#
# The searches of perfect information do that. With open cards, what is left of a hand of cards is a game between two
# players without chance, and enhanced alpha-beta finds its value; one search, with one table, serves all deals: a
# position is worth the same wherever it comes from. Where chance still draws, as where a card is turned up between
# bets, expectiminimax finds the value.


Result = TypeVar("Result")

Worth = Callable[[State], Payoff]
"""What both players get from a state on, if they see everything."""


def with_open_cards(problem: Problem[State], work: Callable[[Worth[State]], Result]) -> Result:
    """The result of ``work``, which is given the value of states. The ``facts`` of the problem are those of the game
    with open cards: two players, constant sum, and plays that end; and whether chance draws behind the states that
    ``work`` asks about.

    Raises ``ZermeloError``: ``out-of-time``, and errors of the rules."""
    if problem.facts.chance.holds is False:
        return _run_with_windows(problem, work)
    return run_with_fallback(
        problem.machine, problem.limits, lambda backend: _run_with_expectiminimax(backend, problem, work)
    )


def _run_with_windows(problem: Problem[State], work: Callable[[Worth[State]], Result]) -> Result:
    results: list[Result] = []

    def drive(problem: Problem[Any], search: Windows) -> Answer:
        def worth(state: State) -> Payoff:
            return problem.share(Fraction(search.root(state, -inf, inf, inf).value))

        results.append(work(worth))
        return Answer(value=problem.share(Fraction(0)), counts=search.counts)

    window_solver(drive, Selection(), deepens=False)(problem)
    return results[-1]


def _run_with_expectiminimax(
    backend: Backend[State], problem: Problem[State], work: Callable[[Worth[State]], Result]
) -> Result:
    sees = sight(backend, problem)

    def with_kernels(kernels: GameKernels) -> Result:
        known = sees.known(kernels)
        paths = CallSearch(KERNEL, backend, kernels, problem.limits, problem.progress, sees.path, endgames=known)
        lookahead = Lookahead(paths)

        def worth(state: State) -> Payoff:
            lookahead.to(state, inf)
            return problem.share(sees.fraction(paths.search.value))

        return work(worth)

    return backend.run(sees.source(KERNEL), with_kernels)


# Averaging over clairvoyance: the method of the bridge programs, and its fault.
#
# What it computes: a move for a player who does not know the position. Deals that fit what they have perceived are
# drawn; in each, every move is worth what it brings if all cards are open from then on; the move with the best average
# over the deals is made. Sources: Levy, "The million pound bridge program" (1989); Ginsberg, "GIB: imperfect
# information in a computationally challenging game" (2001).
#
# The fault: what is averaged is no value of the game. It assumes that later on the player will know the deal. Frank and
# Basin, "Search in games with incomplete information" (1998) call this *strategy fusion*: in one deal the player would
# go on like this, in another like that, but they cannot tell them apart, and must do the same in both. Such a decision
# is looked for behind each move that seems best: the player's next one, if the others answer well, whatever chance
# draws. Where the deals that look the same there have no best move in common, it is reported. If none is found, there
# may still be one further on.
#
# Cost: one search of the open game for each deal and move, all with one table.


Vector: TypeAlias = Sequence[Fraction]
"""What a plan brings the player in each of some deals."""

LOOKED_AT: Final = 25
"""The number of deals in which strategy fusion is looked for."""


@frozen
class AveragedMove:
    """A ``move`` with the mean, over the deals, of what it brings the player with open cards, and the standard error of
    that mean. ``fusion``: a later decision at which no move is best in all deals, if one was found."""

    move: Move
    mean: Fraction
    standard_error: float
    fusion: Fusion[Any] | None = None


@frozen
class Fusion(Generic[State]):
    """A later decision at which the player knows ``known``, and has no move that is best in all of ``deals``: for each,
    a state in which they decide, and the moves that are best in it with open cards."""

    known: InformationState
    deals: tuple[tuple[State, tuple[Move, ...]], ...]


def averages(problem: Problem[State], player: int, deals: Deals[State]) -> tuple[AveragedMove, ...]:
    """The averages of all moves for ``player``, who is to move in all of these deals and cannot tell them apart. The
    ``facts`` of the problem are as in :func:`with_open_cards`, which says what
    is raised."""

    def work(worth: Worth[State]) -> tuple[AveragedMove, ...]:
        looking = _OpenGames(problem, player, worth)
        worths = [looking.worths(state, count) for count, (state, _) in enumerate(deals)]
        moves = tuple(_average_move(move, [each[move] for each in worths], deals) for move in worths[0])
        seems_best = best_moves(moves)
        return tuple(
            evolve(each, fusion=looking.fusion(deals[:LOOKED_AT], each.move)) if each.move in seems_best else each
            for each in moves
        )

    return with_open_cards(problem, work)


def best_moves(moves: Sequence[AveragedMove]) -> tuple[Move, ...]:
    """The moves with the greatest mean."""
    most = max(each.mean for each in moves)
    return tuple(each.move for each in moves if each.mean == most)


def _average_move(move: Move, worths: Vector, deals: Deals[State]) -> AveragedMove:
    mean, total = _mean(worths, deals), sum((weight for _, weight in deals), Fraction(0))
    squares = sum((w**2 * (worth - mean) ** 2 for (_, w), worth in zip(deals, worths, strict=True)), Fraction(0))
    return AveragedMove(move, mean, sqrt(squares) / float(total))


def _mean(vector: Vector, deals: Deals[State]) -> Fraction:
    total = sum((weight for _, weight in deals), Fraction(0))
    return sum((weight * worth for (_, weight), worth in zip(deals, vector, strict=True)), Fraction(0)) / total


@frozen
class _OpenGames(Generic[State]):
    """The open games, as a player who cannot tell the deals apart looks at them."""

    problem: Problem[State]
    player: int
    worth: Worth[State]

    @property
    def machine(self) -> Machine[State]:
        return self.problem.machine

    def worths(self, state: State, looked_at: int = 0) -> dict[Move, Fraction]:
        """What each move brings the player to move; ``looked_at`` deals have been looked at so far."""
        actor = self.machine.actor(state)
        self.problem.progress(looked_at)
        self.problem.limits.check({"nodes": looked_at})
        return {move: self.brings(self.machine.after(state, move), actor) for move in self.machine.moves(state)}

    def brings(self, state: State, player: int) -> Fraction:
        payoff = self.machine.payoff(state) if self.machine.actor(state) == END else self.worth(state)
        return payoff[player]

    def best(self, state: State) -> tuple[Move, ...]:
        worths = self.worths(state)
        most = max(worths.values())
        return tuple(move for move, worth in worths.items() if worth == most)

    def fusion(self, deals: Deals[State], move: Move) -> Fusion[State] | None:
        """The first decision behind a move at which no move is best in all deals that look the same."""
        met: dict[InformationState, list[tuple[State, tuple[Move, ...]]]] = {}
        for deal, _ in deals:
            for state in self.next_decisions(self.machine.after(deal, move)):
                known = tuple(self.machine.information_state(state, self.player))
                here = met.setdefault(known, [])
                here.append((state, self.best(state)))
                if not set.intersection(*(set(best) for _, best in here)):
                    return Fusion(known, tuple(here))
        return None

    def next_decisions(self, state: State) -> list[State]:
        """The states in which the player is next to move, if the others answer as well as they can, and whatever chance
        draws."""
        found: list[State] = []
        waiting = [state]
        while waiting:
            here = waiting.pop()
            actor = self.machine.actor(here)
            if actor == self.player:
                found.append(here)
            elif actor == CHANCE:
                waiting += [self.machine.after(here, outcome) for outcome, _ in reversed(self.machine.outcomes(here))]
            elif actor != END:
                waiting += [self.machine.after(here, move) for move in reversed(self.best(here))]
        return found

    # ------------------------------------------------------------- alpha-mu

    def fronts(self, states: Sequence[State], left: int) -> Iterable[tuple[Move, list[Vector]]]:
        """The front behind each move of the player, who has ``left`` moves before the cards are open."""
        for move in self.machine.moves(states[0]):
            yield move, self.behind([(k, self.machine.after(state, move)) for k, state in enumerate(states)], left - 1)

    def front(self, states: Sequence[State], left: int) -> list[Vector]:
        """The front of states that the player cannot tell apart."""
        self.problem.limits.check({"nodes": 0})
        actor = self.machine.actor(states[0])
        if actor == END or left == 0:
            return [tuple(self.brings(state, self.player) for state in states)]
        if actor == self.player:
            return undominated_vectors(vector for _, front in self.fronts(states, left) for vector in front)
        answers = [
            (k, self.machine.after(state, move)) for k, state in enumerate(states) for move in self.machine.moves(state)
        ]
        return self.behind(answers, left)

    def behind(self, children: Sequence[tuple[int, State]], left: int) -> list[Vector]:
        """The front before a step that leads to these states, each from the state of that number before the step. Among
        states with the same number the other player chooses."""
        looks: dict[tuple[InformationState, int], list[tuple[int, State]]] = {}
        for k, state in children:
            look = tuple(self.machine.information_state(state, self.player)), self.machine.actor(state)
            looks.setdefault(look, []).append((k, state))
        parts = [
            ([k for k, _ in together], self.front([state for _, state in together], left))
            for together in looks.values()
        ]
        return undominated_vectors(self._least(parts, chosen) for chosen in product(*(front for _, front in parts)))

    def _least(self, parts: Sequence[tuple[list[int], list[Vector]]], chosen: Sequence[Vector]) -> Vector:
        """The vector of a plan that goes on as ``chosen`` behind each look."""
        least: dict[int, Fraction] = {}
        for (numbers, _), vector in zip(parts, chosen, strict=True):
            for k, worth in zip(numbers, vector, strict=True):
                least[k] = min(worth, least.get(k, worth))
        return tuple(least[k] for k in sorted(least))


def alphamu(problem: Problem[State], player: int, deals: Deals[State], moves: int) -> tuple[AveragedMove, ...]:
    """What each move of ``player`` brings over these deals, with ``moves`` moves of the player before the cards are
    open. Otherwise as :func:`averages`."""

    def work(worth: Worth[State]) -> tuple[AveragedMove, ...]:
        fronts = _OpenGames(problem, player, worth).fronts([state for state, _ in deals], moves)
        return tuple(AveragedMove(move, max(_mean(vector, deals) for vector in front), 0.0) for move, front in fronts)

    return with_open_cards(problem, work)


def undominated_vectors(vectors: Iterable[Vector]) -> list[Vector]:
    """The vectors that no other vector equals or exceeds in every entry, each once."""
    kept: list[Vector] = []
    for vector in dict.fromkeys(vectors):
        if not any(_reaches(other, vector) for other in kept):
            kept = [other for other in kept if not _reaches(vector, other)]
            kept.append(vector)
    return kept


def _reaches(one: Vector, other: Vector) -> bool:
    return all(a >= b for a, b in zip(one, other, strict=True))
