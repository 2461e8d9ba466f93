"""The same iterations in Python and in machine code."""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.solvers.imperfect_information.counterfactual_regret import Minimizer


def iterate_alike(plain: Minimizer, compiled: Minimizer, counts: Iterable[int]) -> None:
    """Iterate so many times, and again: all that is known then agrees bit for bit."""
    for count in counts:
        plain.iterate(count)
        compiled.iterate(count)
        assert plain.iterations == compiled.iterations
        assert plain.averages() == compiled.averages()
        assert plain.gains() == compiled.gains()
        assert plain.save() == compiled.save()
