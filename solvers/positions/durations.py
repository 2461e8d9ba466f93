"""How long plays last if everybody does what a solution says, and whether they end.

They are a Markov chain of the positions. If it is small, its numbers are fractions or balls (:mod:`.chain_durations`),
else bounds in floating point (:mod:`.bounded_durations`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.duration import Duration
from zermelo.solvers.positions.bounded_durations import bounded_durations
from zermelo.solvers.positions.chain_durations import chain_durations
from zermelo.solvers.positions.chains import chain_of
from zermelo.solvers.positions.graph.graph import ROOT
from zermelo.solvers.positions.solved import SolvedPositions

MOST: Final = 100_000
"""Of how many positions a chain may consist of objects of Python."""

POSITION_BYTES: Final = 1500
"""The bytes of such a position with its steps and numbers, about."""


class Durations(Protocol):
    """How long plays last from some positions on, and from all to which these lead."""

    def at(self, position: int) -> Duration | None:
        """How long a play lasts from a position of the graph on. None in positions to which no play comes, within
        rounds, and where plays may come to where the solution does not say what to do."""

    def counted(self, is_decision: bool) -> int:
        """As how many steps a decision counts, or a draw."""


def durations(solved: SolvedPositions, starts: Sequence[int], limits: Limits) -> Durations | None:
    """How long plays last from some positions on, and from all to which these lead. None if that is left out, as it is
    where the solution is all that the limits allow, where FLINT is missing, which a solution may do without, and where
    no bounds can be proved."""
    found: Durations | None = None
    try:
        with limits.kept():
            if POSITION_BYTES * min(MOST, len(solved.graph)) <= limits.free:
                chain = chain_of(solved, starts, MOST)
                if chain is not None:
                    found = chain_durations(chain, solved.bounds(ROOT) is None, limits)
            return found or bounded_durations(solved, starts, limits)
    except ZermeloError as error:
        if error.code not in ("out-of-time", "out-of-memory", "broken-installation"):
            raise
    return None
