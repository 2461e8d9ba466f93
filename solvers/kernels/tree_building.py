"""The extensive form, built depth first (see :mod:`zermelo.solvers.forms.extensive_form` for what the arrays are).

Columns of the path: ``D[d]`` is the last depth up to d at which a player decided, or -1; ``X[d]`` the information set
of state d, or -1 for chance; ``G[d]`` its place among the nodes met, or -1; ``Q[d]`` the players' sequences on coming
to it, ``E[d]`` the children found so far, ``U[d]`` the weights of chance. ``J[d + 1]`` are the players' records in
state d, and ``J[0]`` those of the beginning.

``T`` are more registers: the nodes, edges, leaves, sets, moves of sets, records and words; then what there is no room
for (1: words, 2: records), a child that is known at once, and how many nodes have been met. ``R[1]`` is the histories
visited, ``counts`` how many sequences each player has.

``owners``, ``parents``, ``numbers`` and ``offers`` describe the sets, ``set_at`` has for each record its player's set
and 1, or 0. ``met`` are the nodes of players, with what makes them alike: the key, the records and what has been
earned; then the node, or -1 as long as it has none. ``meeting`` is a hash table for them. Nodes are merged where
``merges`` is 1.

The answer -3 says that a set offers different moves in different states, -2 that a play goes round unseen.
"""


def met_at(S: state, known: ints[PLAYERS], met: rows[decisions, KEY + 2 * PLAYERS + 1], meeting: ints[slots],
           T: ints[16], decisions: int, slots: int) -> int:
    K = array(KEY)
    pack(S, K)
    h: int = 0
    for k in range(KEY):
        h = mix(h, K[k])
    for p in range(PLAYERS):
        h = mix(mix(h, known[p]), earned(S, p))
    at: int = (h >> 12) & (slots - 1)
    while meeting[at] != 0:
        row = met[meeting[at] - 1]
        same: int = 1
        for k in range(KEY):
            if row[k] != K[k]:
                same = 0
        for p in range(PLAYERS):
            if row[KEY + p] != known[p] or row[KEY + PLAYERS + p] != earned(S, p):
                same = 0
        if same != 0:
            return meeting[at] - 1
        at = (at + 1) & (slots - 1)
    place: int = T[9]
    T[9] = place + 1
    meeting[at] = place + 1
    new = met[place]
    for k in range(KEY):
        new[k] = K[k]
    for p in range(PLAYERS):
        new[KEY + p] = known[p]
        new[KEY + PLAYERS + p] = earned(S, p)
    new[KEY + 2 * PLAYERS] = -2
    return place


def set_of(player: int, record: int, parent: int, M: ints[MOVES], n: int, owners: ints[decisions],
           parents: ints[decisions], numbers: ints[decisions], offers: ints[decisions], offered: ints[edges],
           set_at: ints[records], counts: ints[PLAYERS], T: ints[16], decisions: int, edges: int, records: int) -> int:
    s: int = set_at[record] - 1
    if s < 0:
        s = T[3]
        first: int = T[4]
        T[3] = s + 1
        T[4] = first + n
        set_at[record] = s + 1
        owners[s] = player
        parents[s] = parent
        numbers[s] = counts[player]
        counts[player] = numbers[s] + n
        for k in range(n):
            offered[first + k] = M[k]
        offers[s + 1] = first + n
        return s
    if offers[s + 1] - offers[s] != n:
        return -1
    for k in range(n):
        is_there: int = 0
        for i in range(k, n):
            if M[i] == offered[offers[s] + k]:
                is_there = 1
                M[i] = M[k]
                M[k] = offered[offers[s] + k]
                break
        if is_there == 0:
            return -1
    return s


def visit(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
          D: ints[depth], X: ints[depth], G: ints[depth], J: rows[depth, PLAYERS], Q: rows[depth, PLAYERS],
          E: rows[depth, MOVES], U: rows[depth, MOVES], start: state, sets_of: ints[inner], firsts: ints[inner],
          children: ints[edges], weights: ints[edges], payoffs: ints[leaves * PLAYERS],
          sequences: ints[leaves * PLAYERS], owners: ints[decisions], parents: ints[decisions],
          numbers: ints[decisions], offers: ints[decisions], known: ints[decisions], offered: ints[edges],
          counts: ints[PLAYERS], previous: ints[records], starts: ints[records], set_at: ints[records],
          words: ints[pool], places: ints[slots], met: rows[decisions, KEY + 2 * PLAYERS + 1], meeting: ints[slots],
          T: ints[16], R: ints[8], depth: int, inner: int, edges: int, leaves: int, decisions: int, records: int,
          pool: int, slots: int, merges: int, d: int) -> int:
    there = stack[d]
    who: int = actor(there)
    R[1] = R[1] + 1
    if who == -2:
        leaf: int = T[2]
        T[2] = leaf + 1
        for p in range(PLAYERS):
            payoffs[leaf * PLAYERS + p] = payoff(there, p)
            sequences[leaf * PLAYERS + p] = Q[d][p]
        T[8] = -1 - leaf
        return 0
    I[d] = 0
    X[d] = -1
    G[d] = -1
    D[d] = D[d - 1] if d > 0 else -1
    if who == -1:
        for p in range(PLAYERS):
            J[d + 1][p] = J[d][p]
        N[d] = outcomes(C, there, M[d], U[d])
        return 1
    last: int = D[d]
    D[d] = d
    if last < 0:
        meet(C, start, there, -1, J[d], J[d + 1], previous, starts, words, places, T, records, pool, slots)
    else:
        made: int = M[last][I[last] - 1]
        meet(C, stack[last], there, made, J[d], J[d + 1], previous, starts, words, places, T, records, pool, slots)
    if merges != 0:
        G[d] = met_at(there, J[d + 1], met, meeting, T, decisions, slots)
        row = met[G[d]]
        T[8] = row[KEY + 2 * PLAYERS]
        if T[8] == -1:
            return -2
        if T[8] >= 0:
            return 0
        row[KEY + 2 * PLAYERS] = -1
    N[d] = moves(C, there, M[d])
    if C[0] != 0:
        return 0
    record: int = J[d + 1][who]
    X[d] = set_of(who, record, Q[d][who], M[d], N[d], owners, parents, numbers, offers, offered, set_at, counts, T,
                  decisions, edges, records)
    if X[d] < 0:
        return -3
    known[X[d]] = record
    return 1


def tree_building_begin(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
                        D: ints[depth], X: ints[depth], G: ints[depth], J: rows[depth, PLAYERS],
                        Q: rows[depth, PLAYERS], E: rows[depth, MOVES], U: rows[depth, MOVES], start: state,
                        sets_of: ints[inner], firsts: ints[inner], children: ints[edges], weights: ints[edges],
                        payoffs: ints[leaves * PLAYERS], sequences: ints[leaves * PLAYERS], owners: ints[decisions],
                        parents: ints[decisions], numbers: ints[decisions], offers: ints[decisions],
                        known: ints[decisions], offered: ints[edges], counts: ints[PLAYERS], previous: ints[records],
                        starts: ints[records], set_at: ints[records], words: ints[pool], places: ints[slots],
                        met: rows[decisions, KEY + 2 * PLAYERS + 1], meeting: ints[slots], T: ints[16], R: ints[8],
                        depth: int, inner: int, edges: int, leaves: int, decisions: int, records: int, pool: int,
                        slots: int, merges: int) -> int:
    for k in range(8):
        R[k] = 0
    for k in range(16):
        T[k] = 0
    for p in range(PLAYERS):
        J[0][p] = p
        Q[0][p] = 0
        counts[p] = 1
    T[5] = PLAYERS
    set_up(C, start)
    return visit(C, stack, M, N, I, D, X, G, J, Q, E, U, start, sets_of, firsts, children, weights, payoffs,
                 sequences, owners, parents, numbers, offers, known, offered, counts, previous, starts, set_at,
                 words, places, met, meeting, T, R, depth, inner, edges, leaves, decisions, records, pool, slots,
                 merges, 0)


def tree_building(C: ints[CONTEXT], stack: states[depth], M: rows[depth, MOVES], N: ints[depth], I: ints[depth],
                  D: ints[depth], X: ints[depth], G: ints[depth], J: rows[depth, PLAYERS], Q: rows[depth, PLAYERS],
                  E: rows[depth, MOVES], U: rows[depth, MOVES], start: state, sets_of: ints[inner], firsts: ints[inner],
                  children: ints[edges], weights: ints[edges], payoffs: ints[leaves * PLAYERS],
                  sequences: ints[leaves * PLAYERS], owners: ints[decisions], parents: ints[decisions],
                  numbers: ints[decisions], offers: ints[decisions], known: ints[decisions], offered: ints[edges],
                  counts: ints[PLAYERS], previous: ints[records], starts: ints[records], set_at: ints[records],
                  words: ints[pool], places: ints[slots], met: rows[decisions, KEY + 2 * PLAYERS + 1],
                  meeting: ints[slots], T: ints[16], R: ints[8], depth: int, inner: int, edges: int, leaves: int,
                  decisions: int, records: int, pool: int, slots: int, merges: int, budget: int) -> int:
    d: int = R[0]
    left: int = budget
    while left > 0:
        left -= 1
        if I[d] < N[d]:
            T[7] = lacking(T, records, pool)
            if T[7] != 0:
                break
            there = stack[d + 1]
            copy(there, stack[d], STATE)
            k: int = I[d]
            I[d] = k + 1
            for p in range(PLAYERS):
                Q[d + 1][p] = Q[d][p]
            if X[d] >= 0:
                Q[d + 1][actor(there)] = numbers[X[d]] + k
            apply(C, there, M[d][k])
            if C[0] != 0:
                break
            status: int = visit(C, stack, M, N, I, D, X, G, J, Q, E, U, start, sets_of, firsts, children,
                                weights, payoffs, sequences, owners, parents, numbers, offers, known, offered,
                                counts, previous, starts, set_at, words, places, met, meeting, T, R, depth, inner,
                                edges, leaves, decisions, records, pool, slots, merges, d + 1)
            if status < 0:
                R[0] = d
                return status
            if status == 0:
                E[d][k] = T[8]
            else:
                d += 1
            if d + 3 >= depth or C[0] != 0:
                left = 0
        else:
            node: int = T[0]
            T[0] = node + 1
            first: int = T[1]
            sets_of[node] = X[d]
            for k in range(N[d]):
                children[first + k] = E[d][k]
                weights[first + k] = U[d][k] if X[d] < 0 else 1
            T[1] = first + N[d]
            firsts[node + 1] = T[1]
            if G[d] >= 0:
                row = met[G[d]]
                row[KEY + 2 * PLAYERS] = node
            d -= 1
            if d < 0:
                break
            E[d][I[d] - 1] = node
    R[0] = d
    return d
