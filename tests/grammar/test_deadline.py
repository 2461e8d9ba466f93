"""Deadlines, on a fake clock."""

from __future__ import annotations

import pytest

from zermelo.grammar.deadline import Passed, lift, look, within


def test_there_is_all_the_time_where_nobody_set_a_limit(clock):
    clock[0] = 1e9
    look()


def test_the_end_is_heard_by_whoever_looks(clock):
    with pytest.raises(Passed), within(2):
        clock[0] = 2.0
        look()
        clock[0] = 2.1
        look()


@pytest.mark.parametrize(("outer", "inner"), [(1, 5), (5, 1)])
def test_of_two_limits_the_earlier_counts(clock, outer, inner):
    with pytest.raises(Passed), within(outer), within(inner):
        clock[0] = 1.5
        look()


def test_an_outer_limit_counts_again_behind_an_inner_one(clock):
    with within(3):
        with pytest.raises(Passed), within(1):
            clock[0] = 2.0
            look()
        look()
        clock[0] = 4.0
        with pytest.raises(Passed):
            look()
    look()


def test_who_has_heard_the_end_is_left_in_peace_to_finish(clock):
    with within(1):
        clock[0] = 2.0
        with pytest.raises(Passed):
            look()
        look()
    with within(1):
        clock[0] = 9.0
        lift()
        look()


def test_who_has_noticed_an_inner_end_has_noticed_an_outer_one_that_is_over_too(clock):
    with within(3):
        with pytest.raises(Passed), within(3):
            clock[0] = 3.5
            look()
        look()  # what has been found by then is still put in order
