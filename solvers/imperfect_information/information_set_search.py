"""Information-set Monte Carlo tree search: :mod:`zermelo.solvers.kernels.information_set_search` has the algorithm.

The deals are given with their probabilities. A search over a sample of deals knows no others: with few deals, what a
player has seen further down soon tells which of them it is, and the search plays there as if the cards were open.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, Generic

from attrs import frozen

from zermelo.foundation.deadline import DeadlinePassed
from zermelo.interpreter.machine import InformationState, Move, State
from zermelo.interpreter.native.dialect.kernel_source import kernel as kernel_of
from zermelo.interpreter.native.running.views import RuleError
from zermelo.solvers.common.numbers import OBJECT_BYTES
from zermelo.solvers.kernels import information_set_search as kernel
from zermelo.solvers.kernels.observations import rehash
from zermelo.solvers.running.backend import Backend, GameKernels, seeded_draws
from zermelo.solvers.running.lowered_backend import run_with_fallback
from zermelo.solvers.running.path_search import Slices
from zermelo.solvers.search.monte_carlo_tree_search import MOST, SIMULATIONS, payoff_bounds, standard_error
from zermelo.solvers.search.random_plays import LONGEST
from zermelo.solvers.solution import Deals, Problem

_WEIGHT: Final = 1 << 40
"""The sum of the weights of the deals, which are rounded to whole parts of it."""

_AT_FIRST: Final = 1 << 10
"""The arms for which there is room at first."""

_GROWTH: Final = 4

_COURSES: Final = 1 << 13
"""The length of the table of courses of play, a power of 2."""


@frozen
class SimulatedMove:
    """A ``move`` of the player at the root: how often it was simulated, and the mean of what that brought the player,
    with its standard error. Both are None if it was not simulated at all."""

    move: Move
    visits: int
    mean: Fraction | None
    standard_error: float | None


@frozen
class Simulations:
    """The result of a search: the ``moves``, in the order of the rules; how many simulations were made, and how many of
    them were so long that they were broken off; the number of moves in the trees, and the depth of these. ``is_full``:
    the search ended because memory has no room for more."""

    moves: tuple[SimulatedMove, ...]
    simulations: int
    unfinished: int
    arms: int
    depth: int
    is_full: bool

    @property
    def best(self) -> Move:
        """The move simulated most; if there are several, the first of them."""
        return max(self.moves, key=lambda each: each.visits).move


def simulate_deals(problem: Problem[State], player: int, deals: Deals[State], is_single: bool) -> Simulations:
    """Search by ``problem.sampling``, for ``player``, who is to move in all of these deals, whose weights sum to 1, and
    cannot tell them apart: with one observer if ``is_single``, else with several. Facts must have bounds. For the same
    seed the result is the same in Python and as machine code.

    Raises ``ZermeloError``: ``out-of-time`` where there is no time at all, and errors of the rules."""

    problem.limits.check({"nodes": 0})

    def search_on(backend: Backend[State]) -> Simulations:
        wanted = min(problem.sampling.simulations or SIMULATIONS, MOST)
        unit, gains = backend.gains(payoff_bounds(problem), wanted, by_estimate=False)
        source = kernel_of(
            kernel.start,
            kernel.go_on,
            rehash,
            OBSERVER=player if is_single else kernel.EACH,
            SCALE=gains["SCALE"],
            **backend.learning(),
        )

        def work(kernels: GameKernels) -> Simulations:
            search = _Search(backend, kernels, problem, deals, wanted, unit)
            search.run()
            return search.found(player)

        return backend.run(source, work)

    return run_with_fallback(problem.machine, problem.limits, search_on)


class _Search(Generic[State]):
    """The kernel with its trees; amounts are over ``unit``."""

    def __init__(
        self,
        backend: Backend[State],
        kernels: GameKernels,
        problem: Problem[State],
        deals: Deals[State],
        wanted: int,
        unit: int,
    ) -> None:
        self.backend, self.kernels, self.problem, self.deals, self.unit = backend, kernels, problem, deals, unit
        self.is_full = False
        self.numbers: dict[tuple[int, InformationState], int] = {}
        machine = backend.machine
        known = [
            [self._number(p, machine.information_state(state, p)) for p in range(len(machine.player_names))]
            for state, _ in deals
        ]
        self.size = max(_AT_FIRST, 2 * len(self.numbers))
        sizes = self._sizes(self.size)
        slots = {**sizes["knowledge"], "slots": self._slots(self.size)}
        self.search = search = kernels.new(
            kernel.Search,
            deals=len(deals),
            made=LONGEST,
            path=LONGEST + 1,
            choosers=LONGEST + 1,
            courses=_COURSES,
            roots=kernel.ROOTS,
            arms=sizes["arms"],
            firsts=sizes["firsts"],
            knowledge=slots,
        )
        search.wanted, search.exploration, search.weight = wanted, problem.sampling.exploration, _WEIGHT
        for p, (low, high) in enumerate(payoff_bounds(problem)):
            search.least[p], search.most[p] = int(low * unit), int(high * unit)
            search.span[p] = max(1, search.most[p] - search.least[p])
        below = Fraction(0)
        for k, (state, probability) in enumerate(deals):
            below += probability
            search.deals[k].below = round(below * _WEIGHT)
            kernels.put(search.deals[k].state, backend.held(state))
            for p, number in enumerate(known[k]):
                search.deals[k].known[p] = number
        kernels.call(kernel.start, search, seeded_draws(problem.seed).state, len(self.numbers))

    def _number(self, player: int, known: InformationState) -> int:
        """The number of an information state of the deals."""
        return self.numbers.setdefault((player, known), len(self.numbers))

    def _sizes(self, arms: int) -> dict[str, Any]:
        """The lengths of the lists that grow, with room for so many arms, and twice as many information states of each
        player."""
        players = len(self.backend.machine.player_names)
        states = 2 * players * arms
        knowledge = {"previous": states, "starts": states + 1, "words": 16 * states}
        return {"arms": arms, "firsts": states * players, "knowledge": knowledge}

    def _slots(self, arms: int) -> int:
        states: int = self._sizes(arms)["knowledge"]["previous"]
        return 1 << (2 * states).bit_length()

    def run(self) -> None:
        """Simulate as often as is wanted, or as time and memory allow."""
        problem, search = self.problem, self.search
        slices = Slices(self.kernels.is_compiled)
        while search.simulations < search.wanted and not self.is_full:
            if problem.limits.is_over and search.simulations:
                break
            try:
                before = search.simulations
                self._go_on(slices.next())
            except DeadlinePassed:
                if search.simulations == 0:
                    raise
                break
            problem.progress(search.simulations)
            if search.simulations == before:
                self._grow()

    def _go_on(self, moves: int) -> None:
        try:
            self.kernels.call(kernel.go_on, self.search, moves)
        except RuleError as error:
            deal, _ = self.deals[self.search.number]
            self.backend.explain(deal, list(self.search.made[: self.search.length]), error)

    def _grow(self) -> None:
        """Make room for more simulations, as far as memory goes."""
        larger = _GROWTH * self.size
        sizes, slots = self._sizes(larger), self._slots(larger)
        knowledge = sizes["knowledge"]
        arm = self.kernels.words_of(kernel.Search, "arms")
        numbers = arm * larger + sizes["firsts"] + sum(knowledge.values()) + slots
        if numbers * (8 if self.kernels.is_compiled else OBJECT_BYTES) > self.problem.limits.free:
            self.is_full = True
            return
        self.kernels.grow(self.search, **sizes)
        self.kernels.replace(self.search, knowledge={"slots": slots})
        self.kernels.call(rehash, self.search.knowledge, len(self.numbers))
        self.size = larger

    def found(self, player: int) -> Simulations:
        """The result so far."""
        search, backend = self.search, self.backend
        players = len(backend.machine.player_names)
        root, _ = self.deals[0]
        number = self.numbers[player, backend.machine.information_state(root, player)]
        arms: dict[Move, SimulatedMove] = {}
        at = search.firsts[number * players + player]
        while at:
            arm = search.arms[at]
            if arm.visits:  # none yet where time has ended the simulation that added it
                move = backend.move(arm.move)
                arms[move] = self._simulated_move(move, arm, player)
            at = arm.sibling
        return Simulations(
            tuple(arms.get(move) or SimulatedMove(move, 0, None, None) for move in backend.machine.moves(root)),
            search.simulations,
            search.unfinished,
            search.count,
            search.longest,
            self.is_full,
        )

    def _simulated_move(self, move: Move, arm: kernel.Arm, player: int) -> SimulatedMove:
        gains, bounds = Fraction(arm.gains) / self.unit, payoff_bounds(self.problem)[player]
        error = standard_error(gains, arm.squares, arm.visits, bounds)
        return SimulatedMove(move, arm.visits, bounds[0] + gains / arm.visits, float(error))
