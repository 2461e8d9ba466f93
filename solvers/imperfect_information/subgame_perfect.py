"""A subgame-perfect equilibrium, by backward induction over subgames.

A *subgame* begins at a node that everybody can identify: no information set is partly below it and partly elsewhere. An
equilibrium is *subgame-perfect* if its restriction to every subgame is an equilibrium, even in subgames that it does
not reach; so it rests on no incredible threat (Selten 1965). The last subgames are solved first, each is replaced by
the payoff of its equilibrium, and so on up to the whole game. A subgame in which one player decides alone is a maximum,
one in which chance draws is an average, and any other is a small game, solved by its normal form
(:mod:`zermelo.solvers.normal_form.nash`), or by its sequence form where two players have too many strategies for a
table (:mod:`zermelo.solvers.imperfect_information.lemke`).

If a subgame has several equilibria, one of them is taken, efficient and pure ones before others; another choice may
lead to another equilibrium of the game. A game without proper subgames is solved by all equilibria of its normal form.

Cost: one small game for each subgame, which may be feasible though the table of the whole game is not.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from attrs import define, field

from zermelo.interpreter.machine import Payoff, State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm, InformationSets
from zermelo.solvers.forms.sequence_form import Plan, SequenceForm, plan_of, strategy_of
from zermelo.solvers.forms.sequence_form import sequence_form as form_of
from zermelo.solvers.forms.strategy import strategies
from zermelo.solvers.imperfect_information.lemke import lemke, perfect_equilibrium
from zermelo.solvers.normal_form.nash import equilibria_of, none_found, normal_form_equilibria, plan_of_mixture
from zermelo.solvers.normal_form.normal_form import NoTable, normal_form
from zermelo.solvers.solution import Answer, Problem
from zermelo.solvers.tree_building.building import tree_of


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
        for child in _inner(tree, node):
            edges[child] += 1
            entered[child] = node
    first, last, low, high = ([0] * tree.nodes for _ in range(4))
    roots = []
    for node, s in enumerate(tree.sets_of):
        first[node] = last[node] = node
        low[node], high[node] = (node, node) if s == CHANCE_NODE else (lowest[s], highest[s])
        for child in _inner(tree, node):
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
        for child in _inner(tree, node):
            several[child] |= several[node] or entered[child]
            entered[child] = True
    return several


def _inner(tree: ExtensiveForm, node: int) -> list[int]:
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
        edges = range(tree.firsts[node], tree.firsts[node + 1])
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
            for child in _inner(self.tree, waiting.pop()):
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
                raise none_found(table, "a subgame")
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
            for k, edge in enumerate(range(tree.firsts[node], tree.firsts[node + 1])):
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
        edges = [edge for node in inside for edge in range(tree.firsts[node], tree.firsts[node + 1])]
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
        best=(),
        line=(),
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
