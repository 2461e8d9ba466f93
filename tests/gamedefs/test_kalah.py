"""Kalah: the published values of small boards, and a second program of the rules."""

from __future__ import annotations

from functools import cache

import pytest

PUBLISHED = {1: "DLWLWD", 2: "WLLLWW", 3: "DWW"}
"""For so many pits on a side and 1, 2, ... seeds in each, the first player's result: Irving, Donkers and Uiterwijk,
Solving Kalah, ICGA Journal 23 (2000)."""

SIZES = [(pits, seeds, result) for pits, row in PUBLISHED.items() for seeds, result in enumerate(row, start=1)]


@pytest.mark.parametrize(("pits", "seeds", "result"), SIZES)
def test_small_boards_have_their_published_values(solution, pits, seeds, result):
    value = {"W": 1, "D": 0, "L": -1}[result]
    margin = kalah(pits, seeds)
    assert (margin > 0) - (margin < 0) == value
    assert solution("kalah", ends=True, pits=pits, seeds=seeds).value == (value, -value)


def kalah(pits: int, seeds: int) -> int:
    """The first player's lead in seeds, by brute force over the pits of both, those of the player to move first."""

    @cache
    def lead(mine: tuple[int, ...], others: tuple[int, ...]) -> int:
        if not any(mine) or not any(others):
            return sum(mine) - sum(others)
        found = []
        for first, count in enumerate(mine):
            if count:
                circuit = [*mine, 0, *others]
                circuit[first] = 0
                for k in range(1, count + 1):
                    circuit[(first + k) % (2 * pits + 1)] += 1
                last = (first + count) % (2 * pits + 1)
                if last < pits and circuit[last] == 1 and circuit[2 * pits - last]:
                    circuit[pits] += 1 + circuit[2 * pits - last]
                    circuit[last] = circuit[2 * pits - last] = 0
                left, right = tuple(circuit[:pits]), tuple(circuit[pits + 1 :])
                found.append(circuit[pits] + (lead(left, right) if last == pits else -lead(right, left)))
        return max(found)

    return lead((seeds,) * pits, (seeds,) * pits)


def test_the_last_seed_in_the_store_gives_another_move(start):
    play = start("kalah", pits=3, seeds=1).then("sow(3)")
    assert play.actor == "South"
    assert play.then("sow(1)").actor == "North"


def test_the_last_seed_in_an_own_empty_pit_takes_what_lies_across(start):
    play = start("kalah", pits=3, seeds=1).then("sow(3)", "sow(2)")
    assert contents(play) == {"South": ([1, 0, 0], 3), "North": ([0, 1, 1], 0)}


def test_sowing_goes_round_past_the_store_of_the_other(start):
    """Five seeds return to their own pit, which is empty now."""
    play = start("kalah", pits=2, seeds=5).then("sow(1)")
    assert contents(play) == {"South": ([0, 6], 8), "North": ([6, 0], 0)}


def test_nothing_is_taken_where_nothing_lies_across(start):
    play = start("kalah", pits=3, seeds=1).then("sow(1)", "sow(3)", "sow(2)")
    assert contents(play) == {"South": ([0, 2, 1], 0), "North": ([1, 0, 1], 1)}


def contents(play) -> dict[str, tuple[list[int], int]]:
    """The pits and the store of each player."""
    found: dict[str, tuple[list[int], int]] = {"South": ([], 0), "North": ([], 0)}
    for seen in play.machine.view(play.state, 0):
        player = str(seen.indices[0])
        if seen.variable == "in_pit":
            found[player][0].append(seen.value)
        else:
            found[player] = (found[player][0], seen.value)
    return found
