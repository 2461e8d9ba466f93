"""Where a position stands in a table of ``size`` entries, a power of 2, by its key."""


def slot_of(K: ints[KEY], size: int) -> int:
    h: int = 0
    for k in range(KEY):
        h = mix(h, K[k])
    return (h >> 12) & (size - 1)
