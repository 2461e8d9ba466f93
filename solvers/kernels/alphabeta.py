"""Alpha-beta with a transposition table, on a stack of its own (see :mod:`zermelo.solvers.search.alphabeta` for what it
computes).

A table entry holds the packed key of a position, all of it, so that no two positions are ever taken for one another;
the value found, whether it is exact (1), a lower (2) or an upper bound (3), and the best move, which is tried first
when the position comes up again. A new entry replaces the old one in its place.

``V[d]`` is the best value found so far in state d of the path, from the first player's view, ``A[d]`` and ``Z[d]`` the
window, ``X[d]`` and ``Y[d]`` the window as it was on entering, ``H[d]`` the number of the best move. ``R`` holds the
progress: the depth, nodes, terminals, cutoffs, hits, and how many first moves have equalled the best one. ``U`` and
``T`` watch the path (``loops.py``); the answer -2 says that a play can come back to a position.
"""


def enter(C: ints[CONTEXT], S: state, M: ints[MOVES], first: int) -> int:
    n: int = moves(C, S, M)
    if first >= 0:
        i: int = 0
        while i < n and M[i] != first:
            i += 1
        if i < n:
            while i > 0:
                M[i] = M[i - 1]
                i -= 1
            M[0] = first
    return n


def alphabeta_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
                    A: ints[depth], Z: ints[depth], X: ints[depth], Y: ints[depth], V: ints[depth], H: ints[depth],
                    U: rows[depth, WATCHED], table: rows[size, KEY + 3], T: ints[BUCKETS], R: ints[8], depth: int,
                    size: int) -> int:
    watch(T)
    for k in range(8):
        R[k] = 0
    R[1] = 1
    I[0] = 0
    A[0] = -4611686018427387904
    Z[0] = 4611686018427387904
    X[0] = A[0]
    Y[0] = Z[0]
    H[0] = 0
    if actor(stack[0]) == -2:
        N[0] = 0
        V[0] = payoff(stack[0], 0)
        R[2] = 1
        return 0
    comes_back(stack[0], U, T, 0, depth)
    N[0] = moves(C, stack[0], M[0])
    V[0] = 4611686018427387904 if actor(stack[0]) == 1 else -4611686018427387904
    return 0


def alphabeta(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
              A: ints[depth], Z: ints[depth], X: ints[depth], Y: ints[depth], V: ints[depth], H: ints[depth],
              U: rows[depth, WATCHED], table: rows[size, KEY + 3], T: ints[BUCKETS], R: ints[8], depth: int, size: int,
              budget: int) -> int:
    d: int = R[0]
    left: int = budget
    K = array(KEY)
    while left > 0:
        have: int = 0
        found: int = 0
        if I[d] < N[d] and A[d] < Z[d]:
            there = stack[d + 1]
            copy(there, stack[d], STATE)
            apply(C, there, M[d][I[d]])
            I[d] = I[d] + 1
            R[1] = R[1] + 1
            left -= 1
            who: int = actor(there)
            if who == -2:
                R[2] = R[2] + 1
                found = payoff(there, 0)
                have = 1
            elif comes_back(there, U, T, d + 1, depth):
                R[0] = d
                return -2
            else:
                a: int = A[d]
                z: int = Z[d]
                first: int = -1
                if size > 1:
                    pack(there, K)
                    entry = table[slot_of(K, size)]
                    same: int = entry[KEY + 1]
                    for k in range(KEY):
                        if entry[k] != K[k]:
                            same = 0
                    if same != 0:
                        first = entry[KEY + 2]
                        if same == 1 or (same == 2 and entry[KEY] >= z) or (same == 3 and entry[KEY] <= a):
                            found = entry[KEY]
                            have = 1
                            R[4] = R[4] + 1
                            go_back(U, T, d + 1, depth)
                if have == 0:
                    d += 1
                    I[d] = 0
                    N[d] = enter(C, there, M[d], first)
                    A[d] = a
                    Z[d] = z
                    X[d] = a
                    Y[d] = z
                    H[d] = 0
                    V[d] = -4611686018427387904 if who == 0 else 4611686018427387904
                    if d + 2 >= depth:
                        left = 0
            if C[0] != 0:
                left = 0
        elif d == 0:
            d = -1
            left = 0
        else:
            found = V[d]
            have = 1
            if I[d] < N[d]:
                R[3] = R[3] + 1
            if size > 1:
                pack(stack[d], K)
                held = table[slot_of(K, size)]
                for k in range(KEY):
                    held[k] = K[k]
                held[KEY] = found
                held[KEY + 1] = 3 if found <= X[d] else 2 if found >= Y[d] else 1
                held[KEY + 2] = M[d][H[d]]
            go_back(U, T, d, depth)
            d -= 1
        if have != 0:
            if d == 0:
                if found == V[0]:
                    R[5] = R[5] + 1
                elif (found > V[0]) == (actor(stack[0]) == 0):
                    R[5] = 0
            if actor(stack[d]) == 0:
                if found > V[d]:
                    V[d] = found
                    H[d] = I[d] - 1
                    if found > A[d]:
                        A[d] = found
            elif found < V[d]:
                V[d] = found
                H[d] = I[d] - 1
                if found < Z[d]:
                    Z[d] = found
    R[0] = d
    return d
