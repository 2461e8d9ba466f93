"""Tables of expressions that read no state, for all values of their names, computed when a game is built unless that
takes too long (:mod:`zermelo.interpreter.model.effort`).

The reference machine evaluates them. Rules are lowered several times (for legality, for sampling, for effects), so
results are cached.
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
from zermelo.interpreter.native.coding.encoding import domain_codes, encode, universe
from zermelo.interpreter.native.coding.number_codes import NO_NUMBER, scale_of
from zermelo.interpreter.native.dialect.text import Text
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.types import MemberType, OptionalType, Type, strip_none
from zermelo.interpreter.values import Value

IMPOSSIBLE: Final = object()
"""Fills entries of tables that no value selects."""

E = TypeVar("E", bound=Expr)


@frozen
class _Name:
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


@define(eq=False)
class Tabulation:
    """Tables of expressions; ``text`` receives the functions that their indices need.

    Equality of expressions ignores types, so the cache key includes the types of the names, which determine the values
    that a table covers."""

    text: Text
    _compiler: Compiler = field(factory=Compiler)
    _known: dict[tuple[Expr, tuple[Type, ...]], list[Value] | None] = field(factory=dict)
    _lists: dict[int, list[list[int]]] = field(factory=dict)
    _variants: dict[int, tuple[Expr, Any]] = field(factory=dict)

    def rows(self, expr: Expr, env: Env, limit: int) -> tuple[str, list[Value]] | None:
        """For an expression that reads no state and whose names have few values: an index made of these, and the value
        of the expression for each. None for all others."""
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
                self._lists[id(values)] = [[item.index for item in items] for items in sets]
            else:
                self._lists[id(values)] = [[encode(item, element) for item in items] for items in sets]
        return self._lists[id(values)]

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
            text = f"{self.text.shared('place', source)}({text}, {listed[0][0]})"
        low, high = min(code for code, _ in listed), max(code for code, _ in listed)
        return _Name(slot, text, type, low, high - low + 1, dict(listed))

    def _evaluated(self, expr: Expr, names: list[_Name]) -> list[Value] | None:
        """The results for all values of the names; None if one cannot be computed."""
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
