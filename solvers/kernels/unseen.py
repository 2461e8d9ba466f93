"""What players know where all is seen: whoever comes to a decision knows something that he knows nowhere else.

``T[5]`` is how many records there are.
"""


def lacking(T: ints[16], records: int, pool: int) -> int:
    return 0


def meet(C: ints[CONTEXT], L: state, S: state, m: int, before: ints[PLAYERS], now: ints[PLAYERS],
         previous: ints[records], starts: ints[records], words: ints[pool], places: ints[slots], T: ints[16],
         records: int, pool: int, slots: int) -> int:
    for p in range(PLAYERS):
        now[p] = T[5]
    T[5] = T[5] + 1
    return 0
