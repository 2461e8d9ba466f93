"""Monte Carlo tree search by UCT (see :mod:`zermelo.solvers.search.monte_carlo_tree_search`).

``tree`` has a row for each node, the root first: its first child (the one added last) and next sibling, 0 for none;
the move that led to it, and the place of that among the moves of its parent; who chose it; how many moves it has, once
they have been listed, and how many have been tried; how often it was simulated; and what each player gained in all. A
gain is what a play pays beyond the least that a player can get. That is ``least[p]``, the most is ``most[p]``, and
``span[p]`` what lies between, but at least 1. ``squares`` has for each node the sum of the squares of its chooser's
gains, as parts of the most that he can gain.

``made`` are the moves of the present simulation, ``path`` the nodes that it came through. ``R`` holds the state of the
random generator, the numbers of nodes, ends among them and simulations, the length of the longest path, and the number
of moves made in the present simulation. ``X[0]`` is how much is explored.

The host gives ``GUESSES``, 1 where leaves are worth what ``worth`` says and 0 where plays go on at random, and
``SCALE``, by which payoffs are multiplied.
"""

FIRST = 0
NEXT = 1
MOVE = 2
PLACE = 3
CHOOSER = 4
COUNT = 5
TRIED = 6
VISITS = 7
GAINS = 8

NODES = 1
TERMINALS = 2
SIMULATIONS = 3
DEPTH = 4
LENGTH = 5


def lot(R: ints[8], W: ints[MOVES], n: int) -> int:
    total: int = 0
    for k in range(n):
        total += W[k]
    left: int = drawn(R, total)
    place: int = 0
    while place + 1 < n and left >= W[place]:
        left -= W[place]
        place += 1
    return place


def added(tree: rows[size, GAINS + PLAYERS], R: ints[8], parent: int, move: int, place: int, who: int,
          size: int) -> int:
    at: int = R[NODES]
    R[NODES] = at + 1
    row = tree[at]
    row[MOVE] = move
    row[PLACE] = place
    row[CHOOSER] = who if who > 0 else 0
    if at > 0:
        above = tree[parent]
        row[NEXT] = above[FIRST]
        above[FIRST] = at
        above[TRIED] = above[TRIED] + 1
    return at


def child_at(tree: rows[size, GAINS + PLAYERS], at: int, place: int, size: int) -> int:
    child: int = tree[at][FIRST]
    while child != 0 and tree[child][PLACE] != place:
        child = tree[child][NEXT]
    return child


def untried(tree: rows[size, GAINS + PLAYERS], R: ints[8], W: ints[MOVES], at: int, n: int, size: int) -> int:
    for k in range(n):
        W[k] = 0
    child: int = tree[at][FIRST]
    while child != 0:
        W[tree[child][PLACE]] = 1
        child = tree[child][NEXT]
    left: int = drawn(R, n - tree[at][TRIED])
    place: int = 0
    while left > 0 or W[place] != 0:
        if W[place] == 0:
            left -= 1
        place += 1
    return place


def most_urgent(tree: rows[size, GAINS + PLAYERS], span: ints[PLAYERS], X: floats[1], at: int, who: int,
                size: int) -> int:
    logarithm: float = log(float(tree[at][VISITS]))
    child: int = tree[at][FIRST]
    found: int = child
    most: float = -1.0
    while child != 0:
        row = tree[child]
        visits: int = row[VISITS]
        urgency: float = float(row[GAINS + who]) / float(visits * span[who]) + X[0] * sqrt(logarithm / float(visits))
        if urgency >= most:
            most = urgency
            found = child
        child = row[NEXT]
    return found


def select(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES], tree: rows[size, GAINS + PLAYERS],
           made: ints[longest], path: ints[longest], span: ints[PLAYERS], X: floats[1], R: ints[8], size: int,
           longest: int) -> int:
    at: int = 0
    is_new: int = 0
    path[0] = 0
    while R[LENGTH] + 1 < longest and is_new == 0 and C[0] == 0:
        who: int = actor(S)
        if who == -2:
            break
        child: int = 0
        if who == -1:
            drawable: int = outcomes(C, S, M, W)
            if C[0] != 0:
                break
            place: int = lot(R, W, drawable)
            child = child_at(tree, at, place, size)
            is_new = child == 0
            if is_new != 0:
                if R[NODES] >= size:
                    break
                child = added(tree, R, at, M[place], place, who, size)
        else:
            n: int = tree[at][COUNT]
            if n == 0 or tree[at][TRIED] < n:
                if R[NODES] >= size:
                    break
                n = moves(C, S, M)
                if C[0] != 0:
                    break
                row = tree[at]
                row[COUNT] = n
                k: int = untried(tree, R, W, at, n, size)
                is_new = 1
                child = added(tree, R, at, M[k], k, who, size)
            else:
                child = most_urgent(tree, span, X, at, who, size)
        d: int = R[LENGTH]
        R[LENGTH] = d + 1
        made[d] = tree[child][MOVE]
        path[d + 1] = child
        at = child
        apply(C, S, made[d])
        if is_new != 0 and actor(S) == -2:
            R[TERMINALS] = R[TERMINALS] + 1
    return R[LENGTH]


def play_on(C: ints[CONTEXT], S: state, M: ints[MOVES], W: ints[MOVES], made: ints[longest], R: ints[8],
            longest: int) -> int:
    who: int = actor(S)
    while who != -2 and R[LENGTH] < longest and C[0] == 0:
        n: int = outcomes(C, S, M, W) if who == -1 else moves(C, S, M)
        if C[0] != 0:
            return 0
        place: int = lot(R, W, n) if who == -1 else drawn(R, n)
        d: int = R[LENGTH]
        R[LENGTH] = d + 1
        made[d] = M[place]
        apply(C, S, M[place])
        who = actor(S)
    return 0


def between(low: int, high: int, n: int) -> int:
    return low if n < low else (high if n > high else n)


def monte_carlo_begin(C: ints[CONTEXT], root: states[1], tree: rows[size, GAINS + PLAYERS], R: ints[8], size: int,
                      seed: int) -> int:
    for k in range(8):
        R[k] = 0
    R[0] = seed
    who: int = actor(root[0])
    R[TERMINALS] = 1 if who == -2 else 0
    return added(tree, R, 0, 0, 0, who, size)


def monte_carlo(C: ints[CONTEXT], root: states[1], S: state, M: ints[MOVES], W: ints[MOVES],
                tree: rows[size, GAINS + PLAYERS], squares: floats[size], made: ints[longest], path: ints[longest],
                least: ints[PLAYERS], most: ints[PLAYERS], span: ints[PLAYERS], X: floats[1], R: ints[8], size: int,
                longest: int, wanted: int, budget: int) -> int:
    left: int = budget
    G = array(PLAYERS)
    while left > 0 and R[SIMULATIONS] < wanted:
        copy(S, root[0], STATE)
        R[LENGTH] = 0
        depth: int = select(C, S, M, W, tree, made, path, span, X, R, size, longest)
        if GUESSES != 0 and actor(S) != -2:
            for p in range(PLAYERS):
                G[p] = between(least[p], most[p], worth(C, S, p)) - least[p]
        else:
            play_on(C, S, M, W, made, R, longest)
            if actor(S) == -2:
                for p in range(PLAYERS):
                    G[p] = payoff(S, p) * SCALE - least[p]
            else:
                for p in range(PLAYERS):
                    G[p] = (most[p] - least[p]) // 2
        if C[0] != 0:
            return 1
        if depth > R[DEPTH]:
            R[DEPTH] = depth
        for k in range(depth + 1):
            row = tree[path[k]]
            row[VISITS] = row[VISITS] + 1
            for p in range(PLAYERS):
                row[GAINS + p] = row[GAINS + p] + G[p]
            share: float = float(G[row[CHOOSER]]) / float(span[row[CHOOSER]])
            squares[path[k]] = squares[path[k]] + share * share
        R[SIMULATIONS] = R[SIMULATIONS] + 1
        left -= R[LENGTH] + 1
    return 0
