"""Looking for a parking place: the rule that is best, and what it brings."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache

import pytest
from second_program import Edge, Node, agree, bounds, end, uniform

import zermelo
from zermelo.cli import main

BEYOND = (-1, "passing")


def program(taken: Fraction):
    """A position is how far ahead the destination is, and what the driver does: passing, looking at a free place, or
    parked."""

    def edge(to: tuple[int, str], probability: Fraction = Fraction(1)) -> Edge:
        return Edge(to, probability, Fraction(-1 if to == BEYOND else 0))

    def node(position: tuple[int, str]) -> Node:
        ahead, doing = position
        following = (ahead - 1, "passing") if ahead >= 0 else BEYOND
        if doing == "parked":
            return end(-ahead)
        if doing == "looking":
            return Node("Driver", {"park": edge((ahead, "parked")), "pass": edge(following)})
        found = (ahead, "looking") if ahead >= 0 else (0, "parked")
        return Node("chance", {"free": edge(found, 1 - taken), "occupied": edge(following, taken)})

    return node


def reach(taken: Fraction) -> int:
    """So many places before the destination the first free one is taken: the least r with taken ** (r + 1) <= 1/2
    (Ferguson, Optimal stopping and applications, chapter 2)."""
    return next(r for r in range(1000) if taken ** (r + 1) <= Fraction(1, 2))


def mean_way(places: int, taken: Fraction) -> Fraction:
    """From the place that is taken if all places up to the destination are occupied, one way on is 1 / (1 - taken)."""
    first = min(places - 1, reach(taken))
    before = sum(((1 - taken) * taken ** (first - ahead) * ahead for ahead in range(first + 1)), Fraction(0))
    return before + taken ** (first + 1) / (1 - taken)


def test_nine_places_of_ten_are_taken():
    """The example of Ferguson: begin six places before the destination."""
    assert reach(Fraction(9, 10)) == 6
    assert reach(Fraction(1, 2)) == 0


@pytest.mark.parametrize("taken", ["1/4", "9/10"])
def test_the_rules_are_those_of_the_second_program(start, taken):
    play = start("parking", taken=Fraction(taken))
    agree(play, program(Fraction(taken)), (11, "passing"))


@pytest.mark.parametrize(("places", "taken"), [(12, "9/10"), (3, "9/10"), (5, "3/4"), (2, "1/4"), (2, "1/2")])
def test_value_iteration_agrees_with_the_closed_form(places, taken):
    low, high = bounds(program(Fraction(taken)), (places - 1, "passing"), "Driver", (-100, 0))
    assert high - low < 1e-9
    assert low - 1e-12 < -mean_way(places, Fraction(taken)) < high + 1e-12


@pytest.mark.parametrize(("places", "taken"), [(12, "9/10"), (3, "9/10"), (5, "3/4"), (2, "1/4"), (50, "19/20")])
def test_the_value_is_exact(solution, places, taken):
    assert solution("parking", places=places, taken=taken).value == (-mean_way(places, Fraction(taken)),)


# Two taxis that share what they earn.


DISCOUNT = Fraction(9, 10)
BEGINNING = ("Ann", 0, 0, 2)


def two_taxis_program(places: int):
    """A position is whose turn it is, where the two taxis are, and where somebody waits, or None before a call."""

    def node(position: tuple[str, int, int, int | None]) -> Node:
        player, ann, bob, caller = position
        if caller is None:
            return uniform({f"call({s})": (player, ann, bob, s) for s in range(places) if s not in (ann, bob)})
        edges = {}
        for way in (-1, 0, 1):
            here = ((ann if player == "Ann" else bob) + way) % places
            after = ("Bob", here, bob) if player == "Ann" else ("Ann", ann, here)
            arrives = here == caller
            edges[f"drive({way})"] = Edge((*after, None if arrives else caller), earns=Fraction(arrives))
        return Node(player, edges)

    return node


@pytest.mark.parametrize("places", [4, 5])
def test_the_rules_are_those_of_the_second_program_in_two_taxis(start, places):
    agree(start("two_taxis", places=places), two_taxis_program(places), BEGINNING, DISCOUNT)


def test_all_that_is_earned_is_shared(start):
    play = start("two_taxis").then("drive(1)", "drive(-1)", "drive(1)")
    assert play.actor == "chance"
    assert play.machine.earned(play.state) == (DISCOUNT**2, DISCOUNT**2)


def value(places: int) -> float:
    """Both want the same, so that one of them may as well decide for both."""

    def as_one(position):
        node = two_taxis_program(places)(position)
        return node if node.actor == "chance" else Node("both", node.edges)

    low, high = bounds(as_one, BEGINNING, "both", (0, 10), discount=0.9)
    assert high - low < 1e-9
    return low


def test_a_longer_road_is_worth_less():
    values = [value(places) for places in (4, 5, 6)]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("places", [4, 5])
def test_the_value(solution, places):
    found = solution("two_taxis", places=places).value
    assert found[0] == found[1]
    assert float(found[0]) == pytest.approx(value(places), abs=1e-9)


# What is rational only because of what players know: paying to know, telling a partner, giving nothing away.
#
# The hand of four cards is held against a program of its own in this file, which knows nothing of ours.


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
