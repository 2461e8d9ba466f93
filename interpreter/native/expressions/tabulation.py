"""Expressions that read no state, evaluated for all values of the names in them when a game is built, unless that takes
too long (:mod:`zermelo.interpreter.model.effort`).

The reference machine does the work. Rules are lowered more than once (what is offered, what is legal, what a move
does), so what has been worked out for an expression is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, Final, TypeVar

from attrs import define, field, frozen

from zermelo.grammar.deadline import look
from zermelo.interpreter import model
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.context import Context
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.model import Expr
from zermelo.interpreter.model.effort import TOO_MUCH, effort
from zermelo.interpreter.model.rewriting import bound_slots, free_slots, reads_state, slots, walk
from zermelo.interpreter.native.coding.encoding import NO_NUMBER, domain_codes, encode, scale_of, universe
from zermelo.interpreter.native.dialect.text import Text
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.types import MemberType, OptionalType, Type, strip_none
from zermelo.interpreter.values import Value

IMPOSSIBLE: Final = object()
"""Stands in tables where no value ever looks."""

E = TypeVar("E", bound=Expr)


@frozen
class _Name:
    """A name in an expression: its slot, its text, its type, and its values by code, of which there is a range of
    ``extent`` from ``low`` on, not all of them in use."""

    slot: int
    text: str
    type: Type
    low: int
    extent: int
    values: dict[int, Value]

    @property
    def place(self) -> str:
        """Where the present value stands in the range."""
        if self.low == 0:
            return self.text
        return f"({self.text} - {self.low})" if self.low > 0 else f"({self.text} + {-self.low})"


@define(eq=False)
class Tabulation:
    """Tables of expressions; ``text`` takes up what their indices need.

    Expressions are equal whatever their types, so what is kept of one is kept under the types of its names, too, which
    tell for which values a table has been worked out."""

    text: Text
    _compiler: Compiler = field(factory=Compiler)
    _known: dict[tuple[Expr, tuple[Type, ...]], list[Value] | None] = field(factory=dict)
    _lists: dict[int, list[list[int]]] = field(factory=dict)
    _variants: dict[int, tuple[Expr, Any]] = field(factory=dict)

    def rows(self, expr: Expr, env: Env, limit: int) -> tuple[str, list[Value]] | None:
        """For an expression that reads no state and mentions names of few values: an index made of these, and the
        expression's value for each. None for all others."""
        if reads_state(expr) or effort(expr) >= TOO_MUCH:
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
            self._known[key] = self._evaluated(expr, names)
        values = self._known[key]
        if values is None:
            return None
        index = "0"
        for name in names:
            index = name.place if index == "0" else f"({index} * {name.extent} + {name.place})"
        return index, values

    def variant(self, expr: Expr, change: Callable[[], E]) -> E:
        """An expression with something in it changed: always the same one, so that its values are worked out once."""
        if id(expr) not in self._variants:
            self._variants[id(expr)] = expr, change()  # the expression itself, so that its id stays its own
        found: E = self._variants[id(expr)][1]
        return found

    def lists(self, values: list[Value], element: Type) -> list[list[int]]:
        """The members of each of the sets that :meth:`rows` gives, as codes in their order."""
        if id(values) not in self._lists:
            sets = [() if value is IMPOSSIBLE else value for value in values]
            if isinstance(strip_none(element).base, MemberType):
                self._lists[id(values)] = [[item.index for item in items] for items in sets]
            else:
                self._lists[id(values)] = [[encode(item, element) for item in items] for items in sets]
        return self._lists[id(values)]

    def masks(self, values: list[Value], element: Type) -> list[int]:
        """The same sets as masks."""
        low, size = universe(element)
        lists = self.lists(values, element)
        if any(not low <= code < low + size for codes in lists for code in codes):
            raise Unsupported("a set that holds more than its type")
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
            text = f"{self.text.shared('place', source)}({text}, {listed[0][0]})"
        low, high = min(code for code, _ in listed), max(code for code, _ in listed)
        return _Name(slot, text, type, low, high - low + 1, dict(listed))

    def _evaluated(self, expr: Expr, names: list[_Name]) -> list[Value] | None:
        """The values for all values of the names; None where one of them cannot be had."""
        evaluate = self._compiler.expression(expr)
        frame_size = 1 + max(slots(expr) | bound_slots(expr), default=0)
        context = Context(())
        values = []
        has_value = False
        for point in product(*(range(name.low, name.low + name.extent) for name in names)):
            look()
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
