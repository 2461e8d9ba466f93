"""Bindings of local names during lowering."""

from __future__ import annotations

from attrs import frozen

from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.coding.number_codes import scale_of
from zermelo.interpreter.types import OptionalType, Type


@frozen
class Scalar:
    """A value that is one number: ``text`` is an expression of the dialect for its code, to be evaluated once. The
    value of a number is ``text / scale``. ``has_none``: it can be none."""

    text: str
    has_none: bool = False
    scale: int = 1


def code_of(type: Type, text: str) -> Scalar:
    """The value with this code in a type."""
    return Scalar(text, isinstance(type, OptionalType), scale_of(type))


@frozen
class Mask:
    """A set as a mask. ``is_ascending``: its order is that of its type. ``none``: the condition that it is none.
    ``order``: its members in another order, as an array and their number, if they are looped over."""

    text: str
    element: Type
    is_ascending: bool = True
    none: str = "0"
    order: tuple[str, str] | None = None


@frozen
class Row:
    """The set at index ``at`` of a table of constant sets: its mask, ``masks[at]``, and its members in order,
    ``members[starts[at]:starts[at + 1]]``."""

    mask: str
    masks: str
    element: Type
    starts: str
    members: str
    at: str
    is_ascending: bool


@frozen
class Listing:
    """A set of sets: the first ``count`` masks of ``array``, in their order, each of a set over ``element``.
    ``is_ascending``: the order of every set is that of its type."""

    array: str
    count: str
    element: Type
    is_ascending: bool


@frozen
class Thunk:
    """A set lowered at its uses."""

    expr: Expr
    env: Env


Binding = Scalar | Mask | Row | Listing | Thunk
Env = dict[int, Binding]
"""By slot."""


def member(binding: Binding) -> tuple[str, Type, bool]:
    """A set in a set of sets: its mask, its element type, and whether its order is that of the type."""
    assert isinstance(binding, Mask | Row), "sets of sets contain sets"
    return binding.text if isinstance(binding, Mask) else binding.mask, binding.element, binding.is_ascending
