"""What players have perceived, as numbers: equal records have equal numbers, and no others have.

A *record* is what came before it, another record, and the words of what was perceived then. Record p, for each player
p, is that nothing has been perceived. ``previous[r]`` is the record before r, and ``starts[r]`` to ``starts[r + 1]``
are its ``words``. ``places`` is a hash table of ``slots`` places, a power of 2: a record's number and 1, or 0.

``T[5]`` is how many records there are, ``T[6]`` how many words.
"""


def has_room(T: ints[16], pool: int) -> int:
    return T[6] + PLAYERS * WORDS < pool


def noted(before: int, R: ints[WORDS], n: int, previous: ints[records], starts: ints[records], words: ints[pool],
          places: ints[slots], T: ints[16], records: int, pool: int, slots: int) -> int:
    h: int = mix(n, before)
    for i in range(n):
        h = mix(h, R[i])
    at: int = (h >> 12) & (slots - 1)
    while places[at] != 0:
        r: int = places[at] - 1
        first: int = starts[r]
        same: int = previous[r] == before and starts[r + 1] - first == n
        if same != 0:
            for i in range(n):
                if words[first + i] != R[i]:
                    same = 0
                    break
        if same != 0:
            return r
        at = (at + 1) & (slots - 1)
    new: int = T[5]
    end: int = T[6]
    places[at] = new + 1
    previous[new] = before
    for i in range(n):
        words[end + i] = R[i]
    T[5] = new + 1
    T[6] = end + n
    starts[new + 1] = end + n
    return new


def meet(C: ints[CONTEXT], L: state, S: state, m: int, before: ints[PLAYERS], now: ints[PLAYERS],
         previous: ints[records], starts: ints[records], words: ints[pool], places: ints[slots], T: ints[16],
         records: int, pool: int, slots: int) -> int:
    R = array(WORDS)
    for p in range(PLAYERS):
        n: int = observed(C, L, S, m, p, R)
        now[p] = before[p]
        if n > 0:
            now[p] = noted(before[p], R, n, previous, starts, words, places, T, records, pool, slots)
    return 0
