"""What is rational only because of what players know: paying to know, telling a partner, giving nothing away.

The hand of four cards is held against a program of its own in this file, which knows nothing of ours.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache

import pytest

import zermelo
from zermelo.cli import main


@pytest.fixture
def behaviour(capsys):
    """What each player does in an equilibrium: (player, what they know) -> the moves made, with their probabilities."""

    def behaviour(name, *options):
        assert main(["solve", name, "--json", *options]) == 0
        return {
            (strategy["player"], *(part for part in decision["known"] if not part.startswith("to decide"))): {
                move: Fraction(made["probability"])
                for move, made in decision["moves"].items()
                if made["probability"] != "0"
            }
            for strategy in json.loads(capsys.readouterr().out)["strategies"]
            for decision in strategy["decisions"]
            if decision["reached"] != "0"
        }

    return behaviour


@pytest.mark.parametrize(("price", "value", "first"), [(1, 2, "survey"), (3, 1, "drill"), (0, 3, "survey")])
def test_a_survey_is_paid_for_if_it_costs_less_than_it_is_worth(behaviour, price, value, first):
    """Drilling at once is worth (6 - 4)/2 = 1, and knowing first 6/2 = 3: the survey is worth 2."""
    assert zermelo.solve(zermelo.load("wildcatter", price=price)).value == (value,)
    found = behaviour("wildcatter", "-p", f"price={price}")
    assert found.pop(("Wildcatter",)) == {first: 1}
    for known, made in found.items():
        (report,) = (part.partition(";")[0] for part in known if part.startswith("report"))
        assert made == {"drill" if report == "report = wet" else "leave": 1}


def test_partners_tell_each_other_by_what_they_throw_off(behaviour):
    found = behaviour("partners_signal")
    for suit in ("hearts", "spades"):
        (thrown,) = found["Ann", f"strong = {suit}"]
        assert found["Bob", f"Ann: {thrown}"] == {f"lead({suit})": 1}


def test_the_smuggler_gives_nothing_away_while_it_could_still_be_used(behaviour):
    """Aumann and Maschler: two nights bring 1 - s/2 if the smuggler goes where the cargo is wanted with probability
    s >= 1/2 in the first one, and 3s/2 with s <= 1/2: 3/4 at s = 1/2, where the guard learns nothing."""
    assert zermelo.solve(zermelo.load("smuggler")).value == (Fraction(3, 4), Fraction(-3, 4))
    found = behaviour("smuggler")
    for harbour in ("north", "south"):
        first = found["Smuggler", f"wanted = {harbour}"]
        assert first == {"go_to(north)": Fraction(1, 2), "go_to(south)": Fraction(1, 2)}


# ------------------------------------------------------------------------------------------- the hand of four cards

HERS = frozenset({"6h", "6d", "8c", "7c"})
HIS = frozenset({"2s", "9c", "3c"})


def follows(hand, led):
    return {card for card in hand if card[1] == led[1]} or hand


def takes(led, card):
    """Whether a second card takes the trick."""
    return card[1] == led[1] and card[0] > led[0]


@cache
def with_open_cards(leader, follower, sign, ahead):
    """The payoff of MAX if everybody sees all cards: ``sign`` is 1 if MAX leads; MAX is ``ahead`` by so many tricks."""
    if not leader:
        return (ahead > 0) - (ahead < 0)
    return max((open_lead(leader, follower, sign, ahead, led) for led in leader), key=lambda value: sign * value)


def open_lead(leader, follower, sign, ahead, led):
    values = []
    for card in follows(follower, led):
        left, right = leader - {led}, follower - {card}
        lost = takes(led, card)
        values.append(
            with_open_cards(right, left, -sign, ahead - sign)
            if lost
            else with_open_cards(left, right, sign, ahead + sign)
        )
    return min(values, key=lambda value: sign * value)


@pytest.mark.parametrize("red", ["4h", "4d"])
@pytest.mark.parametrize("led", sorted(HERS))
def test_with_open_cards_every_lead_is_worth_nothing(red, led):
    assert open_lead(HERS, HIS | {red}, 1, 0, led) == 0


def test_with_the_coin_hidden_a_club_loses_half_a_point(capsys):
    """MAX must guess later which red six to throw away; with a red lead there is nothing left to guess."""
    assert main(["moves", "four_card_hand", "--after", "heart", "--values", "--json"]) == 0
    worths = {each["move"]: each["value"]["MAX"] for each in json.loads(capsys.readouterr().out)["values"]["moves"]}
    red = {f"lead((six, {suit}))": "0" for suit in ("diamonds", "hearts")}
    assert worths == red | {f"lead(({rank}, clubs))": "-1/2" for rank in ("seven", "eight")}
