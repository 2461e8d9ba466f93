"""Sequential equilibria of published games."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import log
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many
from small_games import THREAT

import zermelo
from tests.helpers.equilibria import equilibria_with_plans
from tests.helpers.random_stages import Tremble, beliefs, extensive_form, is_rational, random_behaviour, random_game
from zermelo.interpreter.machine import CHANCE
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.imperfect_information.sequential_equilibrium import (
    NotSequential,
    PerhapsSequential,
    Sequential,
    examine,
)
from zermelo.solvers.tree_building.building import build_tree


def _verdicts(text, is_pure=False):
    """The verdicts on the equilibria of a game, by what its players do."""
    game = zermelo.loads(text)
    tree = build_tree(game.machine, game.facts, game.machine.initial(), Limits(), ignore_progress)
    setting, equilibria = equilibria_with_plans(tree, is_pure)
    return {name: examine(setting, plans, Limits()) for name, plans in equilibria.items()}, tree


def _sequential(text):
    """The equilibria of a game that are sequential, and those that are not."""
    found, _ = _verdicts(text)
    assert all(isinstance(verdict, Sequential | NotSequential) for verdict in found.values())
    proved = {name for name, verdict in found.items() if isinstance(verdict, Sequential)}
    return proved, set(found) - proved


def test_a_threat_that_nobody_would_carry_out():
    """Selten (1965, 1978): the entrant comes in, and the incumbent shares."""
    proved, refuted = _sequential(THREAT)
    assert proved == {("enter", "share")}
    assert refuted == {("out", "fight"), ("out", "fight or share")}


CHAIN_STORE = """
game "Chain store with two markets"
players First, Second, Store
tree:
    First:
        out: Second:
            out: (1, 1, 10)
            enter: Store:
                share: (1, 2, 7)
                fight: (1, 0, 5)
        enter: Store:
            share: Second:
                out: (2, 1, 7)
                enter: Store:
                    share: (2, 2, 4)
                    fight: (2, 0, 2)
            fight: Second:
                out: (0, 1, 5)
                enter: Store:
                    share: (0, 2, 2)
                    fight: (0, 0, 0)
"""


def test_the_chain_store_shares_everywhere():
    """Selten (1978): fighting in the last market is never worth it, and so not in the first either."""
    proved, refuted = _sequential(CHAIN_STORE)
    assert proved == {("enter", "enter, enter, enter", "share, share, share")}
    assert any(name[0] == "out" for name in refuted)


HORSE = """
game "Selten's horse"
players One, Two, Three
var deep: Bool = false    hidden
start at first
phase first:
    turn One:
        move down secret: go third
        move across secret: go second
phase second:
    turn Two:
        move d secret:
            deep := true
            go third
        move a secret: end payoff (1, 1, 1)
phase third:
    turn Three:
        move left:
            if deep: end payoff (4, 4, 0)
            end payoff (3, 3, 2)
        move right:
            if deep: end payoff (0, 0, 1)
            end payoff (0, 0, 0)
"""


def test_seltens_horse():
    """Selten (1975): in the equilibria in which One goes down, Two would do better by going down, too, if asked. Those
    in which One and Two go across are sequential: Three believes that Two went down with at least 2/3."""
    found, tree = _verdicts(HORSE)
    (down,) = (verdict for name, verdict in found.items() if name == ("down", "a", "left"))
    assert isinstance(down, NotSequential)
    (s,) = down.sets
    assert tree.player_names[tree.information_sets.players[s]] == "Two"
    assert str(tree.information_sets.moves_of(s)[down.better - tree.information_sets.firsts[s]]) == "d"
    across = [verdict for name, verdict in found.items() if name[:2] == ("across", "a")]
    assert across and all(isinstance(verdict, Sequential) for verdict in across)
    for verdict in across:
        (belief,) = verdict.beliefs
        assert sum(share for node, share in belief.nodes if node[1]) >= Fraction(2, 3)


TWO_GUESSES = """
game "Two who believe the same"            # Two sees nothing of what One did, and Three nothing of either
players One, Two, Three
type Way = left | right
var way: Way? = none    hidden
var guess: Way? = none  hidden
start at first
phase first:
    turn One:
        move out: end payoff (1, 0, 0)
        move go_in(secret w in Way):
            way := w
            go second
phase second:
    turn Two:
        move guess(secret g in Way):
            guess := g
            go third
phase third:
    turn Three:
        move bet(g in Way):
            let clashes = guess == left and g == right
            let two = if guess == left and way == left then 1 else if guess == right and way == right then ODDS else 0
            let three = if g == right and way == right then 1 else if g == left and way == left then ODDS else 0
            end payoff (if clashes then 0 else 2, two, three)
"""


@pytest.mark.parametrize(("odds", "is_sequential"), [("1", True), ("2", False), ("1/2", True)])
def test_nobody_believes_something_else_for_no_reason(odds, is_sequential):
    """Two and Three see the same of a mistake of One, so that consistent beliefs are the same (Kreps and Wilson 1982,
    section 6). One stays out if Two guesses left and Three right: best for beliefs in left of at least odds/(1 + odds)
    and at most 1/(1 + odds). Any belief is Bayes' rule after what nobody does, so it is a weak perfect Bayesian
    equilibrium whatever the odds."""
    found, tree = _verdicts(TWO_GUESSES.replace("ODDS", odds))
    verdict = found["out", "guess(left)", "bet(right)"]
    assert isinstance(verdict, Sequential) == is_sequential
    if is_sequential:
        shares = [{node[0]: share for node, share in belief.nodes} for belief in verdict.beliefs]
        assert len(shares) == 2 and shares[0] == shares[1]
    else:
        assert isinstance(verdict, NotSequential)
        assert {tree.information_sets.players[s] for s in verdict.sets} == {1, 2}
        assert verdict.better is None


TIED = """
game "Two mistakes at once"
players One, Two, Ann, Bob, Cem
type Way = left | right
var one: Way? = none    hidden
var two: Way? = none    hidden
start at first
phase first:
    turn One:
        move stay secret: go second
        move stray(w in Way) secret:
            one := w
            go second
phase second:
    turn Two:
        move stay secret: go asked
        move stray(w in Way) secret:
            two := w
            go asked
phase asked:
    if one is none and two is none: end payoff (1, 1, 0, 0, 0)
    if two is none: go about_one
    if one is none: go about_two
    go about_both
phase about_one:
    turn Ann:
        move call(w in Way):
            end payoff (0, 0, if w != one then 0 else if w == left then 1 else 2, 0, 0)
phase about_two:
    turn Bob:
        move call(w in Way):
            end payoff (0, 0, 0, if w != two then 0 else if w == left then 1 else 2, 0)
phase about_both:
    turn Cem:
        move deny: end payoff (0, 0, 0, 0, 1)
        move claim: end payoff (0, 0, 0, 0, if one == right and two == right then 2 else 0)
"""


def test_beliefs_tied_by_products_prove_nothing():
    """Ann and Bob call left: One and Two stray to the left with at least 2/3 each, so that both stray to the right with
    at most 1/9, and not with 1/2, as Cem would have to believe. Products of weights are variables of their own here,
    which does not refute it; but it must not be called sequential."""
    found, _ = _verdicts(TIED)
    claimed = found["stay", "stay", "call(left)", "call(left)", "claim"]
    assert isinstance(claimed, PerhapsSequential)


UNSEEN_COIN = """
game "A coin that nobody saw"
players One, Two
var coin: 0..1 = 0    hidden
start at toss
phase toss:
    chance:
        outcome tails prob CHANCE:
            go first
        outcome heads prob 1 - CHANCE:
            coin := 1
            go first
phase first:
    turn One:
        move out: end payoff (1, 0)
        move go_in: go second
phase second:
    turn Two:
        move trust: end payoff (2, if coin == 1 then 1 else -1)
        move doubt: end payoff (0, 0)
"""


@pytest.mark.parametrize(("chance", "is_sequential"), [("1/3", False), ("1/2", True), ("2/3", True)])
def test_a_mistake_tells_nothing_of_what_its_maker_does_not_know(chance, is_sequential):
    """One does not know the coin, so that Two still believes what chance says (Kreps and Wilson 1982)."""
    found, _ = _verdicts(UNSEEN_COIN.replace("CHANCE", chance))
    assert isinstance(found["out", "doubt"], Sequential) == is_sequential


OUTSIDE = """
game "A battle with an outside option"
players One, Two
start at first
phase first:
    turn One:
        move out: end payoff (WORTH, 2)
        move go_in: go battle
phase battle:
    together:
        move opera
        move football
    then:
        let both = opera[One] == opera[Two]
        if not both: end payoff (0, 0)
        if opera[One]: end payoff (3, 1)
        end payoff (1, 3)
"""


@pytest.mark.parametrize("worth", ["2", "3/4"])
def test_a_battle_that_one_avoids(worth):
    """Behind the outside option is a battle with equilibria that bring One 3, 1 and, mixed, 3/4. Staying out for 2 is
    sequential if Two goes to football. Staying out for 3/4 is sequential only if Two mixes 1/4 to 3/4, and One would
    mix, too: no table says so."""
    found, _ = _verdicts(OUTSIDE.replace("WORTH", worth))
    out = {name: verdict for name, verdict in found.items() if name[0] == "out"}
    if worth == "2":
        assert isinstance(out["out", "football"], Sequential)
        assert all(isinstance(out[name], NotSequential) for name in out if name != ("out", "football"))
    else:
        (mixed,) = out.values()
        assert isinstance(mixed, Sequential)
        assert {share for *_, share in mixed.elsewhere} == {Fraction(3, 4), Fraction(1, 4)}


SPENCE = """
game "Education as a signal"               # Spence (1973): schooling teaches nothing, and pays
players Worker, Firm
type Talent = low | high
type Schooling = 0..2
var talent: Talent    seen by Worker
define worth = if talent == high then 2 else 1
start at birth
phase birth:
    chance:
        outcome low prob 1/2:
            talent := low
            go school
        outcome high prob 1/2:
            talent := high
            go school
phase school:
    turn Worker:
        move study(years in Schooling): go hire(years)
phase hire(years: Schooling):
    turn Firm:
        move pay(halves in {2, 3, 4}):
            let wage = halves / 2
            let cost = if talent == high then years / 2 else years
            end payoff {Worker: wage - cost, Firm: -(wage - worth) * (wage - worth)}
"""


def test_spence():
    """All pooling and separating equilibria are sequential, the wasteful ones included: schooling that nobody has is
    believed to say anything."""
    found, _ = _verdicts(SPENCE, is_pure=True)
    assert all(isinstance(verdict, Sequential) for verdict in found.values())
    assert {worker for worker, _ in found} == {
        "study(0), study(0)",
        "study(0), study(1)",
        "study(0), study(2)",
    }
    separating = found["study(0), study(2)", "pay(2), pay(2), pay(4)"]
    (belief,) = separating.beliefs
    ((_, share),) = belief.nodes
    assert share == 1


# Verdicts on equilibria of random games, against limits of trembles that are computed independently.


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
