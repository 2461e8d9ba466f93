"""What sequences bring, and best responses, in floating point. The arrays are those of every kernel on the sequence
form.

The sequences of all players are numbered on through, player by player; so are their information sets. Player p has
the sequences ``BASES[p]`` to ``BASES[p + 1]``, of which the first is the empty one, and the sets ``SETS[p]`` to
``SETS[p + 1]``. Set i follows sequence ``PARENTS[i]`` and has the sequences ``FIRSTS[i]`` to ``ENDS[i]``.

``ROWS[s]`` to ``ROWS[s + 1]`` are the leaves at which sequence s comes to its end: what its player gets there, times
chance (``PAYOFFS``), and for each of the other players his sequence (``OTHERS``, ``rest`` of them for each leaf).
"""


def values_against_one(ROWS: ints[sequences + 1], OTHERS: ints[leaves], PAYOFFS: floats[leaves],
                       X: floats[sequences], V: floats[sequences], first: int, end: int, sequences: int,
                       leaves: int) -> int:
    """As ``values``, for two players; leaves are most of the work."""
    stop: int = ROWS[first]
    for s in range(first, end):
        start: int = stop
        stop = ROWS[s + 1]
        total: float = 0.0
        for l in range(start, stop):
            total += PAYOFFS[l] * X[OTHERS[l]]
        V[s] = total
    return 0


def values(ROWS: ints[sequences + 1], OTHERS: ints[others], PAYOFFS: floats[leaves], X: floats[sequences],
           V: floats[sequences], first: int, end: int, rest: int, sequences: int, leaves: int, others: int) -> int:
    """What each sequence from ``first`` on brings at leaves, against the plans ``X``; into ``V``."""
    if rest == 1:
        return values_against_one(ROWS, OTHERS, PAYOFFS, X, V, first, end, sequences, leaves)
    stop: int = ROWS[first]
    for s in range(first, end):
        start: int = stop
        stop = ROWS[s + 1]
        total: float = 0.0
        for l in range(start, stop):
            value: float = PAYOFFS[l]
            for q in range(l * rest, l * rest + rest):
                value = value * X[OTHERS[q]]
            total += value
        V[s] = total
    return 0


def responses(BASES: ints[players + 1], SETS: ints[players + 1], PARENTS: ints[sets], FIRSTS: ints[sets],
              ENDS: ints[sets], ROWS: ints[sequences + 1], OTHERS: ints[others], PAYOFFS: floats[leaves],
              X: floats[sequences], V: floats[sequences], GAINS: floats[players], players: int, sets: int,
              sequences: int, leaves: int, others: int) -> int:
    """What a best response gains each player over the plans ``X``."""
    for p in range(players):
        first: int = BASES[p]
        values(ROWS, OTHERS, PAYOFFS, X, V, first, BASES[p + 1], players - 1, sequences, leaves, others)
        expected: float = 0.0
        for s in range(first, BASES[p + 1]):
            expected += X[s] * V[s]
        i: int = SETS[p + 1]
        while i > SETS[p]:
            i -= 1
            best: float = V[FIRSTS[i]]
            for s in range(FIRSTS[i] + 1, ENDS[i]):
                best = V[s] if V[s] > best else best
            V[PARENTS[i]] += best
        GAINS[p] = V[first] - expected
    return 0
