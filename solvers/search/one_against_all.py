"""One player against all others: what paranoid search and best-reply search have in common.

What it computes: what the player who moves at the root gets if he plays best and the others play to keep him down,
whatever that costs them. That makes a game of any number of players, with any payoffs, one of two sides and a single
number, which alpha-beta can search. In truth the others look after themselves, so the value is none of the game: it is
what the searching player gets under the assumption.

``options`` of an algorithm say what the others may do. The value is backed up together with the payoffs of all players
at the end of the play it comes by.

Invariant (fail-soft): as in :mod:`zermelo.solvers.search.alphabeta`, for the searching player's payoff.

Cost: as alpha-beta for the moves that the options leave; memory O(b m).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import inf

from attrs import frozen

from zermelo.interpreter.machine import END, Move, State
from zermelo.interpreter.values import exact
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.search.horizon import EveryonesHorizon
from zermelo.solvers.search.iterative_deepening import Deepest, searched
from zermelo.solvers.search.search import Line, Search, Visit, principal_variation
from zermelo.solvers.solution import Answer, Certainty, Problem

Options = Callable[[State, bool], Iterable[tuple[Move, bool]]]
"""What an opponent may do in a state, given whether one of them has replied already; with each move, whether one of
them has replied behind it."""


@frozen
class Assumed:
    """What all players get at the end of best play under the assumption, and that play; ``whole`` tells that no horizon
    was met."""

    payoff: tuple[int | Fraction, ...]
    line: tuple[Move, ...]
    whole: bool


def search_against(problem: Problem[State], options: Options[State], note: str) -> Answer:
    """Search for the player who moves at the root, to the end or, under a limit, deepening. ``note`` says what is
    assumed of the others."""
    search = _Search(problem, options)
    return answer(problem, searched(problem, search.iteration), search.counts, note)


def searcher_of(problem: Problem[State]) -> int:
    """The player for whom is searched."""
    return max(0, problem.machine.actor(problem.root))


def answer(problem: Problem[State], seen: Deepest[Assumed], counts: Mapping[str, int], note: str) -> Answer:
    """What a search has found, for the user."""
    found = seen.found
    return Answer(
        value=tuple(map(Fraction, found.payoff)),
        best=found.line[:1],
        line=found.line,
        counts=seen.counts(counts),
        certainty=Certainty.HEURISTIC,
        notes=(note.format(player=problem.machine.player_names[searcher_of(problem)]), *seen.notes(problem)),
    )


class _Search(Search[State]):
    def __init__(self, problem: Problem[State], options: Options[State]) -> None:
        super().__init__(problem)
        self._root = problem.root
        self._options = options
        self._horizon = EveryonesHorizon(problem)
        self._cutoffs = 0
        self._searcher = searcher_of(problem)

    @property
    def counts(self) -> dict[str, int]:
        counts = {**super().counts, "cutoffs": self._cutoffs}
        return {**counts, "estimates": self._horizon.met} if self._horizon.met else counts

    def iteration(self, depth: Number, _: Assumed | None) -> Assumed:
        """A search to a depth."""
        before = self._horizon.met
        payoff, line = self.run(self._value(self._root, -inf, inf, depth, False))
        return Assumed(payoff, principal_variation(line), whole=self._horizon.met == before)

    def _value(
        self, state: State, alpha: Number, beta: Number, depth: Number, has_replied: bool
    ) -> Visit[tuple[tuple[int | Fraction, ...], Line]]:
        actor = self.met(state, depth)
        if actor == END:
            return tuple(map(exact, self.machine.payoff(state))), None
        if depth <= 0 and self._horizon.is_met(state, -depth):
            return self._horizon.worth(state), None
        me = self._searcher
        sign = 1 if actor == me else -1
        options = (
            [(move, False) for move in self.machine.moves(state)] if actor == me else self._options(state, has_replied)
        )
        best: tuple[int | Fraction, ...] = ()
        line: Line = None
        for move, replied in options:
            found, rest = yield self._value(self.machine.after(state, move), alpha, beta, depth - 1, replied)
            if not best or sign * found[me] > sign * best[me]:
                best, line = found, ((move,), rest)
            if actor == me:
                alpha = max(alpha, best[me])
            else:
                beta = min(beta, best[me])
            if alpha >= beta:
                self._cutoffs += 1
                break
        return best, line
