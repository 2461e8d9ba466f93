"""Depth-first proof-number search (see :mod:`zermelo.solvers.search.dfpn` for what it computes), for the question
whether the first player gets ``need`` or more.

For state d of the path: ``N[d]`` moves have been looked at, of which number ``I[d] - 1`` is being searched; ``E[d]``
tells whether they are all moves; ``A[d]`` and ``Z[d]`` are the limits of what the first and the second player need,
``B[d]`` the nodes on entering, and ``Y[d]`` the number of the entry in histories. For each move ``P[d]`` and ``Q[d]``
are what the first and the second player need behind it, ``X[d]`` and ``V[d]`` the bounds of the value there.

A table entry is the key, the bounds, what the two players need, the question to which that belongs, the number in
histories, and the nodes that it cost, at least 1 (0: no entry). Entries stand in groups of eight; in a full group the
one that cost least gives way. The key is the position and what has been earned. Where rules look at the history of the
play (``IS_HISTORY``) it is the play: the number of the state before, which it keeps with its entry, and the move.

``U`` and ``W`` watch the path (``loops.py``). ``R`` holds the progress: the depth of the path, nodes, terminals, hits,
and how many numbers have been given out.
"""

NEVER = 1152921504606846976
MANY = 17592186044416
LEAST = -4611686018427387904
MOST = 4611686018427387904


def name(S: state, K: ints[KEY + 1], before: int, m: int) -> int:
    """The key of a state that is reached by move m from the state numbered ``before``."""
    if IS_HISTORY != 0:
        for k in range(KEY + 1):
            K[k] = 0
        K[0] = before
        K[KEY] = m
    else:
        L = array(KEY)
        pack(S, L)
        for k in range(KEY):
            K[k] = L[k]
        K[KEY] = earned(S, 0)
    return 0


def place(T: rows[size, KEY + 8], K: ints[KEY + 1], size: int) -> int:
    """Where a key stands, or, less 1 and negative, where it is to stand."""
    h: int = 0
    for k in range(KEY + 1):
        h = mix(h, K[k])
    at: int = ((h >> 12) & (size - 1)) & -8
    cheapest: int = at
    for j in range(at, at + 8):
        entry = T[j]
        if entry[KEY + 7] == 0:
            return -1 - j
        same: int = 1
        for k in range(KEY + 1):
            if entry[k] != K[k]:
                same = 0
        if same != 0:
            return j
        least = T[cheapest]
        if entry[KEY + 7] < least[KEY + 7]:
            cheapest = j
    return -1 - cheapest


def answer(P: ints[MOVES], Q: ints[MOVES], X: ints[MOVES], V: ints[MOVES], i: int, need: int) -> int:
    """What is needed behind move i, where its bounds answer the question."""
    if X[i] >= need:
        P[i] = 0
        Q[i] = NEVER
    elif V[i] < need:
        P[i] = NEVER
        Q[i] = 0
    return 0


def enter(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
          E: ints[depth], A: ints[depth], Z: ints[depth], B: ints[depth], Y: ints[depth], P: rows[depth, MOVES],
          Q: rows[depth, MOVES], X: rows[depth, MOVES], V: rows[depth, MOVES], T: rows[size, KEY + 8], R: ints[8],
          depth: int, size: int, need: int, d: int) -> int:
    """Begin to search state d: look at the next states, up to one that decides."""
    K = array(KEY + 1)
    who: int = actor(stack[d])
    n: int = moves(C, stack[d], M[d])
    N[d] = n
    E[d] = 1
    B[d] = R[1]
    i: int = 0
    while i < n:
        m: int = M[d][i]
        I[d] = i + 1
        there = stack[d + 1]
        copy(there, stack[d], STATE)
        apply(C, there, m)
        R[1] = R[1] + 1
        if C[0] != 0:
            return 0
        P[d][i] = 0
        Q[d][i] = 0
        X[d][i] = LEAST
        V[d][i] = MOST
        if actor(there) == -2:
            R[2] = R[2] + 1
            X[d][i] = payoff(there, 0)
            V[d][i] = X[d][i]
        else:
            name(there, K, Y[d], m)
            at: int = place(T, K, size)
            if at >= 0:
                R[3] = R[3] + 1
                entry = T[at]
                X[d][i] = entry[KEY + 1]
                V[d][i] = entry[KEY + 2]
                if entry[KEY + 5] == need:
                    P[d][i] = entry[KEY + 3]
                    Q[d][i] = entry[KEY + 4]
        answer(P[d], Q[d], X[d], V[d], i, need)
        if P[d][i] + Q[d][i] == 0:
            choices: int = moves(C, there, M[d + 1])
            P[d][i] = 1 if actor(there) == 0 else choices
            Q[d][i] = choices if actor(there) == 0 else 1
            if C[0] != 0:
                return 0
        decides: int = P[d][i] if who == 0 else Q[d][i]
        i += 1
        if decides == 0:
            E[d] = 1 if i == n else 0
            N[d] = i
            n = i
    return 0


def keep(S: state, T: rows[size, KEY + 8], F: ints[4], before: int, m: int, number: int, size: int, need: int,
         work: int) -> int:
    """Remember a state: ``F`` has what the players need, and the bounds, to which those known before are added."""
    K = array(KEY + 1)
    name(S, K, before, m)
    at: int = place(T, K, size)
    is_new: int = 0
    if at < 0:
        at = -1 - at
        is_new = 1
    entry = T[at]
    if is_new == 0:
        if entry[KEY + 1] > F[2]:
            F[2] = entry[KEY + 1]
        if entry[KEY + 2] < F[3]:
            F[3] = entry[KEY + 2]
        work += entry[KEY + 7]
    for k in range(KEY + 1):
        entry[k] = K[k]
    entry[KEY + 1] = F[2]
    entry[KEY + 2] = F[3]
    entry[KEY + 3] = F[0]
    entry[KEY + 4] = F[1]
    entry[KEY + 5] = need
    entry[KEY + 6] = number
    entry[KEY + 7] = work
    return 0


def number_of(T: rows[size, KEY + 8], K: ints[KEY + 1], R: ints[8], size: int) -> int:
    """The number of a state in histories: that of its entry, or a new one."""
    at: int = place(T, K, size)
    if at >= 0:
        entry = T[at]
        return entry[KEY + 6]
    R[4] = R[4] + 1
    return R[4]


def dfpn_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
               E: ints[depth], A: ints[depth], Z: ints[depth], B: ints[depth], Y: ints[depth], P: rows[depth, MOVES],
               Q: rows[depth, MOVES], X: rows[depth, MOVES], V: rows[depth, MOVES], U: rows[depth, WATCHED],
               T: rows[size, KEY + 8], W: ints[BUCKETS], R: ints[8], depth: int, size: int, need: int,
               number: int) -> int:
    """Begin at the root, whose number in histories is ``number``, or a new one if that is 0."""
    watch(W)
    comes_back(stack[0], U, W, 0, depth)
    R[0] = 0
    R[1] = R[1] + 1
    if number == 0:
        R[4] = R[4] + 1
    Y[0] = R[4] if number == 0 else number
    A[0] = NEVER
    Z[0] = NEVER
    return enter(C, stack, M, N, I, E, A, Z, B, Y, P, Q, X, V, T, R, depth, size, need, 0)


def dfpn(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
         E: ints[depth], A: ints[depth], Z: ints[depth], B: ints[depth], Y: ints[depth], P: rows[depth, MOVES],
         Q: rows[depth, MOVES], X: rows[depth, MOVES], V: rows[depth, MOVES], U: rows[depth, WATCHED],
         T: rows[size, KEY + 8], W: ints[BUCKETS], R: ints[8], depth: int, size: int, need: int, number: int,
         budget: int) -> int:
    """Go on for about ``budget`` nodes. Returns the depth of the path, -1 when done, -2 where a play can come back to
    a position."""
    K = array(KEY + 1)
    F = array(4)
    d: int = R[0]
    last: int = R[1] + budget
    while d >= 0 and d + 2 < depth and R[1] < last and C[0] == 0:
        who: int = actor(stack[d])
        own: int = NEVER
        second: int = NEVER
        total: int = 0
        best: int = -1
        low: int = LEAST if who == 0 else MOST
        high: int = low
        for i in range(N[d]):
            mine: int = P[d][i] if who == 0 else Q[d][i]
            theirs: int = Q[d][i] if who == 0 else P[d][i]
            if mine < own or best < 0:
                second = own
                own = mine
                best = i
            elif mine < second:
                second = mine
            total = NEVER if total >= NEVER or theirs >= NEVER else total + theirs
            if (X[d][i] > low) == (who == 0):
                low = X[d][i]
            if (V[d][i] > high) == (who == 0):
                high = V[d][i]
        other: int = total if total >= NEVER or total <= MANY else MANY
        own_limit: int = A[d] if who == 0 else Z[d]
        other_limit: int = Z[d] if who == 0 else A[d]
        if own >= own_limit or other >= other_limit:
            if E[d] == 0:
                if who == 0:
                    high = MOST
                else:
                    low = LEAST
            F[0] = own if who == 0 else other
            F[1] = other if who == 0 else own
            F[2] = low
            F[3] = high
            if d > 0:
                before: int = I[d - 1] - 1
                keep(stack[d], T, F, Y[d - 1], M[d - 1][before], Y[d], size, need, R[1] - B[d])
                P[d - 1][before] = F[0]
                Q[d - 1][before] = F[1]
                X[d - 1][before] = F[2]
                V[d - 1][before] = F[3]
                answer(P[d - 1], Q[d - 1], X[d - 1], V[d - 1], before, need)
            else:
                X[0][0] = F[2]
                V[0][0] = F[3]
            go_back(U, W, d, depth)
            d -= 1
        else:
            against: int = Q[d][best] if who == 0 else P[d][best]
            limit: int = second + (second >> 2) + 1
            if limit > own_limit:
                limit = own_limit
            rest: int = other_limit - (total - against)
            if rest <= against:
                rest = against + 1
            I[d] = best + 1
            copy(stack[d + 1], stack[d], STATE)
            apply(C, stack[d + 1], M[d][best])
            if comes_back(stack[d + 1], U, W, d + 1, depth):
                R[0] = d
                return -2
            if IS_HISTORY != 0:
                name(stack[d + 1], K, Y[d], M[d][best])
                Y[d + 1] = number_of(T, K, R, size)
            d += 1
            A[d] = limit if who == 0 else rest
            Z[d] = rest if who == 0 else limit
            enter(C, stack, M, N, I, E, A, Z, B, Y, P, Q, X, V, T, R, depth, size, need, d)
    R[0] = d
    return d
