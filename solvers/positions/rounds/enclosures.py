"""Certified bounds of all positions of a contest in which players choose at once and plays go round.

Component by component: positions to which no play comes back take one step from the bounds behind them; circles are
enclosed by :mod:`zermelo.solvers.positions.rounds.shapley`. A step of exact numbers stays exact while it has few
digits; then bounds are rounded outward. The bounds of a position are never further apart than those behind it, but for
what is rounded, and for what is left open in its own circle.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from attrs import define, field

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.positions.circles.end_components import end_components
from zermelo.solvers.positions.graph.components import Components, goes_round
from zermelo.solvers.positions.graph.contest import Component, Contest
from zermelo.solvers.positions.graph.graph import PAYS
from zermelo.solvers.positions.graph.refusals import EarnsForEver, NeedsEndless, NotEnclosed
from zermelo.solvers.positions.rounds.matrix_game import Mixture
from zermelo.solvers.positions.rounds.rounds import Round, begins_round, round_at
from zermelo.solvers.positions.rounds.shapley import Circle
from zermelo.solvers.positions.rounds.stages import agreed
from zermelo.solvers.positions.rounds.stochastic_game import BOTH, Mixing, Step, by_all, choose, step_of, ways_kept
from zermelo.solvers.positions.rounds.stochastic_iteration import rounded

_FEW_BITS: Final = 256
"""The length of denominators up to which numbers stay exact."""


@define(eq=False)
class Enclosures:
    """Bounds for every position but those within rounds: ``lows`` and ``highs``. ``choices[p]`` is how to decide in p:
    the side that wants more gets at least the lower bounds by it, and the other side concedes at most the upper
    ones."""

    contest: Contest
    lows: dict[int, Fraction] = field(factory=dict)
    highs: dict[int, Fraction] = field(factory=dict)
    choices: dict[int, Mixing] = field(factory=dict)

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
        if goes_round(contest.graph, component):
            _go_round(found, component, width)
        else:
            _go_by(found, component[0], width)
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
        lower, upper = choose(step, found.lows), choose(step, found.highs)
        found.lows[position] = _short(lower.number, width, -1)
        found.highs[position] = _short(upper.number, width, 1)
        found.choices[position] = _joined(step, lower, upper)


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
