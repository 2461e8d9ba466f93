"""The edges of a graph of positions in the making: where they lead, and what becomes of those that lead to ends, and to
decided positions (:mod:`zermelo.solvers.kernels.exploration`), which are numbered last.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    KEY,
    PLAYERS,
    STATE,
    State,
    actor,
    afresh,
    apply,
    copy,
    earned,
    is_within_round,
    pack,
    payoff,
    unpack,
)
from zermelo.solvers.kernels.answers import BEYOND, DONE
from zermelo.solvers.kernels.exploration import (
    AT_ROOT,
    BATCH,
    DRAWS,
    EXCHANGED,
    LACKS_ROOM,
    LARGEST_MOVE,
    MOST_WEIGHT,
    NOT_MET,
    PAYS,
    UNKNOWN,
    WON,
    Child,
    Exploration,
    expect_entry,
    expect_row,
    forget_last,
    hash_row,
    is_decided,
    is_exchanged,
    is_witness,
    known_number,
    number_of,
    write_key,
)
from zermelo.solvers.kernels.states import list_next


def add_edge(search: Exploration, child: Child, place: int) -> None:
    """Add the edge to a child of the batch. Where the other player wins at once no edge needs to lead, if another one
    leads to a position that is kept."""
    target: int = find_target(search, child, place)
    if child.parent != search.source:
        come_to(search, child.parent)
    if target <= WON and WON - target != search.kinds[child.parent]:
        if search.is_kept or search.lost >= 0:
            return
        search.lost = search.edges
    elif target >= 0:
        search.is_kept = True
        if search.lost >= 0:
            put_edge(search, search.lost, target)
            search.lost = -1
            return
    put_edge(search, search.edges, target)
    search.edges += 1


def put_edge(search: Exploration, edge: int, target: int) -> None:
    """Let an edge lead to a target, if edges are kept."""
    if len(search.targets) > 0:
        search.targets[edge] = target


def come_to(search: Exploration, source: int) -> None:
    """The next edge is one of this position, which is no longer where it was expected if edges have been left out."""
    if len(search.firsts) > 0:
        for k in range(search.source + 1, source + 1):
            search.firsts[k] = search.edges
    search.source, search.lost, search.is_kept = source, -1, False


def find_target(search: Exploration, child: Child, place: int) -> int:
    """Where an edge to a child leads; the child gets a number if nothing like it is known, and is not decided. The root
    always has one."""
    if child.kind <= PAYS:
        return find_end(search, PAYS - child.kind)
    known: int = search.positions.count
    number: int = number_of(search.positions, search.words, place * KEY, child.hash)
    if number == known:
        if child.parent >= 0 and is_decided(search.rules, search.trial, child.state) != 0:
            forget_last(search.positions, child.hash)
            return find_winner(search, actor(child.state))
        search.kinds[number] = child.kind
    elif number <= child.parent:
        search.falls = True
    return number if child.exchanged == 0 else number | EXCHANGED


def find_end(search: Exploration, amount: int) -> int:
    """Where an edge to an end leads that pays an amount."""
    if search.ends[amount] == 0:
        search.terminals += 1
        search.ends[amount] = search.terminals
    return -1 - amount


def find_winner(search: Exploration, player: int) -> int:
    """Where an edge leads if a player can win at once, as they do in the state of the trial."""
    if search.won[player] == 0:
        for p in range(PLAYERS):
            search.paid[p] = payoff(search.trial.state, p)
        search.prizes[player] = number_amount(search)
        find_end(search, search.prizes[player])
        search.winners += 1
        search.won[player] = search.winners
    return WON - player


def add_ends(search: Exploration) -> None:
    """Give decided positions and ends numbers behind those of all other positions."""
    for player in range(PLAYERS):
        if search.won[player] != 0:
            search.kinds[number_behind(search, WON - player)] = player
    for rank in range(1, search.winners + 1):
        for player in range(PLAYERS):
            if search.won[player] == rank:
                search.targets[search.edges] = -1 - search.prizes[player]
        search.edges += 1
        search.firsts[search.positions.count + rank] = search.edges
    for amount in range(search.amounts.count):
        if search.ends[amount] != 0:
            number: int = number_behind(search, -1 - amount)
            search.kinds[number] = PAYS - amount
            search.firsts[number + 1] = search.edges


def number_behind(search: Exploration, target: int) -> int:
    """The number of the end, or of the decided position, for which there was something else instead of a target."""
    number: int = search.positions.count - 1
    if target <= WON:
        return number + search.won[WON - target]
    return number + search.winners + search.ends[-1 - target]


def point_to_ends(search: Exploration, first: int, end: int) -> None:
    """Let the edges of a range lead to decided positions and ends by these numbers."""
    for edge in range(first, end):
        if search.targets[edge] < 0:
            search.targets[edge] = number_behind(search, search.targets[edge])


def number_amount(search: Exploration) -> int:
    """The number of the amount in ``paid``."""
    return number_of(search.amounts, search.paid, 0, hash_row(search.paid, 0, search.amounts.width))


def edge_to(search: Exploration, position: int) -> int:
    """The first edge that leads to a position, which has one."""
    edge: int = 0
    while search.targets[edge] != position:
        edge += 1
    return edge


# Finding the positions of a game breadth first, with the graph that they make
# (:class:`zermelo.solvers.positions.graph.graph.PositionGraph`).
#
# A position is numbered when it is met, and its moves are made when all positions of lower numbers have had their turn.
# So the edges of one position lie behind those of the one before, and the first edge that leads to a position begins no
# later than any other: the play along such edges is a shortest one.
#
# No state is kept: a position is its key, from which its state is read back (``unpack``), as if the play began there.
# What a player has earned in a state one move later is therefore the reward of that move, and what an end pays counts
# in full. Payments, of ends and of moves, are numbered in a table of their own, the *amounts*.
#
# Ends that pay the same are one position. They come last: an edge that leads to one is -1 minus the number of its
# amount, until all other positions have their numbers (``point_to_ends``). So every edge that leads to no higher number
# is one of a circle, or joins plays of different lengths.
#
# *Witnesses* are looked for on the way (``reachable``, ``never``): of each the first edge is kept that leads to what it
# describes. It ends a shortest play to such a position, since edges are made in their order. Positions that are equal
# may be taken for one, since what a witness asks of them is the same; but of ends that pay the same, each is asked.
#
# *Decided* positions may be left out (:mod:`zermelo.solvers.kernels.exploration`): all in which the same player can
# win at once are one, with numbers and one edge added in the end. And where positions of which one is an image of the
# other are to be one (``write_key``), each is its canonical form, but for the root.
#
# Moves are made in batches: while those of a batch are made, the entries of the table that will be looked at are
# brought into the cache, then the rows to which these lead, and only then are the positions looked up, in their order.
#
# Cost: one step for each edge; for each position its key, an entry of the table, and two numbers of 32 bits, for each
# edge one to three.


# -------------------------------------------------------------- the search


def start(search: Exploration) -> None:
    """Begin with the root, whose state is in the first place of the batch. The first amount is nothing at all."""
    for p in range(PLAYERS):
        search.paid[p] = 0
    number_amount(search)
    for k in range(len(search.met)):
        search.met[k] = NOT_MET
    root = search.batch[0]
    afresh(root.state)
    copy(search.state, root.state, STATE)
    search.position, search.source = -1, -1
    root.parent = -1
    describe(search, root, 0)
    if root.kind > PAYS:
        root.kind, root.exchanged = kind_of(root.state), 0
        pack(root.state, search.key)
        take_key(search, root, 0)
    find_target(search, root, 0)
    watch(search, root.state, AT_ROOT)


def start_also(search: Exploration, who: int) -> None:
    """Begin with the position of the key that has been written, too, in which this one acts."""
    root = search.batch[0]
    unpack(search.rules, root.state, search.key, who)
    root.parent = -1
    describe(search, root, 0)
    find_target(search, root, 0)


def go_on(search: Exploration, budget: int) -> int:
    """Make ``budget`` more moves, about; ``DONE`` when all positions have had their turn, or another answer."""
    last: int = search.edges + budget
    while search.edges < last:
        if not has_room(search):
            return LACKS_ROOM
        if not gather(search):
            return BEYOND
        if search.gathered == 0:
            come_to(search, search.positions.count)
            return DONE
        for k in range(search.gathered):
            if search.batch[k].kind > PAYS:
                expect_row(search.positions, search.batch[k].hash)
        for k in range(search.gathered):
            add_edge(search, search.batch[k], k)
    return 0


def has_room(search: Exploration) -> bool:
    """Whether there is room for a batch of edges to as many positions, with twice as many amounts."""
    positions: int = search.positions.count + BATCH
    return (
        positions <= len(search.kinds)
        and 4 * positions <= 3 * len(search.positions.table)
        and (search.edges + BATCH <= len(search.targets) or len(search.targets) == 0)
        and has_room_for_amounts(search)
    )


def has_room_for_amounts(search: Exploration) -> bool:
    """Whether there is room for two amounts for each edge of a batch."""
    amounts: int = search.amounts.count + 2 * BATCH
    return amounts <= len(search.ends) and 4 * amounts <= 3 * len(search.amounts.table)


# --------------------------------------------------------------- the batch


def gather(search: Exploration) -> bool:
    """Fill the batch with the next moves of the known positions; False if a weight is too large, and with nothing
    gathered when all moves have been made that are to be. A fault of the rules ends it, too."""
    search.gathered = 0
    while search.gathered < BATCH and search.rules[0] == 0:
        if search.tried < search.offered:
            make_next(search, search.batch[search.gathered])
        elif search.position + 1 == search.positions.count or search.position + 1 == search.most:
            return True
        elif not open_next(search):
            return False
    return True


def open_next(search: Exploration) -> bool:
    """List the moves of the next position; False if a weight is too large."""
    search.position += 1
    if len(search.firsts) > 0:
        search.firsts[search.position] = search.edges + search.gathered
    list_moves(search)
    return search.kinds[search.position] != DRAWS or search.rules[0] != 0 or reduce_weights(search)


def list_moves(search: Exploration) -> None:
    """List the moves of the position at hand, of which none has been made."""
    search.tried, search.offered = 0, 0
    kind: int = search.kinds[search.position]
    for k in range(KEY):
        search.key[k] = search.positions.rows[search.position * KEY + k]
    who: int = CHANCE
    if kind >= 0:
        who = kind if kind < PLAYERS else kind - PLAYERS
    unpack(search.rules, search.state, search.key, who)
    offered: int = list_next(search.rules, search.state, search.legal, search.drawn)
    if search.rules[0] == 0:
        search.offered = offered


def reduce_weights(search: Exploration) -> bool:
    """Divide the weights of all outcomes by their greatest common divisor; False if one is too large then."""
    search.draws = True
    divisor: int = 0
    for k in range(search.offered):
        rest: int = search.drawn[k]
        while rest != 0:
            divisor, rest = rest, divisor % rest
    for k in range(search.offered):
        search.drawn[k] = search.drawn[k] // divisor
        if search.drawn[k] > MOST_WEIGHT:
            return False
    return True


def make_next(search: Exploration, child: Child) -> None:
    """Make the next move, if it does not go wrong, and add what it leads to to the batch."""
    edge: int = search.edges + search.gathered
    copy(child.state, search.state, STATE)
    apply(search.rules, child.state, search.legal[search.tried])
    if search.rules[0] != 0:
        return
    if len(search.weights) > 0:
        search.weights[edge] = search.drawn[search.tried] if search.kinds[search.position] == DRAWS else 1
    if len(search.rewards) > 0:
        for p in range(PLAYERS):
            search.paid[p] = earned(child.state, p)
        search.rewards[edge] = number_amount(search)
        if search.rewards[edge] != 0:
            search.earns = True
    if len(search.moves) > 0:
        name_move(search, edge)
    child.parent = search.position
    describe(search, child, search.gathered)
    watch(search, child.state, edge)
    if search.rules[0] != 0:
        return
    search.tried += 1
    search.gathered += 1


def name_move(search: Exploration, edge: int) -> None:
    """Keep the number of the move that is an edge, if it fits."""
    move: int = search.legal[search.tried]
    if move > LARGEST_MOVE:
        search.unnamed = True
    else:
        search.moves[edge] = move


def describe(search: Exploration, child: Child, place: int) -> None:
    """Find out of what kind a child is, whose state is known, and its key unless it is an end."""
    who: int = actor(child.state)
    if who == END:
        for p in range(PLAYERS):
            search.paid[p] = payoff(child.state, p) - earned(child.state, p)
        child.kind = PAYS - number_amount(search)
        return
    child.kind = kind_of(child.state)
    child.exchanged = is_exchanged(write_key(child.state, search.key))
    if child.exchanged != 0:
        child.kind = 1 - child.kind
    take_key(search, child, place)


def kind_of(state: State) -> int:
    """The kind of a position that is no end."""
    who: int = actor(state)
    if who == CHANCE:
        return DRAWS
    return who + PLAYERS if is_within_round(state) != 0 else who


def take_key(search: Exploration, child: Child, place: int) -> None:
    """Let the key that has been written be that of a child."""
    for k in range(KEY):
        search.words[place * KEY + k] = search.key[k]
    child.hash = hash_row(search.words, place * KEY, search.positions.width)
    expect_entry(search.positions, child.hash)


def watch(search: Exploration, state: State, edge: int) -> None:
    """Enter the edge that leads to a state for the witnesses that are met there first."""
    for k in range(len(search.met)):
        if search.met[k] == NOT_MET and is_witness(search.rules, state, search.watched[k]) != 0:
            search.met[k] = edge


# ---------------------------------------------------------------- the host


def look_up(search: Exploration) -> int:
    """Where an edge would lead to the state in the first place of the batch, which is no end, once all positions are
    known; ``WON`` minus the player if it is decided, and ``NOT_MET`` if there is no such position."""
    child = search.batch[0]
    describe(search, child, 0)
    number: int = known_number(search.positions, search.words, 0, child.hash)
    if number != UNKNOWN:
        return number if child.exchanged == 0 else number | EXCHANGED
    return WON - actor(child.state) if is_decided(search.rules, search.trial, child.state) != 0 else NOT_MET
