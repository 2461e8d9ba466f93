"""The look-ahead of a program that learns: alpha-beta to a depth, by weights that change from one move to the next.

What it computes: for a position, weights and a number of plies the value of minimax to that depth, where a position at
the horizon is worth the weighted sum of its features; and the first of the moves that bring it. Source: Samuel, "Some
studies in machine learning using the game of checkers", IBM Journal 3 (1959); Knuth and Moore, "An analysis of
alpha-beta pruning", Artificial Intelligence 6 (1975). A position that the file calls ``unsettled`` is no horizon, up to
``OVERTIME`` plies further: so Samuel's program went on while pieces could be captured. If it ``KEEPS`` scores of
positions (:mod:`.memory`), one at the horizon is worth its score, and values fade as they are backed up (:mod:`.rote`).

It is a loop over frames instead of a recursive function, so that a kernel may search between the moves of a play, and
be suspended. Each frame is a position on the path. Values are floating-point numbers, the first player's, who
maximizes.

Cost: O(b^m) at worst, memory O(b m). Invariant (:mod:`.alphabeta`): what comes back to a frame is a value if it lies in
the frame's window, and else a bound on the same side.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    MOVES,
    STATE,
    TERMS,
    Context,
    State,
    actor,
    apply,
    copy,
    earned,
    features,
    hole,
    ints,
    moves,
    payoff,
)
from zermelo.solvers.kernels.memory import NOWHERE, Memory, recall

KEEPS: int
OVERTIME: int

NO_BOUND = 1e300


@hole
def is_unsettled(rules: Context, state: State) -> int:
    """Whether the file says that much is about to change."""


class Frame:
    """A position on the path, its moves, how many of them have been tried, the window, and the best value so far; and
    the ``reach`` of the line from which that comes: how many plies it is away, with those behind a kept score."""

    state: State
    legal: ints[MOVES]
    count: int
    tried: int
    alpha: float
    beta: float
    best: float
    reach: int


class Lookahead:
    """A search, and what it asks: the ``weight`` of each feature, for one set of weights after the other; ``over`` are
    the denominators of features, and ``unit`` that of payoffs. ``now`` are the features of the position asked about
    last, and ``largest`` the greatest sizes that they have had. Of the search at work: the place of its ``weights``,
    how many ``plies`` deep it is to be, the ``depth`` of the present frame, whether it is done, and the ``place`` of
    the best move so far among those of the root. If it keeps scores: its ``memory``, what is left after so many plies
    of a difference to ``half``, an even play, ``fading``, and the depth ``behind`` the position asked about last."""

    frames: list[Frame]
    terms: ints[TERMS]
    over: list[float]
    weight: list[float]
    now: list[float]
    largest: list[float]
    unit: float
    memory: Memory
    fading: list[float]
    half: float
    behind: int
    weights: int
    plies: int
    depth: int
    is_done: bool
    place: int


def set_out(rules: Context, look: Lookahead, root: State, weights: int, plies: int) -> None:
    """Begin to search a position that is no end, so many plies deep, at least one, by the weights from this place
    on."""
    copy(look.frames[0].state, root, STATE)
    look.weights, look.plies, look.depth, look.is_done = weights, plies, 0, False
    enter(rules, look.frames[0], -NO_BOUND, NO_BOUND)


def search_on(rules: Context, look: Lookahead, budget: int) -> int:
    """Go on for so many nodes, or until the search is done; how many are left. ``place`` then is that of the best move,
    and the first frame has the value."""
    left: int = budget
    while left > 0 and not look.is_done and rules[0] == 0:
        frame = look.frames[look.depth]
        if frame.tried < frame.count and frame.alpha < frame.beta:
            below = look.frames[look.depth + 1]
            copy(below.state, frame.state, STATE)
            apply(rules, below.state, frame.legal[frame.tried])
            frame.tried += 1
            left -= 1
            if goes_on(rules, below.state, look.plies - look.depth - 1):
                look.depth += 1
                enter(rules, below, frame.alpha, frame.beta)
            else:
                value: float = worth_at_horizon(rules, look, below.state)
                back_up(look, value, look.depth + 1 + look.behind)
        elif look.depth == 0:
            look.is_done = True
        else:
            look.depth -= 1
            back_up(look, look.frames[look.depth + 1].best, look.frames[look.depth + 1].reach)
    return left


def enter(rules: Context, frame: Frame, alpha: float, beta: float) -> None:
    """Begin with a position."""
    frame.count = moves(rules, frame.state, frame.legal)
    frame.tried, frame.alpha, frame.beta = 0, alpha, beta
    frame.best = -NO_BOUND if actor(frame.state) == 0 else NO_BOUND


def goes_on(rules: Context, state: State, plies: int) -> bool:
    """Whether a search goes on from a position, with so many plies left."""
    if actor(state) == END:
        return False
    return plies > 0 or (plies > -OVERTIME and is_unsettled(rules, state) != 0)


def back_up(look: Lookahead, value: float, reach: int) -> None:
    """The move tried last leads to this value, by a line that reaches so many plies from the root."""
    frame = look.frames[look.depth]
    if actor(frame.state) == 0:
        if value > frame.best:
            frame.best, frame.reach = value, reach
            if look.depth == 0:
                look.place = frame.tried - 1
        if frame.best > frame.alpha:
            frame.alpha = frame.best
    else:
        if value < frame.best:
            frame.best, frame.reach = value, reach
            if look.depth == 0:
                look.place = frame.tried - 1
        if frame.best < frame.beta:
            frame.beta = frame.best


def worth_at_horizon(rules: Context, look: Lookahead, state: State) -> float:
    """What the position after a move is worth where the search does not go on."""
    look.behind = 0
    if KEEPS == 0:
        return worth_of(rules, look, state, look.weights)
    row: int = NOWHERE if actor(state) == END else recall(look.memory, state)
    value: float = 0.0
    if row == NOWHERE:
        value = worth_of(rules, look, state, look.weights)
    else:
        look.behind = look.memory.depths[row]
        value = look.memory.scores[row] + float(earned(state, 0)) / look.unit
    return look.half + (value - look.half) * look.fading[look.depth + 1]


def worth_of(rules: Context, look: Lookahead, state: State, weights: int) -> float:
    """What a position is worth without looking ahead: at an end what it pays, else the weighted sum of its features."""
    if actor(state) == END:
        return float(payoff(state, 0)) / look.unit
    features(rules, state, 0, look.terms)
    total: float = 0.0
    for k in range(len(look.now)):
        look.now[k] = float(look.terms[k]) / look.over[k]
        total += look.weight[weights + k] * look.now[k]
    return total


def measure(look: Lookahead) -> None:
    """Keep in mind how large the features of the position asked about last are."""
    for k in range(len(look.now)):
        size: float = look.now[k] if look.now[k] >= 0.0 else -look.now[k]
        if size > look.largest[k]:
            look.largest[k] = size


def path_to_error(look: Lookahead, made: list[int], length: int) -> int:
    """Add the moves from the root to where a rule went wrong to those ``made``; how many there are then."""
    count: int = length
    for k in range(look.depth + 1):
        if look.frames[k].tried > 0 and count < len(made):
            made[count] = look.frames[k].legal[look.frames[k].tried - 1]
            count += 1
    return count
