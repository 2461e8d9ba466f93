"""Expectiminimax over the whole tree, on a stack of its own (see :mod:`solvers.expectiminimax` for what it computes).

``V[d]`` is the best value found so far in state d of the path, from the first player's view, a fraction; where chance
draws it is the sum of the values of its outcomes so far, each times its weight in ``W[d]``, and ``T[d]`` the sum of all
weights, else 0. ``B`` takes the value of every first move. ``R`` holds the progress: the depth, nodes and terminals,
and in ``R[7]`` whether a number has left its bounds.
"""


def enter(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES], V: ints[2], N: ints[depth], I: ints[depth],
          T: ints[depth], d: int, depth: int) -> int:
    I[d] = 0
    T[d] = 0
    V[0] = 0
    V[1] = 1
    if actor(S) == -1:
        N[d] = outcomes(C, S, M, W)
        for k in range(N[d]):
            T[d] = T[d] + W[k]
    else:
        N[d] = moves(C, S, M)
    return 0


def expectiminimax_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
                         T: ints[depth], W: rows[depth, MOVES], V: rows[depth, 2], B: rows[MOVES, 2], R: ints[8],
                         depth: int) -> int:
    for k in range(8):
        R[k] = 0
    R[1] = 1
    if actor(stack[0]) != -2:
        return enter(C, stack[0], M[0], W[0], V[0], N, I, T, 0, depth)
    value = V[0]
    value[0] = payoff(stack[0], 0)
    value[1] = 1
    N[0] = 0
    I[0] = 0
    T[0] = 0
    R[2] = 1
    return 0


def expectiminimax(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
                   T: ints[depth], W: rows[depth, MOVES], V: rows[depth, 2], B: rows[MOVES, 2], R: ints[8],
                   depth: int, budget: int) -> int:
    d: int = R[0]
    left: int = budget
    while left > 0:
        value = V[d]
        found: int = 0
        over: int = 1
        have: int = 0
        if I[d] < N[d]:
            there = stack[d + 1]
            copy(there, stack[d], STATE)
            apply(C, there, M[d][I[d]])
            I[d] = I[d] + 1
            R[1] = R[1] + 1
            left -= 1
            if actor(there) == -2:
                R[2] = R[2] + 1
                found = payoff(there, 0)
                have = 1
            else:
                d += 1
                enter(C, there, M[d], W[d], V[d], N, I, T, d, depth)
                if d + 2 >= depth:
                    left = 0
        else:
            if T[d] > 0:
                divide(value, 0, T[d], R, 2)
            found = value[0]
            over = value[1]
            if d > 0:
                have = 1
            else:
                left = 0
            d -= 1
        if have != 0:
            before = V[d]
            if d == 0:
                first = B[I[0] - 1]
                first[0] = found
                first[1] = over
            if T[d] > 0:
                add_share(before, 0, W[d][I[d] - 1], found, over, R, 2)
            elif I[d] == 1 or (is_less(before[0], before[1], found, over, R) if actor(stack[d]) == 0
                               else is_less(found, over, before[0], before[1], R)):
                before[0] = found
                before[1] = over
        if C[0] != 0 or R[7] != 0:
            left = 0
    R[0] = d
    return d
