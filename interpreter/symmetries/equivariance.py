"""Proofs that expressions commute with a relabelling.

Let s be a state and f the names of a running callable, and let R relabel all that is in them. An expression e is
*equivariant* under R if e(R s, R f) = R(e(s, f)) for all s and f. The proof is about pairs: ``maps(e, e')`` is proved
only if e'(R s, R f) = R(e(s, f)) for all of them, and e is equivariant if it maps to itself. So ``connected(a, b)`` may
map to ``connected(b, a)``, and what is paid to one player to what is paid to another. There are three rules.

* **By structure** (:mod:`.by_structure`). Both are built alike, of parts that map, by an operation that commutes with
  R: reading an entry, quantifiers, sets, records, arithmetic. R is a bijection, so that it keeps equality, membership
  and numbers of members. The parts of an operation that does not mind their order may map crosswise.
* **By the whole table.** Where neither reads the state, and the names in them have few values, all are tried:
  ``if p == Forest then 4 else 1``, ``c.y == last_rank(p)``. If the table does not commute, no other rule could say so.
* **By cases.** If the condition of an ``if`` is such a table, the branches are compared for each of its cases apart.
  There the names have given values, and R takes the branch of one case to that of another.

The *order* of a set may show: in ``first``, in ``while``, in ``for``. R keeps it only where that is proved
(``walks``): of rays, of ranges of numbers, of sets whose members it does not touch. Elsewhere, sets are equal whatever
their order.

A name for a number may be relabelled by a permutation (:mod:`.relabelling`): at binders all permutations are tried that
come into question. Such a name may stand as an index that is permuted in the same way, as an argument, in a table, and
in a comparison with another such name; and nowhere else.

**Errors.** An error of the rules maps to an error, but for one thing: where members of a set, or conditions, are looked
at until one decides the question, another order may come to the answer before the error, or after it. So positions from
which no play comes to an error, nor from their images, are worth the same; and where plays are free of errors, those
from an image need not be.

Cost: a walk over both expressions, with a budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, Final

from attrs import define, field, frozen

from zermelo.interpreter import model
from zermelo.interpreter.model import Action, Binder, Define, Expr
from zermelo.interpreter.symmetries.commuting import has_order
from zermelo.interpreter.symmetries.relabelling import Numbers, Relabelling
from zermelo.interpreter.symmetries.tables import ERROR, Tables
from zermelo.interpreter.types import NoneType, NumberType, OptionalType, SetType, Type, strip_none
from zermelo.interpreter.values import OrderedSet, Value

FEW: Final = 16
"""The most cases of a condition."""


@define(eq=False)
class Equivariance:
    """The proofs about one relabelling. ``permutations`` are those that may befall names for numbers; ``rules`` are
    those of :mod:`.by_structure`, one for each kind of expression; ``proved`` are the results so far, by what was
    asked."""

    relabelling: Relabelling
    permutations: Sequence[Numbers]
    tables: Tables
    rules: Mapping[type[Expr], Callable[[Names, Any, Any], bool]]
    proved: dict[object, bool] = field(factory=dict)

    def once(self, key: object, prove: Callable[[], bool]) -> bool:
        """The result of a proof, which is made once."""
        if key not in self.proved:
            self.proved[key] = prove()
        return self.proved[key]


@frozen(eq=False)
class KnownCase:
    """Given values of names, with their images, and what a condition is ``before`` and ``after`` relabelling."""

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
        """Whether ``f`` on renamed states and names surely is ``e`` renamed."""
        self.proof.tables.steps += 1
        if self.proof.tables.is_spent:
            return False
        if isinstance(e, model.Local) and isinstance(f, model.Local) and e.slot not in self.known:
            return e.slot == f.slot and e.slot not in self.permuted
        by_table = self.tabulated(e, f)
        if by_table is not None:
            return by_table
        if type(e) is type(f) and self.proof.rules[type(e)](self, e, f):
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
        """The same by a whole table; None if there is none. ``renamed`` says what becomes of the values."""
        tables = self.proof.tables
        names, others = tables.names(e), tables.names(f)
        if names is None or others is None:
            return None
        renamed = renamed or self.proof.relabelling.of
        for before, after in self._assignments(_both(names, others)):
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
        """The cases of two conditions by the values of their names; None if they have no tables, or too many cases, or
        if one of them alone is an error. Where both are, there is no case."""
        tables = self.proof.tables
        names, others = tables.names(e), tables.names(f)
        if names is None or others is None:
            return None
        both = _both(names, others)
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
        """Whether something maps in all cases, in each of which the names are ``known``. Afterwards those are known
        that were so before and have not been forgotten in any case."""
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
                return has_order(e.function) and self.maps(e, f)
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
                return self.proof.relabelling.fixes(element_type(e)) and self.maps(e, f)
        return False

    def bind(
        self, es: tuple[Binder, ...], fs: tuple[Binder, ...], then: Callable[[], bool], in_order: bool = False
    ) -> bool:
        """Whether the bindings map, and ``then`` what is asked of them; with ``in_order`` also in the same order."""
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
        """Whether the values of a name from a set map, and ``then`` what is asked of them, if the name is left as it
        is, or permuted."""
        if (self.walks(e, f) if in_order else self.maps(e, f)) and then():
            return True
        if in_order or not isinstance(element_type(e).base, NumberType):
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

        def permuted(values: Value) -> Value:
            is_whole = values is not None and all(value in numbers for value in values)
            return OrderedSet(map(numbers.get, values)) if is_whole else ERROR

        by_table = self.tabulated(e, f, permuted)
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
        """Whether the arguments of two calls map, and ``proved`` says so of what is called, given its names. It is
        asked once for each question."""
        permuted: dict[int, Numbers] = {}
        for k, (e, f) in enumerate(zip(es, fs, strict=True)):
            numbers, type = self.permutation(e), called.parameters[k].type
            is_within = self.proof.relabelling.keeps(type) if numbers is None else is_kept(type, numbers)
            if not is_within or not self.maps_as(numbers, e, f):
                return False
            if numbers is not None:
                permuted[k] = numbers
        key = (called, question, *((k, id(numbers)) for k, numbers in permuted.items()))
        return self.proof.once(key, lambda: proved(Names(self.proof, permuted)))


def _both(names: dict[int, Type], others: dict[int, Type]) -> dict[int, Type]:
    """The names of two expressions; a name that may be none in one of them may be none."""
    return names | {
        slot: type for slot, type in others.items() if not isinstance(names.get(slot), OptionalType | NoneType)
    }


def is_kept(type: Type, numbers: Numbers) -> bool:
    """Whether a type has a number if and only if it has that to which it is permuted."""
    return all(type.contains(number) == type.contains(image) for number, image in numbers.items())


def element_type(e: Expr) -> Type:
    """The type of the members of a set."""
    type = strip_none(e.type).base
    return type.element if isinstance(type, SetType) else type
