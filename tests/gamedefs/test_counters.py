"""Kalah: the published values of small boards, and a second program of the rules."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

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


# English draughts.


def complete_turns(play, length: int, known: dict) -> int:
    """The number of sequences of complete turns; a turn may take several moves."""
    if length == 0:
        return 1
    key = play.machine.position(play.state), length
    if key not in known:
        known[key], waiting = 0, [play]
        while waiting:
            for move in (earlier := waiting.pop()).moves:
                later = earlier.go_on(move)
                if not later.ended and later.actor == play.actor:
                    waiting.append(later)
                else:
                    known[key] += complete_turns(later, length - 1, known)
    return known[key]


@pytest.mark.parametrize(
    ("length", "turns"),
    list(enumerate([7, 49, 302, 1469, 7361, 36_768, 179_740], start=1)),  # Bik and Fierz, Perft for checkers, 2009
)
def test_sequences_of_complete_turns(start, length, turns):
    """Turns that capture the same men in another order are different, as in the published numbers."""
    assert complete_turns(start("checkers"), length, {}) == turns


def test_a_capture_is_obligatory(start):
    play = start("checkers").then("step(c3, d4)", "step(b6, c5)")
    assert play.legal == {"jump(d4, b6)"}


def test_the_man_that_has_captured_goes_on(start):
    play = start("checkers").then("step(c3, d4)", "step(b6, c5)", "jump(d4, b6)")
    assert play.actor == "White"  # a7 or c7 takes back; nothing more was to be taken
    assert play.legal == {"jump(a7, c5)", "jump(c7, a5)"}


def test_several_jumps_are_one_turn(start):
    random = Random(5)
    longest = 0
    for _ in range(5):
        play, mover, run, last = start("checkers"), "", 0, None
        for _ in range(120):
            if play.ended:
                break
            run = run + 1 if play.actor == mover else 1
            longest = max(longest, run)
            if run > 1:  # the piece that jumped jumps on, and nothing else may move
                assert {move.arguments[0] for move in play.moves} == {last.arguments[1]}
                assert {move.name for move in play.moves} == {"jump"}
            mover = play.actor
            last = random.choice(play.moves)
            play = play.go_on(last)
    assert longest > 1


def test_kings_that_only_walk_draw(start):
    """With the clock set to two steps."""
    random = Random(1)
    ends = set()
    for _ in range(10):
        play = start("checkers", patience=2)
        while not play.ended:
            play = play.at_random(random)
        ends.add(play.payoff)
    assert (0, 0) in ends


# Games in which objects are taken away, for two players and for more.


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
