"""What ``loops.py`` is where no position can come back: nothing is watched."""

WATCHED = 1
BUCKETS = 1


def watch(T: ints[BUCKETS]) -> int:
    return 0


def comes_back(S: state, U: rows[depth, WATCHED], T: ints[BUCKETS], d: int, depth: int) -> int:
    return 0


def go_back(U: rows[depth, WATCHED], T: ints[BUCKETS], d: int, depth: int) -> int:
    return 0
