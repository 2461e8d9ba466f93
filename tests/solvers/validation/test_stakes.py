"""Whether plays pay different amounts, against all plays of random graphs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from random_cases import seeds
from random_graphs import Wish, write_graph

from zermelo import load
from zermelo.interpreter.machine import Payoff
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.positions.graph.graph import PAYS, PositionGraph, find_components, goes_round
from zermelo.solvers.validation.questions import pays_different_amounts, replies
from zermelo.solvers.validation.shortest_plays import search

TRIAL = Path(__file__).parents[2] / "trial" / "best"


def amounts_by_length(graph: PositionGraph, longest: int) -> set[Payoff]:
    """What all plays of so many moves pay that end, by following each."""
    found = set[Payoff]()
    waiting = [(0, (Fraction(0),) * len(graph.players), Fraction(1), 0)]
    while waiting:
        position, earned, factor, length = waiting.pop()
        if graph.kinds[position] <= PAYS:
            found.add(tuple(a + factor * b for a, b in zip(earned, graph.payoff(position), strict=True)))
        elif length < longest:
            for edge in graph.edges(position):
                after = tuple(a + factor * b for a, b in zip(earned, graph.reward(edge), strict=True))
                waiting.append((graph.targets[edge], after, factor * graph.factor(position, edge), length + 1))
    return found


def drawn(random: Random) -> PositionGraph:
    """A graph with few amounts, so that plays often pay the same."""
    wish = Wish(
        aim=random.choice(("alone", "against")),
        most=random.randint(2, 5),
        earns=random.choice(("never", "once")),
        discount=random.choice((Fraction(1), Fraction(1), Fraction(1, 2))),
        circles=random.random() < 0.6,
        endless=random.choice(("middle", "low", "missing")),
    )
    graph = write_graph(random, wish)
    few = [random.choice((0, 0, 1)) for _ in graph.amounts]
    amounts = tuple((Fraction(each), -Fraction(each))[: len(graph.players)] for each in (0, *few[1:]))
    is_same = graph.endless is not None and random.random() < 0.5
    return evolve(graph, amounts=amounts, endless=amounts[-1] if is_same else graph.endless)


@pytest.mark.parametrize("seed", seeds(40))
def test_an_answer_is_true_of_all_plays(seed):
    graph = drawn(Random(seed))
    circles = [each for each in find_components(graph, Limits()) if goes_round(graph, each)]
    differ = pays_different_amounts(graph, circles)
    paid = amounts_by_length(graph, 6)
    if len(paid) > 1:
        assert differ
    elif differ and not circles:
        raise AssertionError("all plays pay the same, and all have been followed")
    elif differ is False and circles and graph.discount == 1 and graph.rewards is None:
        assert graph.endless is not None
        assert paid <= {graph.endless}


def said(name):
    game = load(TRIAL / f"{name}.game")
    found = search(game.machine, game.facts, None, Limits(), ignore_progress)
    return {each.question: each for each in replies(game.machine, game.model, game.facts, found, Limits())}


def test_a_play_that_never_ends_pays_what_the_rules_say():
    """Ann wins or goes on for ever: with a draw that pays something else, and with her win it does not."""
    stakes = "Do plays pay different amounts?"
    assert (said("p1_always_win")[stakes].answer, said("p1_always_win")[stakes].how) == ("yes", "proved")
    same = said("p2_always_win_endless1")[stakes]
    assert (same.answer, same.how) == ("no", "proved")
    assert same.finding is not None


@pytest.mark.parametrize("rewards", [[1, 0, 0, 0], [0, 1, 0, 0]])
def test_what_is_earned_on_the_way_to_a_circle_is_not_known_to_be_the_same(rewards):
    """All plays go round for ever in the same two positions, and some of them have paid 1 before."""
    nothing, toll = (Fraction(0), Fraction(0)), (Fraction(1), Fraction(-1))
    graph = PositionGraph(
        ("A", "B"), [0, 1, 0], [0, 2, 3, 4], [1, 1, 2, 1], None, rewards, (nothing, toll), endless=nothing
    )
    assert pays_different_amounts(graph, [[1, 2]]) is None


def test_whoever_never_moves_has_no_choice_either():
    answers = said("bad2_1")
    assert answers["Does everybody move?"].answer == "no: Bob"
    choice = answers["Has everybody a choice?"]
    assert choice.answer == "no: Ann, Bob"
    assert choice.finding is not None
    assert choice.finding.message == "Ann never has a choice"


def test_random_plays_show_what_the_first_positions_do_not():
    game = load("connect_four")
    found = search(game.machine, game.facts, 100, Limits(), ignore_progress)
    answers = {each.question: each for each in replies(game.machine, game.model, game.facts, found, Limits())}
    answer = answers["Do plays pay different amounts?"]
    assert (answer.answer, answer.how) == ("yes", "a play shows it")
