"""The path of a search, watched for a position that comes back on it (the reference: ``Search.enter``).

``U[d]`` holds the packed key of state d, the number of its bucket, and which state of the path was the last in that
bucket before it (-1: none); ``T`` holds the last state of every bucket. A path only ever loses its last state, so to
leave one takes a single step. The host gives ``WATCHED``, the length of ``U[d]``: ``KEY + 2``.
"""

BUCKETS = 4096


def watch(T: ints[BUCKETS]) -> int:
    """Begin with an empty path."""
    for k in range(BUCKETS):
        T[k] = -1
    return 0


def comes_back(S: state, U: rows[depth, WATCHED], T: ints[BUCKETS], d: int, depth: int) -> int:
    """Whether the position of a state stands on the path; if not, it is put there as state d."""
    K = array(KEY)
    pack(S, K)
    h: int = 0
    for k in range(KEY):
        h = mix(h, K[k])
    h = (h >> 12) & (BUCKETS - 1)
    at: int = T[h]
    while at >= 0:
        other = U[at]
        same: int = 1
        for k in range(KEY):
            if other[k] != K[k]:
                same = 0
        if same != 0:
            return 1
        at = other[KEY + 1]
    mine = U[d]
    for k in range(KEY):
        mine[k] = K[k]
    mine[KEY] = h
    mine[KEY + 1] = T[h]
    T[h] = d
    return 0


def go_back(U: rows[depth, WATCHED], T: ints[BUCKETS], d: int, depth: int) -> int:
    """Take state d, the last one, off the path."""
    mine = U[d]
    T[mine[KEY]] = mine[KEY + 1]
    return 0
