"""Relabellings of members, cells and steps, and proofs that expressions commute with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import prod
from types import MappingProxyType
from typing import Any, Final

from attrs import define, field, fields, frozen

from zermelo.interpreter import functions, model
from zermelo.interpreter.evaluation.context import UNSET, Closure, Context, entry_indices
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.evaluation.statements import StatementCompiler, compile_setup
from zermelo.interpreter.functions import FUNCTIONS
from zermelo.interpreter.machine import Move
from zermelo.interpreter.model import Action, Apply, Binder, Define, Expr, Local, Model, Rule, Variable
from zermelo.interpreter.model.cardinality import TOO_MUCH, evaluation_cost, member_type
from zermelo.interpreter.model.rewriting import bound_slots, free_slots, reads_state, slots, walk
from zermelo.interpreter.types import (
    BoardType,
    BoolType,
    DirectionType,
    MemberType,
    NoneType,
    NumberType,
    OptionalType,
    PartType,
    SetType,
    TupleType,
    Type,
    strip_none,
)
from zermelo.interpreter.values import COMPASS, Direction, EvaluationError, Member, OrderedSet, Value

# Relabellings: new names for members, cells and steps, and so for every value made of them.
#
# A relabelling permutes the members of every type: players among themselves, the cells of a board among themselves, and
# so on. Steps on boards are mapped by a matrix. Numbers, conditions and none stay as they are, and all other values are
# renamed part by part. Numbers that only tell entries apart, such as those of heaps, or only lead to cells, such as
# those of columns, are names as well: at some places, indices of variables and parameters of moves, they are permuted.


Matrix = tuple[int, int, int, int]
"""(a, b, c, d) takes a step by (dx, dy) to one by (a dx + b dy, c dx + d dy)."""

STRAIGHT: Final[Matrix] = (1, 0, 0, 1)

Numbers = Mapping[Value, Value]
"""A permutation of a range of numbers, which lists every number of the range."""

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
        return self.of(value) if numbers is None or value is None else numbers[value]

    def move(self, rule: Rule, move: Move) -> Move:
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
        """Whether all values of a type stay as they are, surely, and so compare as before."""
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
        """A key that is equal for relabellings with the same effect on members and numbers."""
        numbers = ((place, tuple(sorted(names.items()))) for place, names in self.numbers.items())
        return frozenset(self.members.items()), frozenset(numbers)


IDENTITY: Final = Relabelling({}, STRAIGHT, {})


# The first state of a play: the values after ``setup``, and the phase in which the play starts.
#
# A symmetry of the rules maps each play to a play from the image of the first state. The image may be another state if
# a file begins with particular values, such as a suit that is named first. The rules alone say what is true in every
# position; a symmetry maps the whole game to itself only if the first state is its own image as well.


def keeps_constants(game: Model, relabelling: Relabelling) -> bool:
    """Whether the variables that only ``setup`` assigns have, at renamed indices, the renamed values. False if
    ``setup`` is an error of the rules."""
    constants = [variable for variable in game.variables if variable.is_constant]
    if not constants:
        return True
    try:
        context, _ = compile_setup(StatementCompiler(game, Compiler()))()
    except EvaluationError:
        return False
    return _keeps_entries(context, constants, relabelling)


def keeps_beginning(game: Model, relabelling: Relabelling) -> bool:
    """Whether the first state is its own image. False if it cannot be computed."""
    compiler = Compiler()
    try:
        context, frame = compile_setup(StatementCompiler(game, compiler))()
        arguments = [compiler.expression(argument)(context, frame) for argument in game.start.arguments]
    except EvaluationError:
        return False
    return _keeps_entries(context, game.variables, relabelling) and all(
        relabelling.of(value) == value for value in arguments
    )


def _keeps_entries(context: Context, variables: Sequence[Variable], relabelling: Relabelling) -> bool:
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


# Proofs that expressions commute with a relabelling.
#
# Let s be a state and f the names of a running callable, and let R relabel all that is in them. An expression e is
# *equivariant* under R if e(R s, R f) = R(e(s, f)) for all s and f. The proof is about pairs: ``maps(e, e')`` is proved
# only if e'(R s, R f) = R(e(s, f)) for all of them, and e is equivariant if it maps to itself. So ``connected(a, b)``
# may map to ``connected(b, a)``, and what is paid to one player to what is paid to another. There are three rules.
#
# * **By structure.** Both are built alike, of parts that map, by an operation that commutes with R: reading an entry,
#   quantifiers, sets, records, arithmetic. R is a bijection, so it keeps equality, membership and numbers of members.
#   The parts of a commutative operation may map crosswise.
# * **By the whole table.** If neither reads the state, and the names in them have few values, all values are tried:
#   ``if p == Forest then 4 else 1``, ``c.y == last_rank(p)``. If the table does not commute, no other rule could prove
#   it.
# * **By cases.** If the condition of an ``if`` is such a table, the branches are compared separately for each case, in
#   which the names have given values. R maps the branch of one case to that of another.
#
# The *order* of a set may matter: in ``first``, in ``while``, in ``for``. R keeps it only where that is proved
# (``walks``): for rays, for ranges of numbers, and for sets whose members R leaves unchanged. Elsewhere, sets are equal
# whatever their order.
#
# A name for a number may be relabelled by a permutation: at binders, all candidate permutations are tried. Such a name
# may stand as an index that is permuted in the same way, as an argument, in a table, and in a comparison with another
# such name; and nowhere else.
#
# **Errors.** An error of the rules maps to an error, with one exception: members of a set, or conditions, are evaluated
# until one decides the question, and in another order the answer may come before the error or after it. So a position
# and its image have the same value if no play from either meets an error; but if no play from a position does, plays
# from its image still may.
#
# Cost: a walk over both expressions, with a budget.


# Built-in functions that commute with a relabelling: F(R a, R b) = R(F(a, b)) for all arguments.
#
# *On boards of squares and hexagons* cells are points of the plane. Let R move the cells of a board by x -> M x + v,
# and steps by d -> M d, and let it keep the set of the board's directions. Then the cell beyond a step, rays, the cells
# between two, directions, and neighbours are mapped, since they are built of sums alone; and so are distances: how many
# steps in those directions it takes. If M permutes files and ranks, perhaps reversed, leaps on a grid are mapped as
# well.
#
# *On other boards* R must keep who is a neighbour of whom, from which distances and connections follow.
#
# All other functions are tried with all possible arguments, if these are few.


MOST_ARGUMENTS: Final = 4096
"""The most arguments with which a function is tried."""

Once = Callable[[object, Callable[[], bool]], bool]
"""Gives the result of a proof, which is carried out once for each key."""

_OF_STEPS: Final = frozenset({"direction_sum", "direction_scale", "direction_negate"})
_OF_PLANES: Final = frozenset({"step", "ray", "between", "direction", "neighbours", "neighbours_in", "distance"})
_OF_NEIGHBOURS: Final = frozenset({"neighbours", "distance", "connected", "connected_to"})
_ALWAYS: Final = frozenset({"size", "any", "abs"}) | _OF_STEPS


def commutes(
    apply: Apply, relabelling: Relabelling, once: Once, permuted: Mapping[int, Numbers] = MappingProxyType({})
) -> bool:
    """Whether the function of a call surely commutes with a relabelling. ``permuted`` gives, by the position of an
    argument, the permutation of numbers that renames it instead."""
    function, context = apply.function, apply.context
    types = tuple(argument.type for argument in apply.arguments)
    if permuted:
        return _is_mapped(function, context, types, relabelling, permuted)
    if function in _ALWAYS:
        return True
    if function in ("min", "max"):
        return all(relabelling.fixes(argument.type) for argument in apply.arguments)
    if function in ("least", "greatest"):
        base = strip_none(apply.arguments[0].type).base
        return isinstance(base, SetType) and relabelling.fixes(base.element)
    if function == "next_in":
        return isinstance(context, MemberType) and once(
            ("next", context), lambda: _is_mapped("next", context, (context,), relabelling)
        )
    if isinstance(context, BoardType):
        if function in _OF_NEIGHBOURS and once(("neighbours", context), lambda: keeps_neighbours(context, relabelling)):
            return True
        in_plane = context.shape in ("grid", "hex") and once(
            ("plane", context), lambda: is_affine(context, relabelling)
        )
        if in_plane and (function in _OF_PLANES or (function == "leaps" and _turns_files_and_ranks(relabelling))):
            return True
    return once((function, context, types), lambda: _is_mapped(function, context, types, relabelling))


def is_affine(board: BoardType, relabelling: Relabelling) -> bool:
    """Whether the cells of a board and the steps on it are moved by one matrix, and its directions kept."""
    if {relabelling.of(step) for step in board.directions} != set(board.directions):
        return False
    first = board.cells[0]
    there = relabelling.of(first)
    return all(
        relabelling.of(Direction(cell.x - first.x, cell.y - first.y))
        == (relabelling.of(cell).x - there.x, relabelling.of(cell).y - there.y)
        for cell in board.cells
    )


def keeps_neighbours(board: BoardType, relabelling: Relabelling) -> bool:
    """Whether the neighbours of every renamed cell are the renamed neighbours of the cell."""
    return all(
        relabelling.of(functions.neighbours(board, cell)) == functions.neighbours(board, relabelling.of(cell))
        for cell in board.cells
    )


def _turns_files_and_ranks(relabelling: Relabelling) -> bool:
    return sorted(map(abs, relabelling.matrix)) == [0, 0, 1, 1]


def _is_mapped(
    function: str,
    context: Type | None,
    types: tuple[Type, ...],
    relabelling: Relabelling,
    permuted: Mapping[int, Numbers] = MappingProxyType({}),
) -> bool:
    """Whether a function commutes for all arguments of these types, if they are few."""
    if any(isinstance(strip_none(type).base, SetType) or not type.is_finite for type in types):
        return False
    if prod(type.size for type in types) > MOST_ARGUMENTS:
        return False
    built_in = FUNCTIONS[function]

    def pairs(k: int, type: Type) -> list[tuple[Value, Value]]:
        return (
            list(permuted[k].items()) if k in permuted else [(each, relabelling.of(each)) for each in type.generate()]
        )

    for arguments in product(*(pairs(k, type) for k, type in enumerate(types))):
        before, after = zip(*arguments, strict=True)
        is_asked = not any(value is None and built_in.needs_value(k) for k, value in enumerate(before))
        if is_asked and built_in(context, *after) != relabelling.of(built_in(context, *before)):
            return False
    return True


# Expressions that read no state, as tables: their values for all values of the names in them.
#
# The tables are shared by the proofs about one model, which ask for the same expressions again and again.


MOST_ENTRIES: Final = 4096
"""The most entries of a table."""

MOST_EFFORT: Final = 30_000
"""The most evaluations for one table; about a hundredth of a second."""

BUDGET: Final = 3_000_000
"""The most comparisons in the proofs about one model; some seconds."""

ERROR: Final = object()
"""The entry of a table where the expression is an error of the rules."""


@define(eq=False)
class _Table:
    """An expression with the types of its names; ``entries`` is None if it reads the state or has too many values."""

    expr: Expr
    names: dict[int, Type]
    entries: dict[tuple[Value, ...], Value] | None
    frame: int
    closure: Closure | None = None


@define(eq=False)
class Tables:
    """The tables of one model. ``steps`` counts what the proofs have compared so far."""

    steps: int = 0
    compiler: Compiler = field(factory=Compiler)
    tables: dict[int, _Table] = field(factory=dict)

    @property
    def is_spent(self) -> bool:
        """Whether nothing more can be proved."""
        return self.steps > BUDGET

    def names(self, expr: Expr) -> dict[int, Type] | None:
        """The slots of the names in an expression with their types; None if it has no table."""
        table = self._table(expr)
        return None if table.entries is None else table.names

    def value(self, expr: Expr, names: dict[int, Value]) -> Value:
        """The value of an expression that has a table; :data:`ERROR` where it has none."""
        table = self._table(expr)
        assert table.entries is not None, "the caller has asked for its names"
        key = tuple(names[slot] for slot in table.names)
        if key not in table.entries:
            if table.closure is None:
                table.closure = self.compiler.expression(expr)
            frame: list[Any] = [None] * table.frame
            for slot in table.names:
                frame[slot] = names[slot]
            try:
                table.entries[key] = table.closure(Context(()), frame)
            except EvaluationError:
                table.entries[key] = ERROR
        return table.entries[key]

    def _table(self, expr: Expr) -> _Table:
        if id(expr) not in self.tables:
            self.tables[id(expr)] = _make_table(expr)
        return self.tables[id(expr)]


def _make_table(expr: Expr) -> _Table:
    names: dict[int, Type] = {}
    free = free_slots(expr)
    for part in walk(expr):
        if isinstance(part, Local) and part.slot in free:
            known = names.get(part.slot)
            if known is None or isinstance(part.type, OptionalType):
                names[part.slot] = part.type
    entries = 1
    for type in names.values():
        entries *= type.size if type.is_finite and not _holds_sets(type) else MOST_ENTRIES + 1
    work = min(evaluation_cost(expr), TOO_MUCH)
    is_small = entries <= MOST_ENTRIES and entries * work <= MOST_EFFORT
    frame = 1 + max(slots(expr) | bound_slots(expr), default=0)
    return _Table(expr, dict(sorted(names.items())), {} if is_small and not reads_state(expr) else None, frame)


def _holds_sets(type: Type) -> bool:
    """Whether values of a type contain sets, whose order a table would ignore."""
    match type.base:
        case SetType():
            return True
        case OptionalType(inner=inner):
            return _holds_sets(inner)
        case TupleType(items=items):
            return any(map(_holds_sets, items))
    return False


FEW: Final = 16
"""The most cases of a condition."""

_CROSSWISE: Final = frozenset({"+", "*"})
"""Operators of two numbers, or of two sets, that do not mind their order."""


@define(eq=False)
class Equivariance:
    """The proofs about one relabelling. ``permutations`` are those that may apply to names for numbers; ``proved`` has
    the results so far, by their keys."""

    relabelling: Relabelling
    permutations: Sequence[Numbers]
    tables: Tables
    proved: dict[object, bool] = field(factory=dict)

    def once(self, key: object, prove: Callable[[], bool]) -> bool:
        """The result of a proof, which is carried out once for each key."""
        if key not in self.proved:
            self.proved[key] = prove()
        return self.proved[key]


@frozen(eq=False)
class KnownCase:
    """Given values of names, with their images, and the value of a condition ``before`` and ``after`` relabelling."""

    known: dict[int, tuple[Value, Value]]
    before: bool
    after: bool


@define(eq=False)
class Names:
    """The names of one callable: ``permuted`` are those for numbers that the relabelling permutes; ``known`` are those
    with a given value, and its image."""

    proof: Equivariance
    permuted: dict[int, Numbers] = field(factory=dict)
    known: dict[int, tuple[Value, Value]] = field(factory=dict)

    # -------------------------------------------------------- expressions

    def is_equivariant(self, expr: Expr) -> bool:
        return self.maps(expr, expr)

    def maps(self, e: Expr, f: Expr) -> bool:
        """Whether the value of ``f``, on renamed states and names, surely is the renamed value of ``e``."""
        self.proof.tables.steps += 1
        if self.proof.tables.is_spent:
            return False
        if isinstance(e, model.Local) and isinstance(f, model.Local) and e.slot not in self.known:
            return e.slot == f.slot and e.slot not in self.permuted
        by_table = self.tabulated(e, f)
        if by_table is not None:
            return by_table
        if type(e) is type(f) and self.are_built_alike(e, f):
            return True
        if not isinstance(e, model.If) or not isinstance(f, model.If):
            return False
        return self.by_cases(
            self.cases(e.condition, f.condition),
            lambda case: self.maps(e.yes if case.before else e.no, f.yes if case.after else f.no),
        )

    def all_map(self, es: Sequence[Expr], fs: Sequence[Expr]) -> bool:
        return len(es) == len(fs) and all(map(self.maps, es, fs))

    def maps_as(self, numbers: Numbers | None, e: Expr, f: Expr) -> bool:
        """The same for expressions that are permuted, unless ``numbers`` is None."""
        if numbers is None:
            return self.maps(e, f)
        if isinstance(e, model.Local) and isinstance(f, model.Local) and e.slot == f.slot:
            return self.permuted.get(e.slot) == numbers
        return bool(self.tabulated(e, f, lambda value: None if value is None else numbers.get(value, ERROR)))

    def matches(self, es: Sequence[tuple[Expr, ...]], fs: Sequence[tuple[Expr, ...]]) -> bool:
        """Whether groups of expressions map to others in some order."""
        if not es or len(es) != len(fs):
            return len(es) == len(fs)
        first, rest = es[0], es[1:]
        return any(self.all_map(first, fs[k]) and self.matches(rest, [*fs[:k], *fs[k + 1 :]]) for k in range(len(fs)))

    def forget(self, slot: int) -> None:
        """A name gets another value."""
        self.known = {each: value for each, value in self.known.items() if each != slot}

    # ------------------------------------------------------------- tables

    def tabulated(
        self, e: Expr, f: Expr, renamed: Callable[[Value], Value] | None = None, in_order: bool = False
    ) -> bool | None:
        """The same by a whole table; None if there is none. ``renamed`` maps the values to their images."""
        tables = self.proof.tables
        names, others = tables.names(e), tables.names(f)
        if names is None or others is None:
            return None
        renamed = renamed or self.proof.relabelling.of
        for before, after in self._assignments(_merge_names(names, others)):
            tables.steps += 1
            one, other = tables.value(e, before), tables.value(f, after)
            if one is ERROR or other is ERROR:
                if one is not other:
                    return False
            else:
                image = renamed(one)
                if image != other or (in_order and isinstance(image, OrderedSet) and image.items != other.items):
                    return False
        return True

    def _assignments(self, names: dict[int, Type]) -> Iterator[tuple[dict[int, Value], dict[int, Value]]]:
        """All values of names, with their images."""
        for pairs in product(*(self._pairs(slot, type) for slot, type in names.items())):
            yield (
                {slot: value for slot, (value, _) in zip(names, pairs, strict=True)},
                {slot: image for slot, (_, image) in zip(names, pairs, strict=True)},
            )

    def _pairs(self, slot: int, type: Type) -> list[tuple[Value, Value]]:
        if slot in self.known:
            return [self.known[slot]]
        if slot in self.permuted:
            return list(self.permuted[slot].items())
        return [(value, self.proof.relabelling.of(value)) for value in type.generate()]

    def cases(self, e: Expr, f: Expr) -> list[KnownCase] | None:
        """The cases of two conditions by the values of their names; None if they have no tables or too many cases, or
        if exactly one of them is an error somewhere. Values for which both are errors are no case."""
        tables = self.proof.tables
        names, others = tables.names(e), tables.names(f)
        if names is None or others is None:
            return None
        both = _merge_names(names, others)
        if prod(1 if slot in self.known else type.size for slot, type in both.items()) > FEW:
            return None
        found = []
        for values, images in self._assignments(both):
            one, other = tables.value(e, values), tables.value(f, images)
            if isinstance(one, bool) != isinstance(other, bool):
                return None
            if isinstance(one, bool):
                found.append(KnownCase({slot: (values[slot], images[slot]) for slot in both}, one, other))
        return found

    def by_cases(self, cases: list[KnownCase] | None, maps: Callable[[KnownCase], bool]) -> bool:
        """Whether something maps in all cases; in each case, its names are ``known``. Afterwards the names are known
        that were known before and have not been forgotten in any case."""
        if cases is None:
            return False
        before = after = self.known
        for case in cases:
            self.known = before | case.known
            is_mapped = maps(case)
            after = {slot: value for slot, value in after.items() if slot in self.known}
            self.known = after
            if not is_mapped:
                return False
        return True

    # --------------------------------------------------------------- sets

    def walks(self, e: Expr, f: Expr) -> bool:
        """Whether sets map, and their members come in the same order."""
        in_order = self.tabulated(e, f, in_order=True)
        if in_order is not None:
            return in_order
        if type(e) is not type(f):
            return False
        match e, f:
            case model.Apply(), model.Apply():
                return e.function in ("ray", "between") and self.maps(e, f)
            case model.Comprehension(), model.Comprehension():
                return self.bind(e.binders, f.binders, lambda: self.maps(e.element, f.element), in_order=True)
            case model.RangeSet(), model.RangeSet():
                return self.maps(e, f)
            case model.Call(), model.Call():
                body = e.define.body
                return e.define is f.define and self.calls(
                    e.define, e.arguments, f.arguments, "order", lambda inside: inside.walks(body, body)
                )
            case model.SetOperation() | model.MakeSet() | model.Reach() | model.Read(), _:
                return self.proof.relabelling.fixes(member_type(e)) and self.maps(e, f)
        return False

    def bind(
        self, es: tuple[Binder, ...], fs: tuple[Binder, ...], then: Callable[[], bool], in_order: bool = False
    ) -> bool:
        """Whether the bindings map, with ``in_order`` also in the same order, and ``then()`` holds for them."""
        if not es or not fs:
            return not es and not fs and then()
        e, f = es[0], fs[0]
        if (e.slot, e.stop, len(e.tests)) != (f.slot, f.stop, len(f.tests)):
            return False
        tests = [*e.tests, *([e.stop_condition] if e.stop_condition is not None else [])]
        others = [*f.tests, *([f.stop_condition] if f.stop_condition is not None else [])]

        def rest() -> bool:
            return self.all_map(tests, others) and self.bind(es[1:], fs[1:], then, in_order)

        return self.choose(e.slot, e.domain, f.domain, rest, in_order or e.stop is not None)

    def choose(self, slot: int, e: Expr, f: Expr, then: Callable[[], bool], in_order: bool = False) -> bool:
        """Whether the values that a name takes from a set map, and ``then()`` holds for them, either with the name left
        as it is or with the name permuted."""
        if (self.walks(e, f) if in_order else self.maps(e, f)) and then():
            return True
        if in_order or not isinstance(member_type(e).base, NumberType):
            return False
        for numbers in self.proof.permutations:
            if self.maps_members(numbers, e, f):
                self.permuted[slot] = numbers
                try:
                    if then():
                        return True
                finally:
                    del self.permuted[slot]
        return False

    def maps_members(self, numbers: Numbers, e: Expr, f: Expr) -> bool:
        """Whether sets of numbers map if their members are permuted."""

        def permute(values: Value) -> Value:
            is_whole = values is not None and all(value in numbers for value in values)
            return OrderedSet(map(numbers.get, values)) if is_whole else ERROR

        by_table = self.tabulated(e, f, permute)
        if by_table is not None:
            return by_table
        if not isinstance(e, model.Comprehension) or not isinstance(f, model.Comprehension):
            return False
        return self.bind(e.binders, f.binders, lambda: self.maps_as(numbers, e.element, f.element))

    # ------------------------------------------------------------- defines

    def permutation(self, e: Expr) -> Numbers | None:
        """The permutation of an argument that is a permuted name."""
        return self.permuted.get(e.slot) if isinstance(e, model.Local) else None

    def calls(
        self,
        called: Define | Action,
        es: Sequence[Expr],
        fs: Sequence[Expr],
        question: str,
        proved: Callable[[Names], bool],
    ) -> bool:
        """Whether the arguments of two calls map, and ``proved``, given the names of the define or action that is
        called, says the same of its body. ``proved`` is asked once for each ``question``."""
        permuted: dict[int, Numbers] = {}
        for k, (e, f) in enumerate(zip(es, fs, strict=True)):
            numbers, type = self.permutation(e), called.parameters[k].type
            is_within = self.proof.relabelling.keeps(type) if numbers is None else is_closed_under(type, numbers)
            if not is_within or not self.maps_as(numbers, e, f):
                return False
            if numbers is not None:
                permuted[k] = numbers
        key = (called, question, *((k, id(numbers)) for k, numbers in permuted.items()))
        return self.proof.once(key, lambda: proved(Names(self.proof, permuted)))

    # ------------------------------------------- expressions that are built alike

    def are_built_alike(self, e: Expr, f: Expr) -> bool:
        """Whether two expressions of one kind map since their parts do, by an operation that commutes. Nothing is
        proved for expressions that read the history of the play or simultaneous choices."""
        relabelling = self.proof.relabelling
        match e, f:
            case (
                model.Let()
                | model.GetField()
                | model.Negate()
                | model.Contains()
                | model.IsNone()
                | model.Present()
                | model.Not()
                | model.If()
                | model.MakeTuple()
                | model.RangeSet()
                | model.Subsets()
                | model.Reach()
                | model.Stuck(),  # whose decision is that of the phase, the rules of which are proved
                _,
            ):
                return self.maps_by_parts(e, f)
            case model.Const(), model.Const():
                return bool(relabelling.of(e.value) == f.value)
            case model.Read(), model.Read():
                return e.variable is f.variable and self.indices_map(e.variable, e.indices, f.indices)
            case model.Call(), model.Call():
                body = e.define.body
                return e.define is f.define and self.calls(
                    e.define, e.arguments, f.arguments, "value", lambda inside: inside.is_equivariant(body)
                )
            case model.Apply(), model.Apply():
                return (e.function, len(e.arguments)) == (f.function, len(f.arguments)) and self.functions_map(e, f)
            case model.Arithmetic() | model.SetOperation(), model.Arithmetic() | model.SetOperation():
                return e.operator == f.operator and self.sides_map(e, f, e.operator in _CROSSWISE)
            case model.Compare(operator="==" | "!="), model.Compare():
                numbers = self.permutation(e.left)
                if e.operator != f.operator or numbers is None:
                    return e.operator == f.operator and self.sides_map(e, f, is_crosswise=True)
                return self.maps_as(numbers, e.left, f.left) and self.maps_as(numbers, e.right, f.right)
            case model.Compare(), model.Compare():
                is_ordered = all(relabelling.fixes(side.type) for side in (e.left, e.right))
                return e.operator == f.operator and is_ordered and self.sides_map(e, f, is_crosswise=False)
            case (model.And(parts=parts), model.And(parts=others)) | (model.Or(parts=parts), model.Or(parts=others)):
                return self.match_singly(parts, others)
            case model.MakeSet(items=items), model.MakeSet(items=others):
                return self.match_singly(items, others)
            case model.Lookup(), model.Lookup():
                table = {relabelling.of(key): relabelling.of(value) for key, value in e.table.items()}
                return table == dict(f.table) and self.maps(e.key, f.key)
            case model.Quantified(), model.Quantified():
                is_compared = e.quantifier in ("min", "max")
                if e.quantifier != f.quantifier or (is_compared and not relabelling.fixes(e.body.type)):
                    return False
                in_order = e.quantifier in ("first", "last")
                return self.bind(e.binders, f.binders, lambda: self.maps(e.body, f.body), in_order)
            case model.Comprehension(), model.Comprehension():
                return self.bind(e.binders, f.binders, lambda: self.maps(e.element, f.element))
        return False

    def maps_by_parts(self, e: Expr | model.Statement, f: Expr | model.Statement) -> bool:
        """Whether two records of one class map part by part: their expressions map, and all else is the same."""
        kind: Any = type(e)
        return all(self._parts_map(getattr(e, name), getattr(f, name)) for name in _compared_fields(kind))

    def _parts_map(self, one: object, other: object) -> bool:
        if isinstance(one, Expr) and isinstance(other, Expr):
            return self.maps(one, other)
        if isinstance(one, tuple) and isinstance(other, tuple):
            return len(one) == len(other) and all(map(self._parts_map, one, other))
        return one == other

    def sides_map(
        self,
        e: model.Arithmetic | model.SetOperation | model.Compare,
        f: model.Arithmetic | model.SetOperation | model.Compare,
        is_crosswise: bool,
    ) -> bool:
        if self.maps(e.left, f.left) and self.maps(e.right, f.right):
            return True
        return is_crosswise and self.maps(e.left, f.right) and self.maps(e.right, f.left)

    def match_singly(self, es: Sequence[Expr], fs: Sequence[Expr]) -> bool:
        """Whether expressions map to others in some order."""
        return self.matches([(e,) for e in es], [(f,) for f in fs])

    def indices_map(self, variable: Variable, es: Sequence[Expr], fs: Sequence[Expr]) -> bool:
        """Whether the indices of two entries of a variable map."""
        numbers = self.proof.relabelling.numbers
        return all(
            self.maps_as(numbers.get((variable, k)), one, other)
            for k, (one, other) in enumerate(zip(es, fs, strict=True))
        )

    def functions_map(self, e: Apply, f: Apply) -> bool:
        """The same for a call of a built-in function with as many arguments."""
        permuted = {k: numbers for k, x in enumerate(e.arguments) if (numbers := self.permutation(x)) is not None}
        if e.context is not f.context or not commutes(e, self.proof.relabelling, self.proof.once, permuted):
            return False
        if permuted:
            return all(
                self.maps_as(permuted.get(k), x, y)
                for k, (x, y) in enumerate(zip(e.arguments, f.arguments, strict=True))
            )
        if self.all_map(e.arguments, f.arguments):
            return True
        if e.function == "connected_to":
            cells, one, other = f.arguments
            return self.all_map(e.arguments, (cells, other, one))
        return e.function in ("min", "max") and self.match_singly(e.arguments, f.arguments)


@cache
def _compared_fields(kind: Any) -> tuple[str, ...]:
    """The fields of a record that make it what it is, and not only say where it is written."""
    return tuple(each.name for each in fields(kind) if each.eq and each.name != "span")


def _merge_names(names: dict[int, Type], others: dict[int, Type]) -> dict[int, Type]:
    """The names of two expressions with their types; a name that may be none in either of them may be none."""
    return names | {
        slot: type for slot, type in others.items() if not isinstance(names.get(slot), OptionalType | NoneType)
    }


def is_closed_under(type: Type, numbers: Numbers) -> bool:
    """Whether a type contains a number if and only if it contains the number's image under the permutation."""
    return all(type.contains(number) == type.contains(image) for number, image in numbers.items())
