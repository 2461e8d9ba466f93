"""Exploring and solving a contest by its positions in which nobody can win at once.

All positions in which the same player can win at once are one, and edges that cannot matter beside others are left out
(:mod:`zermelo.solvers.kernels.exploration`). What is left is a graph of positions like any other, with the same
values and distances, which retrograde analysis solves as one component.

The table of positions is kept beside the graph: any position can be looked up in it, which tells what moves bring that
have no edge. All lookups are made before the kernels are given back. Nothing is kept of a position in which somebody
can win at once, so it is not listed what to do at each decision.

If the edges do not fit into memory either, they are left out where no edge leads back: then all moves are made again
(:mod:`zermelo.solvers.kernels.remaking`), and the result is the same.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final

from attrs import define, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END, Move
from zermelo.interpreter.native.dialect.kernel_source import kernel as join
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.interpreter.native.running.views import BeyondLimits
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import over_one_denominator
from zermelo.solvers.forms.policy import Advice, Worth
from zermelo.solvers.kernels.answers import BEYOND, DONE
from zermelo.solvers.kernels.exploration import LACKS_ROOM, WON, has_decisive_move
from zermelo.solvers.kernels.position_graph import look_up
from zermelo.solvers.kernels.remaking import Solving, amount_of, distance_of, solve_back, start_again
from zermelo.solvers.kernels.retrograde import FOREVER
from zermelo.solvers.positions.graph.exploring import ENTRY_BYTES, FUNCTIONS, Exploring
from zermelo.solvers.positions.graph.graph import (
    EXCHANGED,
    ROOT,
    Contest,
    PositionGraph,
    TooManyPositions,
    as_one_component,
)
from zermelo.solvers.positions.retrograde import RESULT_BYTES, Analyser, RetrogradeValues, who_sustains
from zermelo.solvers.running.lowered_backend import LoweredBackend, images_of
from zermelo.solvers.running.path_search import Slices
from zermelo.solvers.solution import Answer, Problem

_KEPT_ALONE: Final = (
    "Only positions in which nobody can win at once have been kept{}, since all positions do not fit into memory: what "
    "to do in each of them is not listed."
)
_UP_TO_SYMMETRY: Final = ", and one of those that are alike but for a symmetry of the rules"


# For which games decided positions may be left out, and what a decisive move has to bring in them
# (:mod:`zermelo.solvers.kernels.exploration`).


NOTHING: Final = -(1 << 63)
"""An amount that no play pays."""


def may_leave_out(problem: Problem[Any]) -> bool:
    """Whether decided positions may be left out: there are two players with a constant sum; it is known what an endless
    play pays, or that all plays end; nothing is left to chance, nobody chooses at once, and only ends pay."""
    facts, machine = problem.facts, problem.machine
    return (
        isinstance(machine, LoweredMachine)
        and len(machine.player_names) == 2
        and facts.sum is not None
        and facts.chance.holds is False
        and facts.simultaneous.holds is False
        and (facts.has_endless or facts.terminates.holds is True)
        and machine.discount == 1
        and machine.program.layout.earnings is None
        and not machine.program.model.history
    )


def middle(problem: Problem[Any]) -> Fraction:
    """What separates those who hurry from those who delay, as in retrograde analysis: what the first player gets from
    an endless play, or if there are none, half of what both get together."""
    endless = problem.machine.endless()
    assert problem.facts.sum is not None, "the players have a constant sum"
    return Fraction(problem.facts.sum, 2) if endless is None else endless[0]


def decisive_payoffs(machine: LoweredMachine, problem: Problem[Any]) -> Iterator[int]:
    """What the first player gets, in parts of a payoff, by a decisive move of each player. Such a move brings the mover
    the most that any play can pay, and more than the middle. :data:`NOTHING` for a player without such moves."""
    fair, parts = middle(problem), machine.program.denominator
    least, most = problem.bounds
    for bound, is_more in ((most, most > fair), (least, least < fair)):
        in_parts = Fraction(bound) * parts if is_more and isinstance(bound, int | Fraction) else None
        is_one = in_parts is not None and in_parts.denominator == 1 and abs(in_parts) < -NOTHING
        yield int(in_parts) if in_parts is not None and is_one else NOTHING


@frozen(eq=False)
class FirstMoves:
    """What to do at the root. Implements :class:`~zermelo.solvers.forms.policy.Advisor`, but refuses to advise on the
    decisions behind the root, and says ``why``."""

    worths: Callable[[], tuple[Worth, ...]]
    why: str
    limits: Limits

    def __iter__(self) -> Iterator[Advice[Any]]:
        raise ZermeloError(
            "out-of-memory",
            self.why,
            f"{self.limits.more_memory}; without --policy and --positions the value is found, and `zermelo "
            "moves --after MOVES --values` shows what each move brings",
        )

    def first(self) -> tuple[Worth, ...]:
        """What the moves or outcomes at the root bring."""
        return self.worths()


@frozen
class Rating:
    """What the first player gets from a position on, and the moves to the end if those who win hurry and the others
    delay, ``FOREVER`` where play does not come to an end."""

    number: Fraction
    distance: int

    @property
    def moves(self) -> int | None:
        """The moves to the end; None where play does not come to one."""
        return self.distance if self.distance < FOREVER else None


def _solve(machine: LoweredMachine, problem: Problem[Any]) -> Answer:
    """Find the positions of a problem that :func:`may_leave_out` accepts, and solve it.

    Raises :class:`BeyondLimits`, also if the rules fail somewhere, since the ordinary search for positions explains
    such errors; and ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    held, found = LoweredBackend(machine).held(problem.root), images_of(machine, with_exchanges=True)
    exchanges = found is not None and found.exchange

    def work(kernels: Kernels) -> Answer:
        exploring = Exploring(
            machine, kernels, problem.root, False, problem.limits, problem.progress, None, (), False, False, exchanges,
            may_be_left_out=abs(middle(problem)) * machine.program.denominator < -NOTHING,
        )  # fmt: skip
        exploring.search.trial.most[:] = list(decisive_payoffs(machine, problem))
        kernels.put(exploring.search.batch[0].state, held)
        exploring.explore()
        exploring.keep_beside_edges(RESULT_BYTES * exploring.count)
        solved = (_WithEdges if exploring.keeps_edges else _WithoutEdges).of(problem, exploring)
        return solved.answer(_UP_TO_SYMMETRY if found is not None else "")

    source = join(
        *FUNCTIONS,
        has_decisive_move,
        look_up,
        start_again,
        solve_back,
        is_witness="0",
        is_decided="has_decisive_move(rules, trial, state)",
        write_key="pack(state, key)" if found is None else "least_image(state, key)",
        is_exchanged="renamed_player(image, 0)" if exchanges else "0",
    )
    return machine.run(source if found is None else source.with_rules(found.text), work)


@define(eq=False)
class _Solved:
    """Solved positions, with the search that can look them up. Players with the ``wants`` 1 want more of what the first
    player gets."""

    problem: Problem[Any]
    exploring: Exploring
    wants: tuple[int, ...]
    middle: Fraction

    @abstractmethod
    def found(self, position: int) -> Rating:
        """What has been found of a position."""

    @property
    @abstractmethod
    def edges(self) -> int:
        """The number of edges."""

    @abstractmethod
    def lasting(self) -> tuple[int, ...] | None:
        """Who can see to it that the play never ends; None if no play can."""

    def answer(self, up_to: str) -> Answer:
        """What has been found of the root; ``up_to`` is added to the note where symmetric positions count as one."""
        problem, search, limits = self.problem, self.exploring.search, self.problem.limits
        rating, kept = self.rated(ROOT), search.positions.count
        worths = tuple(
            Worth(move, problem.share(behind.number), Fraction(0), None if behind.moves is None else behind.moves + 1)
            for move, behind in self.behind(problem.root)
        )
        why = (
            "not all positions fit into memory, so what to do in each of them is not listed; only the "
            f"{kept:,} positions in which nobody can win at once have been kept"
        )
        return Answer(
            value=problem.share(rating.number),
            best=tuple(self.best(problem.root)),
            line=tuple(self.line()),
            counts={"nodes": self.exploring.count, "terminals": search.terminals, "edges": self.edges},
            alternatives=(),
            notes=(_KEPT_ALONE.format(up_to),),
            policy=FirstMoves(lambda: worths, why, limits),
            distance=rating.moves,
            lasting=self.lasting(),
        )

    def rating(self, state: LoweredState) -> Rating | None:
        """What a position is worth; None if it has not been met, since only decided positions lead to it."""
        machine = self.exploring.machine
        if machine.actor(state) == END:
            return Rating(machine.payoff(state)[0], 0)
        kernels, search = self.exploring.kernels, self.exploring.search
        kernels.put(search.batch[0].state, LoweredBackend(machine).held(state))
        target = kernels.call(look_up, search)
        if target <= WON:
            return Rating(Fraction(search.trial.most[WON - target], machine.program.denominator), 1)
        return self.rated(target) if target >= 0 else None

    def rated(self, target: int) -> Rating:
        """What an edge to a target brings: a position, or its image in which the players have changed places."""
        position = target & (EXCHANGED - 1) if self.exploring.exchanges else target
        found = self.found(position)
        return found if position == target else Rating(2 * self.middle - found.number, found.distance)

    def behind(self, state: LoweredState) -> list[tuple[Move, Rating]]:
        """The moves of a position, with what is behind them; of a decided one perhaps not all, but those that win at
        once."""
        machine = self.exploring.machine
        rated = ((move, self.rating(machine.after(state, move))) for move in machine.moves(state))
        return [(move, rating) for move, rating in rated if rating is not None]

    def best(self, state: LoweredState) -> list[Move]:
        """The best moves: those that keep the number, and where somebody hurries, the distance."""
        moves = self.behind(state)
        if not moves:
            return []
        want = self.wants[self.exploring.machine.actor(state)]
        number = max(want * rating.number for _, rating in moves) * want
        keep = [(move, rating.distance) for move, rating in moves if rating.number == number]
        if number != self.middle or self.all_hurry:
            pick = min if self.all_hurry or want * (number - self.middle) > 0 else max
            distance = pick(distance for _, distance in keep)
            keep = [(move, each) for move, each in keep if each == distance]
        return [move for move, _ in keep]

    @property
    def all_hurry(self) -> bool:
        """Whether nobody has anything to gain, since all plays end and pay the same."""
        return self.exploring.machine.endless() is None and len(set(self.wants)) == 1

    def line(self) -> list[Move]:
        """Best play from the root: to the end, or to where a position comes again."""
        machine, state, line = self.exploring.machine, self.problem.root, list[Move]()
        met = set[Any]()
        while (position := machine.position(state)) not in met and (best := self.best(state)):
            met.add(position)
            line.append(best[0])
            state = machine.after(state, best[0])
        return line


@define(eq=False)
class _WithEdges(_Solved):
    """Positions of a graph, solved by retrograde analysis."""

    graph: PositionGraph
    values: RetrogradeValues

    @classmethod
    def of(cls, problem: Problem[Any], exploring: Exploring) -> _WithEdges:
        """Solve the positions. The table is needed before and after that, but not meanwhile."""
        graph, fair, wants = exploring.finished(), middle(problem), _wants(exploring)
        limits, entries = problem.limits, exploring.give_table_back()
        keys = exploring.table_bytes
        limits.hold(exploring, keys)
        parts, denominator = over_one_denominator([*(payoff[0] for payoff in graph.amounts), fair])
        contest = Contest(graph, wants)
        components = as_one_component(graph, exploring.search.positions.count)
        is_compiled = exploring.kernels.is_compiled
        analyser = Analyser(contest, components, parts, limits, problem.progress, is_compiled)
        found = analyser.analyse(parts[-1])
        limits.require(ENTRY_BYTES * entries, f"the table of {exploring.search.positions.count:,} positions")
        exploring.take_table(entries)
        limits.hold(exploring, exploring.table_bytes - keys)
        values = RetrogradeValues(contest, components, found, found, parts, denominator)
        return cls(problem, exploring, wants, fair, graph, values)

    @property
    def edges(self) -> int:
        return self.exploring.search.edges

    def found(self, position: int) -> Rating:
        analysis = self.values.low
        return Rating(Fraction(analysis.numbers[position], self.values.denominator), analysis.distances[position])

    def lasting(self) -> tuple[int, ...] | None:
        """Nobody, if an endless play would still not be best if it paid a little more."""
        if self.graph.rises or self.graph.endless is None:
            return None
        if self.values.low.numbers[ROOT] != self.values.low.middle:
            return ()
        if self.graph.exchanges:
            return None
        compiled = self.exploring.kernels.is_compiled
        return who_sustains(self.values, self.problem.limits, self.problem.progress, compiled).players(ROOT)


@define(eq=False)
class _WithoutEdges(_Solved):
    """Positions whose ratings have been found by making all moves again."""

    @classmethod
    def of(cls, problem: Problem[Any], exploring: Exploring) -> _WithoutEdges:
        """Solve the positions. Raises ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
        kernels, search, limits = exploring.kernels, exploring.search, problem.limits
        fair, wants = middle(problem), _wants(exploring)
        limits.hold(exploring, exploring.bytes)
        solving = kernels.new(Solving)
        in_parts = fair * exploring.machine.program.denominator
        solving.hurries[:] = [ceil(in_parts), floor(in_parts)]
        solving.wants[:] = list(wants)
        slices = Slices(kernels.is_compiled)
        kernels.call(start_again, search, solving)
        while (answer := kernels.call(solve_back, search, solving, slices.next())) != DONE:
            if answer == BEYOND:
                raise TooManyPositions(search.positions.count, exploring.bytes, limits)
            if answer == LACKS_ROOM:
                exploring.make_room_for_amounts()
            problem.progress(search.positions.count - search.position)
            limits.check({"nodes": search.positions.count})
        return cls(problem, exploring, wants, fair)

    @property
    def edges(self) -> int:
        """The edges, and one for each player who can win at once somewhere."""
        return self.exploring.search.edges + self.exploring.search.winners

    def found(self, position: int) -> Rating:
        search, program = self.exploring.search, self.exploring.machine.program
        rating = search.kinds[position]
        return Rating(Fraction(search.amounts.rows[2 * amount_of(rating)], program.denominator), distance_of(rating))

    def lasting(self) -> tuple[int, ...] | None:
        return None


def _wants(exploring: Exploring) -> tuple[int, ...]:
    """Who wants more of what the first player gets: both, if all plays pay both the same."""
    rows = exploring.search.amounts.rows[: 2 * exploring.search.amounts.count]
    paid = [*zip(rows[::2], rows[1::2], strict=True), *filter(None, [exploring.machine.endless()])]
    return (1, 1) if all(len(set(payoff)) == 1 for payoff in paid) else (1, -1)


def answer_undecided(problem: Problem[Any]) -> Answer | None:
    """The answer by undecided positions; None if the others cannot be left out, or if the undecided ones do not fit
    into memory either.

    Raises ``ZermeloError`` (``out-of-time``)."""
    machine = problem.machine
    if not isinstance(machine, LoweredMachine) or not may_leave_out(problem):
        return None
    try:
        with problem.limits.enforce():
            return machine.with_room(lambda: _solve(machine, problem))
    except BeyondLimits:
        return None
    except ZermeloError as refusal:
        if refusal.code != "out-of-memory":
            raise
        return None
