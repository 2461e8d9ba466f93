"""The edges of a graph of positions in the making (:mod:`zermelo.solvers.kernels.position_graph`): where they lead, and
what becomes of those that lead to ends, and to decided positions (:mod:`zermelo.solvers.kernels.decisive_moves`), which
are numbered last.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import KEY, PLAYERS, actor, payoff
from zermelo.solvers.kernels.exploration import EXCHANGED, PAYS, WON, Child, Exploration, is_decided
from zermelo.solvers.kernels.numbering import enter_again, forget_last, hash_row, number_of


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
            search.targets[search.lost] = target
            search.lost = -1
            return
    search.targets[search.edges] = target
    search.edges += 1


def come_to(search: Exploration, source: int) -> None:
    """The next edge is one of this position, which is no longer where it was expected if edges have been left out."""
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


def enter_positions(search: Exploration, first: int, end: int) -> None:
    """Enter the positions of a range into a new table."""
    for number in range(first, end):
        enter_again(search.positions, number)


def edge_to(search: Exploration, position: int) -> int:
    """The first edge that leads to a position, which has one."""
    edge: int = 0
    while search.targets[edge] != position:
        edge += 1
    return edge
