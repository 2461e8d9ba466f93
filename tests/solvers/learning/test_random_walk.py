"""TD(lambda) on the random walk of Sutton (1988): closed forms, and the shape of his figures.

A walk begins in the middle of five squares and goes left or right with the same chance, until it leaves them: payoffs
are 1 to the right and -1 to the left, so that squares are worth -2/3, -1/3, 0, 1/3 and 2/3. There is a feature for each
square, and a step of learning from one to the next. Weights begin at 0, as his do in the middle between the ends;
they change after every step, and not after each walk. Alpha is divided by the number of features.
"""

from __future__ import annotations

import os
from fractions import Fraction
from math import sqrt
from pathlib import Path

import pytest

import zermelo
from zermelo.learning import prepare_learning, run_learning
from zermelo.pictures.curves import DrawnCurves, NamedCurve, curves_picture
from zermelo.pictures.svg import svg
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.learning.weights import TDSettings

SQUARES = 5
IDEAL = [-2 / 3, -1 / 3, 0, 1 / 3, 2 / 3]

SETS, WALKS = 60, 10
"""Training sets, of which he had 100, and the walks in each."""

ALPHAS = (0.05, 0.1, 0.2, 0.3)
TENTHS = (0, 1, 3, 5, 7, 8, 9, 10)

PICTURE = Path(__file__).parents[3] / "docs" / "pictures" / "random_walk.svg"


@pytest.fixture(scope="module")
def walk():
    return zermelo.load(Path(__file__).parent / "random_walk.game")


def learnt(walk, games, seed, lambda_, alpha):
    """The weights after so many walks."""
    learning = prepare_learning(walk.initial, games, Limits(), seed, TDSettings(alpha * SQUARES, lambda_, 0.0))
    run_learning(learning, walk.initial)
    return learning.known.weights


def error(weights):
    """The root mean square of the errors, if a walk to the right counts 1 and one to the left 0 as in his figures."""
    return sqrt(sum((weight - ideal) ** 2 for weight, ideal in zip(weights, IDEAL, strict=True)) / SQUARES) / 2


@pytest.mark.parametrize("seed", range(8))
def test_closed_forms_of_the_first_walk(walk, seed):
    """As long as nothing is known only the end teaches, z = 1 or -1. Then TD(1) has changed the weight of a square by
    alpha z for each visit, TD(0) only that of the last square, and TD(lambda) all together by alpha z times the sum of
    the powers of lambda up to the number of visits."""
    alpha = 0.125
    visits = [weight / alpha for weight in learnt(walk, 1, seed, 1.0, alpha)]
    count, z = round(abs(sum(visits))), 1 if sum(visits) > 0 else -1
    assert visits == pytest.approx([round(visit) for visit in visits]) and count >= 3
    last = [0.0] * SQUARES
    last[-1 if z > 0 else 0] = alpha * z
    assert learnt(walk, 1, seed, 0.0, alpha) == pytest.approx(last)
    for lambda_ in (0.3, 0.8):
        whole = sum(learnt(walk, 1, seed, lambda_, alpha))
        assert whole == pytest.approx(alpha * z * (1 - lambda_**count) / (1 - lambda_))


@pytest.mark.parametrize("lambda_", [0.0, 0.3, 0.7, 1.0])
def test_after_many_walks_squares_are_known(walk, lambda_):
    assert learnt(walk, 50_000, 1, lambda_, 0.02) == pytest.approx(IDEAL, abs=0.1)


@pytest.fixture(scope="module")
def errors(walk):
    """The mean error after ten walks with each alpha, by lambda in tenths."""
    return {
        tenths: [
            sum(error(learnt(walk, WALKS, seed, tenths / 10, alpha)) for seed in range(SETS)) / SETS for alpha in ALPHAS
        ]
        for tenths in TENTHS
    }


def test_the_shape_of_suttons_figures(errors):
    """His figures 4 and 5: with the best alpha for each, the error after ten walks is small for lambda up to 0.3, and
    by far the largest for 1, which learns from the ends alone."""
    best = {tenths: min(with_alpha) for tenths, with_alpha in errors.items()}
    assert max(best[0], best[3]) < best[8] < best[10]
    assert 1.5 * best[3] < best[10]


def test_the_picture_of_the_docs(errors):
    """``ZERMELO_TEST_WRITE=1`` in the environment writes it anew, to be looked at before it is committed."""
    curves = [
        NamedCurve(name, tuple((tenths, Fraction(of(errors[tenths]))) for tenths in TENTHS))
        for name, of in (("best alpha", min), (f"alpha {ALPHAS[0]}", lambda row: row[0]))
    ]
    remark = f"After {WALKS} walks, the mean of {SETS} times. Sutton (1988), figures 4 and 5."
    title, scale = "A random walk of five squares: error by λ", "root mean square error"
    drawn = svg(curves_picture(DrawnCurves(title, "tenths of λ", scale, False, tuple(curves), (remark,), False)))
    if os.environ.get("ZERMELO_TEST_WRITE"):
        PICTURE.write_text(drawn, encoding="utf-8")
    assert drawn == PICTURE.read_text(encoding="utf-8")
