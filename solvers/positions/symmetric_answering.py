"""An answer by positions up to symmetry, for a game whose positions do not fit into memory one by one.

Positions of which one is an image of the other under a symmetry of the rules are worth the same, if it leaves the
players as they are. So one of them is enough: the *canonical* one, with the least key. Its moves are those of the
others under other names, so that the graph of canonical positions is as good as that of all: plays, values, distances
and chances are the same, and every algorithm takes it as it is. Only the order of moves is another one: so where a tie,
broken in another way, brings others another payoff, there is no such answer. The root stays what it is, so that its
moves have their own names.

Behind the root a play through the graph goes from one canonical position to the next. To name its moves as they are in
the game (:class:`SymmetricGuide`), the relabellings on the way are undone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Final, NoReturn

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END, Move, Payoff
from zermelo.interpreter.model.rewriting import rules_of
from zermelo.interpreter.native.coding.state_layout import PHASE
from zermelo.interpreter.native.dialect.kernel_source import WithRules, kernel
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.executor import BeyondLimits, pack_state, unpack_state
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.interpreter.symmetries.relabelling import IDENTITY
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.policy import Advice, Worth
from zermelo.solvers.kernels.canonical_form import Bringing, bring
from zermelo.solvers.positions.graph import exploring
from zermelo.solvers.positions.graph.exploring import images_of
from zermelo.solvers.positions.graph.graph import PAYS, ROOT, PositionGraph
from zermelo.solvers.positions.policies import Policy
from zermelo.solvers.positions.rounds.rounds import begins_round, earned_before, round_at
from zermelo.solvers.positions.solved import Guide
from zermelo.solvers.solution import Problem

KEPT_ALONE: Final = (
    "Of positions that are alike but for a symmetry of the rules only one has been kept, since all do not fit into "
    "memory: what to do is not listed."
)
"""What is to be known of such an answer."""


def symmetric_guide(problem: Problem[Any]) -> SymmetricGuide | None:
    """A guide through the graph of the canonical positions and of the root; None if the rules have no symmetry that
    leaves the players as they are, or are not lowered.

    Raises ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    machine = problem.machine
    found = images_of(machine)
    if found is None:
        return None
    assert isinstance(machine, LoweredMachine), "other machines have no images"
    try:
        with problem.limits.kept():
            graph = exploring.explore_by_kernel(
                machine, problem.facts, problem.root, problem.limits, problem.progress, images=found
            )
    except BeyondLimits:
        return None
    return SymmetricGuide(machine, problem.root, graph, found)


@frozen
class SymmetricGuide(Guide[LoweredState]):
    """A guide through the canonical positions of a lowered machine."""

    images: Images

    def play(self, edges: Iterable[int]) -> tuple[Move, ...]:
        """The moves on a path of edges from the root, under their own names."""
        machine, way = self.machine, list(edges)
        assert isinstance(machine, LoweredMachine), "other machines have no images"
        source = WithRules(self.images.text, kernel(bring))
        return machine.run(source, lambda kernels: self._play(machine, way, kernels))

    def _play(self, machine: LoweredMachine, way: list[int], kernels: Kernels) -> tuple[Move, ...]:
        """``back`` undoes the relabellings that have led to the canonical state at hand."""
        layout, bringing = machine.program.layout, kernels.new(Bringing)
        state, position, back, made = self.root, ROOT, IDENTITY, list[Move]()
        for edge in way:
            move = self.moves(state)[edge - self.graph.firsts[position]]
            assert state.packed is not None, "kernels have met all these states"
            phase = layout.phases[unpack_state(state.packed, layout)[PHASE]]
            made.append(back.move(next(rule for rule in rules_of(phase.decision) if rule.name == move.name), move))
            there, position = machine.after(state, move), self.graph.targets[edge]
            if there.actor == END:
                break
            assert there.packed is not None, "kernels have met all these states"
            kernels.put(bringing.state, there.packed)
            kernels.call(bring, bringing)
            packed = pack_state(list(bringing.state[: layout.size]), layout)
            state = LoweredState(None, None, packed, there.actor)
            back = self.images.symmetries[bringing.image].inverse.then(back)
        return tuple(made)


@frozen(eq=False)
class FirstMoves:
    """What to do at the root. Implements :class:`~zermelo.solvers.forms.policy.Advisor`, but for the decisions behind
    the root, for which it refuses."""

    policy: Policy[Any]

    def __iter__(self) -> Iterator[Advice[Any]]:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise ZermeloError(
            "out-of-memory",
            "all positions do not fit into memory, so what to do in each of them is not listed; of those that are "
            f"alike but for a symmetry of the rules only one has been kept, {len(self.policy.graph):,} in all",
            f"{self.policy.limits.more_memory}; without --policy and --positions the value is found, and `zermelo "
            "moves --after MOVES --values` shows what each move brings",
        )

    def first(self) -> tuple[Worth, ...]:
        """What the moves or outcomes at the root bring."""
        return self.policy.first()


# Games of two players that are their own mirror: exchange the players, and it is the same game. Nobody has an
# advantage then, and the value is exactly half of what both get together, however many digits the numbers of other
# positions have.
#
# The *mirror* of a graph has the same positions, with the players exchanged in all that they do, earn and are paid. Two
# positions of a graph and its mirror are *bisimilar* if they belong to the same class of a partition in which
#
# - ends pay the same;
# - draws of chance bring each class, with the same earnings, with the same probability;
# - of positions in which a player decides the same one does, whose edges lead to the same classes with the same
# earnings;
# - where players choose at once, the same choices, by their numbers, lead to the same class with the same earnings.
#
# The coarsest such partition is found by refinement (Hopcroft 1971; Larsen and Skou 1991 with probabilities), from one
# class, as long as the number of classes grows.
#
# *Sound.* Let the root of a graph be bisimilar to that of its mirror. Whatever a player does in one, by any strategy,
# they can do in the other: each move of one is answered by an edge to the same class, each draw comes to a class
# equally often, and so two plays go through the same classes, earn the same and end alike or both never. So both roots
# have the same value v, which such games have (Shapley 1953; Everett 1957; Mertens and Neyman 1981). But the mirror's
# value for its first player is what the second one gets in the game, the sum less v. So v is half of the sum. What a
# play pays that never ends must be the same for both, or make no difference, as where the rules do not say it and yet
# the value is known.
#
# Cost: a pass over all edges for each time that the number of classes grows; it is given up after some.


_MOST: Final = 3_000_000
"""How many edges are looked at, in all passes together."""


def is_own_mirror(graph: PositionGraph, limits: Limits) -> bool:
    """Whether the root is found to be bisimilar to that of the mirror, in a game of two players. Raises
    ``ZermeloError`` (``out-of-time``)."""
    if graph.endless is not None and graph.endless[0] != graph.endless[1] and graph.discount == 1:
        return False
    positions = [p for p in range(len(graph)) if not graph.is_within_round(p)]
    views = [(p, side) for p in positions for side in (0, 1)]
    classes: dict[tuple[int, int], int] = dict.fromkeys(views, 0)
    count, looked = 1, 0
    while classes[ROOT, 0] == classes[ROOT, 1]:
        limits.check({"nodes": len(graph)})
        looked += 2 * len(graph.targets)
        if looked > _MOST:
            return False
        numbers: dict[Hashable, int] = {}
        classes = {
            (p, side): numbers.setdefault((classes[p, side], _seen(graph, classes, p, side)), len(numbers))
            for p, side in views
        }
        if len(numbers) == count:
            return True
        count = len(numbers)
    return False


def _seen(graph: PositionGraph, classes: dict[tuple[int, int], int], position: int, side: int) -> Hashable:
    """What tells a position from those of other classes; with the players exchanged if ``side`` is 1."""

    def brought(edge: int, before: Payoff) -> Hashable:
        reward = tuple(a + b for a, b in zip(before, graph.reward(edge), strict=True))
        return reward[::-1] if side else reward, classes[graph.targets[edge], side]

    kind, nothing = graph.kinds[position], (Fraction(0),) * 2
    if kind <= PAYS:
        payoff = graph.payoff(position)
        return "end", payoff[::-1] if side else payoff
    edges = graph.edges(position)
    if kind < 0:
        assert graph.weights is not None, "chance draws"
        total = sum(graph.weights[edge] for edge in edges)
        chances = defaultdict[Hashable, Fraction](Fraction)
        for edge in edges:
            chances[brought(edge, nothing)] += Fraction(graph.weights[edge], total)
        return "chance", frozenset(chances.items())
    if not begins_round(graph, position):
        return 1 - kind if side else kind, frozenset(brought(edge, nothing) for edge in edges)
    round = round_at(graph, position)
    return "round", frozenset(
        (
            frozenset((1 - player if side else player, k) for player, k in zip(round.choosers, chosen, strict=True)),
            brought(path[-1], earned_before(graph, path)),
        )
        for path, chosen in zip(round.paths, round.choices(), strict=True)
    )
