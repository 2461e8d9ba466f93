"""The extensive form: all histories of a game as a tree, with the information sets of its players.

Histories are visited depth first, and nodes are numbered after all their descendants, so that the root is the last one.
At each decision the players' information states are computed (:mod:`.observations`). Decisions of a player with one
information state form an *information set*: they must offer the same moves, which are brought into the same order; and
each of these moves is a new *sequence* of the player, after the one that leads to the set.

Histories with equal information states of all players, equal positions and equal earnings have equal continuations, so
they are one node, found in a hash table. (Without the table every history is a node.)

Source: Kuhn, "Extensive games and the problem of information" (1953); von Stengel, "Efficient computation of behavior
strategies" (1996), for sequences.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    KEY,
    MOVES,
    PLAYERS,
    STATE,
    Context,
    State,
    actor,
    apply,
    array,
    copy,
    earned,
    ints,
    mix,
    moves,
    outcomes,
    pack,
    payoff,
    set_up,
)
from zermelo.solvers.kernels.answers import DONE
from zermelo.solvers.kernels.observations import NOTHING, Knowledge, know_nothing, lacking, learn, put_in_order
from zermelo.solvers.kernels.states import hash_of, is_same

NONE = -1

MOVES_DIFFER = -4
"""An information set offers different moves at different decisions."""


class Ply:
    """A history on the path: its moves or outcomes, how many have been tried, and the nodes or leaves they led to; for
    chance the weights. ``known`` are the players' information states, and ``sequences`` their sequences. ``decided`` is
    the depth of the last decision up to here, ``information_set`` the set of this one, and ``met`` its number among the
    positions; each is ``NONE`` if there is none."""

    state: State
    legal: ints[MOVES]
    children: ints[MOVES]
    weights: ints[MOVES]
    known: ints[PLAYERS]
    sequences: ints[PLAYERS]
    count: int
    tried: int
    decided: int
    information_set: int
    met: int


class Position:
    """The data by which histories are merged, and their node, ``NONE`` until it is numbered."""

    key: ints[KEY]
    known: ints[PLAYERS]
    earned: ints[PLAYERS]
    node: int


class Tree:
    """The tree so far, as :class:`zermelo.solvers.forms.extensive_form.ExtensiveForm` has it: ``nodes`` of them, with
    all ``edges``, and ``leaves``."""

    sets_of: list[int]
    firsts: list[int]
    children: list[int]
    weights: list[int]
    payoffs: list[int]
    sequences: list[int]
    nodes: int
    edges: int
    leaves: int


class Sets:
    """The information sets so far, ``count`` of them, with ``moves`` moves in all. Set s is that of player
    ``owners[s]``, with the information state ``known[s]``, after sequence ``parents[s]``. Its moves are those of
    ``offered`` from ``offers[s]`` to ``offers[s + 1]`` (exclusive), and its sequences are numbered from ``numbers[s]``
    on. ``places`` maps information states to sets plus 1, or 0; ``sequences`` is each player's number of sequences."""

    owners: list[int]
    parents: list[int]
    numbers: list[int]
    offers: list[int]
    known: list[int]
    offered: list[int]
    places: list[int]
    sequences: ints[PLAYERS]
    count: int
    moves: int


class Building:
    """A tree in the making. ``setup`` is the state before the play begins, and ``unknowing`` the information states
    there. ``positions`` are the ``met`` ones, found by the hash table ``slots``: the number of one plus 1, or 0.
    ``nodes`` counts histories; ``lacks`` says which lists are full."""

    rules: Context
    path: list[Ply]
    tree: Tree
    sets: Sets
    knowledge: Knowledge
    positions: list[Position]
    slots: list[int]
    setup: State
    unknowing: ints[PLAYERS]
    met: int
    depth: int
    nodes: int
    lacks: int


def start(building: Building) -> None:
    """Start at the root, the first state of the path, which is not the end."""
    building.depth, building.nodes, building.met, building.lacks = 0, 1, 0, NOTHING
    building.tree.nodes, building.tree.edges, building.tree.leaves = 0, 0, 0
    building.sets.count, building.sets.moves = 0, 0
    know_nothing(building.knowledge, building.unknowing)
    for p in range(PLAYERS):
        building.sets.sequences[p] = 1
        building.path[0].sequences[p] = 0
    set_up(building.rules, building.setup)
    enter(building, 0)


def go_on(building: Building, budget: int) -> int:
    """Make ``budget`` more steps; the depth reached, or one of the answers. It returns before a step for whose data
    there may be no room."""
    left: int = budget
    while left > 0:
        left -= 1
        ply = building.path[building.depth]
        if ply.tried < ply.count:
            building.lacks = lacking(building.knowledge)
            if building.lacks != NOTHING:
                return building.depth
            there = building.path[building.depth + 1]
            advance(building, ply, there)
            if building.rules[0] != 0:
                return building.depth
            building.nodes += 1
            if actor(there.state) == END:
                ply.children[ply.tried - 1] = add_leaf(building.tree, there)
            else:
                node: int = enter(building, building.depth + 1)
                if node == MOVES_DIFFER:
                    return MOVES_DIFFER
                if node != NONE:
                    ply.children[ply.tried - 1] = node
                else:
                    building.depth += 1
            if building.depth + 2 >= len(building.path) or building.rules[0] != 0:
                left = 0
        else:
            number: int = add_node(building, ply)
            if building.depth == 0:
                return DONE
            building.depth -= 1
            before = building.path[building.depth]
            before.children[before.tried - 1] = number
    return building.depth


def advance(building: Building, ply: Ply, there: Ply) -> None:
    """Make the next move."""
    for p in range(PLAYERS):
        there.sequences[p] = ply.sequences[p]
    if ply.information_set != NONE:
        there.sequences[actor(ply.state)] = building.sets.numbers[ply.information_set] + ply.tried
    copy(there.state, ply.state, STATE)
    ply.tried += 1
    apply(building.rules, there.state, ply.legal[ply.tried - 1])


def enter(building: Building, depth: int) -> int:
    """Enter a history that is not the end: its node, if that exists; ``NONE`` if it is to be built now; or
    ``MOVES_DIFFER``."""
    ply = building.path[depth]
    ply.tried, ply.information_set, ply.met = 0, NONE, NONE
    if actor(ply.state) == CHANCE:
        enter_chance(building, depth)
        return NONE
    find_out(building, depth)
    ply.decided = depth
    if len(building.positions) > 0:
        ply.met = find_position(building, ply)
        if building.positions[ply.met].node != NONE:
            return building.positions[ply.met].node
    ply.count = moves(building.rules, ply.state, ply.legal)
    if building.rules[0] == 0:
        ply.information_set = find_set(building.sets, ply)
    return MOVES_DIFFER if ply.information_set == MOVES_DIFFER else NONE


def enter_chance(building: Building, depth: int) -> None:
    """Enter a chance node, where information states do not change yet."""
    ply = building.path[depth]
    before = building.unknowing
    ply.decided = NONE
    if depth > 0:
        before = building.path[depth - 1].known
        ply.decided = building.path[depth - 1].decided
    for p in range(PLAYERS):
        ply.known[p] = before[p]
    ply.count = outcomes(building.rules, ply.state, ply.legal, ply.weights)


def find_out(building: Building, depth: int) -> None:
    """Compute the players' information states at a decision from those at the last one."""
    ply = building.path[depth]
    before = building.unknowing
    last = building.setup
    move: int = NONE
    if depth > 0:
        before = building.path[depth - 1].known
        if building.path[depth - 1].decided != NONE:
            asked = building.path[building.path[depth - 1].decided]
            last = asked.state
            move = asked.legal[asked.tried - 1]
    learn(building.knowledge, last, ply.state, move, before, ply.known)


# -------------------------------------------------------------- positions


def find_position(building: Building, ply: Ply) -> int:
    """The number of a position, a new one if necessary."""
    key = array(KEY)
    pack(ply.state, key)
    hash: int = hash_of(key)
    for p in range(PLAYERS):
        hash = mix(mix(hash, ply.known[p]), earned(ply.state, p))
    slot: int = (hash >> 12) & (len(building.slots) - 1)
    while building.slots[slot] != 0:
        if is_met(building.positions[building.slots[slot] - 1], key, ply):
            return building.slots[slot] - 1
        slot = (slot + 1) & (len(building.slots) - 1)
    new = building.positions[building.met]
    for k in range(KEY):
        new.key[k] = key[k]
    for p in range(PLAYERS):
        new.known[p], new.earned[p] = ply.known[p], earned(ply.state, p)
    new.node = NONE
    building.met += 1
    building.slots[slot] = building.met
    return building.met - 1


def is_met(position: Position, key: ints[KEY], ply: Ply) -> bool:
    """Whether a history belongs to a known position."""
    if not is_same(position.key, key):
        return False
    for p in range(PLAYERS):
        if position.known[p] != ply.known[p] or position.earned[p] != earned(ply.state, p):
            return False
    return True


# ------------------------------------------------------- information sets


def find_set(sets: Sets, ply: Ply) -> int:
    """The information set of a decision, a new one if necessary; ``MOVES_DIFFER`` if the moves do. The moves of the
    decision are brought into the order of the set."""
    player: int = actor(ply.state)
    found: int = sets.places[ply.known[player]] - 1
    if found < 0:
        return add_set(sets, ply, player)
    first: int = sets.offers[found]
    is_same: bool = sets.offers[found + 1] - first == ply.count
    return found if is_same and put_in_order(ply.legal, ply.count, sets.offered, first) else MOVES_DIFFER


def add_set(sets: Sets, ply: Ply, player: int) -> int:
    """A new information set, with a new sequence of its player for each move."""
    new: int = sets.count
    sets.owners[new] = player
    sets.parents[new] = ply.sequences[player]
    sets.known[new] = ply.known[player]
    sets.places[ply.known[player]] = new + 1
    sets.numbers[new] = sets.sequences[player]
    sets.sequences[player] += ply.count
    for k in range(ply.count):
        sets.offered[sets.moves + k] = ply.legal[k]
    sets.moves += ply.count
    sets.offers[new + 1] = sets.moves
    sets.count += 1
    return new


# -------------------------------------------------------- nodes and leaves


def add_leaf(tree: Tree, ply: Ply) -> int:
    """Add a leaf; its number as a child of edges."""
    at: int = tree.leaves * PLAYERS
    for p in range(PLAYERS):
        tree.payoffs[at + p], tree.sequences[at + p] = payoff(ply.state, p), ply.sequences[p]
    tree.leaves += 1
    return -tree.leaves


def add_node(building: Building, ply: Ply) -> int:
    """Add the node of a history all of whose children exist."""
    tree = building.tree
    node: int = tree.nodes
    tree.nodes += 1
    tree.sets_of[node] = ply.information_set
    for k in range(ply.count):
        tree.children[tree.edges + k] = ply.children[k]
        tree.weights[tree.edges + k] = ply.weights[k] if ply.information_set == NONE else 1
    tree.edges += ply.count
    tree.firsts[tree.nodes] = tree.edges
    if ply.met != NONE:
        building.positions[ply.met].node = node
    return node
