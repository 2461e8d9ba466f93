"""Deadlines, on a fake clock."""

from __future__ import annotations

import pytest

from zermelo.foundation.deadline import DeadlinePassed, check_deadline, lift_deadline, time_limit


def test_there_is_all_the_time_where_nobody_set_a_limit(clock):
    clock[0] = 1e9
    check_deadline()


def test_the_end_is_heard_by_whoever_looks(clock):
    with pytest.raises(DeadlinePassed), time_limit(2):
        clock[0] = 2.0
        check_deadline()
        clock[0] = 2.1
        check_deadline()


@pytest.mark.parametrize(("outer", "inner"), [(1, 5), (5, 1)])
def test_of_two_limits_the_earlier_counts(clock, outer, inner):
    with pytest.raises(DeadlinePassed), time_limit(outer), time_limit(inner):
        clock[0] = 1.5
        check_deadline()


def test_an_outer_limit_counts_again_behind_an_inner_one(clock):
    with time_limit(3):
        with pytest.raises(DeadlinePassed), time_limit(1):
            clock[0] = 2.0
            check_deadline()
        check_deadline()
        clock[0] = 4.0
        with pytest.raises(DeadlinePassed):
            check_deadline()
    check_deadline()


def test_who_has_heard_the_end_is_left_in_peace_to_finish(clock):
    with time_limit(1):
        clock[0] = 2.0
        with pytest.raises(DeadlinePassed):
            check_deadline()
        check_deadline()
    with time_limit(1):
        clock[0] = 9.0
        lift_deadline()
        check_deadline()


def test_who_has_noticed_an_inner_end_has_noticed_an_outer_one_that_is_over_too(clock):
    with time_limit(3):
        with pytest.raises(DeadlinePassed), time_limit(3):
            clock[0] = 3.5
            check_deadline()
        check_deadline()  # what has been found by then is still put in order
