"""Random plays: every move equally likely, chance by its weights.

``R`` holds the seed of the generator (a splitmix, stirred with ``mix``), the plays made and the moves made; ``T`` sums
the payoffs of all players and, behind them, of their squares. A play of more than ``longest`` moves is given up and
counted in ``R[3]``.
"""


def drawn(R: ints[8], n: int) -> int:
    R[0] = (R[0] + 668265263) & 9007199254740991
    return (mix(mix(R[0], 2654435769), 40503) >> 20) % n


def play(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES], R: ints[8], T: ints[2 * PLAYERS], longest: int,
         plays: int, budget: int) -> int:
    left: int = budget
    while left > 0 and R[1] < plays:
        begin(C, S)
        length: int = 0
        while actor(S) != -2 and length < longest and C[0] == 0:
            if actor(S) == -1:
                n: int = outcomes(C, S, M, W)
                total: int = 0
                for k in range(n):
                    total += W[k]
                r: int = drawn(R, total)
                at: int = 0
                while r >= W[at]:
                    r -= W[at]
                    at += 1
                apply(C, S, M[at])
            else:
                apply(C, S, M[drawn(R, moves(C, S, M))])
            length += 1
        if C[0] != 0:
            return 1
        R[2] += length
        left -= length + 1
        if actor(S) == -2:
            for p in range(PLAYERS):
                got: int = payoff(S, p)
                T[p] += got
                T[PLAYERS + p] += got * got
        else:
            R[3] += 1
        R[1] += 1
    return 0
