"""Monte Carlo tree search, by UCT.

What it computes: an estimate of what every player gets, and a good move, for any number of players, any payoffs with
known bounds, and chance; each player is taken to look for their own best payoff. Sources: Coulom, "Efficient
selectivity and backup operators in Monte-Carlo tree search" (2006); Kocsis and Szepesvari, "Bandit based Monte-Carlo
planning" (2006), whose algorithm this is; the steps are named as in Browne et al., "A survey of Monte Carlo tree search
methods" (2012).

A tree grows from the root by a node with every simulation (:func:`go_on`):

1. *Select*: from the root on, as long as all moves of a node have been tried, go to the child with the largest

       mean + C sqrt(ln(simulations of the node) / simulations of the child),

   where the mean is what the player who chooses has got, 0 for the least and 1 for the most that the game can pay them.
   Chance draws.
2. *Expand*: where a move has not been tried, or chance draws for the first time what it draws, add that child.
3. *Simulate*: play from there at random to the end; or ask the file's estimate what the position is worth. A position
   whose value is known (:mod:`.endgames`) ends the simulation, in the tree or behind it, and brings that value.
4. *Back up*: add what everybody gained to the sums of all nodes on the way.

The move that was simulated most is reported as best. Its share of the simulations tends to 1, and its mean to the value
of the game, with probability 1 (Kocsis and Szepesvari, theorem 6); after any number of them nothing is proved.

A *gain* is what a play pays beyond the least that a player can get; payoffs are multiplied by ``SCALE``, so that gains
are whole numbers. ``GUESSES`` says whether positions are worth what ``worth`` says, or what plays bring.

Cost: for every simulation one play, and a look at each child on the way down the tree; memory for one node a
simulation. The children of a node are a linked list, the one added last in front, so a node takes little more room than
its counts. When there is no room left for another one (``is_full``) the tree stays as it is, and simulations go on from
where they leave it.

Invariants: a node has been simulated as often as all its children together, and once more for each simulation that
went no further than it; its sums lie between 0 and as many times what the game can pay.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    MOVES,
    PLAYERS,
    STATE,
    Context,
    Random,
    State,
    actor,
    apply,
    copy,
    drawn,
    earned,
    floats,
    hole,
    ints,
    log,
    moves,
    outcomes,
    payoff,
    sqrt,
)
from zermelo.solvers.kernels.answers import share
from zermelo.solvers.kernels.endgames import Endgames, is_known, outcome_of
from zermelo.solvers.kernels.states import drawn_by, list_next

GUESSES: int
SCALE: int

ROOT = 0
NOBODY = 0
"""In place of a child: the root is nobody's."""


@hole
def worth(rules: Context, state: State, player: int) -> int:
    """What a position is worth to a player, if that is guessed."""


class Node:
    """A node of the tree: its first child and its next sibling; the move that led here, the place of that among the
    moves of its parent, and who chose it (at the root: who is to move); how many moves it has, once they have been
    listed, and how many of them have been tried; how often it was simulated, what each player gained in all, and the
    sum of the squares of their gains, as parts of the most that they can gain."""

    child: int
    sibling: int
    move: int
    place: int
    chooser: int
    count: int
    tried: int
    visits: int
    gains: ints[PLAYERS]
    squares: floats[PLAYERS]


class Search:
    """A search of so many ``wanted`` simulations, in a tree that may be full. The least and the most that each player
    can get, the ``span`` between them, but at least 1, and how much is explored. Of the present simulation: the state,
    the moves made, how many they are, the nodes on its path, the place of the move that expands the tree, and the
    gains. The nodes, ends among them and simulations so far, how many of these have ended where the value is known, and
    the length of the longest path."""

    rules: Context
    endgames: Endgames
    root: State
    state: State
    legal: ints[MOVES]
    weights: ints[MOVES]
    is_tried: ints[MOVES]
    tree: list[Node]
    made: list[int]
    path: list[int]
    least: ints[PLAYERS]
    most: ints[PLAYERS]
    span: ints[PLAYERS]
    gains: ints[PLAYERS]
    exploration: float
    random: Random
    wanted: int
    is_full: bool
    length: int
    place: int
    nodes: int
    terminals: int
    simulations: int
    lookups: int
    depth: int


def start(search: Search, seed: int) -> None:
    """Begin with a tree of only the root."""
    search.random[0] = seed
    search.nodes, search.terminals = 1, actor(search.root) == END
    search.simulations, search.lookups, search.depth, search.is_full = 0, 0, 0, False
    search.tree[ROOT].chooser = max(0, actor(search.root))


def go_on(search: Search, budget: int) -> int:
    """Simulate till there are as many simulations as are wanted, or so many moves have been made, or the tree needs a
    longer list."""
    left: int = budget
    while left > 0 and search.simulations < search.wanted and (search.is_full or search.nodes < len(search.tree)):
        leaf: int = select(search)
        expand(search, leaf)
        depth: int = search.length
        simulate(search)
        if search.rules[0] != 0:
            return 0
        back_up(search, depth)
        left -= search.length + 1
    return 0


# -------------------------------------------------------------- selection


def select(search: Search) -> int:
    """Go down from the root to the node where the simulation leaves the tree."""
    copy(search.state, search.root, STATE)
    search.length, search.path[0] = 0, ROOT
    at: int = ROOT
    child: int = next_child(search, at)
    while child != NOBODY:
        at = child
        go_to(search, at)
        child = next_child(search, at)
    return at


def is_settled(search: Search) -> bool:
    """Whether it is known what the simulation brings: at an end, and behind the root where the value is known."""
    return actor(search.state) == END or (search.length > 0 and is_known(search.endgames, search.state))


def next_child(search: Search, at: int) -> int:
    """The next child of the simulation, ``NOBODY`` where it leaves the tree."""
    if is_settled(search) or search.length + 1 >= len(search.made) or search.rules[0] != 0:
        return NOBODY
    if actor(search.state) == CHANCE:
        return drawn_child(search, at)
    node = search.tree[at]
    if node.count == 0 or node.tried < node.count:
        return NOBODY
    return most_urgent(search, node, actor(search.state))


def most_urgent(search: Search, node: Node, player: int) -> int:
    """The child with the largest upper confidence bound for the player to move; of several, the one tried first."""
    logarithm: float = log(float(node.visits))
    found: int = node.child
    most: float = -1.0
    at: int = node.child
    while at != NOBODY:
        child = search.tree[at]
        mean: float = share(child.gains[player], child.visits * search.span[player])
        urgency: float = mean + search.exploration * sqrt(logarithm / float(child.visits))
        if urgency >= most:
            most = urgency
            found = at
        at = child.sibling
    return found


def drawn_child(search: Search, at: int) -> int:
    """The child that chance draws, ``NOBODY`` if that is a new one; ``search.place`` is the outcome."""
    count: int = outcomes(search.rules, search.state, search.legal, search.weights)
    if search.rules[0] != 0:
        return NOBODY
    search.place = drawn_by(search.random, search.weights, count)
    child: int = search.tree[at].child
    while child != NOBODY and search.tree[child].place != search.place:
        child = search.tree[child].sibling
    return child


def go_to(search: Search, at: int) -> None:
    """Make the move that leads to a node of the tree."""
    make(search, search.tree[at].move)
    search.path[search.length] = at


# -------------------------------------------------------------- expansion


def expand(search: Search, at: int) -> None:
    """Go on to a new child of the node where the simulation leaves the tree, unless it is known what that brings, or
    there is no room."""
    if is_settled(search) or search.length + 1 >= len(search.made) or search.nodes >= len(search.tree):
        return
    node = search.tree[at]
    if actor(search.state) != CHANCE:
        node.count = moves(search.rules, search.state, search.legal)
    if search.rules[0] != 0:
        return
    if actor(search.state) != CHANCE:
        search.place = drawn_untried(search, node)
    child = search.tree[search.nodes]
    child.move, child.place, child.chooser = search.legal[search.place], search.place, max(0, actor(search.state))
    child.sibling, node.child = node.child, search.nodes
    node.tried += 1
    search.nodes += 1
    go_to(search, node.child)
    search.terminals += actor(search.state) == END


def drawn_untried(search: Search, node: Node) -> int:
    """The place of one of the moves that have not been tried, at random."""
    for place in range(node.count):
        search.is_tried[place] = 0
    child: int = node.child
    while child != NOBODY:
        search.is_tried[search.tree[child].place] = 1
        child = search.tree[child].sibling
    left: int = drawn(search.random, node.count - node.tried)
    found: int = 0
    while left > 0 or search.is_tried[found] != 0:
        left -= 1 - search.is_tried[found]
        found += 1
    return found


# ------------------------------------------------------------- simulation


def simulate(search: Search) -> None:
    """What everybody gains from here on. A play that is too long counts as if it brought the middle of what each can
    get."""
    if GUESSES == 0:
        play_on(search)
    if actor(search.state) != END and is_settled(search):
        take_known(search, outcome_of(search.endgames, search.state) * PLAYERS)
        return
    for p in range(PLAYERS):
        if actor(search.state) == END:
            search.gains[p] = payoff(search.state, p) * SCALE - search.least[p]
        elif GUESSES != 0:
            guess: int = worth(search.rules, search.state, p)
            search.gains[p] = min(max(guess, search.least[p]), search.most[p]) - search.least[p]
        else:
            search.gains[p] = (search.most[p] - search.least[p]) // 2


def take_known(search: Search, first: int) -> None:
    """What everybody gains where the values are known, which stand from here on."""
    search.lookups += 1
    for p in range(PLAYERS):
        whole: int = search.endgames.values[first + p] + earned(search.state, p) * SCALE
        search.gains[p] = whole - search.least[p]


def play_on(search: Search) -> None:
    """Play at random until it is known what that brings."""
    while not is_settled(search) and search.length < len(search.made) and search.rules[0] == 0:
        is_chance: bool = actor(search.state) == CHANCE
        count: int = list_next(search.rules, search.state, search.legal, search.weights)
        if search.rules[0] == 0:
            place: int = drawn_by(search.random, search.weights, count) if is_chance else drawn(search.random, count)
            make(search, search.legal[place])


def make(search: Search, move: int) -> None:
    """Make a move of the present simulation."""
    search.made[search.length] = move
    search.length += 1
    apply(search.rules, search.state, move)


# -------------------------------------------------------- backpropagation


def back_up(search: Search, depth: int) -> None:
    """Add what everybody gained to the nodes on the path."""
    search.simulations += 1
    search.depth = max(search.depth, depth)
    for k in range(depth + 1):
        node = search.tree[search.path[k]]
        node.visits += 1
        for p in range(PLAYERS):
            node.gains[p] += search.gains[p]
            part: float = share(search.gains[p], search.span[p])
            node.squares[p] += part * part
