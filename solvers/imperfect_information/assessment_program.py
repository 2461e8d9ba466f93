"""The linear program of an assessment: weights of trembles for which every move that is made is a best one.

Why weights, orders and worths, and when a solution is one of the game, is said in
:mod:`zermelo.solvers.imperfect_information.assessments`. The unit of what happens in an information set is free: where
all weights in the program are single ones, none is changed; otherwise what all products in a set and in those whose
worths it takes have in common is divided out.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Literal

from attrs import define, field, frozen

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.imperfect_information.assessments import Assessments, OwnSet, Product, Term
from zermelo.solvers.linear_programming.feasibility import ONE, Form, Values, solve


@frozen
class Only:
    """A set in which the moves that are made are compared with no other move than ``rival``."""

    at: OwnSet
    rival: int


@define(eq=False)
class AssessmentProgram:
    """The program. ``only``: in one set a single alternative counts. ``divisors`` are divided out of the products of a
    set; ``is_exact``: every solution is one of the game."""

    assessments: Assessments
    only: Only | None = None
    values: dict[OwnSet, dict[int, dict[Term, int]]] = field(init=False)
    divisors: dict[OwnSet, Product] = field(init=False)
    is_exact: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.values = {at: self.assessments.values(at) for at in self.assessments.least}
        products = {at: self._products(at) for at in self.values}
        nothing = (0,) * len(self.assessments.profile.plans)
        self.divisors = dict.fromkeys(self.values, nothing)
        self.is_exact = all(_factors(product) == 1 for own in products.values() for product in own)
        if not self.is_exact and not self.assessments.sums():
            self._divide(products)
            self.is_exact = self._are_independent(products)

    def _products(self, at: OwnSet) -> set[Product]:
        """The products that occur in a set: in what its moves bring, and in its belief."""
        brought = {name for value in self.values[at].values() for name in value if not isinstance(name, OwnSet)}
        return brought | {product for _, product in self.assessments.weights_at(at).values()}

    def _divide(self, products: Mapping[OwnSet, set[Product]]) -> None:
        """Find what the products of a set, and of those that it takes worths from, have in common."""
        for group in self._linked():
            first, *others = {product for at in group for product in products[at]}
            common = tuple(s if all(o[p] == s for o in others) else 0 for p, s in enumerate(first))
            self.divisors |= dict.fromkeys(group, common)

    def _linked(self) -> list[list[OwnSet]]:
        """The sets, those together that take worths from each other."""
        group = {at: [at] for at in self.values}
        for at, values in self.values.items():
            for value in values.values():
                for later in value:
                    if isinstance(later, OwnSet) and group[at] is not group[later]:
                        group[at] += group[later]
                        for each in group[later]:
                            group[each] = group[at]
        return list({id(members): members for members in group.values()}.values())

    def _are_independent(self, products: Mapping[OwnSet, set[Product]]) -> bool:
        """Whether positive weights can make the products any positive numbers, up to the unit of each set.

        Sound: the logarithms of weights and units are to solve one equation for each product and group of sets that
        have products in common; they can if the left sides are linearly independent."""
        divided = [{self._divided(product, at) for at in group for product in products[at]} for group in self._linked()]
        joined: list[set[Product]] = []
        for own in divided:
            apart = [others for others in joined if not own & others or not any(map(_factors, own & others))]
            for others in joined:
                if not any(others is each for each in apart):
                    own = own | others
            joined = [*apart, own]
        rows: list[dict[Hashable, Fraction]] = []
        for number, together in enumerate(joined):
            for product in together:
                row: dict[Hashable, Fraction] = {
                    (player, sequence): Fraction(1) for player, sequence in enumerate(product) if sequence
                }
                if row:
                    rows.append(row | ({} if any(not _factors(each) for each in together) else {number: Fraction(1)}))
        return _have_full_rank(rows)

    def _divided(self, product: Product, at: OwnSet) -> Product:
        return tuple(0 if common else s for s, common in zip(product, self.divisors[at], strict=True))

    def _form(self, value: Mapping[Term, int], at: OwnSet, sign: int) -> Form:
        form: Form = {at: -sign}
        for name, factor in value.items():
            divided = name if isinstance(name, OwnSet) else self._divided(name, at)
            variable = divided if isinstance(divided, OwnSet) or _factors(divided) else ONE
            form[variable] = form.get(variable, 0) + sign * factor
        return form

    def solve(self, limits: Limits) -> Values | Literal["none", "unknown"]:
        """Worths and positive weights; ``none`` if it is proved that there are none."""
        kept: list[Form] = []
        raised: list[Form] = []
        for at, values in self.values.items():
            rivals = values if self.only is None or self.only.at != at else (self.only.rival,)
            kept += [self._form(values[sequence], at, -1) for sequence in rivals]
            if at in self.assessments.enforced:
                raised += [self._form(values[sequence], at, 1) for sequence in self.assessments.made(at)]
        for whole, parts in self.assessments.sums():
            form: Form = {whole: 1, **dict.fromkeys(parts, -1)}
            raised += [form, {name: -factor for name, factor in form.items()}]
        weights = [name for form in (*kept, *raised) for name in form if name != ONE and not isinstance(name, OwnSet)]
        weights += [
            divided
            for at in self.values
            for _, product in self.assessments.weights_at(at).values()
            if _factors(divided := self._divided(product, at))
        ]
        return solve(kept, raised, dict.fromkeys(weights), limits)

    def belief(self, at: OwnSet, values: Values) -> dict[Product, Fraction]:
        """The probability of each node of a set, by the sequences of the others."""
        found = {
            sequences: factor * (values[divided] if _factors(divided := self._divided(product, at)) else 1)
            for sequences, (factor, product) in self.assessments.weights_at(at).items()
        }
        whole = sum(found.values())
        return {sequences: weight / whole for sequences, weight in found.items()}


def _factors(product: Product) -> int:
    return sum(sequence != 0 for sequence in product)


def _have_full_rank(rows: list[dict[Hashable, Fraction]]) -> bool:
    """Whether rows are linearly independent, by elimination."""
    done: list[tuple[Hashable, dict[Hashable, Fraction]]] = []
    for row in rows:
        for pivot, other in done:
            if factor := row.get(pivot):
                names = dict.fromkeys([*row, *other])
                row = {name: row.get(name, Fraction(0)) - factor * other.get(name, Fraction(0)) for name in names}
        pivot = next((name for name, entry in row.items() if entry), None)
        if pivot is None:
            return False
        done.append((pivot, {name: entry / row[pivot] for name, entry in row.items()}))
    return True
