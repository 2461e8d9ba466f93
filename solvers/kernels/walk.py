"""Walks: count the plays of a given length (perft).

``R`` holds the progress: the depth, the plays counted, and the moves made; ``R[7]`` says that the plays have become too
many for a number. ``limit`` is the length asked for, at least 1. A play that ends earlier does not count. At the last
level moves are counted without being made, where chance has no say.

``table`` remembers how many plays go on from a position: an entry is its key, how many moves are to come (0: no entry),
and the count; a new one replaces the old one in its place. ``P[d]`` is what had been counted when state d was reached.
"""


def listed(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES]) -> int:
    who: int = actor(S)
    if who == -2:
        return 0
    if who == -1:
        return outcomes(C, S, M, W)
    return moves(C, S, M)


def walk_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
               P: ints[depth], W: ints[MOVES], table: rows[size, KEY + 2], R: ints[8], depth: int, limit: int,
               size: int) -> int:
    for k in range(8):
        R[k] = 0
    I[0] = 0
    P[0] = 0
    N[0] = listed(C, stack[0], M[0], W)
    return 0


def walk(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
         P: ints[depth], W: ints[MOVES], table: rows[size, KEY + 2], R: ints[8], depth: int, limit: int, size: int,
         budget: int) -> int:
    d: int = R[0]
    plays: int = R[1]
    made: int = R[2]
    left: int = budget
    K = array(KEY)
    while left > 0:
        if d + 1 == limit:
            plays += N[d]
            I[d] = N[d]
        if I[d] == N[d]:
            if size > 1 and d + 1 < limit:
                pack(stack[d], K)
                held = table[slot_of(K, size)]
                for k in range(KEY):
                    held[k] = K[k]
                held[KEY] = limit - d
                held[KEY + 1] = plays - P[d]
            d -= 1
            if d < 0:
                left = 0
        else:
            there = stack[d + 1]
            copy(there, stack[d], STATE)
            apply(C, there, M[d][I[d]])
            made += 1
            left -= 1
            I[d] = I[d] + 1
            is_known: int = 0
            if size > 1 and d + 2 < limit:
                pack(there, K)
                entry = table[slot_of(K, size)]
                is_known = entry[KEY] == limit - d - 1
                for k in range(KEY):
                    if entry[k] != K[k]:
                        is_known = 0
                if is_known != 0:
                    plays += entry[KEY + 1]
            if is_known == 0:
                d += 1
                I[d] = 0
                P[d] = plays
                N[d] = listed(C, there, M[d], W)
                if d + 2 >= depth:
                    left = 0
        if plays > 2305843009213693951:
            R[7] = 1
            left = 0
        if C[0] != 0 or poll() != 0:
            left = 0
    R[0] = d
    R[1] = plays
    R[2] = made
    return d
