"""An estimate that is a neural network with one hidden layer, and its inputs: *units*, made from what a file declares.

Every position is made of variables, of the phase, and of the arguments of the phase. Each entry of a variable that is
not constant, and each argument, has units of its own, by its type:

- of a number from low to high in steps: whether it is more than low, more than one step above it, and more than two;
  and how many steps it is beyond three. So Tesauro wrote down how many men stand on a point (1992);
- of any other type: for each value whether it is that, ``none`` among them; of ``Bool`` whether it is true;
- of a set: for each possible member whether it has it.

If there are several phases with a decision, each has a unit, too. The first unit is always 1. What a unit says of an
argument is 0 in all other phases. Thus the units say all that the rules keep of a position, except for the names that
the phase binds on entering, for choices made by others at the same moment, and for the history of the play.

A network is evaluated in whole numbers, so that all machines find the same. For units u of a position

    h_j = f(sum_i w_ij u_i),        V = low + (high - low) (1 + f(sum_j v_j h_j + v_0)) / 2,

with weights in parts of :data:`ONE`, payoffs between low and high, and f(x) = 1 - 1 / (1 + x + x^2) for x >= 0, and
f(-x) = -f(x): a sigmoid as the usual ones are, but a rational one. Quotients are rounded down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Final

from zermelo.interpreter.model.game import InputUnit, Model, Network, UnitKind
from zermelo.interpreter.storage import place_name
from zermelo.interpreter.types import (
    INTEGER,
    BoolType,
    DirectionType,
    NumberType,
    SetType,
    TupleType,
    Type,
    strip_none,
)
from zermelo.interpreter.values import Value, format_value

ONE: Final = 1 << 16
"""The parts of 1 in a network."""

MOST: Final = 1 << 30
"""The bound on what a unit gets from those below, in parts: its square has fewer than 62 bits."""

MOST_VALUES: Final = 64
"""The most values of a type that is no number and no set."""

_STEPS: Final = 3
"""The steps of a number that have a unit of their own."""


def network_value(network: Network, counts: Sequence[int], is_viewer: bool) -> Fraction:
    """What a network says that a player gets, who is the one who looks at the position or the other one, given its
    units as the former sees them."""
    sums = [0] * (len(network.output) - 1)
    for count, weights in zip(counts, network.hidden, strict=True):
        if count:
            sums = [total + count * weight for total, weight in zip(sums, weights, strict=True)]
    z = network.output[-1]
    z += sum(weight * squashed(total) // ONE for weight, total in zip(network.output, sums, strict=False))
    told = squashed(z)
    got = (network.low * (ONE - told) + network.high * (ONE + told)) / (2 * ONE)
    return got if is_viewer else network.total - got


def squashed(total: int) -> int:
    """f, in parts."""
    size = min(abs(total), MOST)
    value = ONE - ONE**3 // (ONE**2 + size * ONE + size * size)
    return value if total >= 0 else -value


class NoUnits(Exception):
    """A variable or an argument of this name has a type of which no units are made."""


def units_of(game: Model) -> tuple[InputUnit, ...]:
    """The units of a game. Raises :class:`NoUnits`."""
    return tuple(_units(game))


def _units(game: Model) -> Iterator[InputUnit]:
    yield InputUnit("one", "one")
    for variable in game.variables:
        if not variable.is_constant:
            for place, index in enumerate(product(*(type.members for type in variable.indices))):
                entry = f"[{', '.join(map(format_value, index))}]" if index else ""
                named = variable.name + entry
                yield from units_of_type(named, _checked(named, variable.type), variable.name, place=place)
    deciding = [phase for phase in game.phases.values() if phase.decision is not None]
    for phase in deciding:
        if len(deciding) > 1:
            yield InputUnit(f"phase {phase.name}", "phase", phase=phase.name)
        for place, parameter in enumerate(phase.parameters):
            named = f"{phase.name}({parameter.name})"
            yield from units_of_type(named, _checked(named, parameter.type), phase=phase.name, place=place)


def _checked(name: str, type: Type) -> Type:
    """The type; raises :class:`NoUnits` if networks have no inputs for it."""
    inner = strip_none(type)
    if not isinstance(inner.base, SetType) and not (
        inner.is_finite and (isinstance(inner.base, NumberType | BoolType) or inner.size <= MOST_VALUES)
    ):
        raise NoUnits(name)
    return type


def units_of_type(
    name: str, type: Type, variable: str = "", phase: str = "", place: int = 0, path: tuple[int, ...] = ()
) -> Iterator[InputUnit]:
    """The units of a value of a type, at the ``path`` of an entry or an argument of this name."""
    inner = strip_none(type)
    base = inner.base

    def unit(says: str, kind: UnitKind, value: Value = None, step: Fraction | int = 1, most: int = 1) -> InputUnit:
        return InputUnit(f"{name} {says}", kind, variable, phase, place, value, step, most, path)

    if inner is not type:
        yield unit("is none", "is")
    if isinstance(base, SetType):
        for member in base.element.members:
            yield unit(f"has {format_value(member)}", "has", member)
    elif isinstance(base, BoolType):
        yield unit("is true", "is", True)
    elif isinstance(base, NumberType) and inner.is_finite:
        (low, high), step = _ends(inner), base.step or 1
        steps = int((high - low) / step)
        for k in range(min(_STEPS, steps)):
            yield unit(f"> {low + k * step}", "over", low + k * step)
        if steps > _STEPS:
            yield unit(f"beyond {low + _STEPS * step}", "beyond", low + _STEPS * step, step, steps - _STEPS)
    elif isinstance(base, NumberType):
        yield unit("as it is", "number")
    elif isinstance(base, TupleType) and not (inner.is_finite and inner.size <= MOST_VALUES):
        for k, item in enumerate(base.items):
            yield from units_of_type(f"{name}{place_name(base, (k,))}", item, variable, phase, place, (*path, k))
    elif isinstance(base, DirectionType) and not base.is_compass:
        for k, axis in enumerate(("dx", "dy")):
            yield from units_of_type(f"{name}.{axis}", INTEGER, variable, phase, place, (*path, k))
    else:
        for value in inner.generate():
            yield unit(f"is {format_value(value)}", "is", value)


def _ends(type: Type) -> tuple[Any, Any]:
    """The least and the greatest number of a finite type, which may have far too many to list."""
    if isinstance(type, NumberType):
        assert type.low is not None and type.step is not None
        return type.low, type.low + (type.size - 1) * type.step
    return min(type.members), max(type.members)


def count_of(unit: InputUnit, value: Value) -> int:
    """What a unit says of the value of its place."""
    if unit.kind == "is":
        return int(value == unit.value)
    if value is None:
        return 0
    if unit.kind == "has":
        return int(unit.value in value)
    if unit.kind == "over":
        return int(value > unit.value)
    return max(0, int((value - unit.value) / unit.step))
