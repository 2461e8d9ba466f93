"""Alpha-mu: a search over several deals at once, which mends strategy fusion.

What it computes: for a player who does not know which of some deals they are in, and each of their moves, what it
brings on average if for the next M moves of theirs they must do the same in deals that look the same, and see
everything only after that. Source: Cazenave and Ventos, "The alpha-mu search algorithm for the game of bridge" (2019).

A plan of the player is worth a vector, one number for each deal. Which plan is best depends on how likely the deals
are, and behind an answer of the other player on which deals are left; so a node keeps its *Pareto front*, the vectors
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

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Generic

from attrs import frozen

from zermelo.interpreter.machine import END, InformationState, Machine, Move, State
from zermelo.solvers.clairvoyance.averaging import AveragedMove, Deal
from zermelo.solvers.clairvoyance.open_play import Worth, with_open_cards
from zermelo.solvers.solution import Problem

Vector = tuple[Fraction, ...]
"""What a plan brings the player in each of some deals."""


def alphamu(problem: Problem[State], player: int, deals: Sequence[Deal[State]], moves: int) -> tuple[AveragedMove, ...]:
    """What each move of ``player`` brings over these deals, with ``moves`` moves of the player before the cards are
    open. Otherwise as :func:`zermelo.solvers.clairvoyance.averaging.averages`."""

    def work(worth: Worth[State]) -> tuple[AveragedMove, ...]:
        fronts = _Search(problem, player, worth).fronts([deal.state for deal in deals], moves)
        return tuple(AveragedMove(move, max(_mean(vector, deals) for vector in front), 0.0) for move, front in fronts)

    return with_open_cards(problem, work)


def _mean(vector: Vector, deals: Sequence[Deal[Any]]) -> Fraction:
    total = sum((deal.weight for deal in deals), Fraction(0))
    return sum((deal.weight * worth for deal, worth in zip(deals, vector, strict=True)), Fraction(0)) / total


@frozen
class _Search(Generic[State]):
    """A search for one player, in states that this player cannot tell apart."""

    problem: Problem[State]
    player: int
    worth: Worth[State]

    @property
    def machine(self) -> Machine[State]:
        return self.problem.machine

    def fronts(self, states: Sequence[State], left: int) -> Iterable[tuple[Move, list[Vector]]]:
        """The front behind each move of the player, who has ``left`` moves before the cards are open."""
        for move in self.machine.moves(states[0]):
            yield move, self.behind([(k, self.machine.after(state, move)) for k, state in enumerate(states)], left - 1)

    def front(self, states: Sequence[State], left: int) -> list[Vector]:
        """The front of states that the player cannot tell apart."""
        self.problem.limits.check({"nodes": 0})
        actor = self.machine.actor(states[0])
        if actor == END or left == 0:
            return [tuple(self.brings(state) for state in states)]
        if actor == self.player:
            return undominated(vector for _, front in self.fronts(states, left) for vector in front)
        answers = [
            (k, self.machine.after(state, move)) for k, state in enumerate(states) for move in self.machine.moves(state)
        ]
        return self.behind(answers, left)

    def behind(self, children: Sequence[tuple[int, State]], left: int) -> list[Vector]:
        """The front before a step that leads to these states, each from the state of that number before the step: of
        those with the same number the other player chooses."""
        looks: dict[tuple[InformationState, int], list[tuple[int, State]]] = {}
        for k, state in children:
            look = tuple(self.machine.information_state(state, self.player)), self.machine.actor(state)
            looks.setdefault(look, []).append((k, state))
        parts = [
            ([k for k, _ in together], self.front([state for _, state in together], left))
            for together in looks.values()
        ]
        return undominated(self._least(parts, chosen) for chosen in product(*(front for _, front in parts)))

    def _least(self, parts: Sequence[tuple[list[int], list[Vector]]], chosen: Sequence[Vector]) -> Vector:
        """The vector of a plan that goes on as ``chosen`` behind each look."""
        least: dict[int, Fraction] = {}
        for (numbers, _), vector in zip(parts, chosen, strict=True):
            for k, worth in zip(numbers, vector, strict=True):
                least[k] = min(worth, least.get(k, worth))
        return tuple(least[k] for k in sorted(least))

    def brings(self, state: State) -> Fraction:
        payoff = self.machine.payoff(state) if self.machine.actor(state) == END else self.worth(state)
        return payoff[self.player]


def undominated(vectors: Iterable[Vector]) -> list[Vector]:
    """The vectors that no other vector equals or exceeds in every entry, each once."""
    kept: list[Vector] = []
    for vector in dict.fromkeys(vectors):
        if not any(_reaches(other, vector) for other in kept):
            kept = [other for other in kept if not _reaches(vector, other)]
            kept.append(vector)
    return kept


def _reaches(one: Vector, other: Vector) -> bool:
    return all(a >= b for a, b in zip(one, other, strict=True))
