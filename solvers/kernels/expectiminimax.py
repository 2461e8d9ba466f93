"""Expectiminimax on a stack of its own (see :mod:`zermelo.solvers.search.expectiminimax` for what it computes).

``V[d]`` is the best value found so far in state d of the path, from the first player's view, a fraction; where chance
draws it is the sum of the values of its outcomes so far, each times its weight in ``W[d]``, and ``T[d]`` the sum of all
weights, else 0. ``B`` takes the value of every first move. The root is searched ``left`` plies deep. ``R`` holds the
progress: the depth, nodes, terminals and positions at the horizon, and in ``R[7]`` whether a number has left its
bounds. ``U`` and ``Y`` watch the path (``loops.py``); the answer -2 says that a play can come back to a position.
"""


def enter(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES], V: ints[2], N: ints[depth], I: ints[depth],
          T: ints[depth], R: ints[8], d: int, left: int, depth: int) -> int:
    """Begin state d, with so many plies left. Whether its value is known at once, as it is of an end or a position at
    the horizon."""
    who: int = actor(S)
    N[d] = 0
    I[d] = 0
    T[d] = 0
    V[0] = 0
    V[1] = 1
    R[1] = R[1] + 1
    if who == -2:
        R[2] = R[2] + 1
        V[0] = paid(S, 0, R)
        return 1
    if is_cut(C, S, left) != 0:
        R[3] = R[3] + 1
        V[0] = guess(C, S, 0, R)
        return 1
    if who == -1:
        N[d] = outcomes(C, S, M, W)
        for k in range(N[d]):
            T[d] = T[d] + W[k]
    else:
        N[d] = moves(C, S, M)
    return 0


def expectiminimax_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
                         T: ints[depth], W: rows[depth, MOVES], V: rows[depth, 2], U: rows[depth, WATCHED],
                         B: rows[MOVES, 2], Y: ints[BUCKETS], R: ints[8], depth: int, left: int) -> int:
    R[0] = 0
    watch(Y)
    comes_back(stack[0], U, Y, 0, depth)
    return enter(C, stack[0], M[0], W[0], V[0], N, I, T, R, 0, left, depth)


def expectiminimax(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
                   T: ints[depth], W: rows[depth, MOVES], V: rows[depth, 2], U: rows[depth, WATCHED],
                   B: rows[MOVES, 2], Y: ints[BUCKETS], R: ints[8], depth: int, left: int, budget: int) -> int:
    d: int = R[0]
    steps: int = budget
    while steps > 0:
        have: int = 1
        if I[d] < N[d]:
            there = stack[d + 1]
            copy(there, stack[d], STATE)
            apply(C, there, M[d][I[d]])
            I[d] = I[d] + 1
            steps -= 1
            have = enter(C, there, M[d + 1], W[d + 1], V[d + 1], N, I, T, R, d + 1, left - d - 1, depth)
            if have == 0:
                if comes_back(there, U, Y, d + 1, depth):
                    R[0] = d
                    return -2
                d += 1
                if d + 2 >= depth:
                    steps = 0
        else:
            if T[d] > 0:
                divide(V[d], 0, T[d], R, 2)
            go_back(U, Y, d, depth)
            d -= 1
            if d < 0:
                have = 0
                steps = 0
        if have != 0:
            value = V[d + 1]
            before = V[d]
            if d == 0:
                first = B[I[0] - 1]
                first[0] = value[0]
                first[1] = value[1]
            if T[d] > 0:
                add_share(before, 0, W[d][I[d] - 1], value[0], value[1], R, 2)
            elif I[d] == 1 or (is_less(before[0], before[1], value[0], value[1]) if actor(stack[d]) == 0
                               else is_less(value[0], value[1], before[0], before[1])):
                before[0] = value[0]
                before[1] = value[1]
        if C[0] != 0 or R[7] != 0:
            steps = 0
    R[0] = d
    return d
