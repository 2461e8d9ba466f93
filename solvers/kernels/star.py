"""Star1 and Star2 on a stack of their own (see :mod:`zermelo.solvers.search.star1` and
:mod:`zermelo.solvers.search.star2` for what they compute).

All values are fractions. ``V[d]`` is the value of state d of the path so far, from the first player's view, ``A[d]``
and ``Z[d]`` its window, ``H[d]`` the number of the best move. Where chance draws, ``L[d]`` holds for each outcome what
its value is known to lie between, ``S[d]`` the sums of both over all outcomes, each times its weight in ``W[d]``,
``T[d]`` the sum of all weights, and ``E[d]`` the window of the outcome under way.

``P[d]`` tells what is being done: where chance draws, 0 while outcomes are probed, 1 while they are searched; where a
player moves, 1 if only his first move is asked for; 2 where the value is known. The root is searched ``left`` plies
deep. ``R`` holds the progress: the depth, nodes, terminals, cutoffs and positions at the horizon, and in ``R[7]``
whether a number has left its bounds. ``U`` and ``Y`` watch the path (``loops.py``); the answer -2 says that a play can
come back to a position.

The host gives ``PROBES`` (whether outcomes are probed, which makes Star2 of Star1), and ``LOW`` and ``HIGH``, the
bounds of all values.
"""


def put(target: ints[size], at: int, n: int, d: int, size: int) -> int:
    target[at] = n
    target[at + 1] = d
    return 0


def enter(C: ints[CONTEXT], X: state, M: ints[MOVES], W: ints[MOVES], V: ints[2], S: ints[4], L: ints[4 * MOVES],
          N: ints[depth], I: ints[depth], T: ints[depth], H: ints[depth], P: ints[depth], R: ints[8], d: int,
          left: int, depth: int) -> int:
    """Begin state d, with so many plies left. Whether its value is known at once, as it is of an end or a position at
    the horizon."""
    who: int = actor(X)
    N[d] = 0
    I[d] = 0
    T[d] = 0
    H[d] = -1
    P[d] = 2
    V[0] = 0
    V[1] = 1
    if who == -2:
        R[2] = R[2] + 1
        V[0] = paid(X, 0, R)
        return 1
    if is_cut(C, X, left) != 0:
        R[4] = R[4] + 1
        V[0] = guess(C, X, 0, R)
        return 1
    P[d] = 0
    if who == -1:
        N[d] = outcomes(C, X, M, W)
        for k in range(N[d]):
            T[d] = T[d] + W[k]
            put(L, 4 * k, LOW, 1, 4 * MOVES)
            put(L, 4 * k + 2, HIGH, 1, 4 * MOVES)
        put(S, 0, times(T[d], LOW, R), 1, 4)
        put(S, 2, times(T[d], HIGH, R), 1, 4)
        if PROBES == 0 or left <= 1:
            P[d] = 1
    else:
        N[d] = moves(C, X, M)
    return 0


def put_window(E: ints[4], A: ints[2], Z: ints[2], S: ints[4], L: ints[4 * MOVES], i: int, weight: int, total: int,
               R: ints[8]) -> int:
    """Put into E between what values outcome i matters to a draw with the window (A, Z). An edge of the whole range
    leaves what is known of the outcome."""
    put(E, 0, L[4 * i], L[4 * i + 1], 4)
    put(E, 2, L[4 * i + 2], L[4 * i + 3], 4)
    F = array(2)
    if A[0] != LOW or A[1] != 1:
        put(F, 0, -S[2], S[3], 2)
        add_share(F, 0, total, A[0], A[1], R, 2)
        divide(F, 0, weight, R, 2)
        add_share(F, 0, 1, L[4 * i + 2], L[4 * i + 3], R, 2)
        if is_less(E[0], E[1], F[0], F[1]):
            put(E, 0, F[0], F[1], 4)
    if Z[0] != HIGH or Z[1] != 1:
        put(F, 0, -S[0], S[1], 2)
        add_share(F, 0, total, Z[0], Z[1], R, 2)
        divide(F, 0, weight, R, 2)
        add_share(F, 0, 1, L[4 * i], L[4 * i + 1], R, 2)
        if is_less(F[0], F[1], E[2], E[3]):
            put(E, 2, F[0], F[1], 4)
    return 0


def know(S: ints[4], L: ints[4 * MOVES], at: int, i: int, weight: int, n: int, d: int, R: ints[8]) -> int:
    """The value of outcome i is at least (``at`` = 0) or at most (``at`` = 2) n / d."""
    add_share(S, at, weight, n, d, R, 4)
    add_share(S, at, -weight, L[4 * i + at], L[4 * i + at + 1], R, 4)
    put(L, 4 * i + at, n, d, 4 * MOVES)
    return 0


def decided(V: ints[2], A: ints[2], Z: ints[2], S: ints[4], total: int, R: ints[8]) -> int:
    """Whether a draw lies outside its window; V is then a bound that shows it."""
    if is_less(times(A[0], total, R), A[1], S[2], S[3]) == 0:
        put(V, 0, S[2], S[3], 2)
    elif is_less(S[0], S[1], times(Z[0], total, R), Z[1]) == 0:
        put(V, 0, S[0], S[1], 2)
    else:
        return 0
    divide(V, 0, total, R, 2)
    return 1


def narrow(V: ints[2], A: ints[2], Z: ints[2], who: int, R: ints[8]) -> int:
    """Player ``who`` can secure V."""
    if who == 0:
        if is_less(A[0], A[1], V[0], V[1]):
            put(A, 0, V[0], V[1], 2)
    elif is_less(V[0], V[1], Z[0], Z[1]):
        put(Z, 0, V[0], V[1], 2)
    return 0


def star_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
               T: ints[depth], H: ints[depth], P: ints[depth], W: rows[depth, MOVES], V: rows[depth, 2],
               A: rows[depth, 2], Z: rows[depth, 2], S: rows[depth, 4], E: rows[depth, 4], L: rows[depth, 4 * MOVES],
               U: rows[depth, WATCHED], Y: ints[BUCKETS], R: ints[8], depth: int, left: int) -> int:
    R[0] = 0
    R[1] = R[1] + 1
    watch(Y)
    comes_back(stack[0], U, Y, 0, depth)
    put(A[0], 0, LOW, 1, 2)
    put(Z[0], 0, HIGH, 1, 2)
    return enter(C, stack[0], M[0], W[0], V[0], S[0], L[0], N, I, T, H, P, R, 0, left, depth)


def star(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
         T: ints[depth], H: ints[depth], P: ints[depth], W: rows[depth, MOVES], V: rows[depth, 2], A: rows[depth, 2],
         Z: rows[depth, 2], S: rows[depth, 4], E: rows[depth, 4], L: rows[depth, 4 * MOVES], U: rows[depth, WATCHED],
         Y: ints[BUCKETS], R: ints[8], depth: int, left: int, budget: int) -> int:
    d: int = R[0]
    steps: int = budget
    while steps > 0:
        who: int = actor(stack[d])
        there = stack[d + 1]
        is_open: int = is_less(A[d][0], A[d][1], Z[d][0], Z[d][1])
        goes_on: int = 1 if I[d] < N[d] and P[d] != 2 else 0
        if who >= 0 and (is_open == 0 or (P[d] == 1 and I[d] > 0)):
            goes_on = 0
        have: int = 0
        if who == -1 and goes_on == 0 and P[d] == 0:
            P[d] = 1
            I[d] = 0
        elif goes_on != 0:
            i: int = I[d]
            I[d] = i + 1
            known = L[d]
            if who == -1 and PROBES != 0 and known[4 * i] == known[4 * i + 2] and known[4 * i + 1] == known[4 * i + 3]:
                goes_on = 0
            else:
                copy(there, stack[d], STATE)
                apply(C, there, M[d][i])
                steps -= 1
                mover: int = actor(there)
                probes: int = 1 if who == -1 and PROBES != 0 and left - d > 1 and mover >= 0 else 0
                if who == -1 and P[d] == 0 and probes == 0:
                    goes_on = 0
            if goes_on != 0:
                lower = A[d]
                upper = Z[d]
                asked = E[d]
                if who == -1:
                    put_window(asked, lower, upper, S[d], known, i, W[d][i], T[d], R)
                    put(A[d + 1], 0, asked[0], asked[1], 2)
                    put(Z[d + 1], 0, asked[2], asked[3], 2)
                else:
                    put(A[d + 1], 0, lower[0], lower[1], 2)
                    put(Z[d + 1], 0, upper[0], upper[1], 2)
                if probes == 0 or P[d] == 0:
                    R[1] = R[1] + 1
                have = enter(C, there, M[d + 1], W[d + 1], V[d + 1], S[d + 1], L[d + 1], N, I, T, H, P, R, d + 1,
                             left - d - 1, depth)
                if have == 0:
                    if comes_back(there, U, Y, d + 1, depth):
                        R[0] = d
                        return -2
                    if probes != 0 and P[d] == 0:
                        P[d + 1] = 1
                        if mover == 0:
                            put(A[d + 1], 0, LOW, 1, 2)
                        else:
                            put(Z[d + 1], 0, HIGH, 1, 2)
                    elif probes != 0:
                        at: int = 4 * i if mover == 0 else 4 * i + 2
                        put(V[d + 1], 0, known[at], known[at + 1], 2)
                        I[d + 1] = 1
                        H[d + 1] = 0
                        narrow(V[d + 1], A[d + 1], Z[d + 1], mover, R)
                    d += 1
                    if d + 2 >= depth:
                        steps = 0
        else:
            if who == -1:
                if P[d] != 2:
                    put(V[d], 0, S[d][0], S[d][1], 2)
                    divide(V[d], 0, T[d], R, 2)
            elif is_open == 0 and I[d] < N[d] and P[d] == 0:
                R[3] = R[3] + 1
            go_back(U, Y, d, depth)
            d -= 1
            have = 1
            if d < 0:
                have = 0
                steps = 0
        if have != 0:
            found = V[d + 1]
            value = V[d]
            who = actor(stack[d])
            if who == -1:
                i = I[d] - 1
                window = E[d]
                is_probe: int = 1 if P[d] == 0 else 0
                if is_probe != 0:
                    know(S[d], L[d], 0 if actor(stack[d + 1]) == 0 else 2, i, W[d][i], found[0], found[1], R)
                else:
                    if is_less(found[0], found[1], window[2], window[3]):
                        know(S[d], L[d], 2, i, W[d][i], found[0], found[1], R)
                    if is_less(window[0], window[1], found[0], found[1]):
                        know(S[d], L[d], 0, i, W[d][i], found[0], found[1], R)
                if decided(value, A[d], Z[d], S[d], T[d], R):
                    P[d] = 2
                    if is_probe != 0 or i + 1 < N[d]:
                        R[3] = R[3] + 1
            else:
                if H[d] < 0 or (is_less(value[0], value[1], found[0], found[1]) if who == 0
                                else is_less(found[0], found[1], value[0], value[1])):
                    put(value, 0, found[0], found[1], 2)
                    H[d] = I[d] - 1
                narrow(value, A[d], Z[d], who, R)
        if C[0] != 0 or R[7] != 0:
            steps = 0
    R[0] = d
    return d
