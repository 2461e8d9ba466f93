"""Minimax over the whole tree, on a stack of its own (see :mod:`zermelo.solvers.search.minimax` for what it computes).

``V[d]`` is the best value found so far in state d of the path, from the first player's view; ``B`` takes the value of
every first move. ``U`` and ``T`` watch the path (``loops.py``). ``R`` holds the progress: the depth, nodes and
terminals. The answer -2 says that a play can come back to a position.
"""


def minimax_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
                  V: ints[depth], U: rows[depth, WATCHED], B: ints[MOVES], T: ints[BUCKETS], R: ints[8],
                  depth: int) -> int:
    watch(T)
    R[0] = 0
    R[1] = 1
    R[2] = 0
    I[0] = 0
    if actor(stack[0]) == -2:
        N[0] = 0
        V[0] = payoff(stack[0], 0)
        R[2] = 1
        return 0
    comes_back(stack[0], U, T, 0, depth)
    N[0] = moves(C, stack[0], M[0])
    V[0] = 4611686018427387904 if actor(stack[0]) == 1 else -4611686018427387904
    return 0


def minimax(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
            V: ints[depth], U: rows[depth, WATCHED], B: ints[MOVES], T: ints[BUCKETS], R: ints[8], depth: int,
            budget: int) -> int:
    d: int = R[0]
    nodes: int = R[1]
    terminals: int = R[2]
    left: int = budget
    while left > 0:
        if I[d] < N[d]:
            there = stack[d + 1]
            copy(there, stack[d], STATE)
            apply(C, there, M[d][I[d]])
            I[d] = I[d] + 1
            nodes += 1
            left -= 1
            who: int = actor(there)
            if who == -2:
                terminals += 1
                found: int = payoff(there, 0)
                if d == 0:
                    B[I[0] - 1] = found
                if actor(stack[d]) == 0:
                    if found > V[d]:
                        V[d] = found
                elif found < V[d]:
                    V[d] = found
            elif comes_back(there, U, T, d + 1, depth):
                R[0] = d
                R[1] = nodes
                return -2
            else:
                d += 1
                I[d] = 0
                N[d] = moves(C, there, M[d])
                V[d] = -4611686018427387904 if who == 0 else 4611686018427387904
                if d + 2 >= depth:
                    left = 0
            if C[0] != 0:
                left = 0
        elif d == 0:
            d = -1
            left = 0
        else:
            value: int = V[d]
            go_back(U, T, d, depth)
            d -= 1
            if d == 0:
                B[I[0] - 1] = value
            if actor(stack[d]) == 0:
                if value > V[d]:
                    V[d] = value
            elif value < V[d]:
                V[d] = value
    R[0] = d
    R[1] = nodes
    R[2] = terminals
    return d
