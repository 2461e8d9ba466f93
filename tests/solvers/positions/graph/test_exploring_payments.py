"""What graphs of positions say of payments: rewards, discount, weights, ends."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from all_machines import MACHINES
from found_graphs import AnyMaker, check_form, graph_of
from written_games import bundled_model, model_of

from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import CHANCE, END, Machine
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.positions.graph import exploring
from zermelo.solvers.positions.graph.graph import PositionGraph

PAYING = """\
game "Paying"
players Ann, Bob
discount 1/2
var left: 0..2 = 2
endless payoff (3, -3)
start at first
phase first:
    chance:
        outcome good weight 2: go play(Ann)
        outcome bad:
            earn Bob: 1
            go play(Bob)
        outcome over weight 3: end payoff (1/3, 0)
phase play(p: Player):
    turn p:
        move take if left > 0:
            left -= 1
            earn p: 5
            go toss(p)
        move wait: go play(other p)
        move stop: end payoff (1/3, 0)
phase toss(p: Player):
    chance:
        outcome heads:
            earn other p: 1/2
            go play(other p)
        outcome tails: end draw
"""


def random_play_value(machine: Machine[Any], state: Any, length: int) -> tuple[Fraction, ...]:
    """What players get on average who choose at random, of plays of at most a ``length``; the others pay what has been
    earned."""
    actor, players = machine.actor(state), range(len(machine.player_names))
    if actor == END:
        return machine.payoff(state)
    if length == 0:
        return machine.earned(state)
    moves = choices_at(machine, state)
    ways = dict(machine.outcomes(state)) if actor == CHANCE else dict.fromkeys(moves, Fraction(1, len(moves)))
    found = [(share, random_play_value(machine, machine.after(state, way), length - 1)) for way, share in ways.items()]
    return tuple(sum((share * value[p] for share, value in found), Fraction(0)) for p in players)


def graph_play_value(graph: PositionGraph, position: int, length: int) -> tuple[Fraction, ...]:
    """The same in a graph."""
    players = range(len(graph.players))
    if graph.actor(position) == END:
        return graph.payoff(position)
    if length == 0:
        return (Fraction(0),) * len(players)
    edges = graph.edges(position)
    is_chance = graph.actor(position) == CHANCE
    shares = graph.probabilities(position) if is_chance else [Fraction(1, len(edges))] * len(edges)
    total = [Fraction(0)] * len(players)
    for edge, share in zip(edges, shares, strict=True):
        behind = graph_play_value(graph, graph.targets[edge], length - 1)
        for p in players:
            total[p] += share * (graph.reward(edge)[p] + graph.factor(position, edge) * behind[p])
    return tuple(total)


TOGETHER = """\
game "Together"
players Ann, Bob
discount 2/3
var light: 0..1 = 0
endless draw
start at meet
phase meet:
    together:
        move up
        move down if light == 0
        move wait
    then:
        earn Ann: 2
        if up[Ann] and up[Bob]: end payoff (3, 1)
        if up[Ann] and wait[Bob]:
            light := 1 - light
            go alone
        if wait[Ann] and wait[Bob]: go toss
        end payoff (light, 0)
phase alone:
    turn Bob:
        move go_on:
            earn Bob: 4
            go meet
        move stop: end draw
phase toss:
    chance:
        outcome heads: go meet
        outcome tails:
            earn Ann: 7
            go alone
"""


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize("text", [PAYING, TOGETHER], ids=["paying", "together"])
def test_payments_are_those_of_plays(text: str, make: AnyMaker) -> None:
    """Rewards, discount, weights and what ends pay: the average of random plays is the same, whatever their length."""
    model = model_of(text)
    machine = ReferenceMachine(model)
    graph = graph_of(make(model), model)
    check_form(graph)
    for length in range(8):
        assert graph_play_value(graph, 0, length) == random_play_value(machine, machine.initial(), length)


@pytest.mark.parametrize("make", MACHINES)
def test_ends_that_pay_the_same_are_one(make: AnyMaker) -> None:
    model = model_of(PAYING)
    graph = graph_of(make(model), model)
    payoffs = [graph.payoff(p) for p in range(len(graph)) if graph.actor(p) == END]
    assert sorted(payoffs) == [(0, 0), (Fraction(1, 3), 0)]
    assert graph.endless == (3, -3)
    assert graph.discount == Fraction(1, 2)
    assert list(graph.probabilities(0)) == [Fraction(1, 3), Fraction(1, 6), Fraction(1, 2)]
    assert [graph.reward(edge) for edge in graph.edges(0)] == [(0, 0), (0, 1), (0, 0)]


@pytest.mark.parametrize("make", MACHINES)
def test_what_there_is_not_is_none(make: AnyMaker) -> None:
    graph = graph_of(make(bundled_model("tic_tac_toe")), bundled_model("tic_tac_toe"))
    assert graph.weights is None
    assert graph.rewards is None
    assert graph.endless is None
    assert graph.rises


@pytest.mark.parametrize("make", MACHINES)
def test_the_root_may_come_later(make: AnyMaker) -> None:
    """What has been earned before, and how many decisions there have been, does not count."""
    model = model_of(PAYING)
    machine = make(model)
    root = machine.initial()
    names = ["good", "wait", "take", "heads"]
    for name in names:
        root = machine.after(root, next(move for move in choices_at(machine, root) if move.name == name))
    graph = exploring.explore(machine, facts(model), root, Limits(), ignore_progress)
    check_form(graph)
    before, factor = machine.earned(root), Fraction(1, 4)
    for length in range(6):
        whole = random_play_value(machine, root, length)
        rest = tuple((here - earlier) / factor for here, earlier in zip(whole, before, strict=True))
        assert graph_play_value(graph, 0, length) == rest


@pytest.mark.parametrize("make", MACHINES)
def test_the_root_may_be_an_end(make: AnyMaker) -> None:
    model = model_of(PAYING)
    machine = make(model)
    root = machine.initial()
    for name in ["bad", "take", "tails"]:
        root = machine.after(root, next(move for move in choices_at(machine, root) if move.name == name))
    graph = exploring.explore(machine, facts(model), root, Limits(), ignore_progress)
    assert (len(graph), list(graph.firsts), list(graph.targets)) == (1, [0, 0], [])
    assert graph.payoff(0) == (0, 0)
