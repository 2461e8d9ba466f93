"""Certified bounds of the kept positions of a folded graph: the host of
:mod:`zermelo.solvers.kernels.folded_bounds`.

The result depends on the graph and the order of its positions alone, neither on a clock nor on the executor.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from attrs import frozen

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.kernels import load
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Milestone, Remark, ignore_remark
from zermelo.solvers.kernels.folded_bounds import DONE, MAY_STAY, UNPROVED, Sweeping, conclude, go_on, start
from zermelo.solvers.kernels.position_arrays import EPSILON
from zermelo.solvers.positions.circles.interval_iteration import MOST, rounded_up
from zermelo.solvers.positions.folding.folded_graph import FoldedGraph
from zermelo.solvers.running.slices import Slices

LIST_BYTES: Final = 4
POSITION_BYTES: Final = 28
"""The bytes of a list and of a kept position while bounds are found; in the result, 16 of them."""

_CHUNK: Final = 1 << 20
"""Numbers that are copied at a time."""

_REASONS: Final = {
    MAY_STAY: "players who all wish to may be able to go on for ever",
    UNPROVED: "no bounds have been proved",
}


class NotBounded(Exception):
    """Nothing has been proved. The message says why, in words."""


@frozen(eq=False)
class FoldedBounds:
    """What every kept position is worth to the first player lies between ``lower`` and ``upper``, inclusive; they are
    nowhere further apart than ``width``. ``sweeps`` have been made."""

    lower: Sequence[float]
    upper: Sequence[float]
    width: float
    sweeps: int

    def interval(self, position: int) -> tuple[Fraction, Fraction]:
        """The bounds of a kept position, exactly."""
        return Fraction(self.lower[position]), Fraction(self.upper[position])


def folded_bounds(
    graph: FoldedGraph,
    wants: Sequence[int],
    limits: Limits,
    remark: Remark = ignore_remark,
    compiled: bool = True,
) -> FoldedBounds:
    """Certified bounds for every kept position, where player p wants more of the first one's payoff if ``wants[p]`` is
    1, and less if it is -1; ``compiled`` says whether machine code may be used. ``remark`` is told of the sweeps.

    Raises :class:`NotBounded`, and ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    numbers = [abs(amount[0]) for amount in graph.amounts]
    if max(numbers) >= MOST:
        raise NotBounded("the payoffs have more than 500 bits")
    count, lists = len(graph), graph.lists
    limits.require(POSITION_BYTES * count + LIST_BYTES * lists, f"the bounds of {count:,} positions between turns")
    kernels = load(kernel(start, go_on, conclude), compiled)
    arrays = {name: kernels.as_halves(getattr(graph, name)) for name in ("kinds", "draws", "weights", "targets")}
    firsts = kernels.elements(int, count + 1)
    for begin in range(0, count + 1, _CHUNK):
        end = min(begin + _CHUNK, count + 1)
        firsts[begin:end] = graph.firsts[begin:end]
    bound = {"values": count, "frees": 2}
    work = kernels.new(
        Sweeping, graph={**arrays, "firsts": firsts}, upper=bound, lower=bound, chosen=lists, stays=count
    )
    work.graph.count, work.graph.lists = count, lists
    work.slack = 8.0 * EPSILON * max(map(float, numbers))
    for sign, side in ((1, work.upper), (-1, work.lower)):
        side.frees[: len(wants)] = [int(want == sign) for want in wants]
        for end in graph.ends:
            side.values[end] = rounded_up(sign * graph.payoff(end)[0])
    slices = Slices(kernels.is_compiled)
    kernels.call(start, work)
    while (stage := kernels.call(go_on, work, slices.next())) < DONE:
        remark(Milestone(work.total, f"sweeps over {count:,} positions between turns", {"change": work.full}))
        limits.check({"nodes": count})
    if stage != DONE:
        raise NotBounded(_REASONS[stage])
    kernels.call(conclude, work)
    found = FoldedBounds(work.lower.values, work.upper.values, work.width, work.total)
    limits.hold(found, 16 * count)
    return found
