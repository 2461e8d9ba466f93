"""Deadlines, on a fake clock."""

from __future__ import annotations

from collections import deque
from math import inf
from sys import getsizeof

import pytest
from attrs import frozen

from zermelo.commands.options import size
from zermelo.foundation.deadline import DeadlinePassed, check_deadline, lift_deadline, time_limit
from zermelo.foundation.memory import SAMPLE_SIZE, MemoryBudget, MemoryQuota, footprint, format_bytes, memory_option


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


# The measured memory of objects, with shared parts counted once.


@frozen
class Point:
    """Something with attributes."""

    place: tuple[int, ...]
    name: str


def test_what_hangs_on_a_thing_counts_once():
    shared = tuple(range(1000, 2000))
    numbers = sum(map(getsizeof, shared))
    alone = footprint([[shared]], set())
    assert alone == getsizeof([shared]) + getsizeof(shared) + numbers
    assert footprint([[shared], [shared]], set()) == alone + getsizeof([shared])


def test_what_has_been_seen_does_not_count():
    thing, seen = ("a" * 100, 10**50), set()
    assert footprint([thing], seen) > 100
    assert footprint([thing], seen) == 0


def test_programs_belong_to_nobody():
    assert footprint([Point, footprint, pytest, None], set()) == 0


def test_attributes_count():
    point = Point(tuple(range(500, 600)), "here")
    assert footprint([point], set()) >= getsizeof(point) + getsizeof(point.place) + 100 * getsizeof(500)


def test_what_hangs_on_itself_comes_to_an_end():
    ring: list[object] = []
    ring.append(ring)
    assert footprint([ring], set()) == getsizeof(ring)


@pytest.mark.parametrize("length", [10, 100, 1000])
def test_as_many_find_room_as_fit(length):
    """Twice as long, half as many: only the size of the objects counts."""
    room, table = MemoryQuota(MemoryBudget(1 << 20)), {}
    while len(table) < room.most or room.grows(table):
        table[len(table)] = [float(len(table) + k) for k in range(length)]
    taken = footprint([table], set())
    assert (1 << 20) / 2 < taken < (1 << 20) * 1.1
    assert room.budget.is_spent and not room.grows(table)


def test_things_that_grow_are_measured_again():
    room, things = MemoryQuota(MemoryBudget(1 << 20)), []
    while len(things) < room.most or room.grows(things):
        things.append([float(k) for k in range(len(things))])
    assert (1 << 20) / 4 < footprint([things], set()) < (1 << 20) * 2


def test_rooms_share_a_budget():
    budget = MemoryBudget(1 << 18)
    one, other = MemoryQuota(budget), MemoryQuota(budget)
    first, second = [], deque()
    while one.grows(first) and other.grows(second):
        first.append("a" * 500 + str(len(first)))
        second.append("b" * 500 + str(len(second)))
    assert footprint([first, second], set()) < 1.1 * (1 << 18)


def test_what_has_left_makes_room():
    room, table = MemoryQuota(MemoryBudget(1 << 16)), {}
    while room.grows(table):
        table[len(table)] = "a" * 100 + str(len(table))
    count = len(table)
    for key in range(count // 2):
        del table[key]
    room.shrink(len(table))
    while room.grows(table):
        table[count + len(table)] = "b" * 100 + str(len(table))
    assert 0.8 * count < len(table) < 1.2 * count


def test_what_is_told_of_one_by_one_fills_a_room_too():
    room, kept = MemoryQuota(MemoryBudget(1 << 18)), []
    while True:
        kept.append([float(len(kept))] * 1 + [len(kept) + 0.5])
        if not room.keep(kept[-1]):
            break
    assert room.is_full
    assert (1 << 18) / 3 < footprint([kept], set()) < (1 << 18) * 1.1


def test_a_few_always_find_room_and_without_a_limit_all():
    assert MemoryQuota(MemoryBudget(0)).grows([0] * (SAMPLE_SIZE - 1))
    assert not MemoryQuota(MemoryBudget(0)).grows([0] * SAMPLE_SIZE)
    assert MemoryQuota(MemoryBudget(inf)).grows([0] * 100_000)


K, M, G = 1 << 10, 1 << 20, 1 << 30


@pytest.mark.parametrize(
    ("count", "written"),
    [
        (5, "5"),
        (K - 1, "1023"),
        (K, "1K"),
        (2 * K, "2K"),
        (1010 * K, "1010K"),
        (M - K, "1023K"),
        (M, "1M"),
        (3.3734 * M, "3.373M"),
        (64 * M, "64M"),
        (G - M, "1023M"),
        (G, "1G"),
        (1.5 * G, "1.5G"),
    ],
)
def test_sizes_are_written_as_they_are_read(count, written):
    assert format_bytes(count) == written


@pytest.mark.parametrize(
    ("count", "option"),
    [(1, "1K"), (K, "1K"), (K + 1, "2K"), (M - 1, "1024K"), (M, "1M"), (M + 1, "2M"), (G - 1, "1024M"), (3 * G, "3G")],
)
def test_the_option_that_is_advised_allows_what_is_needed(count, option):
    assert memory_option(count) == f"--memory {option}"
    assert size(option) >= count
