"""The extensive form: all histories of a game as a tree, with the information sets of its players.

The tree is walked depth first, and a node gets its number when all behind it have theirs, so that the root is the last
one. On coming to a decision it is found out what the players know by now (:mod:`.observations`). Decisions at which the
same player knows the same are one *information set*: they must offer the same moves, which are brought into the same
order; and each of these moves is one more *sequence* of the player, behind the one that leads to the set.

Histories in which everybody knows the same, and which have come to the same position with the same earnings, go on
alike, so they are one node: positions that have been met stand in a hash table. (Without one every history is a node.)

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
    hole,
    ints,
    mix,
    moves,
    outcomes,
    pack,
    payoff,
    set_up,
)
from zermelo.solvers.kernels.answers import DONE
from zermelo.solvers.kernels.observations import NOTHING, Knowledge, know_nothing, lacking
from zermelo.solvers.kernels.slots import is_same

NONE = -1

MOVES_DIFFER = -4
"""An information set offers different moves at different decisions."""


@hole
def learn(knowledge: Knowledge, last: State, state: State, move: int, before: ints[PLAYERS], now: ints[PLAYERS]) -> int:
    """What players know ``now``, on coming to a state by a move from the decision before it."""


class Ply:
    """A history on the path: what may happen next, how much of it has been tried, and the nodes or leaves to which that
    led; for chance the weights. ``known`` is each player's information state, and ``sequences`` what they have done.
    ``decided`` is how deep the last decision up to here is, ``information_set`` that of this one, and ``met`` its
    number among the positions; each is ``NONE`` where there is none."""

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
    """What makes decisions alike, and their node, ``NONE`` until it has a number."""

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
    """The information sets so far, ``count`` of them, which offer ``moves`` together. Set s is that of player
    ``owners[s]``, who knows ``known[s]`` and has done ``parents[s]``. Its moves are those of ``offered`` from number
    ``offers[s]`` to ``offers[s + 1]`` (exclusive), and its sequences are numbered from ``numbers[s]`` on. ``places``
    has for each information state the set and 1, or 0; ``sequences`` is how many each player has."""

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
    """The building under way. ``setup`` is the state before the play begins, and ``unknowing`` what each player knows
    there. ``positions`` are those ``met``, found by ``slots``: the number of one and 1, or 0. ``nodes`` counts
    histories; ``lacks`` says what there was no room for."""

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
    """Put the building at its root, the first state of the path, which is not the end."""
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
    """Make so many steps more; the depth that the building has come to, or one of the answers. Where there is no room
    for what the next step may bring, it comes back before that."""
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
    """Come to a history that is not the end: its node, if that has been built; ``NONE`` if it is to be built now; or
    that moves differ."""
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
    """Where chance draws nobody learns anything yet."""
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
    """What the players know at a decision, since the last one."""
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
    """The number of a position, a new one if it has not been met."""
    key = array(KEY)
    pack(ply.state, key)
    hash: int = 0
    for k in range(KEY):
        hash = mix(hash, key[k])
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
    """Whether a position is that of a history."""
    if not is_same(position.key, key):
        return False
    for p in range(PLAYERS):
        if position.known[p] != ply.known[p] or position.earned[p] != earned(ply.state, p):
            return False
    return True


# ------------------------------------------------------- information sets


def find_set(sets: Sets, ply: Ply) -> int:
    """The information set of a decision, a new one if nobody has known this yet. The moves of the decision are brought
    into the order of the set; or else they differ."""
    player: int = actor(ply.state)
    found: int = sets.places[ply.known[player]] - 1
    if found < 0:
        return add_set(sets, ply, player)
    first: int = sets.offers[found]
    if sets.offers[found + 1] - first != ply.count:
        return MOVES_DIFFER
    for k in range(ply.count):
        at: int = k
        while at < ply.count and ply.legal[at] != sets.offered[first + k]:
            at += 1
        if at == ply.count:
            return MOVES_DIFFER
        ply.legal[at] = ply.legal[k]
        ply.legal[k] = sets.offered[first + k]
    return found


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
    """An end, as edges lead to it."""
    at: int = tree.leaves * PLAYERS
    for p in range(PLAYERS):
        tree.payoffs[at + p], tree.sequences[at + p] = payoff(ply.state, p), ply.sequences[p]
    tree.leaves += 1
    return -tree.leaves


def add_node(building: Building, ply: Ply) -> int:
    """The node of a history behind which all has been built."""
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
