"""What the evaluation of rules works on: a state with its history, its variables, and who perceives a change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Protocol

from attrs import frozen

from zermelo.interpreter.machine import Move, Seen, Told
from zermelo.interpreter.model import Audience, Define, Expr, Model, Read, Repeated, SeenBy, Variable
from zermelo.interpreter.model.rewriting import reads_state
from zermelo.interpreter.storage import position_in
from zermelo.interpreter.types import MemberType
from zermelo.interpreter.values import EvaluationError, Member, OrderedSet, Value, format_value

# The history of a play: the variables at each entry of a phase with a decision.
#
# Only models that read it keep one: a linked list of snapshots, shared by the states of a play.


Variables = tuple[Variable, ...]

Projection = tuple[int, tuple[Value, ...]]
"""The values of some variables, preceded by their hash, so that most comparisons end at once."""


def project(variables: Variables, values: Sequence[Value]) -> Projection:
    """The part of ``values`` that belongs to ``variables``."""
    chosen: list[Value] = []
    for variable in variables:
        chosen.extend(values[variable.offset : variable.offset + variable.entries])
    found = tuple(chosen)
    return hash(found), found


@frozen(eq=False, repr=False)
class Snapshot:
    """An entry of the history, taken before the entry statements of ``phase``; ``before`` is the previous one.

    ``projections`` has the values of the variables for each expression that reads the history.
    """

    before: Snapshot | None
    phase: str
    arguments: tuple[Value, ...]
    projections: Mapping[Variables, Projection]

    def back(self) -> Iterator[Snapshot]:
        """This snapshot and all before it, newest first."""
        snapshot: Snapshot | None = self
        while snapshot is not None:
            yield snapshot
            snapshot = snapshot.before


def with_snapshot(
    model: Model, before: Snapshot | None, phase: str, arguments: tuple[Value, ...], values: Sequence[Value]
) -> Snapshot:
    """The history with one more snapshot."""
    looked_at = {place.variables for place in model.history}
    return Snapshot(before, phase, arguments, {variables: project(variables, values) for variables in looked_at})


def is_repeated(earlier: Snapshot | None, variables: Variables, values: Sequence[Value]) -> bool:
    """Whether the variables had their present values in a snapshot up to ``earlier``."""
    if earlier is None:
        return False
    present = project(variables, values)
    return any(snapshot.projections[variables] == present for snapshot in earlier.back())


def repetitions(now: Snapshot | None, variables: Variables, values: Sequence[Value]) -> int:
    """The number of snapshots up to ``now`` with its phase, its arguments, and the present values of the variables."""
    if now is None:
        return 0
    present = project(variables, values)
    return sum(
        snapshot.projections[variables] == present
        and snapshot.phase == now.phase
        and snapshot.arguments == now.arguments
        for snapshot in now.back()
    )


def future_of(model: Model, now: Snapshot | None) -> Hashable:
    """The part of the history on which the rest of the play depends: for each expression that reads the history, the
    projections that it compares with. The newest snapshot is kept apart, since it does not count as earlier yet."""
    if now is None:
        return None
    places: list[Hashable] = []
    for place in model.history:
        if isinstance(place, Repeated):
            earlier = now.before.back() if now.before is not None else iter(())
            seen = frozenset(snapshot.projections[place.variables] for snapshot in earlier)
            places.append((now.projections[place.variables], seen))
        else:
            counted = Counter(
                (snapshot.phase, snapshot.arguments, snapshot.projections[place.variables]) for snapshot in now.back()
            )
            places.append(frozenset(counted.items()))
    return tuple(places)


# The run-time environment of compiled expressions and statements.
#
# Every expression of a model is compiled once, into a Python closure ``(context, frame) -> value``: ``context`` is the
# current state, ``frame`` holds the local names of the running callable.


class Unset:
    """The class of :data:`UNSET`, which stands for the missing value of an unset entry."""

    def __repr__(self) -> str:
        return "unset"


UNSET: Final = Unset()

VariableValues = Sequence[Value]
"""The entries of all variables, in the order of their offsets."""

Frame = list[Value]
"""The slots of a callable, its parameters first."""


class Context:
    """The state at a moment of a run: between two effects, while entering a phase, or at rest.

    ``values`` is the context's own list while statements run, and may be shared while nothing is assigned. ``memo``
    holds values of defines until a variable changes. ``snapshot`` is the newest entry of the history, None if the rules
    do not read it; ``is_deciding`` says that its decision is being made or has been. ``choices`` are those of a
    completed ``together``. ``offers`` tests whether the present decision offers a move. ``told`` and ``earned`` collect
    the effects of ``tell`` and ``earn``.
    """

    __slots__ = ("choices", "earned", "is_deciding", "memo", "offers", "snapshot", "told", "values")

    def __init__(
        self, values: VariableValues, memo: dict[Any, Value] | None = None, snapshot: Snapshot | None = None
    ) -> None:
        self.values: Any = values
        self.memo: dict[Any, Value] = {} if memo is None else memo
        self.snapshot = snapshot
        self.is_deciding = False
        self.choices: Mapping[Member, Move] = {}
        self.offers: Callable[[Context, Frame], bool] | None = None
        self.told: list[tuple[frozenset[Member], Told]] = []
        self.earned: list[tuple[Member, Fraction]] = []

    def trial(self) -> Context:
        """A copy on which statements can run without side effects on this context."""
        memo = self.memo if self.snapshot is None else {}  # defines see another history once a decision is made
        context = Context(list(self.values), memo, self.snapshot)
        context.is_deciding = True
        return context


Closure = Callable[[Context, Frame], Value]
"""A compiled expression."""

CompiledDefine = Callable[[Context, tuple[Value, ...]], Value]
"""A compiled define: a function of the state and its arguments."""


class Compiles(Protocol):
    """The compiler of expressions, as its parts see it."""

    def expression(self, expr: Expr) -> Closure:
        """The expression as a closure."""

    def condition(self, expr: Expr) -> Closure:
        """The same for a condition: the closure raises an error for none."""

    def value(self, expr: Expr, what: str) -> Closure:
        """The same, with an error for none, which names what is needed: ``what`` (``a number``)."""

    def define(self, define: Define) -> CompiledDefine:
        """The define as a function."""


# Variables: the places of their entries, their names, and reading them.


def _read(compiler: Compiles, expr: Read) -> Closure:
    variable, span = expr.variable, expr.span
    offset = variable.offset

    def unset(place: int) -> EvaluationError:
        return EvaluationError("unset-variable", f"{entry_name(variable, place)} is read before it has a value", span)

    if not expr.indices:

        def read(context: Context, frame: Frame) -> Value:
            value = context.values[offset]
            if value is UNSET:
                raise unset(offset)
            return value

        return read

    if len(expr.indices) == 1 and isinstance(variable.indices[0], MemberType):
        index = compiler.expression(expr.indices[0])

        def read_member(context: Context, frame: Frame) -> Value:
            member = index(context, frame)
            if member is None:
                return None
            value = context.values[offset + member.index]
            if value is UNSET:
                raise unset(offset + member.index)
            return value

        return read_member

    place_of = place_of_entry(compiler, variable, expr.indices)

    def read_entry(context: Context, frame: Frame) -> Value:
        place = place_of(context, frame)
        if place is None:
            return None
        value = context.values[place]
        if value is UNSET:
            raise unset(place)
        return value

    return read_entry


def place_of_entry(compiler: Compiles, variable: Variable, indices: tuple[Expr, ...]) -> Closure:
    """The closure of an entry's place among all values; none if an index is none."""
    offset = variable.offset
    sized = []
    stride = 1
    for type, expr in reversed(list(zip(variable.indices, indices, strict=True))):
        sized.append((compiler.expression(expr), position_in(type, variable.name, expr.span), stride))
        stride *= type.size
    sized.reverse()

    def place(context: Context, frame: Frame) -> int | None:
        at = offset
        for index, position, stride in sized:
            value = index(context, frame)
            if value is None:
                return None
            at += position(value) * stride
        return at

    return place


def entry_indices(variable: Variable, place: int) -> tuple[Value, ...]:
    """The indices of the entry at ``place``."""
    rest = place - variable.offset
    found = []
    for type in reversed(variable.indices):
        rest, at = divmod(rest, type.size)
        found.append(type.members.items[at])
    return tuple(reversed(found))


def entry_name(variable: Variable, place: int) -> str:
    """The entry at ``place`` as the language writes it: ``hand[Alice]``."""
    indices = entry_indices(variable, place)
    return f"{variable.name}[{', '.join(map(format_value, indices))}]" if indices else variable.name


VARIABLES: Final[dict[type[Expr], Callable[[Any, Any], Closure]]] = {Read: _read}


# The entries of variables that each player sees.


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
