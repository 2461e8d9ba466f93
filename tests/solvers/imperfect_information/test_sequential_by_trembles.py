"""Verdicts on equilibria of random games, against limits of trembles that are computed independently."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import log
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many

from tests.helpers.equilibria import equilibria_with_plans
from tests.helpers.random_stages import Tremble, beliefs, extensive_form, is_rational, random_behaviour, random_game
from zermelo.interpreter.machine import CHANCE
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.imperfect_information.sequential_equilibrium import NotSequential, Sequential, examine


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
    weights = {(p, s): weight for p, s, weight in proof.weights or ()}
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


def _paths(tree, root):
    """The sequences that lead to each node, and chance's probability of it."""
    sets, found = tree.information_sets, {}

    def walk(node, sequences, chance):
        found[id(node)] = sequences, chance
        for k, child in enumerate(node.children):
            made = list(sequences)
            if node.actor == CHANCE:
                walk(child, sequences, chance * Fraction(node.weights[k], sum(node.weights)))
            else:
                made[node.actor] = sets.firsts[node.number] + k
                walk(child, tuple(made), chance)

    walk(root, (0,) * len(tree.player_names), Fraction(1))
    return found


def _others(sequences, player):
    return (*sequences[:player], 0, *sequences[player + 1 :])


def _by_others(paths, nodes, player):
    """A belief by the sequences of the others."""
    sums = defaultdict(Fraction)
    for node, share in nodes:
        sums[_others(paths[id(node)][0], player)] += share
    return {others: share for others, share in sums.items() if share}


def _is_supported(tree, root, plans, proof):
    """Whether the trembles of a proof lead to its beliefs, and the moves are best given these."""
    behaviour, paths = _trembles(tree, plans, proof), _paths(tree, root)
    believed = beliefs(root, behaviour)
    for belief in proof.beliefs:
        same = _by_others(paths, believed[belief.set], belief.player)
        assert set(same) == {others for others, _ in belief.nodes}, "the nodes of least order"
        if proof.weights is not None:
            assert same == dict(belief.nodes)
    if proof.weights is not None:
        return is_rational(behaviour, believed)
    assert _have_weights(tree, behaviour, paths, believed, proof)
    for belief in proof.beliefs:
        at, nodes = dict(belief.nodes), [node for node, _ in believed[belief.set]]
        chance = _by_others(paths, [(node, paths[id(node)][1]) for node in nodes], belief.player)
        others = [_others(paths[id(node)][0], belief.player) for node in nodes]
        believed[belief.set] = [
            (node, at.get(each, Fraction(0)) * paths[id(node)][1] / chance[each])
            for node, each in zip(nodes, others, strict=True)
        ]
    return is_rational(behaviour, believed)


def _have_weights(tree, behaviour, paths, believed, proof):
    """Whether there are weights for which the beliefs of a proof are proportional to products: their logarithms solve
    linear equations, here in floating point."""
    sets = tree.information_sets
    trembles = [(s, k) for s, made in behaviour.items() for k, each in enumerate(made) if each.order]
    rows, right = [], []
    for belief in proof.beliefs:
        nodes = [node for node, _ in believed[belief.set]]
        chance = _by_others(paths, [(node, paths[id(node)][1]) for node in nodes], belief.player)
        lines = []
        for others, share in belief.nodes:
            line, known = np.zeros(len(trembles)), log(share) - log(chance[others])
            for player, sequence in enumerate(others):
                while sequence:
                    s = max(s for s in range(len(sets)) if sets.players[s] == player and sets.firsts[s] <= sequence)
                    k = sequence - sets.firsts[s]
                    if behaviour[s][k].order:
                        line[trembles.index((s, k))] += 1
                    else:
                        known -= log(behaviour[s][k].weight)
                    sequence = sets.parents[s]
            lines.append((line, known))
        for line, known in lines[1:]:
            rows.append(line - lines[0][0])
            right.append(known - lines[0][1])
    if not rows:
        return True
    found, *_ = np.linalg.lstsq(np.array(rows), np.array(right), rcond=None)
    return np.allclose(np.array(rows) @ found, right, atol=1e-9)


@settings(deadline=None, max_examples=many(60))
@given(seed=st.integers(0, 10**6), players=st.integers(2, 3), stages=st.integers(2, 4))
def test_random_trembles_agree(seed, players, stages):
    """The proof of a sequential equilibrium stands a second calculation, and no trembles make one of what is not."""
    root = random_game(seed, players, stages)
    tree = extensive_form(root, players)
    setting, equilibria = equilibria_with_plans(tree)
    random = Random(seed)
    for plans in list(equilibria.values())[:6]:
        verdict = examine(setting, plans, Limits())
        if isinstance(verdict, Sequential):
            assert _is_supported(tree, root, plans, verdict)
        elif isinstance(verdict, NotSequential):
            for _ in range(40):
                behaviour = random_behaviour(_prescribed(tree, plans), len(tree.information_sets), random)
                assert not is_rational(behaviour, beliefs(root, behaviour))
