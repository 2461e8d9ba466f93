"""Averaging over clairvoyance: the method of the bridge programs, and its fault.

What it computes: a move for a player who does not know the position. Deals that fit what they have perceived are drawn;
in each, every move is worth what it brings if all cards are open from then on; the move with the best average over the
deals is made. Sources: Levy, "The million pound bridge program" (1989); Ginsberg, "GIB: imperfect information in a
computationally challenging game" (2001).

The fault: what is averaged is no value of the game. It assumes that later on the player will know the deal, and need
not decide without. Frank and Basin, "Search in games with incomplete information" (1998) call this *strategy fusion*:
in one deal the player would go on like this, in another like that, but they cannot tell them apart, and must do the
same in both. Such a decision is looked for: the next one of the player behind each move that seems best, the others
answering well and chance drawing whatever it may; where the deals that look the same there have no best move in common,
it is reported. If none is found, there may still be one further on.

Cost: one search of the open game for each deal and move, all with one table.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, Final, Generic

from attrs import evolve, frozen

from zermelo.interpreter.machine import CHANCE, END, InformationState, Machine, Move, State
from zermelo.solvers.clairvoyance.open_play import Worth, with_open_cards
from zermelo.solvers.solution import Problem

LOOKED_AT: Final = 25
"""In how many deals strategy fusion is looked for."""


@frozen
class Deal(Generic[State]):
    """A state that the player holds possible, and how much it counts."""

    state: State
    weight: Fraction


@frozen
class AveragedMove:
    """A ``move`` with the ``mean`` over the deals of what it brings the player with open cards, and the standard error
    of that mean. ``fusion``: a later decision that the deals do not agree about, if one was looked for and found."""

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


def averages(problem: Problem[State], player: int, deals: Sequence[Deal[State]]) -> tuple[AveragedMove, ...]:
    """The averages of all moves for ``player``, who is to move in all of these deals and cannot tell them apart. The
    ``facts`` of the problem are as in :func:`~zermelo.solvers.clairvoyance.open_play.with_open_cards`, which says what
    is raised."""

    def work(worth: Worth[State]) -> tuple[AveragedMove, ...]:
        looking = _Looking(problem, player, worth)
        worths = [looking.worths(deal.state, count) for count, deal in enumerate(deals)]
        moves = tuple(
            _averaged(move, [each[move] for each in worths], [deal.weight for deal in deals]) for move in worths[0]
        )
        seems_best = best_of(moves)
        return tuple(
            evolve(each, fusion=looking.fusion(deals[:LOOKED_AT], each.move)) if each.move in seems_best else each
            for each in moves
        )

    return with_open_cards(problem, work)


def best_of(moves: Sequence[AveragedMove]) -> tuple[Move, ...]:
    """The moves with the greatest mean."""
    most = max(each.mean for each in moves)
    return tuple(each.move for each in moves if each.mean == most)


def _averaged(move: Move, worths: Sequence[Fraction], weights: Sequence[Fraction]) -> AveragedMove:
    total = sum(weights, Fraction(0))
    mean = sum((weight * worth for weight, worth in zip(weights, worths, strict=True)), Fraction(0)) / total
    squares = sum((w**2 * (worth - mean) ** 2 for w, worth in zip(weights, worths, strict=True)), Fraction(0))
    return AveragedMove(move, mean, sqrt(squares) / float(total))


@frozen
class _Looking(Generic[State]):
    """The player's view of the open games."""

    problem: Problem[State]
    player: int
    worth: Worth[State]

    @property
    def machine(self) -> Machine[State]:
        return self.problem.machine

    def worths(self, state: State, looked_at: int = 0) -> dict[Move, Fraction]:
        """What each move brings whoever is to move; ``looked_at`` deals have been looked at so far."""
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

    def fusion(self, deals: Sequence[Deal[State]], move: Move) -> Fusion[State] | None:
        """The first decision behind a move that the deals do not agree about."""
        met: dict[InformationState, list[tuple[State, tuple[Move, ...]]]] = {}
        for deal in deals:
            for state in self.next_decisions(self.machine.after(deal.state, move)):
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
