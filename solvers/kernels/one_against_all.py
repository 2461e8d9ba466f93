"""One player against all others, by alpha-beta on a stack of its own (see :mod:`zermelo.solvers.search.one_against_all`
for what it computes, and :mod:`zermelo.solvers.search.paranoid` and :mod:`zermelo.solvers.search.best_reply` for what
the others may do).

``V[d]`` are the payoffs of all players at the end of the best play found so far from state d of the path, ``A[d]`` and
``Z[d]`` the window for the payoff of the searching player ``me``, ``E[d]`` whether one of the others has replied since
his last move, and ``H[d]`` the number of the best move. The root is searched ``left`` plies deep, and entered with
``replied``. ``R`` holds the progress: the depth, nodes, terminals, cutoffs and positions at the horizon, and in
``R[7]`` whether a number has left its bounds. ``U`` and ``Y`` watch the path (``loops.py``); the answer -2 says that a
play can come back to a position.

The host gives ``ONE_REPLY`` (whether only one of the others may choose between two moves of the searching player),
``IS_ORDERED`` (whether the file says which moves are tried first) and ``rank`` of ``(C, S)``, in the position right
after a move: the larger, the earlier it is tried.
"""

LEAST = -4611686018427387904
MOST = 4611686018427387904


def put_first(C: ints[CONTEXT], S: state, M: ints[MOVES], n: int) -> int:
    """Put the move that is tried first before the others, which stay in their order."""
    there = scratch()
    at: int = 0
    best: int = 0
    for k in range(n):
        copy(there, S, STATE)
        apply(C, there, M[k])
        key: int = rank(C, there)
        if k == 0 or key > best:
            best = key
            at = k
    first: int = M[at]
    while at > 0:
        M[at] = M[at - 1]
        at -= 1
    M[0] = first
    return 0


def enter(C: ints[CONTEXT], S: state, M: ints[MOVES], N: ints[depth], I: ints[depth], A: ints[depth], Z: ints[depth],
          E: ints[depth], H: ints[depth], V: ints[PLAYERS], R: ints[8], d: int, a: int, z: int, me: int, replied: int,
          left: int, depth: int) -> int:
    """Begin state d, with so many plies left. Whether its value is known at once, as it is of an end or a position at
    the horizon."""
    who: int = actor(S)
    N[d] = 0
    I[d] = 0
    A[d] = a
    Z[d] = z
    E[d] = replied
    H[d] = -1
    R[1] = R[1] + 1
    if who == -2:
        R[2] = R[2] + 1
        for p in range(PLAYERS):
            V[p] = paid(S, p, R)
        return 1
    if is_cut(C, S, left) != 0:
        R[4] = R[4] + 1
        for p in range(PLAYERS):
            V[p] = guess(C, S, p, R)
        return 1
    n: int = moves(C, S, M)
    if ONE_REPLY != 0 and who != me:
        if IS_ORDERED != 0:
            put_first(C, S, M, n)
        if replied != 0:
            n = 1
    N[d] = n
    return 0


def one_against_all_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth],
                          I: ints[depth], A: ints[depth], Z: ints[depth], E: ints[depth], H: ints[depth],
                          V: rows[depth, PLAYERS], U: rows[depth, WATCHED], Y: ints[BUCKETS], R: ints[8], depth: int,
                          me: int, replied: int, left: int) -> int:
    R[0] = 0
    watch(Y)
    comes_back(stack[0], U, Y, 0, depth)
    return enter(C, stack[0], M[0], N, I, A, Z, E, H, V[0], R, 0, LEAST, MOST, me, replied, left, depth)


def one_against_all(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
                    A: ints[depth], Z: ints[depth], E: ints[depth], H: ints[depth], V: rows[depth, PLAYERS],
                    U: rows[depth, WATCHED], Y: ints[BUCKETS], R: ints[8], depth: int, me: int, replied: int,
                    left: int, budget: int) -> int:
    d: int = R[0]
    steps: int = budget
    while steps > 0:
        have: int = 1
        who: int = actor(stack[d])
        if I[d] < N[d] and A[d] < Z[d]:
            there = stack[d + 1]
            copy(there, stack[d], STATE)
            apply(C, there, M[d][I[d]])
            has: int = 0 if who == me or (I[d] == 0 and E[d] == 0) else 1
            I[d] = I[d] + 1
            steps -= 1
            have = enter(C, there, M[d + 1], N, I, A, Z, E, H, V[d + 1], R, d + 1, A[d], Z[d], me, has, left - d - 1,
                         depth)
            if have == 0:
                if comes_back(there, U, Y, d + 1, depth):
                    R[0] = d
                    return -2
                d += 1
                if d + 2 >= depth:
                    steps = 0
        else:
            if A[d] >= Z[d]:
                R[3] = R[3] + 1
            go_back(U, Y, d, depth)
            d -= 1
            if d < 0:
                have = 0
                steps = 0
        if have != 0:
            found = V[d + 1]
            best = V[d]
            mine: int = 1 if actor(stack[d]) == me else 0
            if H[d] < 0 or (found[me] > best[me] if mine != 0 else found[me] < best[me]):
                H[d] = I[d] - 1
                for p in range(PLAYERS):
                    best[p] = found[p]
            if mine != 0:
                if best[me] > A[d]:
                    A[d] = best[me]
            elif best[me] < Z[d]:
                Z[d] = best[me]
        if C[0] != 0 or R[7] != 0:
            steps = 0
    R[0] = d
    return d
