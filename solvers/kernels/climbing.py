"""Hill climbing by matches: weights that win more, by SPSA.

Source: J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation",
IEEE Transactions on Automatic Control 37 (1992); for the numbers below, "Implementation of the simultaneous
perturbation algorithm for stochastic optimization", IEEE Transactions on Aerospace and Electronic Systems 34 (1998).

Two plays tell which way is up, however many weights there are. All weights w are disturbed at once, each by the same
amount up or down at random, d = 1 or -1; Alpha has w + c d and Beta w - c d, and they play twice, each once as the
first player (:mod:`.self_play`). If Alpha gets the part g of all that can be won, from -1 to 1, then

    w := w + a g d / (2 c),        c = ``reach`` / (k + 1)^(1/8),        a = A / (k + 1 + ``SETTLED``)^(5/8)

after k pairs of plays, where A is such that the first step is at most a twentieth of the first disturbance. (Spall
advises the exponents 0.101 and 0.602; these are near, fulfil his conditions too, and are square roots of square roots,
which all machines compute alike.) Features have different sizes, so a weight counts by what its feature brings where it
is as large as it has ever been.

Nothing is said of single positions: this knows less than any other method, and is what they have to be better than.

Cost: a search for each move. Invariant: after each play all that is known depends on the seed and the number of the
play, and on nothing else.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, drawn, sqrt
from zermelo.solvers.kernels.lookahead import Lookahead
from zermelo.solvers.kernels.self_play import Play, begin_play, gain_of_alpha, is_over, move_on, think

SETTLED = 100


class Climber:
    """Plays, and what is learnt: the ``centre`` w, the ``signs`` d, and what Alpha has gained in the present pair of
    plays, as a part of ``most``."""

    rules: Context
    look: Lookahead
    play: Play
    centre: list[float]
    signs: list[float]
    gain: float
    most: float
    reach: float


def climb(climber: Climber, end: int, budget: int) -> int:
    """Play and climb until so many plays have been made, or for so many nodes."""
    left: int = budget
    while left > 0 and climber.play.number < end and climber.rules[0] == 0:
        if is_over(climber.play):
            climber.gain += gain_of_alpha(climber.look, climber.play) / (2.0 * climber.most)
            climber.play.number += 1
            if climber.play.number & 1 == 0:
                step(climber)
                toss(climber)
            disturb(climber)
            begin_play(climber.play)
        else:
            left = think(climber.rules, climber.look, climber.play, left)
            if not climber.play.is_looking and climber.rules[0] == 0:
                move_on(climber.rules, climber.look, climber.play)
    return 0


def begin_climbing(climber: Climber) -> None:
    """Begin, or go on from what is known, with the next play."""
    if climber.play.number == 0:
        toss(climber)
    disturb(climber)
    begin_play(climber.play)


def toss(climber: Climber) -> None:
    """Which weights are disturbed upwards."""
    for k in range(len(climber.signs)):
        climber.signs[k] = 1.0 if drawn(climber.play.random, 2) == 0 else -1.0


def disturb(climber: Climber) -> None:
    """Alpha gets weights on one side of the centre, and Beta on the other."""
    for k in range(len(climber.centre)):
        part: float = reach_of(climber, climber.play.number >> 1) * climber.signs[k] / size_of(climber, k)
        climber.look.weight[k] = climber.centre[k] + part
        climber.look.weight[len(climber.centre) + k] = climber.centre[k] - part


def step(climber: Climber) -> None:
    """A pair of plays is over: go towards the side that has won."""
    pairs: int = (climber.play.number >> 1) - 1
    first: float = climber.reach * climber.reach * power_of(1 + SETTLED) / 10.0
    rate: float = first / power_of(pairs + 1 + SETTLED)
    for k in range(len(climber.centre)):
        slope: float = climber.gain * climber.signs[k] / (2.0 * reach_of(climber, pairs))
        climber.centre[k] += rate * slope / size_of(climber, k)
    climber.gain = 0.0


def reach_of(climber: Climber, pairs: int) -> float:
    """c."""
    return climber.reach / sqrt(sqrt(sqrt(float(pairs + 1))))


def power_of(count: int) -> float:
    """A number to the power 5/8."""
    root: float = sqrt(float(count))
    return root * sqrt(sqrt(root))


def size_of(climber: Climber, feature: int) -> float:
    """How large a feature is at most, as far as is known."""
    return climber.look.largest[feature] if climber.look.largest[feature] > 0.0 else 1.0
