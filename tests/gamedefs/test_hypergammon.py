"""Hypergammon: backgammon with three men each, or fewer."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

from backgammon_rules import Men, results_of_rules
from second_program import Edge, Node, bounds, end

import zermelo


def men_at(*places: int) -> Men:
    return tuple(map(places.count, range(26)))


@cache
def after(mine: Men, theirs: Men, dice: tuple[int, ...]) -> tuple[tuple[Men, Men], ...]:
    """What is left after a turn, that of the other player first: the one to throw."""
    return tuple((other, own) for own, other in results_of_rules(mine, theirs, dice))


def stake(loser: Men) -> int:
    return 1 if loser[0] else 3 if any(loser[19:]) else 2


def node(position: tuple[int, tuple[int, ...], Men, Men]) -> Node:
    """A position is the player to throw, 0 or 1, what they have thrown, and the men of this player and of the other."""
    player, dice, mine, theirs = position
    if theirs[0] == sum(theirs):
        return end(stake(mine) * (1 if player == 1 else -1))
    if not dice:
        throws = {(a, b) if a != b else (a,) * 4: 2 if a != b else 1 for a in range(1, 7) for b in range(1, a + 1)}
        return Node(
            "chance",
            {str(throw): Edge((player, throw, mine, theirs), Fraction(ways, 36)) for throw, ways in throws.items()},
        )
    turns = {str(k): Edge((1 - player, (), *men)) for k, men in enumerate(after(mine, theirs, dice))}
    return Node(("White", "Black")[player], turns)


def test_complete_turns_are_those_of_the_second_program(start):
    """Along random plays, until men are borne off."""
    random = Random(3)
    compared = 0
    for _ in range(12):
        play = start("hypergammon")
        while not play.ended:
            if play.actor == "chance":
                play = play.at_random(random)
                continue
            mover, other = play.actor, "Black" if play.actor == "White" else "White"
            both, dice = men(play), thrown(play)
            found, waiting = set(), [play]
            while waiting:
                for later in map(waiting[-1].go_on, waiting.pop().moves):
                    if not later.ended and later.actor == mover:
                        waiting.append(later)
                    else:
                        found.add((men(later)[mover], men(later)[other]))
            assert found == results_of_rules(both[mover], both[other], dice)
            compared += 1
            while play.actor == mover:
                play = play.at_random(random)
        loser = men(play)["Black" if play.payoff[0] > 0 else "White"]
        assert abs(play.payoff[0]) == stake(loser)
    assert compared > 100


def men(play) -> dict[str, Men]:
    found = {"White": [0] * 26, "Black": [0] * 26}
    for seen in play.machine.view(play.state, 0):
        if seen.variable == "men_on":
            found[str(seen.indices[0])][seen.indices[1]] = seen.value
    return {player: tuple(places) for player, places in found.items()}


def thrown(play) -> tuple[int, ...]:
    dice = [seen for seen in play.machine.view(play.state, 0) if seen.variable == "dice"]
    return tuple(seen.indices[0] for seen in dice for _ in range(seen.value))


def test_one_man_each():
    """Without the opening throw, which leaves everything even."""
    begin = men_at(24)
    low, high = bounds(node, (0, (), begin, begin), "White", (-3, 3))
    assert high - low < 1e-9
    game = zermelo.load_position("hypergammon", "start at roll(White)", men=1)
    found = zermelo.solve(game)
    assert found.exact
    assert low - 1e-12 < found.value[0] < high + 1e-12


def test_whoever_wins_the_opening_throw_gets_what_has_been_published():
    """Keith, Hypergammon, 2018: with one man each, 0.31426 on average over the throws."""
    found = zermelo.solve(zermelo.load("hypergammon", men=1))
    assert found.value == (0, 0)
    gets = [worth.payoff[0] for worth in found.policy.first() if worth.move.arguments[0] > worth.move.arguments[1]]
    assert len(gets) == 15
    assert round(float(sum(gets) / 15), 5) == 0.31426
