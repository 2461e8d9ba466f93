"""Information-set Monte Carlo tree search.

What it computes: how good each move seems to a player who does not know the position, for any number of players, any
payoffs with known bounds, and chance. Source: Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search"
(2012), whose algorithms SO-ISMCTS and MO-ISMCTS these are.

Every simulation (:func:`go_on`) draws a *deal*, a state that fits what the player has perceived, and plays in it; but
what it learns is kept by what players know, and so serves all deals in which they know the same:

1. *Draw* a deal in proportion to its weight.
2. *Select*: at each decision look at the moves that are legal in this deal. If all of them have an *arm* at the present
   node, make the one with the largest

       mean + C sqrt(ln(times it was available) / simulations of the arm),

   with the logarithm of the number rounded down to eight binary digits,
   where the mean is what the player who chooses has got, 0 for the least and 1 for the most that the game can pay them.
   Which moves are legal may depend on the deal, so it is not the simulations of the node that count, but those in which
   the move was legal. Chance draws.
3. *Expand*: else add an arm for one of the others, drawn at random.
4. *Simulate*: play on at random to the end.
5. *Back up*: add to the arms on the way what those have gained who chose them.

A node belongs to an information state and to the player who decides. With *one observer* (``OBSERVER`` is the player at
the root) it is the information state of the observer: an opponent's choice is one node for all that the opponent may
hold, and so the opponent chooses as if they knew no more than the observer. (Moves of the same name are different arms
there if machine code numbers them apart, since they belong to different phases.) With *several* (``OBSERVER`` is
``EACH``) it is the information state of the player who decides: everybody has a tree of their own, and the simulation
goes down all of them at once. Information states are numbers (:mod:`.observations`); those of the deals come first.

What it is not: the strategies do not tend to an equilibrium. A player chooses one best arm where an equilibrium
mixes, and the deals keep the weights that they began with. Nothing is proved, whatever the number of simulations.

A deal and the moves made in it determine what everybody has perceived. So for the first few thousand such *courses* of
play in the trees the information states are kept, and found by the last move and the course before it; only elsewhere
are observations made and looked up. That changes no result.

Cost: for every simulation one play, the moves of each decision on the way down the tree, and for each of them a look at
the arms of its node; memory for one arm a simulation, and for the information states met inside the trees.

Invariants: an arm has been available at least as often as it was simulated; its gains lie between 0 and as many times
the most that can be gained. A simulation goes down at most one arm further than the longest before it, so the room that
it needs is known before it begins (:func:`has_room`).
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
    highest,
    hurry,
    ints,
    leave,
    log,
    mix,
    moves,
    payoff,
    sample,
    sqrt,
)
from zermelo.solvers.kernels.answers import share
from zermelo.solvers.kernels.observations import UNKNOWN, Knowledge, learn

OBSERVER: int
SCALE: int
STEP_WORDS: int
STEP_STATES: int

EACH = -1
"""In place of an observer: the player who decides."""

ROOTS = 64 << 7
"""For so many numbers of eight binary digits the square root of the logarithm is kept."""

NO_MOVE = -1
"""In place of a move drawn by ``sample``: the decision offers none."""

NO_ARM = 0
"""In place of an arm: the first one is number 1."""

NOT_KEPT = 0
"""In place of a course of play: the table has no room for it."""


class Deal:
    """A state in which the player at the root decides, and the players' information states in it. Of so many numbers
    below ``Search.weight`` those ``below`` this one, but not below that of the deal before, draw it."""

    state: State
    known: ints[PLAYERS]
    below: int


class Arm:
    """A move at a node, and the next arm of the node; how often it was simulated, and was available; what the player
    who chose it gained in all, and the sum of the squares of the gains, as parts of the most that they can gain. Since
    the last simulation of the arm its ``mean`` has been the same, and so has ``reach``, what is explored over the
    square root of the simulations: they are computed when these change, not whenever the arm is looked at."""

    sibling: int
    move: int
    visits: int
    available: int
    gains: int
    squares: float
    mean: float
    reach: float


class Course:
    """A course of play: that with the number ``before``, which is ``NOT_KEPT`` if there is none here, and a ``move``
    more. The information states after it, the first of them ``UNKNOWN`` if they have not been looked up."""

    before: int
    move: int
    known: ints[PLAYERS]


class Search:
    """A search of so many ``wanted`` simulations. ``firsts`` are the first arms of the nodes, the node of information
    state i and player p at i PLAYERS + p. The least and the most that each player can get, the ``span`` between them,
    but at least 1, and how much is explored. Of the present simulation: the ``number`` of its deal, the state and the
    one of the last decision, the information states now and before, the moves made and how many they are, the number of
    its ``course``, and of the arms on the path their numbers, who chose them, and how many they are (``depth``), and
    everybody's gains. Then the ``courses``, a hash table of so many that are ``numbered``, whose length is a power of
    2: a course without moves has the number of its deal plus 1, the others have greater ones by their place. The
    ``roots`` of logarithms so far, 0 for the others; the arms so far and the longest path, the simulations, and those
    that did not come to an end. Moves in the trees are drawn by ``random``, chance and random plays by ``chance``."""

    rules: Context
    deals: list[Deal]
    weight: int
    number: int
    knowledge: Knowledge
    firsts: list[int]
    arms: list[Arm]
    state: State
    last: State
    before: ints[PLAYERS]
    now: ints[PLAYERS]
    legal: ints[MOVES]
    weights: ints[MOVES]
    has_arm: ints[MOVES]
    made: list[int]
    length: int
    course: int
    path: list[int]
    choosers: list[int]
    depth: int
    least: ints[PLAYERS]
    most: ints[PLAYERS]
    span: ints[PLAYERS]
    gains: ints[PLAYERS]
    exploration: float
    courses: list[Course]
    numbered: int
    roots: list[float]
    random: Random
    chance: Random
    wanted: int
    count: int
    longest: int
    simulations: int
    unfinished: int


def start(search: Search, seed: int, states: int) -> None:
    """Begin without arms, with so many information states, which are those of the deals. The two generators begin far
    from each other, so that deals and outcomes of chance are not drawn by the same numbers."""
    search.random[0] = seed
    search.chance[0] = mix(seed, 40503) & ((1 << 53) - 1)
    search.count, search.longest, search.simulations, search.unfinished = 0, 0, 0, 0
    search.knowledge.count, search.knowledge.used = states, 0
    search.knowledge.starts[states] = 0
    search.numbered = 0


def go_on(search: Search, budget: int) -> int:
    """Simulate till there are as many simulations as are wanted, or so many moves have been made, or some list has no
    room for the next one."""
    left: int = budget
    while left > 0 and search.simulations < search.wanted and has_room(search):
        deal_out(search)
        descend(search)
        play_on(search)
        if search.rules[0] != 0:
            return 0
        back_up(search)
        left -= search.length + 1
    return 0


def has_room(search: Search) -> bool:
    """Whether the lists have room for one more simulation."""
    steps: int = search.longest + 1
    knowledge = search.knowledge
    return (
        search.count + 1 < len(search.arms)
        and knowledge.used + steps * STEP_WORDS < len(knowledge.words)
        and knowledge.count + steps * (STEP_STATES + PLAYERS) + 1 < len(knowledge.previous)
    )


def deal_out(search: Search) -> None:
    """Begin a simulation in a deal that is drawn."""
    left: int = drawn(search.random, search.weight)
    low: int = 0
    high: int = len(search.deals) - 1
    while low < high:
        middle: int = (low + high) // 2
        if left < search.deals[middle].below:
            high = middle
        else:
            low = middle + 1
    search.number = low
    copy(search.state, search.deals[low].state, STATE)
    for p in range(PLAYERS):
        search.now[p] = search.deals[low].known[p]
    search.length, search.depth, search.course = 0, 0, low + 1


# ------------------------------------------------- selection and expansion


def descend(search: Search) -> None:
    """Go down the trees, and one arm further."""
    is_inside: bool = True
    while is_inside and actor(search.state) != END and search.length < len(search.made) and search.rules[0] == 0:
        player: int = actor(search.state)
        observer: int = player if OBSERVER == EACH else OBSERVER
        node: int = search.now[observer] * PLAYERS + player
        before: int = search.count
        chosen: int = choose(search, node, player)
        if search.rules[0] == 0:
            search.path[search.depth], search.choosers[search.depth] = chosen, player
            search.depth += 1
            is_inside = search.count == before
            step(search, search.arms[chosen].move, is_inside)


def choose(search: Search, node: int, player: int) -> int:
    """The arm of a node with the largest upper confidence bound, or a new one if a legal move has none."""
    count: int = moves(search.rules, search.state, search.legal)
    for place in range(count):
        search.has_arm[place] = 0
    chosen: int = NO_ARM
    largest: float = -1.0
    met: int = 0
    asked: int = 0
    root: float = 0.0
    at: int = search.firsts[node]
    while at != NO_ARM:
        arm = search.arms[at]
        found: int = place_of(search, arm.move, count)
        if found < count:
            search.has_arm[found] = 1
            met += 1
            arm.available += 1
            if arm.available != asked:  # most arms of a node have been available as often
                asked = arm.available
                root = root_of_log(search, asked)
            bound: float = arm.mean + arm.reach * root
            if bound > largest:
                largest = bound
                chosen = at
        at = arm.sibling
    if met < count:
        return add_arm(search, node, count, met)
    return chosen


def root_of_log(search: Search, count: int) -> float:
    """The square root of the logarithm of a number above 1, of which eight binary digits count: it would be larger by
    less than a thousandth part with all of them. So few logarithms are computed."""
    beyond: int = max(highest(count) - 7, 0)
    key: int = (beyond << 7) + (count >> beyond)
    root: float = search.roots[key]
    if root == 0.0:
        root = sqrt(log(float((count >> beyond) << beyond)))
        search.roots[key] = root
    return root


def place_of(search: Search, move: int, count: int) -> int:
    """The place of a move among the legal ones, ``count`` if it is none of them."""
    place: int = 0
    while place < count and search.legal[place] != move:
        place += 1
    return place


def add_arm(search: Search, node: int, count: int, met: int) -> int:
    """A new arm of a node, for one of the legal moves that have none, at random."""
    left: int = drawn(search.random, count - met)
    place: int = 0
    while left > 0 or search.has_arm[place] != 0:
        left -= 1 - search.has_arm[place]
        place += 1
    search.count += 1
    arm = search.arms[search.count]
    arm.move, arm.available = search.legal[place], 1
    arm.sibling, search.firsts[node] = search.firsts[node], search.count
    return search.count


def step(search: Search, move: int, learns: bool) -> None:
    """Make a move of a player, and let chance draw up to the next decision; tell what everybody has learned if the
    simulation stays inside the trees."""
    begin: int = search.length
    copy(search.last, search.state, STATE)
    make(search, move)
    while actor(search.state) == CHANCE and search.length < len(search.made) and search.rules[0] == 0:
        outcome: int = sample(search.rules, search.state, search.legal, search.weights, search.chance)
        if search.rules[0] == 0:
            make(search, outcome)
    if learns and actor(search.state) >= 0 and search.rules[0] == 0:
        know(search, begin)


def know(search: Search, begin: int) -> None:
    """Set ``now`` to the information states after the moves from number ``begin`` on. Most courses in the trees have
    been met before, and a course of play determines what everybody has perceived: so it is looked up once for each
    course that is kept."""
    for k in range(begin, search.length):
        follow(search, search.made[k])
    place: int = search.course - len(search.deals) - 1
    if search.course != NOT_KEPT and search.courses[place].known[0] != UNKNOWN:
        for p in range(PLAYERS):
            search.now[p] = search.courses[place].known[p]
        return
    for p in range(PLAYERS):
        search.before[p] = search.now[p]
    learn(search.knowledge, search.last, search.state, search.made[begin], search.before, search.now)
    if search.course != NOT_KEPT:
        for p in range(PLAYERS):
            search.courses[place].known[p] = search.now[p]


def follow(search: Search, move: int) -> None:
    """Go on to the course after one more move."""
    if search.course == NOT_KEPT:
        return
    place: int = (mix(search.course, move) >> 12) & (len(search.courses) - 1)
    while search.courses[place].before != NOT_KEPT:
        if search.courses[place].before == search.course and search.courses[place].move == move:
            search.course = len(search.deals) + 1 + place
            return
        place = (place + 1) & (len(search.courses) - 1)
    if search.numbered < len(search.courses) // 2:
        new = search.courses[place]
        new.before, new.move, new.known[0] = search.course, move, UNKNOWN
        search.numbered += 1
        search.course = len(search.deals) + 1 + place
    else:
        search.course = NOT_KEPT


def make(search: Search, move: int) -> None:
    """Make a move of the present simulation."""
    search.made[search.length] = move
    search.length += 1
    apply(search.rules, search.state, move)


# ------------------------------------------------------------- simulation


def play_on(search: Search) -> None:
    """Play at random to the end."""
    steps: int = 0
    while actor(search.state) != END and search.length < len(search.made) and search.rules[0] == 0:
        move: int = sample(search.rules, search.state, search.legal, search.weights, search.chance)
        if search.rules[0] != 0:
            return
        if move != NO_MOVE:
            search.made[search.length] = move
            search.length += 1
            steps = hurry(search.rules, search.state, move)
        else:
            leave(search.rules, search.state, steps)


# -------------------------------------------------------- backpropagation


def back_up(search: Search) -> None:
    """Add to the arms on the path what those gained who chose them. A play that is too long counts as if it brought the
    middle of what each can get."""
    has_ended: bool = actor(search.state) == END
    for p in range(PLAYERS):
        search.gains[p] = (search.most[p] - search.least[p]) // 2
        if has_ended:
            search.gains[p] = payoff(search.state, p) * SCALE - search.least[p]
    search.simulations += 1
    search.unfinished += not has_ended
    search.longest = max(search.longest, search.depth)
    for k in range(search.depth):
        arm = search.arms[search.path[k]]
        chooser: int = search.choosers[k]
        part: float = share(search.gains[chooser], search.span[chooser])
        arm.visits += 1
        arm.gains += search.gains[chooser]
        arm.squares += part * part
        arm.mean = share(arm.gains, arm.visits * search.span[chooser])
        arm.reach = search.exploration / sqrt(float(arm.visits))
