"""The best joint strategy of players with a common payoff and different information.

They can agree on a strategy before the play, but not communicate during it. The payoff of a mixture of joint strategies
is an average, so some joint *pure* strategy is optimal (Marschak and Radner 1972). It is found from the point of view
of a coordinator who sees only what everybody sees, and prescribes to each player a move for everything that they may
know by themselves (Nayyar, Mahajan and Teneketzis 2013; Foerster and others 2019; Lerer and others 2020).

*Beliefs.* What the coordinator holds possible is a set of decision nodes with shares (see below). A prescription is
made one information set at a time: its nodes move on, all with the same move, to their next decisions.

*What is public* is not taken from the observations, but from its use for decisions. Two nodes of a belief are linked if
some information set that is still undecided has nodes at or below both. Parts of a belief that are not linked are
solved separately, and their values are added: no choice in the one is a choice in the other. Where everybody has
perceived something, no information set is at or below both histories that differ in it, so a public observation always
separates; and so does everything that no later decision depends on.

*The order.* A set is decided when all its nodes that can still be reached are in the belief. If there is no such set,
as where players do not agree on who moves first, one is decided sooner; its move is then a *promise*, which nodes that
come later keep. A player forgets nothing, so no play meets a set twice, and every order gives all joint strategies.

*Bounds.* Nobody does better in a node than with open cards. A set's moves are tried in the order of their bounds, and
those that cannot exceed what is known already are cut off. A belief is solved once, whatever its scale: shares are
divided by their greatest common divisor. What was found is kept, either the value or a bound of it.

All numbers are whole, over one scale, so the value is exact. The problem is NP-hard even for two players (Tsitsiklis
and Athans 1985): the cost is exponential in how many information sets hang together, but not in the number of public
observations.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.memory import MemoryQuota
from zermelo.interpreter.machine import State
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.common.numbers import OBJECT_BYTES, depth_first
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm, SequenceForm, pure_plan
from zermelo.solvers.forms.extensive_form import sequence_form as form_of
from zermelo.solvers.forms.strategy import strategies
from zermelo.solvers.solution import Answer, Problem
from zermelo.solvers.tree_building.building import tree_of

# A game of common payoff as a search over beliefs needs it: decisions only, chance's draws summed up, and bounds.
#
# Weights are whole numbers. The *share* of a node is a whole number, and a play that is at the node with share k brings
# k times the payoffs below, over one scale for the whole game. ``needed[n]`` is a number by which the reach probability
# of node n can be divided so that all divisions below come out even: 1 at a leaf; the least common multiple of the
# children's; at a chance node that times the sum of its weights. A move leads from node n to each decision that chance
# may draw behind it, with a factor: the share there is the share at n times the factor.


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
        check_deadline()
        edges = tree.edges(node)
        total = sum(tree.weights[edge] for edge in edges) if s == CHANCE_NODE else 1
        inner = {needed[tree.children[edge]] for edge in edges if tree.children[edge] >= 0}
        needed[node] = total * lcm(*inner)
        parts = []
        for edge in edges:
            child, share = tree.children[edge], needed[node] // total * tree.weights[edge]
            if child < 0:
                parts.append(Outlook(share * tree.payoffs[(-1 - child) * players], (), ()))
            elif child in drawn:
                parts.append(_scale_outlook(drawn[child], share // needed[child]))
            else:
                parts.append(Outlook(0, (child,), (share // needed[child],)))
        if s == CHANCE_NODE:
            drawn[node] = _join_outlooks(parts)
            parts = []
        else:
            open_cards[node] = max(part.payoff + weighted_sum(part, open_cards) for part in parts)
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


def weighted_sum(outlook: Outlook, values: Sequence[int]) -> int:
    """The values of the next decisions, each times its factor, summed up."""
    return sum(factor * values[node] for node, factor in zip(outlook.nodes, outlook.factors, strict=True))


def _scale_outlook(outlook: Outlook, share: int) -> Outlook:
    return Outlook(outlook.payoff * share, outlook.nodes, tuple(factor * share for factor in outlook.factors))


def _join_outlooks(parts: Sequence[Outlook]) -> Outlook:
    """All of these together; a decision that several lead to counts once, with the sum of their factors."""
    factors: dict[int, int] = {}
    for part in parts:
        for node, factor in zip(part.nodes, part.factors, strict=True):
            factors[node] = factors.get(node, 0) + factor
    return Outlook(sum(part.payoff for part in parts), tuple(factors), tuple(factors.values()))


Shares = tuple[tuple[int, int], ...]
"""Nodes with their shares, in the order of nodes."""

Promises = tuple[tuple[int, int], ...]
"""Information sets with the moves decided for them, in the order of sets."""


@frozen(cache_hash=True)
class PublicBelief:
    """What the coordinator holds possible, and the promises that a node of it may have to keep later."""

    shares: Shares
    promises: Promises


@frozen
class BeliefValue:
    """The value of a belief with a best ``move`` of its next information set, or, without one, a bound from above."""

    value: int
    move: int | None


Parts = list[tuple[int, PublicBelief]]
"""Beliefs that are solved separately, each with a factor for its value."""

Search = Generator[tuple[PublicBelief, int], BeliefValue, BeliefValue]
"""A search of a belief: it asks for those of others, each with a value to be exceeded."""


def team(problem: Problem[State]) -> Answer:
    """Solve by the best joint strategy. Needs equal payoffs, and plays that end."""
    tree = tree_of(problem)
    form = form_of(tree, problem.limits)
    search = _Team(team_decisions(tree, problem.limits), problem.limits, problem.progress)
    value = Fraction(search.solve(), search.game.scale)
    plans = _plans(form, search.moves())
    return Answer(
        value=(value,) * len(tree.player_names),
        counts={"nodes": tree.histories, "beliefs": len(search.found)},
        alternatives=(),
        notes=("No joint strategy brings more: each has been tried, or a bound rules it out.",),
        strategies=strategies(tree, form, plans),
        is_optimum=True,
    )


@define(eq=False)
class _Team:
    """The search. ``found`` is what is known of each belief so far."""

    game: TeamDecisions
    limits: Limits
    progress: Progress
    found: dict[PublicBelief, BeliefValue] = field(factory=dict)
    visited: int = 0
    room: MemoryQuota = field(init=False)

    @room.default
    def _room(self) -> MemoryQuota:
        return self.limits.room()

    def solve(self) -> int:
        """The value of the game."""
        payoff, parts = self.follow([(self.game.start, 1)], {})
        return payoff + sum(factor * depth_first(self.visit, (part, self.game.least)).value for factor, part in parts)

    def moves(self) -> dict[int, int]:
        """The moves of the best joint strategy that was found, for each information set that it decides."""
        chosen: dict[int, int] = {}
        _, waiting = self.follow([(self.game.start, 1)], {})
        while waiting:
            _, belief = waiting.pop()
            move = self.found[belief].move
            assert move is not None, "what a best move leads to has a value"
            s = self.next_set(belief)
            chosen[s] = move
            waiting += self.after(belief, s, move)[1]
        return chosen

    def follow(self, waiting: list[tuple[Outlook, int]], promised: dict[int, int]) -> tuple[int, Parts]:
        """What these outlooks, each with a share, lead to while promises are kept: payoffs, and beliefs."""
        payoff, shares = 0, dict[int, int]()
        while waiting:
            outlook, share = waiting.pop()
            payoff += share * outlook.payoff
            for node, factor in zip(outlook.nodes, outlook.factors, strict=True):
                move = promised.get(self.game.sets_of[node])
                if move is None:
                    shares[node] = shares.get(node, 0) + share * factor
                else:
                    waiting.append((self.game.outlooks[node][move], share * factor))
        return payoff, self._unlinked_parts(shares, promised)

    def _unlinked_parts(self, shares: dict[int, int], promised: dict[int, int]) -> Parts:
        """The nodes in groups that no undecided set links."""
        ahead, kept = self.game.ahead, sum(1 << s for s in promised)
        groups: list[tuple[int, list[int]]] = []
        for node in sorted(shares):
            sets, joined, apart = ahead[node] & ~kept, [node], []
            for group in groups:
                if group[0] & sets:
                    sets |= group[0]
                    joined += group[1]
                else:
                    apart.append(group)
            groups = [*apart, (sets, joined)]
        parts: Parts = []
        for _, nodes in groups:
            factor, below = gcd(*(shares[node] for node in nodes)), 0
            for node in nodes if promised else ():
                below |= ahead[node]
            promises = tuple((s, move) for s, move in sorted(promised.items()) if below >> s & 1)
            parts.append(
                (factor, PublicBelief(tuple((node, shares[node] // factor) for node in sorted(nodes)), promises))
            )
        return parts

    def after(self, belief: PublicBelief, s: int, move: int) -> tuple[int, Parts]:
        """What a belief becomes if this is the move of a set: payoffs, and beliefs."""
        waiting = []
        for node, share in belief.shares:
            outlook = self.game.outlooks[node][move] if self.game.sets_of[node] == s else Outlook(0, (node,), (1,))
            waiting.append((outlook, share))
        return self.follow(waiting, {**dict(belief.promises), s: move})

    def next_set(self, belief: PublicBelief) -> int:
        """The set that is decided next: if possible one that has no nodes below the belief, and among these the one
        that loses most if it makes the same move everywhere instead of the best one in each node."""
        game, later = self.game, 0
        gains: dict[int, list[int]] = {}
        apart: dict[int, int] = {}
        for node, share in belief.shares:
            s = game.sets_of[node]
            later |= game.ahead[node] & ~(1 << s)
            brings = [
                share * (outlook.payoff + weighted_sum(outlook, game.open_cards)) for outlook in game.outlooks[node]
            ]
            gains[s] = [*map(sum, zip(gains[s], brings, strict=True))] if s in gains else brings
            apart[s] = apart.get(s, 0) + max(brings)
        return min(gains, key=lambda s: (later >> s & 1, max(gains[s]) - apart[s], s))

    def bound(self, belief: PublicBelief) -> int:
        """A value that a belief does not exceed."""
        known = self.found.get(belief)
        if known is not None:
            return known.value
        return sum(share * self.game.open_cards[node] for node, share in belief.shares)

    def visit(self, asked: tuple[PublicBelief, int]) -> Search:
        """The value of a belief if it exceeds what is ``asked``, otherwise a bound that does not."""
        belief, least = asked
        known = self.found.get(belief)
        if known is not None and (known.move is not None or known.value <= least):
            return known
        self._count_visit()
        s, best, missed = self.next_set(belief), BeliefValue(least, None), list[int]()
        for bound, move, payoff, parts in self._options(belief, s):
            if bound <= best.value:
                missed.append(bound)
                break
            assumed = [self.bound(part) for _, part in parts]
            total = payoff + sum(factor * value for (factor, _), value in zip(parts, assumed, strict=True))
            for (factor, part), value in zip(parts, assumed, strict=True):
                if total <= best.value:
                    break
                answer = yield part, value - (total - best.value - 1) // factor - 1
                total += factor * (answer.value - value)
            if total > best.value:
                best = BeliefValue(total, move)
            else:
                missed.append(total)
        self.found[belief] = best if best.move is not None else BeliefValue(min(max(missed), self.bound(belief)), None)
        return self.found[belief]

    def _options(self, belief: PublicBelief, s: int) -> list[tuple[int, int, int, Parts]]:
        """The moves of a set, the most promising first: a bound, the move, and what it leads to."""
        node = next(node for node, _ in belief.shares if self.game.sets_of[node] == s)
        options = []
        for move in range(len(self.game.outlooks[node])):
            payoff, parts = self.after(belief, s, move)
            options.append((payoff + sum(factor * self.bound(part) for factor, part in parts), move, payoff, parts))
        return sorted(options, key=lambda option: (-option[0], option[1]))

    def _count_visit(self) -> None:
        self.visited += 1
        if self.visited % 64 == 0:
            self.progress(self.visited)
            self.limits.check({"nodes": self.visited})
        if not self.room.grows(self.found):
            raise self.limits.out_of_memory({"beliefs": len(self.found)})


def _plans(form: SequenceForm, moves: Mapping[int, int]) -> list[list[Fraction]]:
    """The realization plans of a joint strategy, which makes the first move where it does not say another."""
    return [
        pure_plan(own, [first + moves.get(s, 0) for s, first in zip(own.sets, own.firsts[:-1], strict=True)])
        for own in form.players
    ]
