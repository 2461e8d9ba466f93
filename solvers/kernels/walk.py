"""Walks: count the plays of a given length (perft).

``R`` holds the progress: the depth, the plays counted, and the moves made. ``limit`` is the length asked for. A play
that ends earlier does not count. At the last level moves are counted without being made, where chance has no say.
"""


def walk_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], W: ints[MOVES], N: ints[depth],
               I: ints[depth], R: ints[8], depth: int) -> int:
    R[0] = 0
    R[1] = 0
    R[2] = 0
    I[0] = 0
    N[0] = listed(C, stack[0], M[0], W)
    return 0


def listed(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES]) -> int:
    who: int = actor(S)
    if who == -2:
        return 0
    if who == -1:
        return outcomes(C, S, M, W)
    return moves(C, S, M)


def walk(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], W: ints[MOVES], N: ints[depth],
         I: ints[depth], R: ints[8], depth: int, limit: int, budget: int) -> int:
    d: int = R[0]
    plays: int = R[1]
    made: int = R[2]
    left: int = budget
    while left > 0:
        if d + 1 == limit:
            plays += N[d]
            I[d] = N[d]
        if I[d] == N[d]:
            if d == 0:
                left = 0
                d = -1
            else:
                d -= 1
        else:
            copy(stack[d + 1], stack[d], STATE)
            apply(C, stack[d + 1], M[d][I[d]])
            made += 1
            left -= 1
            I[d] = I[d] + 1
            d += 1
            I[d] = 0
            N[d] = listed(C, stack[d], M[d], W)
            if C[0] != 0 or poll() != 0:
                left = 0
    R[0] = d
    R[1] = plays
    R[2] = made
    return d
