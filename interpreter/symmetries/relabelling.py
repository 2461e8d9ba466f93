"""Relabellings: what members, cells and steps are called instead, and so every value made of them.

A relabelling permutes the members of every type: players among themselves, the cells of a board among themselves, and
so on. Steps on boards are mapped by a matrix. Numbers, conditions and none stay as they are, and all other values are
renamed part by part. Numbers that only tell entries apart, such as those of heaps, or only lead to cells, such as those
of columns, are names as well: at some places, indices of variables and parameters of moves, they are permuted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from zermelo.interpreter.evaluation.context import UNSET, Context, entry_indices
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.evaluation.statements import StatementCompiler, compiled_setup
from zermelo.interpreter.machine import Move
from zermelo.interpreter.model import Model, Rule, Variable
from zermelo.interpreter.types import (
    BoolType,
    DirectionType,
    NoneType,
    NumberType,
    OptionalType,
    PartType,
    SetType,
    TupleType,
    Type,
)
from zermelo.interpreter.values import COMPASS, Direction, EvaluationError, Member, OrderedSet, Value

Matrix = tuple[int, int, int, int]
"""(a, b, c, d) takes a step by (dx, dy) to one by (a dx + b dy, c dx + d dy)."""

STRAIGHT: Final[Matrix] = (1, 0, 0, 1)

Numbers = Mapping[Value, Value]
"""A permutation of a range of numbers, each of which it lists."""

Place = tuple[Variable | Rule, int]
"""An index of a variable, or a parameter of a move or an outcome."""


@frozen(eq=False)
class Relabelling:
    """``members`` lists the members that get another name, ``numbers`` the places where numbers do."""

    members: Mapping[Member, Member]
    matrix: Matrix
    numbers: Mapping[Place, Numbers]

    def of(self, value: Value) -> Value:
        """The renamed value. Sets keep the order in which they list their members."""
        if isinstance(value, Member):
            return self.members.get(value, value)
        if isinstance(value, Direction):
            a, b, c, d = self.matrix
            return Direction(a * value.dx + b * value.dy, c * value.dx + d * value.dy)
        if isinstance(value, tuple):
            return tuple(map(self.of, value))
        if isinstance(value, OrderedSet):
            return OrderedSet(map(self.of, value))
        return value

    def at(self, place: Place, value: Value) -> Value:
        """The renamed value of an index or a parameter."""
        numbers = self.numbers.get(place)
        return self.of(value) if numbers is None else numbers[value]

    def move(self, rule: Rule, move: Move) -> Move:
        """What a move of a rule is called instead."""
        return Move(move.name, tuple(self.at((rule, k), value) for k, value in enumerate(move.arguments)))

    def keeps(self, type: Type) -> bool:
        """Whether the renamed values of a type belong to it."""
        match type:
            case PartType(parent=parent, chosen=chosen):
                return self.keeps(parent) and self.of(chosen) == chosen
            case DirectionType(is_compass=True):
                return {self.of(step) for step in COMPASS.values()} == set(COMPASS.values())
            case OptionalType(inner=inner) | SetType(element=inner):
                return self.keeps(inner)
            case TupleType(items=items):
                return all(map(self.keeps, items))
        return True

    def fixes(self, type: Type) -> bool:
        """Whether all values of a type stay as they are, surely."""
        match type.base:
            case NumberType() | BoolType() | NoneType():
                return True
            case DirectionType():
                return self.matrix == STRAIGHT
            case OptionalType(inner=inner) | SetType(element=inner):
                return self.fixes(inner)
            case TupleType(items=items):
                return all(map(self.fixes, items))
            case base:
                return all(self.of(value) == value for value in base.generate())

    def then(self, other: Relabelling) -> Relabelling:
        """This relabelling, and then another one."""
        members = {member: other.of(name) for member, name in self.members.items()}
        members |= {member: name for member, name in other.members.items() if member not in members}
        (a, b, c, d), (e, f, g, h) = other.matrix, self.matrix
        numbers = dict(self.numbers)
        for place, later in other.numbers.items():
            earlier = self.numbers.get(place)
            numbers[place] = later if earlier is None else {number: later[name] for number, name in earlier.items()}
        return Relabelling(
            {member: name for member, name in members.items() if member is not name},
            (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h),
            {place: names for place, names in numbers.items() if any(k != name for k, name in names.items())},
        )

    @property
    def inverse(self) -> Relabelling:
        """The relabelling that undoes this one."""
        a, b, c, d = self.matrix
        unit = a * d - b * c
        return Relabelling(
            {name: member for member, name in self.members.items()},
            (unit * d, -unit * b, -unit * c, unit * a),
            {place: {name: number for number, name in names.items()} for place, names in self.numbers.items()},
        )

    @property
    def effect(self) -> object:
        """Equal for relabellings of the same members and numbers."""
        numbers = ((place, tuple(sorted(names.items()))) for place, names in self.numbers.items())
        return frozenset(self.members.items()), frozenset(numbers)


IDENTITY: Final = Relabelling({}, STRAIGHT, {})


# What holds when a play begins: the values after ``setup``, and the phase in which it starts.
#
# A symmetry of the rules takes plays to plays from the image of their first state. That is another state where a file
# begins with values of its own, such as a suit that is named first. Rules alone tell what is true of every position;
# only where the first state is its own image, too, does a symmetry take the whole game to itself.


def keeps_constants(game: Model, relabelling: Relabelling) -> bool:
    """Whether variables that only ``setup`` assigns hold at renamed indices what they hold, renamed. False if ``setup``
    is an error of the rules."""
    constants = [variable for variable in game.variables if variable.is_constant]
    if not constants:
        return True
    try:
        context, _ = compiled_setup(StatementCompiler(game, Compiler()))()
    except EvaluationError:
        return False
    return _keeps(context, constants, relabelling)


def keeps_beginning(game: Model, relabelling: Relabelling) -> bool:
    """Whether the first state is its own image. False if it cannot be worked out."""
    compiler = Compiler()
    try:
        context, frame = compiled_setup(StatementCompiler(game, compiler))()
        arguments = [compiler.expression(argument)(context, frame) for argument in game.start.arguments]
    except EvaluationError:
        return False
    return _keeps(context, game.variables, relabelling) and all(relabelling.of(value) == value for value in arguments)


def _keeps(context: Context, variables: Sequence[Variable], relabelling: Relabelling) -> bool:
    for variable in variables:
        entries = {
            entry_indices(variable, variable.offset + k): context.values[variable.offset + k]
            for k in range(variable.entries)
        }
        for indices, value in entries.items():
            there = entries[tuple(relabelling.at((variable, k), index) for k, index in enumerate(indices))]
            if (UNSET if value is UNSET else relabelling.of(value)) != there:
                return False
    return True
