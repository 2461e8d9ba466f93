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

from collections.abc import Iterable, Iterator
from typing import Any, Final, NoReturn

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END, Move
from zermelo.interpreter.model.walks import rules_of
from zermelo.interpreter.native.coding.layout import PHASE
from zermelo.interpreter.native.dialect.kernel_source import WithRules, kernel
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.executor import pack_state, unpack_state
from zermelo.interpreter.native.running.failures import BeyondLimits
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.lowered_state import LoweredState
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.symmetries.relabelling import IDENTITY
from zermelo.solvers.forms.advice import Advice, Worth
from zermelo.solvers.kernels.canonical_form import Bringing, bring
from zermelo.solvers.positions.graph import exploring_by_kernel
from zermelo.solvers.positions.graph.graph import ROOT
from zermelo.solvers.positions.graph.imaging import images_of
from zermelo.solvers.positions.playing import Guide
from zermelo.solvers.positions.policies import Policy
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
            graph = exploring_by_kernel.explore(
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
    """What to do at the root. Implements :class:`~zermelo.solvers.forms.advice.Advisor`, but for the decisions behind
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
