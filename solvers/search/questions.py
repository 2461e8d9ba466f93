"""The value of a game, by yes-or-no questions.

What it computes: the value of a game of two players and constant sum, from proofs that the first player gets at least
so much, or that they do not. A solver of win-loss questions, such as :mod:`zermelo.solvers.search.dfpn`, becomes one
for any payoffs: the value lies between two bounds, a question in the middle of them moves one, until the two meet.
Source: bisection; that proof-number search answers such questions is from Allis, van der Meulen and van den Herik,
"Proof-number search", Artificial Intelligence 66 (1994).

An answer says more than was asked. A proof that the first player gets at least v has leaves, each worth v or more, and
they get no less than the least of them; likewise a refutation. So the bounds are payoffs that the game really pays, and
where it has k different payoffs there are at most k questions; for a game that is only won or lost one is enough.

Cost: so many searches as there are questions; what the table of one has proved is used by the next.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from math import inf
from typing import Protocol, TypeVar

from attrs import frozen

from zermelo.interpreter.machine import END, Move, State
from zermelo.interpreter.values import exact
from zermelo.solvers.common.going_round import GoesRound
from zermelo.solvers.common.limits import LimitReached
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.solution import Answer, Problem

ONE_BEST_MOVE = "A proof shows one best move only: others may be as good, and minimax lists them all."


@frozen
class Question:
    """Can the first player get ``amount``, or more than that where it is asked ``strictly``?"""

    amount: Number
    strictly: bool = False

    def is_met(self, payoff: Number) -> bool:
        """Whether a payoff answers it with yes."""
        return payoff > self.amount if self.strictly else payoff >= self.amount


@frozen
class Proved:
    """``low <= value <= high`` holds for the first player; ``move`` secures the answer, if it is for who moves."""

    low: Number
    high: Number
    move: Move | None


Searched = TypeVar("Searched", contravariant=True)


class Prover(Protocol[Searched]):
    """What answers questions."""

    @property
    def counts(self) -> dict[str, int]:
        """What has been counted so far, by name."""

    def prove(self, state: Searched, question: Question) -> Proved:
        """The answer for a state in which somebody moves: the bounds are on one side of the question. Raises
        :class:`~zermelo.solvers.common.limits.LimitReached`."""


def solve(problem: Problem[State], prover: Prover[State]) -> Answer:
    """The value, by as many questions as it takes. ``counts`` has their number.

    Raises :class:`~zermelo.solvers.common.limits.LimitReached` with what has been proved by then."""
    machine, root = problem.machine, problem.root
    low, high = problem.certain_bounds
    questions = 0
    if machine.actor(root) == END:
        low = high = exact(machine.payoff(root)[0])
    while low < high:
        questions += 1
        try:
            found = prover.prove(root, _between(low, high))
        except LimitReached as reached:
            said = _said(machine.player_names[0], low, high)
            raise LimitReached(reached.code, reached.limit, prover.counts, reached.help or "", said) from reached
        low, high = max(low, found.low), min(high, found.high)
    counts = {**prover.counts, "questions": questions}
    line = _line(problem, prover, low)
    return Answer(
        value=problem.share(Fraction(low)),
        best=line[:1],
        line=line,
        counts=counts,
        notes=(ONE_BEST_MOVE,) if line else (),
    )


def _between(low: Number, high: Number) -> Question:
    """The next question."""
    if low == -inf:
        return Question(0 if high == inf else high)
    return Question(low, strictly=True) if high == inf else Question(exact(Fraction(low + high) / 2))


def _said(player: str, low: Number, high: Number) -> str:
    """Bounds, in words."""
    parts = [f"at least {low}"] * (low > -inf) + [f"at most {high}"] * (high < inf)
    return f"{player} gets {' and '.join(parts)}" if parts else ""


def _line(problem: Problem[State], prover: Prover[State], value: Number) -> tuple[Move, ...]:
    """Best play from the root, whose value is known, as far as the limits allow. What is known of the states behind is
    in the prover's table for the most part. Where the player to move gets the least that they can, all moves are
    best. The line ends where it comes back to a position, since a proof does not tell which of two moves is nearer to
    the end."""
    machine, state = problem.machine, problem.root
    low, high = problem.certain_bounds
    line: list[Move] = []
    met: set[Hashable] = set()
    while (actor := machine.actor(state)) != END and (position := machine.position(state)) not in met:
        met.add(position)
        move: Move | None = machine.moves(state)[0]
        if value != (low if actor == 0 else high):
            try:
                move = prover.prove(state, Question(value, strictly=actor == 1)).move
            except (LimitReached, GoesRound):
                break
        assert move is not None, "the answer is for who moves"
        line.append(move)
        state = machine.after(state, move)
    return tuple(line)
