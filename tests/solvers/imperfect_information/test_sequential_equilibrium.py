"""Sequential equilibria: published games, and random ones against limits of trembles computed independently."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.random_stages import (
    Tremble,
    beliefs,
    extensive_form,
    is_rational,
    random_behaviour,
    random_game,
)
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.sequence_form import sequence_form
from zermelo.solvers.imperfect_information.assessments import Setting
from zermelo.solvers.imperfect_information.sequential_equilibrium import NotSequential, Sequential, examine
from zermelo.solvers.normal_form.nash import equilibria_of, plan_of_mixture
from zermelo.solvers.normal_form.normal_form import normal_form


def _equilibria(tree):
    """The setting of a game, and the plans of its equilibria."""
    form = sequence_form(tree, Limits())
    table = normal_form(tree, Limits())
    found = equilibria_of(table, Limits(), is_pure=len(form.players) > 2).profiles
    return Setting(tree, form), [
        [plan_of_mixture(table, p, mixture, len(form.players[p])) for p, mixture in enumerate(profile.mixtures)]
        for profile in found
    ]


def _prescribed(tree, plans):
    """What plans say about an information set: the probabilities of its moves, or None."""
    sets = tree.information_sets

    def shares(s):
        plan, first = plans[sets.players[s]], sets.firsts[s]
        whole = plan[sets.parents[s]]
        return [plan[first + k] / whole for k in range(sets.count(s))] if whole else None

    return shares


def _trembles(tree, plans, proof):
    """The trembles by which a proof supports its beliefs, move by move."""
    sets = tree.information_sets
    orders = {(p, s): order for p, s, order in proof.orders}
    weights = {(p, s): weight for p, s, weight in proof.weights}
    elsewhere = {(p, s): share for p, s, share in proof.elsewhere}
    prescribed = _prescribed(tree, plans)
    total = {(p, 0): Tremble(0, Fraction(1)) for p in range(len(plans))}
    behaviour = {}
    for s in range(len(sets)):
        player, first = sets.players[s], sets.firsts[s]
        before = total[player, sets.parents[s]]
        shares = prescribed(s)
        if shares is None:
            shares = [elsewhere.get((player, first + k), Fraction(0)) for k in range(sets.count(s))]
        assert sum(shares) == 1
        behaviour[s] = []
        for k, share in enumerate(shares):
            key = player, first + k
            if share:
                made = Tremble(0, share)
            else:
                made = Tremble(
                    orders.get(key, before.order + 1) - before.order, weights.get(key, before.weight) / before.weight
                )
                assert made.order > 0 and made.weight > 0
            behaviour[s].append(made)
            total[key] = before * made
    return behaviour


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 10**6), players=st.integers(2, 3), stages=st.integers(2, 4))
def test_random_trembles_agree(seed, players, stages):
    """The proof of a sequential equilibrium stands a second calculation, and no trembles make one of what is not."""
    root = random_game(seed, players, stages)
    tree = extensive_form(root, players)
    setting, equilibria = _equilibria(tree)
    random = Random(seed)
    for plans in equilibria:
        verdict = examine(setting, plans, Limits())
        if isinstance(verdict, Sequential) and verdict.weights is not None:
            behaviour = _trembles(tree, plans, verdict)
            believed = beliefs(root, behaviour)
            assert is_rational(behaviour, believed)
            for belief in verdict.beliefs:
                assert sorted(share for _, share in belief.nodes) == sorted(_by_others(tree, root, believed, belief))
        elif isinstance(verdict, NotSequential):
            for _ in range(60):
                behaviour = random_behaviour(_prescribed(tree, plans), len(tree.information_sets), random)
                assert not is_rational(behaviour, beliefs(root, behaviour))


def _by_others(tree, root, believed, belief):
    """The positive probabilities of a second belief, of nodes with the same moves of players together."""
    paths = {}

    def walk(node, made):
        paths[id(node)] = made
        for k, child in enumerate(node.children):
            walk(child, made if node.actor < 0 else (*made, (node.number, k)))

    walk(root, ())
    sums = {}
    for node, share in believed[belief.set]:
        others = tuple(step for step in paths[id(node)] if tree.information_sets.players[step[0]] != belief.player)
        sums[others] = sums.get(others, 0) + share
    return [share for share in sums.values() if share]
