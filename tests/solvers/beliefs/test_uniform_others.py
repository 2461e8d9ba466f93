"""Best responses to others who make all moves with equal probability: over beliefs, and in the tree of histories."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import settings as chosen
from hypothesis import strategies as st
from random_cases import many

import zermelo
from tests.helpers.random_games.labelled import labelled_tree
from tests.helpers.random_games.small import write_small
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END
from zermelo.solvers.beliefs.belief_search import Meter
from zermelo.solvers.beliefs.uniform_others import expectation, perceived_graph, response_to_uniform
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.forms.best_response import assess
from zermelo.solvers.forms.extensive_form import plan_of, sequence_form
from zermelo.solvers.tree_building.building import build_tree

BELL = """
game "A bell, sooner or later"
players Ann, Bob
claim zero_sum
var late: 0..1 = 0  hidden
start at first
phase first:
    turn Bob:
        move ring secret:
            tell Ann that bell
            go second
        move wait secret:
            late := 1
            go second
phase second:
    turn Bob:
        move step secret:
            if late == 1: tell Ann that bell
            go guess
phase guess:
    turn Ann:
        move sooner: end payoff {Ann: 1 - 2 * late, Bob: 2 * late - 1}
        move later: end payoff {Ann: 4 * late - 2, Bob: 2 - 4 * late}
"""
"""Whether the bell rings before the first step or with it, Ann hears one thing, so that she cannot tell."""

COIN = """
game "What was done before the coin"
players Ann, Bob
claim zero_sum
var side: 0..1 = 0  hidden
start at choose
phase choose:
    turn Bob:
        move left: go toss
        move right: go toss
phase toss:
    chance:
        outcome heads: go guess
        outcome tails:
            side := 1
            go guess
phase guess:
    turn Ann:
        move heads: end payoff {Ann: 1 - side, Bob: side - 1}
        move tails: end payoff {Ann: 2 * side, Bob: -2 * side}
"""
"""Both moves of Bob lead to one position of chance, and Ann sees which was made only after the coin has fallen."""

ROUND = """
game "Round and round"
players Ann, Bob
var coin: 0..1 = 0  hidden
start at toss
phase toss:
    chance:
        outcome heads: go play(Ann)
        outcome tails:
            coin := 1
            go play(Ann)
phase play(p: Player):
    turn p:
        move wait: go play(other p)
        move stop: end win p
"""

TELLING = """
game "Moves tell"
players Ann, Bob
param later: 0..2 = 0
var coin: 0..1 = 0  hidden
start at toss
phase toss:
    turn Bob:
        move heads secret: go hide(later)
        move tails secret:
            coin := 1
            go hide(later)
phase hide(steps: 0..2):
    if steps == 0: go play
    turn Bob:
        move hide secret: go hide(steps - 1)
phase play:
    turn Ann:
        move zero if coin == 0: end win Ann
        move one if coin == 1: end win Bob
        move pass: end draw
"""


def by_histories(game):
    """What players get, and what they could get, from the sequence form of all histories."""
    machine = game.searching
    tree = build_tree(machine, game.facts, machine.initial(), Limits(), ignore_progress)
    form = sequence_form(tree, Limits())
    plans = []
    for own in form.players:
        behaviour = [Fraction(1)] * len(own)
        for first, end in zip(own.firsts, own.firsts[1:], strict=False):
            behaviour[first:end] = [Fraction(1, end - first)] * (end - first)
        plans.append(plan_of(own, behaviour))
    found = assess(form, plans)
    return found.expected, found.best


def by_beliefs(game):
    machine = game.searching
    graph = perceived_graph(machine, machine.initial(), Meter(Limits(), ignore_progress))
    found = [response_to_uniform(graph, player) for player in range(len(game.players))]
    return expectation(graph), tuple(value for value, _ in found), [plan for _, plan in found]


def brought(game, plan, player):
    """What a plan brings on average, along every play on the reference machine."""
    machine = game.reference
    waiting, total = [(machine.initial(), Fraction(1))], Fraction(0)
    while waiting:
        state, chance = waiting.pop()
        actor = machine.actor(state)
        if actor == END:
            total += chance * machine.payoff(state)[player]
            continue
        if actor == CHANCE:
            ways = machine.outcomes(state)
        elif actor == player:
            ways = [(plan.step_at(tuple(machine.information_state(state, player))).move, Fraction(1))]
        else:
            moves = machine.moves(state)
            ways = [(move, Fraction(1, len(moves))) for move in moves]
        waiting += [(machine.after(state, move), chance * likely) for move, likely in ways]
    return total


def agree(game):
    """Both ways give the same numbers, and the plans bring them."""
    expected, best, plans = by_beliefs(game)
    assert (expected, best) == by_histories(game)
    for player, plan in enumerate(plans):
        assert brought(game, plan, player) == best[player]


@pytest.mark.parametrize("machine", ["reference", "auto"])
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("kuhn_poker", {}),
        ("kuhn_poker_for_several", {}),
        ("dark_hex", {}),
        ("goofspiel", {"cards": 3}),  # players choose at once
        ("beer_or_quiche", {}),  # no constant sum
        ("four_card_hand", {}),
    ],
)
def test_both_ways_agree_in_bundled_games(name, parameters, machine):
    agree(zermelo.load(name, **parameters).on(machine))


def test_both_ways_agree_in_leduc_poker():
    """The values are those of OpenSpiel's uniform policy, whose NashConv is 4.747222."""
    game = zermelo.load("leduc_poker")
    expected, best, _ = by_beliefs(game)
    assert (expected, best) == by_histories(game)
    assert round(float(sum(best)), 6) == 4.747222


@pytest.mark.parametrize("machine", ["reference", "python"])
@example(seed=120673)  # what is perceived and what is paid are equal as tuples
@given(seed=st.integers(0, 10**6))
@chosen(max_examples=many(60))
def test_both_ways_agree_in_trees_with_labels(machine, seed):
    tree = labelled_tree(Random(seed), depth=4 + seed % 2, players=2 + seed % 2)
    agree(zermelo.loads(tree.game()).on(machine))


@given(seed=st.integers(0, 10**6))
@chosen(max_examples=many(60))
def test_both_ways_agree_in_random_games(seed):
    game = zermelo.loads(write_small(Random(seed))).on("reference")
    if game.searching.discount != 1:
        return
    limits = Limits(memory=4 << 20)
    try:
        build_tree(game.searching, game.facts, game.searching.initial(), limits, ignore_progress)
    except ZermeloError:
        return
    agree(game)


def test_what_is_heard_sooner_or_later_is_one_thing():
    """Ann hears the bell and knows no more: 1/2 (1 - 1) sooner, 1/2 (2 - 2) later. Who could tell would get 3/2."""
    game = zermelo.loads(BELL)
    agree(game)
    assert by_beliefs(game)[1][0] == 0


def test_a_draw_does_not_hide_the_move_before_it():
    """What Ann perceives after the coin has fallen is the move of Bob, of either name; it tells her nothing."""
    game = zermelo.loads(COIN)
    agree(game)
    machine = game.searching
    graph = perceived_graph(machine, machine.initial(), Meter(Limits(), ignore_progress))
    _, plan = response_to_uniform(graph, 0)
    heard = {tuple(map(str, known)) for known, _ in plan.decisions()}
    assert heard == {(f"Bob: {move}", "to decide: guess") for move in ("left", "right")}


def test_dark_hex_of_two_by_two():
    """Red wins whatever Blue does, as the file says; Blue's 1/4 is that of another program, which keeps the stones and
    what each has found as bits of numbers."""
    expected, best, _ = by_beliefs(zermelo.load("dark_hex"))
    assert expected == (0, 0) and best == (1, Fraction(1, 4))


def test_plays_that_come_back_are_refused():
    with pytest.raises(ZermeloError) as refused:
        by_beliefs(zermelo.loads(ROUND))
    assert refused.value.code == "needs-end"


@pytest.mark.parametrize("later", [0, 1, 2])
def test_moves_that_differ_are_refused(later):
    """The moves would tell Ann what she has not perceived; the plays in question are given."""
    with pytest.raises(ZermeloError) as refused:
        by_beliefs(zermelo.loads(TELLING, later=later))
    assert refused.value.code == "moves-differ"
    assert all(f"{side}{', hide' * later}" in str(refused.value) for side in ("heads", "tails"))


def test_limits_are_kept():
    game = zermelo.load("leduc_poker")
    machine = game.searching
    with pytest.raises(ZermeloError) as refused:
        perceived_graph(machine, machine.initial(), Meter(Limits(memory=1 << 18), ignore_progress))
    assert refused.value.code == "out-of-memory"
    with pytest.raises(ZermeloError) as refused:
        perceived_graph(machine, machine.initial(), Meter(Limits(seconds=0), ignore_progress))
    assert refused.value.code == "out-of-time"
