"""Games in which objects are taken away, for two players and for more."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest


@pytest.mark.parametrize(("pile", "most"), [*product((1, 4, 7, 8, 12), (1, 3)), (20, 9), (21, 6)])
def test_whoever_leaves_a_multiple_of_one_more_than_the_most_wins(solution, pile, most):
    """Bouton, Nim, a game with a complete mathematical theory, 1901, and every book since."""
    value = 1 if pile % (most + 1) else -1
    assert solution("subtraction_game", pile=pile, most=most).value == (value, -value)


@pytest.mark.parametrize("pile", range(2, 36))
def test_in_fibonacci_nim_the_second_player_wins_on_fibonacci_numbers(solution, pile):
    """Whinihan, Fibonacci Nim, The Fibonacci Quarterly 1 (1963)."""
    value = -1 if pile in (2, 3, 5, 8, 13, 21, 34) else 1
    assert solution("fibonacci_nim", pile=pile).value == (value, -value)


@pytest.mark.parametrize(
    ("players", "heaps", "size"),
    [(2, 2, 3), (2, 3, 2), (3, 1, 4), (3, 2, 2), (3, 3, 1), (3, 3, 2), (3, 4, 1), (4, 1, 5), (4, 3, 1), (4, 4, 1)],
)
def test_nim_for_several_players(solution, players, heaps, size):
    """Against brute force, and against the theorem of Li, N-person Nim and N-person Moore's games, International
    Journal of Game Theory 7 (1978): write the heaps in binary and add the digits without carry, modulo the number of
    players; if all sums are 0, the player to move comes last."""
    ranks = nim_ranks(players, (size,) * heaps)
    assert (ranks[0] == 0) == (heaps % players == 0)
    assert solution("n_person_nim", players=players, heaps=heaps, size=size).value == ranks


def nim_ranks(players: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The payoff of every player, from the player to move on: N - 1 for the one who takes the last object, and so on
    down to 0 for the next one, who finds nothing. A player is indifferent only if all are, since the order of the ranks
    is given."""

    @cache
    def ranks(left: tuple[int, ...]) -> tuple[int, ...]:
        if not any(left):
            return tuple(range(players))
        after = (
            ranks((*left[:heap], left[heap] - n, *left[heap + 1 :]))
            for heap in range(len(left))
            for n in range(1, left[heap] + 1)
        )
        return max((seen[-1], *seen[:-1]) for seen in after)

    return ranks(sizes)


@pytest.mark.parametrize(("players", "gold", "shares"), [(2, 4, (4, 0)), (3, 4, (3, 0, 1)), (4, 1, (0, 0, 1, 0))])
def test_pirates_bribe_every_second_one(solution, players, gold, shares):
    """Stewart, A puzzle for pirates, Scientific American, May 1999: a captain buys the votes of those who would get
    nothing from the next captain."""
    assert solution("pirates", players=players, gold=gold).value == shares


def test_a_pirate_who_walks_the_plank_is_worse_off_than_a_poor_one(start):
    play = start("pirates", players=3, gold=1).then("give(0)", "give(0)", "aye", "nay", "nay", "give(1)")
    assert play.actor == "P2"
    assert play.then("aye", "nay").payoff[0] == -1
