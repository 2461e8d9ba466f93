"""Rules that deal: each parameter takes its values from a set, and none that an earlier parameter has.

Nearly all chance decisions with very many outcomes are of this form: ``deal(h in subsets(Card, 4), k in subsets(Card -
h, 4))``, ``pair(a in Card, b in Card) if a != b``, permutations and independent draws. Its parts are the *hands*:
subsets of a given size, or single values, of a *stock* that does not depend on the other parameters, each disjoint from
some earlier hands. The form is recognised in the rule; the stocks and sizes are those of a state.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from zermelo.interpreter import model
from zermelo.interpreter.evaluation.context import Closure, Compiles
from zermelo.interpreter.model.rewriting import free_slots


@frozen(eq=False)
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
    if weight is not None and free_slots(weight) & number.keys():
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


@frozen(eq=False)
class _Form:
    """What is known of a rule while its form is recognised; ``number`` is that of the parameter in a slot."""

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
