"""Time limits around work that does not check them, on a clock set by the tests."""

from __future__ import annotations

import pytest

from zermelo.foundation import deadline
from zermelo.solvers.common.limits import LimitReached, Limits


def test_what_looks_at_the_clock_is_ended_with_the_error_of_the_limit(clock):
    limits = Limits(3, begin=0.0)
    with pytest.raises(LimitReached, match="within 3 s") as refused, limits.enforced():
        clock[0] = 4.0
        deadline.check_deadline()
    assert refused.value.code == "out-of-time"
    assert "got as far as" not in refused.value.message


def test_time_that_has_gone_by_before_counts(clock):
    clock[0] = 2.5
    with pytest.raises(LimitReached), Limits(3, begin=0.0).enforced():
        clock[0] = 3.5
        deadline.check_deadline()


def test_who_asked_whether_the_time_is_up_ends_in_good_order(clock):
    limits = Limits(3, begin=0.0)
    with limits.enforced():
        clock[0] = 4.0
        assert limits.is_over
        deadline.check_deadline()
