"""All histories of a small game, visited one by one: from full states, nothing merged, nothing cached."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction

from attrs import define, field, frozen

from referee.perceiving import Perceiving, Play, WrongNode, with_types
from zermelo.grammar import syntax
from zermelo.interpreter.machine import CHANCE, END, Move, Payoff
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.reference.run import ReferenceState


class TooLarge(Exception):
    """The game has more histories, or longer ones, than the referee visits."""


class Endless(Exception):
    """A play has returned to an earlier full state, so it can go on forever."""


@define(eq=False)
class History:
    """A history: the actor after it (a player, chance, the end), the moves or outcomes, with probabilities for chance,
    and the histories after these. ``set`` is the information set of a player's decision, ``future`` a number that is
    equal for histories with equal continuations."""

    state: ReferenceState
    actor: int
    moves: tuple[Move, ...] = ()
    chances: tuple[Fraction, ...] = ()
    children: tuple[History, ...] = ()
    payoff: Payoff = ()
    set: Hashable = None
    future: int = -1
    known: tuple[Hashable, ...] = ()

    def all(self) -> Iterator[History]:
        """This history and all its continuations."""
        yield self
        for child in self.children:
            yield from child.all()


@frozen(eq=False)
class Historian:
    """Visits all histories of a game. ``futures`` numbers their continuations."""

    machine: ReferenceMachine
    most: int
    longest: int
    perceiving: Perceiving
    count: list[int] = field(factory=lambda: [0])
    futures: dict[Hashable, int] = field(factory=dict)

    def visit(self, play: Play, before: tuple[Hashable, ...] = ()) -> History:
        """The history of a play, with all continuations; ``before`` are the earlier full states."""
        state, actor = play.state, self.machine.actor(play.state)
        self.count[0] += 1
        full = (state.phase.name, state.arguments, state.values, state.frame, state.chosen)
        if actor != END and not self.machine.model.history and full in before:
            raise Endless(", ".join(map(str, self.machine.play(state))))
        if self.count[0] > self.most or len(before) > self.longest:
            raise TooLarge(f"more than {self.most} histories, or {self.longest} moves")
        here = History(state, actor, known=play.known)
        if actor < 0 and self.perceiving.root is not None:
            kind = syntax.Leaf if actor == END else syntax.ChanceNode
            if not isinstance(self.perceiving.node(play), kind):
                raise WrongNode(f"after {', '.join(play.branches)} comes no {kind.__name__}")
        if actor == END:
            here.payoff = self.machine.payoff(state)
            here.future = self._numbered(("end", state.end))
            return here
        if actor == CHANCE:
            here.moves, here.chances = zip(*self.machine.outcomes(state), strict=True)
        else:
            here.moves = self.machine.moves(state)
            here.set = self.perceiving.set_of(play)
        path = (*before, full)
        here.children = tuple(self.visit(self.perceiving.after(play, move), path) for move in here.moves)
        here.future = self._numbered(
            (actor, _typed(here.moves), here.chances, tuple(self._step(here, k) for k in here.children))
        )
        return here

    def _step(self, here: History, child: History) -> Hashable:
        """The earnings and the discount of a step, relative to the discount before it, and the future after it."""
        before, after = self.machine.earned(here.state), self.machine.earned(child.state)
        brought = tuple((new - old) / here.state.factor for old, new in zip(before, after, strict=True))
        return brought, child.state.factor / here.state.factor, child.future

    def _numbered(self, future: Hashable) -> int:
        return self.futures.setdefault(future, len(self.futures))


def _typed(moves: tuple[Move, ...]) -> Hashable:
    return tuple((move.name, with_types(move.arguments)) for move in moves)


def histories(machine: ReferenceMachine, most: int = 20_000, longest: int = 60) -> History:
    """The root of all histories. Raises :class:`TooLarge`, :class:`Endless`, or ``PlayError`` for errors of the
    rules."""
    perceiving = Perceiving(machine)
    return Historian(machine, most, longest, perceiving).visit(perceiving.begin())


def differing_moves(root: History) -> bool:
    """Whether some information set offers different moves."""
    offered: dict[Hashable, frozenset[Move]] = {}
    return any(
        offered.setdefault(here.set, frozenset(here.moves)) != frozenset(here.moves)
        for here in root.all()
        if here.actor >= 0
    )
