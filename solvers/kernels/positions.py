"""All positions that can be reached, each visited once (see :mod:`interpreter.checks.survey`).

``table`` is a hash table of ``size`` rows, a power of 2: the packed key of a position and what its end pays, then 0
for an empty row, 1 for a position on the present path, and else 2 more than the length of the longest play from it.
``P[d]`` is the row of state d of the path, ``L[d]`` the longest play from it found so far. ``R`` holds the progress:
the depth, positions, terminals, and in ``R[3]`` whether a play has been found that comes back to a position; the first
time that one is, the answer is -2, and the count can go on. The answer -3 says that the table is full.
"""


def find(S: state, K: ints[KEY], table: rows[size, KEY + PLAYERS + 1], size: int) -> int:
    over: int = 1 if actor(S) == -2 else 0
    pack(S, K)
    h: int = over
    for k in range(KEY):
        h = mix(h, K[k])
    for p in range(PLAYERS):
        h = mix(h, ended(S, p) if over != 0 else 0)
    h = (h >> 12) & (size - 1)
    while 1:
        row = table[h]
        if row[KEY + PLAYERS] == 0:
            return h
        same: int = 1
        for k in range(KEY):
            if row[k] != K[k]:
                same = 0
        for p in range(PLAYERS):
            if row[KEY + p] != (ended(S, p) if over != 0 else 0):
                same = 0
        if same != 0:
            return h
        h = (h + 1) & (size - 1)
    return 0


def listed(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES]) -> int:
    who: int = actor(S)
    if who == -2:
        return 0
    if who == -1:
        return outcomes(C, S, M, W)
    return moves(C, S, M)


def occupy(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES], K: ints[KEY],
           table: rows[size, KEY + PLAYERS + 1], R: ints[8], at: int, size: int) -> int:
    row = table[at]
    for k in range(KEY):
        row[k] = K[k]
    for p in range(PLAYERS):
        row[KEY + p] = ended(S, p) if actor(S) == -2 else 0
    row[KEY + PLAYERS] = 1
    R[1] = R[1] + 1
    if actor(S) == -2:
        R[2] = R[2] + 1
    return listed(C, S, M, W)


def positions_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
                    P: ints[depth], L: ints[depth], W: ints[MOVES], table: rows[size, KEY + PLAYERS + 1], R: ints[8],
                    depth: int, size: int) -> int:
    K = array(KEY)
    for k in range(8):
        R[k] = 0
    P[0] = find(stack[0], K, table, size)
    I[0] = 0
    L[0] = 0
    N[0] = occupy(C, stack[0], M[0], W, K, table, R, P[0], size)
    return 0


def positions(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
              P: ints[depth], L: ints[depth], W: ints[MOVES], table: rows[size, KEY + PLAYERS + 1], R: ints[8],
              depth: int, size: int, budget: int) -> int:
    d: int = R[0]
    left: int = budget
    K = array(KEY)
    while left > 0:
        left -= 1
        if I[d] < N[d]:
            there = stack[d + 1]
            copy(there, stack[d], STATE)
            apply(C, there, M[d][I[d]])
            I[d] = I[d] + 1
            at: int = find(there, K, table, size)
            known: int = table[at][KEY + PLAYERS]
            if known == 0:
                d += 1
                P[d] = at
                I[d] = 0
                L[d] = 0
                N[d] = occupy(C, there, M[d], W, K, table, R, at, size)
                if R[1] * 4 > size * 3:
                    return -3
                if d + 2 >= depth:
                    left = 0
            elif known == 1:
                if R[3] == 0:
                    R[3] = 1
                    R[0] = d
                    return -2
            elif known - 1 > L[d]:
                L[d] = known - 1
            if C[0] != 0:
                left = 0
        else:
            held = table[P[d]]
            held[KEY + PLAYERS] = L[d] + 2
            if d == 0:
                R[0] = 0
                return -1
            d -= 1
            if L[d + 1] + 1 > L[d]:
                L[d] = L[d + 1] + 1
    R[0] = d
    return d
