"""Alpha-beta over a window, to a depth (see :mod:`zermelo.solvers.search.window_search` for what it computes).

For state d of the path: ``A[d]`` and ``Z[d]`` are the window, ``X[d]`` and ``Y[d]`` the window on entering, ``V[d]``
the best value so far from the first player's view, ``H[d]`` the move it comes by, ``L[d]`` the plies left, ``U[d]``
whether a horizon was met below, ``B[d]`` the nodes on entering, ``Q[d]`` how the child under way is searched: the sum
of 1 if it is scouted and 2 if it is reduced. ``E[d]`` and ``P[d]`` say what is asked about the state before its moves
are searched, and how they are searched then (:mod:`zermelo.solvers.kernels.inquiries`). The moves ``M[d]`` are sorted
by the keys ``G[d]``; ``J[d]`` has for each the place of its next state, or -1 where that has not been made. State d
stands in the stack at ``d * BREADTH``, its next states behind it, if they are looked at.

``R`` holds the progress: the depth of the path, nodes, terminals, cut-offs, hits, and positions at the horizon, and in
``R[7]`` whether a payoff is too large for the kernel. ``O`` has two killers for each ply, plus 1, and ``W`` the
history. ``D`` and ``S`` watch the path (``loops.py``).

The host gives ``LOOKS`` (whether next states are looked up before a move is searched), ``BREADTH`` (then ``MOVES + 1``,
else 1), ``LEARNS`` (whether killers and history count), ``SCOUTS`` (whether later moves are searched with a null window
first), ``REMAKES`` (whether a next state that has been looked at is made again to be searched, which it must be where
the history of the play stands beside the states), ``LATE`` (from which move on, if not 0, moves are searched one ply
less deep first), ``HISTORY`` and ``MOVE_BITS`` (the length of ``W``, and the bits of a move), ``LOW`` and ``HIGH`` (the
bounds of all values), ``SCALE`` (what payoffs are multiplied by), ``LARGEST`` (how large they may be for that), and the
functions ``worth``, ``is_unsettled`` and ``rank`` of ``(C, S)``.
"""

LEAST = -4611686018427387904
MOST = 4611686018427387904
TO_THE_END = 1073741824
OVERTIME = 32


def decides(F: ints[4], a: int, z: int) -> int:
    """Whether the bounds are enough for a window; the value is then in ``F[0]``."""
    if F[0] >= z or F[0] == F[1]:
        return 1
    if F[1] <= a:
        F[0] = F[1]
        return 1
    return 0


def promise(O: rows[depth, 2], W: ints[HISTORY], depth: int, ply: int, who: int, m: int, before: int) -> int:
    """The key by which moves are sorted: best before, rank (0 for now), killer, history."""
    g: int = W[(who << MOVE_BITS | m) & HISTORY - 1]
    if g > 268435455:
        g = 268435455
    if m == O[ply][0] - 1:
        g |= 536870912
    elif m == O[ply][1] - 1:
        g |= 268435456
    if m == before:
        g |= 1 << 61
    return g + (536870912 << 30)


def clipped(ranked: int) -> int:
    """A rank, as far as it counts."""
    if ranked > 536870911:
        return 536870911
    if ranked < -536870911:
        return -536870911
    return ranked


def sort_in(M: rows[depth, MOVES], G: rows[depth, MOVES], J: rows[depth, MOVES], depth: int, d: int,
            n: int, m: int, g: int, made: int) -> int:
    """Move m into its place among the first n, behind those of the same key."""
    j: int = n
    while j > 0 and G[d][j - 1] < g:
        M[d][j] = M[d][j - 1]
        G[d][j] = G[d][j - 1]
        J[d][j] = J[d][j - 1]
        j -= 1
    M[d][j] = m
    G[d][j] = g
    J[d][j] = made
    return 0


def look(C: ints[CONTEXT], stack: states[depth * BREADTH], M: rows[depth, MOVES], I: ints[depth], A: ints[depth],
         Z: ints[depth], V: ints[depth], H: ints[depth], U: ints[depth], G: rows[depth, MOVES], J: rows[depth, MOVES],
         P: rows[depth, 5], T: rows[size, KEY + 3], K: ints[KEY], F: ints[4], R: ints[8], depth: int, size: int, d: int,
         n: int, left: int) -> int:
    """Look at the states behind the n moves of state d, first for those that end the play, then for those that the
    table knows. Sorts the moves that have to be searched; returns how many they are."""
    here = stack[d * BREADTH]
    who: int = actor(here)
    open: int = 0
    i: int = 0
    while i < n and A[d] < Z[d]:
        m: int = M[d][i]
        made: int = d * BREADTH + 1 + i
        there = stack[made]
        copy(there, here, STATE)
        apply(C, there, m)
        I[d] = i + 1
        R[1] = R[1] + 1
        if C[0] != 0:
            return 0
        if actor(there) == -2:
            R[2] = R[2] + 1
            take(A, Z, V, H, depth, d, who, scaled(payoff(there, 0), R), m)
        else:
            if size >= 2:
                pack(there, K)
                prefetch(T[pair(T, K, size)])
            M[d][open] = m
            G[d][open] = G[d][i]
            J[d][open] = made
            open += 1
        i += 1
    kept: int = 0
    i = 0
    while i < open and A[d] < Z[d]:
        m: int = M[d][i]
        made: int = J[d][i]
        I[d] = i + 1
        know(stack[made], T, K, size, left - 1 + is_extended(P, depth, d, m), F, R)
        if decides(F, A[d], Z[d]) != 0:
            R[4] = R[4] + 1
            if F[3] == 0:
                U[d] = 1
            take(A, Z, V, H, depth, d, who, F[0], m)
        else:
            sort_in(M, G, J, depth, d, kept, m, G[d][i] + (clipped(rank(C, stack[made])) << 30), made)
            kept += 1
        i += 1
    return kept


def enter(C: ints[CONTEXT], stack: states[depth * BREADTH], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
          A: ints[depth], Z: ints[depth], X: ints[depth], Y: ints[depth], V: ints[depth], H: ints[depth],
          L: ints[depth], U: ints[depth], B: ints[depth], E: ints[depth], G: rows[depth, MOVES], J: rows[depth, MOVES],
          O: rows[depth, 2], P: rows[depth, 5], T: rows[size, KEY + 3], W: ints[HISTORY], R: ints[8], depth: int,
          size: int, d: int, a: int, z: int, left: int, before: int) -> int:
    """Begin to search state d."""
    N[d] = 0
    I[d] = 0
    X[d] = a
    Y[d] = z
    A[d] = a
    Z[d] = z
    V[d] = LEAST if actor(stack[d * BREADTH]) == 0 else MOST
    H[d] = -1
    L[d] = left
    U[d] = 0
    B[d] = R[1]
    if inquires() != 0:
        make_plan(E, P, depth, d, before)
        E[d] = first_stage(E, L, P, depth, d)
    if stage(E, depth, d) == 0:
        list_moves(C, stack, M, N, I, A, Z, V, H, L, U, G, J, O, P, T, W, R, depth, size, d, before)
    return 0


def list_moves(C: ints[CONTEXT], stack: states[depth * BREADTH], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
               A: ints[depth], Z: ints[depth], V: ints[depth], H: ints[depth], L: ints[depth], U: ints[depth],
               G: rows[depth, MOVES], J: rows[depth, MOVES], O: rows[depth, 2], P: rows[depth, 5],
               T: rows[size, KEY + 3], W: ints[HISTORY], R: ints[8], depth: int, size: int, d: int,
               first: int) -> int:
    """List the moves of state d, look at the next states, sort: one of them comes first."""
    here = stack[d * BREADTH]
    K = array(KEY)
    F = array(4)
    who: int = actor(here)
    n: int = moves(C, here, M[d])
    kept: int = 0
    for i in range(n):
        m: int = M[d][i]
        if EXTENDS == 0 or m != P[d][BARRED]:
            sort_in(M, G, J, depth, d, kept, m, promise(O, W, depth, ply(P, depth, d), who, m, first), -1)
            kept += 1
    if LOOKS != 0 and L[d] > 1:
        kept = look(C, stack, M, I, A, Z, V, H, U, G, J, P, T, K, F, R, depth, size, d, kept, L[d])
    if C[0] != 0:
        return 0
    N[d] = kept
    I[d] = 0
    return 0


def learn(O: rows[depth, 2], W: ints[HISTORY], depth: int, ply: int, who: int, m: int, left: int) -> int:
    """Move m has cut off a state."""
    w: int = (who << MOVE_BITS | m) & HISTORY - 1
    W[w] = W[w] + (1 if left >= TO_THE_END else left * left)
    if O[ply][0] != m + 1:
        O[ply][1] = O[ply][0]
        O[ply][0] = m + 1
    return 0


def take(
    A: ints[depth], Z: ints[depth], V: ints[depth], H: ints[depth], depth: int, d: int, who: int, found: int, m: int
) -> int:
    """Move m is worth so much: keep it if it is the best so far, and narrow the window."""
    if who == 0:
        if found > V[d]:
            V[d] = found
            H[d] = m
            if found > A[d]:
                A[d] = found
    elif found < V[d]:
        V[d] = found
        H[d] = m
        if found < Z[d]:
            Z[d] = found
    return 0


def again(Q: ints[depth], depth: int, d: int, who: int, a: int, z: int, found: int) -> int:
    """Whether the child under way has to be searched again, and how: it was reduced and turns out to be better than
    what there is, or it was scouted and lies within the window."""
    if Q[d] >= 2:
        if (found > a) if who == 0 else (found < z):
            Q[d] = Q[d] - 2
            return 1
        return 0
    if Q[d] != 0 and a < found and found < z:
        Q[d] = 0
        return 1
    return 0


def window_begin(C: ints[CONTEXT], stack: states[depth * BREADTH], M: rows[depth, MOVES], N: ints[depth],
                 I: ints[depth], A: ints[depth], Z: ints[depth], X: ints[depth], Y: ints[depth], V: ints[depth],
                 H: ints[depth], L: ints[depth], U: ints[depth], B: ints[depth], Q: ints[depth], E: ints[depth],
                 G: rows[depth, MOVES], J: rows[depth, MOVES], O: rows[depth, 2], P: rows[depth, 5],
                 D: rows[depth, WATCHED], T: rows[size, KEY + 3], W: ints[HISTORY], S: ints[BUCKETS], R: ints[8],
                 depth: int, size: int, a: int, z: int, left: int) -> int:
    """Begin at the root ``stack[0]`` with the window (a, z) and ``left`` plies."""
    K = array(KEY)
    F = array(4)
    R[0] = 0
    R[1] = R[1] + 1
    know(stack[0], T, K, size, left, F, R)
    if decides(F, a, z) != 0:
        R[0] = -1
        R[4] = R[4] + 1
        V[0] = F[0]
        H[0] = F[2]
        U[0] = 1 - F[3]
        return -1
    watch(S)
    comes_back(stack[0], D, S, 0, depth)
    return enter(C, stack, M, N, I, A, Z, X, Y, V, H, L, U, B, E, G, J, O, P, T, W, R, depth, size, 0, a, z, left, F[2])


def window(C: ints[CONTEXT], stack: states[depth * BREADTH], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
           A: ints[depth], Z: ints[depth], X: ints[depth], Y: ints[depth], V: ints[depth], H: ints[depth],
           L: ints[depth], U: ints[depth], B: ints[depth], Q: ints[depth], E: ints[depth], G: rows[depth, MOVES],
           J: rows[depth, MOVES], O: rows[depth, 2], P: rows[depth, 5], D: rows[depth, WATCHED],
           T: rows[size, KEY + 3], W: ints[HISTORY], S: ints[BUCKETS], R: ints[8], depth: int, size: int, a: int,
           z: int, left: int, budget: int) -> int:
    """Go on for about ``budget`` nodes. Returns the depth of the path, -1 when done, -2 where a play can come back to
    a position."""
    K = array(KEY)
    F = array(4)
    d: int = R[0]
    last: int = R[1] + budget
    while d >= 0 and ((d + 2 < depth and R[1] < last) or C[0] != 0):
        here = stack[d * BREADTH]
        asks: int = 0
        have: int = 1
        if C[0] != 0:
            R[0] = d
            d = taken_back(C, E, depth, d) if PASSES != 0 else -1
            if d < 0:
                return R[0]
            list_moves(C, stack, M, N, I, A, Z, V, H, L, U, G, J, O, P, T, W, R, depth, size, d, P[d][FIRST])
            continue
        if stage(E, depth, d) & 1 != 0:
            asks = inquire(C, stack, A, Z, E, R, depth, d)
            if asks == 0:
                list_moves(C, stack, M, N, I, A, Z, V, H, L, U, G, J, O, P, T, W, R, depth, size, d, P[d][FIRST])
                continue
        elif stage(E, depth, d) == 0 and I[d] < N[d] and A[d] < Z[d]:
            child = stack[(d + 1) * BREADTH]
            i: int = I[d]
            I[d] = i + 1
            if J[d][i] >= 0 and REMAKES == 0:
                copy(child, stack[J[d][i]], STATE)
            elif J[d][i] >= 0:
                copy(child, here, STATE)
                apply(C, child, M[d][i])
            else:
                copy(child, here, STATE)
                apply(C, child, M[d][i])
                R[1] = R[1] + 1
            Q[d] = 1 if SCOUTS != 0 and i > 0 and A[d] + 1 < Z[d] else 0
            if LATE != 0 and i >= LATE and L[d] > 2:
                Q[d] = Q[d] + 2
            asks = 1 if C[0] == 0 else 0
        else:
            if A[d] >= Z[d] or stage(E, depth, d) != 0:
                R[3] = R[3] + 1
                if LEARNS != 0 and stage(E, depth, d) == 0:
                    learn(O, W, depth, ply(P, depth, d), actor(here), H[d], L[d])
            low: int = V[d] if V[d] > X[d] else LOW
            high: int = V[d] if V[d] < Y[d] else HIGH
            reach: int = L[d] if U[d] != 0 else TO_THE_END
            if EXTENDS == 0 or P[d][BARRED] < 0:
                store(here, T, K, size, low, high, H[d], reach, R[1] - B[d] + 1, R)
            F[0] = V[d]
            F[2] = H[d]
            F[3] = 1 - U[d]
            go_back(D, S, d, depth)
            d -= 1
            if d >= 0 and stage(E, depth, d) == 0:
                asks = again(Q, depth, d, actor(stack[d * BREADTH]), A[d], Z[d], F[0])
        while asks != 0:
            asks = 0
            there = stack[(d + 1) * BREADTH]
            low: int = A[d]
            high: int = Z[d]
            rest: int = L[d]
            if stage(E, depth, d) != 0:
                question(A, Z, L, E, P, F, depth, d, actor(stack[d * BREADTH]))
                low = F[0]
                high = F[1]
                rest = F[2]
            else:
                if Q[d] & 1 != 0:
                    if actor(stack[d * BREADTH]) == 0:
                        high = low + 1
                    else:
                        low = high - 1
                if rest < TO_THE_END:
                    rest += is_extended(P, depth, d, M[d][I[d] - 1]) - 1 - (Q[d] >> 1)
            ended: int = 1 if actor(there) == -2 else 0
            if ended == 0 and rest <= 0 and (rest <= -OVERTIME or is_unsettled(C, there) == 0):
                F[0] = worth(C, there)
                F[3] = 0
                R[5] = R[5] + 1
            else:
                F[2] = -1
                if stage(E, depth, d) != OTHERS:
                    know(there, T, K, size, rest, F, R)
                if stage(E, depth, d) != OTHERS and decides(F, low, high) != 0:
                    at: int = 2 if ended != 0 else 4
                    R[at] = R[at] + 1
                elif comes_back(there, D, S, d + 1, depth):
                    R[0] = d
                    return -2
                else:
                    have = 0
                    enter(C, stack, M, N, I, A, Z, X, Y, V, H, L, U, B, E, G, J, O, P, T, W, R, depth, size, d + 1, low,
                          high, rest, F[2])
            if have != 0 and stage(E, depth, d) == 0 and C[0] == 0:
                asks = again(Q, depth, d, actor(stack[d * BREADTH]), A[d], Z[d], F[0])
        if have == 0:
            d += 1
        elif d < 0 or C[0] != 0:
            continue
        elif stage(E, depth, d) != 0:
            if answer(A, Z, V, H, U, E, P, F, depth, d, actor(stack[d * BREADTH])) != 0:
                list_moves(C, stack, M, N, I, A, Z, V, H, L, U, G, J, O, P, T, W, R, depth, size, d, P[d][FIRST])
        else:
            if F[3] == 0:
                U[d] = 1
            take(A, Z, V, H, depth, d, actor(stack[d * BREADTH]), F[0], M[d][I[d] - 1])
    R[0] = d
    return d
