"""All positions that can be reached, each entered once, by one thread or several
(:mod:`zermelo.solvers.native.positions`).

``table`` is a hash table of ``size`` rows: the packed key of a position and what its end pays, then its mark: 0 for an
empty row, ``WRITING`` for one that is being filled, ``OPEN`` for a position that has been entered, and else ``LEFT``
more than the length of the longest play from a position that has been left. Threads share the table and nothing else.
A row is claimed first, then filled, then marked as open, and who finds it claimed waits for that; its key never changes
afterwards, and what has been left stays left. (The key of an end is never that of another position.) When the table is
full, ``positions_move`` fills a larger one, and with ``positions_resume`` every thread finds the rows of its path anew.
``row_of`` gives ``size`` more than the row where it has claimed and filled it, and leaves it to be marked.

``own`` has a bit for every row, 32 to a number: whether the position is on this thread's path. ``P[d]`` is the row of
state d of the path, ``L[d]`` the longest play from it found so far. ``R`` holds the progress: the depth, the positions
that this thread has entered, how many of them are ends, and in ``R[3]`` whether it has found a play that comes back to
a position; the first time it does, the answer is -2, and the count can go on. A step enters one position at most.

Threads with a ``number`` above 0 try moves in an order of their own, so that they work in other parts of the game.
"""

WRITING = 1
OPEN = 2
LEFT = 3


def row_of(K: ints[KEY + PLAYERS], table: rows[size, KEY + PLAYERS + 1], size: int) -> int:
    h: int = 0
    for k in range(KEY + PLAYERS):
        h = mix(h, K[k])
    h = (h >> 32) * size >> 31
    while 1:
        row = table[h]
        mark: int = acquire(row, KEY + PLAYERS)
        if mark == 0:
            if claim(row, KEY + PLAYERS) != 0:
                for k in range(KEY + PLAYERS):
                    row[k] = K[k]
                return h + size
            mark = WRITING
        while mark == WRITING:
            mark = acquire(row, KEY + PLAYERS)
        same: int = 1
        for k in range(KEY + PLAYERS):
            if row[k] != K[k]:
                same = 0
        if same != 0:
            return h
        h = h + 1 if h + 1 < size else 0
    return 0


def enter(S: state, K: ints[KEY + PLAYERS], table: rows[size, KEY + PLAYERS + 1], R: ints[8], size: int) -> int:
    over: int = 1 if actor(S) == -2 else 0
    pack(S, K)
    for p in range(PLAYERS):
        K[KEY + p] = ended(S, p) if over != 0 else 0
    at: int = row_of(K, table, size)
    if at < size:
        return at
    at -= size
    release(table[at], KEY + PLAYERS, OPEN)
    R[1] = R[1] + 1
    R[2] = R[2] + over
    return at


def positions_move(C: ints[CONTEXT], old: rows[size, KEY + PLAYERS + 1], table: rows[larger, KEY + PLAYERS + 1],
                   first: int, end: int, size: int, larger: int) -> int:
    K = array(KEY + PLAYERS)
    for at in range(first, end):
        row = old[at]
        if row[KEY + PLAYERS] != 0:
            for k in range(KEY + PLAYERS):
                K[k] = row[k]
            to: int = row_of(K, table, larger) - larger
            release(table[to], KEY + PLAYERS, row[KEY + PLAYERS])
    return 0


def listed(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES]) -> int:
    who: int = actor(S)
    if who == -2:
        return 0
    if who == -1:
        return outcomes(C, S, M, W)
    return moves(C, S, M)


def is_on_path(own: ints[words], at: int, words: int) -> int:
    return own[at >> 5] >> (at & 31) & 1


def toggle(own: ints[words], at: int, words: int) -> int:
    own[at >> 5] = own[at >> 5] ^ (1 << (at & 31))
    return 0


def choose(M: ints[MOVES], first: int, end: int, h: int) -> int:
    other: int = first + (((h >> 20) & 65535) * (end - first) >> 16)
    move: int = M[other]
    M[other] = M[first]
    M[first] = move
    return move


def positions_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
                    P: ints[depth], L: ints[depth], W: ints[MOVES], table: rows[size, KEY + PLAYERS + 1],
                    own: ints[words], R: ints[8], depth: int, size: int, words: int, number: int) -> int:
    K = array(KEY + PLAYERS)
    for k in range(8):
        R[k] = 0
    P[0] = enter(stack[0], K, table, R, size)
    toggle(own, P[0], words)
    I[0] = 0
    L[0] = 0
    N[0] = listed(C, stack[0], M[0], W)
    return 0


def positions_resume(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
                     P: ints[depth], L: ints[depth], W: ints[MOVES], table: rows[size, KEY + PLAYERS + 1],
                     own: ints[words], R: ints[8], depth: int, size: int, words: int, number: int) -> int:
    K = array(KEY + PLAYERS)
    for d in range(R[0] + 1):
        P[d] = enter(stack[d], K, table, R, size)
        toggle(own, P[d], words)
    return 0


def positions(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
              P: ints[depth], L: ints[depth], W: ints[MOVES], table: rows[size, KEY + PLAYERS + 1],
              own: ints[words], R: ints[8], depth: int, size: int, words: int, number: int, budget: int) -> int:
    d: int = R[0]
    left: int = budget
    K = array(KEY + PLAYERS)
    while left > 0:
        left -= 1
        if I[d] < N[d]:
            there = stack[d + 1]
            copy(there, stack[d], STATE)
            if number != 0:
                choose(M[d], I[d], N[d], mix(P[d] + I[d], number))
            apply(C, there, M[d][I[d]])
            I[d] = I[d] + 1
            at: int = enter(there, K, table, R, size)
            mark: int = acquire(table[at], KEY + PLAYERS)
            if mark != OPEN:
                if mark - LEFT + 1 > L[d]:
                    L[d] = mark - LEFT + 1
            elif is_on_path(own, at, words) != 0:
                if R[3] == 0:
                    R[3] = 1
                    R[0] = d
                    return -2
            else:
                toggle(own, at, words)
                d += 1
                P[d] = at
                I[d] = 0
                L[d] = 0
                N[d] = listed(C, there, M[d], W)
                if d + 2 >= depth:
                    left = 0
            if C[0] != 0:
                left = 0
        else:
            release(table[P[d]], KEY + PLAYERS, L[d] + LEFT)
            toggle(own, P[d], words)
            if d == 0:
                R[0] = 0
                return -1
            d -= 1
            if L[d + 1] + 1 > L[d]:
                L[d] = L[d + 1] + 1
    R[0] = d
    return d
