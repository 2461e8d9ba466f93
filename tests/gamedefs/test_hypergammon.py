"""Hypergammon: backgammon with three men each, or fewer."""

from __future__ import annotations

from random import Random

from backgammon_rules import Men, results_of_rules


def stake(loser: Men) -> int:
    return 1 if loser[0] else 3 if any(loser[19:]) else 2


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
