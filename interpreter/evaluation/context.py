"""The objects of evaluation: a state with its history and its variables, the audiences of variables, and domains, whose
values need not be listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import ceil, comb, prod
from typing import Any, Final, Protocol

from attrs import evolve, frozen

from zermelo.foundation.records import ByValue
from zermelo.interpreter import model
from zermelo.interpreter.machine import Move, Seen, Told
from zermelo.interpreter.model.cardinality import most_members
from zermelo.interpreter.model.rewriting import free_slots, reads_state
from zermelo.interpreter.storage import position_in
from zermelo.interpreter.types import MemberType
from zermelo.interpreter.values import EvaluationError, Member, OrderedSet, Value, format_value, in_type_order

# The history of a play: the variables at each entry of a phase with a decision.
#
# Only models that read it keep one: a linked list of snapshots, shared by the states of a play.


Variables = tuple[model.Variable, ...]

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
    game: model.Model, before: Snapshot | None, phase: str, arguments: tuple[Value, ...], values: Sequence[Value]
) -> Snapshot:
    looked_at = {place.variables for place in game.history}
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


def future_of(game: model.Model, now: Snapshot | None) -> Hashable:
    """The part of the history on which the rest of the play depends: for each expression that reads the history, the
    projections that it compares with. The newest snapshot is kept apart, since it does not count as earlier yet."""
    if now is None:
        return None
    places: list[Hashable] = []
    for place in game.history:
        if isinstance(place, model.Repeated):
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

    def expression(self, expr: model.Expr) -> Closure:
        """The expression as a closure."""

    def condition(self, expr: model.Expr) -> Closure:
        """The same for a condition: the closure raises an error for none."""

    def value(self, expr: model.Expr, what: str) -> Closure:
        """The same, with an error for none that says ``what`` is needed (``a number``)."""

    def define(self, define: model.Define) -> CompiledDefine:
        """The define as a function."""


# Variables: the places of their entries, their names, and reading them.


def entry_reader(compiler: Compiles, expr: model.Read) -> Closure:
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


def place_of_entry(compiler: Compiles, variable: model.Variable, indices: tuple[model.Expr, ...]) -> Closure:
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


def entry_indices(variable: model.Variable, place: int) -> tuple[Value, ...]:
    rest = place - variable.offset
    found = []
    for type in reversed(variable.indices):
        rest, at = divmod(rest, type.size)
        found.append(type.members.items[at])
    return tuple(reversed(found))


def entry_name(variable: model.Variable, place: int) -> str:
    """The entry at ``place`` as the language writes it: ``hand[Alice]``."""
    indices = entry_indices(variable, place)
    return f"{variable.name}[{', '.join(map(format_value, indices))}]" if indices else variable.name


# The entries of variables that each player sees.


@frozen(eq=False, repr=False)
class _Entry(ByValue):
    """An entry of a variable whose audience is an expression."""

    place: int
    audience: Closure
    frame: Frame

    def includes(self, player: Member, context: Context) -> bool:
        audience = self.audience(context, self.frame.copy())
        return audience is player or (isinstance(audience, OrderedSet) and player in audience)


class Audiences:
    """Who sees which entries of the variables of a model.

    Most audiences are the same in all states, and evaluated once; the others are evaluated on demand.
    """

    def __init__(self, game: model.Model, compiler: Compiles) -> None:
        self._model = game
        self._compiler = compiler
        self._entries: list[tuple[model.Variable, tuple[Value, ...]]] = [
            (variable, entry_indices(variable, place))
            for variable in game.variables
            for place in range(variable.offset, variable.offset + variable.entries)
        ]

    def visible(self, player: Member, values: VariableValues) -> set[int]:
        """The places that the player sees now."""
        return self.always[player] | set(self._places_seen_now(player, values))

    def new(self, player: Member, before: VariableValues, after: VariableValues) -> Iterator[int]:
        """The places that the player sees ``after``, unless they saw the same value there ``before``."""
        changed = {
            place for place, (old, new) in enumerate(zip(before, after, strict=True)) if old is not new and old != new
        }
        yield from self.always[player] & changed
        if self._changing:
            seen_before = set(self._places_seen_now(player, before))
            for place in self._places_seen_now(player, after):
                if (place in changed or place not in seen_before) and after[place] is not UNSET:
                    yield place

    def changed(self, player: Member, before: VariableValues, after: VariableValues) -> Iterator[int]:
        """The places that the player sees ``after`` and whose value differs from ``before``."""
        return (place for place in self.visible(player, after) if before[place] != after[place])

    def seen(self, place: int, value: Value) -> Seen:
        """The observation of the entry at ``place``."""
        variable, indices = self._entries[place]
        return Seen(variable.name, indices, None if value is UNSET else value)

    def _places_seen_now(self, player: Member, values: VariableValues) -> Iterator[int]:
        """The places that the player sees now, among those whose audience depends on the state."""
        context = Context(values)
        return (entry.place for entry in self._changing if entry.includes(player, context))

    def ever(self, player: Member) -> set[int]:
        """The places that the player sees in some states, as far as is known without looking at states."""
        return self.always[player] | {entry.place for entry in self._changing}

    @cached_property
    def always(self) -> dict[Member, set[int]]:
        """The places that each player sees in all states."""
        seen: dict[Member, set[int]] = {player: set() for player in self._model.players}
        for variable in self._model.variables:
            if variable.visibility is model.Audience.EVERYBODY:
                for places in seen.values():
                    places.update(range(variable.offset, variable.offset + variable.entries))
            elif isinstance(variable.visibility, model.SeenBy) and not reads_state(variable.visibility.audience):
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
            if isinstance(variable.visibility, model.SeenBy) and reads_state(variable.visibility.audience)
            for entry in self._with_audience(variable, variable.visibility)
        ]

    def _with_audience(self, variable: model.Variable, seen_by: model.SeenBy) -> Iterator[_Entry]:
        audience = self._compiler.expression(seen_by.audience)
        rest: Frame = [None] * (seen_by.frame_size - len(variable.indices))
        for place in range(variable.offset, variable.offset + variable.entries):
            yield _Entry(place, audience, [*self._entries[place][1], *rest])


# The domains of binders and moves, lazy where that saves work.
#
# A domain can be walked in order, tested for a value, counted, and indexed; the subsets of a set are never listed for
# this.


class Domain(Protocol):
    """A lazy set. It never contains none, but for an :class:`OptionalDomain`."""

    def walk(self, context: Context, frame: Frame) -> Iterable[Value]:
        """Its values in order."""

    def contains(self, context: Context, frame: Frame, value: Value) -> bool:
        """Whether a value belongs to it."""

    def count(self, context: Context, frame: Frame) -> int:
        """The number of values."""

    def pick(self, context: Context, frame: Frame, k: int) -> Value:
        """Value number k, from 0."""


def parameter_domain(compiler: Compiles, parameter: model.RuleParameter) -> Domain:
    """The values of a parameter of a move or outcome."""
    values = domain(compiler, parameter.domain)
    return OptionalDomain(values) if parameter.is_optional else values


def domain(compiler: Compiles, expr: model.Expr) -> Domain:
    """The set ``expr`` as a domain."""
    match expr:
        case model.Const(value=value) if value is not None:
            return SetDomain(compiler.expression(expr))
        case model.RangeSet():
            return RangeDomain(compiler.value(expr.low, "a number"), compiler.value(expr.high, "a number"))
        case model.Subsets():
            return SubsetsDomain(compiler.value(expr.collection, "a set"), compiler.value(expr.count, "a number"))
        case _:
            return SetDomain(compiler.value(expr, "a set"))


class OptionalDomain:
    """None, and then the values of a domain."""

    def __init__(self, inner: Domain) -> None:
        self.inner = inner

    def walk(self, context: Context, frame: Frame) -> Iterable[Value]:
        yield None  # and nothing of the domain is looked at before that
        yield from self.inner.walk(context, frame)

    def contains(self, context: Context, frame: Frame, value: Value) -> bool:
        return value is None or self.inner.contains(context, frame, value)

    def count(self, context: Context, frame: Frame) -> int:
        return 1 + self.inner.count(context, frame)

    def pick(self, context: Context, frame: Frame, k: int) -> Value:
        return self.inner.pick(context, frame, k - 1) if k else None


class SetDomain:
    """A set as it is computed."""

    def __init__(self, items: Closure) -> None:
        self.items = items

    def walk(self, context: Context, frame: Frame) -> Iterable[Value]:
        walked: Iterable[Value] = self.items(context, frame).items
        return walked

    def contains(self, context: Context, frame: Frame, value: Value) -> bool:
        return value in self.items(context, frame).members

    def count(self, context: Context, frame: Frame) -> int:
        return len(self.items(context, frame).items)

    def pick(self, context: Context, frame: Frame, k: int) -> Value:
        return self.items(context, frame).items[k]


class RangeDomain:
    """low, low + 1, ..., high."""

    def __init__(self, low: Closure, high: Closure) -> None:
        self.low = low
        self.high = high

    def walk(self, context: Context, frame: Frame) -> Iterable[Value]:
        low, high = self.low(context, frame), self.high(context, frame)
        if isinstance(low, int):
            return range(low, ceil(high) if high != int(high) else int(high) + 1)
        return (low + k for k in range(self.count(context, frame)))

    def contains(self, context: Context, frame: Frame, value: Value) -> bool:
        low, high = self.low(context, frame), self.high(context, frame)
        if not isinstance(value, int | Fraction):
            return False
        return bool(low <= value <= high and (value - low) % 1 == 0)

    def count(self, context: Context, frame: Frame) -> int:
        return max(0, int((self.high(context, frame) - self.low(context, frame)) // 1) + 1)

    def pick(self, context: Context, frame: Frame, k: int) -> Value:
        return self.low(context, frame) + k


class SubsetsDomain:
    """The subsets of a given size, in lexicographic order."""

    def __init__(self, collection: Closure, size: Closure) -> None:
        self.collection = collection
        self.size = size

    def walk(self, context: Context, frame: Frame) -> Iterable[Value]:
        items = in_type_order(self.collection(context, frame)).items
        return map(OrderedSet, combinations(items, self._size(context, frame)))

    def contains(self, context: Context, frame: Frame, value: Value) -> bool:
        if not isinstance(value, OrderedSet) or len(value) != self.size(context, frame):
            return False
        return bool(value.members <= self.collection(context, frame).members)

    def count(self, context: Context, frame: Frame) -> int:
        return comb(len(self.collection(context, frame)), self._size(context, frame))

    def pick(self, context: Context, frame: Frame, k: int) -> Value:
        items = in_type_order(self.collection(context, frame)).items
        return OrderedSet(unrank_subset(items, self._size(context, frame), k))

    def _size(self, context: Context, frame: Frame) -> int:
        """The size of the subsets; for a negative one or a fraction, which no subset has, one that is too large."""
        size: int | Fraction = self.size(context, frame)
        return size if isinstance(size, int) and size >= 0 else len(self.collection(context, frame)) + 1


def unrank_subset(stock: tuple[Value, ...], size: int, number: int) -> tuple[Value, ...]:
    """Subset number ``number`` of ``size`` members, in lexicographic order: at each member, the subsets with it come
    before those without. ``subsets`` counts those with the member at hand; it passes on by exact divisions."""
    chosen = []
    left = len(stock)
    subsets = comb(left - 1, size - 1) if size else 0
    for member in stock:
        if size == 0:
            break
        left -= 1
        if number < subsets:
            chosen.append(member)
            size -= 1
            subsets = subsets * size // left if left else 0
        else:
            number -= subsets
            subsets = subsets * (left - size + 1) // left if left else 0
    return tuple(chosen)


# Bounds on the size of a parameter's domain while the parameters that it uses are unbound.
#
# A name is known by its domain: one bound by ``h in subsets(Card, 4)`` is a set of exactly 4 cards, and a part of
# ``Card``. This gives the size of ``Card - h``, and so on. Without such structure the type bounds the size.


SizeBounds = tuple[int, int | None]
"""The least and the greatest size; None: unknown."""

Sizing = Callable[[Context, Frame], SizeBounds]

OpenSlots = Mapping[int, model.Expr]
"""The domains of the slots that are still unbound."""


def parameter_bounds(compiler: Compiles, rule: model.Rule, k: int) -> Sizing:
    """Bounds on the number of values of parameter number k of a rule, while the earlier ones are unbound."""
    parameter = rule.parameters[k]
    sizes = size_bounds(compiler, parameter.domain, {earlier.slot: earlier.domain for earlier in rule.parameters[:k]})
    if not parameter.is_optional:
        return sizes

    def with_none(context: Context, frame: Frame) -> SizeBounds:
        low, high = sizes(context, frame)
        return low + 1, None if high is None else high + 1

    return with_none


def size_bounds(compiler: Compiles, expr: model.Expr, bound: OpenSlots) -> Sizing:
    """Bounds on the size of the set ``expr``."""
    if not free_slots(expr) & bound.keys():
        count = domain(compiler, expr).count

        def exact_size(context: Context, frame: Frame) -> SizeBounds:
            size = count(context, frame)
            return size, size

        return exact_size
    match expr:
        case model.Local() if isinstance(source := bound[expr.slot], model.Subsets):
            return _size_of_subset(compiler, source, bound)
        case model.Subsets():
            return _number_of_subsets(compiler, expr, bound)
        case model.SetOperation():
            return _set_operation_bounds(compiler, expr, bound)
        case model.Comprehension():
            inner = {**bound, **{binder.slot: binder.domain for binder in expr.binders}}
            return _at_most_product([size_bounds(compiler, binder.domain, inner) for binder in expr.binders])
        case _:
            return _static_bounds(expr)


def _static_bounds(expr: model.Expr) -> Sizing:
    most = most_members(expr)
    return lambda context, frame: (0, most)


def _size_of_subset(compiler: Compiles, source: model.Subsets, bound: OpenSlots) -> Sizing:
    if free_slots(source.count) & bound.keys():
        return _static_bounds(source.collection)
    size = compiler.value(source.count, "a number")

    def exact_size(context: Context, frame: Frame) -> SizeBounds:
        return size(context, frame), size(context, frame)

    return exact_size


def _number_of_subsets(compiler: Compiles, expr: model.Subsets, bound: OpenSlots) -> Sizing:
    """The number of subsets, which grows with the set."""
    if free_slots(expr.count) & bound.keys():
        return _static_bounds(expr)
    collection, size = size_bounds(compiler, expr.collection, bound), compiler.value(expr.count, "a number")

    def count(context: Context, frame: Frame) -> SizeBounds:
        low, high = collection(context, frame)
        chosen = max(0, size(context, frame))
        return comb(low, chosen), None if high is None else comb(high, chosen)

    return count


def _at_most_product(factors: list[Sizing]) -> Sizing:
    def product(context: Context, frame: Frame) -> SizeBounds:
        highs = [high for _, high in (factor(context, frame) for factor in factors) if high is not None]
        return 0, prod(highs) if len(highs) == len(factors) else None

    return product


def _set_operation_bounds(compiler: Compiles, expr: model.SetOperation, bound: OpenSlots) -> Sizing:
    left, right = size_bounds(compiler, expr.left, bound), size_bounds(compiler, expr.right, bound)
    is_within = _is_within(expr.right, expr.left, bound)
    are_disjoint = _are_disjoint(expr.left, expr.right, bound)

    def union(context: Context, frame: Frame) -> SizeBounds:
        (low, high), (more_low, more_high) = left(context, frame), right(context, frame)
        low = low + more_low if are_disjoint else max(low, more_low)
        return low, None if high is None or more_high is None else high + more_high

    def difference(context: Context, frame: Frame) -> SizeBounds:
        (low, high), (less_low, less_high) = left(context, frame), right(context, frame)
        low = 0 if less_high is None else max(0, low - less_high)
        return low, high if high is None or not is_within else high - less_low

    def intersection(context: Context, frame: Frame) -> SizeBounds:
        highs = [high for _, high in (left(context, frame), right(context, frame)) if high is not None]
        return 0, min(highs, default=None)

    return {"+": union, "-": difference, "*": intersection}[expr.operator]


def _is_within(part: model.Expr, whole: model.Expr, bound: OpenSlots) -> bool:
    """Whether the structure shows that one set is a subset of another."""
    if part == whole:
        return True
    match part:
        case model.Local() if isinstance(source := bound.get(part.slot), model.Subsets):
            if _is_within(source.collection, whole, bound):
                return True
        case model.SetOperation(operator="-" | "*"):
            if _is_within(part.left, whole, bound):
                return True
        case model.SetOperation(operator="+"):
            if _is_within(part.left, whole, bound) and _is_within(part.right, whole, bound):
                return True
    match whole:
        case model.SetOperation(operator="-"):
            return _is_within(part, whole.left, bound) and _are_disjoint(part, whole.right, bound)
        case model.SetOperation(operator="+"):
            return _is_within(part, whole.left, bound) or _is_within(part, whole.right, bound)
        case _:
            return False


def _are_disjoint(a: model.Expr, b: model.Expr, bound: OpenSlots) -> bool:
    """Whether the structure shows that two sets are disjoint."""
    return _avoids(a, b, bound) or _avoids(b, a, bound)


def _avoids(part: model.Expr, other: model.Expr, bound: OpenSlots) -> bool:
    """Whether ``part`` is drawn from a difference that removes all of ``other``."""
    match part:
        case model.Local() if isinstance(source := bound.get(part.slot), model.Subsets):
            return _avoids(source.collection, other, bound)
        case model.SetOperation(operator="-"):
            return _is_within(other, part.right, bound) or _avoids(part.left, other, bound)
        case _:
            return False


# Rules that deal: each parameter takes its values from a set, and none that an earlier parameter has.
#
# Nearly all chance decisions with very many outcomes are of this form: ``deal(h in subsets(Card, 4), k in subsets(Card
# - h, 4))``, ``pair(a in Card, b in Card) if a != b``, permutations and independent draws. Its parts are the *hands*:
# subsets of a given size, or single values, of a *stock* that does not depend on the other parameters, each disjoint
# from some earlier hands. The form is recognised in the rule; the stocks and sizes are those of a state.


@frozen(eq=False, repr=False)
class DealtParameter:
    """A parameter of a rule that deals: its ``stock`` without earlier hands; the ``size`` of its subsets, None if it is
    a single value; the numbers of the earlier parameters that it ``avoids``."""

    stock: Closure
    size: Closure | None
    avoids: frozenset[int]


def dealt_parameters(rule: model.Rule, compiler: Compiles) -> tuple[DealtParameter, ...] | None:
    """The parameters of a rule that deals outcomes of equal weight; None for any other rule."""
    number = {parameter.slot: k for k, parameter in enumerate(rule.parameters)}
    weight = rule.weight if rule.probability is None else rule.probability
    is_optional = any(parameter.is_optional for parameter in rule.parameters)
    if is_optional or (weight is not None and free_slots(weight) & number.keys()):
        return None
    form = _Form(rule, compiler, number)
    hands = [form.hand(parameter.domain) for parameter in rule.parameters]
    unequal = [form.unequal(test) for tests in rule.guards[1:] for test in tests]
    if any(hand is None for hand in hands) or any(pair is None for pair in unequal):
        return None
    return tuple(
        evolve(hand, avoids=hand.avoids | {pair[0] for pair in unequal if pair is not None and pair[1] == k})
        for k, hand in enumerate(hands)
        if hand is not None
    )


@frozen(eq=False, repr=False)
class _Form:
    """What is known of a rule while its form is recognised; ``number`` leads from slots to numbers of parameters."""

    rule: model.Rule
    compiler: Compiles
    number: dict[int, int]

    def hand(self, domain: model.Expr) -> DealtParameter | None:
        """A parameter with this domain; None if it is not dealt."""
        collection, size = (domain.collection, domain.count) if isinstance(domain, model.Subsets) else (domain, None)
        if size is not None and not self._is_free(size):
            return None
        avoids: set[int] = set()
        stock = self._stock(collection, avoids)
        if stock is None:
            return None
        return DealtParameter(
            self.compiler.value(stock, "a set"),
            None if size is None else self.compiler.value(size, "a number"),
            frozenset(avoids),
        )

    def unequal(self, test: model.Expr) -> tuple[int, int] | None:
        """The numbers of the two single values, the earlier first, that a guard keeps apart; None if it says anything
        else."""
        if not isinstance(test, model.Compare) or test.operator != "!=":
            return None
        first, second = self._single(test.left), self._single(test.right)
        if first is None or second is None or first == second:
            return None
        return min(first, second), max(first, second)

    def _stock(self, collection: model.Expr, avoids: set[int]) -> model.Expr | None:
        """A set without the earlier hands that are taken from it, whose numbers are added to ``avoids``."""
        if self._is_free(collection):
            return collection
        if not isinstance(collection, model.SetOperation) or collection.operator != "-":
            return None
        stock = self._stock(collection.left, avoids)
        for taken in _summands(collection.right):
            if stock is None:
                return None
            hands = self._hands(taken)
            if hands is not None:
                avoids |= hands
            else:
                stock = evolve(collection, left=stock, right=taken) if self._is_free(taken) else None
        return stock

    def _hands(self, taken: model.Expr) -> set[int] | None:
        """The numbers of the hands that make up a set; None if it is no union of hands."""
        if isinstance(taken, model.Local) and taken.slot in self.number:
            number = self.number[taken.slot]
            return {number} if self._is_subset(number) else None
        if isinstance(taken, model.MakeSet) and taken.items:
            singles = [self._single(item) for item in taken.items]
            return None if None in singles else {number for number in singles if number is not None}
        return None

    def _single(self, expr: model.Expr) -> int | None:
        """The number of the parameter that this reads, if it is a single value."""
        number = self.number.get(expr.slot) if isinstance(expr, model.Local) else None
        return None if number is None or self._is_subset(number) else number

    def _is_subset(self, number: int) -> bool:
        return isinstance(self.rule.parameters[number].domain, model.Subsets)

    def _is_free(self, expr: model.Expr) -> bool:
        """Whether the value does not depend on the parameters."""
        return not free_slots(expr) & self.number.keys()


def _summands(expr: model.Expr) -> Iterator[model.Expr]:
    if isinstance(expr, model.SetOperation) and expr.operator == "+":
        yield from _summands(expr.left)
        yield from _summands(expr.right)
    else:
        yield expr
