"""The transposition table of the window kernel (see :mod:`zermelo.solvers.search.transposition` for what it holds).

A table entry is the key, the bounds of what is still to come, and a word that is 0 where there is no entry: from bit
``WORK`` on the binary logarithm of the nodes that it cost, from bit ``DEPTHS`` on the depth plus ``OVERTIME`` plus 1 or
``ANY_DEPTH``, below that the best move plus 1. Entries stand in pairs: the first of a pair is kept for the work it
saves, the second is the latest.

The host gives ``SCALE``, what payoffs are multiplied by, and ``LARGEST``, how large they may be for that.
"""

WORK = 57
DEPTHS = 40
ANY_DEPTH = 131071


def scaled(amount: int, R: ints[8]) -> int:
    """A payoff as a value; one that is too large is noticed in ``R[7]``."""
    if amount > LARGEST or amount < -LARGEST:
        R[7] = 1
        return 0
    return amount * SCALE


def pair(T: rows[size, KEY + 3], K: ints[KEY], size: int) -> int:
    """Where the two places are in which a key may stand."""
    h: int = 0
    for k in range(KEY):
        h = mix(h, K[k])
    return ((h >> 12) & (size - 1)) & -2


def place(T: rows[size, KEY + 3], K: ints[KEY], size: int) -> int:
    """Where a key stands, or -1 less the first of the places where it may."""
    at: int = pair(T, K, size)
    for j in range(2):
        entry = T[at + j]
        same: int = entry[KEY + 2]
        for k in range(KEY):
            if entry[k] != K[k]:
                same = 0
        if same != 0:
            return at + j
    return -1 - at


def store(
    S: state, T: rows[size, KEY + 3], K: ints[KEY], size: int, low: int, high: int, best: int, left: int, work: int,
    R: ints[8]
) -> int:
    if size < 2:
        return 0
    pack(S, K)
    reach: int = left + OVERTIME + 1
    if left >= TO_THE_END:
        reach = ANY_DEPTH
    elif reach >= ANY_DEPTH:
        reach = ANY_DEPTH - 1
    gone: int = scaled(earned(S, 0), R)
    new = array(KEY + 3)
    for k in range(KEY):
        new[k] = K[k]
    new[KEY] = low - gone if low > LEAST else low
    new[KEY + 1] = high - gone if high < MOST else high
    new[KEY + 2] = highest(work) << WORK | reach << DEPTHS | best + 1
    put(T, size, new, place(T, K, size))
    return 0


def put(T: rows[size, KEY + 3], size: int, new: ints[KEY + 3], found: int) -> int:
    """An entry into its place, or into its pair: there it becomes the first if it cost at least as much."""
    at: int = found
    if at < 0:
        at = -1 - at
        one = T[at]
        two = T[at + 1]
        if one[KEY + 2] >> WORK > new[KEY + 2] >> WORK:
            at += 1
        elif one[KEY + 2] != 0:
            for k in range(KEY + 3):
                two[k] = one[k]
    into = T[at]
    for k in range(KEY + 3):
        into[k] = new[k]
    return 0


def know(S: state, T: rows[size, KEY + 3], K: ints[KEY], size: int, left: int, F: ints[4],
         R: ints[8]) -> int:
    """Into ``F``: the bounds of a state's value, its best move, and whether they hold to the end."""
    F[0] = LEAST
    F[1] = MOST
    F[2] = -1
    F[3] = 0
    if actor(S) == -2:
        F[0] = scaled(payoff(S, 0), R)
        F[1] = F[0]
        F[3] = 1
        return 0
    if size < 2:
        return 0
    pack(S, K)
    at: int = place(T, K, size)
    if at >= 0:
        entry = T[at]
        reach: int = entry[KEY + 2] >> DEPTHS & ANY_DEPTH
        F[2] = (entry[KEY + 2] & (1 << DEPTHS) - 1) - 1
        if reach > left + OVERTIME or reach == ANY_DEPTH:
            gone: int = scaled(earned(S, 0), R)
            if entry[KEY] > LEAST:
                F[0] = entry[KEY] + gone
            if entry[KEY + 1] < MOST:
                F[1] = entry[KEY + 1] + gone
            F[3] = 1 if reach == ANY_DEPTH else 0
    return 0


def window_grow(C: ints[CONTEXT], T: rows[size, KEY + 3], N: rows[larger, KEY + 3], size: int, larger: int) -> int:
    """What stands in a table into a larger one that is empty. Those of a pair stay together or come into pairs of
    their own, so nothing is lost."""
    K = array(KEY)
    for at in range(size):
        new = T[at]
        if new[KEY + 2] != 0:
            for k in range(KEY):
                K[k] = new[k]
            put(N, larger, new, -1 - pair(N, K, larger))
    return 0
