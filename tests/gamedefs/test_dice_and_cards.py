"""Pig, backgammon and whist."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from backgammon_rules import results_of_rules

from zermelo.grammar.diagnostics import ZermeloError


def test_a_one_loses_the_pot(start):
    play = start("pig").then("roll", "die(6)", "roll", "die(1)")
    assert play.actor == "Bob"
    assert play.legal == {"roll"}  # nothing to hold


def test_who_reaches_the_target_wins(start):
    assert start("pig", target=10).then("roll", "die(6)", "roll", "die(5)", "hold").payoff == (1, -1)


def test_pig_is_worth_what_neller_and_presser_found(start):
    """To 6 points: value iteration agrees with that on a second formulation of the rules."""
    play = start("pig", target=6)
    machine = play.machine
    successors: dict = {}
    waiting = [play]
    while waiting:
        play = waiting.pop()
        key = machine.position(play.state)
        if key in successors:
            continue
        if play.ended:
            successors[key] = ("end", float(play.payoff[0]), ())
            continue
        later = [play.go_on(move) for move in play.moves]
        successors[key] = (play.actor, 0.0, tuple(machine.position(p.state) for p in later))
        waiting.extend(later)
    values = dict.fromkeys(successors, 0.0)
    choose = {"Ann": max, "Bob": min, "chance": lambda found: sum(found) / 6}
    for _ in range(60):
        for key, (actor, payoff, later) in successors.items():
            values[key] = payoff if actor == "end" else choose[actor]([values[k] for k in later])
    assert values[machine.position(start("pig", target=6).state)] == pytest.approx(pig_value(6), abs=1e-9)


def pig_value(target: int) -> float:
    """The first player's expected payoff, +1 for winning and -1 for losing, from the probability of winning with i and
    j points and k in the pot, as in Neller and Presser, "Optimal play of the dice game Pig" (2004)."""
    win = {(i, j, k): 0.0 for i in range(target) for j in range(target) for k in range(target - i)}

    def chance(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= target else win[i, j, k]

    for _ in range(200):
        for i, j, k in win:
            roll = (1 - win[j, i, 0] + sum(chance(i, j, k + n) for n in range(2, 7))) / 6
            win[i, j, k] = max(roll, 1 - chance(j, i + k, 0)) if k else roll
    return 2 * win[0, 0, 0] - 1


def test_the_opening_throw_decides_who_begins(start):
    play = start("backgammon")
    assert len(play.moves) == 30
    assert play.then("thrown(3, 1)").actor == "White"
    assert play.then("thrown(1, 3)").actor == "Black"


def test_a_doublet_is_played_four_times(start):
    play = start("backgammon").then("thrown(3, 1)", "step(8, 3)", "step(6, 1)")
    assert play.actor == "chance"
    assert len(play.moves) == 21
    doublet = play.machine.find_move(play.state, "rolled(2, 2)")
    assert dict(play.machine.outcomes(play.state))[doublet] == Fraction(1, 36)
    play = play.then("rolled(2, 2)")
    for _ in range(4):
        assert play.actor == "Black"
        play = play.go_on(play.moves[0])
    assert play.actor == "chance"


def test_backgammon_agrees_with_a_second_program_of_the_rules(start):
    """Random plays; the positions after complete turns are compared, at every tenth throw and whenever men are borne
    off."""
    random = Random(11)
    compared = 0
    for _ in range(2):
        play = start("backgammon")
        while not play.ended:
            mover = play.actor
            if mover == "chance":
                play = play.at_random(random)
                continue
            mine, theirs = tables(play)
            if random.random() < 0.1 or not any(mine[7:]):
                assert results_of_machine(play) == results_of_rules(mine, theirs, dice_of(play))
                compared += 1
            while play.actor == mover:
                play = play.at_random(random)
        assert abs(play.payoff[0]) == worth(play)
    assert compared > 20


def men(play) -> dict[str, tuple[int, ...]]:
    """The men of both on the places 0 (off) to 25 (bar)."""
    found = {"White": [0] * 26, "Black": [0] * 26}
    for seen in play.machine.view(play.state, 0):
        if seen.variable == "men_on":
            player, place = seen.indices
            found[str(player)][place] = seen.value
    return {player: tuple(places) for player, places in found.items()}


def tables(play) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The men of the player to move, and of the other."""
    both = men(play)
    return (both["White"], both["Black"]) if play.actor != "Black" else (both["Black"], both["White"])


def dice_of(play) -> tuple[int, ...]:
    return tuple(
        seen.indices[0]
        for seen in play.machine.view(play.state, 0)
        if seen.variable == "dice"
        for _ in range(seen.value)
    )


def results_of_machine(play) -> set:
    mover, found, waiting, known = play.actor, set(), [play], set()
    while waiting:
        earlier = waiting.pop()
        for move in earlier.moves:
            later = earlier.go_on(move)
            both = men(later)
            if not later.ended and later.actor == mover:
                position = later.machine.position(later.state)
                if position not in known:
                    known.add(position)
                    waiting.append(later)
            else:
                found.add((both[mover], both["Black" if mover == "White" else "White"]))
    return found


def worth(play) -> int:
    """1, or 2 if the loser has borne off no man, or 3 if they also have a man on the bar or in the winner's home."""
    loser = men(play)["Black" if play.payoff[0] > 0 else "White"]
    return 1 if loser[0] else 3 if any(loser[19:]) else 2


def test_deals_are_too_many_to_list_but_can_be_drawn(start):
    play = start("four_card_whist")
    with pytest.raises(ZermeloError) as raised:
        play.machine.outcomes(play.state)
    assert raised.value.code == "too-many-outcomes"
    deal = play.machine.draw(play.state, Random(1))
    assert [len(cards) for cards in deal.arguments] == [4, 4]
    assert not set(deal.arguments[0]) & set(deal.arguments[1])


def test_suit_is_followed_and_the_higher_card_takes_the_trick(start):
    random = Random(2)
    for _ in range(30):
        play = start("four_card_whist").at_random(random)
        tricks = Counter()
        while not play.ended:
            leader, hand = play.actor, play.moves
            led = random.choice(hand)
            play = play.go_on(led)
            replies = play.moves
            suits = {move.arguments[0][1] for move in replies}
            assert led.arguments[0][1] not in suits or len(suits) == 1
            reply = random.choice(replies)
            follower, play = play.actor, play.go_on(reply)
            (rank, suit), (other_rank, other_suit) = led.arguments[0], reply.arguments[0]
            winner = follower if suit == other_suit and other_rank.index > rank.index else leader
            tricks[winner] += 1
            assert play.ended or play.actor == winner
        assert play.payoff[0] == tricks["North"] - tricks["East"]


def test_nobody_sees_the_other_hand(start):
    play = start("four_card_whist", each=1).at_random(Random(0))
    seen = [entry for entry in play.machine.view(play.state, 0) if entry.variable == "hand"]
    assert {str(entry.indices[0]) for entry in seen} == {"North"}
