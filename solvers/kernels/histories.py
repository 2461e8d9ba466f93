"""Count the histories of a game, one by one (see :mod:`zermelo.solvers.forms.extensive_form`).

``R`` holds the progress: the depth, then histories, ends, and histories in which a player decides. ``limit`` is how
many are counted at most; the answer -3 says that there are more.
"""


def opened(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES], R: ints[8]) -> int:
    who: int = actor(S)
    R[1] = R[1] + 1
    if who == -2:
        R[2] = R[2] + 1
        return 0
    if who == -1:
        return outcomes(C, S, M, W)
    R[3] = R[3] + 1
    return moves(C, S, M)


def histories_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
                    W: ints[MOVES], R: ints[8], depth: int, limit: int) -> int:
    for k in range(8):
        R[k] = 0
    I[0] = 0
    N[0] = opened(C, stack[0], M[0], W, R)
    return 0


def histories(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
              W: ints[MOVES], R: ints[8], depth: int, limit: int, budget: int) -> int:
    d: int = R[0]
    left: int = budget
    while left > 0:
        left -= 1
        if I[d] < N[d]:
            there = stack[d + 1]
            copy(there, stack[d], STATE)
            apply(C, there, M[d][I[d]])
            I[d] = I[d] + 1
            d += 1
            I[d] = 0
            N[d] = opened(C, there, M[d], W, R)
            if d + 2 >= depth or C[0] != 0 or poll() != 0:
                left = 0
            if R[1] > limit:
                return -3
        else:
            d -= 1
            if d < 0:
                left = 0
    R[0] = d
    return d
