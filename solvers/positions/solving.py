"""From a graph of positions to what they are worth, by the algorithm that fits.

=================================================  ================================================================
a contest without chance, rounds and discount      retrograde analysis (:mod:`.retrograde`)
another contest                                    component by component: backward induction where no play comes
                                                   back (:mod:`.backward_induction`), else policy and strategy
                                                   iteration (:mod:`.exact_numbers`)
... whose fractions have too many digits           certified bounds (:mod:`.interval_iteration`)
more than one number counts, and no play can       subgame perfection (:mod:`.subgame_perfection`)
come back
=================================================  ================================================================

**Endless plays of which the rules say nothing.** What a position is worth never falls as that amount grows. So it is
found twice, with plays that never end below all numbers and above: where the two agree, it does not matter; where they
differ at the root, the game is refused (``needs-endless``).

No limit on digits or on positions changes a value: beyond it there is an interval, which holds the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from attrs import frozen

from zermelo.interpreter.machine import Payoff
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import INFINITE, Infinite
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.positions import exact_numbers, retrograde
from zermelo.solvers.positions.backward_induction import Induction
from zermelo.solvers.positions.components import Components, find_components, goes_round
from zermelo.solvers.positions.contest import Contest, contest_of
from zermelo.solvers.positions.graph import ROOT, PositionGraph
from zermelo.solvers.positions.interval_iteration import Bounds, bounds
from zermelo.solvers.positions.refusals import NeedsEndless, NeedsOneNumber, TooManyDigits
from zermelo.solvers.positions.retrograde import EarnsInCircle
from zermelo.solvers.positions.rounds import begins_round
from zermelo.solvers.positions.stages import solved_stage
from zermelo.solvers.positions.subgame_perfection import Shares, subgame_perfect

MOST_EXACT: Final = 2_000_000
"""Up to how many positions of a game of chance have exact numbers, which are objects of Python."""
