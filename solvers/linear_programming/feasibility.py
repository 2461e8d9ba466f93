"""Whether a system of linear inequalities has a solution, in fractions.

The least amount is sought by which some of its forms must be raised until all are at least 0. So there always is an
optimum if the other forms have a solution, and its certificate proves either answer: the amount is 0, or it cannot be.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from fractions import Fraction
from typing import Final, Literal

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.linear_programming.exact_optimum import optimum
from zermelo.solvers.linear_programming.linear_program import LinearProgram

ONE: Final = "one"
"""The constant of a linear form, as if it were a variable."""

Form = dict[Hashable, int]
"""A linear form: whole factors of variables, and of 1 (:data:`ONE`)."""

Values = dict[Hashable, Fraction]


def solve(
    kept: Sequence[Form], raised: Sequence[Form], positive: Collection[Hashable], limits: Limits
) -> Values | Literal["none", "unknown"]:
    """Values of all variables for which every form is at least 0, those of ``positive`` at least 1; ``none`` if it is
    proved that there are none, ``unknown`` if no proof was found. ``kept``, alone, must have a solution.

    Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory``, ``broken-installation``."""
    limits.check({"nodes": 0})
    names = dict.fromkeys([*positive, *(name for form in (*kept, *raised) for name in form if name != ONE)])
    place = {name: 1 + k for k, name in enumerate(names)}
    lowest = dict.fromkeys(positive, 1)
    program = LinearProgram([-1] + [0] * len(place), [False, *(name not in lowest for name in place)])
    for k, form in enumerate((*kept, *raised)):
        row = [(place[name], -factor) for name, factor in form.items() if factor and name != ONE]
        if k >= len(kept):
            row.append((0, -1))
        if row:
            at_lowest = sum(factor for name, factor in form.items() if name in lowest or name == ONE)
            program.add(row, at_lowest, is_equality=False)
    if not program.rows:
        return {name: Fraction(lowest.get(name, 0)) for name in place}
    found = optimum(program, limits)
    if found is None or not found[1]:
        return "unknown"
    x = found[0].x
    return "none" if x[0] else {name: x[k] + lowest.get(name, 0) for name, k in place.items()}
