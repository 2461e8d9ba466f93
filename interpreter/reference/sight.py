"""Which entries of variables a player sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from attrs import frozen

from interpreter.machine import Seen
from interpreter.model import Audience, Model, SeenBy, Variable
from interpreter.reference.context import UNSET, Closure, Compiles, Context, Frame, Values
from interpreter.reference.variables import entry_indices
from interpreter.rewriting import reads_state
from interpreter.values import Member, Value


@frozen
class _Changing:
    """An entry whose audience depends on the state."""

    place: int
    audience: Closure
    frame: Frame

    def includes(self, player: Member, context: Context) -> bool:
        return player in _members(self.audience(context, self.frame.copy()))


def _members(audience: Value) -> Iterable[Member]:
    """A player, a set of players or none, as members."""
    if audience is None:
        return ()
    return (audience,) if isinstance(audience, Member) else audience.members


class Sight:
    """Who sees which entries of the variables of a model.

    Most audiences are the same in all states, and known once and for all; the others are evaluated when asked for.
    """

    def __init__(self, model: Model, compiler: Compiles) -> None:
        self._model = model
        self._compiler = compiler
        self._entries: list[tuple[Variable, tuple[Value, ...]]] = [
            (variable, entry_indices(variable, place))
            for variable in model.variables
            for place in range(variable.offset, variable.offset + variable.entries)
        ]

    def visible(self, player: Member, values: Values) -> set[int]:
        """The places that the player sees now."""
        return self._always[player] | set(self._now(player, values))

    def new(self, player: Member, before: Values, after: Values) -> Iterator[int]:
        """The places that the player sees ``after``, and where he did not see the same value ``before``."""
        changed = {
            place for place, (old, new) in enumerate(zip(before, after, strict=True)) if old is not new and old != new
        }
        yield from self._always[player] & changed
        if self._changing:
            seen_before = set(self._now(player, before))
            for place in self._now(player, after):
                if (place in changed or place not in seen_before) and after[place] is not UNSET:
                    yield place

    def changed(self, player: Member, before: Values, after: Values) -> Iterator[int]:
        """The places that the player sees ``after``, and that have another value than ``before``."""
        return (place for place in self.visible(player, after) if before[place] != after[place])

    def seen(self, place: int, value: Value) -> Seen:
        """What is perceived of the entry at ``place``."""
        variable, indices = self._entries[place]
        return Seen(variable.name, indices, None if value is UNSET else value)

    def _now(self, player: Member, values: Values) -> Iterator[int]:
        """The places with a changing audience that the player belongs to now."""
        context = Context(values)
        return (entry.place for entry in self._changing if entry.includes(player, context))

    @cached_property
    def _always(self) -> dict[Member, set[int]]:
        """The places that each player sees in all states."""
        seen: dict[Member, set[int]] = {player: set() for player in self._model.players}
        for place, (variable, _) in enumerate(self._entries):
            if variable.visibility is Audience.EVERYBODY:
                for places in seen.values():
                    places.add(place)
        for entry in self._by_audience:
            if not self._depends(entry.place):
                for player in _members(entry.audience(Context(()), entry.frame.copy())):
                    seen[player].add(entry.place)
        return seen

    @cached_property
    def _changing(self) -> list[_Changing]:
        return [entry for entry in self._by_audience if self._depends(entry.place)]

    @cached_property
    def _by_audience(self) -> list[_Changing]:
        """All entries whose audience is an expression."""
        found = []
        for variable in self._model.variables:
            if isinstance(variable.visibility, SeenBy):
                audience = self._compiler.expression(variable.visibility.audience)
                size = variable.visibility.frame_size
                for place in range(variable.offset, variable.offset + variable.entries):
                    indices = self._entries[place][1]
                    found.append(_Changing(place, audience, [*indices, *[None] * (size - len(indices))]))
        return found

    def _depends(self, place: int) -> bool:
        visibility = self._entries[place][0].visibility
        return isinstance(visibility, SeenBy) and reads_state(visibility.audience)
