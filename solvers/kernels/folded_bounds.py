"""Certified bounds of kept positions (:mod:`zermelo.solvers.kernels.folded_graph`), in floating point.

As in interval iteration (:mod:`zermelo.solvers.kernels.interval_iteration`) a bound is whatever passes a check, first
from above, and then from above in the negative of the game. *Ours* want less, all others are *free*.

**The lemma** is that of :mod:`zermelo.solvers.kernels.certificates`, with turns in the place of edges. Let u(p) be a
number for every kept position, at least what it pays at an end, and let

1. ``u(p)`` be at least the mean, over the outcomes of chance, of the least u in the list where ours decide in the turn,
   and of the largest u where they do not;
2. no play go on for ever, but with probability 0, whatever the players do.

Then u(p) is at least what p is worth, and ours can promise it: by bringing each turn to the least u of its list. For
along the kept positions of a play in which they do, u is a supermartingale, whatever the others do, and it takes
finitely many values; the play ends, and u is then at least what is paid. So the mean of that is u(p) at most. (This is
optimistic value iteration: Hartmanns and Kaminski 2020. Nothing is asked about where u comes from.)

**Condition 2** is shown first (*pruning*). A position *stays* if every outcome has a kept position in its list that
stays; take the largest set of positions that all stay. If it is empty, then from each position some outcomes of chance
lead to an end, in no more turns than there are positions, whatever the players do. So the play ends with probability 1.
If it is not, nothing is proved: ``MAY_STAY``. (Players who all wished to might go on for ever there.)

**Looking for numbers.** One step is the right side of 1, with the *doubt* of the sum and a *slack* on top. Sweeps over
all positions, the last ones first, make this step in each (Gauss and Seidel). A full sweep looks at all entries of all
lists and remembers the best of each; in between, sweeps *evaluate*: they keep to the best, and look at one entry of
each list (modified policy iteration: Puterman and Shin 1978). That two players keep to what was best at once may go
wrong; so this is done a number of times only, and full sweeps alone come nearer in any case. If a full sweep changes
nothing by more than a quarter of the slack, 1 holds with room to spare for rounding, and is checked. If the check fails
the slack is enlarged, some times. So a bound is above the value by about the slack times the number of turns of a play.

**Rounding.** The drift, the sum of ``w (x - u(p))`` over the outcomes, is reckoned as for
:func:`~zermelo.solvers.kernels.certificates.drift`, where the error is shown to be no more than its doubt. The x are
values as they are, without rounding.

Cost: a full sweep reads every entry, and for each the value of a position anywhere; one that evaluates, an entry for
each list.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import half
from zermelo.solvers.kernels.position_arrays import EPSILON, PAYS, magnitude

PRUNE = 0
IMPROVE = 1
EVALUATE = 2
CHECK = 3
DONE = 4
MAY_STAY = 5
UNPROVED = 6
"""What the sweep at hand does, or why there is none."""

ROUNDS = 48
"""After so many full sweeps there are no others."""

CALM = 2.0**-8
"""Sweeps evaluate until they change this share of what the full sweep has changed."""

EVALUATIONS = 96
"""The most sweeps that evaluate between two full ones."""

TRIES = 5
"""How often the slack is enlarged."""


class Folded:
    """The arrays of a folded graph; ``count`` are the positions, ``lists`` and the lists."""

    kinds: list[half]
    firsts: list[int]
    draws: list[half]
    weights: list[half]
    targets: list[half]
    count: int
    lists: int


class Bound:
    """An upper bound for every position in the game or its negative; ``frees[p]`` is 1 if player p is free."""

    values: list[float]
    frees: list[int]


class Sum:
    """What the outcomes of a position say: the sum of ``w (x - u(p))``, by how much it may be too small, and the
    weights of outcomes that lead elsewhere. Of the list looked at last: the value that is best for its player, and
    where it is."""

    sum: float
    doubt: float
    weight: float
    best: float
    where: int


class Sweeping:
    """The state of the sweeps. The one at hand has still to go to ``left`` positions, which have the first ``lists``
    lists. ``chosen`` is the best position of each list, ``stays[p]`` 1 for a position that has not been pruned.
    ``is_lower`` is 1 for the negative of the game. The sweep has changed no more than ``change``, the last full one
    ``full``; ``rounds`` full ones have been made and ``sweeps`` since, ``total`` in all. The present one has
    ``removed`` so many positions, or refused them in a check, and left ``staying``."""

    graph: Folded
    upper: Bound
    lower: Bound
    found: Sum
    chosen: list[half]
    stays: list[half]
    stage: int
    is_lower: int
    left: int
    lists: int
    removed: int
    staying: int
    rounds: int
    sweeps: int
    total: int
    tries: int
    change: float
    full: float
    slack: float
    width: float


def go_on(work: Sweeping, budget: int) -> int:
    """Go to about so many lists more; the stage reached."""
    left: int = budget
    while left > 0 and work.stage < DONE:
        if work.left == 0:
            end_sweep(work)
        else:
            work.left -= 1
            left -= visit(work, work.left)
    return work.stage


def visit(work: Sweeping, place: int) -> int:
    """Do in a position what the sweep does; the number of its lists, 1 at an end."""
    graph = work.graph
    if work.stage == PRUNE:
        position: int = place if work.sweeps % 2 == 0 else graph.count - 1 - place
        if work.stays[position] != 0:
            prune(work, position)
            return graph.weights[graph.draws[position]]
        return 1
    if graph.kinds[place] <= PAYS:
        return 1
    outcomes: int = graph.weights[graph.draws[place]]
    work.lists -= outcomes
    if work.is_lower != 0:
        step(work, work.lower, place)
    else:
        step(work, work.upper, place)
    return outcomes


def turn_to(work: Sweeping, stage: int) -> None:
    """Begin a sweep of a stage."""
    work.stage = stage
    work.left, work.lists = work.graph.count, work.graph.lists
    work.change = 0.0


# ------------------------------------------------------------------ pruning


def start(work: Sweeping) -> None:
    """Begin: all positions stay but ends."""
    for position in range(work.graph.count):
        work.stays[position] = work.graph.kinds[position] > PAYS
    turn_to(work, PRUNE)


def prune(work: Sweeping, position: int) -> None:
    """Remove a position if one of its lists has none that stays."""
    graph = work.graph
    entry: int = graph.firsts[position]
    while entry < graph.firsts[position + 1]:
        stays: int = work.stays[(-1 - graph.targets[entry]) >> 1]
        entry += 1
        while graph.targets[entry] >= 0:
            if stays == 0:
                stays = work.stays[graph.targets[entry]]
            entry += 1
        if stays == 0:
            work.stays[position] = 0
            work.removed += 1
            return
    work.staying += 1


# ------------------------------------------------------------------- sweeps


def step(work: Sweeping, bound: Bound, position: int) -> None:
    """Improve or evaluate a position, or check it."""
    found = work.found
    if work.stage == EVALUATE:
        follow(work, bound, position)
    else:
        add_up(work, bound, position)
    if work.stage == CHECK:
        work.removed += found.sum > -found.doubt
        return
    more: float = work.slack
    if found.weight > 0.0:
        more += (found.sum + 2.0 * found.doubt) / found.weight
    bound.values[position] += more
    work.change = max(work.change, magnitude(more))


def add_up(work: Sweeping, bound: Bound, position: int) -> None:
    """Sum up the outcomes of a position, and choose in each of its lists."""
    graph = work.graph
    found = work.found
    value: float = bound.values[position]
    entry: int = graph.firsts[position]
    draws: int = graph.draws[position]
    outcomes: int = graph.weights[draws]
    total: float = 0.0
    size: float = 0.0
    weight: float = 0.0
    for k in range(outcomes):
        entry = look(work, bound, entry)
        work.chosen[work.lists + k] = found.where
        term: float = float(graph.weights[draws + 1 + k])
        if found.where != position:
            weight += term
        term = term * (found.best - value)
        total += term
        size += magnitude(term)
    found.sum, found.weight = total, weight
    found.doubt = float(2 * outcomes + 8) * EPSILON * size


def follow(work: Sweeping, bound: Bound, position: int) -> None:
    """Sum up the outcomes of a position if each list has only what has been chosen."""
    graph = work.graph
    found = work.found
    value: float = bound.values[position]
    draws: int = graph.draws[position]
    outcomes: int = graph.weights[draws]
    total: float = 0.0
    size: float = 0.0
    weight: float = 0.0
    for k in range(outcomes):
        where: int = work.chosen[work.lists + k]
        term: float = float(graph.weights[draws + 1 + k])
        if where != position:
            weight += term
        term = term * (bound.values[where] - value)
        total += term
        size += magnitude(term)
    found.sum, found.weight = total, weight
    found.doubt = float(2 * outcomes + 8) * EPSILON * size


def look(work: Sweeping, bound: Bound, first: int) -> int:
    """Look for the best of the list that begins at an entry; the entry where the next one begins."""
    graph = work.graph
    head: int = -1 - graph.targets[first]
    where: int = head >> 1
    best: float = bound.values[where]
    entry: int = first + 1
    target: int = graph.targets[entry]
    if bound.frees[head & 1] != 0:
        while target >= 0:
            if bound.values[target] > best:
                best, where = bound.values[target], target
            entry += 1
            target = graph.targets[entry]
    else:
        while target >= 0:
            if bound.values[target] < best:
                best, where = bound.values[target], target
            entry += 1
            target = graph.targets[entry]
    work.found.best, work.found.where = best, where
    return entry


# ------------------------------------------------------------- what is next


def end_sweep(work: Sweeping) -> None:
    """After a sweep."""
    work.total += 1
    work.sweeps += 1
    if work.stage == PRUNE:
        end_pruning(work)
    elif work.stage == CHECK:
        end_check(work)
    elif work.stage == IMPROVE:
        work.rounds += 1
        work.sweeps = 0
        work.full = work.change
        if work.change <= work.slack / 4.0:
            work.removed = 0
            turn_to(work, CHECK)
        else:
            turn_to(work, EVALUATE if work.rounds < ROUNDS else IMPROVE)
    elif work.change <= max(work.slack / 8.0, work.full * CALM) or work.sweeps >= EVALUATIONS:
        turn_to(work, IMPROVE)
    else:
        turn_to(work, EVALUATE)


def end_pruning(work: Sweeping) -> None:
    """Prune on, or begin with bounds if nothing is left."""
    if work.staying == 0:
        turn_to(work, IMPROVE)
    elif work.removed == 0:
        work.stage = MAY_STAY
    else:
        turn_to(work, PRUNE)
    work.staying, work.removed = 0, 0


def end_check(work: Sweeping) -> None:
    """If all positions have passed, go on to the other side."""
    if work.removed > 0:
        work.tries += 1
        work.slack = work.slack * 64.0
        turn_to(work, IMPROVE)
        if work.tries > TRIES:
            work.stage = UNPROVED
    elif work.is_lower != 0:
        work.stage = DONE
    else:
        work.is_lower = 1
        work.rounds = 0
        for position in range(work.graph.count):
            if work.graph.kinds[position] > PAYS:
                work.lower.values[position] = -work.upper.values[position]
        turn_to(work, IMPROVE)


def conclude(work: Sweeping) -> None:
    """Turn the lower bounds back into those of the game."""
    for position in range(work.graph.count):
        work.lower.values[position] = -work.lower.values[position]
        work.width = max(work.width, work.upper.values[position] - work.lower.values[position])
