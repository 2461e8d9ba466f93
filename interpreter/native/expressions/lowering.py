"""Expressions of the model, lowered to expressions of the dialect.

Each kind of expression has a function, registered in :data:`SCALARS` or :data:`MASKS`. A value that is one number
becomes a :class:`~zermelo.interpreter.native.expressions.bindings.Scalar`; a set becomes a mask (:meth:`Lowering.mask`)
or a loop over its members in order (:mod:`zermelo.interpreter.native.sets.loops`). Expressions that need statements
(loops, names) are lifted into functions of their own, which LLVM inlines.

An expression that reads no state and mentions only names with few values becomes a table, evaluated by the reference
machine when the game is built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Any, Final, TypeVar

from attrs import define, evolve, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import Span
from zermelo.interpreter import model
from zermelo.interpreter.evaluation.context import Context
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.model import Expr, Model
from zermelo.interpreter.model.cardinality import TOO_MUCH, evaluation_cost
from zermelo.interpreter.model.rewriting import bound_slots, free_slots, reads_state, slots, walk
from zermelo.interpreter.native.dialect.language import STOPPED
from zermelo.interpreter.native.dialect.lowered_text import (
    DEEP_PARTS,
    LONG_CHOICE,
    Beyond,
    Body,
    Text,
    Unsupported,
    combine_halves,
    describe_expression,
    is_deep,
    require_shallow,
)
from zermelo.interpreter.native.expressions import bindings
from zermelo.interpreter.native.expressions.bindings import Binding, Env, Scalar, Writer
from zermelo.interpreter.native.state_encoding.encoding import (
    LIMIT,
    MOST_PARTS,
    NO_NUMBER,
    domain_codes,
    encode,
    greatest_magnitude,
    is_below,
    is_set,
    none_code,
    number_type,
    same_codes,
    scale_of,
    stand_in,
    universe,
)
from zermelo.interpreter.native.state_encoding.move_codes import MoveCodes
from zermelo.interpreter.native.state_encoding.state_layout import StateLayout
from zermelo.interpreter.types import INTEGER, MemberType, NoneType, OptionalType, SetType, TupleType, Type, strip_none
from zermelo.interpreter.values import EvaluationError, Value

if TYPE_CHECKING:
    from zermelo.interpreter.native.state_encoding.observations import Perception
    from zermelo.interpreter.native.state_encoding.state_layout import History, NothingHidden, NotLowered

# Polling in loops of the rules, so that the host can stop them.
#
# Polling costs a little, and serving it costs more: calls of a program that may take long run in a thread of their own,
# so that the main thread receives interrupts. So loops poll only if the product of the bounds on nested rounds is
# large, and then in the innermost loop for which that suffices.


_UNASKED: Final = 1 << 18
"""The most rounds between polls: a quarter of a second in Python, milliseconds in machine code."""

_LONG: Final = 1 << 28
"""So many rounds may take seconds. (The static bound for a move of chess is 2 ** 26, which takes microseconds.)"""


@define(eq=False, repr=False)
class Asking:
    """Bounds on the rounds of loops in the text so far: in the current block, in total (``rounds``) and between polls
    (``unasked``); and the greatest total of any block."""

    rounds: int = 1
    unasked: int = 1
    most: int = 1

    @property
    def may_take_long(self) -> bool:
        """Whether the text so far may take long."""
        return self.most >= _LONG

    @contextmanager
    def inside(self, rounds: int, body: Body) -> Iterator[None]:
        """The inside of a loop with at most ``rounds`` rounds."""
        before, place = (self.rounds, self.unasked), len(body.lines)
        self.rounds = self.unasked = 1
        yield
        self.rounds *= max(1, rounds)
        self.most = max(self.most, self.rounds)
        if self.unasked * rounds < _UNASKED:
            self.unasked *= max(1, rounds)
        else:
            asking = body.beside()
            with asking.block("if poll() != 0"):
                with asking.block("if C[0] == 0"):
                    asking.line(f"C[0] = {STOPPED}")
                asking.line("break")
            body.lines[place:place] = asking.lines
        self.rounds, self.unasked = max(before[0], self.rounds), max(before[1], self.unasked)

    def repeat(self, steps: int) -> None:
        """The text so far may be called ``steps`` times in a row."""
        self.most *= steps

    def ask(self, body: Body) -> None:
        """Poll before a check of ``C[0]``, if the text may take long."""
        if self.may_take_long:
            with body.block("if poll() != 0 and C[0] == 0"):
                body.line(f"C[0] = {STOPPED}")


# Tables of expressions that read no state, for all values of their names, computed when a game is built unless that
# takes too long (:mod:`zermelo.interpreter.model.cardinality`).
#
# The reference machine evaluates them. Rules are lowered several times (for legality, for sampling, for effects), so
# results are cached.


IMPOSSIBLE: Final = object()
"""Fills entries of tables that no value selects."""

E = TypeVar("E", bound=Expr)


@frozen(eq=False, repr=False)
class _Name(ByValue):
    """A name in an expression: its slot, its text, its type, and its values by code, which lie in a range of ``extent``
    codes from ``low`` on, perhaps with gaps."""

    slot: int
    text: str
    type: Type
    low: int
    extent: int
    values: dict[int, Value]

    @property
    def place(self) -> str:
        """The position of the current value in the range."""
        if self.low == 0:
            return self.text
        return f"({self.text} - {self.low})" if self.low > 0 else f"({self.text} + {-self.low})"


@define(eq=False, repr=False)
class Tabulation:
    """Tables of expressions; ``text`` receives the functions that their indices need.

    Equality of expressions ignores types, so the cache key includes the types of the names, which determine the values
    that a table covers."""

    text: Text
    _compiler: Compiler = field(factory=Compiler)
    _known: dict[tuple[Expr, tuple[Type, ...]], list[Value] | None] = field(factory=dict)
    _lists: dict[int, tuple[list[Value], list[list[int]]]] = field(factory=dict)
    _variants: dict[int, tuple[Expr, Any]] = field(factory=dict)

    def rows(self, expr: Expr, env: Env, limit: int) -> tuple[str, list[Value]] | None:
        """For an expression that reads no state and whose names have few values: an index made of these, and the value
        of the expression for each. None for all others."""
        if reads_state(expr) or evaluation_cost(expr) >= TOO_MUCH:
            return None
        names = []
        size = 1
        for slot in sorted(free_slots(expr)):
            name = self._name(expr, slot, env.get(slot))
            if name is None:
                return None
            size *= name.extent
            if size > limit:
                return None
            names.append(name)
        key = expr, tuple(name.type for name in names)
        if key not in self._known:
            self._known[key] = self._evaluate(expr, names)
        values = self._known[key]
        if values is None:
            return None
        index = "0"
        for name in names:
            index = name.place if index == "0" else f"({index} * {name.extent} + {name.place})"
        return index, values

    def variant(self, expr: Expr, change: Callable[[], E]) -> E:
        """A rewritten expression, always the same object for the same ``expr``, so that its values are computed
        once."""
        if id(expr) not in self._variants:
            self._variants[id(expr)] = expr, change()  # a reference to the expression keeps its id in use
        found: E = self._variants[id(expr)][1]
        return found

    def lists(self, values: list[Value], element: Type) -> list[list[int]]:
        """The members of each of the sets from :meth:`rows`, as codes in order."""
        if id(values) not in self._lists:
            sets = [() if value is IMPOSSIBLE else value for value in values]
            if isinstance(strip_none(element).base, MemberType):
                found = [[item.index for item in items] for items in sets]
            else:
                found = [[encode(item, element) for item in items] for items in sets]
            self._lists[id(values)] = values, found  # a reference to the values keeps their id in use
        return self._lists[id(values)][1]

    def masks(self, values: list[Value], element: Type) -> list[int]:
        """The same sets as masks."""
        low, size = universe(element)
        lists = self.lists(values, element)
        if any(not low <= code < low + size for codes in lists for code in codes):
            raise Unsupported("a set with members outside its type")
        return [sum(1 << code - low for code in codes) for codes in lists]

    def _name(self, expr: Expr, slot: int, binding: object) -> _Name | None:
        local = next(part for part in walk(expr) if isinstance(part, model.Local) and part.slot == slot)
        if not isinstance(binding, Scalar) or binding.scale != scale_of(local.type):
            return None
        inner = strip_none(local.type)
        type = OptionalType(inner) if binding.has_none else inner
        listed = domain_codes(type)
        if not listed:
            return None
        text = binding.text
        if listed[0][0] == NO_NUMBER:
            listed[0] = (listed[1][0] - 1, None)
            source = f"(x: int, low: int) -> int:\n    return low if x == {NO_NUMBER} else x\n"
            text = f"{self.text.share('place', source)}({text}, {listed[0][0]})"
        low, high = min(code for code, _ in listed), max(code for code, _ in listed)
        return _Name(slot, text, type, low, high - low + 1, dict(listed))

    def _evaluate(self, expr: Expr, names: list[_Name]) -> list[Value] | None:
        """The results for all values of the names; None if one cannot be computed."""
        evaluate = self._compiler.expression(expr)
        frame_size = 1 + max(slots(expr) | bound_slots(expr), default=0)
        context = Context(())
        values = []
        has_value = False
        for point in product(*(range(name.low, name.low + name.extent) for name in names)):
            check_deadline()
            frame: list[Value] = [None] * frame_size
            value: Value = IMPOSSIBLE
            if all(code in name.values for code, name in zip(point, names, strict=True)):
                for code, name in zip(point, names, strict=True):
                    frame[name.slot] = name.values[code]
                try:
                    value = evaluate(context, frame)
                except EvaluationError:
                    return None
                has_value = True
            values.append(value)
        return values if has_value else None


_TABLE_LIMIT: Final = 4096
LARGE_TABLE_LIMIT: Final = 1 << 16
"""How many entries a table may have that replaces a search or a test that is costly."""

SCALARS: Final[dict[type[Expr], Callable[[Lowering, Any, Env], Scalar]]] = {}
"""The lowerings of expressions that are one number."""

SIMPLE: Final[set[type[Expr]]] = set()
"""Those of them that are not worth a table by themselves."""

MASKS: Final[dict[type[Expr], Callable[[Lowering, Any, Env], str]]] = {}
"""The lowerings of sets to masks."""

LoopWriter = Callable[["Lowering", Expr, Env, Body, Callable[[Binding], None]], None]
"""Writes a loop over a set; a callback writes its body for each member."""

_DIRECT = ("other", "abs", "max", "min")
"""Functions cheaper than a table."""


class TooNarrow(Exception):
    """A set does not fit into the words of the module, which must have at least ``size`` bits."""

    def __init__(self, size: int) -> None:
        super().__init__(f"a set over {size} members")
        self.size = size


class Lowering(Writer):
    """Lowers the expressions of one model into ``text``. ``phase`` is the number of the current phase; ``kept`` are its
    names that entry statements bind for the decision and that are stored in the state; ``is_deciding`` marks code that
    runs during a decision; ``perception`` says why, if observations cannot be lowered. ``room`` is the length of
    lists of moves. ``depth`` is the current nesting of expressions and blocks, ``stack`` the bytes of the arrays of the
    enclosing loops. ``over_sets`` writes the loop over a set of sets
    (:func:`zermelo.interpreter.native.sets.masks.loop_over_family`)."""

    def __init__(
        self,
        model: Model,
        text: Text,
        layout: StateLayout,
        moves: MoveCodes,
        history: History,
        perception: Perception | NothingHidden | NotLowered,
        room: int,
        over_sets: LoopWriter,
    ) -> None:
        super().__init__(text, layout.width)
        self.model = model
        self.layout = layout
        self.full = (1 << layout.width) - 1
        self.moves = moves
        self.history = history
        self.perception = perception
        self.room = room
        self.over_sets = over_sets
        self.is_deciding = False
        self.depth = 0
        self.stack = 0
        self.asking = Asking()
        self.phase = 0
        self.kept: frozenset[int] = frozenset()
        self.tabulation = Tabulation(text)

    # ---------------------------------------------------------------- values

    def scalar(self, expr: Expr, env: Env, type: Type | None = None) -> Scalar:
        """A value that is one number. ``type`` is the type that a literal ``none`` has, and that a tuple is encoded in;
        a tuple outside it is :data:`~zermelo.interpreter.native.state_encoding.encoding.OUTSIDE`."""
        check_deadline()
        self.depth += 1
        try:
            require_shallow(self.depth)
            value = self._scalar(expr, env, type)
            return evolve(value, text=self.flat(value.text, "int"))
        except Unsupported as beyond:
            beyond.locate(expr.span)
            raise
        finally:
            self.depth -= 1

    def flat(self, text: str, kind: str) -> str:
        """The expression, lifted into a function of its own if it is nested deep."""
        return self.text.lift("part", Body(), text, kind) if is_deep(text, DEEP_PARTS) else text

    def _scalar(self, expr: Expr, env: Env, type: Type | None) -> Scalar:
        if isinstance(expr, model.Const) and expr.value is None:
            return Scalar(str(none_code(expr.type if type is None else type)), True)
        if type is not None and isinstance(strip_none(type).base, TupleType) and not same_codes(expr.type, type):
            if not isinstance(expr, model.Const | model.MakeTuple):
                return bindings.convert_tuple(self, self.scalar(expr, env), expr.type, type.base)
            expr = evolve(expr, type=type)
        if type is not None and isinstance(expr.type, NoneType):
            return Scalar(f"{self.helper('none_of')}({self.scalar(expr, env).text}, {none_code(type)})", True)
        if expr.__class__ not in SIMPLE and not (isinstance(expr, model.Apply) and expr.function in _DIRECT):
            found = self.tabulated(expr, env, _TABLE_LIMIT)
            if found is not None:
                return found
        if is_set(expr.type):
            raise Unsupported(f"{describe_expression(expr)} that is a set, here")
        try:
            return SCALARS[expr.__class__](self, expr, env)
        except KeyError:
            raise Unsupported(describe_expression(expr)) from None
        except Unsupported as unsupported:
            found = self.tabulated(expr, env, LARGE_TABLE_LIMIT)
            if found is not None:
                return found
            if isinstance(unsupported, Beyond):
                return self.overflow(expr.type, expr.span)
            raise

    def overflow(self, type: Type, span: Span) -> Scalar:
        """The substitute for a value that needs too large a number: the play falls back to the reference machine.
        Raises :class:`~zermelo.interpreter.native.dialect.lowered_text.Beyond` if the type has no other values."""
        instead = stand_in(type, scale_of(type))
        call = f"{self.helper('overflow')}(C, {instead}, {self.text.site('overflow', span)})"
        return Scalar(call, False, scale_of(type))

    def value(self, expr: Expr, env: Env) -> Scalar:
        """As :meth:`scalar`, with the check that it is not none."""
        return self.needed(self.scalar(expr, env), expr.type, expr.span)

    def whole(self, expr: Expr, env: Env) -> str:
        """A whole number, or the code of another value that is not none."""
        value = self.value(expr, env)
        if value.scale != 1:
            raise Unsupported("a fraction where a whole number is needed")
        return value.text

    def condition(self, expr: Expr, env: Env) -> str:
        """A condition."""
        return self.value(expr, env).text

    @contextmanager
    def provided(self, conditions: Sequence[Expr], env: Env, body: Body) -> Iterator[None]:
        """A block under the condition that all of these hold."""
        if conditions:
            with body.block(f"if {' and '.join(self.condition(part, env) for part in conditions)}"):
                yield
        else:
            yield

    def needed(self, value: Scalar, type: Type, span: Span) -> Scalar:
        """The value, with the check that it is not none."""
        if not value.has_none:
            return value
        site = self.text.site("none-value", span)
        instead = stand_in(type, value.scale)
        return Scalar(
            f"{self.helper('need')}(C, {value.text}, {none_code(type)}, {instead}, {site})", False, value.scale
        )

    def mask(self, expr: Expr, env: Env, element: Type | None = None) -> str:
        """A set as a mask over the universe of ``element`` (by default of its own elements)."""
        self.depth += 1
        try:
            require_shallow(self.depth)
            return self.flat(self._wide_mask(expr, env, element), "bits")
        except Unsupported as beyond:
            beyond.locate(expr.span)
            raise
        finally:
            self.depth -= 1

    def _wide_mask(self, expr: Expr, env: Env, element: Type | None) -> str:
        if isinstance(expr, model.Const) and expr.value is None:
            return MASKS[model.Const](self, expr, env)
        own = self.element(expr)
        if universe(own)[1] > self.layout.width:
            raise TooNarrow(universe(own)[1])
        if isinstance(expr, model.Const):
            wanted = own if element is None else element
            number = None if element is None else number_type(element)
            items = expr.value if number is None else [item for item in expr.value if number.contains(item)]
            return str(encode(items, SetType(wanted)))
        text = self._mask(expr, env)
        return text if element is None else self.aligned(text, own, element)

    def _mask(self, expr: Expr, env: Env) -> str:
        if not isinstance(expr, model.Local):
            found = self.tabulated_mask(expr, env)
            if found is not None:
                return found
        try:
            return MASKS[expr.__class__](self, expr, env)
        except KeyError:
            raise Unsupported(f"{describe_expression(expr)} that is a set, here") from None

    def aligned(self, mask: str, own: Type, element: Type) -> str:
        """A mask over one type of numbers, as a mask over another."""
        if not same_codes(own, element):
            return bindings.align_mask(self, mask, own, element)
        if number_type(own) is None or number_type(element) is None:
            return mask
        low, size = universe(own)
        wanted, wanted_size = universe(element)
        if low == wanted and size <= wanted_size:
            return mask
        shifted = f"({mask} << {low - wanted})" if low >= wanted else f"({mask} >> {wanted - low})"
        return f"({shifted} & {(1 << wanted_size) - 1})"

    def element(self, expr: Expr) -> Type:
        """The type of the elements of a set."""
        base = strip_none(expr.type).base
        assert isinstance(base, SetType), "the checker has proved this"
        return base.element

    # ---------------------------------------------------------------- tables

    def tabulated(self, expr: Expr, env: Env, limit: int) -> Scalar | None:
        """The expression as a table, if possible."""
        if is_set(expr.type):
            return None
        found = self.tabulation.rows(expr, env, limit)
        if found is None:
            return None
        index, values = found
        scale = 1
        if number_type(expr.type) is not None:
            scale = lcm(*(value.denominator for value in values if value is not None and value is not IMPOSSIBLE))
        if scale > MOST_PARTS:
            return None
        try:
            codes = [0 if value is IMPOSSIBLE else self._tabulated_code(value, expr.type, scale) for value in values]
        except Unsupported:
            return None
        has_none = any(value is None for value in values)
        if len(codes) == 1:
            return Scalar(str(codes[0]), has_none, scale)
        if codes == list(range(len(codes))):
            return Scalar(index, has_none, scale)
        return Scalar(f"{self.text.table(codes)}[{index}]", has_none, scale)

    def _tabulated_code(self, value: Value, type: Type, scale: int) -> int:
        if number_type(type) is None or value is None:
            return encode(value, type)
        return encode(value * scale, INTEGER)

    def tabulated_mask(self, expr: Expr, env: Env) -> str | None:
        """The set as a table of masks, if possible."""
        found = self._mask_rows(expr, env)
        if found is None:
            return None
        index, codes = found
        return str(codes[0]) if len(codes) == 1 else f"{self.text.table(codes, 'bits')}[{index}]"

    def relation(self, expr: Expr, slot: int) -> list[int] | None:
        """For a set that depends on the name ``slot`` alone: its mask for each value of the name, in order of codes."""
        found = self._mask_rows(expr, {slot: Scalar("x")})
        return None if found is None else found[1]

    def sets(self, expr: Expr, env: Env) -> tuple[str, list[Value]] | None:
        """A set, or a set of sets, that can be a table: the index, and the values, none of which may be none."""
        found = self.tabulation.rows(expr, env, _TABLE_LIMIT)
        return None if found is None or None in found[1] else found

    def _mask_rows(self, expr: Expr, env: Env) -> tuple[str, list[int]] | None:
        try:
            found = self.sets(expr, env)
            if found is None:
                return None
            index, values = found
            return index, self.tabulation.masks(values, self.element(expr))
        except Unsupported:
            return None

    def tabulated_lists(self, expr: Expr, env: Env) -> tuple[str, str, str] | None:
        """The set as a table of ordered lists: their starts, the members, and the index."""
        found = self.sets(expr, env)
        if found is None:
            return None
        index, values = found
        element = self.element(expr)
        starts, members = [0], list[int]()
        for codes in self.tabulation.lists(values, element):
            members.extend(codes)
            starts.append(len(members))
        low, size = universe(element)
        if any(not low <= member < low + size for member in members):
            raise Unsupported("a 'reach' that may leave the range of its start")
        return self.text.table(starts), self.text.table(members or [0]), index

    def tabulated_runs(self, expr: Expr, env: Env) -> tuple[str, str, str] | None:
        """A set in ascending or descending order: a table of masks, a table of directions (1 for ascending), and the
        index."""
        try:
            found = self.sets(expr, env)
            if found is None:
                return None
            index, values = found
            ways = []
            for codes in self.tabulation.lists(values, self.element(expr)):
                ascending = sorted(codes)
                if codes != ascending and codes[::-1] != ascending:
                    return None
                ways.append(int(codes == ascending))
            masks = self.tabulation.masks(values, self.element(expr))
        except Unsupported:
            return None
        return self.text.table(masks, "bits"), self.text.table(ways), index


# Numbers: exact fractions as whole numbers over a scale, and overflow checks.
#
# A number is lowered to a text of the dialect for a whole number and a static *scale*: its exact value is
# ``text / scale``. Two numbers are compared or added on a common scale.
#
# **Invariant.** The absolute value of no text of a number exceeds
# :data:`~zermelo.interpreter.native.state_encoding.encoding.LIMIT` (2 ** 61), so that sums and differences fit into 64
# bits. If the static type bounds a result well below, there is no check. Otherwise the result is checked, and a play
# beyond the limit falls back to the reference machine (``overflow``: a limit of this machine, not an error of the
# rules).
#
# **Invariant.** Every text of a number denotes a value of its static type, even after a fault: a failed check yields a
# substitute of the type (:func:`~zermelo.interpreter.native.state_encoding.encoding.stand_in`). So all values computed
# from it are within their types, too, and no later operation divides by 0, shifts too far or leaves an array, which a
# compiler could assume to be impossible, and the fault with it. A type entirely beyond the limit has no such value: its
# numbers are :class:`~zermelo.interpreter.native.dialect.lowered_text.Beyond`, and computing with them is a fault in
# itself (:meth:`Lowering.beyond`).
#
# **Division** by a y that is not constant: let L be a common multiple of the values of y (as far as it stays small).
# Then x / y = x (L / y) / L with a whole L / y. For a y that does not divide L the remainder is checked; if it is not
# 0, the quotient cannot be represented, and the play falls back to the reference machine.


_PLAIN: Final = 1 << 60
"""Smaller results need no check."""

SMALL: Final = 1 << 30
"""The bound on payoffs and estimates on their scales."""

_MOST_MULTIPLE: Final = 1 << 20
"""The bound on common multiples of divisors: 720720 is one of all numbers up to 16."""


def checked_sum(lowering: Lowering, text: str, type: Type, scale: int, span: Span) -> str:
    """A sum or difference, checked unless its type bounds it."""
    return (
        text if is_below(type, scale, _PLAIN) else _check_magnitude(lowering, text, LIMIT, stand_in(type, scale), span)
    )


def final_number(lowering: Lowering, expr: Expr, env: Env) -> Scalar:
    """A number that nothing is computed from, so that 0 can replace a number beyond the limit."""
    try:
        return lowering.value(expr, env)
    except Beyond:
        return lowering.overflow(INTEGER, expr.span)


def bounded_amount(lowering: Lowering, expr: Expr, env: Env) -> Scalar:
    """An amount, checked to have at most 30 bits, so that kernels can scale and weigh it."""
    value = final_number(lowering, expr, env)
    if is_below(expr.type, value.scale, SMALL):
        return value
    return Scalar(_check_magnitude(lowering, value.text, SMALL, 0, expr.span), False, value.scale)


def _check_magnitude(lowering: Lowering, text: str, limit: int, instead: int, span: Span) -> str:
    site = lowering.text.site("overflow", span)
    return f"{lowering.helper('held')}(C, {text}, {limit}, {instead}, {site})"


def checked_product(lowering: Lowering, left: str, right: str, type: Type, scale: int, span: Span) -> str:
    """A product, checked unless its type bounds it."""
    if is_below(type, scale, _PLAIN):
        return f"({left} * {right})"
    site = lowering.text.site("overflow", span)
    return f"{lowering.helper('product')}(C, {left}, {right}, {stand_in(type, scale)}, {site})"


def rescale(lowering: Lowering, value: Scalar, scale: int, type: Type, span: Span) -> Scalar:
    """The number on a larger scale, a multiple of its own."""
    if value.scale == scale:
        return value
    if scale > MOST_PARTS:
        raise Unsupported("fractions of more than 24 bits")
    factor = scale // value.scale
    constant = constant_of(value)
    if constant is not None and (constant == NO_NUMBER or abs(constant * factor) <= LIMIT):
        text = str(constant if constant == NO_NUMBER else constant * factor)
        return Scalar(text if constant >= 0 else f"({text})", value.has_none, scale)
    if not value.has_none:
        return Scalar(checked_product(lowering, value.text, str(factor), type, scale, span), False, scale)
    inner = checked_product(lowering, "x", str(factor), type, scale, span)
    rescaled = f"{inner} if x != {NO_NUMBER} else x"
    helper = lowering.text.extract("rescaled", "(C: ints[CONTEXT], x: int) -> int", Body(), rescaled)
    return Scalar(f"{helper}(C, {value.text})", True, scale)


def encode_number(lowering: Lowering, value: Scalar, type: Type, span: Span) -> Scalar:
    """The code in ``type`` of a number that surely belongs to it; any other value unchanged."""
    scale = scale_of(type)
    if scale % value.scale:
        raise Unsupported("a number between the steps of its type")
    return rescale(lowering, value, scale, type, span)


def constant_of(value: Scalar) -> int | None:
    """The value of a text that is a literal number; None for others."""
    digits = value.text.strip("()")
    return int(digits) if digits.removeprefix("-").isdigit() else None


def on_common_scale(lowering: Lowering, one: Scalar, two: Scalar, first: Expr, second: Expr) -> tuple[str, str, int]:
    """The values of two expressions on a common scale, and that scale."""
    scale = lcm(one.scale, two.scale)
    left = rescale(lowering, one, scale, first.type, first.span)
    right = rescale(lowering, two, scale, second.type, second.span)
    return left.text, right.text, scale


def constant_scalar(number: Fraction) -> Scalar:
    """A constant."""
    if number.denominator > MOST_PARTS:
        raise Unsupported("fractions of more than 24 bits")
    if abs(number.numerator) > LIMIT:
        raise Beyond("a number of more than 61 bits")
    text = str(number.numerator)
    return Scalar(text if number >= 0 else f"({text})", False, number.denominator)


def _lower_negate(lowering: Lowering, expr: model.Negate, env: Env) -> Scalar:
    value = lowering.value(expr.operand, env)
    return Scalar(f"(-{value.text})", False, value.scale)


def _lower_arithmetic(lowering: Lowering, expr: model.Arithmetic, env: Env) -> Scalar:
    left, right = lowering.value(expr.left, env), lowering.value(expr.right, env)
    match expr.operator:
        case "+" | "-":
            one, two, scale = on_common_scale(lowering, left, right, expr.left, expr.right)
            text = checked_sum(lowering, f"({one} {expr.operator} {two})", expr.type, scale, expr.span)
            return Scalar(text, False, scale)
        case "*":
            scale = left.scale * right.scale
            if scale > MOST_PARTS:
                raise Unsupported("fractions of more than 24 bits")
            return Scalar(checked_product(lowering, left.text, right.text, expr.type, scale, expr.span), False, scale)
        case "/":
            return _lower_quotient(lowering, expr, left, right)
        case _:
            one, two, scale = on_common_scale(lowering, left, right, expr.left, expr.right)
            two = _checked_divisor(lowering, two, expr.right, scale)
            return Scalar(f"({one} {expr.operator} {two})", False, 1 if expr.operator == "//" else scale)


def _checked_divisor(lowering: Lowering, text: str, expr: Expr, scale: int) -> str:
    """The divisor on this scale, with the check that it is not 0."""
    number = number_type(expr.type)
    if number is not None and number.low is not None and number.high is not None and not number.low <= 0 <= number.high:
        return text
    site = lowering.text.site("zero-divisor", expr.span)
    return f"{lowering.helper('divisor')}(C, {text}, {stand_in(expr.type, scale, is_divisor=True)}, {site})"


def _lower_quotient(lowering: Lowering, expr: model.Arithmetic, left: Scalar, right: Scalar) -> Scalar:
    """An exact quotient."""
    if isinstance(expr.right, model.Const) and expr.right.value:
        divisor = Fraction(expr.right.value)
        scale = left.scale * abs(divisor.numerator)
        if scale > MOST_PARTS:
            raise Unsupported("fractions of more than 24 bits")
        factor = divisor.denominator if divisor > 0 else -divisor.denominator
        if factor == 1:
            return Scalar(left.text, False, scale)
        return Scalar(checked_product(lowering, left.text, f"({factor})", expr.type, scale, expr.span), False, scale)
    by = _checked_divisor(lowering, right.text, expr.right, right.scale)
    multiple, is_sure = _common_multiple(expr.right.type, right.scale)
    scale = left.scale * multiple
    if scale > MOST_PARTS:
        raise Unsupported("fractions of more than 24 bits")
    if is_sure:
        factors = lowering.text.extract("over", "(x: int) -> int", Body(), f"{multiple * right.scale} // x")
        return Scalar(
            checked_product(lowering, left.text, f"{factors}({by})", expr.type, scale, expr.span), False, scale
        )
    factor = multiple * right.scale
    dividend = checked_product(lowering, left.text, str(factor), expr.left.type, left.scale * factor, expr.span)
    instead, site = stand_in(expr.type, scale), lowering.text.site("overflow", expr.span)
    return Scalar(f"{lowering.helper('exactly')}(C, {dividend}, {by}, {instead}, {site})", False, scale)


def _common_multiple(type: Type, scale: int) -> tuple[int, bool]:
    """A common multiple of the possible divisors of this type, on this scale, and whether it covers all of them."""
    size = greatest_magnitude(type)
    multiple = 1
    for k in range(2, _MOST_MULTIPLE if size is None else int(size * scale) + 1):
        if lcm(multiple, k) > _MOST_MULTIPLE:
            return multiple, False
        multiple = lcm(multiple, k)
    return multiple, True


def lower_absolute(lowering: Lowering, expr: model.Apply, env: Env) -> Scalar:
    """``abs`` of a number."""
    value = lowering.value(expr.arguments[0], env)
    helper = lowering.helper("absolute")
    return Scalar(f"{helper}({value.text})", False, value.scale)


def lower_extreme(lowering: Lowering, expr: model.Apply, env: Env) -> Scalar:
    """``max`` or ``min`` of several numbers."""
    values = [lowering.value(argument, env) for argument in expr.arguments]
    scale = lcm(*(value.scale for value in values))
    helper = lowering.helper("maximum" if expr.function == "max" else "minimum")
    texts = [
        rescale(lowering, value, scale, argument.type, argument.span).text
        for value, argument in zip(values, expr.arguments, strict=True)
    ]
    return Scalar(combine_halves(texts, lambda one, two: f"{helper}({one}, {two})"), False, scale)


SCALARS.update({model.Negate: _lower_negate, model.Arithmetic: _lower_arithmetic})
SIMPLE.update({model.Negate, model.Arithmetic})


# Long chains of ``if``, ``else if`` and ``match`` in expressions: a function tests the cases in sequence, so that the
# text is not nested as deep as the chain is long.


def _if_chain(expr: Expr) -> tuple[list[model.If], Expr]:
    """The cases of a chain, and its default."""
    cases = []
    while isinstance(expr, model.If):
        cases.append(expr)
        expr = expr.no
    return cases, expr


def is_long_chain(expr: model.If) -> bool:
    """Whether a chain has too many cases for a single expression."""
    return len(_if_chain(expr)[0]) > LONG_CHOICE


def lower_long_if(lowering: Lowering, expr: model.If, env: Env) -> Scalar:
    """The chain as a function that returns the value of the first case whose condition holds."""
    cases, otherwise = _if_chain(expr)
    results = [*(case.yes for case in cases), otherwise]
    conditions = [lowering.condition(case.condition, env) for case in cases]
    values = [lowering.scalar(result, env, expr.type) for result in results]
    scale = lcm(*(value.scale for value in values))
    *texts, last = (
        rescale(lowering, value, scale, result.type, result.span).text
        for value, result in zip(values, results, strict=True)
    )
    body = Body()
    for condition, text in zip(conditions, texts, strict=True):
        body.return_if(condition, text)
    return Scalar(lowering.text.lift("choice", body, last), any(value.has_none for value in values), scale)


# Built-in functions and tables in braces, lowered to tables indexed by names for their arguments.


def name_arguments(
    lowering: Lowering, expr: model.Apply | model.Lookup, env: Env, body: Body
) -> tuple[model.Apply | model.Lookup, Env] | None:
    """The application with names in place of its arguments, which are assigned in the body."""
    names: Env = {}
    arguments: list[Expr] = []
    for k, argument in enumerate(expr.arguments if isinstance(expr, model.Apply) else (expr.key,)):
        if isinstance(argument, model.Const):
            arguments.append(argument)
        elif is_set(argument.type):
            return None
        else:
            value = lowering.scalar(argument, env)
            names[k] = value if value.text.isidentifier() else lowering.bind(body, value, "a")
            arguments.append(model.Local(k, f"a{k}", type=argument.type, span=argument.span))

    def with_arguments_replaced() -> model.Apply | model.Lookup:
        if isinstance(expr, model.Lookup):
            return evolve(expr, key=arguments[0])
        return evolve(expr, arguments=tuple(arguments))

    return lowering.tabulation.variant(expr, with_arguments_replaced), names
