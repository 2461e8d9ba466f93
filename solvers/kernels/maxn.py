"""Max^n on a stack of its own (see :mod:`zermelo.solvers.search.maxn` for what it computes).

A tuple is a row of fractions, one for each player. ``B[d]`` is the tuple reported for state d of the path so far, and
the ``K[d]`` rows of ``sets`` from number ``F[d]`` on are the tuples that ties allow there so far, all different; the
sets along the path stand one behind the other, so that what a state hands back stands right behind what its parent has.
``Q[d]`` is what the player to act has secured. ``G[d]`` is 1 where the tuples have become more than ``most``. Where
chance draws, tuples are sums, each outcome times its weight in ``W[d]``, until all outcomes are known; ``T[d]`` is the
sum of all weights, else 0. ``first`` takes the tuple of every first move. The root is searched ``left`` plies deep.

``R`` holds the progress: the depth, nodes, terminals and positions at the horizon, in ``R[6]`` whether a set on its way
has become too large for the kernel, and in ``R[7]`` whether a number has left its bounds. ``U`` and ``Y`` watch the
path (``loops.py``); the answer -2 says that a play can come back to a position.
"""


def is_known(sets: rows[room, 2 * PLAYERS], begin: int, end: int, at: int, room: int) -> int:
    """Whether row ``at`` is among others."""
    wanted = sets[at]
    for k in range(begin, end):
        row = sets[k]
        same: int = 1
        for p in range(2 * PLAYERS):
            if row[p] != wanted[p]:
                same = 0
                break
        if same != 0:
            return 1
    return 0


def copy_tuple(target: ints[2 * PLAYERS], source: ints[2 * PLAYERS]) -> int:
    for p in range(2 * PLAYERS):
        target[p] = source[p]
    return 0


def add_tuple(target: ints[2 * PLAYERS], weight: int, source: ints[2 * PLAYERS], R: ints[8]) -> int:
    for p in range(PLAYERS):
        add_share(target, 2 * p, weight, source[2 * p], source[2 * p + 1], R, 2 * PLAYERS)
    return 0


def divide_tuple(target: ints[2 * PLAYERS], total: int, R: ints[8]) -> int:
    for p in range(PLAYERS):
        divide(target, 2 * p, total, R, 2 * PLAYERS)
    return 0


def enter(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES], B: ints[2 * PLAYERS], N: ints[depth],
          I: ints[depth], T: ints[depth], F: ints[depth], K: ints[depth], G: ints[depth],
          sets: rows[room, 2 * PLAYERS], R: ints[8], d: int, left: int, depth: int, room: int) -> int:
    """Begin state d, with so many plies left. At the end of a play and at the horizon its tuple is known."""
    who: int = actor(S)
    cut: int = 0
    R[1] = R[1] + 1
    if who == -2:
        R[2] = R[2] + 1
    elif is_cut(C, S, left) != 0:
        R[3] = R[3] + 1
        cut = 1
    I[d] = 0
    N[d] = 0
    T[d] = 0
    G[d] = 0
    K[d] = 0
    F[d] = 0 if d == 0 else F[d - 1] + K[d - 1]
    for p in range(PLAYERS):
        B[2 * p] = paid(S, p, R) if who == -2 else (guess(C, S, p, R) if cut != 0 else 0)
        B[2 * p + 1] = 1
    if cut != 0:
        who = -2
    if who == -1:
        N[d] = outcomes(C, S, M, W)
        for k in range(N[d]):
            T[d] = T[d] + W[k]
    elif who >= 0:
        N[d] = moves(C, S, M)
    if who < 0:
        if F[d] + 1 >= room:
            R[6] = 1
        else:
            copy_tuple(sets[F[d]], B)
            K[d] = 1
    return 0


def choose(Q: ints[2], F: ints[depth], K: ints[depth], sets: rows[room, 2 * PLAYERS], R: ints[8], d: int, who: int,
           is_first: int, depth: int, room: int) -> int:
    """Take up the tuples of the state behind a move of player ``who``."""
    begin: int = F[d + 1]
    n: int = 0
    q: int = 1
    for k in range(begin, begin + K[d + 1]):
        row = sets[k]
        if k == begin or is_less(row[2 * who], row[2 * who + 1], n, q):
            n = row[2 * who]
            q = row[2 * who + 1]
    if is_first or is_less(Q[0], Q[1], n, q):
        Q[0] = n
        Q[1] = q
        kept: int = F[d]
        for k in range(F[d], F[d] + K[d]):
            one = sets[k]
            if is_less(one[2 * who], one[2 * who + 1], n, q) == 0:
                if kept < k:
                    copy_tuple(sets[kept], one)
                kept += 1
        K[d] = kept - F[d]
    for k in range(begin, begin + K[d + 1]):
        new = sets[k]
        is_best: int = is_less(new[2 * who], new[2 * who + 1], Q[0], Q[1]) == 0
        if is_best != 0 and is_known(sets, F[d], F[d] + K[d], k, room) == 0:
            if F[d] + K[d] < k:
                copy_tuple(sets[F[d] + K[d]], new)
            K[d] = K[d] + 1
    return 0


def draw(F: ints[depth], K: ints[depth], sets: rows[room, 2 * PLAYERS], R: ints[8], d: int, weight: int,
         depth: int, room: int, most: int) -> int:
    """Add the tuples of the state behind an outcome, each to each, till they are more than ``most``."""
    begin: int = F[d + 1] + K[d + 1]
    end: int = begin
    for k in range(F[d], F[d] + K[d]):
        for i in range(F[d + 1], begin):
            if end >= room:
                R[6] = 1
                return 0
            copy_tuple(sets[end], sets[k])
            add_tuple(sets[end], weight, sets[i], R)
            if is_known(sets, begin, end, end, room) == 0:
                end += 1
            if end - begin > most:
                K[d] = most + 1
                return 0
    K[d] = end - begin
    for k in range(K[d]):
        copy_tuple(sets[F[d] + k], sets[begin + k])
    return 0


def maxn_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
               T: ints[depth], F: ints[depth], K: ints[depth], G: ints[depth], Q: rows[depth, 2],
               W: rows[depth, MOVES], B: rows[depth, 2 * PLAYERS], U: rows[depth, WATCHED],
               first: rows[MOVES, 2 * PLAYERS], sets: rows[room, 2 * PLAYERS], Y: ints[BUCKETS], R: ints[8],
               depth: int, room: int, most: int, left: int) -> int:
    R[0] = 0
    watch(Y)
    comes_back(stack[0], U, Y, 0, depth)
    return enter(C, stack[0], M[0], W[0], B[0], N, I, T, F, K, G, sets, R, 0, left, depth, room)


def maxn(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
         T: ints[depth], F: ints[depth], K: ints[depth], G: ints[depth], Q: rows[depth, 2],
         W: rows[depth, MOVES], B: rows[depth, 2 * PLAYERS], U: rows[depth, WATCHED],
         first: rows[MOVES, 2 * PLAYERS], sets: rows[room, 2 * PLAYERS], Y: ints[BUCKETS], R: ints[8],
         depth: int, room: int, most: int, left: int, budget: int) -> int:
    d: int = R[0]
    steps: int = budget
    while steps > 0:
        if I[d] < N[d]:
            copy(stack[d + 1], stack[d], STATE)
            apply(C, stack[d + 1], M[d][I[d]])
            I[d] = I[d] + 1
            steps -= 1
            d += 1
            enter(C, stack[d], M[d], W[d], B[d], N, I, T, F, K, G, sets, R, d, left - d, depth, room)
            if actor(stack[d]) != -2 and comes_back(stack[d], U, Y, d, depth):
                R[0] = d - 1
                return -2
            if d + 2 >= depth:
                steps = 0
        else:
            if T[d] > 0:
                divide_tuple(B[d], T[d], R)
                for k in range(F[d], F[d] + K[d]):
                    divide_tuple(sets[k], T[d], R)
            if K[d] > most:
                G[d] = 1
                K[d] = 0
            if actor(stack[d]) != -2:
                go_back(U, Y, d, depth)
            d -= 1
            if d < 0:
                steps = 0
            else:
                who: int = actor(stack[d])
                if d == 0:
                    copy_tuple(first[I[0] - 1], B[1])
                if T[d] > 0:
                    add_tuple(B[d], W[d][I[d] - 1], B[d + 1], R)
                else:
                    best = B[d]
                    found = B[d + 1]
                    if I[d] == 1 or is_less(best[2 * who], best[2 * who + 1], found[2 * who], found[2 * who + 1]):
                        copy_tuple(best, found)
                if G[d + 1] != 0 or G[d] != 0:
                    G[d] = 1
                    K[d] = 0
                elif T[d] > 0:
                    draw(F, K, sets, R, d, W[d][I[d] - 1], depth, room, most)
                    if K[d] > most:
                        G[d] = 1
                        K[d] = 0
                else:
                    choose(Q[d], F, K, sets, R, d, who, I[d] == 1, depth, room)
                    if K[d] > 4 * most:
                        R[6] = 1
        if C[0] != 0 or R[6] != 0 or R[7] != 0:
            steps = 0
    R[0] = d
    return d
