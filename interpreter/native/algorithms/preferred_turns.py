"""``preferring``: which steps of a turn can be completed to a best turn, by looking at all completions or by a proof
(:mod:`zermelo.interpreter.native.rules.decisions`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    KEY,
    MOVES,
    STATE,
    Context,
    Length,
    Random,
    State,
    array,
    copy,
    count,
    drawn,
    effects,
    ints,
    mix,
    pack,
    scratch,
    scratches,
    settle,
    steps,
)

COLUMNS: int
ACTOR: int  # the slot of the actor
PHASE: int  # the slot of the phase
TURNS: int  # the phases that are turns, as bits
OVERFLOW: int  # the fault site if there are more positions
STEPS: int  # the most steps of a proof: a turn may go round for ever


class POSITIONS(metaclass=Length):
    """The most positions."""


class EDGES(metaclass=Length):
    """The most steps from position to position."""


class WORTHS(metaclass=Length):
    """The columns of all positions."""


class KEYS(metaclass=Length):
    """The words of the keys of all positions."""


class BRANCHES(metaclass=Length):
    """The words for the histories of the positions."""


def judge(context: Context, state: State, there: State, worths: ints[WORTHS], at: int) -> int: ...  # the criteria there


def list_steps(context: Context, state: State, moves: ints[MOVES]) -> int: ...  # of the phase at hand


def is_best(context: Context, state: State, there: State) -> int: ...  # whether no turn can leave more than this one


# The steps of a turn from which a best complete turn can be reached
# (:mod:`zermelo.interpreter.native.rules.decisions`).
#
# Positions of the turn are numbered as they are found, the one at hand first. A *worth* is a row of ``COLUMNS``
# numbers, compared from the left: 1 if it is that of a complete turn, 0 before any is known, then the values of the
# criteria.


def keep_preferred(context: Context, state: State, moves: ints[MOVES], offered: int) -> int:
    """Keep the preferred ones among the moves offered; their number."""
    if offered < 2:
        return offered
    player: int = state[ACTOR]
    place = scratches(POSITIONS)
    keys = array(KEYS)
    key = array(KEY)
    digests = array(POSITIONS)
    origin = array(EDGES)
    target = array(EDGES)
    best = array(WORTHS)
    own = array(MOVES * COLUMNS)
    to = array(MOVES)
    branches = array(BRANCHES)
    onward = array(MOVES)
    digests[0] = -1
    copy(place[0], state, STATE)
    begin_branches(state, branches)
    for column in range(COLUMNS):
        best[column] = 0
    edges: int = 0
    found: int = 1
    at: int = 0
    while at < found:
        recall(context, branches, at)
        branching: int = offered
        if at == 0:
            for i in range(offered):
                onward[i] = moves[i]
        else:
            branching = steps(context, place[at], onward)
        for k in range(branching):
            if found >= POSITIONS - 1 or edges >= EDGES - 1 or context[0] != 0:
                if context[0] == 0:
                    context[0] = OVERFLOW
                return offered
            there = place[found]
            copy(there, place[at], STATE)
            effects(context, there, onward[k])
            worth: int = found * COLUMNS
            judge(context, state, there, best, worth + 1)
            settle(context, there)
            next: int = -1
            if there[ACTOR] == player and (TURNS >> there[PHASE]) & 1 != 0:
                pack(there, key)
                digest: int = 0
                for i in range(KEY):
                    digest = mix(digest, key[i])
                    keys[KEY * found + i] = key[i]
                digests[found] = mix(digest, branch_digest(context, there, branches))
                next = known(context, there, branches, keys, digests, found)
                if next < 0:
                    if keep_branch(context, there, branches, at, found) == 0:
                        return offered
                    next = found
                    for column in range(COLUMNS):
                        best[worth + column] = 0
                    found += 1
                origin[edges] = at
                target[edges] = next
                edges += 1
            else:
                best[worth] = 1
                if less(best, at * COLUMNS, worth) != 0:
                    for column in range(COLUMNS):
                        best[at * COLUMNS + column] = best[worth + column]
                if at == 0:
                    for column in range(COLUMNS):
                        own[k * COLUMNS + column] = best[worth + column]
            if at == 0:
                to[k] = next
        at += 1
    hand_back(best, origin, target, edges)
    left: int = 0
    for k in range(offered):
        same: int = 1
        for column in range(COLUMNS):
            reached: int = best[to[k] * COLUMNS + column] if to[k] >= 0 else own[k * COLUMNS + column]
            if reached != best[column]:
                same = 0
        if same != 0:
            moves[left] = moves[k]
            left += 1
    return left


def known(
    context: Context, there: State, branches: ints[BRANCHES], keys: ints[KEYS], digests: ints[POSITIONS], found: int
) -> int:
    """The number of the position equal to ``there``, among those found; -1 if there is none. Its own key and digest are
    behind theirs."""
    digest: int = digests[found]
    last: int = found if count(digests, 0, found, digest) != 0 else 0
    for j in range(last):
        if digests[j] == digest:
            same: int = 1
            for i in range(KEY):
                if keys[KEY * j + i] != keys[KEY * found + i]:
                    same = 0
            if same != 0 and same_branch(context, there, branches, j) != 0:
                return j
    return -1


def less(worths: ints[WORTHS], a: int, b: int) -> int:
    """Whether the worth at a is less than the one at b."""
    for column in range(COLUMNS):
        if worths[a + column] != worths[b + column]:
            return worths[a + column] < worths[b + column]
    return 0


def hand_back(best: ints[WORTHS], origin: ints[EDGES], target: ints[EDGES], edges: int) -> int:
    """Propagate to every position the best worth reachable from it, up to a fixed point."""
    changed: int = 1
    while changed != 0:
        changed = 0
        for j in range(edges):
            a: int = origin[edges - 1 - j] * COLUMNS
            b: int = target[edges - 1 - j] * COLUMNS
            if less(best, a, b) != 0:
                changed = 1
                for column in range(COLUMNS):
                    best[a + column] = best[b + column]
    return 0


def draw_preferred(context: Context, state: State, moves: ints[MOVES], random: Random) -> int:
    """One of the preferred steps, all equally likely, -1 if there is none."""
    offered: int = list_steps(context, state, moves)
    if offered == 0:
        return -1
    move: int = moves[drawn(random, offered)]
    if offered == 1 or prove(context, state, move) != 0:
        return move
    offered = keep_preferred(context, state, moves, offered)
    for k in range(offered):
        if moves[k] == move:
            return move
    return moves[drawn(random, offered)] if offered > 0 else -1


def prove(context: Context, state: State, move: int) -> int:
    """Whether a move by itself is proved to be preferred."""
    return 0


def begin_branches(state: State, branches: ints[BRANCHES]) -> int:
    """Begin with a position."""
    return 0


def recall(context: Context, branches: ints[BRANCHES], at: int) -> int:
    """Restore the history of a position in the context."""
    return 0


def branch_digest(context: Context, there: State, branches: ints[BRANCHES]) -> int:
    """A digest of the history of position ``there``."""
    return 0


def same_branch(context: Context, there: State, branches: ints[BRANCHES], other: int) -> int:
    """Whether ``there`` and another position have the same history."""
    return 1


def keep_branch(context: Context, there: State, branches: ints[BRANCHES], at: int, found: int) -> int:
    """Keep the history of ``there``, a new position reached from position ``at``; whether there is room."""
    return 1


# Proofs that a step of a turn is preferred, without looking at the others: one complete turn that begins with this step
# and whose worth is the upper bound of all worths.


def proof(context: Context, state: State, move: int) -> int:
    """Whether a move is surely among the preferred ones: it is followed by the first step that the rules allow, again
    and again, up to the end of the turn."""
    player: int = state[ACTOR]
    onward = array(MOVES)
    there = scratch()
    copy(there, state, STATE)
    step: int = move
    for _ in range(STEPS):
        effects(context, there, step)
        best: int = is_best(context, state, there)
        settle(context, there)
        if there[ACTOR] != player or (TURNS >> there[PHASE]) & 1 == 0:
            return context[0] == 0 and best != 0
        if steps(context, there, onward) == 0:
            return 0
        step = onward[0]
    return 0
