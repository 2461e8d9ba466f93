"""Vertices of best replies, beside a referee that tries every choice of tight inequalities, and polytopes with a known
number of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb
from random import Random

import pytest
from equilibria import table
from flint import fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many

from zermelo.foundation.deadline import DeadlinePassed, time_limit
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.normal_form import double_description
from zermelo.solvers.normal_form.double_description import TooManyVertices, vertices
from zermelo.solvers.normal_form.nash import equilibria_of, extreme_equilibria

AMOUNTS = {
    "ties": st.integers(0, 2).map(Fraction),
    "fractions": st.fractions(-3, 3, max_denominator=12),
    "large": st.integers(-2, 2).map(lambda k: Fraction(k * 2**70 + k)) | st.integers(0, 2**80).map(Fraction),
}


def found_vertices(replies):
    """Mixtures, what the best replies bring, and labels."""
    return [
        (
            tuple(Fraction(weight, sum(weights)) for weight in weights),
            Fraction(bound, sum(weights)),
            {k for k in range(labels.bit_length()) if labels >> k & 1},
        )
        for (*weights, bound), labels in vertices(replies, Limits().budget())
    ]


def tried_vertices(replies):
    """The same by every choice of as many tight inequalities as there are strategies: x and v solve their equations,
    and keep all others."""
    own = len(replies[0])
    rows = [[Fraction(i == k) for i in range(own)] + [Fraction(0)] for k in range(own)]
    rows += [[-amount for amount in reply] + [Fraction(1)] for reply in replies]
    found = {}
    for tight in combinations(range(len(rows)), own):
        system = [*(rows[k] for k in tight), [Fraction(1)] * own + [Fraction(0)]]
        matrix = fmpq_mat(own + 1, own + 1, [quotient(entry) for row in system for entry in row])
        if matrix.det() == 0:
            continue
        solved = matrix.solve(fmpq_mat(own + 1, 1, [*[fmpq(0)] * own, fmpq(1)])).entries()
        point = [Fraction(int(entry.p), int(entry.q)) for entry in solved]
        slacks = [sum(map(Fraction.__mul__, row, point)) for row in rows]
        if min(slacks) >= 0:
            found[tuple(point[:own])] = point[own], {k for k, slack in enumerate(slacks) if slack == 0}
    return found


def quotient(number):
    return fmpq(number.numerator, number.denominator)


def is_equilibrium(rows, x, y):
    """Whether no strategy brings either player more than the mixtures do."""
    ours = [sum(w * cell[0] for w, cell in zip(y, row, strict=True)) for row in rows]
    theirs = [sum(w * row[j][1] for w, row in zip(x, rows, strict=True)) for j in range(len(y))]
    return sum(map(Fraction.__mul__, x, ours)) == max(ours) and sum(map(Fraction.__mul__, y, theirs)) == max(theirs)


@pytest.mark.parametrize("kind", AMOUNTS)
@settings(max_examples=many(60), deadline=None)
@given(data=st.data())
def test_vertices_are_those_of_every_choice_of_tight_inequalities(kind, data):
    own, replies = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 5))
    amounts = [[data.draw(AMOUNTS[kind]) for _ in range(own)] for _ in range(replies)]
    if data.draw(st.booleans()):
        amounts.append(amounts[0])  # two replies that always bring the same
    found = found_vertices(amounts)
    assert {x: (bound, labels) for x, bound, labels in found} == tried_vertices(amounts)
    assert len({x for x, _, _ in found}) == len(found)


@pytest.mark.parametrize(
    "amounts",
    [
        ((2, 0, 1, 1), (2, 0, 0, 1), (1, 1, 2, 0), (0, 2, 1, 1)),
        ((1, 1, 1, 0, 1), (1, 0, 1, 0, 0), (0, 1, 0, 1, 1), (0, 0, 0, 1, 1), (0, 0, 1, 1, 0)),
        ((0, 2, 2, 0, 1), (2, 1, 2, 2, 0), (2, 0, 1, 1, 2), (0, 0, 2, 1, 2), (2, 1, 1, 2, 0)),
    ],
)
def test_two_rays_that_share_many_labels_with_others_are_no_ends_of_an_edge(amounts):
    """In these, found at random, labels enough for an edge are those of a face with more rays."""
    replies = [list(map(Fraction, reply)) for reply in amounts]
    assert {x: (bound, labels) for x, bound, labels in found_vertices(replies)} == tried_vertices(replies)
    assert len(found_vertices(replies)) == len(tried_vertices(replies))


@pytest.mark.parametrize("kind", AMOUNTS)
@settings(max_examples=many(40), deadline=None)
@given(data=st.data())
def test_equilibria_are_all_pairs_of_vertices_that_nobody_leaves(kind, data):
    rows, columns = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    cells = [[(data.draw(AMOUNTS[kind]), data.draw(AMOUNTS[kind])) for _ in range(columns)] for _ in range(rows)]
    ours = tried_vertices([[row[j][1] for row in cells] for j in range(columns)])
    theirs = tried_vertices([[cell[0] for cell in row] for row in cells])
    found = extreme_equilibria(table(cells), Limits())
    pairs = {(x, y) for x, y in product(ours, theirs) if is_equilibrium(cells, x, y)}
    assert sorted(profile.mixtures for profile in found) == sorted(pairs)
    for profile in found:
        x, y = profile.mixtures
        assert profile.payoff == (theirs[y][0], ours[x][0])


def cyclic(own, replies):
    """Replies whose polyhedron is the dual of a cyclic polytope: the points of a polytope on the curve t, t^2, t^3, ...
    are its inequalities, and those of one facet say that no weight is negative (Gale's evenness condition)."""
    count = own + replies
    points = [[Fraction(t) ** k for k in range(1, own + 1)] for t in range(count)]
    middle = [sum(column) / count for column in zip(*points, strict=True)]
    points = [[quotient(a - b) for a, b in zip(point, middle, strict=True)] for point in points]
    facet = list(range(own)) if own % 2 == 0 else [*range(own - 1), count - 1]
    others = [k for k in range(count) if k not in facet]
    basis = fmpq_mat(own, own, [entry for k in facet for entry in points[k]])
    found = fmpq_mat(replies, own, [entry for k in others for entry in points[k]]) * basis.inv()
    made = []
    for j in range(replies):
        row = [Fraction(int(found[j, i].p), int(found[j, i].q)) for i in range(own)]
        made.append([-entry / (1 - sum(row)) for entry in row])
    return made


@pytest.mark.parametrize(("own", "replies"), [(2, 7), (3, 6), (4, 6), (5, 5), (6, 6), (7, 4), (8, 8)])
def test_as_many_vertices_as_a_polytope_may_have(own, replies):
    """McMullen (1970): cyclic polytopes attain the bound. One of them is x = 0."""
    facets, half = own + replies, own // 2
    most = comb(facets - own + half, half) + comb(facets - half - 1, own - half - 1)
    assert len(found_vertices(cyclic(own, replies))) == most - 1


@pytest.mark.parametrize("count", [2, 5, 9])
def test_whoever_must_meet_may_mix_over_any_places(count):
    """They get 1 if they choose the same place: an equilibrium for every set of places, both mixing alike. Each vertex
    has as many labels as there are strategies of both, or more."""
    game = table([[(int(i == j),) * 2 for j in range(count)] for i in range(count)])
    found = extreme_equilibria(game, Limits())
    assert len(found) == 2**count - 1
    for profile in found:
        x, y = profile.mixtures
        assert x == y and len(set(x) - {0}) == 1


def test_time_ends_the_search_for_vertices():
    """Also between two rays, after the first reply."""
    replies = cyclic(5, 5)
    with pytest.raises(DeadlinePassed), time_limit(0):
        vertices(replies, Limits().budget())


def test_there_may_be_too_many_vertices(monkeypatch):
    """Then those in pure strategies are found, and nothing is said of others. Six may meet in 63 ways."""
    game = table([[(int(i == j),) * 2 for j in range(6)] for i in range(6)])
    assert len(equilibria_of(game, Limits()).profiles) == 63
    monkeypatch.setattr(double_description, "MOST_NUMBERS", 500)
    with pytest.raises(TooManyVertices):
        extreme_equilibria(game, Limits())
    found = equilibria_of(game, Limits())
    assert len(found.profiles) == 6 and not found.are_all


def test_a_table_that_is_far_too_large_is_given_up_at_its_first_replies(monkeypatch):
    """Each reply may take an equal share of what is left, so that not all work is spent on a few of them."""
    spent = []
    cut = double_description._Cone.cut

    def watched(cone, *arguments):
        try:
            cut(cone, *arguments)
        finally:
            spent.append(cone.spent)

    monkeypatch.setattr(double_description._Cone, "cut", watched)
    monkeypatch.setattr(double_description, "MOST_NUMBERS", 120_000)
    draw = Random(1)
    with pytest.raises(TooManyVertices):
        vertices([[Fraction(draw.randrange(100)) for _ in range(40)] for _ in range(40)], Limits().budget())
    assert spent[-1] < 20_000 and len(spent) < 39


def test_pure_equilibria_are_left_if_memory_does_not_hold_the_vertices():
    """Found by a campaign: a tree whose table has 256 strategies. Ten may meet in 1,023 ways."""
    game = table([[(int(i == j),) * 2 for j in range(10)] for i in range(10)])
    with pytest.raises(TooManyVertices):
        extreme_equilibria(game, Limits(memory=50_000))
    found = equilibria_of(game, Limits(memory=50_000))
    assert len(found.profiles) == 10 and not found.are_all


def test_pure_equilibria_are_left_if_half_of_the_time_does_not_bring_the_others():
    """The time of an outer block ends the work, as always."""
    game = table([[(int(i == j),) * 2 for j in range(6)] for i in range(6)])
    found = equilibria_of(game, Limits(0))
    assert len(found.profiles) == 6 and not found.are_all
    with pytest.raises(DeadlinePassed), time_limit(0):
        equilibria_of(game, Limits())
