"""Samuel's learning by generalization: the terms of an estimate and their weights, from plays of Alpha against Beta.

Source: A. L. Samuel, "Some studies in machine learning using the game of checkers", IBM Journal 3 (1959), the part on
"learning procedure involving generalizations". Two players, no chance, no secrets.

An estimate is a weighted sum of features. The first feature of the file keeps its weight: Samuel's *piece advantage*,
the sense of direction, without which a program could learn to want anything. Of the others ``TERMS`` are *terms* at a
time; the rest waits in the *reserve*. Alpha and Beta both look ahead by weights of their own (:mod:`.self_play`), and
Alpha learns.

*The difference.* Before each move of Alpha's,

    delta = (the value that the search backs up to the position) - (what the position seems to be worth at once).

The search knows more, so delta is taken for an error of the estimate; nobody has to know how the play ends. One that is
smaller than ``least`` says nothing, nor does one of an unsettled position, which estimates are not for.

*Correlation.* If a term x and delta have the same sign, the term should have counted more, else less. So each term
keeps how well these signs agree, from -1 to 1, over the N times that it was not 0:

    C := C - (C - s) / N,        s = 1 if the signs agree, else -1.

For N stands 16 as long as N < 32, then 32, 64 and so on, and 2048 from there on: a new term is not thrown about by the
first few differences, and an old one forgets.

*Weights.* The term with the greatest |C| has the greatest weight. If that |C| is n times as large as another one's,
rounded down, the other's weight is 2^(n - 1) times smaller. A weight has the sign of C.

*Exchange.* With each difference the term with the least |C| gets a mark. The term that gets its ``MARKS``-th one goes
to the end of the reserve, and the first one there takes its place. Samuel had 16 terms, 22 in reserve, and 32 marks.

*Alpha and Beta.* When Alpha wins, Beta takes over its weights. When Alpha has lost ``LOSSES`` times since, it is taken
to be on a wrong track, and jolted: its leading term counts for nothing, and has to begin again.

Four things are not Samuel's. For N he took 256 at most: then one run learns this and the next one that, since such a
correlation varies by 0.04 by chance alone. His terms were all of about one size, and their greatest weight was set by
hand; here that is such that the leading term, where it is as large as it has ever been, counts ``lead``, and the
weights of others are by their sizes, too. The least difference that counts was the mean of the weights of his terms;
here it is half of what the first feature counts, half a man. With smaller ones the terms chase each other: a search is
one move further, so it finds a little more of whatever a move brings most surely, such as men that are further ahead,
good or bad. And his machine played from the beginning on, while here a part of the moves are made at random.

All numbers are floating-point numbers of 64 bits, and all operations are those that IEEE 754 rounds correctly, in the
order of this text: the same seed gives the same weights on every machine.

Cost: a search for each move. Invariant: after each play all that is known depends on the seed and the number of the
play, and on nothing else.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context
from zermelo.solvers.kernels.lookahead import Lookahead
from zermelo.solvers.kernels.self_play import Play, begin_play, gain_of_alpha, is_alpha, is_over, move_on, think

TERMS_USED: int
MARKS: int
LOSSES: int

LEAST_USES = 16
MOST_USES = 2048
MOST_HALVINGS = 30


class Learner:
    """Plays, and what is learnt. Alpha's weights are the first ones of the look-ahead, then come Beta's. ``lead`` and
    ``least`` are as above. Of each feature: the correlation of its sign with the differences, its ``uses``, its marks,
    and how often it has been ``exchanged``. ``order`` has the numbers of all features but the first one, first the
    terms, then the reserve. Then the losses of Alpha since Beta took over or Alpha was jolted, and how often each of
    the two has won."""

    rules: Context
    look: Lookahead
    play: Play
    lead: float
    least: float
    correlation: list[float]
    uses: list[int]
    marks: list[int]
    exchanged: list[int]
    order: list[int]
    losses: int
    wins: int
    defeats: int


def go_on(learner: Learner, end: int, budget: int) -> int:
    """Play and learn until so many plays have been made, or for so many nodes."""
    left: int = budget
    while left > 0 and learner.play.number < end and learner.rules[0] == 0:
        if is_over(learner.play):
            compare(learner)
            learner.play.number += 1
            begin_play(learner.play)
        else:
            left = think(learner.rules, learner.look, learner.play, left)
            if not learner.play.is_looking and learner.rules[0] == 0:
                if is_alpha(learner.play):
                    learn(learner)
                move_on(learner.rules, learner.look, learner.play)
    return 0


def begin_learning(learner: Learner) -> None:
    """Begin the first play."""
    begin_play(learner.play)


# ---------------------------------------------------------- the difference


def learn(learner: Learner) -> None:
    """Learn from the difference between what a position has seemed to be worth and what looking ahead has found."""
    if learner.play.tells:
        if abs_of(learner.play.delta) >= learner.least:
            correlate(learner, learner.play.delta)
            exchange(learner)
        weigh(learner)


def correlate(learner: Learner, delta: float) -> None:
    """Count for each term that is not 0 whether its sign agrees with that of the difference."""
    for k in range(TERMS_USED):
        term: int = learner.order[k]
        value: float = learner.play.before[term]
        if value != 0.0:
            learner.uses[term] += 1
            sign: float = 1.0 if (value > 0.0) == (delta > 0.0) else -1.0
            learner.correlation[term] -= (learner.correlation[term] - sign) / float(weight_of_past(learner.uses[term]))


def weight_of_past(uses: int) -> int:
    """What stands for the number of uses of a term: the power of 2 up to it, but 16 at least and 256 at most."""
    found: int = LEAST_USES
    while found < MOST_USES and 2 * found <= uses:
        found = 2 * found
    return found


# ------------------------------------------------------- terms and weights


def exchange(learner: Learner) -> None:
    """Mark the term of least correlation, and exchange it if it has enough marks."""
    least: int = 0
    for k in range(TERMS_USED):
        if abs_of(learner.correlation[learner.order[k]]) < abs_of(learner.correlation[learner.order[least]]):
            least = k
    term: int = learner.order[least]
    learner.marks[term] += 1
    if learner.marks[term] >= MARKS and len(learner.order) > TERMS_USED:
        forget(learner, term)
        learner.exchanged[term] += 1
        learner.order[least] = learner.order[TERMS_USED]
        for k in range(TERMS_USED, len(learner.order) - 1):
            learner.order[k] = learner.order[k + 1]
        learner.order[len(learner.order) - 1] = term


def forget(learner: Learner, term: int) -> None:
    """A term counts for nothing, and has to begin again."""
    learner.correlation[term] = 0.0
    learner.uses[term], learner.marks[term] = 0, 0
    learner.look.weight[term] = 0.0


def weigh(learner: Learner) -> None:
    """Alpha's weights follow from the correlations."""
    most: float = abs_of(learner.correlation[leading(learner)])
    for k in range(TERMS_USED):
        term: int = learner.order[k]
        found: float = learner.correlation[term]
        learner.look.weight[term] = 0.0
        if found != 0.0 and learner.look.largest[term] > 0.0:
            size: float = learner.lead * halved(most / abs_of(found)) / learner.look.largest[term]
            learner.look.weight[term] = size if found > 0.0 else -size


def leading(learner: Learner) -> int:
    """The term of greatest correlation."""
    found: int = learner.order[0]
    for k in range(TERMS_USED):
        if abs_of(learner.correlation[learner.order[k]]) > abs_of(learner.correlation[found]):
            found = learner.order[k]
    return found


def halved(ratio: float) -> float:
    """2^(1 - n) for a ratio of n or more, but less than n + 1."""
    part: float = 1.0
    whole: int = 1
    while whole < MOST_HALVINGS and float(whole + 1) <= ratio:
        part = part / 2.0
        whole += 1
    return part


def abs_of(number: float) -> float:
    """The size of a number."""
    return number if number >= 0.0 else -number


# ---------------------------------------------------------- Alpha and Beta


def compare(learner: Learner) -> None:
    """A play is over: Beta takes over weights that have won; those that keep losing are jolted."""
    gain: float = gain_of_alpha(learner.look, learner.play)
    if gain > 0.0:
        learner.wins += 1
        learner.losses = 0
        for k in range(len(learner.look.now)):
            learner.look.weight[len(learner.look.now) + k] = learner.look.weight[k]
    elif gain < 0.0:
        learner.defeats += 1
        learner.losses += 1
        if learner.losses >= LOSSES:
            learner.losses = 0
            forget(learner, leading(learner))
