"""Learning what positions are worth from one's own plays, by TD(lambda).

What it computes: the weights of an estimate that is a weighted sum of features, for two players and constant sum, with
chance or without. Sutton, "Learning to predict by the methods of temporal differences", Machine Learning 3 (1988), has
the rule; Tesauro, "Practical issues in temporal difference learning", Machine Learning 8 (1992), lets a program learn
so from plays against itself.

An estimate V(s) = w . x(s), for features x, says what the first player will get. Both players choose by it, one move
ahead: the first one the move behind which it is greatest, the second one the least; of equals one at random. It is
asked of *afterstates*, positions right after a move, as in a search of depth 1: what chance draws later is part of what
they are worth, and nobody has to know its probabilities. Where the file calls such a position ``unsettled`` and the
same player goes on, as with the second die in backgammon, players look on to the end of the turn, and the afterstate is
there. From each afterstate s to the next, s',

    delta = V(s') - V(s),        w := w + alpha delta e,        e := lambda e + x(s'),

where V(s') is what the play pays if it has ended. The *traces* e say how far each weight has a part in the estimates of
the play so far: with lambda = 1 every estimate moves towards what the play pays in the end, with lambda = 0 towards the
next one alone. Features may be large or small, so alpha is not the same for all of them: that of a feature is divided
by the greatest of its squares so far and by the number of features, so that with lambda = 0 a step takes away at most
the part alpha of a difference. And it becomes smaller with the number n of plays as (T / (T + n))^(3/4), with T =
``SETTLING``: slowly enough that learning goes on, and fast enough that the weights come to rest (Robbins and Monro 1951
ask for a sum without bound of which the squares have one; with the first power itself learning has all but ended long
before a network knows what it can know).

With ``HIDDEN`` units x are inputs of a network of one hidden layer, as in TD-Gammon. Its weights are w_ij from input i
to hidden unit j, and v_j from there to the output, with a constant v_0:

    h_j = f(sum_i w_ij x_i),    V = low + (high - low) (1 + f(v_0 + sum_j v_j h_j)) / 2,

where f is a sigmoid between -1 and 1, z is what it is taken of for the output, and the play pays between low and high.
In place of x stands the gradient of z then, which the chain rule gives (Rumelhart, Hinton and Williams 1986); alpha is
the same for all weights, and V counts as a number between 0 and 1. (The gradient of V itself, which Tesauro took, is
that times f'(z), which is nearly 0 where the network is sure of something, right or wrong: it would hardly learn any
more. Without that factor it comes down the slope of the cross-entropy of V and what it should be, if f is the logistic
function.) f(x) = 1 - 1 / (1 + x + x^2) for x >= 0 and f(-x) = -f(x) is taken for the sake of whole numbers
(:mod:`zermelo.interpreter.model.networks`); its derivative is (1 + 2 |x|) / (1 + |x| + x^2)^2.

A network may see positions as either player does (:mod:`zermelo.interpreter.symmetries.perspective`). What it says
counts for that player, and a trace for the first one: so the gradient counts negatively where the second one looks.

Where every play is like another, nothing would be learnt of other ones: so players make a move at random in
``EXPLORED`` of 2^16 decisions. Such a move says nothing about what the position before is worth, and traces begin anew
behind it.

All numbers are floating-point numbers of 64 bits, and all operations are those that IEEE 754 rounds correctly, in the
order of this text: the same seed gives the same weights on every machine.

Cost: for each legal move of a play its features, and a sum over those that are not 0, with a row of the network for
each; where turns are looked through, for each position at the end of one, once a turn: the best line is remembered, and
what goes on with it is not looked for again, unless equals may be drawn anew on the way. Invariant: after each play the
weights depend on those before it, the seed, and the number of the play, and on nothing else.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    KEY,
    MOVES,
    PAST,
    STATE,
    TERMS,
    Context,
    Random,
    State,
    actor,
    apply,
    copy,
    drawn,
    features,
    hole,
    ints,
    moves,
    outcomes,
    pack,
    payoff,
    sqrt,
)
from zermelo.solvers.kernels.states import drawn_by, is_same

HIDDEN: int
EXPLORED: int
SETTLING: int

OF = 1 << 16
NO_BOUND = 1e300
LOOKED = 1 << 13


@hole
def is_unsettled(rules: Context, state: State) -> int:
    """Whether the file says that much is about to change."""


class Step:
    """A position of a turn that is looked at, its moves, how many of them have been tried, and the most that the turn
    can be worth to the player."""

    state: State
    legal: ints[MOVES]
    count: int
    tried: int
    most: float


class Seen:
    """The key of a position that a turn has come to."""

    key: ints[KEY]


class Learner:
    """Plays from ``root`` on, and what is learnt: the ``weight`` of each feature; or of a network the w_ij, input by
    input, then v_1, v_2, ... and v_0. ``hidden`` are the h_j of the network asked last, ``sums`` what f is taken of;
    ``low`` and ``high`` are what plays pay. ``over`` are the denominators of features, and ``unit`` that of payoffs;
    ``largest`` are the greatest squares of features. Of the present play: the state, the positions of a ``turn`` that
    are looked at, the keys of those that it has ``met`` at its end, the ``line`` of moves ``intended`` for the turn, of
    which so many have been ``followed``, the moves and draws ``made``, whether there is an afterstate ``before`` since
    which traces are kept, and its features. Of the state at hand those features that are ``present``, which are not 0:
    their ``places`` among all, and how large they are ``now``. Then the number of plays, and the number and the sum of
    squares of all differences. The weights at work begin with the ``first``: those of several estimates may stand side
    by side."""

    rules: Context
    root: State
    state: State
    turn: list[Step]
    seen: list[Seen]
    key: ints[KEY]
    met: int
    legal: ints[MOVES]
    weights: ints[MOVES]
    terms: ints[TERMS]
    line: list[int]
    made: list[int]
    over: list[float]
    largest: list[float]
    weight: list[float]
    trace: list[float]
    is_traced: list[int]
    places: list[int]
    above: list[float]
    below: list[float]
    hidden: list[float]
    sums: list[float]
    before: list[float]
    now: list[float]
    random: Random
    alpha: float
    decay: float
    unit: float
    low: float
    high: float
    total: float
    has_before: bool
    viewer: int
    viewer_before: int
    worth_before: float
    length: int
    plays: int
    differences: int
    squares: float
    first: int
    present: int
    intended: int
    followed: int


def go_on(learner: Learner, end: int, budget: int) -> int:
    """Play and learn until so many plays have been made, or so many moves of them."""
    left: int = budget
    while left > 0 and learner.plays < end:
        play(learner)
        if learner.rules[0] != 0:
            return 0
        learner.plays += 1
        left -= learner.length + 1
    return 0


def play(learner: Learner) -> None:
    """One play. One that is too long is given up, and nothing is learnt of how it would have ended."""
    copy(learner.state, learner.root, STATE)
    learner.length, learner.intended = 0, 0
    forget(learner)
    while actor(learner.state) != END and learner.length < len(learner.made) and learner.rules[0] == 0:
        if actor(learner.state) == CHANCE:
            draw(learner)
        else:
            choose(learner)


def draw(learner: Learner) -> None:
    """Chance draws. What it ends is worth what it pays; else nothing is known before somebody has moved."""
    count: int = outcomes(learner.rules, learner.state, learner.legal, learner.weights)
    if learner.rules[0] == 0:
        make(learner, learner.legal[drawn_by(learner.random, learner.weights, count)])
        if actor(learner.state) == END and learner.rules[0] == 0:
            learn(learner)


def choose(learner: Learner) -> None:
    """A player moves, and at the end of the turn the estimate of the afterstate before is brought nearer to that of
    this one."""
    player: int = actor(learner.state)
    root = learner.turn[0]
    copy(root.state, learner.state, STATE)
    enter(learner, root)
    if learner.rules[0] != 0:
        return
    is_explored: bool = root.count > 1 and EXPLORED > 0 and drawn(learner.random, OF) < EXPLORED
    move: int = 0
    if is_explored:
        move = root.legal[drawn(learner.random, root.count)]
        learner.intended = 0
        forget(learner)
    elif learner.followed < learner.intended:
        move = learner.line[learner.followed]
        learner.followed += 1
    else:
        move = root.legal[best(learner)]
    if learner.rules[0] != 0:
        return
    make(learner, move)
    if learner.rules[0] == 0 and not is_amid(learner.rules, learner.state, player):
        learn(learner)


def best(learner: Learner) -> int:
    """The place of the move of ``turn[0]`` behind which the estimate can be made best by the end of the turn, for the
    player to move. Where a turn may come to more than ``LOOKED`` positions, the first ones count. Where each end of the
    turn has been asked about once, by a network, which hardly says the same of two, the rest of the line is intended,
    too: a search from its next position would find it again."""
    player: int = actor(learner.state)
    sign: float = 1.0 if player == 0 else -1.0
    depth: int = 0
    found: int = 0
    equals: int = 0
    is_done: bool = learner.turn[0].count == 1
    is_clear: bool = HIDDEN > 0 and not PAST > 0
    top: float = -NO_BOUND
    learner.met = 0
    learner.intended, learner.followed = 0, 1
    looked: int = 0
    while not is_done and learner.rules[0] == 0:
        step = learner.turn[depth]
        is_known: bool = False
        worth: float = 0.0
        if step.tried < step.count and (depth == 0 or looked < LOOKED):
            looked += 1
            below = learner.turn[depth + 1]
            copy(below.state, step.state, STATE)
            apply(learner.rules, below.state, step.legal[step.tried])
            step.tried += 1
            if depth + 2 < len(learner.turn) and is_amid(learner.rules, below.state, player):
                if is_new(learner, below.state):
                    depth += 1
                    enter(learner, below)
            elif depth == 0 or is_new(learner, below.state):
                is_known = True
                worth = sign * worth_of(learner, below.state)
                is_clear = is_clear and actor(below.state) != END and depth + 2 < len(learner.turn)
                if worth > top:
                    top = worth
                    intend(learner, depth)
        elif depth == 0:
            is_done = True
        else:
            depth -= 1
            is_known = True
            worth = learner.turn[depth + 1].most
        if is_known:
            above = learner.turn[depth]
            if worth > above.most:
                above.most, equals = worth, 1
                if depth == 0:
                    found = above.tried - 1
            elif depth == 0 and worth == above.most:
                equals += 1
                if drawn(learner.random, equals) == 0:
                    found = above.tried - 1
    if learner.rules[0] != 0:
        tell_of_error(learner, depth)
    is_whole: bool = looked < LOOKED and learner.met < len(learner.seen)
    if not is_clear or not is_whole or learner.line[0] != learner.turn[0].legal[found]:
        learner.intended = 0
    return found


def intend(learner: Learner, depth: int) -> None:
    """The moves that have led to the position at hand are the best ones so far."""
    learner.intended = depth + 1
    for k in range(depth + 1):
        step = learner.turn[k]
        learner.line[k] = step.legal[step.tried - 1]


def enter(learner: Learner, step: Step) -> None:
    """Begin with a position of a turn."""
    step.count = moves(learner.rules, step.state, step.legal)
    step.tried, step.most = 0, -NO_BOUND


def is_amid(rules: Context, state: State, player: int) -> bool:
    """Whether a player goes on with a turn, so that a state is no afterstate."""
    return actor(state) == player and is_unsettled(rules, state) != 0


def is_new(learner: Learner, state: State) -> bool:
    """Whether the present turn has not come to this position before, as far as is known. An estimate says the same of
    it, and of all that the turn may lead to from there, however the turn came there; what an end pays may depend on the
    way."""
    if PAST > 0 or actor(state) == END:
        return True
    pack(state, learner.key)
    for k in range(learner.met):
        if is_same(learner.seen[k].key, learner.key):
            return False
    if learner.met < len(learner.seen):
        for k in range(KEY):
            learner.seen[learner.met].key[k] = learner.key[k]
        learner.met += 1
    return True


def tell_of_error(learner: Learner, depth: int) -> None:
    """The moves that have been looked at when the rules failed are moves of the play, which is told with the error."""
    for k in range(depth + 1):
        step = learner.turn[k]
        if step.tried > 0 and learner.length < len(learner.made):
            learner.made[learner.length] = step.legal[step.tried - 1]
            learner.length += 1


def make(learner: Learner, move: int) -> None:
    """Make a move of the play."""
    learner.made[learner.length] = move
    learner.length += 1
    apply(learner.rules, learner.state, move)


# ------------------------------------------------------------- the estimate


def worth_of(learner: Learner, state: State) -> float:
    """What a state is worth to the first player: at the end what it pays, before that the estimate, whose features are
    those of ``now``."""
    if actor(state) == END:
        return float(payoff(state, 0)) / learner.unit
    learner.viewer = features(learner.rules, state, 0, learner.terms)
    learner.present = find_present(learner.terms, learner.places)
    for k in range(learner.present):
        at: int = learner.places[k]
        learner.now[k] = float(learner.terms[at]) / learner.over[at]
    return for_first(learner, estimate_of(learner), learner.viewer)


def find_present(terms: ints[TERMS], places: list[int]) -> int:
    """Write down which features are not 0; their number. (A branch for each would be foretold wrongly too often.)"""
    found: int = 0
    for k in range(len(places)):
        places[found] = k
        found += terms[k] != 0
    return found


def for_first(learner: Learner, worth: float, player: int) -> float:
    """What the first player gets if a player gets so much."""
    return worth if player == 0 else learner.total - worth


def estimate_of(learner: Learner) -> float:
    """What the weights say of the position whose features are known."""
    if HIDDEN > 0:
        return network_of(learner)
    total: float = 0.0
    for k in range(learner.present):
        total += learner.weight[learner.first + learner.places[k]] * learner.now[k]
    return total


def network_of(learner: Learner) -> float:
    """What the network says."""
    base: int = learner.first
    for j in range(HIDDEN):
        learner.sums[j] = 0.0
    added: int = 0
    while added + 4 <= learner.present:
        add_rows(learner.sums, learner.weight, base, learner.places, learner.now, added)
        added += 4
    while added < learner.present:
        add_row(learner.sums, learner.weight, base + learner.places[added] * HIDDEN, learner.now[added])
        added += 1
    last: int = base + len(learner.before) * HIDDEN
    squash(learner.sums, learner.hidden)
    z: float = learner.weight[last + HIDDEN]
    for j in range(HIDDEN):
        z += learner.weight[last + j] * learner.hidden[j]
    return learner.low + (learner.high - learner.low) * (1.0 + squashed(z)) / 2.0


def squash(sums: list[float], squashes: list[float]) -> None:
    """f of each."""
    for j in range(HIDDEN):
        squashes[j] = squashed(sums[j])


def squashed(total: float) -> float:
    """f."""
    size: float = total if total >= 0.0 else -total
    value: float = 1.0 - 1.0 / (1.0 + size + size * size)
    return value if total >= 0.0 else -value


def slope_at(total: float) -> float:
    """f'."""
    size: float = total if total >= 0.0 else -total
    under: float = 1.0 + size + size * size
    return (1.0 + 2.0 * size) / (under * under)


def add_row(sums: list[float], weight: list[float], first: int, by: float) -> None:
    """Add what hidden units get from an input. (Lists of their own, not of a record, are vectors for the compiler.)"""
    for j in range(HIDDEN):
        sums[j] += by * weight[first + j]


def add_rows(
    sums: list[float], weight: list[float], base: int, places: list[int], inputs: list[float], at: int
) -> None:
    """The same of four inputs one after another, from one of those that are not 0 on."""
    a: int = base + places[at] * HIDDEN
    b: int = base + places[at + 1] * HIDDEN
    c: int = base + places[at + 2] * HIDDEN
    d: int = base + places[at + 3] * HIDDEN
    by_a: float = inputs[at]
    by_b: float = inputs[at + 1]
    by_c: float = inputs[at + 2]
    by_d: float = inputs[at + 3]
    for j in range(HIDDEN):
        two: float = sums[j] + by_a * weight[a + j] + by_b * weight[b + j]
        sums[j] = two + by_c * weight[c + j] + by_d * weight[d + j]


def differentiate(learner: Learner) -> None:
    """The gradient at ``before`` by the weights of the network, which has been asked there last, in parts: ``above`` by
    the weights to the output, ``below`` by what hidden units get."""
    last: int = len(learner.before) * HIDDEN
    for j in range(HIDDEN):
        learner.above[j] = learner.hidden[j]
        learner.below[j] = slope_at(learner.sums[j]) * learner.weight[last + j]


# --------------------------------------------------- temporal differences


def forget(learner: Learner) -> None:
    """Traces begin anew."""
    learner.has_before = False
    for k in range(len(learner.trace)):
        learner.trace[k] = 0.0
    for k in range(len(learner.is_traced)):
        learner.is_traced[k] = 0


def learn(learner: Learner) -> None:
    """Learn from coming to the present state, after a move or at the end."""
    worth: float = worth_of(learner, learner.state)
    if learner.rules[0] != 0:
        return
    if learner.has_before:
        difference: float = worth - for_first(learner, learner.worth_before, learner.viewer_before)
        improve(learner, difference)
        learner.differences += 1
        learner.squares += difference * difference
    if actor(learner.state) != END:
        learner.has_before = True
        learner.viewer_before = learner.viewer
        for k in range(len(learner.before)):
            learner.before[k] = 0.0
        for k in range(learner.present):
            at: int = learner.places[k]
            learner.largest[at] = max(learner.largest[at], learner.now[k] * learner.now[k])
            learner.before[at] = learner.now[k]
        learner.worth_before = estimate_of(learner)
        if HIDDEN > 0:
            differentiate(learner)


def improve(learner: Learner, difference: float) -> None:
    """Let traces fade, add the gradient at the state before, and change the weights by a difference."""
    root: float = sqrt(float(SETTLING) / float(SETTLING + learner.plays))
    alpha: float = learner.alpha * root * sqrt(root)
    sign: float = 1.0 if learner.viewer_before == 0 else -1.0
    if HIDDEN > 0:
        step: float = alpha * difference / (learner.high - learner.low)
        last: int = len(learner.before) * HIDDEN
        for i in range(len(learner.before)):
            if learner.before[i] != 0.0:
                learner.is_traced[i] = 1
            if learner.is_traced[i] != 0:
                by: float = sign * learner.before[i]
                improve_row(learner, i * HIDDEN, learner.below, by, step)
        improve_row(learner, last, learner.above, sign, step)
        learner.trace[last + HIDDEN] = learner.decay * learner.trace[last + HIDDEN] + sign
        learner.weight[last + HIDDEN] += step * learner.trace[last + HIDDEN]
    else:
        part: float = alpha * difference / float(len(learner.weight))
        for k in range(len(learner.weight)):
            learner.trace[k] = learner.decay * learner.trace[k] + sign * learner.before[k]
            if learner.largest[k] > 0.0:
                learner.weight[k] += part * learner.trace[k] / learner.largest[k]


def improve_row(learner: Learner, first: int, gradient: list[float], by: float, step: float) -> None:
    """The same for a row of weights, whose gradient is so many times another one."""
    weight = learner.weight
    trace = learner.trace
    decay: float = learner.decay
    for j in range(HIDDEN):
        faded: float = decay * trace[first + j] + by * gradient[j]
        trace[first + j] = faded
        weight[first + j] += step * faded
