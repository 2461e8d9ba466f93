"""Who can see to it that a play never ends.

Suppose that such a play paid a little more, less than any two numbers of positions differ by. A position is then worth
more if and only if those who want more can see to it that the play never ends, or else brings them more than the
position is worth now. For if it is worth more, what brings that about does this: every play that ends pays one of the
old numbers, and so more than the old worth, and one that never ends pays no less than it. If it is not, the others can
see to it that no play pays more than the old worth, and so that one that never ends pays less, without the little.
Likewise for those who want less, if such a play paid a little less. So two more analyses tell it; numbers are whole
parts of a unit, and half a part is little enough.
"""

from __future__ import annotations

from attrs import frozen

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.positions.retrograde.analysis import Analyser, Analysis
from zermelo.solvers.positions.retrograde.retrograde import RetrogradeValues


@frozen(eq=False)
class Lasting:
    """The values of a contest, and those if a play that never ends paid half a part more, and half a part less; these
    are in half parts."""

    values: RetrogradeValues
    more: Analysis
    less: Analysis

    def players(self, position: int) -> tuple[int, ...]:
        """Those who can see to it, alone or with others who want the same, that a play from a position on never ends,
        or else brings them more than the position is worth."""
        worth = 2 * self.values.low.numbers[position]
        gains = {1: self.more.numbers[position] > worth, -1: self.less.numbers[position] < worth}
        return tuple(player for player, want in enumerate(self.values.contest.wants) if gains[want])


def lasting(
    values: RetrogradeValues,
    limits: Limits,
    progress: Progress = ignore_progress,
    compiled: bool = True,
) -> Lasting:
    """Who can see to it that plays never end, in a contest whose rules say ``endless``; for the rest see
    :func:`~zermelo.solvers.positions.retrograde.retrograde.solve`."""
    assert values.contest.endless is not None
    parts = [2 * amount for amount in values.parts]
    analyser = Analyser(values.contest, values.components, parts, limits, progress, compiled)
    return Lasting(values, *(analyser.analyse(2 * values.fair + half) for half in (1, -1)))
