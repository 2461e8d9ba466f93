"""The steps of a turn from which a best complete turn can be reached
(:mod:`zermelo.interpreter.native.rules.preferring`).

Positions of the turn are numbered as they are found, the one at hand first. A *worth* is a row of ``COLUMNS`` numbers,
compared from the left: a class (1: the turn ends, 2: the game ends, 0: neither), then the values of the criteria.
"""

from __future__ import annotations

POSITIONS: int  # the most positions
EDGES: int  # the most steps from position to position
COLUMNS: int
BRANCHES: int  # the words for the histories of the positions
ACTOR: int  # the slot of the actor, 0 at the end
PHASE: int  # the slot of the phase
TURNS: int  # the phases that are turns, as bits
OVERFLOW: int  # the fault site if there are more positions


def judge(C: ints[CONTEXT], S: state, T: state, worths: ints[POSITIONS * COLUMNS], at: int) -> int: ...  # criteria of T


def list_steps(C: ints[CONTEXT], S: state, M: ints[MOVES]) -> int: ...  # of the phase at hand


def kept(C: ints[CONTEXT], S: state, M: ints[MOVES], n: int) -> int:
    """Keep the preferred ones among n moves; their number."""
    if n < 2:
        return n
    who: int = S[ACTOR]
    place = scratches(POSITIONS)
    keys = array(POSITIONS * KEY)
    digests = array(POSITIONS)
    origin = array(EDGES)
    target = array(EDGES)
    best = array(POSITIONS * COLUMNS)
    own = array(MOVES * COLUMNS)
    to = array(MOVES)
    B = array(BRANCHES)
    K = array(KEY)
    L = array(MOVES)
    digests[0] = -1
    copy(place[0], S, STATE)
    begin_branches(S, B)
    for c in range(COLUMNS):
        best[c] = 0
    edges: int = 0
    found: int = 1
    at: int = 0
    while at < found:
        recall(C, B, at)
        many: int = n
        if at == 0:
            for i in range(n):
                L[i] = M[i]
        else:
            many = steps(C, place[at], L)
        for k in range(many):
            if found >= POSITIONS - 1 or edges >= EDGES - 1 or C[0] != 0:
                if C[0] == 0:
                    C[0] = OVERFLOW
                return n
            T = place[found]
            copy(T, place[at], STATE)
            effects(C, T, L[k])
            worth: int = found * COLUMNS
            judge(C, S, T, best, worth + 1)
            settle(C, T)
            next: int = -1
            if T[ACTOR] == who and (TURNS >> T[PHASE]) & 1 != 0:
                pack(T, K)
                h: int = 0
                for i in range(KEY):
                    h = mix(h, K[i])
                h = mix(h, branch_digest(C, T, B))
                next = known(C, T, B, K, h, keys, digests, found)
                if next < 0:
                    if keep_branch(C, T, B, at, found) == 0:
                        return n
                    next = found
                    digests[found] = h
                    for i in range(KEY):
                        keys[found * KEY + i] = K[i]
                    for c in range(COLUMNS):
                        best[worth + c] = 0
                    found += 1
                origin[edges] = at
                target[edges] = next
                edges += 1
            else:
                best[worth] = 1
                if T[ACTOR] == 0:
                    best[worth] = 2
                    for c in range(1, COLUMNS):
                        best[worth + c] = 0
                if less(best, at * COLUMNS, worth) != 0:
                    for c in range(COLUMNS):
                        best[at * COLUMNS + c] = best[worth + c]
                if at == 0:
                    for c in range(COLUMNS):
                        own[k * COLUMNS + c] = best[worth + c]
            if at == 0:
                to[k] = next
        at += 1
    hand_back(best, origin, target, edges)
    left: int = 0
    for k in range(n):
        same: int = 1
        for c in range(COLUMNS):
            reached: int = best[to[k] * COLUMNS + c] if to[k] >= 0 else own[k * COLUMNS + c]
            if reached != best[c]:
                same = 0
        if same != 0:
            M[left] = M[k]
            left += 1
    return left


def known(
    C: ints[CONTEXT], T: state, B: ints[BRANCHES], K: ints[KEY], h: int,
    keys: ints[POSITIONS * KEY], digests: ints[POSITIONS], found: int,
) -> int:  # fmt: skip
    """The number of the known position equal to T, with key K and digest h; -1 if there is none."""
    last: int = found if count(digests, 0, found, h) != 0 else 0
    for j in range(last):
        if digests[j] == h:
            same: int = 1
            for i in range(KEY):
                if keys[j * KEY + i] != K[i]:
                    same = 0
            if same != 0 and same_branch(C, T, B, j) != 0:
                return j
    return -1


def less(worths: ints[POSITIONS * COLUMNS], a: int, b: int) -> int:
    """Whether the worth at a is less than the one at b."""
    for c in range(COLUMNS):
        if worths[a + c] != worths[b + c]:
            return worths[a + c] < worths[b + c]
    return 0


def hand_back(best: ints[POSITIONS * COLUMNS], origin: ints[EDGES], target: ints[EDGES], edges: int) -> int:
    """Propagate to every position the best worth reachable from it, up to a fixed point."""
    changed: int = 1
    while changed != 0:
        changed = 0
        for j in range(edges):
            a: int = origin[edges - 1 - j] * COLUMNS
            b: int = target[edges - 1 - j] * COLUMNS
            if less(best, a, b) != 0:
                changed = 1
                for c in range(COLUMNS):
                    best[a + c] = best[b + c]
    return 0


# A random play takes a step drawn from all if it is preferred; otherwise one of the preferred steps is drawn.


def any_kept(C: ints[CONTEXT], S: state, M: ints[MOVES], R: ints[1]) -> int:
    """One of the preferred steps, all equally likely, -1 if there is none."""
    n: int = list_steps(C, S, M)
    if n == 0:
        return -1
    m: int = M[drawn(R, n)]
    if n == 1 or prove(C, S, m) != 0:
        return m
    n = kept(C, S, M, n)
    for k in range(n):
        if M[k] == m:
            return m
    return M[drawn(R, n)] if n > 0 else -1


def prove(C: ints[CONTEXT], S: state, m: int) -> int:
    """Whether move m by itself is proved to be preferred."""
    return 0


# The histories in games whose rules do not use them: nothing is done.


def begin_branches(S: state, B: ints[BRANCHES]) -> int:
    """Begin with the position S."""
    return 0


def recall(C: ints[CONTEXT], B: ints[BRANCHES], at: int) -> int:
    """Restore the history of a position in the context."""
    return 0


def branch_digest(C: ints[CONTEXT], T: state, B: ints[BRANCHES]) -> int:
    """A digest of the history of T."""
    return 0


def same_branch(C: ints[CONTEXT], T: state, B: ints[BRANCHES], other: int) -> int:
    """Whether T and another position have the same history."""
    return 1


def keep_branch(C: ints[CONTEXT], T: state, B: ints[BRANCHES], at: int, found: int) -> int:
    """Keep the history of T, a new position reached from position ``at``; whether there is room."""
    return 1
