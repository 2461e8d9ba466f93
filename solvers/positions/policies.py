"""What to do in every position: a policy, for people.

A solver knows positions by their numbers. Here a machine goes through the graph once, from position to position, so
that each of them is met as a state, with its moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Generic

from attrs import frozen

from zermelo.interpreter.machine import State
from zermelo.solvers.forms.advice import Advice
from zermelo.solvers.positions.graph import ROOT, PositionGraph
from zermelo.solvers.positions.playing import Guide
from zermelo.solvers.positions.solved import SolvedPositions


@frozen(eq=False)
class Policy(Generic[State]):
    """What to do in every position of a solved game."""

    guide: Guide[State]
    solved: SolvedPositions

    @property
    def graph(self) -> PositionGraph:
        return self.guide.graph

    def __iter__(self) -> Iterator[Advice[State]]:
        """Advice for every decision of a player, in the order of the positions: the root's first. Those who choose at
        once are advised one after another, in the state in which their round begins."""
        for position, state in self.states():
            if self.graph.kinds[position] >= 0 and not self.graph.is_within_round(position):
                yield from self._advice(position, state)

    def states(self) -> Iterator[tuple[int, State]]:
        """Every position, with a state of it. A state is kept until those behind it have been made."""
        machine, graph = self.guide.machine, self.graph
        states: dict[int, State] = {ROOT: self.guide.root}
        met = bytearray(len(graph))
        met[ROOT] = True
        for position in range(len(graph)):
            state = states.pop(position)
            new = [edge for edge in graph.edges(position) if not met[graph.targets[edge]]]
            if new:
                moves = self.guide.moves(state)
                for edge in new:
                    if not met[graph.targets[edge]]:
                        met[graph.targets[edge]] = True
                        states[graph.targets[edge]] = machine.after(state, moves[edge - graph.firsts[position]])
            yield position, state

    def _advice(self, position: int, state: State) -> Iterator[Advice[State]]:
        solved, machine = self.solved, self.guide.machine
        known = solved.payoff(position), solved.bounds(position), solved.distance(position)
        mixed = solved.mixtures(position)
        if mixed is None:
            moves, best = machine.moves(state), set(solved.best(position))
            chances = tuple(Fraction(edge in best, max(1, len(best))) for edge in self.graph.edges(position))
            yield Advice(state, self.graph.actor(position), moves, chances, False, *known)
            return
        round, mixtures = mixed
        here = state
        for player, mixture in zip(round.choosers, mixtures, strict=True):
            moves = machine.moves(here)
            yield Advice(state, player, moves, mixture, True, *known)
            here = machine.after(here, moves[0])
