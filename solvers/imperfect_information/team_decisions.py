"""A game of common payoff as a search over beliefs needs it: decisions only, chance's draws summed up, and bounds.

Weights are whole numbers. The *share* of a node is a whole number, and a play that is at the node with share k brings k
times the payoffs below, over one scale for the whole game. ``needed[n]`` is a number by which the reach probability of
node n can be divided so that all divisions below come out even: 1 at a leaf; the least common multiple of the
children's; at a chance node that times the sum of its weights. A move leads from node n to each decision that chance
may draw behind it, with a factor: the share there is the share at n times the factor.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from attrs import frozen

from zermelo.grammar.deadline import look
from zermelo.solvers.common.columns import OBJECT_BYTES
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm


@frozen
class Outlook:
    """What follows a move or a draw: payoffs of plays that end without another decision, weighted and summed up
    (``payoff``), and the next decisions, ``nodes`` with the ``factors`` of their shares."""

    payoff: int
    nodes: tuple[int, ...]
    factors: tuple[int, ...]


@frozen(eq=False)
class TeamDecisions:
    """The decisions of a game of common payoff.

    ``outlooks[n][k]`` follows move k at decision node n, and is empty for chance nodes; ``start`` is the outlook before
    the first decision. ``open_cards[n]`` bounds from above what a share of 1 at node n can bring: the value if from
    there on all players saw everything but the draws to come. ``ahead[n]`` are the information sets of n and of all
    decisions below it, as the bits of a number. A value is a sum of shares times payoffs, over ``scale``."""

    sets_of: Sequence[int]
    outlooks: list[tuple[Outlook, ...]]
    start: Outlook
    open_cards: list[int]
    ahead: list[int]
    scale: int
    least: int


def team_decisions(tree: ExtensiveForm, limits: Limits) -> TeamDecisions:
    """The decisions of a game whose players all have the first player's payoffs. Raises ``ZermeloError``
    (``out-of-memory``)."""
    players, needed = len(tree.player_names), [1] * tree.nodes
    outlooks: list[tuple[Outlook, ...]] = []
    drawn: dict[int, Outlook] = {}
    open_cards, ahead = [0] * tree.nodes, [0] * tree.nodes
    interned: dict[int, int] = {}
    taken = 0
    for node, s in enumerate(tree.sets_of):
        look()
        edges = range(tree.firsts[node], tree.firsts[node + 1])
        total = sum(tree.weights[edge] for edge in edges) if s == CHANCE_NODE else 1
        inner = {needed[tree.children[edge]] for edge in edges if tree.children[edge] >= 0}
        needed[node] = total * lcm(*inner)
        parts = []
        for edge in edges:
            child, share = tree.children[edge], needed[node] // total * tree.weights[edge]
            if child < 0:
                parts.append(Outlook(share * tree.payoffs[(-1 - child) * players], (), ()))
            elif child in drawn:
                parts.append(_scaled(drawn[child], share // needed[child]))
            else:
                parts.append(Outlook(0, (child,), (share // needed[child],)))
        if s == CHANCE_NODE:
            drawn[node] = _joined(parts)
            parts = []
        else:
            open_cards[node] = max(part.payoff + times(part, open_cards) for part in parts)
            own = 1 << s
            for part in parts:
                for child in part.nodes:
                    own |= ahead[child]
            ahead[node] = interned.setdefault(own, own)
            taken += own.bit_length() // 8 if ahead[node] is own else 0
        outlooks.append(tuple(parts))
        made = [*parts, drawn[node]] if s == CHANCE_NODE else parts
        taken += sum(_OUTLOOK_BYTES + 2 * OBJECT_BYTES * len(part.nodes) for part in made) + 4 * OBJECT_BYTES
        limits.require(taken, f"the decisions of a team in a game of {tree.histories:,} histories")
    root = tree.nodes - 1
    if not tree.nodes:
        return TeamDecisions(tree.sets_of, [], Outlook(tree.payoffs[0], (), ()), [], [], tree.denominator, 0)
    start = drawn[root] if root in drawn else Outlook(0, (root,), (1,))
    least = -1 - needed[root] * max(map(abs, tree.payoffs))
    found = TeamDecisions(tree.sets_of, outlooks, start, open_cards, ahead, needed[root] * tree.denominator, least)
    limits.hold(found, taken)
    return found


_OUTLOOK_BYTES = 250


def times(outlook: Outlook, values: Sequence[int]) -> int:
    """The values of the next decisions, each times its factor, summed up."""
    return sum(factor * values[node] for node, factor in zip(outlook.nodes, outlook.factors, strict=True))


def _scaled(outlook: Outlook, share: int) -> Outlook:
    return Outlook(outlook.payoff * share, outlook.nodes, tuple(factor * share for factor in outlook.factors))


def _joined(parts: Sequence[Outlook]) -> Outlook:
    """All of these together; a decision that several lead to counts once, with the sum of their factors."""
    factors: dict[int, int] = {}
    for part in parts:
        for node, factor in zip(part.nodes, part.factors, strict=True):
            factors[node] = factors.get(node, 0) + factor
    return Outlook(sum(part.payoff for part in parts), tuple(factors), tuple(factors.values()))
