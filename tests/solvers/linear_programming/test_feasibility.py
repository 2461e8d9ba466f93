"""Systems of inequalities: solutions satisfy them, and where none is said to exist, HiGHS finds none either."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.linear_programming.exact_optimum import ONE, solve

FORMS = st.lists(
    st.dictionaries(st.sampled_from(["x", "y", "z", ONE]), st.integers(-3, 3), min_size=1, max_size=4), max_size=6
)


@given(raised=FORMS, positive=st.sets(st.sampled_from(["x", "y"])))
def test_solutions_are_solutions_and_refutations_are_true(raised, positive):
    found = solve([], raised, positive, Limits())
    assert found != "unknown"
    names = ["x", "y", "z"]
    if found == "none":
        rows = [[-form.get(name, 0) for name in names] for form in raised]
        right = [form.get(ONE, 0) for form in raised]
        bounds = [(1 if name in positive else None, None) for name in names]
        assert linprog([0, 0, 0], A_ub=rows, b_ub=right, bounds=bounds).status == 2
    else:
        assert all(found[name] >= 1 for name in positive)
        for form in raised:
            assert sum(factor * (1 if name == ONE else found.get(name, 0)) for name, factor in form.items()) >= 0
