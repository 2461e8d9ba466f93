"""Monte Carlo counterfactual regret minimization; solvers/imperfect_information/monte_carlo_cfr.py is the version to
read.

Sequences and information sets are laid out as in sequence_values.py; the sets of the tree are numbered as there, so
``FIRST_OF[s]`` and ``END_OF[s]`` are the sequences of its set s, and ``OWNERS[s]`` its player. Node n belongs to the
set ``SETS_OF[n]``, -1 for chance, and has the edges ``EDGES[n]`` to ``EDGES[n + 1]``, with the probabilities
``CHANCES`` where chance draws. Edge e leads to node ``CHILDREN[e]``, or to leaf -1 - ``CHILDREN[e]``; ``GETS`` are
the payoffs.

``G`` are regrets, ``B`` strategies and ``S`` their sums. The nodes that a traversal meets are ``MET``, from the first
to the last, with the edges ``TAKEN`` and the values ``VALUES``. ``Q`` are the probabilities of the edges at hand, by
which one is drawn. ``R`` counts iterations and random numbers, and holds the seed.
"""

EXPLORATION = 0.6
UNIT = 1.1102230246251565e-16


def probabilities(EDGES: ints[nodes + 1], SETS_OF: ints[nodes], FIRST_OF: ints[sets], END_OF: ints[sets],
                  CHANCES: floats[edges], G: floats[sequences], B: floats[sequences], Q: floats[widest], node: int,
                  nodes: int, edges: int, sets: int, sequences: int, widest: int) -> int:
    """The probabilities of the edges of a node, into ``Q``; how many they are."""
    s: int = SETS_OF[node]
    first: int = EDGES[node]
    count: int = EDGES[node + 1] - first
    if s < 0:
        for k in range(count):
            Q[k] = CHANCES[first + k]
    else:
        match(G, B, FIRST_OF[s], END_OF[s], sequences)
        first = FIRST_OF[s]
        for k in range(count):
            Q[k] = B[first + k]
    return count


def draw(Q: floats[widest], R: ints[8], count: int, widest: int) -> int:
    """A number drawn by the probabilities ``Q``."""
    R[1] += 1
    left: float = float(mix(mix(R[1], R[2] ^ 668265263), 40503) >> 10) * UNIT
    last: int = 0
    for k in range(count):
        if Q[k] > 0.0:
            if left < Q[k]:
                return k
            left -= Q[k]
            last = k
    return last


def value(CHILDREN: ints[edges], GETS: floats[gets], VALUES: floats[nodes], edge: int, p: int, players: int,
          nodes: int, edges: int, gets: int) -> float:
    """What an edge brings player p."""
    child: int = CHILDREN[edge]
    return VALUES[child] if child >= 0 else GETS[(-1 - child) * players + p]


def sample_others(EDGES: ints[nodes + 1], SETS_OF: ints[nodes], FIRST_OF: ints[sets], END_OF: ints[sets],
                  OWNERS: ints[sets], CHILDREN: ints[edges], CHANCES: floats[edges], GETS: floats[gets],
                  G: floats[sequences], B: floats[sequences], S: floats[sequences], MET: ints[nodes],
                  TAKEN: ints[nodes], VALUES: floats[nodes], REACHED: floats[nodes], Q: floats[widest], R: ints[8],
                  p: int, players: int, nodes: int, edges: int, sets: int, gets: int, sequences: int,
                  widest: int) -> int:
    """A traversal by external sampling."""
    summed: int = (p + 1) % players
    MET[0] = nodes - 1
    met: int = 1
    at: int = 0
    while at < met:
        node: int = MET[at]
        at += 1
        s: int = SETS_OF[node]
        edge: int = EDGES[node]
        end: int = EDGES[node + 1]
        owner: int = OWNERS[s] if s >= 0 else -1
        if owner != p:
            count: int = probabilities(EDGES, SETS_OF, FIRST_OF, END_OF, CHANCES, G, B, Q, node, nodes, edges, sets,
                                       sequences, widest)
            if owner == summed:
                for k in range(count):
                    S[FIRST_OF[s] + k] += 1.0 * Q[k]
            edge += draw(Q, R, count, widest)
            TAKEN[node] = edge
            end = edge + 1
        while edge < end:
            if CHILDREN[edge] >= 0:
                MET[met] = CHILDREN[edge]
                met += 1
            edge += 1
    while at > 0:
        at -= 1
        here: int = MET[at]
        own: int = SETS_OF[here]
        if own >= 0 and OWNERS[own if own >= 0 else 0] == p:
            many: int = probabilities(EDGES, SETS_OF, FIRST_OF, END_OF, CHANCES, G, B, Q, here, nodes, edges, sets,
                                      sequences, widest)
            expected: float = 0.0
            for k in range(many):
                expected += Q[k] * value(CHILDREN, GETS, VALUES, EDGES[here] + k, p, players, nodes, edges, gets)
            for k in range(many):
                G[FIRST_OF[own] + k] += value(CHILDREN, GETS, VALUES, EDGES[here] + k, p, players, nodes, edges,
                                              gets) - expected
            VALUES[here] = expected
        else:
            VALUES[here] = value(CHILDREN, GETS, VALUES, TAKEN[here], p, players, nodes, edges, gets)
    return met


def sample_outcome(EDGES: ints[nodes + 1], SETS_OF: ints[nodes], FIRST_OF: ints[sets], END_OF: ints[sets],
                   OWNERS: ints[sets], CHILDREN: ints[edges], CHANCES: floats[edges], GETS: floats[gets],
                   G: floats[sequences], B: floats[sequences], S: floats[sequences], MET: ints[nodes],
                   TAKEN: ints[nodes], VALUES: floats[nodes], REACHED: floats[nodes], Q: floats[widest], R: ints[8],
                   p: int, players: int, nodes: int, edges: int, sets: int, gets: int, sequences: int,
                   widest: int) -> int:
    """A traversal by outcome sampling; ``REACHED`` is the others' share in coming to each node."""
    own: float = 1.0
    others: float = 1.0
    sampled: float = 1.0
    node: int = nodes - 1
    edge: int = 0
    met: int = 0
    while node >= 0:
        count: int = probabilities(EDGES, SETS_OF, FIRST_OF, END_OF, CHANCES, G, B, Q, node, nodes, edges, sets,
                                   sequences, widest)
        s: int = SETS_OF[node]
        k: int = 0
        MET[met] = node
        REACHED[met] = others
        if s >= 0 and OWNERS[s if s >= 0 else 0] == p:
            first: int = FIRST_OF[s]
            weight: float = own / sampled
            even: float = EXPLORATION / float(count)
            for j in range(count):
                S[first + j] += weight * Q[j]
                Q[j] = even + (1.0 - EXPLORATION) * Q[j]
            k = draw(Q, R, count, widest)
            own = own * B[first + k]
        else:
            k = draw(Q, R, count, widest)
            others = others * Q[k]
        sampled = sampled * Q[k]
        TAKEN[met] = k
        met += 1
        edge = EDGES[node] + k
        node = CHILDREN[edge]
    payoff: float = value(CHILDREN, GETS, VALUES, edge, p, players, nodes, edges, gets) / sampled
    behind: float = 1.0
    at: int = met
    while at > 0:
        at -= 1
        here: int = MET[at]
        drawn: int = TAKEN[at]
        mine: int = SETS_OF[here]
        many: int = probabilities(EDGES, SETS_OF, FIRST_OF, END_OF, CHANCES, G, B, Q, here, nodes, edges, sets,
                                  sequences, widest)
        if mine >= 0 and OWNERS[mine if mine >= 0 else 0] == p:
            brings: float = payoff * REACHED[at] * behind
            expected: float = brings * Q[drawn]
            for j in range(many):
                G[FIRST_OF[mine] + j] += (brings if j == drawn else 0.0) - expected
        behind = behind * Q[drawn]
    return met


def sampled_cfr(EDGES: ints[nodes + 1], SETS_OF: ints[nodes], FIRST_OF: ints[sets], END_OF: ints[sets],
                OWNERS: ints[sets], CHILDREN: ints[edges], CHANCES: floats[edges], GETS: floats[gets],
                G: floats[sequences], B: floats[sequences], S: floats[sequences], MET: ints[nodes],
                TAKEN: ints[nodes], VALUES: floats[nodes], REACHED: floats[nodes], Q: floats[widest], R: ints[8],
                players: int, nodes: int, edges: int, sets: int, gets: int, sequences: int, widest: int,
                by_outcome: int, iterations: int) -> int:
    """So many iterations more; in each, every player traverses once."""
    for _ in range(iterations):
        R[0] += 1
        for p in range(players if nodes > 0 else 0):
            if by_outcome != 0:
                sample_outcome(EDGES, SETS_OF, FIRST_OF, END_OF, OWNERS, CHILDREN, CHANCES, GETS, G, B, S, MET, TAKEN,
                               VALUES, REACHED, Q, R, p, players, nodes, edges, sets, gets, sequences, widest)
            else:
                sample_others(EDGES, SETS_OF, FIRST_OF, END_OF, OWNERS, CHILDREN, CHANCES, GETS, G, B, S, MET, TAKEN,
                              VALUES, REACHED, Q, R, p, players, nodes, edges, sets, gets, sequences, widest)
    return 0


def sampled_averages(BASES: ints[players + 1], SETS: ints[players + 1], PARENTS: ints[sets], FIRSTS: ints[sets],
                     ENDS: ints[sets], S: floats[sequences], B: floats[sequences], X: floats[sequences], players: int,
                     sets: int, sequences: int) -> int:
    """The plans of the summed strategies, into ``X``; ``B`` is used on the way."""
    for p in range(players):
        X[BASES[p]] = 1.0
        for i in range(SETS[p], SETS[p + 1]):
            match(S, B, FIRSTS[i], ENDS[i], sequences)
        follow(SETS, PARENTS, FIRSTS, ENDS, B, X, p, players, sets, sequences)
    return 0
