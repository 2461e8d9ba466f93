"""The Markov chain that a policy makes of a graph of positions, as flat arrays.

What it computes: the positions to which a play comes from some of a graph if the player who decides takes the edge
``choices`` has for the position; they are numbered in the order that they have in the graph, so that a chain rises
where the graph does. A decision becomes an edge to one position, a draw of chance keeps its edges and weights. And of
each position the *doubt* whether plays from it on are certain to end (Kemeny and Snell, *Finite Markov Chains*, 1960):
``ENDS`` if they do with probability 1, ``MAY_LAST`` if they come, with a probability that is not 0, to a class of
positions that is never left and in which nothing ends, ``UNKNOWN`` if they may come to where nobody has said what to
do.

How: the positions are found breadth first, and their doubts component by component, the last ones first: a component
that nothing leaves, and that is no end, is never left; any other has the worst doubt of those to which it leads.

Cost: a step for each position of the graph, and some for each position and edge of the chain. 8 bytes for each position
of the graph, and 12 bytes for each position and each edge of the chain.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import half
from zermelo.solvers.kernels.answers import DONE
from zermelo.solvers.kernels.upper_bounds import PAYS

ENDS = 0
MAY_LAST = 1
UNKNOWN = 2

STEP = 2
"""The number of the amount that is earned by what counts as a step."""


class Policy:
    """A graph of positions, an edge that is taken in each (-1 if nobody has said), and the positions ``met`` so far, of
    which the edges of ``done`` have been looked at. ``numbers[p]`` is 1 once p has been met, and then 1 more than its
    number in the chain; ``order`` are the positions met, in the end those of the chain. There are ``edges`` in the
    chain, ``decided`` positions in which somebody decides, and ``open`` draws of more than one way to go on or end."""

    kinds: list[half]
    firsts: list[half]
    targets: list[half]
    weights: list[half]
    choices: list[half]
    numbers: list[half]
    order: list[half]
    met: int
    done: int
    edges: int
    decided: int
    open: int


class Chain:
    """A chain: its kinds, edges and weights as in a graph of positions, ``rewards`` for what counts as a step, and the
    ``doubts``. ``edges`` have been written."""

    kinds: list[half]
    firsts: list[half]
    targets: list[half]
    weights: list[half]
    rewards: list[half]
    doubts: list[half]
    edges: int


def meet(policy: Policy, position: int) -> None:
    """A play comes to a position."""
    if policy.numbers[position] == 0:
        policy.numbers[position] = 1
        policy.order[policy.met] = position
        policy.met += 1


def meet_all(policy: Policy, positions: list[half]) -> None:
    """Plays come to some positions."""
    for k in range(len(positions)):
        meet(policy, positions[k])


def go_on(policy: Policy, budget: int) -> int:
    """Look at about so many positions and edges; ``DONE`` when all positions have been met."""
    left: int = budget
    while left > 0:
        if policy.done == policy.met:
            return DONE
        position: int = policy.order[policy.done]
        first: int = first_of(policy, position)
        end: int = end_of(policy, position)
        for edge in range(first, end):
            meet(policy, policy.targets[edge])
        policy.decided += policy.kinds[position] >= 0
        policy.open += parts(policy, first, end)
        policy.edges += end - first
        policy.done += 1
        left -= 1 + end - first
    return policy.done


def first_of(policy: Policy, position: int) -> int:
    """The first edge that a play may take from a position."""
    if policy.kinds[position] < 0:
        return policy.firsts[position]
    return max(policy.choices[position], 0)


def end_of(policy: Policy, position: int) -> int:
    """The end of the edges that a play may take from a position."""
    if policy.kinds[position] < 0:
        return policy.firsts[position + 1]
    return policy.choices[position] + 1


def parts(policy: Policy, first: int, end: int) -> int:
    """Whether some edges lead to more than one position, all ends being one."""
    for edge in range(first + 1, end):
        one: int = policy.targets[edge - 1]
        other: int = policy.targets[edge]
        if one != other and (policy.kinds[one] > PAYS or policy.kinds[other] > PAYS):
            return 1
    return 0


def number_all(policy: Policy) -> None:
    """Number the positions met in the order of the graph."""
    count: int = 0
    for position in range(len(policy.numbers)):
        if policy.numbers[position] != 0:
            policy.order[count] = position
            count += 1
            policy.numbers[position] = count


def write(policy: Policy, chain: Chain) -> None:
    """Write the chain. A draw counts only where nobody ever decides."""
    for p in range(policy.met):
        position: int = policy.order[p]
        chain.kinds[p] = min(policy.kinds[position], 0)
        if policy.kinds[position] <= PAYS or (policy.kinds[position] >= 0 and policy.choices[position] < 0):
            chain.kinds[p] = PAYS
        chain.doubts[p] = UNKNOWN if policy.kinds[position] >= 0 and policy.choices[position] < 0 else ENDS
        chain.firsts[p] = chain.edges
        for edge in range(first_of(policy, position), end_of(policy, position)):
            chain.targets[chain.edges] = policy.numbers[policy.targets[edge]] - 1
            chain.weights[chain.edges] = policy.weights[edge] if policy.kinds[position] < 0 else 1
            counts: bool = policy.kinds[position] >= 0 or policy.decided == 0
            chain.rewards[chain.edges] = STEP if counts else 0
            chain.edges += 1
        chain.firsts[p + 1] = chain.edges


def doubt(chain: Chain, order: list[half], numbers: list[half], first: int, end: int) -> None:
    """Find the doubts of a component, ``order`` from ``first`` to ``end``, after those to which it leads."""
    component: int = numbers[order[first]]
    worst: int = chain.doubts[order[first]] if end - first == 1 else ENDS
    is_left: int = end - first == 1 and chain.kinds[order[first]] <= PAYS
    for i in range(first, end):
        for edge in range(chain.firsts[order[i]], chain.firsts[order[i] + 1]):
            target: int = chain.targets[edge]
            if numbers[target] != component:
                is_left = 1
                worst = max(worst, chain.doubts[target])
    if is_left == 0:
        worst = max(worst, MAY_LAST)
    for i in range(first, end):
        chain.doubts[order[i]] = worst


def doubt_all(chain: Chain, order: list[half], numbers: list[half], starts: list[half], count: int) -> None:
    """Find the doubts of all components, one after the other."""
    for component in range(count):
        doubt(chain, order, numbers, starts[component], starts[component + 1])


def count_edges(chain: Chain, kept: int) -> int:
    """How many edges positions with a doubt have."""
    count: int = 0
    for p in range(len(chain.kinds)):
        if chain.doubts[p] == kept:
            count += chain.firsts[p + 1] - chain.firsts[p]
    return count


def write_part(chain: Chain, part: Chain, kept: int) -> None:
    """Write the part of a chain that has a doubt. All others are ends: the second one where plays are certain to end,
    else the first."""
    for p in range(len(chain.kinds)):
        part.firsts[p] = part.edges
        part.kinds[p] = PAYS - (chain.doubts[p] == ENDS)
        if chain.doubts[p] == kept and chain.kinds[p] > PAYS:
            part.kinds[p] = chain.kinds[p]
            for edge in range(chain.firsts[p], chain.firsts[p + 1]):
                part.targets[part.edges] = chain.targets[edge]
                part.weights[part.edges] = chain.weights[edge]
                part.rewards[part.edges] = chain.rewards[edge]
                part.edges += 1
        part.firsts[p + 1] = part.edges
