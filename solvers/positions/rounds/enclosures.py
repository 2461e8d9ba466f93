"""Certified bounds of all positions of a contest in which players choose at once and plays go round.

Component by component: positions to which no play comes back take one step from the bounds behind them. Circles in
which nobody chooses at once are solved in fractions (:mod:`zermelo.solvers.positions.circles.exact_numbers`), by the
lower bounds behind them and by the upper ones: what a position is worth never falls as what lies behind it grows, and
the choices that are best by lower bounds guarantee what they are worth by these. Circles with rounds, and those whose
fractions are too long, are enclosed by :mod:`zermelo.solvers.positions.rounds.shapley`. Exact numbers stay exact while
they have few digits; then bounds are rounded outward. The bounds of a position are never further apart than those
behind it, but for what is rounded, and for what is left open in its own circle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from attrs import define, field

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import INFINITE
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.positions.circles.end_components import end_components
from zermelo.solvers.positions.circles.exact_numbers import ExactSolver
from zermelo.solvers.positions.graph.components import Components, goes_round
from zermelo.solvers.positions.graph.contest import Component, Contest
from zermelo.solvers.positions.graph.graph import PAYS
from zermelo.solvers.positions.graph.refusals import EarnsForEver, NeedsEndless, NotEnclosed, TooManyDigits
from zermelo.solvers.positions.rounds.matrix_game import Mixture
from zermelo.solvers.positions.rounds.rounds import Round, begins_round, round_at
from zermelo.solvers.positions.rounds.shapley import Circle
from zermelo.solvers.positions.rounds.stages import agreed
from zermelo.solvers.positions.rounds.stochastic_game import (
    BOTH,
    Mixing,
    Step,
    by_all,
    choose,
    step_of,
    taking,
    ways_kept,
)
from zermelo.solvers.positions.rounds.stochastic_iteration import rounded

_FEW_BITS: Final = 256
"""The length of denominators up to which numbers stay exact."""


@define(eq=False)
class Enclosures:
    """Bounds for every position but those within rounds: ``lows`` and ``highs``. ``choices[p]`` is how to decide in p:
    the side that wants more gets at least the lower bounds by it, and the other side concedes at most the upper
    ones. In ``_work`` circles are solved exactly."""

    contest: Contest
    lows: dict[int, Fraction] = field(factory=dict)
    highs: dict[int, Fraction] = field(factory=dict)
    choices: dict[int, Mixing] = field(factory=dict)
    _work: Contest = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._work = Contest(self.contest.graph, self.contest.wants)

    def interval(self, position: int) -> tuple[Fraction, Fraction]:
        """The bounds of a position."""
        return self.lows[position], self.highs[position]

    def best(self, position: int) -> list[int]:
        """The edge by which a single player guarantees their bound; empty where nobody decides alone."""
        graph = self.contest.graph
        if graph.kinds[position] < 0 or position not in self.choices or begins_round(graph, position):
            return []
        return [graph.firsts[position] + self.choices[position].rows.index(Fraction(1))]

    def mixtures(self, position: int) -> tuple[Round, tuple[Mixture, ...]] | None:
        """The round that begins in a position, and the mixtures that guarantee the bounds; None elsewhere."""
        if not begins_round(self.contest.graph, position):
            return None
        round, choice = round_at(self.contest.graph, position), self.choices[position]
        wants = [self.contest.wants[player] for player in round.choosers]
        if len(set(wants)) == 1:
            return round, agreed(round, choice.rows.index(Fraction(1)))
        return round, (choice.rows, choice.columns) if wants[0] > 0 else (choice.columns, choice.rows)

    def solved(self, component: Component, behind: Mapping[int, Fraction]) -> dict[int, Mixing] | None:
        """What the positions of a component are worth in which nobody chooses at once, with these numbers behind it;
        None if fractions are too long, or numbers may be infinite."""
        work, graph = self._work, self.contest.graph
        for p, number in behind.items():
            work.numbers[p] = number
        endless = self.contest.endless if graph.discount == 1 else Fraction(0)
        solver = ExactSolver(work, INFINITE if endless is None else endless)
        try:
            solver.solve(component)
        except TooManyDigits:
            return None
        if endless is None and solver.may_last:
            return None
        found = {}
        for p in component:
            worth = work.numbers[p]
            assert worth is not None, "no play lasts for ever"
            found[p] = taking(worth, len(graph.edges(p)), work.choices[p] - graph.firsts[p])
        return found


def enclosures(
    contest: Contest, components: Components, digits: int, limits: Limits, progress: Progress = ignore_progress
) -> Enclosures:
    """Bounds of all positions. Those that have finite numbers keep them. ``digits`` says how near to each other the
    bounds are to be; where values are only approached, or what is earned is very uneven, they may stay further apart.
    ``progress`` is told how many components are done.

    Raises :class:`EarnsForEver`, :class:`NeedsEndless`, :class:`NotEnclosed`, and ``ZermeloError`` (``out-of-time``,
    ``moves-differ``)."""
    found = Enclosures(contest)
    width = Fraction(1, 10**digits * (1 + len(components)))
    for done, component in enumerate(components):
        progress(done)
        limits.check({"nodes": done})
        if not goes_round(contest.graph, component):
            _go_by(found, component[0], width)
        elif any(map(contest.graph.is_within_round, component)) or not _go_round_in_turn(found, component, width):
            _go_round(found, component, width)
    return found


def _go_by(found: Enclosures, position: int, width: Fraction) -> None:
    """The bounds of a position to which no play comes back."""
    graph = found.contest.graph
    kind, number = graph.kinds[position], found.contest.numbers[position]
    if kind <= PAYS:
        number = graph.payoff(position)[0]
    if isinstance(number, Fraction):
        found.lows[position] = found.highs[position] = number
    elif not graph.is_within_round(position):
        step = step_of(found.contest, position)
        lower = choose(step, found.lows)
        is_exact = all(found.lows[there] == found.highs[there] for _, _, there in step.ways)
        upper = lower if is_exact else choose(step, found.highs)
        found.lows[position] = _short(lower.number, width, -1)
        found.highs[position] = _short(upper.number, width, 1)
        found.choices[position] = _joined(step, lower, upper)


def _go_round_in_turn(found: Enclosures, component: Component, width: Fraction) -> bool:
    """The bounds of a component with circles in which nobody chooses at once; False if fractions are too long, or
    numbers may be infinite."""
    contest = found.contest
    graph, inside = contest.graph, set(component)
    behind = {graph.targets[edge] for p in component for edge in graph.edges(p)} - inside
    lower = found.solved(component, {p: found.lows[p] for p in behind})
    is_exact = all(found.lows[p] == found.highs[p] for p in behind)
    upper = lower if is_exact else found.solved(component, {p: found.highs[p] for p in behind})
    if lower is None or upper is None:
        return False
    for p in component:
        found.lows[p] = _short(lower[p].number, width, -1)
        found.highs[p] = _short(upper[p].number, width, 1)
        if (player := graph.kinds[p]) >= 0:
            found.choices[p] = (lower if contest.wants[player] > 0 else upper)[p]
    return True


def _go_round(found: Enclosures, component: Component, width: Fraction) -> None:
    """The bounds of a component with circles."""
    contest = found.contest
    graph = contest.graph
    steps = [step_of(contest, position) for position in component if not graph.is_within_round(position)]
    stays = _check_earnings(steps)
    inside = {step.position for step in steps}
    behind = {there for step in steps for _, _, there in step.ways} - inside
    lows, highs = ({there: bounds[there] for there in behind} for bounds in (found.lows, found.highs))
    endless = contest.endless if graph.discount == 1 else Fraction(0)
    enclosed = Circle(steps, lows, highs, endless, stays).enclosed(width)
    if enclosed is None:
        if stays and endless is None:
            raise NeedsEndless(min(component), ())
        raise NotEnclosed(min(component))
    found.lows |= enclosed.lower.numbers
    found.highs |= enclosed.upper.numbers
    for step in steps:
        found.choices[step.position] = _joined(
            step, enclosed.lower.choices[step.position], enclosed.upper.choices[step.position]
        )


def _check_earnings(steps: Sequence[Step]) -> bool:
    """Whether a play may stay for ever; raises :class:`EarnsForEver` if it may earn something again and again then."""
    arena = ways_kept(steps, by_all)
    components = end_components(arena, arena.every_row())
    for component in components:
        for p, options in component.items():
            for option in options:
                for way in by_all(steps[p])[option]:
                    if steps[p].ways[way][0]:
                        raise EarnsForEver(steps[p].edges[way][-1])
    return bool(components)


def _joined(step: Step, lower: Mixing, upper: Mixing) -> Mixing:
    """What each side does by its own bounds."""
    if step.sign == BOTH:
        return Mixing(lower.number, lower.rows, upper.columns)
    return lower if step.sign >= 0 else upper


def _short(number: Fraction, width: Fraction, direction: int) -> Fraction:
    """A number, rounded in a direction if it has many digits."""
    if number.denominator.bit_length() <= _FEW_BITS:
        return number
    return rounded(number, 2 * width.denominator, direction)
