"""The extensive form: invariants in every game, and known numbers."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from random_cases import seeds
from random_games.labelled import labelled_tree
from small_games import HIDDEN_DIE
from thoughtless import uniform

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.forms.best_response import assess, best_response
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, plan_of, sequence_form, strategy_of
from zermelo.solvers.imperfect_information import sequence_form_lp
from zermelo.solvers.imperfect_information.sequence_form_lp import equilibrium
from zermelo.solvers.linear_programming.linear_program import Certificate
from zermelo.solvers.solution import Certainty
from zermelo.solvers.tree_building.building import build_exactly, build_tree

SMALL = [
    ("kuhn_poker", {}),
    ("rock_paper_scissors", {}),
    ("prisoners_dilemma", {}),
    ("liars_dice", {"sides": 2}),
    ("leduc_poker", {}),
    ("coin_flip_tree", {}),
    ("three_player_tree", {}),
]


@pytest.fixture(scope="module", params=SMALL, ids=[name for name, _ in SMALL])
def form(request):
    return _form(*request.param)


def _form(name, parameters):
    game = zermelo.load(name, **parameters)
    return build_exactly(
        game.reference,
        game.reference.initial(),
        not game.facts.perfect_information.holds,
        game.facts.discounted,
        Limits(),
    )


def test_children_come_before_their_nodes(form):
    for node in range(form.nodes):
        for edge in range(form.firsts[node], form.firsts[node + 1]):
            assert -form.leaves <= form.children[edge] < node


def test_recall_is_perfect(form):
    """Along every play, the sequence before a set is that of its player's moves, and no set occurs twice."""
    sets = form.information_sets
    leaves = 0

    def walk(node, sequences, met):
        nonlocal leaves
        if node < 0:
            at = (-1 - node) * len(sequences)
            assert tuple(form.sequences[at : at + len(sequences)]) == sequences
            leaves += 1
            return
        s = form.sets_of[node]
        edges = range(form.firsts[node], form.firsts[node + 1])
        if s != CHANCE_NODE:
            assert s not in met
            assert sets.parents[s] == sequences[sets.players[s]]
            assert len(edges) == sets.count(s)
            met = met | {s}
        for k, edge in enumerate(edges):
            after = list(sequences)
            if s != CHANCE_NODE:
                after[sets.players[s]] = sets.firsts[s] + k
            walk(form.children[edge], tuple(after), met)

    walk(form.nodes - 1, (0,) * len(form.player_names), frozenset())
    assert leaves >= form.leaves


def test_probabilities_sum_to_one(form):
    """Under any plan, here the uniform one, the probabilities of plays sum to 1."""
    plain = sequence_form(form, Limits())
    plans = [plan_of(player, uniform(player)) for player in plain.players]
    numerators, scale = form.chance()
    total = Fraction(0)
    for leaf, reach in enumerate(numerators):
        probability = Fraction(reach, scale)
        for player, plan in enumerate(plans):
            probability *= plan[form.sequences[leaf * len(plans) + player]]
        total += probability
    assert total == 1


@pytest.mark.parametrize("seed", seeds(15))
def test_chance_reaches_a_leaf_by_the_product_of_its_draws(seed):
    """Draws among two, three and five stand side by side and one behind the other."""
    game = zermelo.loads(labelled_tree(Random(seed), depth=5, players=2).game())
    form = build_exactly(game.reference, game.reference.initial(), True, False, Limits())
    expected = [Fraction(0)] * form.leaves
    waiting = [(form.nodes - 1 if form.nodes else -1, Fraction(1))]
    while waiting:
        node, reach = waiting.pop()
        if node < 0:
            expected[-1 - node] += reach
            continue
        edges = form.edges(node)
        total = sum(form.weights[edge] for edge in edges) if form.sets_of[node] == CHANCE_NODE else 1
        waiting += [(form.children[edge], reach * Fraction(form.weights[edge], total)) for edge in edges]
    numerators, scale = form.chance()
    assert [Fraction(numerator, scale) for numerator in numerators] == expected


def test_a_game_that_is_over_at_once_has_one_leaf():
    game = zermelo.loads('game "A leaf"\nplayers Ann, Bob\ntree:\n    (1, 2)\n')
    form = build_exactly(game.reference, game.reference.initial(), True, False, Limits())
    assert form.chance() == ([1], 1)
    assert sequence_form(form, Limits()).expectation([[Fraction(1)]] * 2) == (1, 2)


def test_plans_and_strategies_stand_for_each_other(form):
    for player in sequence_form(form, Limits()).players:
        strategy = uniform(player)
        assert strategy_of(player, plan_of(player, strategy)) == strategy


def test_expectation_is_that_of_the_tree(form):
    """The expectation over the sequence form equals that of backward induction under uniform play."""
    plain = sequence_form(form, Limits())
    values = {}

    def value(node):
        if node < 0:
            return form.payoff(-1 - node)
        if node not in values:
            edges = range(form.firsts[node], form.firsts[node + 1])
            weights = [form.weights[edge] if form.sets_of[node] == CHANCE_NODE else 1 for edge in edges]
            each = [value(form.children[edge]) for edge in edges]
            values[node] = tuple(
                sum((weight * payoff[p] for weight, payoff in zip(weights, each, strict=True)), Fraction(0))
                / sum(weights)
                for p in range(len(form.player_names))
            )
        return values[node]

    plans = [plan_of(player, uniform(player)) for player in plain.players]
    assert plain.expectation(plans) == value(form.nodes - 1)


@pytest.mark.parametrize(
    ("name", "parameters", "histories", "sets"),
    [
        ("kuhn_poker", {}, 55, 12),  # 58 if the cards are dealt one by one
        ("leduc_poker", {}, 9457, 936),  # as in OpenSpiel
        ("liars_dice", {"sides": 3}, 1147, 192),  # as in OpenSpiel
    ],
)
def test_sizes_that_others_have_counted(name, parameters, histories, sets):
    form = _form(name, parameters)
    assert form.histories == histories
    assert len(form.information_sets) == sets


def test_histories_that_nobody_can_tell_apart_are_merged():
    game = zermelo.loads(HIDDEN_DIE)
    form = build_exactly(game.reference, game.reference.initial(), True, False, Limits())
    assert form.histories == 1 + 6 * (1 + 2 + 2)
    assert form.nodes == 1 + 2 * 2
    assert form.leaves == 2 * 3
    assert form.chance() == ([3] * 6, 6)


def test_too_large_a_tree_is_refused():
    game = zermelo.load("leduc_poker")
    with pytest.raises(ZermeloError, match="histories") as error:
        build_exactly(game.reference, game.reference.initial(), True, False, Limits(memory=1 << 20))
    assert error.value.code == "out-of-memory"


AT_ONCE_OR_IN_TURN = """
game "Discounted, at once or one after the other"
players Ann, Bob
discount 1/2
var mode: 0..2 = 0 hidden
start at lots
phase lots:
    chance:
        outcome at_once:
            go wait
        outcome in_turn:
            mode := 1
            go wait
phase wait:
    together p in (if mode == 0 then {Ann, Bob} else if mode == 1 then {Ann} else {Bob}):
        move wait secret
    then:
        if mode == 1:
            mode := 2
            go wait
        mode := 0
        go last
phase last:
    turn Ann:
        move take: end payoff (16, -16)
        move leave: end payoff (0, 0)
"""


@pytest.mark.parametrize("machine", ["reference", "python"])
def test_nodes_are_not_merged_where_the_way_to_them_counts(machine):
    """Equal information states and positions after one decision or two: 16 is worth 8 or 4."""
    game = zermelo.loads(AT_ONCE_OR_IN_TURN).on(machine)
    assert zermelo.solve(game).value == (6, -6)


EARNING = """
game "Earned in the dark"
players Ann, Bob
var x: Bool = false hidden
start at toss
phase toss:
    chance:
        outcome lucky:
            earn Ann: 8
            go pick
        outcome unlucky: go pick
phase pick:
    turn Ann:
        move a secret:
            x := true
            go guess
        move b secret: go guess
phase guess:
    turn Bob:
        move yes: end payoff {Ann: if x then 0 else 1, Bob: 0}
        move no: end payoff {Ann: if x then 1 else 0, Bob: 0}
"""


def test_histories_that_earned_differently_are_not_merged():
    """Ann earns 8 every other time, and nobody notices."""
    game = zermelo.loads(EARNING)
    tree = build_exactly(game.reference, game.reference.initial(), True, False, Limits())
    payoffs = {tree.payoffs[2 * leaf] // tree.denominator for leaf in range(tree.leaves)}
    assert payoffs == {0, 1, 8, 9}


def test_a_set_that_offers_different_moves_is_an_error():
    text = EARNING.replace("        move no:", "        move maybe if x: end draw\n        move no:")
    game = zermelo.loads(text)
    with pytest.raises(ZermeloError) as raised:
        build_exactly(game.reference, game.reference.initial(), True, False, Limits())
    assert raised.value.code == "moves-differ"


# Exact values of games with hidden information, compared with published ones and with each other.


def form_of(name, **parameters):
    game = zermelo.load(name, **parameters)
    machine = game.searching
    return sequence_form(build_tree(machine, game.facts, machine.initial(), Limits(), ignore_progress), Limits())


@pytest.mark.parametrize(
    ("name", "parameters", "value"),
    [
        ("kuhn_poker", {}, Fraction(-1, 18)),  # Kuhn 1950
        ("rock_paper_scissors", {}, Fraction(0)),
        ("liars_dice", {"sides": 6}, Fraction(-7, 258)),
        ("leduc_poker", {}, None),
    ],
)
def test_exact_values(name, parameters, value):
    solution = zermelo.solve(zermelo.load(name, **parameters))
    assert solution.solver == "sequence_form"
    assert solution.exact
    if value is None:  # as computed by others in floating point: -0.0856064
        assert abs(solution.value[0] + Fraction("0.0856064")) < Fraction(1, 10**6)
    else:
        assert solution.value == (value, -value)


def test_an_equilibrium_cannot_be_exploited():
    form = form_of("kuhn_poker")
    found = equilibrium(form, Limits())
    assert found.is_exact
    assert assess(form, found.plans).exploitability == 0
    assert form.expectation(found.plans) == (Fraction(-1, 18), Fraction(1, 18))


def test_best_responses_to_play_without_thought():
    """Against uniform play in Kuhn poker: enumeration of Alice's 2^6 and Bob's 2^6 pure strategies."""
    form = form_of("kuhn_poker")
    plans = [plan_of(player, uniform(player)) for player in form.players]
    for player in (0, 1):
        value, plan = best_response(form, player, plans)
        most = max(form.expectation([*plans[:player], pure, *plans[player + 1 :]])[player]
                   for pure in pure_plans(form.players[player]))  # fmt: skip
        assert value == most
        assert form.expectation([*plans[:player], plan, *plans[player + 1 :]])[player] == value


def pure_plans(player):
    strategies = [[Fraction(1)] + [Fraction(0)] * (len(player) - 1)]
    for first, end in zip(player.firsts, player.firsts[1:], strict=False):
        strategies = [
            [*strategy[:choice], Fraction(1), *strategy[choice + 1 :]]
            for strategy in strategies
            for choice in range(first, end)
        ]
    return [plan_of(player, strategy) for strategy in strategies]


def test_strategies_are_told_with_what_their_moves_lose():
    solution = zermelo.solve(zermelo.load("kuhn_poker"))
    alice, bob = solution.strategies
    assert (alice.player, bob.player) == ("Alice", "Bob")
    assert len(alice.decisions) == len(bob.decisions) == 6
    for strategy in solution.strategies:
        for decision in strategy.decisions:
            assert sum(decision.probabilities) == 1
            for chance, loss in zip(decision.probabilities, decision.losses, strict=True):
                assert loss >= 0
                assert not (chance and loss and decision.reached)


def test_a_value_that_is_not_proved_comes_between_bounds(monkeypatch):
    """Plans other than the optimum give valid bounds, and are not called exact."""
    honest = sequence_form_lp.optimum

    def spoiled(program, limits):
        certificate, _ = honest(program, limits)
        x = [value + Fraction(1, 7) for value in certificate.x]
        return Certificate(x, certificate.y), False

    monkeypatch.setattr(sequence_form_lp, "optimum", spoiled)
    solution = zermelo.solve(zermelo.load("kuhn_poker"))
    assert solution.certainty is Certainty.BOUNDED
    assert not solution.exact
    found = equilibrium(form_of("kuhn_poker"), Limits())
    assert found.sure < Fraction(-1, 18) == found.most


def test_constant_sums_other_than_zero():
    text = """\
game "Share"
players A, B
type Side = left | right
start at choose
phase choose:
    together:
        move take(s in Side)
    then:
        if take[A].s == take[B].s: end payoff {A: 7, B: 3}
        if take[A].s == left: end payoff {A: 1, B: 9}
        end payoff {A: 4, B: 6}
"""
    solution = zermelo.solve(zermelo.loads(text))
    assert solution.exact
    assert solution.value == (Fraction(5), Fraction(5))


def test_what_is_left_of_a_play_has_no_value():
    game = zermelo.load("kuhn_poker")
    with pytest.raises(ZermeloError) as error:
        zermelo.solve(game.initial.after("deal(J, Q)"))
    assert error.value.code == "no-value"
