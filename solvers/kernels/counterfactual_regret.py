"""Counterfactual regret minimization on the sequence form; solvers/imperfect_information/counterfactual_regret.py is
the version to read.

The game is laid out as in sequence_values.py. ``V`` are values, ``G`` regrets, ``B`` strategies, ``X`` plans and ``S``
the sums of plans. ``R`` holds the number of iterations so far, and how the variant forgets: positive and negative
regrets, plans, and whether it predicts.
"""

KEEP = -1


def power(t: int, halves: int) -> float:
    result: float = 1.0
    for _ in range(halves // 2):
        result = result * float(t)
    return result * sqrt(float(t)) if halves % 2 != 0 else result


def share_kept(t: int, halves: int) -> float:
    if halves < 0:
        return 1.0 if halves == KEEP else 0.0
    p: float = power(t, halves)
    return p / (p + 1.0)


def match(LEANING: floats[sequences], B: floats[sequences], first: int, end: int, sequences: int) -> int:
    """Regret matching: every move in proportion to what speaks for it, or all alike."""
    total: float = 0.0
    for s in range(first, end):
        x: float = LEANING[s]
        x = x if x > 0.0 else 0.0
        B[s] = x
        total += x
    if total > 0.0:
        for s in range(first, end):
            B[s] = B[s] / total
    else:
        for s in range(first, end):
            B[s] = 1.0 / float(end - first)
    return 0


def follow(SETS: ints[players + 1], PARENTS: ints[sets], FIRSTS: ints[sets], ENDS: ints[sets], B: floats[sequences],
           X: floats[sequences], p: int, players: int, sets: int, sequences: int) -> int:
    """The plan of a player's strategy."""
    for i in range(SETS[p], SETS[p + 1]):
        reached: float = X[PARENTS[i]]
        for s in range(FIRSTS[i], ENDS[i]):
            X[s] = reached * B[s]
    return 0


def update(BASES: ints[players + 1], SETS: ints[players + 1], PARENTS: ints[sets], FIRSTS: ints[sets],
           ENDS: ints[sets], V: floats[sequences], G: floats[sequences], B: floats[sequences], X: floats[sequences],
           S: floats[sequences], R: ints[8], p: int, players: int, sets: int, sequences: int) -> int:
    """Change a player's strategy by what he regrets; ``V`` is what his sequences bring at leaves, and is used up."""
    if_positive: float = share_kept(R[0], R[1])
    if_negative: float = share_kept(R[0], R[2])
    weight: float = power(R[0], R[3])
    predicts: int = R[4]
    i: int = SETS[p + 1]
    while i > SETS[p]:
        i -= 1
        first: int = FIRSTS[i]
        end: int = ENDS[i]
        expected: float = 0.0
        for s in range(first, end):
            expected += B[s] * V[s]
        V[PARENTS[i]] += expected
        for s in range(first, end):
            regret: float = V[s] - expected
            total: float = G[s] + regret
            G[s] = total * (if_positive if total > 0.0 else if_negative)
            V[s] = G[s] + regret if predicts != 0 else G[s]
        match(V, B, first, end, sequences)
    for s in range(BASES[p], BASES[p + 1]):
        S[s] += weight * X[s]
    return follow(SETS, PARENTS, FIRSTS, ENDS, B, X, p, players, sets, sequences)


def cfr_begin(BASES: ints[players + 1], SETS: ints[players + 1], PARENTS: ints[sets], FIRSTS: ints[sets],
              ENDS: ints[sets], ROWS: ints[sequences + 1], OTHERS: ints[others], PAYOFFS: floats[leaves],
              V: floats[sequences], G: floats[sequences], B: floats[sequences], X: floats[sequences],
              S: floats[sequences], R: ints[8], players: int, sets: int, sequences: int, leaves: int,
              others: int) -> int:
    for p in range(players):
        B[BASES[p]] = 1.0
        X[BASES[p]] = 1.0
        for i in range(SETS[p], SETS[p + 1]):
            match(G, B, FIRSTS[i], ENDS[i], sequences)
        follow(SETS, PARENTS, FIRSTS, ENDS, B, X, p, players, sets, sequences)
    return 0


def cfr(BASES: ints[players + 1], SETS: ints[players + 1], PARENTS: ints[sets], FIRSTS: ints[sets],
        ENDS: ints[sets], ROWS: ints[sequences + 1], OTHERS: ints[others], PAYOFFS: floats[leaves],
        V: floats[sequences], G: floats[sequences], B: floats[sequences], X: floats[sequences],
        S: floats[sequences], R: ints[8], players: int, sets: int, sequences: int, leaves: int,
        others: int, iterations: int) -> int:
    """So many iterations more."""
    for _ in range(iterations):
        R[0] += 1
        for p in range(players):
            values(ROWS, OTHERS, PAYOFFS, X, V, BASES[p], BASES[p + 1], players - 1, sequences, leaves, others)
            update(BASES, SETS, PARENTS, FIRSTS, ENDS, V, G, B, X, S, R, p, players, sets, sequences)
    return 0


def averages(BASES: ints[players + 1], S: floats[sequences], X: floats[sequences], players: int,
             sequences: int) -> int:
    """The average plans, into ``X``."""
    for p in range(players):
        for s in range(BASES[p], BASES[p + 1]):
            X[s] = S[s] / S[BASES[p]] if S[BASES[p]] > 0.0 else S[s]
    return 0
