"""Random plays: every move equally likely, chance by its weights.

A move is drawn without making the list of all (``sample``), and whether a decision offers anything is found out by the
draw itself (``hurry``, ``leave``).

Plays are numbered, and each has a generator of its own, whose state is ``R[0]``, so that it is the same whoever makes
it, and after whatever others. ``R`` holds further the number of the next play, the moves made, how many plays of more
than ``longest`` moves have been given up, the seed, the lengths of the shortest and of the longest play, and in
``R[7]`` whether a payoff is too large to be summed. ``T`` sums the payoffs of all players.
"""


def play(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES], R: ints[8], T: ints[PLAYERS], longest: int,
         plays: int, budget: int) -> int:
    left: int = budget
    while left > 0 and R[1] < plays:
        R[0] = mix(mix(mix(R[4], 40503), R[1]), 668265263) & 9007199254740991
        begin(C, S)
        length: int = 0
        steps: int = 0
        while actor(S) != -2 and length < longest and C[0] == 0:
            m: int = sample(C, S, M, W, R)
            if C[0] != 0:
                return 1
            if m >= 0:
                steps = hurry(C, S, m)
                length += 1
            else:
                leave(C, S, steps)
        if C[0] != 0:
            return 1
        R[2] += length
        left -= length + 1
        if actor(S) == -2:
            for p in range(PLAYERS):
                got: int = payoff(S, p)
                if got > 1099511627776 or got < -1099511627776:
                    R[7] = 1
                    return 1
                T[p] += got
            if length < R[5]:
                R[5] = length
            if length > R[6]:
                R[6] = length
        else:
            R[3] += 1
        R[1] += 1
    return 0
