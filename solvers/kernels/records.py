"""What players have perceived, as numbers: equal records have equal numbers, and no others have.

A *record* is what came before it, another record, and the words of one observation. It is not what one step brought:
the same observations are the same record, however many steps brought them. Record p, for each player p, is that nothing
has been perceived. ``previous[r]`` is the record before r, and ``starts[r]`` to ``starts[r + 1]`` are its ``words``.
``places`` is a hash table of ``slots`` places, a power of 2: a record's number and 1, or 0.

``T[5]`` is how many records there are, ``T[6]`` how many words. A step is only taken where there is room for all that
it can bring; an observation takes two words of ``R`` or more, its length among them. What is ``lacking`` is 1 for
words, 2 for records, 0 for nothing.
"""


def lacking(T: ints[16], records: int, pool: int) -> int:
    if T[6] + PLAYERS * WORDS >= pool:
        return 1
    if T[5] + PLAYERS * (WORDS // 2) >= records:
        return 2
    return 0


def noted(before: int, R: ints[WORDS], begin: int, end: int, previous: ints[records], starts: ints[records],
          words: ints[pool], places: ints[slots], T: ints[16], records: int, pool: int, slots: int) -> int:
    n: int = end - begin
    h: int = before
    for i in range(begin, end):
        h = mix(h, R[i])
    at: int = (h >> 12) & (slots - 1)
    while places[at] != 0:
        r: int = places[at] - 1
        first: int = starts[r]
        same: int = previous[r] == before and starts[r + 1] - first == n
        if same != 0:
            for i in range(n):
                if words[first + i] != R[begin + i]:
                    same = 0
                    break
        if same != 0:
            return r
        at = (at + 1) & (slots - 1)
    new: int = T[5]
    room: int = T[6]
    places[at] = new + 1
    previous[new] = before
    for i in range(n):
        words[room + i] = R[begin + i]
    T[5] = new + 1
    T[6] = room + n
    starts[new + 1] = room + n
    return new


def meet(C: ints[CONTEXT], L: state, S: state, m: int, before: ints[PLAYERS], now: ints[PLAYERS],
         previous: ints[records], starts: ints[records], words: ints[pool], places: ints[slots], T: ints[16],
         records: int, pool: int, slots: int) -> int:
    R = array(WORDS)
    for p in range(PLAYERS):
        n: int = observed(C, L, S, m, p, R)
        now[p] = before[p]
        begin: int = 0
        while begin < n:
            end: int = begin + 1 + R[begin]
            now[p] = noted(now[p], R, begin + 1, end, previous, starts, words, places, T, records, pool, slots)
            begin = end
    return 0
