"""A subgame-perfect equilibrium, by backward induction over subgames.

A *subgame* begins at a node that everybody can identify: no information set is partly below it and partly elsewhere. An
equilibrium is *subgame-perfect* if its restriction to every subgame is an equilibrium, even in subgames that it does
not reach; so it rests on no incredible threat (Selten 1965). The last subgames are solved first, each is replaced by
the payoff of its equilibrium, and so on up to the whole game. A subgame in which one player decides alone is a maximum,
one in which chance draws is an average, and any other is a small game, solved by its normal form
(:mod:`zermelo.solvers.normal_form.nash`), or by its sequence form where two players have too many strategies for a
table.

If a subgame has several equilibria, one of them is taken, efficient and pure ones before others; another choice may
lead to another equilibrium of the game. A game without proper subgames is solved by all equilibria of its normal form.

Cost: one small game for each subgame, which may be feasible though the table of the whole game is not.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final

from attrs import define, field

from zermelo.interpreter.machine import Payoff, State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import over_one_denominator
from zermelo.solvers.forms.best_response import best_response, check_memory, follow_best, gradient
from zermelo.solvers.forms.extensive_form import (
    CHANCE_NODE,
    ExtensiveForm,
    InformationSets,
    Plan,
    SequenceForm,
    Sequences,
    plan_of,
    strategy_of,
)
from zermelo.solvers.forms.extensive_form import sequence_form as form_of
from zermelo.solvers.forms.strategy import strategies
from zermelo.solvers.linear_programming.pivoting import GO, STOP, Equation, follow_path
from zermelo.solvers.normal_form.nash import (
    equilibria_of,
    no_equilibrium_error,
    normal_form_equilibria,
    plan_of_mixture,
)
from zermelo.solvers.normal_form.normal_form import NoTable, normal_form
from zermelo.solvers.solution import Answer, Problem
from zermelo.solvers.tree_building.building import tree_of

# One equilibrium of a game of two players with any payoffs, exactly, from its sequence form.
#
# Both players begin with a *prior*: they play every move with some probability. Think of a mixture: with probability λ
# the players follow plans x and y, and otherwise the prior. At λ = 0 each player has a best response to the prior.
# While λ grows, x remains a best response to the opponent's mixture, and y likewise; at λ = 1 they are best responses
# to each other. With the sequence form (:mod:`zermelo.solvers.forms.extensive_form`) this is a path of complementary
# pivots (:mod:`zermelo.solvers.linear_programming.pivoting`) over as many equations as sequences:
#
# - the moves of an information set add up to the sequence that leads there, the empty sequence to λ;
# - a sequence loses ``r`` compared with the best one of its information set, and is played only where r is 0.
#
# So x and r of a sequence are a pair. In each information set one sequence is a best response to the prior: its x is
# basic at the start, as is the r of every other one. The values of the information sets are eliminated: the value of a
# set is what its first best response brings, plus the loss of that.
#
# The path ends, since nothing on it grows for ever. λ is at most 1, so plans are bounded. If losses alone grew, so
# would values of information sets, and none would fall; but a sequence has a loss only where it is not played, so the
# growths, weighted by what reaches the sets, add up to 0, and by the perturbation something reaches every set.
#
# The equilibrium is *normal-form perfect* (Selten 1975): shortly before the end, and so in the limit, its plans are
# best responses to a mixture that plays every move. So no player uses a plan that is weakly dominated. This is about
# plans: it says nothing of moves that a player's own plan avoids, and does not make an equilibrium sequential.
#
# Source: von Stengel, van den Elzen and Talman, "Computing normal form perfect equilibria for extensive two-person
# games" (2002); Koller, Megiddo and von Stengel, "Efficient computation of equilibria for extensive two-person games"
# (1996). Cost: a pivot for each equation as a rule, each of which is a pass over a table of the sequences of both
# players.


Linear = dict[int, int]
"""A linear form: factors of variables, and of 1."""

ONE: Final = -3
"""The constant of a linear form, as if it were a variable."""


@define(eq=False)
class _Side:
    """A player: their ``sequences``; the number of the ``first`` pair of variables, that of sequence 1; and for each
    set the ``best`` sequence against the prior. ``weights`` are the plan, in terms of what is 0 at the start."""

    sequences: Sequences
    first: int
    best: list[int]
    weights: list[Linear] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.weights = [{GO: 1}]
        own = self.sequences
        for i, parent in enumerate(own.parents):
            options = own.options(i)
            others = [sequence for sequence in options if sequence != self.best[i]]
            rest = dict(self.weights[parent])
            for sequence in others:
                rest[self.played(sequence)] = -1
            self.weights += [rest if sequence == self.best[i] else {self.played(sequence): 1} for sequence in options]

    def basic(self, sequence: int) -> int:
        """The variable of a sequence that is basic at the start: its weight if it is a best response, else its loss."""
        return 2 * (self.first + sequence - 1)

    def played(self, sequence: int) -> int:
        """The variable for the weight of a sequence that is no best response to the prior."""
        return self.basic(sequence) + 1

    def lost(self, sequence: int) -> int:
        """The variable for the loss of one that is."""
        return self.basic(sequence) + 1

    def equations(self, values: Sequence[Linear]) -> list[Equation]:
        """The equations of all sequences but the empty one; ``values``: what they bring at their leaves."""
        own = self.sequences
        made: dict[int, Equation] = {}
        behind: list[Linear] = [defaultdict(int) for _ in range(len(own))]  # what the sets after a sequence are worth
        for i in reversed(range(len(own.parents))):
            best = self.best[i]
            worth = _sum_forms((1, values[best]), (1, behind[best]), (1, {self.lost(best): 1}))
            for sequence in own.options(i):
                loss = _sum_forms((1, worth), (-1, values[sequence]), (-1, behind[sequence]))
                known = self.weights[best] if sequence == best else loss
                made[sequence] = _equation(self.basic(sequence), known)
            behind[own.parents[i]] = _sum_forms((1, behind[own.parents[i]]), (1, worth))
        return [made[sequence] for sequence in range(1, len(own))]

    def plan(self, found: dict[int, Fraction]) -> list[Fraction]:
        """The plan at the end of the path."""
        bests = set(self.best)
        weights = (self.basic(s) if s in bests else self.played(s) for s in range(1, len(self.sequences)))
        return [Fraction(1), *(found.get(variable, Fraction(0)) for variable in weights)]


def _sum_forms(*terms: tuple[int, Linear]) -> Linear:
    total: Linear = defaultdict(int)
    for factor, form in terms:
        for variable, amount in form.items():
            total[variable] += factor * amount
    return total


def _equation(basic: int, known: Linear) -> Equation:
    """The equation of a variable that is equal to a linear form."""
    entries = {variable: -factor for variable, factor in known.items() if factor and variable != ONE}
    return Equation(basic, 1, entries, known.get(ONE, 0))


def _leaf_values(form: SequenceForm, player: int, other: _Side, prior: Sequence[Fraction]) -> list[Linear]:
    """What each sequence of a player brings at its leaves, against the mixture of the other's plan and prior; in parts
    of a unit."""
    parts, whole = over_one_denominator(prior)
    values: list[Linear] = [defaultdict(int) for _ in range(len(form.players[player]))]
    for own, theirs, payoff in zip(form.leaves[player], form.leaves[1 - player], form.payoffs[player], strict=True):
        if payoff:
            value = values[own]
            value[ONE] += payoff * parts[theirs]
            value[GO] -= payoff * parts[theirs]
            for variable, factor in other.weights[theirs].items():
                value[variable] += payoff * whole * factor
    return values


def perfect_equilibrium(form: SequenceForm, limits: Limits) -> tuple[tuple[list[Fraction], list[Fraction]], int]:
    """The plans of a normal-form perfect equilibrium of a game of two players, and the number of pivots. The prior
    plays all moves of an information set equally often.

    Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory``."""
    # an empty plan leaves all sets open, in which moves are equally likely then
    priors = [plan_of(own, strategy_of(own, [Fraction(0)] * len(own))) for own in form.players]
    best = [follow_best(own, gradient(form, player, priors)[0]) for player, own in enumerate(form.players)]
    mine = _Side(form.players[0], 0, best[0])
    theirs = _Side(form.players[1], len(form.players[0]) - 1, best[1])
    own = mine.equations(_leaf_values(form, 0, theirs, priors[1]))
    other = theirs.equations(_leaf_values(form, 1, mine, priors[0]))
    found, pivots = follow_path([*own, *other, Equation(STOP, 1, {GO: 1}, 1)], limits)
    return (mine.plan(found), theirs.plan(found)), pivots


def lemke(problem: Problem[State]) -> Answer:
    """Solve by complementary pivoting over the sequence form. Needs two players, and plays that end."""
    tree = tree_of(problem)
    form = form_of(tree, problem.limits)
    plans, pivots = perfect_equilibrium(form, problem.limits)
    check_memory(form, plans, problem.limits)
    payoff = form.expectation(plans)
    for player, amount in enumerate(payoff):
        most, _ = best_response(form, player, plans)
        assert most == amount, f"player {player} gains {most - amount} by another strategy"
    return Answer(
        value=payoff,
        counts={
            "nodes": tree.histories,
            "information sets": len(tree.information_sets),
            "sequences": sum(map(len, form.players)),
            "pivots": pivots,
        },
        alternatives=None,
        notes=(
            "It is proved that nobody gains by another strategy, and nobody uses one that is weakly dominated; there "
            "may be other equilibria. Whether it is sequential was not examined.",
        ),
        strategies=strategies(tree, form, plans),
    )


def subgame_roots(tree: ExtensiveForm) -> list[bool]:
    """For each node, whether a subgame begins there: the nodes below it, itself included, are reached only through it,
    and contain each of their information sets as a whole.

    A node with several incoming edges is several merged histories, which are one information set, and so begins no
    subgame; but it lies in a subgame that contains all these histories. Nodes below it have several histories, too, and
    are solved separately all the same, since they are the same game after each of them; but see
    :func:`stand_for_several`. Nodes are numbered after all below them, so those reached only through a node have the
    numbers right before its own: ``first`` is the least of them, and ``last`` the greatest number with an edge to one
    of them."""
    lowest: dict[int, int] = {}
    highest: dict[int, int] = {}
    for node, s in enumerate(tree.sets_of):
        lowest.setdefault(s, node)
        highest[s] = node
    edges = [0] * tree.nodes
    entered = [0] * tree.nodes
    for node in range(tree.nodes):
        for child in _inner_children(tree, node):
            edges[child] += 1
            entered[child] = node
    first, last, low, high = ([0] * tree.nodes for _ in range(4))
    roots = []
    for node, s in enumerate(tree.sets_of):
        first[node] = last[node] = node
        low[node], high[node] = (node, node) if s == CHANCE_NODE else (lowest[s], highest[s])
        for child in _inner_children(tree, node):
            first[node] = min(first[node], first[child])
            last[node] = max(last[node], last[child], entered[child])
            low[node], high[node] = min(low[node], low[child]), max(high[node], high[child])
        is_closed = last[node] == node and first[node] <= low[node] and high[node] <= node
        roots.append(is_closed and edges[node] <= 1)
    roots[-1:] = [True] if tree.nodes else []
    return roots


def stand_for_several(tree: ExtensiveForm) -> list[bool]:
    """For each node, whether several histories lead to it: several edges do, or one from such a node.

    Then no subgame begins there, since these histories are one information set. An equilibrium of the game below may be
    chosen after each of them; but where the play does not reach it, a subgame-perfect equilibrium need not be an
    equilibrium there, and its payoffs may differ."""
    entered, several = [False] * tree.nodes, [False] * tree.nodes
    for node in reversed(range(tree.nodes)):  # nodes below a node have lower numbers
        for child in _inner_children(tree, node):
            several[child] |= several[node] or entered[child]
            entered[child] = True
    return several


def _inner_children(tree: ExtensiveForm, node: int) -> list[int]:
    """The children of a node that are nodes."""
    return [child for child in tree.children[tree.firsts[node] : tree.firsts[node + 1]] if child >= 0]


@define(eq=False)
class _Induction:
    """Backward induction over subgames. ``values`` are the payoffs of solved subgames, ``chances`` the probabilities of
    the moves of each set. ``is_settled``: the payoffs of all subgames so far are unique, and everything solved was a
    subgame. ``is_by_tables``: no equilibrium was left out where one was chosen."""

    tree: ExtensiveForm
    roots: list[bool]
    limits: Limits
    values: dict[int, Payoff] = field(factory=dict)
    chances: dict[int, list[Fraction]] = field(factory=dict)
    solved: int = 0
    is_settled: bool = True
    is_by_tables: bool = True

    def worth(self, child: int) -> Payoff:
        """The payoff of an edge to a leaf or to a solved subgame."""
        return self.tree.payoff(-1 - child) if child < 0 else self.values[child]

    def solve(self, node: int) -> None:
        """Solve the subgame that begins at a node, after those below it."""
        tree, s = self.tree, self.tree.sets_of[node]
        edges = tree.edges(node)
        inside = self.inside(node)
        self.solved += 1
        if len(inside) > 1:
            self._solve_table(node, inside)
        elif s == CHANCE_NODE:
            total = sum(tree.weights[edge] for edge in edges)
            parts = [(Fraction(tree.weights[edge], total), self.worth(tree.children[edge])) for edge in edges]
            self.values[node] = tuple(
                sum((share * payoff[p] for share, payoff in parts), Fraction(0)) for p in range(len(tree.player_names))
            )
        else:
            player = tree.information_sets.players[s]
            best = max(edges, key=lambda edge: self.worth(tree.children[edge])[player])
            self.values[node] = self.worth(tree.children[best])
            as_good = {self.worth(tree.children[edge]) for edge in edges} - {self.values[node]}
            self.is_settled &= all(payoff[player] < self.values[node][player] for payoff in as_good)
            self.chances[s] = [Fraction(edge == best) for edge in edges]

    def inside(self, root: int) -> list[int]:
        """The nodes of a subgame that are in none of its proper subgames, in order of numbers."""
        found, waiting = {root}, [root]
        while waiting:
            for child in _inner_children(self.tree, waiting.pop()):
                if not self.roots[child] and child not in found:
                    found.add(child)
                    waiting.append(child)
        return sorted(found)

    def _solve_table(self, root: int, inside: list[int]) -> None:
        """Solve a subgame by the equilibria of its normal form."""
        sets, part = self._cut_out(root, inside)
        form = form_of(part, self.limits)
        self.values[root], plans = self._equilibrium(part, form)
        for own, plan in zip(form.players, plans, strict=True):
            strategy = strategy_of(own, plan)
            for i, s in enumerate(own.sets):
                self.chances[sets[s]] = strategy[own.firsts[i] : own.firsts[i + 1]]

    def _equilibrium(self, part: ExtensiveForm, form: SequenceForm) -> tuple[Payoff, Sequence[Plan]]:
        """The payoff and the plans of an equilibrium of a subgame."""
        try:
            table = normal_form(part, self.limits, self.tree)
            equilibria = equilibria_of(table, self.limits)
            if not equilibria.profiles:
                raise no_equilibrium_error(table, "a subgame", equilibria.is_up)
        except NoTable:
            if len(form.players) != 2:
                raise
            self.is_settled = self.is_by_tables = False
            plans, _ = perfect_equilibrium(form, self.limits)
            return form.expectation(plans), plans
        first, *others = equilibria.profiles
        self.is_settled &= equilibria.are_all and all(other.payoff == first.payoff for other in others)
        return first.payoff, [
            plan_of_mixture(table, player, mixture, len(form.players[player]))
            for player, mixture in enumerate(first.mixtures)
        ]

    def _cut_out(self, root: int, inside: list[int]) -> tuple[list[int], ExtensiveForm]:
        """A subgame as a game whose leaves are its proper subgames; and the original numbers of its sets."""
        tree, whole = self.tree, self.tree.information_sets
        place = {node: k for k, node in enumerate(inside)}
        reached: dict[int, tuple[int, ...]] = {root: (0,) * len(tree.player_names)}
        counts = [1] * len(tree.player_names)
        numbers: dict[int, int] = {}
        sets = InformationSets(array("q"), array("q"), array("q"), array("q", [0]), [], whole.known)
        ends: list[tuple[Payoff, tuple[int, ...]]] = []
        children: dict[int, int] = {}
        for node in reversed(inside):
            s, before = tree.sets_of[node], reached[node]
            if s != CHANCE_NODE and s not in numbers:
                numbers[s] = len(sets)
                player, moves = whole.players[s], whole.moves_of(s)
                sets.players.append(player)
                sets.parents.append(before[player])
                sets.firsts.append(counts[player])
                counts[player] += len(moves)
                assert isinstance(sets.moves, list)
                sets.moves.extend(moves)
                sets.offers.append(len(sets.moves))
            for k, edge in enumerate(tree.edges(node)):
                after = list(before)
                if s != CHANCE_NODE:
                    after[whole.players[s]] = sets.firsts[numbers[s]] + k
                child = tree.children[edge]
                if child in place:
                    reached[child], children[edge] = tuple(after), place[child]
                else:
                    ends.append((self.worth(child), tuple(after)))
                    children[edge] = -len(ends)
        denominator = lcm(*{amount.denominator for payoff, _ in ends for amount in payoff})
        edges = [edge for node in inside for edge in tree.edges(node)]
        firsts = array("q", [0])
        for node in inside:
            firsts.append(firsts[-1] + tree.firsts[node + 1] - tree.firsts[node])
        part = ExtensiveForm(
            tree.player_names,
            array("q", (numbers.get(tree.sets_of[node], CHANCE_NODE) for node in inside)),
            firsts,
            array("q", (children[edge] for edge in edges)),
            [tree.weights[edge] for edge in edges],
            [int(amount * denominator) for payoff, _ in ends for amount in payoff],
            denominator,
            array("q", (sequence for _, sequences in ends for sequence in sequences)),
            sets,
            len(inside) + len(ends),
        )
        self.limits.hold(part, part.bytes)
        return list(numbers), part


def subgame_perfect(problem: Problem[State]) -> Answer:
    """Solve by subgame perfection. Needs plays that end and, with more than two players, small subgames."""
    tree = tree_of(problem)
    if not tree.nodes:
        return normal_form_equilibria(problem)  # the play has ended: the game is its own only subgame
    roots = subgame_roots(tree)
    is_proper = not any(root and several for root, several in zip(roots, stand_for_several(tree), strict=True))
    induction = _Induction(tree, roots, problem.limits, is_settled=is_proper)
    if len(induction.inside(tree.nodes - 1)) == tree.nodes:
        return _without_subgames(problem)
    for node in range(tree.nodes):
        if roots[node]:
            problem.limits.check({"nodes": node})
            induction.solve(node)
    form = form_of(tree, problem.limits)
    behaviours = []
    for own in form.players:
        strategy = [Fraction(1)] * len(own)
        for i, s in enumerate(own.sets):
            strategy[own.firsts[i] : own.firsts[i + 1]] = induction.chances[s]
        behaviours.append(strategy)
    plans = [plan_of(own, strategy) for own, strategy in zip(form.players, behaviours, strict=True)]
    return Answer(
        value=induction.values[tree.nodes - 1],
        counts={"nodes": tree.histories, "subgames": induction.solved},
        alternatives=() if induction.is_settled else None,
        notes=(
            "It is an equilibrium in every subgame, and all such equilibria have the same payoffs."
            if induction.is_settled
            else "It is an equilibrium in every subgame; some have several, so there may be others.",
        ),
        strategies=strategies(tree, form, plans, behaviours),
        is_optimum=tree.has_common_payoff and induction.is_by_tables,
    )


def _without_subgames(problem: Problem[State]) -> Answer:
    """Solve a game that is its own only subgame."""
    try:
        return normal_form_equilibria(problem)
    except NoTable:
        if len(problem.machine.player_names) != 2:
            raise
        return lemke(problem)
