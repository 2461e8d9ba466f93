"""Extensive-form correlated equilibria: against every single deviation, written out one by one."""

from __future__ import annotations

from array import array
from collections import defaultdict
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from random_cases import many, seeds

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.forms.extensive_form import SequenceForm, Sequences, sequence_form
from zermelo.solvers.imperfect_information.extensive_form_correlated import (
    CorrelationPlans,
    best_in_extensive_form,
    solve_by_equations,
    solve_by_profiles,
)
from zermelo.solvers.imperfect_information.subgame_perfect import perfect_equilibrium
from zermelo.solvers.linear_programming.exact_optimum import optimum
from zermelo.solvers.linear_programming.linear_program import LinearProgram
from zermelo.solvers.normal_form.nash import extreme_equilibria
from zermelo.solvers.normal_form.normal_form import NormalForm, PureStrategy, normal_form, pure_plans
from zermelo.solvers.normal_form.solution_concepts import best_correlated
from zermelo.solvers.tree_building.building import build_tree

# ----------------------------------------------------------------- games


class _Grower:
    """A random game, grown from its root. Nodes of a player with the same own moves before them are one information set
    if they draw the same label, so that recall is perfect. Chance, if any, is seen by nobody unless a label tells."""

    def __init__(self, seed, depth, has_chance, players=2):
        self.random, self.depth, self.has_chance = Random(seed), depth, has_chance
        self.parents, self.firsts = [[] for _ in range(players)], [[1] for _ in range(players)]
        self.sets, self.leaves = {}, defaultdict(lambda: [0] * players)
        self.grow([0] * players, 0, 720)

    def grow(self, sequences, depth, weight):
        draw = self.random.random()
        if depth >= self.depth or draw < 0.1:
            for player in range(len(sequences)):
                self.leaves[tuple(sequences)][player] += weight * self.random.randint(-3, 6)
        elif self.has_chance and draw < 0.4:
            count = self.random.choice([2, 2, 3])
            for _ in range(count):
                self.grow(list(sequences), depth + 1, weight // count)
        else:
            player = self.random.randrange(len(sequences))
            own, firsts = sequences[player], self.firsts[player]
            key = (player, own, self.random.randrange(3))
            if key not in self.sets:
                self.sets[key] = firsts[-1]
                self.parents[player].append(own)
                firsts.append(firsts[-1] + self.random.choice([1, 2, 2, 3]))
            first = self.sets[key]
            for sequence in range(first, firsts[firsts.index(first) + 1]):
                self.grow([*sequences[:player], sequence, *sequences[player + 1 :]], depth + 1, weight)

    def form(self):
        players = tuple(
            Sequences(array("q", parents), array("q", firsts), array("q", range(len(parents))))
            for parents, firsts in zip(self.parents, self.firsts, strict=True)
        )
        leaves = tuple(array("q", own) for own in zip(*self.leaves, strict=True))
        payoffs = tuple(array("q", own) for own in zip(*self.leaves.values(), strict=True))
        return SequenceForm(players, leaves, payoffs, 720)


def grown(seed, depth=5, has_chance=False, players=2):
    return _Grower(seed, depth, has_chance, players).form()


def tree_of(name, **parameters):
    game = zermelo.load(name, **parameters) if name.isidentifier() else zermelo.loads(name)
    machine = game.searching
    return build_tree(machine, game.facts, machine.initial(), Limits(), ignore_progress)


def best(tree, favoured=None):
    return best_in_extensive_form(tree, sequence_form(tree, Limits()), Limits(), favoured)


def strategies_of(form):
    return [[frozenset(plan) | {0} for plan in pure_plans(own)] for own in form.players]


def table_of(form):
    """The normal form, by looking up every profile at every leaf."""
    strategies = strategies_of(form)
    payoffs = [
        tuple(
            Fraction(sum(own[leaf] for leaf, at in leaves_met(form, profile)), form.denominator) for own in form.payoffs
        )
        for profile in product(*strategies)
    ]
    named = tuple(tuple(PureStrategy(told, str(sorted(told))) for told in own) for own in strategies)
    return NormalForm(tuple("ABC"[: len(strategies)]), named, payoffs)


def leaves_met(form, profile):
    """The leaves to which a profile leads, with the sequences there."""
    for leaf, at in enumerate(zip(*form.leaves, strict=True)):
        if all(sequence in told for sequence, told in zip(at, profile, strict=True)):
            yield leaf, at


# ----------------------------------------------------------------- deviations, one by one


def deviations(form):
    """Every way to deviate once told: the player, the sequence that they are told, and the sequences that they follow
    instead, from that information set on."""
    for player, own in enumerate(form.players):
        behind = [[i for i, parent in enumerate(own.parents) if parent == s] for s in range(len(own))]

        def continued(sets, own=own, behind=behind):
            if not sets:
                yield frozenset()
                return
            for sequence in range(own.firsts[sets[0]], own.firsts[sets[0] + 1]):
                for here in continued(behind[sequence]):
                    for rest in continued(sets[1:]):
                        yield here | rest | {sequence}

        for i in range(len(own.parents)):
            for told in range(own.firsts[i], own.firsts[i + 1]):
                for instead in continued([i]):
                    yield player, i, told, instead


def gain_of(form, profile, deviation):
    """What a deviation brings if this profile is drawn, in units."""
    player, i, told, instead = deviation
    if told not in profile[player]:
        return 0
    before, sequence = {0}, form.players[player].parents[i]
    while sequence:
        before.add(sequence)
        at = max(k for k, first in enumerate(form.players[player].firsts) if first <= sequence)
        sequence = form.players[player].parents[at]
    others = [instead | before if p == player else kept for p, kept in enumerate(profile)]
    gain = sum(form.payoffs[player][leaf] for leaf, at in leaves_met(form, others) if at[player] in instead)
    after = range(form.players[player].firsts[i], form.players[player].firsts[i + 1])
    for leaf, at in leaves_met(form, profile):
        passed = at[player]
        while passed and passed not in after:
            k = max(k for k, first in enumerate(form.players[player].firsts) if first <= passed)
            passed = form.players[player].parents[k]
        if passed == told:
            gain -= form.payoffs[player][leaf]
    return gain


def greatest_gain(form, drawn):
    """The greatest expected gain, in units, by any deviation."""
    return max(
        (
            sum((chance * gain_of(form, profile, each) for profile, chance in drawn.items()), Fraction(0))
            for each in deviations(form)
        ),
        default=Fraction(0),
    )


def best_by_deviations(form, favoured=None):
    """The best objective by a program with a row for every deviation, and a column for every profile."""
    profiles = list(product(*strategies_of(form)))
    wanted = form.payoffs if favoured is None else [form.payoffs[favoured]]
    program = LinearProgram(
        [sum(own[leaf] for own in wanted for leaf, _ in leaves_met(form, profile)) for profile in profiles],
        [False] * len(profiles),
    )
    program.add([(k, 1) for k in range(len(profiles))], 1, True)
    for each in deviations(form):
        gains = [(k, gain_of(form, profile, each)) for k, profile in enumerate(profiles)]
        program.add([(k, gain) for k, gain in gains if gain], 0, False)
    found = optimum(program, Limits())
    assert found is not None and found[1]
    return found[0].value(program) / form.denominator


def is_small(form, profiles=300, tried=400):
    counts = [len(own) for own in strategies_of(form)]
    size = 1
    for count in counts:
        size *= count
    return size <= profiles and sum(1 for _ in zip(deviations(form), range(tried + 1), strict=False)) <= tried


def of_size(form, found, favoured):
    return found.welfare if favoured is None else found.payoff[favoured]


@pytest.mark.parametrize("seed", seeds(60))
def test_no_deviation_gains_and_no_equilibrium_is_better(seed):
    """Without chance: by equations, by profiles, and by the program of all deviations."""
    form = grown(seed, depth=4)
    if not is_small(form):
        form = grown(seed, depth=3)
    plans = CorrelationPlans(form)
    assert plans.crossing() is None
    for favoured in (None, 0, 1):
        found = solve_by_equations(form, plans, Limits(), favoured)
        listed = solve_by_profiles(form, Limits(), favoured)
        for each in (found, listed):
            assert sum(each.drawn.values()) == 1 and min(each.drawn.values()) > 0
            assert greatest_gain(form, each.drawn) <= 0
        most = best_by_deviations(form, favoured)
        assert of_size(form, found, favoured) == of_size(form, listed, favoured) == most


@pytest.mark.parametrize("seed", seeds(40))
def test_with_chance(seed):
    form = grown(seed, depth=4, has_chance=True)
    if not is_small(form):
        form = grown(seed, depth=3, has_chance=True)
    plans = CorrelationPlans(form)
    listed = solve_by_profiles(form, Limits())
    assert greatest_gain(form, listed.drawn) <= 0
    assert listed.welfare == best_by_deviations(form)
    told_at_once, coarse = (best_correlated(table_of(form), is_coarse, Limits()) for is_coarse in (False, True))
    assert told_at_once.welfare <= listed.welfare <= coarse.welfare
    if plans.crossing() is None:
        found = solve_by_equations(form, plans, Limits())
        assert found.welfare == listed.welfare and greatest_gain(form, found.drawn) <= 0


@pytest.mark.parametrize("seed", seeds(20))
def test_three_players(seed):
    form = grown(seed, depth=4, players=3)
    if not is_small(form):
        form = grown(seed, depth=3, players=3)
    found = solve_by_profiles(form, Limits())
    assert greatest_gain(form, found.drawn) <= 0
    assert found.welfare == best_by_deviations(form)


def test_the_checker_finds_a_deviation_that_gains():
    """The dilemma: both are told to cooperate."""
    form = sequence_form(tree_of("prisoners_dilemma"), Limits())
    cooperate = frozenset({0, 1})
    assert greatest_gain(form, {(cooperate, cooperate): Fraction(1)}) == form.denominator
    assert greatest_gain(form, {(frozenset({0, 2}), frozenset({0, 2})): Fraction(1)}) == 0


# ----------------------------------------------------------------- what they contain, and what contains them


@pytest.mark.parametrize("seed", seeds(40))
def test_every_nash_equilibrium_is_one(seed):
    """The plan of independent strategies satisfies the equations, is a mixture, and no deviation gains."""
    form = grown(seed, depth=4)
    plans = CorrelationPlans(form)
    found = solve_by_equations(form, plans, Limits())
    (mine, theirs), _ = perfect_equilibrium(form, Limits())
    nash = plans.mixture([mine[s] * theirs[t] for s, t in plans.place])
    assert greatest_gain(form, nash) <= 0
    expected = form.expectation((mine, theirs))
    met = [
        [chance * own[leaf] for told, chance in nash.items() for leaf, _ in leaves_met(form, told)]
        for own in form.payoffs
    ]
    assert expected == tuple(sum(own, Fraction(0)) / form.denominator for own in met)
    assert sum(expected) <= found.welfare
    for player in (0, 1):
        assert expected[player] <= solve_by_equations(form, CorrelationPlans(form), Limits(), player).payoff[player]


@pytest.mark.parametrize("seed", seeds(30))
def test_between_the_correlated_and_the_coarse_ones_of_the_table(seed):
    form = grown(seed, depth=4)
    if not is_small(form):
        form = grown(seed, depth=3)
    table = table_of(form)
    found = solve_by_equations(form, CorrelationPlans(form), Limits())
    told_at_once = best_correlated(table, False, Limits())
    assert told_at_once.welfare <= found.welfare <= best_correlated(table, True, Limits()).welfare
    drawn = {
        tuple(own[k].sequences for own, k in zip(table.strategies, profile, strict=True)): chance
        for profile, chance in told_at_once.profiles.items()
    }
    assert greatest_gain(form, drawn) <= 0


@pytest.mark.parametrize("name", ["chicken", "stag_hunt", "battle_of_the_sexes", "prisoners_dilemma", "two_robots"])
def test_at_once_it_is_the_correlated_equilibrium_of_the_table(name):
    """Who decides once is told all at once."""
    tree = tree_of(name)
    table = normal_form(tree, Limits())
    found = best(tree)
    assert found.welfare == best_correlated(table, False, Limits()).welfare
    for each in extreme_equilibria(table, Limits()):
        assert sum(each.payoff) <= found.welfare


def test_chicken():
    """Published: 21/2, where the best mixture of Nash equilibria has 9 (Aumann 1974)."""
    assert best(tree_of("chicken")).payoff == (Fraction(21, 4), Fraction(21, 4))


def test_with_a_constant_sum_they_pay_the_value():
    """-1/18 (Kuhn 1950): nobody gets less than they can secure."""
    for favoured in (None, 0, 1):
        assert best(tree_of("kuhn_poker"), favoured).payoff == (Fraction(-1, 18), Fraction(1, 18))


def test_the_signalling_game_of_von_stengel_and_forges():
    """Published: all correlated equilibria of the table pay (0, 6), since a signal costs nothing; told only at their
    own decision, good students can prove themselves, which pays (3.5, 6.5)."""
    tree = tree_of("student_and_professor")
    table = normal_form(tree, Limits())
    assert best_correlated(table, False, Limits()).payoff == (0, 6)
    assert best(tree, 1).payoff == (Fraction(7, 2), Fraction(13, 2))
    assert best(tree).welfare == 10
    form = sequence_form(tree, Limits())
    assert greatest_gain(form, best(tree).drawn) <= 0


# ----------------------------------------------------------------- where the equations do not suffice

TOGETHER = """
game "Alike but once"
players Ann, Bob
var mine: Bool = false   seen by Ann
var yours: Bool = false  seen by Bob
start at deal
phase deal:
    chance:
        outcome deal(a in Bool, b in Bool):
            mine := a
            yours := b
            go say
phase say:
    together:
        move yes
        move no
    then:
        let alike = yes[Ann] == yes[Bob]
        let won = if alike == (mine and yours) then 0 else 1
        end payoff {Ann: won, Bob: won}
"""
"""Both win if they say the same, but something different if both were dealt true: Clauser, Horne, Shimony and Holt
(1969) as a game."""


def test_the_equations_alone_promise_what_no_mediator_can_do():
    """Mixtures of strategies win with probability 3/4 at most (Clauser, Horne, Shimony and Holt 1969), while a plan
    that satisfies the equations wins always (Popescu and Rohrlich 1994). So such games are told apart, and if they were
    not, the mixture would not be found."""
    tree = tree_of(TOGETHER)
    form = sequence_form(tree, Limits())
    plans = CorrelationPlans(form)
    assert plans.crossing() is not None
    assert best(tree).payoff == (Fraction(3, 4), Fraction(3, 4))
    with pytest.raises(AssertionError):
        solve_by_equations(form, plans, Limits())


def test_chance_in_the_open_does_not_cross():
    """Chance draws and both see it: the equations do."""
    tree = tree_of(TOGETHER.replace("seen by Ann", "").replace("seen by Bob", ""))
    form = sequence_form(tree, Limits())
    assert CorrelationPlans(form).crossing() is None
    assert best(tree).payoff == (1, 1) and "pairs of sequences" in best(tree).counts


@pytest.mark.parametrize("seed", seeds(300))
def test_without_chance_nothing_crosses(seed):
    assert CorrelationPlans(grown(seed, depth=7)).crossing() is None


@pytest.mark.random
def test_crossing_by_definition():
    """Against all fours of information sets."""
    crossed = 0
    for seed in seeds(150):
        plans = CorrelationPlans(grown(seed, depth=5, has_chance=True))
        mine, theirs = (side.parents for side in plans.sides)
        met = plans.connected
        found = any(
            mine[i] == mine[k] and theirs[j] == theirs[m] and i != k and j != m and (i, m) in met
            for (i, j), (k, m) in product(met, met)
        )
        assert (plans.crossing() is not None) == found
        crossed += found
    assert many(20) < crossed < many(130)


def test_too_many_strategies_for_a_list_and_no_equations():
    tree = tree_of("sealed_bid_auction", most=4, second_price=False)
    with pytest.raises(ZermeloError) as refused:
        best(tree)
    assert refused.value.code == "too-many-strategies"
    assert "chance tells Ann and Bob different things" in str(refused.value)


def test_more_strategies_than_a_table_holds():
    """A dilemma four times has far more strategies than a table holds; defection is still all that is stable."""
    text = """
game "Dilemma again and again"
players Ann, Bob
param times: 1..4 = 4
var left: 0..4 = times
var total[Player]: 0..40 = 0
start at play
phase play:
    together:
        move kind
        move mean
    then:
        total[Ann] += (if kind[Bob] then 3 else 0) + (if kind[Ann] then 0 else 1)
        total[Bob] += (if kind[Ann] then 3 else 0) + (if kind[Bob] then 0 else 1)
        left -= 1
        if left > 0: go play
        end payoff {p: total[p] for p in Player}
"""
    tree = tree_of(text)
    with pytest.raises(ZermeloError) as refused:
        normal_form(tree, Limits())
    assert refused.value.code == "too-many-strategies"
    assert best(tree).payoff == (4, 4)


def test_memory_is_known_before():
    tree = tree_of("kuhn_poker")
    form = sequence_form(tree, Limits())
    with pytest.raises(ZermeloError) as refused:
        best_in_extensive_form(tree, form, Limits(memory=1 << 20))
    assert refused.value.code == "out-of-memory"
    tree = tree_of("chicken")
    with pytest.raises(ZermeloError) as refused:
        best_in_extensive_form(tree, sequence_form(tree, Limits()), Limits(memory=1 << 14))
    assert refused.value.code == "out-of-memory"
