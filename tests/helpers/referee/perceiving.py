"""Perception of a play, by the words of the manual and independently of the machines.

A player's information state is the sequence of their observations. Between two decisions they perceive first the moves
(their own in full; those of others that are not secret, without secret arguments), then the messages to them, in order,
then the set of values that are new to them: changed since the last decision, or not seen then. A player to decide sees
the phase, with the arguments that are not secret. Steps without a trace are not noticed: there is no hidden clock.

In a tree the labels decide: the nodes of a label are one information set, as is every node without one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import product

from attrs import evolve, field, frozen

from zermelo.grammar import syntax
from zermelo.grammar.parse import parse
from zermelo.interpreter.evaluation.context import UNSET
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.evaluation.statements import StatementCompiler
from zermelo.interpreter.machine import Move, Told
from zermelo.interpreter.model import Audience, Loose, Model, SeenBy, Together, Turn, Variable
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.reference.run import ReferenceState, Runner
from zermelo.interpreter.values import Direction, Member, OrderedSet, Value

Known = tuple[Hashable, ...]
"""The observations of a player, in order."""


class WrongNode(Exception):
    """The reference machine has reached another node of a tree than that of the file."""


@frozen(eq=False)
class Play:
    """A play: its state, the observations of each player, and those that are due at the next decision. ``last`` is the
    state of the last decision; ``made`` are the moves made there, ``told`` the messages since."""

    state: ReferenceState
    known: tuple[Known, ...]
    last: ReferenceState | None = None
    made: tuple[tuple[int, Move], ...] = ()
    told: tuple[tuple[frozenset[Member], Told], ...] = ()
    branches: tuple[str, ...] = ()


@frozen(eq=False)
class Perceiving:
    """The perceptions of one game."""

    machine: ReferenceMachine
    entries: list[tuple[int, Variable, tuple[Value, ...], Loose | None]] = field(init=False)
    setup: tuple[Value, ...] = field(init=False)
    root: syntax.TreeNode | None = field(init=False)

    @property
    def model(self) -> Model:
        return self.machine.model

    def __attrs_post_init__(self) -> None:
        found = []
        for variable in self.model.variables:
            how = variable.visibility
            asked = Loose(how.audience, how.frame_size) if isinstance(how, SeenBy) else None
            for k, indices in enumerate(product(*(type.generate() for type in variable.indices))):
                found.append((variable.offset + k, variable, indices, asked))
        object.__setattr__(self, "entries", found)
        runner = Runner(self.model, StatementCompiler(self.model, Compiler()))
        object.__setattr__(self, "setup", runner.values_after_setup())
        object.__setattr__(self, "root", self._tree())

    def _tree(self) -> syntax.TreeNode | None:
        if self.model.notation != "tree":
            return None
        file, _ = parse(self.model.source)
        assert file is not None
        return next(each for each in file.declarations if isinstance(each, syntax.Tree)).root

    # ------------------------------------------------------------------ a play

    def begin(self) -> Play:
        """The play before its first decision."""
        return self._arrived(Play(self.machine.initial(), ((),) * len(self.model.players)))

    def after(self, play: Play, move: Move) -> Play:
        """The play after a move or an outcome."""
        state, actor = play.state, self.machine.actor(play.state)
        next_play = evolve(play, state=self.machine.after(state, move), branches=(*play.branches, move.name))
        if actor >= 0:
            own = ("does", move.name, with_types(move.arguments))
            known = tuple((*known, own) if p == actor else known for p, known in enumerate(play.known))
            made = (*(play.made if state.chosen else ()), (actor, move))
            next_play = evolve(next_play, known=known, last=state, made=made, told=())
        return self._arrived(next_play)

    def _arrived(self, play: Play) -> Play:
        """The play with the observations on reaching its state."""
        play = evolve(play, told=(*play.told, *play.state.told))
        if self.machine.actor(play.state) < 0 or play.state.chosen:
            return play  # neither chance moves nor the choices of an unfinished ``together`` are noticed
        known = [
            (*known, *self._news(play, player)) for known, player in zip(play.known, self.model.players, strict=True)
        ]
        return evolve(play, known=tuple(known), told=())

    def _news(self, play: Play, player: Member) -> Iterator[Hashable]:
        for mover, move in play.made:
            if mover != player.index:
                yield from self._perceived(play.last, mover, move)
        for hearers, words in play.told:
            if player in hearers:
                yield "told", words.label, with_types(words.arguments)
        values = frozenset(self._new_values(play, player))
        if values:
            yield values
        state = play.state
        if state.actor == player.index or player in state.waiting:
            formals = state.phase.model.parameters
            shown = (None if formal.secret else value for formal, value in zip(formals, state.arguments, strict=True))
            yield "asked", state.phase.name, tuple(shown)

    def _perceived(self, at: ReferenceState | None, mover: int, move: Move) -> Iterator[Hashable]:
        """The observation of a move by the others."""
        assert at is not None
        decision = at.phase.model.decision
        assert isinstance(decision, Turn | Together)
        rule = next(rule for rule in decision.moves if rule.name == move.name)
        if not rule.secret:
            pairs = zip(rule.parameters, move.arguments, strict=True)
            yield (
                "sees",
                mover,
                move.name,
                tuple("?" if formal.secret else (with_types(value),) for formal, value in pairs),
            )

    def _new_values(self, play: Play, player: Member) -> Iterator[Hashable]:
        before = self.setup if play.last is None else play.last.values
        for place, variable, indices, asked in self.entries:
            value = play.state.values[place]
            if value is UNSET or not self._sees(play.state, player, variable, indices, asked):
                continue
            is_changed = before[place] is UNSET or before[place] != value
            if is_changed or (play.last is not None and not self._sees(play.last, player, variable, indices, asked)):
                yield variable.name, indices, value

    def _sees(
        self, state: ReferenceState, player: Member, variable: Variable, indices: tuple[Value, ...], asked: Loose | None
    ) -> bool:
        if asked is None:
            return variable.visibility is Audience.EVERYBODY
        audience = self.machine.evaluate(state, asked, *indices)
        return audience is player or (isinstance(audience, OrderedSet) and player in audience)

    # ------------------------------------------------------------------ information sets

    def set_of(self, play: Play) -> Hashable:
        """The information set of a decision, preceded by the player. Raises :class:`WrongNode` if the machine is at
        another node of a tree than the play."""
        actor = self.machine.actor(play.state)
        if self.root is None:
            return actor, play.known[actor]
        node = self.node(play)
        if not isinstance(node, syntax.DecisionNode) or node.player.text != self.model.players[actor].name:
            raise WrongNode(f"after {', '.join(play.branches)} {self.model.players[actor].name} is to decide")
        return (actor, play.branches) if node.label is None else (actor, str(node.label))

    def node(self, play: Play) -> syntax.TreeNode:
        """The node of the tree to which a play leads."""
        assert self.root is not None
        node = self.root
        for name in play.branches:
            assert not isinstance(node, syntax.Leaf)
            pairs = (
                (each.name, each.child) if isinstance(each, syntax.ChanceBranch) else each for each in node.branches
            )
            found = next((child for branch, child in pairs if branch.text == name), None)
            if found is None:
                raise WrongNode(f"after {', '.join(play.branches)} there is no branch {name}")
            node = found
        return node


def with_types(value: Value) -> Hashable:
    """A value together with its type: one label, or name of moves, may have arguments of several types, and members of
    different types are never equal."""
    match value:
        case bool():
            return "truth", value
        case Direction():
            return "direction", value.dx, value.dy
        case tuple():
            return "parts", *map(with_types, value)
        case OrderedSet():
            return "members", frozenset(map(with_types, value))
        case _:
            return value
