"""The entries of variables that each player sees."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from attrs import frozen

from zermelo.interpreter.evaluation.context import UNSET, Closure, Compiles, Context, Frame, VariableValues
from zermelo.interpreter.evaluation.variables import entry_indices
from zermelo.interpreter.machine import Seen
from zermelo.interpreter.model import Audience, Model, SeenBy, Variable
from zermelo.interpreter.model.rewriting import reads_state
from zermelo.interpreter.values import Member, OrderedSet, Value


@frozen
class _Entry:
    """An entry of a variable whose audience is an expression."""

    place: int
    audience: Closure
    frame: Frame

    def includes(self, player: Member, context: Context) -> bool:
        """Whether the player belongs to the audience."""
        audience = self.audience(context, self.frame.copy())
        return audience is player or (isinstance(audience, OrderedSet) and player in audience)


class Audiences:
    """Who sees which entries of the variables of a model.

    Most audiences are the same in all states, and evaluated once; the others are evaluated on demand.
    """

    def __init__(self, model: Model, compiler: Compiles) -> None:
        self._model = model
        self._compiler = compiler
        self._entries: list[tuple[Variable, tuple[Value, ...]]] = [
            (variable, entry_indices(variable, place))
            for variable in model.variables
            for place in range(variable.offset, variable.offset + variable.entries)
        ]

    def visible(self, player: Member, values: VariableValues) -> set[int]:
        """The places that the player sees now."""
        return self.always[player] | set(self._now(player, values))

    def new(self, player: Member, before: VariableValues, after: VariableValues) -> Iterator[int]:
        """The places that the player sees ``after``, unless they saw the same value there ``before``."""
        changed = {
            place for place, (old, new) in enumerate(zip(before, after, strict=True)) if old is not new and old != new
        }
        yield from self.always[player] & changed
        if self._changing:
            seen_before = set(self._now(player, before))
            for place in self._now(player, after):
                if (place in changed or place not in seen_before) and after[place] is not UNSET:
                    yield place

    def changed(self, player: Member, before: VariableValues, after: VariableValues) -> Iterator[int]:
        """The places that the player sees ``after`` and whose value differs from ``before``."""
        return (place for place in self.visible(player, after) if before[place] != after[place])

    def seen(self, place: int, value: Value) -> Seen:
        """The observation of the entry at ``place``."""
        variable, indices = self._entries[place]
        return Seen(variable.name, indices, None if value is UNSET else value)

    def _now(self, player: Member, values: VariableValues) -> Iterator[int]:
        """The places that the player sees now, among those whose audience depends on the state."""
        context = Context(values)
        return (entry.place for entry in self._changing if entry.includes(player, context))

    @cached_property
    def always(self) -> dict[Member, set[int]]:
        """The places that each player sees in all states."""
        seen: dict[Member, set[int]] = {player: set() for player in self._model.players}
        for variable in self._model.variables:
            if variable.visibility is Audience.EVERYBODY:
                for places in seen.values():
                    places.update(range(variable.offset, variable.offset + variable.entries))
            elif isinstance(variable.visibility, SeenBy) and not reads_state(variable.visibility.audience):
                for entry in self._with_audience(variable, variable.visibility):
                    for player in seen:
                        if entry.includes(player, Context(())):
                            seen[player].add(entry.place)
        return seen

    @cached_property
    def _changing(self) -> list[_Entry]:
        """The entries whose audience depends on the state."""
        return [
            entry
            for variable in self._model.variables
            if isinstance(variable.visibility, SeenBy) and reads_state(variable.visibility.audience)
            for entry in self._with_audience(variable, variable.visibility)
        ]

    def _with_audience(self, variable: Variable, seen_by: SeenBy) -> Iterator[_Entry]:
        """All entries of a variable."""
        audience = self._compiler.expression(seen_by.audience)
        rest: Frame = [None] * (seen_by.frame_size - len(variable.indices))
        for place in range(variable.offset, variable.offset + variable.entries):
            yield _Entry(place, audience, [*self._entries[place][1], *rest])
